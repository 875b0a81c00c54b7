"""What makes a sentence of a model one that offers something, or recommends somebody, that no source names."""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from lovsvar_agent.core.products.item_text import AMOUNT

LINK_SIGN = "🔗"
PRODUCT_ID = re.compile(r"product-\d+")
CITED = re.compile(r"\[(?!product-)[a-z][a-z0-9]*-\d+\]|\[\d{1,2}\]")
"""The id or the number of a source that is no product."""

_FOREIGN_MONEY = re.compile(r"[€£$]|\b(?:EUR|USD|GBP)\b")
_PRICES = re.compile(
    r"""
    \b(?: tilby\w* | tilbud\w* | tilbod\w* | bestill\w* | kjøp\w* | abonne\w* | rabatt\w* | kampanje\w* | prisen?
        | koste[rn]? | kostar | per\s+time | offers? | buy | discount\w* | prices? | costs? | per\s+hour
        | aanbod | aanbied\w* | biedt | bestel\w* | koop\w* | korting\w* | prijs\w* | kost(?:en)? | per\s+uur )\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
_SELLS = re.compile(
    r"""
    \b(?: anbefal\w* | tilrå\w* | bestill\w* | kjøp | prøv | recommend\w* | buy | sign\s+up | aanbevel\w* | aanbevolen
        | raden?\s+.{0,30}aan | bestel\w* | koop | probeer )\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
_REFERS = re.compile(
    r"\b(?:tilbyr|benytt\w*|kontakt\w*|ring|snakk\s+med|contact|call|talk\s+to|biedt|bel|neem\s+contact)\b",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?<=[\w,;:»”\"'(] )[«“\"'(\[]?([A-ZÆØÅ][\w&-]{2,})")
"""A capitalised word that does not begin its sentence."""

_ACT = re.compile(r"(?:lov(?:en|a)?|forskrift(?:en|a)?|act|code|regulations?)$", re.IGNORECASE)
_COMMON_TEXT = """
    norge noreg norsk norske norway norwegian eu eøs eea lovdata lovsvar altinn nav stortinget monday sunday january
    february march april may june july august september october november december nederland noorwegen noorse
"""
_COMMON = frozenset(_COMMON_TEXT.split())

_AS_PRODUCT = re.compile(
    r"\s*(?:[-•]\s+|\d{1,2}[.)]\s+)?(?P<name>[A-ZÆØÅ][^.:()\[\]]{2,80}) \((?P<price>[^()\[\]]{2,60})\)\s*"
)
"""A line that is a name and something in parentheses."""

_AS_PRICE = re.compile(r"gratis|free|pris|price|prijs|kosteloos|aanvraag|forespørsel|request", re.IGNORECASE)


@dataclass(frozen=True)
class SalesTalk:
    """Tells sentences that offer or recommend what may not be named from those that may stay.

    `known` are the words of the sources and of the asker, `removed` what stands in place of an address, `unwanted` the
    names of items that were not chosen, and `told` capitalised words of what the catalogue says of any item.
    """

    known: str
    removed: str
    unwanted: Collection[str]
    told: Collection[str] = ()

    def is_offer(self, sentence: str) -> bool:
        """Whether a sentence may not stay."""
        if LINK_SIGN in sentence or self.removed in sentence or any(_has(name, sentence) for name in self.unwanted):
            return True
        cited = CITED.search(sentence)
        if PRODUCT_ID.search(sentence) and not cited:
            return True
        if self._has_unknown_sum(sentence) and (_FOREIGN_MONEY.search(sentence) or _PRICES.search(sentence)):
            return True
        unknown = [name for name in _NAME.findall(sentence) if not self._may_be_named(name)]
        if not unknown:
            return False
        sells, refers = _SELLS.search(sentence), _REFERS.search(sentence)
        # A source that is cited may have a public body by another name, so that only who sells is unwanted then.
        return bool(sells or (refers and (not cited or any(name in self.told for name in unknown))))

    def is_product(self, line: str) -> bool:
        """Whether a line is written as a product is, a name and its price, and no source names it."""
        match = _AS_PRODUCT.fullmatch(line)
        if match is None or match["name"].casefold() in self.known.casefold():
            return False
        return bool(_AS_PRICE.search(match["price"]) or self._has_unknown_sum(match["price"]))

    def _has_unknown_sum(self, text: str) -> bool:
        known = {_digits(amount) for amount in AMOUNT.findall(self.known)}
        return any(_digits(amount) not in known for amount in AMOUNT.findall(text))

    def _may_be_named(self, name: str) -> bool:
        plain = name.casefold()
        return plain in _COMMON or bool(_ACT.search(plain)) or plain in self.known.casefold()


def names_in(texts: Iterable[str]) -> frozenset[str]:
    """Return the capitalised words of some texts that do not begin a sentence."""
    return frozenset(name for text in texts for name in _NAME.findall(text))


def _has(name: str, sentence: str) -> bool:
    """Whether a sentence has a name as it is written, or in capitals; in other letters it is another word."""
    return any(re.search(rf"(?<!\w){re.escape(form)}(?!\w)", sentence) for form in (name, name.upper()))


def _digits(amount: str) -> str:
    return re.sub(r"\D", "", amount)
