"""A question as the page's form gives it: what narrows it and what it follows up are said in its words.

A question on the wire has no fields for either, and an agent heeds a filter that the question itself names.
"""

import unicodedata
from dataclasses import dataclass

from lovsvar_contracts.law import LawType

NARROWED = "Avgrens til "
FOLLOWS = "Oppfølging av spørsmålet: "

MAX_WORDS = 3_000
"""Characters that the form takes; what it adds keeps the whole below what a question may have."""

_MAX_FOLLOWED = 400

_PLURAL = {
    LawType.LOV: "lover",
    LawType.FORSKRIFT: "forskrifter",
    LawType.VEDTAK: "vedtak",
    LawType.INSTRUKS: "instrukser",
    LawType.REGLEMENT: "reglementer",
    LawType.VEDLEGG: "vedlegg",
}


@dataclass(frozen=True)
class AskedQuestion:
    """A question as it is shown: the words that were written, and each addition as a line of its own."""

    words: str
    additions: tuple[str, ...] = ()


def compose(
    words: str, *, law_type: LawType | None = None, year: int | None = None, ministry: str = "", follows: str = ""
) -> str:
    """Return the question that is asked: `words`, and behind them what narrows them and what they follow up."""
    narrowed = [_PLURAL[law_type]] if law_type else []
    narrowed += [f"år {year}"] if year else []
    narrowed += [f"departement {ministry}"] if ministry else []
    parts = [words.strip()]
    if narrowed:
        parts.append(f"{NARROWED}{', '.join(narrowed)}.")
    if follows:
        parts.append(f"{FOLLOWS}{take_apart(follows).words[:_MAX_FOLLOWED]}")
    return "\n\n".join(parts)


def take_apart(question: str) -> AskedQuestion:
    """Return what `compose` made a question of; one from elsewhere is words alone."""
    words, *rest = question.split("\n\n")
    additions: list[str] = []
    for part in rest:
        if part.startswith((NARROWED, FOLLOWS)):
            additions.append(part)
        elif additions:
            additions[-1] += f"\n\n{part}"
        else:
            words += f"\n\n{part}"
    return AskedQuestion(words, tuple(additions))


def cleaned(text: str, limit: int = MAX_WORDS) -> str:
    """Return at most `limit` characters of what somebody typed, without control characters and outer white space."""
    kept = (c for c in text.replace("\r\n", "\n") if c in "\n\t" or unicodedata.category(c) not in ("Cc", "Cs"))
    return "".join(kept).strip()[:limit]


def as_year(text: str) -> int | None:
    """Return the year that was typed; None for anything else."""
    return int(text) if len(text) == 4 and text.isascii() and text.isdigit() and 1600 <= int(text) <= 3000 else None


def as_law_type(text: str) -> LawType | None:
    """Return the law type that was chosen; None for anything else."""
    return LawType(text) if text in set(LawType) else None
