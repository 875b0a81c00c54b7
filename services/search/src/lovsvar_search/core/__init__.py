"""Finding, reading and resolving provisions: the use cases, their ports and the rules they follow.

| module       | what it knows                                                              |
|--------------|----------------------------------------------------------------------------|
| `corpus`     | what the index is made of, and what is known of each document                |
| `analysis`   | how text is prepared for the index, and which words of a question say nothing |
| `aliases`    | the curated file of everyday names                                           |
| `act_names`  | what acts are called, and where a text calls them so                         |
| `pinpoints`  | places inside a provision, as they are written behind its number               |
| `references` | references as people and machines write them                                 |
| `query`      | from a question to the terms and direct hits that are searched                |
| `ranking`    | priors, law types in their order                                             |
| `snippets`   | which ledd matches best, and the cut around the match                         |
| `outline`    | a table of contents from divisions and sections                               |
| `finding`    | use case: find provisions                                                    |
| `reading`    | use cases: read provisions, outlines, documents, lists, the state             |
| `resolving`  | use case: resolve a reference                                                |
| `following`  | keeping the index at the corpus's version                                    |
| `errors`     | what this service raises on purpose                                          |
"""
