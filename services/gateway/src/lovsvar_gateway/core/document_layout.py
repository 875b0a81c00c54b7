"""The layout of a document: its provisions under their headings, in leaves for painting, and its contents.

A browser lays out and paints only the leaves that are near the window. Each has an estimate of its height, so that the
page does not jump when it is painted.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby, takewhile

from lovsvar_contracts.law import Provision, ProvisionKind

LEAF = 5_000
"""Characters of a leaf, where provisions allow it."""

ROW_CHARACTERS = 82
"""Characters of a line of text in a wide window."""

ROWS, MOST_ROWS = 8, 30
"""Lines for each step of the classes `rows-1` and up, and the last of these; see `document.css`."""

FOLD_FROM = 150
"""Links from which the contents of a document are folded below its headings."""


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


@dataclass(frozen=True)
class Leaf:
    """A part of a document that is painted as one. `rows` is its estimated height, in steps of `ROWS` lines."""

    divisions: tuple[Division, ...]
    rows: int


@dataclass
class Contents:
    """An entry of a table of contents: a heading with its provisions, and the headings below it."""

    heading: Heading | None = None
    provisions: list[Provision] = field(default_factory=list)
    children: list["Contents"] = field(default_factory=list)

    @property
    def links(self) -> int:
        """Links of the entry and everything below it."""
        return bool(self.heading) + len(self.provisions) + sum(child.links for child in self.children)

    @property
    def span(self) -> str:
        """The first and last of its own provisions: '§ 3-1–§ 3-12'."""
        values = [provision.value for provision in self.provisions if provision.value]
        return "–".join(dict.fromkeys([*values[:1], *values[-1:]]))


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


def cut_leaves(divisions: Sequence[Division]) -> list[Leaf]:
    """Return the divisions cut into leaves: between provisions, and before headings where a leaf is half full."""
    leaves: list[list[Division]] = []
    size = LEAF
    for division in divisions:
        headings = division.headings
        for provision in division.provisions:
            if size >= LEAF or (headings and 2 * size >= LEAF):
                leaves.append([])
                size = 0
            if headings or not leaves[-1]:
                leaves[-1].append(Division(headings, (provision,)))
            else:
                last = leaves[-1].pop()
                leaves[-1].append(Division(last.headings, (*last.provisions, provision)))
            headings = ()
            size += len(provision.text)
    return [Leaf(tuple(leaf), _rows(leaf)) for leaf in leaves]


def contents_of(divisions: Iterable[Division]) -> Contents:
    """Return the table of contents. In a document without provisions, texts with headings are in their place."""
    divisions = list(divisions)
    kinds = {provision.kind for division in divisions for provision in division.provisions}
    listed = ProvisionKind.PROVISION if ProvisionKind.PROVISION in kinds else ProvisionKind.TEXT
    root = Contents()
    above: list[Contents] = [root]
    for division in divisions:
        for heading in division.headings:
            del above[heading.level + 1 :]
            entry = Contents(heading)
            above[-1].children.append(entry)
            above.append(entry)
        depth = len(division.provisions[0].path)
        del above[depth + 1 :]
        above[-1].provisions += [p for p in division.provisions if p.kind is listed and (p.value or p.title)]
    return root


def _rows(divisions: Iterable[Division]) -> int:
    rows = 0.0
    for division in divisions:
        rows += 3 * len(division.headings)
        for provision in division.provisions:
            lines = provision.text.split("\n")
            rows += 3 + bool(provision.notes) + sum(0.3 + math.ceil(len(line) / ROW_CHARACTERS) for line in lines)
    return min(max(math.ceil(rows / ROWS), 1), MOST_ROWS)
