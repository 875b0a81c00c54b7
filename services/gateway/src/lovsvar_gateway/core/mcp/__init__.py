"""What the tools for language models say: their results, and the text that a model reads. Pure.

| module            | what it knows                                                            |
| ----------------- | ------------------------------------------------------------------------ |
| `results.py`      | the structured output of every tool                                      |
| `places.py`       | the words of a ledd or a bokstav, and whether it exists                  |
| `token_budget.py` | what of a text fits in a number of tokens, and how the rest is asked for |
| `contents.py`     | a table of contents as text, whole or abbreviated                        |
| `citations.py`    | parting a text for the resolver, and judging what it found               |
| `definitions.py`  | where a term is defined                                                  |
| `result_text.py`  | results as text                                                          |
"""
