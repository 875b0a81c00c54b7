"""Which of the provisions found answer the question, if any.

A search always finds something. Whether it answers is decided by how much of what is asked stands in the
provision: the share of the question's words that it holds (long words say more, and those that nothing
found holds say most), whether one passage holds them together, whether its own heading names the topic, and
how its score compares with the best. The numbers were chosen on labelled questions and on nonsense.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from lovsvar_agent.core.quoting import Reading
from lovsvar_contracts.law import InForce

MAX_CHOSEN = 3
ENOUGH = 0.7
"""Share of the question's words, by weight, that an answer holds at least."""

ENOUGH_BESIDE_HEADING = 0.51
"""The share that is enough when the provision's own heading names part of the topic."""

ENOUGH_WORDS = 0.6
"""Share of the question's words, by number, that an answer holds at least."""

_LONG = 10
_UNHELD = 1.5

_NEXT = 0.85
"""A further provision is quoted when it ranks at least this share of the best."""

_NOT_IN_FORCE = 0.5


@dataclass(frozen=True)
class Candidate:
    """A provision that was read, with its search score as a share of the best (0 to 1).

    `named` is true when the question names the provision itself, `preferred` when it names its act.
    """

    reading: Reading
    score: float
    named: bool = False
    preferred: bool = False


@dataclass(frozen=True)
class Decision:
    """The provisions that answer, best first, and the nearest of those that do not."""

    chosen: tuple[Candidate, ...]
    nearest: tuple[Candidate, ...]


def decide(candidates: Sequence[Candidate], stems: Iterable[str]) -> Decision:
    """Return which candidates answer a question that has `stems`.

    A provision that the question names always does. Without words there is nothing else to go by.
    """
    weights = importance([c.reading for c in candidates], stems)
    ranks = {id(c): (c.named, rank(c, weights)) for c in candidates}
    ranked = sorted(candidates, key=lambda c: ranks[id(c)], reverse=True)
    chosen = [c for c in ranked if c.named]
    if not chosen:
        fitting = [c for c in ranked if answers(c, weights)]
        chosen = [c for c in fitting if ranks[id(c)][1] >= _NEXT * ranks[id(fitting[0])][1]]
    chosen = chosen[:MAX_CHOSEN]
    return Decision(tuple(chosen), tuple(c for c in ranked if c not in chosen)[:MAX_CHOSEN])


def importance(readings: Sequence[Reading], stems: Iterable[str]) -> dict[str, float]:
    """Return how much each of the question's words says: longer ones more, and those that nothing holds most."""
    held = {word for reading in readings for word in reading.matched}
    return {s: min(len(s), _LONG) * (1.0 if s in held else _UNHELD) for s in stems}


def rank(candidate: Candidate, weights: Mapping[str, float]) -> float:
    """Return how well a candidate answers, from 0 to about 1.5; what is not in force counts half."""
    reading = candidate.reading
    value = 0.4 * candidate.score + 0.3 * coverage(reading.matched, weights)
    value += 0.3 * max((coverage(found, weights) for found in reading.matches), default=0.0)
    value += 0.2 * coverage(reading.heading, weights)
    if candidate.preferred:
        value += 0.3
    return value * (_NOT_IN_FORCE if reading.provision.in_force is InForce.NOT_YET else 1.0)


def answers(candidate: Candidate, weights: Mapping[str, float]) -> bool:
    """Whether enough of what is asked stands in the provision."""
    if not weights or not candidate.reading.passages:
        return False
    matched = candidate.reading.matched
    enough = ENOUGH_BESIDE_HEADING if candidate.reading.heading else ENOUGH
    return coverage(matched, weights) >= enough and len(matched) >= ENOUGH_WORDS * len(weights)


def coverage(matched: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """Return the share of the question's weight that `matched` words carry."""
    total = sum(weights.values())
    return sum(worth * weights.get(word, 0.0) for word, worth in matched.items()) / total if total else 0.0
