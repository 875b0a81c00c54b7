"""A rank profile for which nothing is learnt: the convex combination of calibrated scores by words and by meaning."""

from collections.abc import Sequence

import numpy as np

from lovsvar_search.core.retrieval.candidates import REACH, Candidates, Evidence, Values
from lovsvar_search.core.retrieval.collection import RankProfile


def convex_profile(words: float = 0.7, meaning: float = 0.3, floor: float = 0.1, answers: float = 0.5) -> RankProfile:
    """Return the profile of two weights, of which only the proportion counts. Raises `ValueError` for none.

    Words are the share of what BM25 can give for the query, meaning is relevance on the scale of the embedding model;
    both go from 0 to 1, and their combination is taken for the probability. Without vectors words count alone, and the
    other way round when meaning alone is asked for.
    """
    if min(words, meaning) < 0.0 or words + meaning <= 0.0:
        raise ValueError(f"{words}, {meaning}: weights are 0 or more, and not both 0")

    def rank(
        candidates: Candidates, evidence: Evidence, meaning_alone: bool
    ) -> tuple[Values, Sequence[float], Sequence[float]]:
        near, reach = evidence.near, REACH * evidence.mass
        values = np.zeros((len(candidates.ones), 2))
        for row, one in zip(values, candidates.ones, strict=True):
            question, passage = near.questions.get(one.number), near.passages.get(one.number)
            row[0] = min(1.0, one.words / reach)
            row[1] = max(
                0.0 if question is None else near.scales.questions.relevance(question),
                0.0 if passage is None else near.scales.passages.relevance(passage.similarity),
            )
        share = 1.0 if meaning_alone else meaning / (words + meaning) if near.known else 0.0
        scores: list[float] = (values @ (1.0 - share, share)).tolist()
        return values, scores, scores

    return RankProfile(("words", "meaning"), rank, floor, answers)
