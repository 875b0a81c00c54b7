"""Products in a model's prose: which it chose, by their ids, and what of its words may not stay.

A model chooses by ids alone, `[product-2]`; that an item exists, what it is called, costs and where it is, only the
catalogue says. So no sentence stays that says so in the model's words.
"""

import re
from collections.abc import Callable, Collection, Container, Iterable, Sequence
from functools import partial

from lovsvar_agent.core.products.item_text import AMOUNT
from lovsvar_agent.core.reasoning.prose import HEADING
from lovsvar_legaltext.sentences import sentence_spans

_MARKER = re.compile(r"\s*[\[(]\s*product-\d+(?:\s*[,;]\s*product-\d+)*\s*[\])]|\s*\bproduct-\d+\b")
_ID = re.compile(r"product-\d+")
_CITED = re.compile(r"\[(?!product-)[a-z][a-z0-9]*-\d+\]|\[\d{1,2}\]")
_FOREIGN_MONEY = re.compile(r"[€£$]|\b(?:EUR|USD|GBP)\b")
_OFFERS = re.compile(
    r"""
    \b(?: tilby\w* | tilbud\w* | tilbod\w* | bestill\w* | kjøp\w* | abonne\w* | rabatt\w* | kampanje\w* | prisen?
        | koste[rn]? | kostar | per\s+time | offers? | buy | order | discount\w* | prices? | costs? | per\s+hour
        | aanbod | aanbied\w* | biedt | bestel\w* | koop\w* | korting\w* | prijs\w* | kost(?:en)? | per\s+uur )\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
_NUMBER = re.compile(r"\d[\d .,]*")
_ANNOUNCES = re.compile(r":\s*$")
_SIGN = re.compile("🔗")
MIN_NAME = 4
"""Characters of a name that is looked for; a shorter one is in other words."""


def ids_in(text: str) -> tuple[str, ...]:
    """Return the ids of products in a text, each once, in order."""
    return tuple(dict.fromkeys(_ID.findall(text)))


def without_products(text: str, names: Collection[str], legal: Iterable[str]) -> str:
    """Return `text` without sentences that offer something.

    These are lines and sentences with an id of a product and none of law, a link's sign, a sum of money in an offer, or
    one of `names`, which are of the items found and not chosen. A name and a sum stay that a `legal` source has as
    well, such as the name of a public body.
    """
    sources = "\n".join(legal)
    unwanted = [
        re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE)
        for name in names
        if len(name) >= MIN_NAME and name not in sources
    ]
    judge = partial(_is_offer, unwanted=unwanted, sums=frozenset(map(_digits, _NUMBER.findall(sources))))
    parts = (_paragraph(part.split("\n"), judge) for part in re.split(r"\n\s*\n", text))
    return "\n\n".join(_without_empty_headings([part for part in parts if part is not None]))


def _paragraph(lines: Sequence[str], is_offer: Callable[[str], bool]) -> str | None:
    """Return what stays of lines that stand together, None where all went. With the sign of a link it is an offer."""
    linked = any(_SIGN.search(line) for line in lines)
    kept: list[str] = []
    for line in lines:
        shown = None if linked and not _CITED.search(line) else _line(line, is_offer)
        # What announced the line that went goes with it.
        if shown is None and kept and _ANNOUNCES.search(kept[-1]):
            kept.pop()
        kept += [] if shown is None else [shown]
    return "\n".join(kept) if any(line.strip() for line in kept) else None


def _without_empty_headings(parts: Sequence[str]) -> list[str]:
    """Return paragraphs without those that announce the next and have none after them, or another such."""
    kept: list[str] = []
    for part in reversed(parts):
        announces = "\n" not in part and (part.startswith(HEADING) or _ANNOUNCES.search(part))
        if not announces or (kept and not kept[0].startswith(HEADING)):
            kept.insert(0, part)
    return kept


def _line(line: str, is_offer: Callable[[str], bool]) -> str | None:
    """Return what stays of a line, None where nothing of it does."""
    if not line.strip():
        return line
    spans = list(sentence_spans(line, 0, len(line))) or [(0, len(line))]
    said = [line[a:b] for a, b in spans]
    kept = [_MARKER.sub("", sentence) for sentence in said if not is_offer(sentence)]
    if kept == said:
        return line
    return " ".join(kept) if any(re.search(r"\w", sentence) for sentence in kept) else None


def _is_offer(sentence: str, unwanted: Sequence[re.Pattern[str]], sums: Container[str]) -> bool:
    if _SIGN.search(sentence) or any(name.search(sentence) for name in unwanted):
        return True
    if _ID.search(sentence) and not _CITED.search(sentence):
        return True
    amounts = [amount for amount in AMOUNT.findall(sentence) if _digits(amount) not in sums]
    return bool(amounts and (_FOREIGN_MONEY.search(sentence) or _OFFERS.search(sentence)))


def _digits(amount: str) -> str:
    return re.sub(r"\D", "", amount)
