"""Whether a sentence about the law agrees with the sentences that it is said to follow from.

Paraphrase is normal, so only what a program can tell to be a contradiction is one: another number, another force over
the same verb, a denial where the law affirms, an affirmation where it denies, a condition left out.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from lovsvar_legaltext.bounds import denies_more
from lovsvar_legaltext.clauses import Role
from lovsvar_legaltext.closeness import ALIGNED, CLOSE, COPIED, FEW, MOSTLY, overlap, plausible
from lovsvar_legaltext.denials import clauses_differ, conditions_differ, denials, denials_differ
from lovsvar_legaltext.equivalents import DENIAL, say_the_same, says_otherwise
from lovsvar_legaltext.modality import Force, forces
from lovsvar_legaltext.sentences import sentence_spans
from lovsvar_legaltext.stances import DENYING, Event, Sentence, Stance, about, read_sentence


class Disagreement(StrEnum):
    """How a sentence differs from the law."""

    NEGATION = "negation"
    MODALITY = "modality"


NEAREST = 2
"""Sentences of a provision that are compared besides those quoted."""


@dataclass(frozen=True)
class Law:
    """What a statement is held to: `quoted` are the sentences that its quotes are of, `others` those around them."""

    quoted: tuple[Sentence, ...]
    others: tuple[str, ...] = ()


def law(quoted: Iterable[str], texts: Iterable[str] = ()) -> Law:
    """Return whole quoted sentences, and the sentences of the provisions that they are from."""
    first = dict.fromkeys(quoted)
    others = dict.fromkeys(s for text in texts for s in sentences(text))
    return Law(tuple(map(read_sentence, first)), tuple(s for s in others if s not in first))


def sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of a provision; an item of a list comes with the words before its list."""
    found: list[str] = []
    lead = ""
    for line in (_LEDD.sub("", line) for line in text.split("\n")):
        parts = [line[start:end] for start, end in sentence_spans(line, 0, len(line))]
        if not parts:
            continue
        label = _LABEL.match(line)
        if label and lead:
            parts[0] = f"{lead} {parts[0][label.end() :]}"
        found += parts
        if not label:
            lead = parts[-1].rstrip(":") if len(line) < _LONGEST_LEAD * 2 else ""
            lead = lead if line.rstrip().endswith((":", " når", " dersom", " hvis", " å", " om", " som", " at")) else ""
    return tuple(found)


_LEDD = re.compile(r"^\(\d+\s?[a-z]?\)\s+")
_LABEL = re.compile(r"(?:\([a-zæøå0-9]{1,3}\)|[a-zæøå]{1,2}[.)]|\d{1,2}[.)]|[ivx]{1,4}[.)]|[-–—•])\s+")
_LONGEST_LEAD = 300


def disagreement(claim: str, held_to: Law) -> Disagreement | None:
    """Return how `claim`, one sentence, contradicts the law it is held to; None when nothing shows that it does."""
    said = read_sentence(claim)
    near = _near(said, held_to)
    if not near:
        return None
    return (
        _of_copies(said, near)
        or _of_verbs(said, near, held_to)
        or _of_denials(said, near)
        or _of_whole(said, near, held_to)
    )


def _near(said: Sentence, held_to: Law) -> tuple[Sentence, ...]:
    """Return the quoted sentences, and those of their provisions that are most about the same."""
    shared = ((overlap(said.about, about(text)), text) for text in held_to.others)
    near = sorted((s for s in shared if s[0] >= max(2, len(said.about) // 2)), key=lambda s: -s[0])[:NEAREST]
    return (*held_to.quoted, *(read_sentence(text) for _, text in near))


def _of_verbs(said: Sentence, near: Sequence[Sentence], held_to: Law) -> Disagreement | None:
    """Compare what both do with the same verb."""
    for stance in said.stances:
        for event in stance.events:
            stems = stance.about - event.verbs or said.about - event.verbs
            least = max(2 if event.is_light else 1, ALIGNED * len(stems))
            same = [
                (sentence, other)
                for sentence in near
                for other in sentence.events
                if event.verbs & other.verbs
                and _role_alike(event, other)
                and (_is_copy(said, sentence) or _is_aligned(said, sentence) or overlap(stems, sentence.about) >= least)
            ]
            # A verb that says little is often that of a sentence about something else.
            best = plausible(said, near if event.is_light else [sentence for sentence, _ in same])
            same = [(sentence, other) for sentence, other in same if sentence in best]
            if not same or any(_agree(event, other, said, sentence) for sentence, other in same):
                continue
            if not _is_said_elsewhere(event, stems, held_to):
                if not any(other.denied == event.denied for _, other in same):
                    return Disagreement.NEGATION
                if not _permits_and_obliges(said):
                    return Disagreement.MODALITY
    return None


def _is_said_elsewhere(event: Event, stems: frozenset[str], held_to: Law) -> bool:
    """Whether any sentence of the provisions does just that with the verb, about something that is said too."""
    return any(
        event.verbs & other.verbs and (event.force, event.denied) == (other.force, other.denied)
        for text in held_to.others
        if overlap(stems, about(text))
        for other in read_sentence(text).events
    )


def _permits_and_obliges(sentence: Sentence) -> bool:
    """Whether a sentence does both: which of them the law does of what, cannot be told."""
    return {Force.PERMIT, Force.OBLIGE} <= {event.force for event in sentence.events}


def _is_copy(said: Sentence, sentence: Sentence) -> bool:
    return len(said.about) >= FEW and overlap(said.about, sentence.about) >= COPIED * len(said.about)


def _is_aligned(said: Sentence, sentence: Sentence) -> bool:
    return overlap(said.about, sentence.about) >= max(FEW - 1, ALIGNED * len(said.about))


def _role_alike(one: Event, other: Event) -> bool:
    """Whether both are in a main clause, or neither is."""
    return (one.role is Role.MAIN) == (other.role is Role.MAIN)


def _agree(event: Event, other: Event, said: Sentence, sentence: Sentence) -> bool:
    if event.denied != other.denied:
        # "kan holde tilbake, men ikke mer enn …" denies in a clause without a verb of its own.
        if event.denied and any(s.role is Role.MAIN and s.denied and not s.events for s in sentence.stances):
            return True
        return says_otherwise(*((said, sentence) if event.denied else (sentence, said)))
    if event.force == other.force or event.denied:
        return True
    if Force.ENTITLE in (event.force, other.force):
        return True
    # What may be done only in some case must be so to be done: "kan bare deles ut når det er …" and "må være".
    return event.force is Force.OBLIGE and bool(_MAY_ONLY.search(sentence.text))


def _cases(sentence: Sentence) -> int:
    """Return how often a sentence says that something is so in some case only."""
    return len(_IN_SOME_CASE.findall(sentence.text))


_IN_SOME_CASE = re.compile(r"\b(?:bare|berre|kun|only|først|fyrst)\b", re.IGNORECASE)
_MAY_ONLY = re.compile(
    r"\b(?:kan|may|can)\s+(?:\w+\s+){0,3}?(?:bare|berre|kun|only|først|fyrst)\b|^\W*(?:bare|berre|kun|only)\b",
    re.IGNORECASE,
)
_ONLY = re.compile(
    r"\b(?:bare|berre|kun|uten|utan|only|without|først|fyrst|unntatt|unntak|med samtykke)\b", re.IGNORECASE
)
_NEGATIVE = re.compile(
    rf"""\b(?: {DENYING} | \w+n't | except
      | forbudt | forbode | forbidden | prohibited | u?lov(?:lig|leg)\w* | nekt\w* | fritatt | friteken
      | slipper | slepp | ute\s+av\s+stand
      | exempt | refus\w* | avslå\w* )\b""",
    re.IGNORECASE | re.VERBOSE,
)


def _of_copies(said: Sentence, near: Sequence[Sentence]) -> Disagreement | None:
    """Count denials and words of force in sentences that have nearly the same words."""
    closest = [s for s in plausible(said, near) if overlap(said.about, s.about) >= CLOSE * len(said.about)]
    if len(said.about) < FEW or not closest:
        return None
    found = [_counted(said, one) for one in closest]
    return found[0] if all(found) else None


def _is_said_whole(sentence: Sentence, said: Sentence) -> bool:
    return overlap(sentence.about, said.about) >= COPIED * len(sentence.about)


def _counted(said: Sentence, closest: Sentence) -> Disagreement | None:
    ours, theirs = (len(_NEGATIVE.findall(s.text)) for s in (said, closest))
    whole = _is_said_whole(closest, said)
    denies = all(s.negative for s in said.main)
    # "Uten tidsgrense" for "på ubestemt tid" denies nothing; it counts only where the words are the same.
    denied = (
        len(DENIAL.findall(said.text)) > theirs
        and denies
        and not (closest.limited or denies_more(said.text, closest.text))
    )
    if denied or (whole and ours != theirs and not say_the_same(said, closest)):
        return Disagreement.NEGATION
    if not whole or ours != theirs or _cases(said) != _cases(closest):
        return None
    turned = {_count(said, force) - _count(closest, force) for force in (Force.PERMIT, Force.OBLIGE)}
    return Disagreement.MODALITY if turned == {1, -1} else None


def _count(sentence: Sentence, force: Force) -> int:
    alike = {force, Force.ENTITLE} if force is Force.PERMIT else {force}
    return sum(event.force in alike and not event.denied for event in sentence.events)


def _of_denials(said: Sentence, near: Sequence[Sentence]) -> Disagreement | None:
    """Compare what both deny: clauses, conditions, and how often."""
    differ = clauses_differ(said, near) or conditions_differ(said, near) or denials_differ(said, near)
    return Disagreement.NEGATION if differ else None


def _of_whole(said: Sentence, near: Sequence[Sentence], held_to: Law) -> Disagreement | None:
    """Compare whole sentences by the words of force and denial in them, where no clauses could be compared."""
    closest = plausible(said, near)
    best = max((overlap(said.about, s.about) for s in closest), default=0)
    aligned = best >= max(min(FEW - 1, MOSTLY * len(said.about)), ALIGNED * len(said.about), 2)
    foreign = said.english and not aligned and all(not overlap(said.about, s.about) for s in held_to.quoted)
    if not (aligned or foreign):
        return None
    close = aligned and best >= CLOSE * len(said.about)
    denies = all(s.negative for s in said.main) or (close and any(s.negative and s.events for s in said.main))
    # "Kan ikke … uten at" is no denial.
    denies = denies and denials(said.text) % 2 == 1
    if denies and not any(s.limited or denies_more(said.text, s.text) for s in (closest if aligned else near)):
        return Disagreement.NEGATION
    compared = held_to.quoted if foreign else closest
    denied = all(s.negative for sentence in compared for s in sentence.main) and (foreign or _meets(said, compared))
    if denied and not said.limited and not any(say_the_same(said, sentence) for sentence in compared):
        return Disagreement.NEGATION
    ours, theirs = forces(said.text), frozenset().union(*(forces(s.text) for s in compared))
    if close and not foreign:
        pairs = [(mine, one) for mine in _of_force(said) for s in compared for one in _of_force(s)]
        pairs = [(mine, one) for mine, one in pairs if overlap(mine.about, one.about)]
        ours, theirs = (frozenset(e.force for pair in pairs for e in pair[n].events if not e.denied) for n in (0, 1))
    if (close or foreign) and len(ours) == len(theirs) == 1 and ours | theirs == {Force.PERMIT, Force.OBLIGE}:
        either = any(_entitles(s) or _ONLY.search(s.text) for s in (said, *compared))
        return None if either else Disagreement.MODALITY
    return None


def _meets(said: Sentence, compared: Sequence[Sentence]) -> bool:
    """Whether a sentence is about what the main clauses of others are about, and not only what is said beside that."""
    return any(overlap(said.about, clause.about) for sentence in compared for clause in sentence.main)


def _of_force(sentence: Sentence) -> list[Stance]:
    """Return the main clauses that permit or demand something; what they deny is compared by itself."""
    return [clause for clause in sentence.main if any(not event.denied for event in clause.events)]


def _entitles(sentence: Sentence) -> bool:
    return any(event.force is Force.ENTITLE for event in sentence.events)
