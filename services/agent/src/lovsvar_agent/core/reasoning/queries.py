"""Queries made of a question, and whether a filter was asked for."""

from collections.abc import Iterable

from lovsvar_contracts.law import LawType
from lovsvar_legaltext.language import language_of
from lovsvar_legaltext.words import content_words, in_legal_terms, stem, words
from lovsvar_legaltext.written_references import take_apart

_TYPE_WORDS = {
    LawType.LOV: ("lov", "lova", "loven", "lover", "lovene", "act", "acts", "statute"),
    LawType.FORSKRIFT: ("forskrift", "forskrifta", "forskriften", "forskrifter", "regulation", "regulations"),
    LawType.VEDTAK: ("vedtak", "vedtaket", "decision"),
    LawType.INSTRUKS: ("instruks", "instruksen", "instruction", "instructions"),
    LawType.REGLEMENT: ("reglement", "reglementet"),
    LawType.VEDLEGG: ("vedlegg", "vedlegget", "annex"),
}


def variants(question: str, own: Iterable[str], most: int) -> tuple[str, ...]:
    """Return up to `most` different queries: the model's own first, then some made of the question's words."""
    content = content_words(take_apart(question).rest) or content_words(question)
    longest = sorted(content, key=len, reverse=True)
    made = (
        " ".join(content),
        in_legal_terms(question).strip(),
        " ".join(longest[:2]),
        " ".join(content[: max(2, len(content) // 2)]),
        " ".join(content[len(content) // 2 :]),
    )
    return tuple(dict.fromkeys(q for q in (*own, *made, question) if q))[:most]


def suggestions(question: str) -> tuple[str, ...]:
    """Return what a reader could search for when the sources do not help."""
    content = content_words(take_apart(question).rest) if language_of(question) != "en" else ()
    longest = sorted(content, key=len, reverse=True)
    found = (" ".join(content[:6]), " ".join(longest[:2]), *longest[:1])
    return tuple(dict.fromkeys(q for q in found if q))[:3]


def is_asked_for(wanted: LawType | str, question: str) -> bool:
    """Whether the question itself names a law type, or a ministry by a telling part of its name."""
    found = words(question)
    if isinstance(wanted, LawType):
        return any(w in _TYPE_WORDS[wanted] or w.endswith(_TYPE_WORDS[wanted][:3]) for w in found)
    asked = {stem(w) for w in found}
    return any(stem(w) in asked for w in words(wanted) if len(w) > 3)
