"""An item as it is indexed, and the numbers by which items are known."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b
from typing import Any


@lru_cache(maxsize=200_000)
def place_number(group: str, key: str = "") -> int:
    """Return the number by which indexes know an item, or a group when no key is given."""
    return int.from_bytes(blake2b(f"{group}#{key}".encode(), digest_size=8).digest(), "big") >> 1


@dataclass(frozen=True, slots=True)
class Item:
    """What is found: a provision, a product. `group` and `key` name it; items of a group change together.

    `texts` are values by field, `filters` values by filter, `columns` numbers of 0 or more by column. `prior` is what
    its score by words is multiplied by, from 0.25 to 1.25; `tier` its class, from 0, where a collection has classes.
    `stored` is JSON data. `language` "" is the collection's first.
    """

    group: str
    key: str
    texts: Mapping[str, Sequence[str]]
    stored: Any
    filters: Mapping[str, Sequence[str | int | bool]] = field(default_factory=dict)
    columns: Mapping[str, int] = field(default_factory=dict)
    prior: float = 1.0
    tier: int = 0
    language: str = ""
