"""The kinds of sources: one module each.

| module     | what it knows                                                          |
| ---------- | ---------------------------------------------------------------------- |
| `kind`     | what a kind of source is; by itself, excerpts that a search gave       |
| `law`      | `lovdata`: provisions, quoted from the text that is stored             |
| `practice` | `serper`: decisions, quoted from the excerpts of a search engine       |
"""
