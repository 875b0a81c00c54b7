"""Results of the tools for language models, as data and as text. Pure."""
