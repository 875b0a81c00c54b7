"""An index in memory: texts with a number each, by their Norwegian words."""

from collections.abc import Iterable, Mapping, Sequence

import tantivy
from tantivy import Query

from lovsvar_search.adapters.retrieval.tantivy_documents import text_analyzer
from lovsvar_search.adapters.retrieval.tantivy_snapshot import MISTYPED
from lovsvar_search.core.law.analysis import NORWEGIAN
from lovsvar_search.core.retrieval.query import Word

_HEAP = 50_000_000
_THREADS = 1
"""With more, the order of what scores alike, and so which is looked at, changes from start to start."""


class MemoryIndex:
    """Texts by their words; what is at one number is scored as one. Immutable once made."""

    def __init__(self, texts: Iterable[tuple[int, Sequence[str]]]) -> None:
        builder = tantivy.SchemaBuilder()
        builder.add_text_field("text", tokenizer_name=NORWEGIAN.language, index_option="freq")
        builder.add_unsigned_field("number", indexed=False, fast=True)
        self._schema = builder.build()
        index = tantivy.Index(self._schema)
        index.register_tokenizer(NORWEGIAN.language, text_analyzer(NORWEGIAN))
        writer = index.writer(_HEAP, _THREADS)
        for number, parts in texts:
            document = tantivy.Document()
            for part in parts:
                document.add_text("text", part)
            document.add_unsigned("number", number)
            writer.add_document(document)
        writer.commit()
        writer.wait_merging_threads()
        index.reload()
        self._searcher = index.searcher()

    def forms(self, word: Word) -> list[Query]:
        """Return what finds each form of a word."""
        return [Query.term_query(self._schema, "text", form) for form in word.forms]

    def near(self, word: Word) -> list[Query]:
        """Return what finds a word that is one letter off, if it is mistyped."""
        if not word.mistyped:
            return []
        near = Query.fuzzy_term_query(self._schema, "text", word.forms[0], 1, transposition_cost_one=True)
        return [Query.const_score_query(near, MISTYPED)]

    def search(self, query: Query, limit: int) -> Mapping[int, float]:
        """Return the best scores by number, best first."""
        # A result makes its list of hits each time that it is asked for it.
        hits = self._searcher.search(query, limit, count=False).hits
        numbers = self._searcher.fast_field_values("number", [address for _, address in hits])
        return {int(number or 0): score for (score, _), number in zip(hits, numbers, strict=True)}
