"""Whether one sentence denies what another about the same affirms, where no word of force shows it.

Clauses are compared with clauses, conditions with conditions, and the count of denials with that of a sentence that
says much of the same.
"""

import re
from collections.abc import Sequence

from lovsvar_legaltext.bounds import denies_more
from lovsvar_legaltext.clauses import Role
from lovsvar_legaltext.closeness import ALIGNED, CLOSE, FEW, overlap, plausible
from lovsvar_legaltext.equivalents import say_the_same
from lovsvar_legaltext.stances import DENIALS, DENYING, Sentence, Stance, limits


def clauses_differ(said: Sentence, near: Sequence[Sentence]) -> bool:
    """Compare clauses about the same in which no force meets: "loven gjelder ikke"."""
    for stance in said.stances:
        # A subject whose verb comes after what describes it is no clause by itself.
        if stance.events or (stance.role is Role.MAIN and stance not in said.main):
            continue
        if len(stance.about) < _CLAUSE:
            one = stance.role is Role.MAIN and all(s.negative == stance.negative for s in said.main)
            best = _whole_like(said, near) if one else []
        else:
            best = _clauses_like(stance, said, near)
        if best and all(stance.negative != one.negative and not _either_way(said, stance, s) for s, one in best):
            return True
    return False


_CLAUSE = 2
"""Stems of a clause that can be compared by itself; "det gjelder ikke" is compared by the rest of its sentence."""


def _clauses_like(stance: Stance, said: Sentence, near: Sequence[Sentence]) -> list[tuple[Sentence, Stance]]:
    """Return the clauses that are most about the same as one, each with its sentence; all when several are as near."""
    shared = [
        (count, sentence, theirs)
        for sentence in plausible(said, near)
        for theirs in sentence.stances
        if (theirs.role is Role.MAIN) == (stance.role is Role.MAIN)
        and (count := overlap(stance.about, theirs.about)) >= ALIGNED * len(theirs.about)
    ]
    best = max((count for count, _, _ in shared), default=0)
    if best < max(_CLAUSE, CLOSE * len(stance.about)):
        return []
    return [(sentence, theirs) for count, sentence, theirs in shared if count == best]


def _whole_like(said: Sentence, near: Sequence[Sentence]) -> list[tuple[Sentence, Stance]]:
    """Return the sentence that is about the same as all of `said`, with a main clause as short as "det gjelder"."""
    closest = max(near, key=lambda s: overlap(said.about, s.about))
    if overlap(said.about, closest.about) < max(FEW - 1, ALIGNED * len(said.about)):
        return []
    short = next((s for s in closest.main if len(s.about) < _CLAUSE and not s.events and s.role is Role.MAIN), None)
    return [(closest, short)] if short else []


def _either_way(said: Sentence, stance: Stance, sentence: Sentence) -> bool:
    """Whether a denial may be the same thing said otherwise."""
    if stance.negative:
        return sentence.limited or denies_more(said.text, sentence.text)
    return said.limited or denies_more(sentence.text, said.text)


def conditions_differ(said: Sentence, near: Sequence[Sentence]) -> bool:
    """Compare conditions about the same: "når det er avtalt" and "når det ikke er avtalt"."""
    otherwise = _otherwise(said)
    if len(otherwise) == 1 and set().union(*map(_otherwise, near)) == {not held for held in otherwise}:
        return True
    for stance in said.stances:
        if stance.role not in (Role.CONDITION, Role.EXCEPTION) or limits(stance.text) - _ABSENCE:
            continue
        same = [
            theirs
            for sentence in plausible(said, near)
            if overlap(said.about, sentence.about) >= max(2, ALIGNED * len(said.about))
            # "Det gjelder ikke når …" and "… med mindre" say the same.
            and any(s.negative for s in said.main) == any(s.negative for s in sentence.main)
            for theirs in sentence.stances
            if _is_same_condition(stance, theirs)
        ]
        if same and all(stance.depends_on_absence != theirs.depends_on_absence for theirs in same):
            return True
    return False


def _is_same_condition(one: Stance, other: Stance) -> bool:
    """Whether two conditions are about the same, and about nothing else."""
    shared = overlap(one.about, other.about)
    return (
        other.role in (Role.CONDITION, Role.EXCEPTION)
        and shared >= max(1, CLOSE * max(len(one.about), len(other.about)))
        and not limits(other.text) - _ABSENCE
    )


_ABSENCE = DENIALS | {"uten", "utan", "without", "med mindre"}
"""What says of a condition that it is an absence, and limits nothing else."""


def _otherwise(sentence: Sentence) -> set[bool]:
    """Return whether a rule is said to hold when something else is agreed or decided, and when nothing else is."""
    return {not (match["none"] or match["late"] or match["unless"]) for match in _OTHERWISE.finditer(sentence.text)}


_OTHERWISE = re.compile(
    r"""\b(?: (?P<unless>med\s+mindre) | når | dersom | hvis | viss | om | såfremt | er )
      (?P<none>\s+(?:ikke|ikkje|inkje))? (?:\s+(?:noe|noko))? \s+ (?:annet|anna) (?P<late>\s+(?:ikke|ikkje))?
      \s+ (?:\w+\s+)?? (?:er|følg\w+|blir|bli|vert|går|avtalt|bestemt|fastsatt|fastsett|sagt|nevnt)\b""",
    re.IGNORECASE | re.VERBOSE,
)


def denials_differ(said: Sentence, near: Sequence[Sentence]) -> bool:
    """Count denials in sentences that say much of the same: one more or less turns what is said."""
    most = max((overlap(said.about, s.about) for s in near), default=0)
    if most < max(_CLAUSE, CLOSE * len(said.about)) or _POINTS_BACK.match(said.text):
        return False
    closest = [s for s in near if overlap(said.about, s.about) == most]
    return all(_turns(said, s) for s in closest)


def _turns(said: Sentence, sentence: Sentence) -> bool:
    if overlap(sentence.about, said.about) < MUCH * len(sentence.about) or say_the_same(said, sentence):
        return False
    ours, theirs = (_WITHOUT_EFFECT.sub(" ", s.text) for s in (said, sentence))
    if denies_more(ours, theirs) or denies_more(theirs, ours) or _otherwise_limited(ours) != _otherwise_limited(theirs):
        return False
    # What is left out of the law's sentence turns nothing: "…, hvis ikke forholdet også rammes av andre bestemmelser".
    told = (s.text for s in sentence.stances if overlap(s.about, said.about) >= ALIGNED * len(s.about))
    return {denials(text) % 2 for text in (theirs, _WITHOUT_EFFECT.sub(" ", " ".join(told)))} == {1 - denials(ours) % 2}


def denials(text: str) -> int:
    """Return how often a text denies: "ikke", "uten", "med mindre", "andre enn"."""
    return len(_DENIES.findall(text))


def _otherwise_limited(text: str) -> frozenset[str]:
    """Return the beginnings of words that limit a text without denying: what denies in other words has such words."""
    return frozenset(word[:_BEGINNING] for word in limits(_DENIES.sub(" ", text)))


_BEGINNING = 5
"""Letters by which two forms of a word are known to be the same: "straffes" and "straff"."""

MUCH = 0.7
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
_DENIES = re.compile(rf"\b(?: {DENYING} | (?:annet|anna|andre)\s+enn )\b", re.IGNORECASE | re.VERBOSE)
