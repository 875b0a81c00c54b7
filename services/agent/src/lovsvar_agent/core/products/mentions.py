"""Products in a model's prose: which it chose, by their ids, and what of its words may not stay.

A model chooses by ids alone, `[product-2]`; that an item exists, what it is called, costs and where it is, only the
catalogue says. So no sentence stays that says so in the model's words.
"""

import re
from collections.abc import Collection, Container, Iterable, Sequence
from dataclasses import dataclass

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
_ANNOUNCES = re.compile(r":\s*$")
_SIGN = re.compile("🔗")
_RECOMMENDS = re.compile(
    r"""
    \b(?: anbefal\w* | tilrå\w* | tilby\w* | bestill\w* | kjøp\w* | prøv | benytt\w* | kontakt\w* | ring | snakk\s+med
        | recommend\w* | contact | offers? | buy | order | try | call | use
        | raad\w* | raden | aanbevel\w* | aanbevolen | biedt | bestel\w* | koop\w* | probeer | bel | gebruik )\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
_NAME = re.compile(r"(?<=[\w,;:»”\"'(] )[«“\"'(\[]?([A-ZÆØÅ][\w&-]{2,})")
"""A capitalised word that does not begin its sentence."""

_PRICED_LINE = re.compile(r"\s*(?:[-•]\s+|\d{1,2}[.)]\s+)?[A-ZÆØÅ][^.:()\[\]]{2,80} \([^()\[\]]{2,60}\)\s*")
"""A line that is a name and something in parentheses, as a product is written."""

MIN_NAME = 4
"""Characters of a name that is looked for; a shorter one is in other words."""


@dataclass(frozen=True)
class _Known:
    """What may be said: `words` of the sources and of the asker, and their `sums`. `unwanted` names may not.

    `removed` stands in place of an address.
    """

    words: str
    removed: str
    sums: Container[str]
    unwanted: Sequence[re.Pattern[str]]

    def is_offer(self, sentence: str) -> bool:
        """Whether a sentence offers or recommends what the sources do not name."""
        if _SIGN.search(sentence) or self.removed in sentence or any(name.search(sentence) for name in self.unwanted):
            return True
        if _ID.search(sentence) and not _CITED.search(sentence):
            return True
        amounts = [amount for amount in AMOUNT.findall(sentence) if _digits(amount) not in self.sums]
        if amounts and (_FOREIGN_MONEY.search(sentence) or _OFFERS.search(sentence)):
            return True
        return bool(_RECOMMENDS.search(sentence)) and any(name not in self.words for name in _NAME.findall(sentence))

    def is_priced(self, line: str) -> bool:
        """Whether a line is written as a product is, and no source names it."""
        return bool(_PRICED_LINE.fullmatch(line)) and line.partition(" (")[0].strip(" -•") not in self.words


def ids_in(text: str) -> tuple[str, ...]:
    """Return the ids of products in a text, each once, in order."""
    return tuple(dict.fromkeys(_ID.findall(text)))


def without_products(
    text: str, names: Collection[str], chosen: Iterable[str], known: Iterable[str], removed: str
) -> str:
    """Return `text` without sentences that offer something.

    These are lines and sentences with an id of a product and none of law, a link's sign, what stands for a `removed`
    address, a sum of money in an offer, one of `names`, which are of items found and not `chosen`, or a recommendation
    by name. Names and sums stay that one of the texts `known` has as well: the sources, in which public bodies are
    named, and what was asked.
    """
    words = "\n".join((*known, *chosen))
    unwanted = [
        re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE)
        for name in names
        if len(name) >= MIN_NAME and name not in words
    ]
    said = _Known(words, removed, frozenset(map(_digits, AMOUNT.findall(words))), unwanted)
    parts = (_paragraph(part.split("\n"), said) for part in re.split(r"\n\s*\n", text))
    return "\n\n".join(_without_empty_headings([part for part in parts if part is not None]))


def _paragraph(lines: Sequence[str], known: _Known) -> str | None:
    """Return what stays of lines that stand together, None where all went. Written as a product, all are an offer."""
    product = any(_SIGN.search(line) or known.is_priced(line) for line in lines)
    kept: list[str] = []
    for line in lines:
        shown = None if product and not _CITED.search(line) else _line(line, known)
        # What announced the line that went goes with it.
        if shown is None and kept:
            kept[-1:] = _without_announcement(kept[-1])
        kept += [] if shown is None else [shown]
    return "\n".join(kept) if any(line.strip() for line in kept) else None


def _without_empty_headings(parts: Sequence[str]) -> list[str]:
    """Return paragraphs without those that announce the next and have none after them, or another such."""
    kept: list[str] = []
    for part in reversed(parts):
        followed = kept and not kept[0].startswith(HEADING)
        lines = part.split("\n")
        if not followed:
            lines[-1:] = [] if lines[-1].startswith(HEADING) else _without_announcement(lines[-1])
        if lines:
            kept.insert(0, "\n".join(lines))
    return kept


def _without_announcement(line: str) -> list[str]:
    """Return a line without its last sentence where that announces what follows: 'Disse kan hjelpe:'."""
    if not _ANNOUNCES.search(line):
        return [line]
    rest = line[: list(sentence_spans(line, 0, len(line)))[-1][0]].rstrip()
    return [rest] if rest else []


def _line(line: str, known: _Known) -> str | None:
    """Return what stays of a line, None where nothing of it does."""
    if not line.strip():
        return line
    spans = list(sentence_spans(line, 0, len(line))) or [(0, len(line))]
    said = [line[a:b] for a, b in spans]
    kept = [_MARKER.sub("", sentence) for sentence in said if not known.is_offer(sentence)]
    if kept == said:
        return line
    return " ".join(kept) if any(re.search(r"\w", sentence) for sentence in kept) else None


def _digits(amount: str) -> str:
    return re.sub(r"\D", "", amount)
