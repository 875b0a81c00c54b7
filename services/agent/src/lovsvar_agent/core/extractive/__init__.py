"""An answer made of quotes, without a language model, in stages.

| module          | what it knows                                                                          |
| --------------- | -------------------------------------------------------------------------------------- |
| `investigation` | what is looked up, searched and read                                                    |
| `query_parts`   | the parts of a question that are searched by themselves                                |
| `findings`      | what was found, and what an answer would say of it and of the question                  |
| `premises`      | what a question takes for granted: quotations, and sources that are not in the corpus   |
| `scopes`        | acts for some people or things only, and the general acts before them                   |
| `foreign_law`   | whether a question is about another country                                             |
| `selection`     | which provisions are shown, in which order, and how surely they answer                  |
| `excerpts`      | which ledd of a provision are shown, and how much of a long one                         |
| `cues`          | whether an amount, a time or a price is asked for, and given                            |
| `reasons`       | the line that says why a provision is here                                              |
| `composition`   | the answer as blocks                                                                    |
| `phrases`       | Lovsvar's own words in the three languages                                              |
| `answer`        | the whole, as a strategy of a run, with its events                                      |
"""
