"""The form of the page of offers: words and filters of an address, and the request they make."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from lovsvar_contracts.catalogues import MAX_PRODUCTS, CatalogueId, FindProducts
from lovsvar_gateway.core.question_form import cleaned

PRICES = ("min_price", "max_price")
MAX_WORDS = 1_000
MAX_FIELD = 200

_PRICE = re.compile(r"\d{1,9}(?:[.,]\d{1,2})?", re.ASCII)
_CATALOGUE = re.compile(r"[a-z0-9][a-z0-9-]{1,39}")
_LINK = re.compile(r"https://[!#$%&'()*+,\-./0-9:;=?@A-Za-z_~]+")


@dataclass(frozen=True)
class OfferForm:
    """The fields as they were given. What is no price is kept, to be shown, and does not narrow."""

    given: Mapping[str, str]

    def __getitem__(self, name: str) -> str:
        return self.given.get(name, "")

    @property
    def query(self) -> str:
        """The words."""
        return self["q"]

    @property
    def catalogue(self) -> CatalogueId:
        """The catalogue that was chosen; empty for all."""
        return self["catalogue"]

    @property
    def category(self) -> str:
        """The category that was chosen; empty for all."""
        return self["category"]

    @property
    def refused(self) -> tuple[str, ...]:
        """The fields of prices whose value is none."""
        return tuple(name for name in PRICES if self[name] and _price(self[name]) is None)

    def request(self, *, among: CatalogueId | None) -> FindProducts:
        """Return the search `among` the items of one catalogue, or of all; a category is one of a catalogue."""
        return FindProducts(
            query=self.query,
            catalogues=(among,) if among else (),
            limit=MAX_PRODUCTS,
            category=(self.category or None) if among else None,
            **{name: _price(self[name]) for name in PRICES},
        )


def read_offers(given: Mapping[str, str]) -> OfferForm:
    """Return the fields without control characters, cut to what they may hold."""
    fields = {name: cleaned(value, MAX_WORDS if name == "q" else MAX_FIELD) for name, value in given.items()}
    return OfferForm(
        {name: value for name, value in fields.items() if name != "catalogue" or _CATALOGUE.fullmatch(value)}
    )


def offer_link(url: str) -> str:
    """Return an item's address where a page may link to it: https to a host alone, without a login. Else ""."""
    if not _LINK.fullmatch(url):
        return ""
    try:
        place = urlsplit(url)
    except ValueError:
        return ""
    return url if place.hostname and "@" not in place.netloc else ""


def _price(text: str) -> float | None:
    value = float(text.replace(",", ".")) if _PRICE.fullmatch(text) else math.nan
    return None if math.isnan(value) else value
