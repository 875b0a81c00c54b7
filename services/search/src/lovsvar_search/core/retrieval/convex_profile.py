"""A rank profile for which nothing is learnt: the convex combination of calibrated scores by words and by meaning."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from lovsvar_search.core.retrieval.candidates import REACH, Candidates, Evidence, Values


@dataclass(frozen=True, slots=True)
class ConvexProfile:
    """Ranks by `words` and `meaning`, two weights of which only the proportion counts (`RankProfile`).

    Words are the share of what BM25 can give for the query, meaning is relevance on the scale of the embedding model;
    both go from 0 to 1. Their combination is taken for the probability. Without vectors words count alone, and the
    other way round when meaning alone is asked for.
    """

    words: float = 0.7
    meaning: float = 0.3
    floor: float = 0.1
    answers: float = 0.5
    signals: ClassVar[Sequence[str]] = ("words", "meaning")
    learnt_on: ClassVar[int] = 1
    unknown_word: ClassVar[float] = 0.0

    def __post_init__(self) -> None:
        if min(self.words, self.meaning) < 0.0 or self.words + self.meaning <= 0.0:
            raise ValueError(f"{self.words}, {self.meaning}: weights are 0 or more, and not both 0")

    def rank(
        self, candidates: Candidates, evidence: Evidence, *, meaning_alone: bool
    ) -> tuple[Values, Sequence[float], Sequence[float]]:
        """Return for each candidate the values of its signals, its score, and the same as how likely it answers."""
        near, reach = evidence.near, REACH * max(evidence.mass, 1e-9)
        values = np.zeros((len(candidates.ones), 2))
        for row, one in zip(values, candidates.ones, strict=True):
            question, passage = near.questions.get(one.number), near.passages.get(one.number)
            row[0] = 0.0 if meaning_alone else min(1.0, one.words / reach)
            row[1] = max(
                0.0 if question is None else near.scales.questions.relevance(question),
                0.0 if passage is None else near.scales.passages.relevance(passage.similarity),
            )
        weights = np.array([0.0 if meaning_alone else self.words, self.meaning if near.known else 0.0])
        if not weights.any():
            weights = np.array([0.0, 1.0]) if meaning_alone else np.array([1.0, 0.0])
        scores: list[float] = (values @ (weights / weights.sum())).tolist()
        return values, scores, scores
