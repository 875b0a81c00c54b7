"""Which of the provisions found answer the question, if any.

A provision that the question names does. Else search decides: it says how likely each hit answers, and whether the
best one is likely enough to answer with, by a bound that is chosen from labelled questions. Hits that come close to
the best are quoted with it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from lovsvar_agent.core.passages import Reading
from lovsvar_contracts.law import InForce
from lovsvar_contracts.search import ProvisionHit, ProvisionHits

MAX_CHOSEN = 3

BESIDE = 0.6
"""A further hit answers when its probability is at least this share of the best's."""

SURE = 0.9
"""Probability from which an answer is sure: it needs no more words, and holds for what is set abroad."""

NOT_LAW = frozenset({InForce.NOT_YET, InForce.REPEALED})
"""What is quoted only where it is the best: a reader takes whatever else is quoted for law."""

_NOT_YET = 0.5


@dataclass(frozen=True)
class Candidate:
    """A provision that was read, with the `probability` that it answers; 0 when search does not say.

    `answers` is true when a search finds that likely enough (`likely_enough`), `named` when the question names the
    provision itself.
    """

    reading: Reading
    probability: float = 0.0
    answers: bool = False
    named: bool = False

    @property
    def standing(self) -> float:
        """The probability; what is not in force yet counts half."""
        return self.probability * (_NOT_YET if self.reading.provision.in_force is InForce.NOT_YET else 1.0)


@dataclass(frozen=True)
class Decision:
    """The provisions that answer, best first, and the nearest of those that do not."""

    chosen: tuple[Candidate, ...]
    nearest: tuple[Candidate, ...]


def likely_enough(found: ProvisionHits) -> tuple[ProvisionHit, ...]:
    """Return the hits to answer with: none unless the reply says `answers`, and only those close to the best of all."""
    if not found.answers or found.probability is None:
        return ()
    enough = BESIDE * found.probability
    return tuple(hit for hit in found.hits if hit.probability is not None and hit.probability >= enough)


def decide(candidates: Sequence[Candidate], enough: float = 0.0) -> Decision:
    """Return which candidates answer.

    Those that the question names always do, and alone. Else the best that a search finds likely enough does, if its
    standing is at least `enough`, and with it the others that search finds likely enough and that are in force.
    """
    ranked = sorted(candidates, key=lambda c: (c.named, c.standing), reverse=True)
    chosen = [c for c in ranked if c.named] or _likely(ranked, enough)
    chosen = chosen[:MAX_CHOSEN]
    return Decision(tuple(chosen), tuple(c for c in ranked if c not in chosen)[:MAX_CHOSEN])


def _likely(ranked: Sequence[Candidate], enough: float) -> list[Candidate]:
    answering = [c for c in ranked if c.answers and c.reading.passages]
    if not answering or answering[0].standing < enough:
        return []
    best, *others = answering
    return [best, *(c for c in others if c.reading.provision.in_force not in NOT_LAW)]
