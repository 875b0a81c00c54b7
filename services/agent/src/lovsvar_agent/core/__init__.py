"""Answering a question: the use case, what it decides by, its ports and its errors.

| module       | what it knows                                                            |
|--------------|--------------------------------------------------------------------------|
| `answering`  | the use case: a question in, a run's events out                           |
| `extractive` | an answer made of quotes, without a language model                       |
| `toolbox`    | asking the law: announced, counted, limited, retried                     |
| `run`        | one run's events, evidence and usage                                     |
| `references` | references to the law that stand in a question                           |
| `words`      | content words, stems, and how two words meet                             |
| `layout`     | where a provision's blocks stand in its stored text                      |
| `sentences`  | where Norwegian legal sentences end                                      |
| `cues`       | signs of an amount or a time                                             |
| `quoting`    | which passages of a provision answer                                     |
| `deciding`   | which of the provisions found answer, if any                             |
| `proof`      | whether a quote stands in a provision                                    |
| `evidence`   | the sources of a run, with stable ids                                    |
| `composing`  | an answer's words, as text and as HTML                                   |
| `ports`      | what the core needs of the world                                         |
| `errors`     | what can go wrong                                                        |
"""
