"""Priors of provisions, and law types in their order."""

from collections import Counter
from collections.abc import Sequence

from lovsvar_contracts.law import LAW_TYPE_ORDER, InForce, LawType, ProvisionKind
from lovsvar_search.core.retrieval.candidates import PINNED, Scored

LAW = 1.25
"""Questions are answered by acts more often than by regulations: more of their provisions become candidates."""

IN_FORCE = {InForce.YES: 1.0, InForce.UNKNOWN: 0.9, InForce.NOT_YET: 0.5, InForce.REPEALED: 0.4}

KIND = {ProvisionKind.PROVISION: 1.0, ProvisionKind.PREAMBLE: 0.7, ProvisionKind.ANNEX: 0.7, ProvisionKind.TEXT: 0.7}

RELEVANT = 0.5
"""The share of the best hit's probability from which a hit counts as relevant."""


def prior(law_type: LawType, in_force: InForce, kind: ProvisionKind) -> float:
    """Return what a section's score is multiplied by before the words of a query are known; at most 1.25."""
    return (LAW if law_type is LawType.LOV else 1.0) * IN_FORCE[in_force] * KIND[kind]


def law_type_of(hit: Scored) -> LawType:
    """Return a hit's law type."""
    return LAW_TYPE_ORDER[hit.candidate.tier]


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
    named = (law_type_of(hit) for hit in best_first if hit.score >= PINNED / 2)
    needed = {law_type_of(others[0]), law_type_of(by_words), *named}
    enough = max(3, page_size // 2)
    bar = RELEVANT * (others[0].probability or 0.0)
    relevant = Counter(law_type_of(hit) for hit in others if (hit.probability or 0.0) >= bar)
    for index, law_type in enumerate(LAW_TYPE_ORDER):
        searched = LAW_TYPE_ORDER[: index + 1]
        if relevant[law_type] >= enough and needed.issubset(searched):
            return searched
    return LAW_TYPE_ORDER
