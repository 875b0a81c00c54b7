"""Whether a sentence about the law agrees with the sentences that it is said to follow from.

Paraphrase is normal, so only what a program can tell to be a contradiction is one: another number, another force over
the same verb, a denial where the law affirms, an affirmation where it denies, a condition left out.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from lovsvar_legaltext.bounds import denies_more
from lovsvar_legaltext.clauses import Role
from lovsvar_legaltext.equivalents import DENIAL, says_otherwise
from lovsvar_legaltext.modality import Force, forces
from lovsvar_legaltext.sentences import sentence_spans
from lovsvar_legaltext.stances import DENIALS, Event, Sentence, Stance, about, limits, read_sentence


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
    others: tuple[str, ...] = ()


def law(quoted: Iterable[str], texts: Iterable[str] = ()) -> Law:
    """Return whole quoted sentences, and the sentences of the provisions that they are from."""
    first = tuple(read_sentence(s) for s in dict.fromkeys(quoted))
    known = {sentence.text for sentence in first}
    others = (s for text in texts for s in sentences(text))
    return Law(first, tuple(s for s in dict.fromkeys(others) if s not in known))


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
        or _of_clauses(said, near)
        or _of_conditions(said, near)
        or _of_parity(said, near)
        or _of_whole(said, near, held_to)
    )


@lru_cache(maxsize=65_536)
def overlap(one: frozenset[str], other: frozenset[str]) -> int:
    """Return how many stems of `one` are in `other`, also as a part of a compound."""
    shared = one & other
    left = [stem for stem in one - shared if len(stem) >= _PART]
    long = [stem for stem in other if len(stem) >= _PART] if left else []
    return len(shared) + sum(any(_is_part(a, b) for b in long) for a in left)


_PART = 5
"""Letters of a stem that may be the beginning or the end of a compound."""


def _is_part(one: str, other: str) -> bool:
    return one.startswith(other) or other.startswith(one) or one.endswith(other) or other.endswith(one)


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
            best = _plausible(said, near if event.is_light else [sentence for sentence, _ in same])
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
    return len(said.about) >= _FEW and overlap(said.about, sentence.about) >= COPIED * len(said.about)


def _is_aligned(said: Sentence, sentence: Sentence) -> bool:
    return overlap(said.about, sentence.about) >= max(_FEW - 1, ALIGNED * len(said.about))


def _plausible(said: Sentence, near: Sequence[Sentence]) -> list[Sentence]:
    """Return the sentences that `said` may be about: the nearest, and those nearly as near."""
    shared = {sentence: overlap(said.about, sentence.about) for sentence in near}
    best = max(shared.values(), default=0)
    least = best - 1 if best >= COPIED * len(said.about) else PLAUSIBLE * best
    return [sentence for sentence, count in shared.items() if count >= max(least, 1)]


PLAUSIBLE = 0.6
"""Share of the nearest sentence's stems from which another may be meant."""


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
    rf"""\b(?: {"|".join(sorted(DENIALS))} | \w+n't | med\s+mindre | unless | uten | utan | without
      | unntatt | unnateke | except
      | forbudt | forbode | forbidden | prohibited | u?lov(?:lig|leg)\w* | nekt\w* | fritatt | friteken
      | slipper | slepp | ute\s+av\s+stand
      | exempt | refus\w* | avslå\w* )\b""",
    re.IGNORECASE | re.VERBOSE,
)
CLOSE = 0.7
"""Share of stems from which a sentence is compared alone."""

MOSTLY = 0.6
"""Share of a clause's stems from which another says the same or its opposite."""

COPIED = 0.85
"""Share of stems from which a sentence is another in the same words."""


def _of_copies(said: Sentence, near: Sequence[Sentence]) -> Disagreement | None:
    """Count denials and words of force in sentences that have nearly the same words."""
    closest = [s for s in _plausible(said, near) if overlap(said.about, s.about) >= CLOSE * len(said.about)]
    if len(said.about) < _FEW or not closest:
        return None
    # What is said whole is meant, and not what it has some words of too.
    closest = [one for one in closest if _is_said_whole(one, said)] or closest
    found = [_counted(said, one) for one in closest]
    return found[0] if all(found) else None


def _is_said_whole(sentence: Sentence, said: Sentence) -> bool:
    return overlap(sentence.about, said.about) >= COPIED * len(sentence.about)


def _counted(said: Sentence, closest: Sentence) -> Disagreement | None:
    ours, theirs = (len(_NEGATIVE.findall(s.text)) for s in (said, closest))
    whole = _is_said_whole(closest, said)
    denies = all(s.negative for s in said.main) or _is_said_whole(said, closest)
    # "Uten tidsgrense" for "på ubestemt tid" denies nothing; it counts only where the words are the same.
    denied = (
        len(DENIAL.findall(said.text)) > theirs
        and denies
        and not (closest.limited or denies_more(said.text, closest.text))
    )
    if denied or (whole and ours != theirs and not _depend(said, closest)):
        return Disagreement.NEGATION
    if not whole or ours != theirs or _cases(said) != _cases(closest):
        return None
    turned = {_count(said, force) - _count(closest, force) for force in (Force.PERMIT, Force.OBLIGE)}
    return Disagreement.MODALITY if turned == {1, -1} else None


def _count(sentence: Sentence, force: Force) -> int:
    alike = {force, Force.ENTITLE} if force is Force.PERMIT else {force}
    return sum(event.force in alike and not event.denied for event in sentence.events)


def _depend(said: Sentence, closest: Sentence) -> bool:
    """Whether one of two sentences says by a condition or "only" what the other denies."""
    return says_otherwise(said, closest) or says_otherwise(closest, said)


_FEW = 4
"""Stems of the shortest sentence that is compared by counting."""


def _of_clauses(said: Sentence, near: Sequence[Sentence]) -> Disagreement | None:
    """Compare clauses about the same in which no force meets: "loven gjelder ikke"."""
    for stance in said.stances:
        if stance.events:
            continue
        if _turns_clause(stance, said, near):
            return Disagreement.NEGATION
        if len(stance.about) < _CLAUSE:
            one = stance.role is Role.MAIN and all(s.negative == stance.negative for s in said.main)
            best = _whole_like(said, near) if one else []
        else:
            best = _clauses_like(stance, said, near)
        if best and all(stance.negative != one.negative and not _either_way(said, stance, s) for s, one in best):
            return Disagreement.NEGATION
    return None


def _of_conditions(said: Sentence, near: Sequence[Sentence]) -> Disagreement | None:
    """Compare conditions about the same: "når det er avtalt" and "når det ikke er avtalt"."""
    otherwise = _otherwise(said)
    if len(otherwise) == 1 and set().union(*map(_otherwise, near)) == {not held for held in otherwise}:
        return Disagreement.NEGATION
    for stance in said.stances:
        if stance.role is Role.MAIN or limits(stance.text) - _DENYING:
            continue
        same = [
            theirs
            for sentence in near
            if overlap(said.about, sentence.about) >= max(2, ALIGNED * len(said.about))
            # "Det gjelder ikke når …" and "… med mindre" say the same.
            and any(s.negative for s in said.main) == any(s.negative for s in sentence.main)
            for theirs in sentence.stances
            if (theirs.role is Role.ATTRIBUTE) == (stance.role is Role.ATTRIBUTE) and _is_same_condition(stance, theirs)
        ]
        if same and all(stance.depends_on_absence != theirs.depends_on_absence for theirs in same):
            return Disagreement.NEGATION
    return None


def _is_same_condition(one: Stance, other: Stance) -> bool:
    return other.role is not Role.MAIN and _is_same_clause(one, other) and not limits(other.text) - _DENYING


_DENYING = DENIALS | {"uten", "utan", "without", "med mindre"}


def _otherwise(sentence: Sentence) -> set[bool]:
    """Return whether a rule is said to hold when something else is agreed or decided, and when nothing else is."""
    return {not (match["none"] or match["late"] or match["unless"]) for match in _OTHERWISE.finditer(sentence.text)}


_OTHERWISE = re.compile(
    r"""\b(?: (?P<unless>med\s+mindre) | når | dersom | hvis | viss | om | såfremt | er )
      (?P<none>\s+(?:ikke|ikkje|inkje))? (?:\s+(?:noe|noko))? \s+ (?:annet|anna) (?P<late>\s+(?:ikke|ikkje))?
      \s+ (?:\w+\s+)?? (?:er|følg\w+|blir|bli|vert|går|avtalt|bestemt|fastsatt|fastsett|sagt|nevnt)\b""",
    re.IGNORECASE | re.VERBOSE,
)


def _is_same_clause(one: Stance, other: Stance) -> bool:
    """Whether two clauses are about the same, and about nothing else."""
    return overlap(one.about, other.about) >= max(1, MOSTLY * max(len(one.about), len(other.about)))


def _of_parity(said: Sentence, near: Sequence[Sentence]) -> Disagreement | None:
    """Count denials in sentences that say much of the same: one more or less turns what is said."""
    most = max((overlap(said.about, s.about) for s in near), default=0)
    if most < max(_CLAUSE, CLOSE * len(said.about)) or _POINTS_BACK.match(said.text):
        return None
    closest = [s for s in near if overlap(said.about, s.about) == most]
    return Disagreement.NEGATION if all(_turns(said, s) for s in closest) else None


def _turns(said: Sentence, sentence: Sentence) -> bool:
    if overlap(sentence.about, said.about) < MUCH * len(sentence.about) or _depend(said, sentence):
        return False
    ours, theirs = (_WITHOUT_EFFECT.sub(" ", s.text) for s in (said, sentence))
    if denies_more(ours, theirs) or denies_more(theirs, ours) or _otherwise_limited(ours) != _otherwise_limited(theirs):
        return False
    return len(_DENIES.findall(ours)) % 2 != len(_DENIES.findall(theirs)) % 2


def _otherwise_limited(text: str) -> frozenset[str]:
    """Return the beginnings of words that limit a text without denying: what denies in other words has such words."""
    return frozenset(word[:_PART] for word in limits(_DENIES.sub(" ", text)))


MUCH = 0.5
"""Share of a sentence of the law that a sentence says which is compared with it by the count of denials."""

_POINTS_BACK = re.compile(
    r"""\W*(?: (?:det|dette|den|denne|de|dei) \s+ (?:\w+\s+)? (?:gjeld\w*|skal|kan|er)
      | (?:kan|gjør|gjer|har|er) \s+ \w+ \s+ (?:ikke\s+|ikkje\s+)? (?:det|dette) )\b""",
    re.IGNORECASE | re.VERBOSE,
)
"""How a sentence begins that says something of what the one before it says."""

_WITHOUT_EFFECT = re.compile(
    r"""\b(?:uten|utan)\s+(?:hensyn|omsyn|hinder)\s+(?:til|av)\b | \bwithout\s+regard\s+to\b
      | \b(?: med\s+mindre | (?:dersom|hvis|når|om)\s+(?:ikke|ikkje) ) \s+ (?:noe\s+|noko\s+)?(?:annet|anna)\b [^,.;]*
      | \b(?:dersom|hvis|når|om) \s+ (?:noe\s+|noko\s+)?(?:annet|anna) \s+ (?:ikke|ikkje)\b [^,.;]*""",
    re.IGNORECASE | re.VERBOSE,
)
_DENIES = re.compile(
    rf"\b(?:{'|'.join(sorted(DENIALS))}|uten|utan|without|med\s+mindre|unless|unntatt|unnateke|(?:annet|anna|andre)\s+enn)\b",
    re.IGNORECASE,
)


def _turns_clause(stance: Stance, said: Sentence, near: Sequence[Sentence]) -> bool:
    """Whether a main clause denies what the law says in the same words, or the other way round."""
    if stance.role is not Role.MAIN or len(stance.about) < _CLAUSE:
        return False
    same = [
        (sentence, theirs)
        for sentence in near
        for theirs in sentence.stances
        if theirs.role is Role.MAIN and not theirs.events and _is_same_clause(stance, theirs)
    ]
    return bool(same) and all(
        stance.negative != theirs.negative
        and not limits((stance if theirs.negative else theirs).text) - DENIALS
        and not _depend(said, sentence)
        for sentence, theirs in same
    )


_CLAUSE = 2
"""Stems of a clause that can be compared by itself; "det gjelder ikke" is compared by the rest of its sentence."""


def _clauses_like(stance: Stance, said: Sentence, near: Sequence[Sentence]) -> list[tuple[Sentence, Stance]]:
    """Return the clauses that are most about the same as one, each with its sentence; all when several are as near."""
    shared = [
        (count, sentence, theirs)
        for sentence in _plausible(said, near)
        for theirs in sentence.stances
        if (count := overlap(stance.about, theirs.about)) >= ALIGNED * len(theirs.about)
    ]
    best = max((count for count, _, _ in shared), default=0)
    if best < max(_CLAUSE, MOSTLY * len(stance.about)):
        return []
    return [(sentence, theirs) for count, sentence, theirs in shared if count == best]


def _whole_like(said: Sentence, near: Sequence[Sentence]) -> list[tuple[Sentence, Stance]]:
    """Return the sentence that is about the same as all of `said`, with a main clause as short as "det gjelder"."""
    closest = max(near, key=lambda s: overlap(said.about, s.about))
    if overlap(said.about, closest.about) < max(_FEW - 1, ALIGNED * len(said.about)):
        return []
    short = next((s for s in closest.main if len(s.about) < _CLAUSE and not s.events and s.role is Role.MAIN), None)
    return [(closest, short)] if short else []


def _either_way(said: Sentence, stance: Stance, sentence: Sentence) -> bool:
    """Whether a denial may be the same thing said otherwise."""
    if stance.negative:
        return sentence.limited or denies_more(said.text, sentence.text)
    return said.limited or denies_more(sentence.text, said.text)


def _of_whole(said: Sentence, near: Sequence[Sentence], held_to: Law) -> Disagreement | None:
    """Compare whole sentences by the words of force and denial in them, where no clauses could be compared."""
    closest = _plausible(said, near)
    best = max((overlap(said.about, s.about) for s in closest), default=0)
    aligned = best >= max(min(_FEW - 1, MOSTLY * len(said.about)), ALIGNED * len(said.about), 2)
    foreign = said.english and not aligned and all(not overlap(said.about, s.about) for s in held_to.quoted)
    if not (aligned or foreign):
        return None
    close = aligned and best >= CLOSE * len(said.about)
    denies = all(s.negative for s in said.main) or (close and any(s.negative and s.events for s in said.main))
    if denies and not any(s.limited or denies_more(said.text, s.text) for s in (closest if aligned else near)):
        return Disagreement.NEGATION
    compared = held_to.quoted if foreign else closest
    denied = all(s.negative for sentence in compared for s in sentence.main) and (foreign or _meets(said, compared))
    if denied and not said.limited and not any(_depend(said, sentence) for sentence in compared):
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
