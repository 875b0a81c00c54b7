"""Retrieval of any collection: what is searched is given by its definition, and nothing here knows what it is about.

| module            | what it knows                                                                        |
| ----------------- | ------------------------------------------------------------------------------------ |
| `collection`      | what a collection defines: fields, filters, query expansion, references, the profile |
| `analysis`        | how text of a language becomes terms, and which words of a question say nothing      |
| `compounds`       | compound words, taken apart and put together                                         |
| `web_syntax`      | what a query's signs mean: quotation marks, minus, OR                                |
| `query`           | from a question to the terms and direct hits that are searched                       |
| `filters`         | what a search is narrowed to                                                         |
| `items`           | an item as it is indexed, and the numbers by which items are known                   |
| `index`           | the ports of the indexes                                                             |
| `corpus`          | one version of a collection, and the port that reads its items                       |
| `corpus_follower` | keeping the index at the stored version                                              |
| `vector_search`   | what is near a question in meaning                                                   |
| `candidates`      | what may answer, what is known of it, and the order of hits                          |
| `convex_profile`  | the rank profile for which nothing is learnt                                         |
| `matching`        | what a query's words find, and the candidates of all ways together                   |
| `item_search`     | use case: find items                                                                 |
| `snippets`        | which part of a text matches best, and the cut around the match                      |
"""
