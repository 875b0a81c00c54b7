"""The order of hits: priors for the pool of candidates, the ranking itself, and law types in their order."""

from collections import Counter
from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from lovsvar_contracts.law import LAW_TYPE_ORDER, InForce, LawType, ProvisionKind
from lovsvar_search.core.relevance import Ranker
from lovsvar_search.core.signals import SIGNALS, Candidate, Candidates, Evidence, Values, measure

LAW = 1.25
"""Questions are answered by acts more often than by regulations: more of their provisions become candidates."""

IN_FORCE = {InForce.YES: 1.0, InForce.UNKNOWN: 0.9, InForce.NOT_YET: 0.5, InForce.REPEALED: 0.4}

KIND = {ProvisionKind.PROVISION: 1.0, ProvisionKind.PREAMBLE: 0.7, ProvisionKind.ANNEX: 0.7, ProvisionKind.TEXT: 0.7}

RELEVANT = 0.5
"""The share of the best hit's probability from which a hit counts as relevant."""

PINNED = 100.0
"""What a provision that the query names has on top."""

NOTHING: Values = np.zeros(len(SIGNALS))

OUTRIGHT = "named outright"
"""What is added to a score for what the query names, beside the signals."""


class Scored(NamedTuple):
    """A candidate with its score, how likely it answers, the values of its signals, and what its name alone adds.

    What follows the ranked candidates by words alone has no probability.
    """

    score: float
    candidate: Candidate
    probability: float | None = None
    values: Values = NOTHING
    outright: float = 0.0

    @property
    def parts(self) -> Mapping[str, float]:
        """What the score comes from, by name."""
        return dict(zip(SIGNALS, self.values.tolist(), strict=True)) | {OUTRIGHT: self.outright}

    @property
    def law_type(self) -> LawType:
        """The candidate's law type."""
        return self.candidate.law_type


def prior(law_type: LawType, in_force: InForce, kind: ProvisionKind) -> float:
    """Return what a section's score is multiplied by before the words of a query are known; at most 1.25."""
    return (LAW if law_type is LawType.LOV else 1.0) * IN_FORCE[in_force] * KIND[kind]


def lifted(candidate: Candidate, score: float) -> Scored:
    """Return a candidate with a score that it has by its number alone, of which no probability is known."""
    return Scored(score, candidate, None, NOTHING, score)


def rank(candidates: Candidates, evidence: Evidence, ranker: Ranker, without: Sequence[str] = ()) -> list[Scored]:
    """Return the candidates with their scores, best first; equals are in the order of their numbers.

    Signals that are named in `without` count as nothing.
    """
    values = measure(candidates, evidence)
    values[:, [SIGNALS.index(name) for name in without]] = 0.0
    scored = []
    for one, row, score, chance in zip(candidates.ones, values, *ranker.rank(values), strict=True):
        if one.number in evidence.sections:
            scored.append(Scored(score + PINNED, one, 1.0, row, PINNED))
        else:
            scored.append(Scored(score, one, chance, row))
    # Sorting keeps equals in the order they had.
    scored.sort(key=itemgetter(0), reverse=True)
    return scored


def types_to_search(best_first: Sequence[Scored], page_size: int) -> tuple[LawType, ...]:
    """Return the law types that fill the answer when the asker named none.

    They are taken in their order up to the first that gives `max(3, page_size // 2)` relevant hits, or all
    when none does. A hit is relevant from `RELEVANT` of the best one's probability over all types, so that a regulation
    that plainly answers is never hidden behind acts that share a word with the question. The types of the best hit, of
    the best by words, and of what the query names outright are always searched; the last are no measure of the others.
    """
    others = [hit for hit in best_first if hit.score < PINNED / 2]
    if not others:
        return LAW_TYPE_ORDER
    by_words = max(others, key=lambda hit: hit.candidate.words)
    named = (hit.law_type for hit in best_first if hit.score >= PINNED / 2)
    needed = {others[0].law_type, by_words.law_type, *named}
    enough = max(3, page_size // 2)
    bar = RELEVANT * (others[0].probability or 0.0)
    relevant = Counter(hit.law_type for hit in others if (hit.probability or 0.0) >= bar)
    for index, law_type in enumerate(LAW_TYPE_ORDER):
        searched = LAW_TYPE_ORDER[: index + 1]
        if relevant[law_type] >= enough and needed.issubset(searched):
            return searched
    return LAW_TYPE_ORDER
