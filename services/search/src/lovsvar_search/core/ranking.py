"""Priors, and law types in their order."""

from collections import Counter
from collections.abc import Sequence
from typing import Protocol

from lovsvar_contracts.law import LAW_TYPE_ORDER, InForce, LawType, ProvisionKind

LAW = 1.25
"""Questions are answered by acts more often than by regulations (measured on labelled questions)."""

IN_FORCE = {InForce.YES: 1.0, InForce.UNKNOWN: 0.9, InForce.NOT_YET: 0.5, InForce.REPEALED: 0.4}

KIND = {ProvisionKind.PROVISION: 1.0, ProvisionKind.PREAMBLE: 0.7, ProvisionKind.ANNEX: 0.7, ProvisionKind.TEXT: 0.7}

RELEVANT = 0.85
"""The share of the best score from which a hit counts as relevant."""

NAMED_ACT = 10.0
"""What a provision of an act that the query names has on top: the rest of the words search inside that act."""

PINNED = 100.0
"""What a provision that the query names has on top."""


class Ranked(Protocol):
    """A hit's score and law type, all that the order of law types looks at."""

    @property
    def score(self) -> float:
        """Compares hits of one query."""

    @property
    def law_type(self) -> LawType:
        """Of the document."""


def prior(law_type: LawType, in_force: InForce, kind: ProvisionKind) -> float:
    """Return what a section's score is multiplied by before the words of a query are known; at most 1.25."""
    return (LAW if law_type is LawType.LOV else 1.0) * IN_FORCE[in_force] * KIND[kind]


def types_to_search(best_first: Sequence[Ranked], page_size: int) -> tuple[LawType, ...]:
    """Return the law types that fill the answer when the asker named none.

    They are taken in their order up to the first that gives `max(3, page_size // 2)` relevant hits, or all
    when none does. A hit is relevant from `RELEVANT` of the best score over all types, so that a regulation
    that plainly answers is never hidden behind acts that share a word with the question, and the type of the
    best hit is always searched. Provisions that the query names outright are no measure of the others, but their
    types are always searched too.
    """
    by_words = [hit for hit in best_first if hit.score < PINNED]
    if not by_words:
        return LAW_TYPE_ORDER
    needed = {by_words[0].law_type, *(hit.law_type for hit in best_first if hit.score >= PINNED)}
    enough = max(3, page_size // 2)
    bar = RELEVANT * by_words[0].score
    relevant = Counter(hit.law_type for hit in by_words if hit.score >= bar)
    for index, law_type in enumerate(LAW_TYPE_ORDER):
        searched = LAW_TYPE_ORDER[: index + 1]
        if relevant[law_type] >= enough and needed.issubset(searched):
            return searched
    return LAW_TYPE_ORDER
