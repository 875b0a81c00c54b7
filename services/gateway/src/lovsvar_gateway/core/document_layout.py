"""How a document is laid out for reading: its provisions under the headings they stand under."""

from collections.abc import Iterable
from dataclasses import dataclass

from lovsvar_contracts.law import Provision


@dataclass(frozen=True)
class Heading:
    """A heading that begins a division. `level` counts from 0, `anchor` is unique in the document."""

    title: str
    level: int
    anchor: str


@dataclass(frozen=True)
class Division:
    """Provisions that stand together, below the headings that begin with the first of them."""

    headings: tuple[Heading, ...]
    provisions: tuple[Provision, ...]


def lay_out(provisions: Iterable[Provision]) -> list[Division]:
    """Return `provisions`, which are in reading order, under their headings; a heading stands once."""
    groups: list[tuple[tuple[str, ...], list[Provision]]] = []
    for provision in provisions:
        if not groups or groups[-1][0] != provision.path:
            groups.append((provision.path, []))
        groups[-1][1].append(provision)
    divisions: list[Division] = []
    above: tuple[str, ...] = ()
    for number, (path, members) in enumerate(groups):
        divisions.append(Division(_new_headings(above, path, number), tuple(members)))
        above = path
    return divisions


def _new_headings(above: tuple[str, ...], path: tuple[str, ...], number: int) -> tuple[Heading, ...]:
    """Return the headings of `path` that do not go on from `above`."""
    shared = 0
    while shared < min(len(above), len(path)) and above[shared] == path[shared]:
        shared += 1
    return tuple(
        Heading(title=path[level], level=level, anchor=f"del-{number}-{level}") for level in range(shared, len(path))
    )
