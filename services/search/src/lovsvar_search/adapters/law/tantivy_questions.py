"""Everyday questions in Tantivy, in memory: question against question, by words."""

import math
from collections.abc import Mapping, Sequence

import tantivy
from tantivy import Occur, Query

from lovsvar_search.adapters.retrieval.tantivy_documents import text_analyzer
from lovsvar_search.adapters.retrieval.tantivy_snapshot import MISTYPED
from lovsvar_search.core.law.analysis import NORWEGIAN, spoken_words
from lovsvar_search.core.law.sections import EverydayQuestion
from lovsvar_search.core.retrieval.items import place_number
from lovsvar_search.core.retrieval.query import QueryPlan, Word

LIMIT = 25
"""Questions that are looked at, each with its provisions."""

LATER_ANSWER = 0.1
"""Share that each further provision of a question is behind the one before."""

FULL = 10_000
"""Questions by which scores were calibrated; among a few no word is rare, and scores are raised to make up for it."""

_ANALYZER = "norwegian"
_HEAP = 50_000_000
_THREADS = 1
"""With more, the order of questions that score alike, and so which are looked at, changes from start to start."""


class TantivyQuestions:
    """The questions of one corpus version (`QuestionIndex`)."""

    def __init__(self, questions: Sequence[EverydayQuestion]) -> None:
        builder = tantivy.SchemaBuilder()
        builder.add_text_field("question", tokenizer_name=_ANALYZER)
        builder.add_unsigned_field("row", indexed=False, fast=True)
        self._schema = builder.build()
        self._answers: list[list[tuple[int, float]]] = []
        texts: dict[str, int] = {}
        for one in questions:
            row = texts.setdefault(one.question, len(self._answers))
            if row == len(self._answers):
                self._answers.append([])
            self._answers[row].append((place_number(one.refid, one.section_key), 1.0 - LATER_ANSWER * one.rank))
        index = tantivy.Index(self._schema)
        index.register_tokenizer(_ANALYZER, text_analyzer(NORWEGIAN))
        writer = index.writer(_HEAP, _THREADS)
        for text, row in texts.items():
            document = tantivy.Document()
            # Words of asking are taken out as they are of a query: "hva" and "kan" would make all questions alike.
            document.add_text("question", " ".join(spoken_words(text).subject))
            document.add_unsigned("row", row)
            writer.add_document(document)
        writer.commit()
        writer.wait_merging_threads()
        index.reload()
        self._searcher = index.searcher()
        self._scale = max(1.0, math.log(FULL) / math.log(2 + len(texts)))

    def search(self, plan: QueryPlan) -> Mapping[int, float]:
        """Return the best score of each provision that answers a question like the plan's own words."""
        scoring = [
            (Occur.Should, Query.boost_query(query, word.weight))
            for word in plan.words[: plan.own]
            for query in self._forms(word)
        ]
        if not scoring or not self._answers:
            return {}
        # A result makes its list of hits each time that it is asked for it.
        hits = self._searcher.search(Query.boolean_query(scoring), LIMIT, count=False).hits
        rows = self._searcher.fast_field_values("row", [address for _, address in hits])
        best: dict[int, float] = {}
        for (score, _), row in zip(hits, rows, strict=True):
            for number, share in self._answers[int(row or 0)]:
                worth = self._scale * score * share
                if worth > best.get(number, 0.0):
                    best[number] = worth
        return best

    def _forms(self, word: Word) -> list[Query]:
        forms = [Query.term_query(self._schema, "question", form) for form in word.forms]
        if word.mistyped:
            near = Query.fuzzy_term_query(self._schema, "question", word.forms[0], 1, transposition_cost_one=True)
            forms.append(Query.const_score_query(near, MISTYPED))
        return forms
