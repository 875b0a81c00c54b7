"""A provision as HTML: its blocks with anchors, marked quotes, and links."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise

from markupsafe import Markup, escape

from lovsvar_contracts.law import Block, BlockKind, Provision
from lovsvar_gateway.core.mentions import given_links, links_in

Span = tuple[int, int]

QUOTED = "sitert"  # id of the first of the marked words

_SPACES = re.compile(r"\s+")


@dataclass(frozen=True)
class Shown:
    """A block to show. `words` is escaped HTML, `anchor` the id of a ledd."""

    kind: BlockKind
    words: Markup
    anchor: str = ""
    columns: int = 1
    rows: int = 1
    children: tuple["Shown", ...] = ()


def find_quote(provision: Provision, quoted: str) -> Span | None:
    """Return the place of `quoted` in the provision's text, white space aside; None without one."""
    words = _SPACES.sub(" ", quoted).strip()
    if not words:
        return None
    pattern = r"\s+".join(re.escape(word) for word in words.split(" "))
    found = re.search(pattern, provision.text) or re.search(pattern, provision.text, re.IGNORECASE)
    return found.span() if found else None


def show_provision(
    provision: Provision, marked: Span | None = None, own: Mapping[str, str] | None = None
) -> tuple[Shown, ...]:
    """Return the provision's blocks; one without blocks is shown by the lines of its text.

    `marked` are offsets in its text; `own` the document's sections, to which mentions of them lead.
    """
    return _View(provision, marked, own or {}).shown()


class _View:
    """Walks blocks and the stored text together, so that offsets in one are places in the other."""

    def __init__(self, provision: Provision, marked: Span | None, own: Mapping[str, str]) -> None:
        self._provision = provision
        self._marked = marked
        self._cursor = 0
        self._given = given_links(provision)
        self._own = own
        self._anchor = Markup(f' id="{QUOTED}"')  # noqa: S704

    def shown(self) -> tuple[Shown, ...]:
        if self._provision.blocks:
            return self._blocks(self._provision.blocks)
        lines = (line for line in self._provision.text.splitlines() if line.strip())
        return tuple(Shown(BlockKind.PARAGRAPH, self._words(line)) for line in lines)

    def _blocks(self, blocks: Iterable[Block]) -> tuple[Shown, ...]:
        return tuple(self._block(block) for block in blocks)

    def _block(self, block: Block) -> Shown:
        label = escape(f"{block.label} ") if block.label else Markup()
        if label:
            label = Markup('<span class="label">{}</span>').format(label)
        words = label + self._words(block.text)
        anchor = f"{self._provision.section}/ledd/{block.ledd}" if block.ledd else ""
        return Shown(block.kind, words, anchor, block.columns, block.rows, self._blocks(block.children))

    def _words(self, text: str) -> Markup:
        """Return `text` with its mark and links. A mark may split a link."""
        if not text:
            return Markup()
        begin, end = self._local_mark(text)
        links = list(links_in(text, self._given, self._own))
        cuts = sorted({0, len(text), begin, end, *(at for link in links for at in (link.start, link.end))})
        pieces = Markup()
        for start, stop in pairwise(cuts):
            piece = escape(text[start:stop])
            href = next((link.href for link in links if link.start <= start < link.end), None)
            if href:
                piece = Markup('<a href="{}">{}</a>').format(href, piece)
            if begin <= start < end:
                piece = Markup("<mark{}>{}</mark>").format(self._take_anchor(), piece)
            pieces += piece
        return pieces

    def _take_anchor(self) -> Markup:
        """Return the id attribute of the first mark, once."""
        anchor, self._anchor = self._anchor, Markup()
        return anchor

    def _local_mark(self, text: str) -> Span:
        """Return the place of the mark in `text`, (0, 0) without one."""
        at = self._provision.text.find(text, self._cursor) if self._marked else -1
        if self._marked is None or at < 0:
            return 0, 0
        self._cursor = at + len(text)
        begin, end = max(self._marked[0] - at, 0), min(self._marked[1] - at, len(text))
        return (begin, end) if begin < end else (0, 0)
