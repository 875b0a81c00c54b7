"""What may answer a question, what is known of it, and the order of hits."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lovsvar_search.core.retrieval.vector_search import Near

Values = NDArray[np.float64]

REACH = 2.2
"""What BM25 gives at most for a word, as a multiple of its inverse document frequency: k1 + 1."""

PINNED = 100.0
"""What is added to the score of an item that the query names."""

OUTRIGHT = "named outright"
"""The name of that part of a score."""


class Candidate(NamedTuple):
    """An item that may answer. `number` and `group` are place numbers, `tier` is its class.

    `words` is its BM25 score, 0.0 where it was found otherwise; `matches` is whether it has a word of the query all the
    same. `address` means something to the index that found it alone.
    """

    number: int
    group: int
    tier: int
    words: float
    matches: bool
    address: object


@dataclass(frozen=True, slots=True)
class Candidates:
    """Items that may answer, in the order of their numbers.

    `columns` holds the collection's columns for them. `covers` holds a row for each: how much of a query's own words,
    from 0 to 1 by weight, is in each of the collection's covered fields, and at last the share of the query's pairs of
    words that are in the item as they are in the query.
    """

    ones: Sequence[Candidate] = ()
    columns: Mapping[str, Sequence[int]] = field(default_factory=dict)
    covers: Values = field(default_factory=lambda: np.zeros((0, 0)))


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known of candidates besides their own words, by the number of the item, part or group.

    `mass` is the weight of the query's own words, `asked` and `pairs` how many words and pairs it has, `asks_field`
    whether it asks for one field, and `scale` what weights and scores of words are multiplied by to be those of a
    corpus of `RankProfile.learnt_on` items: in a small one no word is rare. `questions` and `headlines` hold BM25
    scores, `topics` the shares of the mass that the topics of groups and parts hold. `groups` and `items` are what the
    query names.
    """

    mass: float = 1.0
    asked: int = 0
    pairs: int = 0
    asks_field: bool = False
    scale: float = 1.0
    headlines: Mapping[int, float] = field(default_factory=dict)
    questions: Mapping[int, float] = field(default_factory=dict)
    topics: Mapping[int, float] = field(default_factory=dict)
    near: Near = field(default_factory=Near)
    groups: frozenset[int] = frozenset()
    items: frozenset[int] = frozenset()


class Scored(NamedTuple):
    """A candidate with its score, how likely it answers, the values of its signals, and what its name alone adds.

    What follows the ranked candidates by words alone has no probability.
    """

    score: float
    candidate: Candidate
    probability: float | None = None
    values: Sequence[float] = ()
    outright: float = 0.0

    def parts(self, signals: Sequence[str]) -> Mapping[str, float]:
        """Return what the score comes from, by name."""
        values = map(float, self.values if len(self.values) else [0.0] * len(signals))
        return dict(zip(signals, values, strict=True)) | {OUTRIGHT: self.outright}


def in_order(
    candidates: Candidates, named: frozenset[int], values: Values, scores: Sequence[float], chances: Sequence[float]
) -> list[Scored]:
    """Return the candidates with their scores, best first, what is `named` before all; equals stay in their order."""
    scored = []
    for one, row, score, chance in zip(candidates.ones, values, scores, chances, strict=True):
        if one.number in named:
            scored.append(Scored(score + PINNED, one, 1.0, row, PINNED))
        else:
            scored.append(Scored(score, one, chance, row))
    scored.sort(key=itemgetter(0), reverse=True)
    return scored
