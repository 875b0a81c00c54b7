"""Everyday questions in Tantivy, in memory: question against question, by words."""

import math
from collections.abc import Mapping, Sequence

from tantivy import Occur, Query

from lovsvar_search.adapters.law.memory_index import MemoryIndex
from lovsvar_search.core.law.analysis import spoken_words
from lovsvar_search.core.law.sections import EverydayQuestion
from lovsvar_search.core.retrieval.items import place_number
from lovsvar_search.core.retrieval.query import QueryPlan

LIMIT = 25
"""Questions that are looked at, each with its provisions."""

LATER_ANSWER = 0.1
"""Share that each further provision of a question is behind the one before."""

FULL = 10_000
"""Questions by which scores were calibrated; among a few no word is rare, and scores are raised to make up for it."""


class TantivyQuestions:
    """The questions of one corpus version (`QuestionIndex`)."""

    def __init__(self, questions: Sequence[EverydayQuestion]) -> None:
        self._answers: list[list[tuple[int, float]]] = []
        texts: dict[str, int] = {}
        for one in questions:
            row = texts.setdefault(one.question, len(self._answers))
            if row == len(self._answers):
                self._answers.append([])
            self._answers[row].append((place_number(one.refid, one.section_key), 1.0 - LATER_ANSWER * one.rank))
        # Words of asking are taken out as they are of a query: "hva" and "kan" would make all questions alike.
        self._index = MemoryIndex((row, (" ".join(spoken_words(text).subject),)) for text, row in texts.items())
        self._scale = max(1.0, math.log(FULL) / math.log(2 + len(texts)))

    def search(self, plan: QueryPlan) -> Mapping[int, float]:
        """Return the best score of each provision that answers a question like the plan's own words."""
        scoring = [
            (Occur.Should, Query.boost_query(query, word.weight))
            for word in plan.words[: plan.own]
            for query in (*self._index.forms(word), *self._index.near(word))
        ]
        if not scoring or not self._answers:
            return {}
        best: dict[int, float] = {}
        for row, score in self._index.search(Query.boolean_query(scoring), LIMIT).items():
            for number, share in self._answers[row]:
                worth = self._scale * score * share
                if worth > best.get(number, 0.0):
                    best[number] = worth
        return best
