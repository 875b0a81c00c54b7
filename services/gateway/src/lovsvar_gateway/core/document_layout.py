"""The layout of a document for reading: its provisions under their headings."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby, takewhile

from lovsvar_contracts.law import Provision


@dataclass(frozen=True)
class Heading:
    """A heading that begins a division. `level` counts from 0, `anchor` is unique in the document."""

    title: str
    level: int
    anchor: str


@dataclass(frozen=True)
class Division:
    """Provisions of one path, below the headings that begin with the first of them."""

    headings: tuple[Heading, ...]
    provisions: tuple[Provision, ...]


def lay_out(provisions: Iterable[Provision]) -> list[Division]:
    """Return `provisions`, which are in reading order, under their headings; each heading comes once."""
    divisions: list[Division] = []
    above: tuple[str, ...] = ()
    for number, (path, members) in enumerate(groupby(provisions, key=lambda provision: provision.path)):
        shared = len(list(takewhile(lambda pair: pair[0] == pair[1], zip(above, path, strict=False))))
        levels = range(shared, len(path))
        headings = tuple(Heading(path[level], level, f"del-{number}-{level}") for level in levels)
        divisions.append(Division(headings, tuple(members)))
        above = path
    return divisions
