"""The Yes or No that an answer begins with, against what the law says to the question."""

import re

from lovsvar_legaltext.closeness import overlap
from lovsvar_legaltext.language import Language
from lovsvar_legaltext.modality import Force
from lovsvar_legaltext.quantities import quantities
from lovsvar_legaltext.stances import Sentence, Stance, limits, read_sentence

_LEADING = re.compile(
    r"""[\s#>*•–-]*
      (?P<announced> (?:kort(?:e)?\s+|short\s+|the\s+)* (?:svar(?:et)?|answer|konklusjon(?:en)?|conclusion)
        (?:\s+(?:er|is|blir|vert))? \s*[:,–-]?\s* )?
      (?: (?P<yes>ja|yes|yep)\b | (?P<no>nei|nope)\b
        | (?:(?P<but_yes>jo)|(?P<english_no>no)) (?=\s*(?:[,.:;!–-]|$)) )
      [\s,.:;!–-]*""",
    re.IGNORECASE | re.VERBOSE,
)
"""«Jo mer …», and nynorsk «no» for now, are neither Yes nor No."""

_OPEN = re.compile(
    r"\b(?:hva|hvem|hvor|hvordan|hvorfor|hvilk\w+|når|kva|kven|korleis|kvifor|what|who|how|why|which|when)\b",
    re.IGNORECASE,
)
_TURNED = re.compile(
    r"\b(?:nekt\w*|la\s+være|slipp\w*|slepp\w*|unngå\w*|uten|utan|refuse|without|avoid|avslå\w*|bare|berre|kun|only)\b",
    re.IGNORECASE,
)


def leading(text: str) -> tuple[bool | None, str]:
    """Return whether `text` begins with Yes or No, None when with neither, and what comes after."""
    match = _LEADING.match(text)
    return (bool(match["yes"] or match["but_yes"]), text[match.end() :]) if match else (None, text)


def announces(text: str) -> bool:
    """Whether `text` says that its Yes or No is the answer: "Svaret er ja"."""
    match = _LEADING.match(text)
    return bool(match and match["announced"])


def expected(question: str, said: str, language: Language = "nb") -> bool | None:
    """Return the Yes or No with which the sentence `said` answers `question`; None when that cannot be told."""
    asked = read_sentence(question)
    if _OPEN.match(question.strip()) or "?" not in question or not asked.main:
        return None
    sentence = read_sentence(said)
    if not sentence.main or overlap(asked.about, sentence.about) < min(2, len(asked.about)):
        return None
    if _other_amount(question, said, language) or _TURNED.search(question):
        return None
    ours, theirs = _forces(asked), _compared(asked, sentence)
    if theirs is None or (
        not theirs.negative and (limits(said) - limits(question) or _bounds(said) - _bounds(question))
    ):
        return None
    force = theirs.events[0].force if theirs.events else None
    if {ours, force} == {Force.PERMIT, Force.OBLIGE}:
        return None
    return theirs.negative == any(s.negative for s in asked.main)


_AT_MOST = re.compile(
    r"\b(?:høyst|høgst|minst|maks\w*|inntil|at\s+(?:most|least)|først|fyrst|dersom|hvis|når|med\s+mindre|if|unless)\b",
    re.IGNORECASE,
)


def contradicts_itself(question: str, verdict: bool, short: str) -> bool:
    """Whether a short answer without words of its own, "det kan den ikke", does not fit its Yes or No or the question.

    "Ja, det kan den ikke" is no answer, nor is "Ja, det kan den" to whether it must.
    """
    asked, said = read_sentence(question), read_sentence(short)
    if not said.stances or len(short.split()) < _SHORT:
        return False
    denies = any(s.negative for s in said.stances)
    if denies is verdict and not any(s.negative for s in asked.main):
        return True
    ours, theirs = _forces(asked), _forces(said)
    return {ours, theirs} == {Force.PERMIT, Force.OBLIGE}


_SHORT = 3
"""Words of "det kan den"."""


def _bounds(text: str) -> frozenset[str]:
    return frozenset(m.casefold() for m in _AT_MOST.findall(text))


def _other_amount(question: str, said: str, language: Language) -> bool:
    asked, named = quantities(question, language), quantities(said, language)
    return any(not any(q.equals(n) for n in named) for q in asked)


def _forces(sentence: Sentence) -> Force | None:
    return next((event.force for event in sentence.events), None)


def _compared(asked: Sentence, sentence: Sentence) -> Stance | None:
    """Return the clause of `sentence` that is about what is asked."""
    return max(sentence.main, key=lambda s: overlap(asked.about, s.about), default=None)
