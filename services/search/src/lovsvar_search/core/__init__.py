"""Finding, reading and resolving provisions: the use cases, their ports and the rules they follow.

| module                 | what it knows                                                                 |
| ---------------------- | ----------------------------------------------------------------------------- |
| `provision_search`     | use case: find provisions                                                     |
| `provision_reader`     | use cases: read provisions, outlines, documents, lists, the state             |
| `reference_resolution` | use case: resolve a reference                                                 |
| `corpus_follower`      | keeping the index at the corpus's version                                     |
| `corpus_ports`         | what the follower needs: the stored corpus, and an index that can change      |
| `indexes`              | what is searched: the ports of the indexes, and one corpus version            |
| `corpus`               | what the index is made of, and what is known of each document                 |
| `analysis`             | how text is prepared for the index, and which words of a question say nothing |
| `compounds`            | compound words, taken apart and put together                                  |
| `lexicon`              | everyday words and nynorsk forms                                              |
| `web_syntax`           | what a query's signs mean: quotation marks, minus, OR                         |
| `query`                | from a question to the terms and direct hits that are searched                |
| `filters`              | what a search is narrowed to                                                  |
| `topics`               | what documents and chapters are about                                         |
| `vector_search`        | what is near a question in meaning                                            |
| `signals`              | ranking signals, one number for each candidate                                |
| `relevance`            | the probability that a candidate answers, from its signals                    |
| `ranking`              | priors, the order of hits, law types in their order                           |
| `hit_view`             | a hit as it is shown                                                          |
| `snippets`             | which ledd matches best, and the cut around the match                         |
| `outline`              | a table of contents from divisions and sections                               |
| `errors`               | what this service raises on purpose                                           |
"""
