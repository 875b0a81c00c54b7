"""Answering a question: the life of a run, its strategies, what they decide by, the ports and the errors.

| module              | what it knows                                                     |
| ------------------- | ----------------------------------------------------------------- |
| `lifecycle`         | the life of a run, whatever strategy answers it                   |
| `modes`             | which strategy answers a question                                 |
| `takeover`          | what to do with a question that was handed out, by its run's log  |
| `run`               | one run's events, evidence and usage                              |
| `extractive_answer` | the strategy that answers by quotes, each checked                 |
| `extractive`        | what it searches and quotes, without a language model             |
| `reasoning`         | the strategy with a language model                                |
| `announced_search`  | asking the law: announced, counted, limited, retried              |
| `retries`           | asking again what may answer later                                |
| `tools`             | the tools of a model, and their registry                          |
| `source_kinds`      | the kinds of sources: how each becomes evidence, and is verified  |
| `corpus`            | the day and the archives that an answer rests on                  |
| `earlier_turns`     | what a question follows up                                        |
| `question_filters`  | what a question is narrowed to, for all that its run finds        |
| `foreign_law`       | questions about the law of other countries                        |
| `layout`            | where a provision's blocks are in its stored text                 |
| `cues`              | signs of an amount or a time                                      |
| `passages`          | which passages of a provision answer                              |
| `answerability`     | which of the provisions found answer, if any                      |
| `proof`             | whether a quote is in a provision, word for word                  |
| `evidence`          | the sources of a run, with stable ids                             |
| `composing`         | an answer as blocks, and the text and HTML rendered from them     |
| `tool_spans`        | spans of tool calls                                               |
| `ports`             | what the core needs of the world                                  |
| `errors`            | what can go wrong                                                 |
"""
