"""A table of contents from divisions and sections."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from lovsvar_contracts.law import StructureKind
from lovsvar_contracts.search import OutlineEntry, OutlineNode


@dataclass(frozen=True, slots=True)
class Division:
    """A division as stored; `parent` is the position of the enclosing one."""

    position: int
    parent: int | None
    kind: StructureKind
    name: str
    title: str


@dataclass(frozen=True, slots=True)
class Placed:
    """A section and the position of the innermost division that holds it."""

    division: int | None
    entry: OutlineEntry


def build_outline(
    divisions: Sequence[Division], sections: Sequence[Placed]
) -> tuple[tuple[OutlineEntry, ...], tuple[OutlineNode, ...]]:
    """Return the sections outside any division, and the outermost divisions with all they hold.

    Both inputs are in reading order, and so is the result. A section or division whose parent is not
    there is treated as outermost, so that nothing is lost.
    """
    known = {division.position for division in divisions}
    entries: dict[int | None, list[OutlineEntry]] = defaultdict(list)
    for section in sections:
        entries[section.division if section.division in known else None].append(section.entry)
    children: dict[int | None, list[Division]] = defaultdict(list)
    for division in divisions:
        # A parent always comes before what it holds; anything else would make a circle.
        inside = division.parent in known and division.parent is not None and division.parent < division.position
        children[division.parent if inside else None].append(division)

    def node(division: Division) -> OutlineNode:
        inner = tuple(node(child) for child in children[division.position])
        own = tuple(entries[division.position])
        tokens = sum(entry.tokens for entry in own) + sum(child.tokens for child in inner)
        return OutlineNode(
            kind=division.kind, name=division.name, title=division.title, tokens=tokens, provisions=own, children=inner
        )

    return tuple(entries[None]), tuple(node(division) for division in children[None])
