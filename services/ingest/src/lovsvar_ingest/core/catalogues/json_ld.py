"""Items of a JSON-LD feed: what is a schema.org `Product` or `Service`, in lists, graphs and offers."""

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import IO, Any

from lovsvar_ingest.core.catalogues.items import LARGEST_ITEM, RawItem
from lovsvar_ingest.core.catalogues.json_lines import parse_json
from lovsvar_ingest.core.catalogues.prices import price_in_words
from lovsvar_ingest.core.errors import SourceUnreadable

DEPTH = 16
"""Levels of lists and graphs; what is deeper is reported."""

_LISTS = ("@graph", "itemListElement", "item", "mainEntity", "hasOfferCatalog", "itemOffered")
"""What holds items, in a node that is none."""

_IDS = ("identifier", "sku", "productID", "gtin13", "@id", "url")
_WITHOUT = {"offers", "additionalProperty", "priceSpecification"}


def read_json_ld(file: IO[bytes], language: str) -> Iterator[RawItem]:
    """Yield the products and services. Raises `SourceUnreadable` when the feed is not JSON, or has none."""
    content = file.read()
    try:
        # A number that is none is a missing value: in a feed, an error would cost all items.
        feed = parse_json(content.decode("utf-8-sig"), lambda _: None)
    except (UnicodeDecodeError, ValueError) as exc:
        raise SourceUnreadable(f"Filen er ikke gyldig JSON: {exc}.") from exc
    number = 0
    for number, node in enumerate(_items(feed, DEPTH), 1):
        yield _item(node, number, len(content), language)
    if not number:
        raise SourceUnreadable("Filen har ingen Product eller Service etter schema.org.")


def _items(value: Any, depth: int) -> Iterator[Any]:
    """Yield the nodes that are items, and what stands in the place of one and is none."""
    if not depth or not isinstance(value, list | dict) or (isinstance(value, dict) and _is_item(value)):
        yield value
    elif isinstance(value, list):
        yield from chain.from_iterable(_items(each, depth - 1) for each in value)
    else:
        for key in _LISTS:
            if key in value:
                yield from _items(value[key], depth - 1)


def _is_item(node: Mapping[str, Any]) -> bool:
    types = node.get("@type", node.get("type"))
    names = types if isinstance(types, list) else [types]
    return any(isinstance(name, str) and name.endswith(("Product", "Service")) for name in names)


def _item(node: Any, number: int, offset: int, language: str) -> RawItem:
    if not isinstance(node, dict):
        return RawItem(number, offset, reason="ikke et JSON-objekt")
    try:
        if len(str(node)) > LARGEST_ITEM:
            return RawItem(number, offset, reason=f"tilbudet har mer enn {LARGEST_ITEM} tegn")
        return RawItem(number, offset, _values(node, language))
    except RecursionError:
        return RawItem(number, offset, reason="tilbudet har for mange nivåer")


def _values(node: Mapping[str, Any], language: str) -> dict[str, Any]:
    """Return the item by plain names, with `id`, `price`, `category`, `problems` and its further properties."""
    plain = {key: _plain(value, language) for key, value in node.items() if key not in _WITHOUT and key[:1] != "@"}
    plain.pop("type", None) if "@type" not in node else None
    plain.setdefault("id", next((found for key in _IDS if (found := _plain(node.get(key), language))), None))
    plain.setdefault("price", _price(node, language))
    plain.setdefault("category", plain.get("serviceType") or plain.get("additionalType"))
    for each in _list(node.get("additionalProperty")):
        if isinstance(each, dict) and isinstance(name := each.get("name"), str):
            plain.setdefault(name, _plain(each.get("value"), language))
    return {key: value for key, value in plain.items() if value not in (None, "", [])}


def _plain(value: Any, language: str) -> Any:
    """Return a value as text or a list of texts: that in the catalogue's language, the name of a node."""
    if isinstance(value, list):
        tagged = [each for each in value if isinstance(each, dict) and each.get("@language")]
        if tagged:
            own = [each for each in tagged if str(each["@language"]).lower().split("-")[0] == language]
            return _plain((own or tagged)[0], language)
        texts = [_plain(each, language) for each in value]
        return texts[0] if len(texts) == 1 else texts
    if isinstance(value, dict):
        for key in ("@value", "name", "value", "url", "@id"):
            if isinstance(found := value.get(key), str | int | float):
                return found
        return None
    return value


def _price(node: Mapping[str, Any], language: str) -> str | None:
    """Return the price of the first offer that has one, in words."""
    for offer in (*_list(node.get("offers")), node):
        if not isinstance(offer, dict):
            continue
        for holder in (offer, *(each for each in _list(offer.get("priceSpecification")) if isinstance(each, dict))):
            price = holder.get("price", holder.get("lowPrice", holder.get("minPrice")))
            if price in (None, "") or isinstance(price, dict | list | bool):
                continue
            currency = holder.get("priceCurrency") or offer.get("priceCurrency") or ""
            try:
                amount = float(price)
            except ValueError:
                return str(price)
            if 0 <= amount < 1e12:
                return price_in_words(amount, str(currency)[:10], language)
    return None


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]
