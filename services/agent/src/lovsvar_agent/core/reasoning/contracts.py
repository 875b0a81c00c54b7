"""Acts about one kind of contract, which say nothing of another: one who bought a flat is no tenant."""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Contract:
    """A kind of contract: the acts that are about it alone, by refid, and the words of questions about it."""

    acts: frozenset[str]
    words: re.Pattern[str]


def _contract(acts: tuple[str, ...], words: str) -> Contract:
    return Contract(frozenset(acts), re.compile(rf"\b(?:{words})", re.IGNORECASE))


_CONTRACTS = (
    _contract(
        ("lov/1999-03-26-17",),
        r"(?:frem|fram|ut|hus)?(?:leie|leig|leid|leidd)|hybel|hyblar|bofelles|bufelles|deposit|rent(?:s|ed|ing)?\b|lease"
        r"|tenan|landlord|flatmate|lodger",
    ),
    _contract(
        ("lov/1992-07-03-93", "lov/1997-06-13-43", "lov/2002-06-21-34", "lov/1988-05-13-27"),
        r"kjøp|innkjøp|bolig(?:kjøp|salg)|hus(?:kjøp|salg)|solgt|selg|selj|selde|bought|buy|purchas|sold|sell",
    ),
)


def is_of_other_contract(question: str, refid: str | None) -> bool:
    """Whether an act is about one kind of contract, and the question is about another and not about that."""
    named = [contract for contract in _CONTRACTS if contract.words.search(question)]
    return bool(named) and any(refid in contract.acts for contract in _CONTRACTS if contract not in named)
