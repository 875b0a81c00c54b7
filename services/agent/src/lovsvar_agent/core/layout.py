"""Where a provision's blocks are in its stored text.

The stored text holds the blocks in reading order, each on its own line with its label. Lines and ledd
are found by walking text and blocks together, so that a quote's place can be said in both.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from lovsvar_contracts.law import Block, BlockKind, Provision

_ITEM_LABEL = re.compile(r"(?:\([a-zæøå0-9]{1,3}\)|[a-zæøå]{1,2}[.)]|\d{1,2}[.)]|[ivx]{1,4}[.)]|[-–—•])\s+")
_LEDD_LABEL = re.compile(r"\(\d+\s?[a-z]?\)\s+")
_LINE = re.compile(r"\S(?:.*\S)?")
_QUOTABLE = frozenset({BlockKind.LEDD, BlockKind.LIST_ITEM, BlockKind.PARAGRAPH})


@dataclass(frozen=True)
class Line:
    """One line of stored text: `start` and `end` are offsets in it, and the words begin at `body`."""

    start: int
    body: int
    end: int
    kind: BlockKind
    ledd: int | None


def lines(provision: Provision) -> tuple[Line, ...]:
    """Return the lines of the stored text that hold words, in order, with kind and ledd (from 1)."""
    text = provision.text
    placed = _place(provision)
    starts = [offset for offset, _, _ in placed]
    found = []
    for start, end in (line.span() for line in _LINE.finditer(text)):
        at = bisect_right(starts, end - 1) - 1
        kind, ledd = (placed[at][1], placed[at][2]) if at >= 0 else (_guess(text[start:end]), None)
        found.append(Line(start, _body(text, start, end, kind), end, kind, ledd))
    return tuple(found)


def ledd_at(provision: Provision, offset: int) -> int | None:
    """Return the ledd that holds `offset` of the stored text, or None outside any."""
    return next((line.ledd for line in lines(provision) if offset <= line.end), None)


def is_quotable(line: Line) -> bool:
    """Whether a line is running law text; headings, tables, formulas and footnotes are not."""
    return line.kind in _QUOTABLE


def _place(provision: Provision) -> list[tuple[int, BlockKind, int | None]]:
    """Return (offset, kind, ledd) of each block that is found in the stored text, in order."""
    placed = []
    cursor = 0
    for block, ledd in _walk(provision.blocks, None):
        offset = provision.text.find(block.text, cursor) if block.text else -1
        if offset >= 0:
            placed.append((offset, block.kind, ledd))
            cursor = offset + len(block.text)
    return placed


def _walk(blocks: tuple[Block, ...], within: int | None) -> Iterator[tuple[Block, int | None]]:
    for block in blocks:
        ledd = within if within is not None else block.ledd
        yield block, ledd
        yield from _walk(block.children, ledd)


def _guess(line: str) -> BlockKind:
    return BlockKind.LIST_ITEM if _ITEM_LABEL.match(line) and not _LEDD_LABEL.match(line) else BlockKind.LEDD


def _body(text: str, start: int, end: int, kind: BlockKind) -> int:
    label = (_ITEM_LABEL if kind is BlockKind.LIST_ITEM else _LEDD_LABEL).match(text, start, end)
    return label.end() if label else start
