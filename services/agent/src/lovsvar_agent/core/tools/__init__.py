"""The tools of the agent: one module each, and their registry.

| module             | what it knows                                                  |
| ------------------ | -------------------------------------------------------------- |
| `registry`         | the tools that a run may use                                   |
| `tool`             | what a tool is, and what it finds                              |
| `law_access`       | the law, as the tools of one run reach it                      |
| `schemas`          | parts of the tools' JSON schemas                               |
| `answer_form`      | the form that a model gives its answer in                      |
| `law_search`       | `search_lovdata_legal_documents`: finding provisions           |
| `practice_search`  | `search_lovdata_legal_practice`: how the law is used           |
| `law_reading`      | `hent_lovtekst`: provisions word for word                      |
| `several_searches` | `generer_sokestrenger`: several searches at once               |
| `outline`          | `innholdsfortegnelse`: what a document holds                   |
| `remote_tool`      | a tool that another service carries out                        |
"""
