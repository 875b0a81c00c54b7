"""What is law: the collection of provisions, and the use cases of finding, reading and resolving them.

| module                 | what it knows                                                                   |
| ---------------------- | ------------------------------------------------------------------------------- |
| `collection`           | the definition of the law as a collection                                       |
| `sections`             | what a section is, as it is indexed and as a hit is shown from it               |
| `analysis`             | Norwegian text: section numbers as words, words of asking, compounds            |
| `filters`              | what a search for provisions is narrowed to                                     |
| `query_references`     | acts, provisions and terms that a query names                                   |
| `lexicon`              | everyday words and nynorsk forms                                                |
| `topics`               | what documents and chapters are about                                           |
| `signals`              | ranking signals, one number for each candidate                                  |
| `relevance`            | the learnt rank profile: scores and probabilities from the signals              |
| `ranking`              | priors, and law types in their order                                            |
| `provision_search`     | use case: find provisions                                                       |
| `hit_view`             | a hit as it is shown                                                            |
| `provision_reader`     | use cases: read provisions, outlines, documents, lists, the state               |
| `outline`              | a table of contents from divisions and sections                                 |
| `reference_resolution` | use case: resolve a reference                                                   |
"""
