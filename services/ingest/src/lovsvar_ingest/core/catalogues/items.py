"""The items of a catalogue as they are read from a file, before they are checked."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

LARGEST_ITEM = 262_144
"""Bytes of one item; a larger one is reported and left out."""


@dataclass(frozen=True)
class ItemLimits:
    """The most that is read of a catalogue: bytes, items, and seconds for all of a sync."""

    size: int = 100_000_000
    items: int = 200_000
    seconds: float = 600.0


@dataclass(frozen=True, slots=True)
class RawItem:
    """One item. `line` is where it begins, from 1; in a JSON-LD feed it is the number of the item.

    `offset` is the number of bytes up to its end. `reason` says why it cannot be read; it then has no values.
    """

    line: int
    offset: int
    values: Mapping[str, Any] = field(default_factory=dict)
    reason: str = ""
