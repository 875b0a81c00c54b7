"""Why a provision is shown: one line each, from what a program can see of it.

Its heading is part of its name, and is not said again: where nothing else is known, the words of the question are named
that it has.
"""

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum

from lovsvar_agent.core.extractive.cues import sign
from lovsvar_agent.core.extractive.phrases import quoted_list
from lovsvar_legaltext.language import Language


class Reason(StrEnum):
    """What a provision gives to the answer."""

    NAMED = "named"
    COMPLAINT = "complaint"
    AMOUNT_OR_TIME = "amount_or_time"
    EXCEPTION = "exception"
    DECIDES = "decides"
    SANCTION = "sanction"
    DEFINITION = "definition"
    WORDS = "words"
    MEANING = "meaning"


_FLAGS = re.IGNORECASE
_COMPLAINT = re.compile(r"\bklag|\boverprøv|\banke|\bsøksmål|\breklam|\bcomplain|\bappeal", _FLAGS)
_EXCEPTION = re.compile(r"\bunntak|\bunnatak|\bfritak|\bdispens|\bavvik fra", _FLAGS)
_DECIDES = re.compile(r"\bkompeta?nse|\bmyndighet|\bmynde|\bavgjørelse|\bvedtak|\btilsyn|\bansvarlig", _FLAGS)
_SANCTION = re.compile(r"\bstraff|\bgebyr|\berstatning|\berstatt|\bbot\b|\binndrag|\btvangsmulkt", _FLAGS)
_DEFINITION = re.compile(r"\bdefinisjon|\bomgrep|\bbegrep|\bmed .{3,40} (?:menes|meiner ein|er meint)", _FLAGS)

PHRASES: Mapping[Reason, Mapping[Language, str]] = {
    Reason.NAMED: {
        "nb": "Bestemmelsen du spør om",
        "nn": "Føresegna du spør om",
        "en": "The provision you ask about",
    },
    Reason.COMPLAINT: {
        "nb": "Om å klage eller gå til sak",
        "nn": "Om å klage eller gå til sak",
        "en": "On complaints and legal action",
    },
    Reason.AMOUNT_OR_TIME: {
        "nb": "Gir tallet eller fristen",
        "nn": "Gir talet eller fristen",
        "en": "Gives the number or time limit",
    },
    Reason.EXCEPTION: {"nb": "Gjør unntak", "nn": "Gjer unntak", "en": "Makes an exception"},
    Reason.DECIDES: {"nb": "Hvem som bestemmer", "nn": "Kven som avgjer", "en": "Who decides"},
    Reason.SANCTION: {
        "nb": "Hva det kan føre til",
        "nn": "Kva det kan føre til",
        "en": "What it may lead to",
    },
    Reason.DEFINITION: {"nb": "Hva ordene betyr", "nn": "Kva orda tyder", "en": "What the words mean"},
    Reason.WORDS: {"nb": "Nevner {words}", "nn": "Nemner {words}", "en": "Mentions {words}"},
    Reason.MEANING: {
        "nb": "Ligner det du spør om",
        "nn": "Liknar det du spør om",
        "en": "Is close to what you ask about",
    },
}

MAX_WORDS = 3

AND: Mapping[Language, str] = {"nb": "og", "nn": "og", "en": "and"}

SPECIAL: Mapping[Language, str] = {
    "nb": "Gjelder bare {to}",
    "nn": "Gjeld berre {to}",
    "en": "Only for {to}",
}


def reason(question: str, heading: str, shown: str, *, named: bool = False) -> Reason:
    """Return why a provision with that `heading` is shown, of which `shown` is quoted."""
    if named:
        return Reason.NAMED
    if sign(question, shown):
        return Reason.AMOUNT_OR_TIME
    by_heading = (
        (Reason.EXCEPTION, _EXCEPTION),
        (Reason.COMPLAINT, _COMPLAINT),
        (Reason.SANCTION, _SANCTION),
        (Reason.DEFINITION, _DEFINITION),
        (Reason.DECIDES, _DECIDES),
    )
    return next((kind for kind, pattern in by_heading if pattern.search(heading)), Reason.WORDS)


def why(kind: Reason, words: Sequence[str], language: Language, only_for: str = "") -> str:
    """Return the line of a reason.

    `words` are those of the question that the provision has, the rarest first; `only_for` are those that its act
    applies to alone.
    """
    if kind is Reason.WORDS and not words:
        kind = Reason.MEANING
    said = PHRASES[kind][language].format(words=quoted_list(words[:MAX_WORDS], language, AND[language]))
    scope = SPECIAL[language].format(to=only_for) if only_for else ""
    return ". ".join(part for part in (said, scope) if part)
