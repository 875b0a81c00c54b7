"""Which of the provisions found answer the question, if any.

A search always finds something. Whether it answers is decided by meaning first: how near the question is to an
everyday question that the provision answers or to a passage of it. The first hit answers when it is surely
near, or likely so and either stands out among the hits or holds part of what is asked in one passage.

Where meaning does not decide, words may: the share of the question's words that the provision holds (long
words say more, and those that nothing found holds say most), whether one passage holds them together, whether
its own heading names the topic, and how its score compares with the best. A provision that is known to mean
something else does not answer, whatever its words.

The numbers for words were chosen on labelled questions and on nonsense. Those for meaning were chosen for
multilingual-e5 and its like on `benchmarks/questions`: 150 everyday questions drawn at random and asked anew in other
words, and 90 that the law does not answer. `benchmarks/extractive.py` measures them, and others by which nothing was
chosen. Lower numbers answer more, and most of that wrongly: `AHEAD` 0.9 adds 13 answers of which 5 are right, `SURE`
0.92 adds 8 of which 2 are.
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

SURE = 0.93
"""Similarity from which the first hit answers, whatever its words."""

LIKELY = 0.90
"""Similarity from which the first hit answers when something else speaks for it too, and further hits beside it."""

FAR = 0.86
"""Similarity below which a provision that holds the question's words is about something else."""

AHEAD = 0.8
"""The first hit stands out when no other scores more than this share of it."""

SITUATION = 3
"""Words that a question has at least when standing out counts: what is near of one or two words is near by chance."""

HELD_TOGETHER = 0.4
"""Share of the question's words, by weight, that speaks for the first hit when one of its passages holds them."""

_LONG = 10
_UNHELD = 1.5

_NEXT = 0.85
"""A further provision is quoted when it ranks at least this share of the best."""

_NOT_IN_FORCE = 0.5


@dataclass(frozen=True)
class Candidate:
    """A provision that was read, with its search score as a share of the best (0 to 1).

    `similarity` is the cosine of the question to what is nearest of the provision, None when it was found by
    words alone. `named` is true when the question names the provision itself, `preferred` when it names its act.
    """

    reading: Reading
    score: float
    similarity: float | None = None
    named: bool = False
    preferred: bool = False


@dataclass(frozen=True)
class Decision:
    """The provisions that answer, best first, and the nearest of those that do not."""

    chosen: tuple[Candidate, ...]
    nearest: tuple[Candidate, ...]


def decide(candidates: Sequence[Candidate], stems: Iterable[str], *, by_meaning_alone: bool = False) -> Decision:
    """Return which candidates answer a question that has `stems`.

    A provision that the question names always does. Else meaning decides, and words where it does not;
    `by_meaning_alone` only where meaning is sure. Without words there is nothing to go by.
    """
    weights = importance([c.reading for c in candidates], stems)
    ranks = {id(c): (c.named, rank(c, weights)) for c in candidates}
    ranked = sorted(candidates, key=lambda c: ranks[id(c)], reverse=True)
    chosen = [c for c in ranked if c.named]
    if not chosen:
        chosen = near_in_meaning(candidates, weights, SURE if by_meaning_alone else LIKELY)
    if not chosen and not by_meaning_alone:
        fitting = [c for c in ranked if answers(c, weights)]
        chosen = [c for c in fitting if ranks[id(c)][1] >= _NEXT * ranks[id(fitting[0])][1]]
    chosen = chosen[:MAX_CHOSEN]
    return Decision(tuple(chosen), tuple(c for c in ranked if c not in chosen)[:MAX_CHOSEN])


def near_in_meaning(
    candidates: Sequence[Candidate], weights: Mapping[str, float], enough: float = LIKELY
) -> list[Candidate]:
    """Return the first hit, if it is near enough in meaning to answer, and those that come close to it."""
    ordered = sorted((c for c in candidates if c.reading.passages), key=_standing, reverse=True)
    if not weights or not ordered or not _is_near(ordered[0], ordered[1:], weights, enough):
        return []
    first, *others = ordered
    return [first, *(c for c in others if _standing(c) >= _NEXT * _standing(first) and (c.similarity or 0.0) >= enough)]


def _is_near(first: Candidate, others: Sequence[Candidate], weights: Mapping[str, float], enough: float) -> bool:
    similarity = first.similarity or 0.0
    if similarity >= SURE or similarity < enough:
        return similarity >= SURE
    stands_out = len(weights) >= SITUATION and (not others or _standing(others[0]) <= AHEAD * _standing(first))
    return stands_out or _held_together(first, weights) >= HELD_TOGETHER


def _standing(candidate: Candidate) -> float:
    """Return a candidate's score; what is not in force counts half."""
    return candidate.score * (_NOT_IN_FORCE if candidate.reading.provision.in_force is InForce.NOT_YET else 1.0)


def _held_together(candidate: Candidate, weights: Mapping[str, float]) -> float:
    """Return the greatest share of the question's words that one passage holds."""
    return max((coverage(found, weights) for found in candidate.reading.matches), default=0.0)


def importance(readings: Sequence[Reading], stems: Iterable[str]) -> dict[str, float]:
    """Return how much each of the question's words says: longer ones more, and those that nothing holds most."""
    held = {word for reading in readings for word in reading.matched}
    return {s: min(len(s), _LONG) * (1.0 if s in held else _UNHELD) for s in stems}


def rank(candidate: Candidate, weights: Mapping[str, float]) -> float:
    """Return how well a candidate answers, from 0 to about 1.5; what is not in force counts half."""
    reading = candidate.reading
    value = 0.4 * candidate.score + 0.3 * coverage(reading.matched, weights)
    value += 0.3 * _held_together(candidate, weights)
    value += 0.2 * coverage(reading.heading, weights)
    if candidate.preferred:
        value += 0.3
    return value * (_NOT_IN_FORCE if reading.provision.in_force is InForce.NOT_YET else 1.0)


def answers(candidate: Candidate, weights: Mapping[str, float]) -> bool:
    """Whether enough of what is asked stands in the provision, and it is not known to mean something else."""
    if not weights or not candidate.reading.passages or (candidate.similarity or 1.0) < FAR:
        return False
    matched = candidate.reading.matched
    enough = ENOUGH_BESIDE_HEADING if candidate.reading.heading else ENOUGH
    return coverage(matched, weights) >= enough and len(matched) >= ENOUGH_WORDS * len(weights)


def coverage(matched: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """Return the share of the question's weight that `matched` words carry."""
    total = sum(weights.values())
    return sum(worth * weights.get(word, 0.0) for word, worth in matched.items()) / total if total else 0.0
