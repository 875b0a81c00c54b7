"""The words of a catalogue, read as its index reads them."""

from collections.abc import Iterable

from lovsvar_search.adapters.retrieval.tantivy_documents import text_analyzer
from lovsvar_search.core.catalogues.languages import analyzer_of
from lovsvar_search.core.retrieval.compounds import CompoundWords, WordList


def compounds_of(language: str, words: Iterable[str]) -> CompoundWords:
    """Return the compounds among the words of a catalogue, which are in lower case, each once."""
    analyzer = analyzer_of(language)
    return CompoundWords(WordList(words, analyzer, text_analyzer(analyzer).analyze))
