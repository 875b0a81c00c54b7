"""Whether a sentence about the law agrees with the sentences that it is said to follow from.

Paraphrase is normal, so only what a program can tell to be a contradiction is one: another number, another force over
the same verb, a denial where the law affirms, an affirmation where it denies, a condition left out.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from lovsvar_legaltext.clauses import Role
from lovsvar_legaltext.modality import Force, forces
from lovsvar_legaltext.sentences import sentence_spans
from lovsvar_legaltext.stances import Event, Sentence, Stance, read_sentence


class Disagreement(StrEnum):
    """How a sentence differs from the law."""

    NEGATION = "negation"
    MODALITY = "modality"


ALIGNED = 0.5
"""Share of a clause's stems from which another is taken to be about the same."""

NEAREST = 2
"""Sentences of a provision that are compared besides those quoted."""


@dataclass(frozen=True)
class Law:
    """What a statement is held to: `quoted` are the sentences that its quotes are of, `others` those around them."""

    quoted: tuple[Sentence, ...]
    others: tuple[Sentence, ...] = ()


def law(quoted: Iterable[str], texts: Iterable[str] = ()) -> Law:
    """Return whole quoted sentences, and the sentences of the provisions that they are from."""
    first = tuple(read_sentence(s) for s in dict.fromkeys(quoted))
    known = {sentence.text for sentence in first}
    others = (s for text in texts for s in sentences(text))
    return Law(first, tuple(read_sentence(s) for s in dict.fromkeys(others) if s not in known))


def sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of a provision; an item of a list comes with the words before its list."""
    found: list[str] = []
    lead = ""
    for line in text.split("\n"):
        parts = [line[start:end] for start, end in sentence_spans(line, 0, len(line))]
        if not parts:
            continue
        is_item = bool(_LABEL.match(line))
        if is_item and lead:
            parts[0] = f"{lead} {parts[0][_LABEL.match(line).end() :]}"
        found += parts
        if not is_item:
            lead = parts[-1].rstrip(":") if len(line) < _LONGEST_LEAD * 2 else ""
            lead = lead if line.rstrip().endswith((":", " når", " dersom", " hvis", " å", " om", " som", " at")) else ""
    return tuple(found)


_LABEL = re.compile(r"(?:\([a-zæøå0-9]{1,3}\)|[a-zæøå]{1,2}[.)]|\d{1,2}[.)]|[ivx]{1,4}[.)]|[-–—•])\s+")
_LONGEST_LEAD = 300


def disagreement(claim: str, held_to: Law) -> Disagreement | None:
    """Return how `claim`, one sentence, contradicts the law that it is held to; None when nothing shows that it does."""
    said = read_sentence(claim)
    near = _near(said, held_to)
    if not near:
        return None
    return _of_verbs(said, near) or _of_clauses(said, near) or _of_whole(said, near, held_to)


def overlap(one: frozenset[str], other: frozenset[str]) -> int:
    """Return how many stems of `one` are in `other`, also as a part of a compound."""
    return sum(any(_meets(a, b) for b in other) for a in one)


def _meets(one: str, other: str) -> bool:
    if one == other:
        return True
    short, long = sorted((one, other), key=len)
    return len(short) >= 5 and (long.startswith(short) or long.endswith(short))


def _near(said: Sentence, held_to: Law) -> tuple[Sentence, ...]:
    """Return the quoted sentences, and those of their provisions that are most about the same."""
    ranked = sorted(held_to.others, key=lambda s: -overlap(said.about, s.about))[:NEAREST]
    return (*held_to.quoted, *(s for s in ranked if overlap(said.about, s.about) >= max(2, len(said.about) // 2)))


def _of_verbs(said: Sentence, near: Sequence[Sentence]) -> Disagreement | None:
    """Compare what both do with the same verb."""
    for stance in said.stances:
        for event in stance.events:
            same = [
                (sentence, other)
                for sentence in near
                for theirs in sentence.stances
                for other in theirs.events
                if event.verbs & other.verbs
                and (role_alike(event, other))
                and overlap(stance.about - event.verbs, sentence.about - event.verbs) >= (2 if event.is_light else 1)
            ]
            if same and not any(_agree(event, other, said, sentence) for sentence, other in same):
                alike = any(other.denied == event.denied for _, other in same)
                return Disagreement.MODALITY if alike else Disagreement.NEGATION
    return None


def role_alike(one: Event, other: Event) -> bool:
    """Whether both are in a main clause, or neither is."""
    return (one.role is Role.MAIN) == (other.role is Role.MAIN)


def _agree(event: Event, other: Event, said: Sentence, sentence: Sentence) -> bool:
    if event.denied != other.denied:
        return said.limited and sentence.limited and _excepts(said if event.denied is False else sentence)
    if event.force == other.force or event.denied:
        return True
    if Force.ENTITLE in (event.force, other.force):
        return True
    # What may be done only in some case must be so to be done: "kan bare deles ut når det er …" and "må være".
    return event.force is Force.OBLIGE and bool(_ONLY.search(sentence.text))


def _excepts(sentence: Sentence) -> bool:
    """Whether a sentence holds in some cases only."""
    return any(s.role in (Role.CONDITION, Role.EXCEPTION) for s in sentence.stances) or bool(
        _ONLY.search(sentence.text)
    )


_ONLY = re.compile(
    r"\b(?:bare|berre|kun|uten|utan|only|without|først|fyrst|unntatt|unntak|med samtykke)\b", re.IGNORECASE
)


def _of_clauses(said: Sentence, near: Sequence[Sentence]) -> Disagreement | None:
    """Compare clauses about the same in which no force meets: "loven gjelder ikke"."""
    for stance in said.stances:
        if stance.events or len(stance.about) < 2:
            continue
        ranked = [
            (overlap(stance.about, theirs.about), -len(theirs.about), sentence, theirs)
            for sentence in near
            for theirs in sentence.stances
        ]
        best = max(ranked, key=lambda r: r[:2], default=None)
        if best is None or best[0] < max(2, ALIGNED * len(stance.about)):
            continue
        _, _, sentence, theirs = best
        if stance.negative != theirs.negative and not _either_way(said, stance, sentence, theirs):
            return Disagreement.NEGATION
    return None


def _either_way(said: Sentence, stance: Stance, sentence: Sentence, theirs: Stance) -> bool:
    """Whether a denial may be the same thing said otherwise."""
    if stance.negative:
        return sentence.limited
    return said.limited


def _of_whole(said: Sentence, near: Sequence[Sentence], held_to: Law) -> Disagreement | None:
    """Compare whole sentences by the words of force and denial in them, where no clauses could be compared."""
    closest = max(near, key=lambda s: (overlap(said.about, s.about), s in held_to.quoted))
    aligned = overlap(said.about, closest.about) >= max(2, ALIGNED * len(said.about))
    foreign = not aligned and all(not overlap(said.about, s.about) for s in held_to.quoted)
    if not (aligned or foreign):
        return None
    denies = all(s.negative for s in said.main)
    if denies and not any(s.limited for s in near):
        return Disagreement.NEGATION
    compared = held_to.quoted if foreign else (closest,)
    if not said.limited and all(s.negative for sentence in compared for s in sentence.main):
        return Disagreement.NEGATION
    ours, theirs = forces(said.text), frozenset().union(*(forces(s.text) for s in compared))
    if len(ours) == len(theirs) == 1 and ours | theirs == {Force.PERMIT, Force.OBLIGE}:
        either = any(_entitles(s) or _ONLY.search(s.text) for s in (said, *compared))
        return None if either else Disagreement.MODALITY
    return None


def _entitles(sentence: Sentence) -> bool:
    return any(event.force is Force.ENTITLE for event in sentence.events)
