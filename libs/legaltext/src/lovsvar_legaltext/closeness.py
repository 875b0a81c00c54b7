"""How much two sentences, or two clauses, are about the same: the stems that they share."""

from collections.abc import Sequence
from functools import lru_cache

from lovsvar_legaltext.stances import Sentence

ALIGNED = 0.5
"""Share of a clause's stems from which another is taken to be about the same."""

CLOSE = 0.7
"""Share of stems from which a sentence is compared alone."""

MOSTLY = 0.6
"""Share of a clause's stems from which another says the same or its opposite."""

COPIED = 0.85
"""Share of stems from which a sentence is another in the same words."""

FEW = 4
"""Stems of the shortest sentence that is compared by counting."""

_PLAUSIBLE = 0.6
"""Share of the nearest sentence's stems from which another may be meant."""

_PART = 5
"""Letters of a stem that may be the beginning or the end of a compound."""


@lru_cache(maxsize=65_536)
def overlap(one: frozenset[str], other: frozenset[str]) -> int:
    """Return how many stems of `one` are in `other`, also as a part of a compound."""
    shared = one & other
    left = [stem for stem in one - shared if len(stem) >= _PART]
    long = [stem for stem in other if len(stem) >= _PART] if left else []
    return len(shared) + sum(any(_is_part(a, b) for b in long) for a in left)


def _is_part(one: str, other: str) -> bool:
    return one.startswith(other) or other.startswith(one) or one.endswith(other) or other.endswith(one)


def plausible(said: Sentence, near: Sequence[Sentence]) -> list[Sentence]:
    """Return the sentences that `said` may be about: the nearest, and those nearly as near."""
    shared = {sentence: overlap(said.about, sentence.about) for sentence in near}
    best = max(shared.values(), default=0)
    least = best - 1 if best >= COPIED * len(said.about) else _PLAUSIBLE * best
    return [sentence for sentence, count in shared.items() if count >= max(least, 1)]
