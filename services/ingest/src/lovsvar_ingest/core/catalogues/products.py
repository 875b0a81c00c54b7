"""Items as they are stored: what is required of one, its limits, and the texts of it that are embedded."""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from lovsvar_ingest.core.catalogues.definition import CatalogueDefinition
from lovsvar_ingest.core.catalogues.items import RawItem
from lovsvar_ingest.core.catalogues.links import LinkRefused, checked_link
from lovsvar_ingest.core.catalogues.prices import amount_of, price_in_words
from lovsvar_ingest.core.catalogues.texts import clean, cut

ID, NAME, DESCRIPTION, PRICE, CATEGORY, PROBLEM = 200, 300, 5_000, 120, 200, 300
KEY, VALUE = 100, 1_000
"""The most characters of each; what is longer is cut, but for an id, which is refused."""

PROBLEMS, ATTRIBUTES, VALUES = 50, 50, 50
"""The most of each that an item has; further ones are left out."""

EMBEDDED = 1_500
"""Characters of name and description that are embedded: about what a model reads of a text."""

DEPTH = 3
"""Levels of nested attributes that are read."""

_PARTS = (re.compile(r"[\r\n|]+"), re.compile(";"), re.compile(","))
"""What parts the problems of one cell, the first that it holds. Space around it is removed from the parts, since a
pattern that looks for it takes the square of its length."""


class ItemRefused(Exception):
    """An item is not stored, for a reason in words for who keeps the catalogue. `product_id` is its id, if known."""

    def __init__(self, reason: str, product_id: str = "") -> None:
        super().__init__(reason)
        self.product_id = product_id


@dataclass(frozen=True, slots=True)
class StoredProduct:
    """An item as it is stored. All texts are plain and bounded; `url` is empty or leads to the catalogue's hosts."""

    product_id: str
    name: str
    description: str
    price: str
    amount: float | None
    url: str
    category: str
    problems: tuple[str, ...]
    attributes: Mapping[str, str | list[str]]

    @property
    def content_hash(self) -> str:
        """The hash of all that is stored of it."""
        parts = [getattr(self, name) for name in self.__slots__]
        return hashlib.sha256(json.dumps(parts, ensure_ascii=False, sort_keys=True).encode()).hexdigest()

    def passages(self) -> Iterator[tuple[int, str, str]]:
        """Yield what is embedded of it: number, hash and text. 0 is its name and description, the rest its problems."""
        first = f"{self.name}\n{self.description}".strip()
        texts = [cut(first, EMBEDDED) if len(first) > EMBEDDED else first, *self.problems]
        return ((number, passage_hash(text), text) for number, text in enumerate(texts))


def passage_hash(text: str) -> str:
    """Return the hash of a product's text.

    No question or passage of the law has it, even with the same words: those are other kinds of vectors.
    """
    return hashlib.sha256(f"product\n{text}".encode()).hexdigest()


@dataclass(slots=True)
class ProductReader:
    """Makes products of the items of one catalogue. Of items with one id the first counts."""

    definition: CatalogueDefinition
    seen: set[str] = field(default_factory=set)

    def read(self, item: RawItem) -> tuple[StoredProduct, str]:
        """Return the product, and a remark on it, or "". Raises `ItemRefused`.

        A link that may not be shown is left out, which the remark says; the product is still one.
        """
        values, fields, hosts = item.values, self.definition.fields, self.definition.link_hosts
        if item.reason:
            raise ItemRefused(item.reason)
        product_id = self._id(values)
        try:
            name = clean(_text(values, fields.name), NAME, hosts)
            if not name:
                raise ItemRefused(f"navnet («{fields.name}») mangler")
            price, amount = self._price(values)
            url, remark = self._link(values)
            product = StoredProduct(
                product_id=product_id,
                name=name,
                description=clean(_text(values, fields.description), DESCRIPTION, hosts),
                price=price,
                amount=amount,
                url=url,
                category=clean(_text(values, fields.category), CATEGORY, hosts),
                problems=self._problems(values),
                attributes=self._attributes(values),
            )
        except ItemRefused as exc:
            raise ItemRefused(str(exc), product_id) from exc
        self.seen.add(product_id)
        return product, remark

    def _id(self, values: Mapping[str, Any]) -> str:
        key = self.definition.fields.id
        written = _text(values, key)
        product_id = clean(written, ID + 1, None)  # it may be an address, and leads nowhere
        if not product_id:
            raise ItemRefused(f"id («{key}») mangler")
        if len(product_id) > ID:
            raise ItemRefused(f"id («{key}») har mer enn {ID} tegn")
        if product_id in self.seen:
            raise ItemRefused(f"id {product_id[:60]} er brukt lenger opp; den første gjelder", product_id)
        return product_id

    def _price(self, values: Mapping[str, Any]) -> tuple[str, float | None]:
        definition = self.definition
        value = values.get(definition.fields.price)
        if isinstance(value, int | float) and not isinstance(value, bool):
            if not 0 <= value < 1e12:
                raise ItemRefused(f"prisen («{definition.fields.price}») er ikke et beløp")
            return price_in_words(float(value), "", definition.language), float(value)
        words = clean(_text(values, definition.fields.price), PRICE, definition.link_hosts)
        return (words, amount_of(words)) if words else (definition.without_price, None)

    def _link(self, values: Mapping[str, Any]) -> tuple[str, str]:
        hosts = self.definition.link_hosts
        link = _text(values, self.definition.fields.url)
        if not hosts or not link.strip():
            return "", ""
        try:
            return checked_link(link, hosts), ""
        except LinkRefused as exc:
            return "", f"{exc}; tilbudet er lagret uten lenke"

    def _problems(self, values: Mapping[str, Any]) -> tuple[str, ...]:
        key = self.definition.fields.problems
        value = values.get(key)
        parts = value if isinstance(value, list) else _parted(_text(values, key))
        texts = [_as_text(part) for part in parts[: 2 * PROBLEMS]]
        if None in texts:
            raise ItemRefused(f"«{key}» må være tekst eller en liste av tekster")
        cleaned = (clean(text or "", PROBLEM, self.definition.link_hosts) for text in texts)
        return tuple(dict.fromkeys(filter(None, cleaned)))[:PROBLEMS]

    def _attributes(self, values: Mapping[str, Any]) -> dict[str, str | list[str]]:
        fields, hosts = self.definition.fields, self.definition.link_hosts
        attributes: dict[str, str | list[str]] = {}
        for name, value in _leaves(values, {*fields.single}, {*fields.attributes}):
            if len(attributes) == ATTRIBUTES:
                break
            key = clean(name, KEY)
            if isinstance(value, list):
                texts = [clean(_as_text(each) or "", VALUE, hosts) for each in value[:VALUES]]
                cleaned: str | list[str] = [text for text in texts if text]
            else:
                cleaned = clean(_as_text(value) or "", VALUE, hosts)
            if key and cleaned:
                attributes.setdefault(key, cleaned)
        return attributes


def _leaves(
    values: Mapping[str, Any], left_out: set[str], lifted: set[str], depth: int = DEPTH, before: str = ""
) -> Iterator[tuple[str, Any]]:
    """Yield values by name, nested ones as `a.b`; those below a name in `lifted` by their own name alone."""
    for name, value in values.items():
        if name in left_out or name.startswith("@"):
            continue
        if isinstance(value, dict):
            if depth:
                inner = before if name in lifted else f"{before}{name}."
                yield from _leaves(value, set(), set(), depth - 1, inner)
        else:
            yield f"{before}{name}", value


def _text(values: Mapping[str, Any], key: str) -> str:
    """Return the text of a field, "" for a missing one. Raises `ItemRefused` for a value that is none."""
    value = values.get(key)
    if value is None:
        return ""
    if (text := _as_text(value)) is None:
        what = "en liste" if isinstance(value, list) else "et objekt" if isinstance(value, dict) else "et slikt tall"
        raise ItemRefused(f"«{key}» må være tekst, ikke {what}")
    return text


def _as_text(value: Any) -> str | None:
    """Return a single value as text; None for one that is made of others."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "ja" if value else "nei"
    if isinstance(value, int | float):
        if not abs(value) < 1e30:  # nor what is infinite
            return None
        # All digits, since it may be an id.
        return str(int(value)) if value == int(value) else repr(value)
    return "" if value is None else None


def _parted(cell: str) -> list[str]:
    for between in _PARTS:
        if between.search(cell.strip()):
            return between.split(cell.strip())
    return [cell]
