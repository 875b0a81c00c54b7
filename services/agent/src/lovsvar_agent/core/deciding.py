"""Which of the provisions found answer the question, if any.

A search always finds something. Whether it answers is decided by how much of what is asked stands in the
provision: the weight of the question's words that it holds (words that nothing found holds weigh most),
whether its own heading names the topic, and how its score compares with the best.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lovsvar_agent.core.quoting import Reading
from lovsvar_contracts.law import InForce

MAX_CHOSEN = 3
ENOUGH = 0.6
"""Share of the question's words, by weight and by number, that an answer holds at least."""

ENOUGH_BESIDE_HEADING = 0.51
"""The share that is enough when the provision's own heading names part of the topic."""

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


def decide(candidates: Sequence[Candidate], weights: Mapping[str, float]) -> Decision:
    """Return which candidates answer a question whose words have `weights`.

    A provision that the question names always does. Without words there is nothing else to go by.
    """
    ranked = sorted(candidates, key=lambda c: (c.named, rank(c, weights)), reverse=True)
    named = [c for c in ranked if c.named]
    fitting = [c for c in ranked if not c.named and answers(c, weights)]
    if fitting and not named:
        best = rank(fitting[0], weights)
        chosen = [c for c in fitting if rank(c, weights) >= _NEXT * best][:MAX_CHOSEN]
    else:
        chosen = named[:MAX_CHOSEN]
    return Decision(tuple(chosen), tuple(c for c in ranked if c not in chosen)[:MAX_CHOSEN])


def rank(candidate: Candidate, weights: Mapping[str, float]) -> float:
    """Return how well a candidate answers, from 0 to about 1; what is not in force counts half."""
    value = 0.5 * candidate.score + 0.3 * coverage(candidate.reading.matched, weights)
    value += 0.2 * coverage(candidate.reading.heading, weights)
    if candidate.preferred:
        value += 0.3
    return value * (_NOT_IN_FORCE if candidate.reading.provision.in_force is InForce.NOT_YET else 1.0)


def answers(candidate: Candidate, weights: Mapping[str, float]) -> bool:
    """Whether enough of what is asked stands in the provision."""
    if not weights or not candidate.reading.passages:
        return False
    matched = candidate.reading.matched
    enough = ENOUGH_BESIDE_HEADING if candidate.reading.heading else ENOUGH
    return coverage(matched, weights) >= enough and len(matched) >= enough * len(weights)


def coverage(matched: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """Return the share of the question's weight that `matched` words carry."""
    total = sum(weights.values())
    return sum(worth * weights.get(word, 0.0) for word, worth in matched.items()) / total if total else 0.0
