"""A provision as a page shows it: blocks with anchors, marked quotes and links.

Lovdata's data links one mention of a section in twenty. The others become links where they plainly mean a section of
the same document that exists, or where an act's name comes right before them; which act that is, is resolved when the
link is followed.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from urllib.parse import quote

from markupsafe import Markup, escape

from lovsvar_contracts.identifiers import section_key
from lovsvar_contracts.law import Block, BlockKind, Provision
from lovsvar_gateway.core.defined_terms import Terms
from lovsvar_gateway.core.typography import as_printed
from lovsvar_legaltext.mentions import find_mentions

REFERENCE = "/henvisning"  # the address that redirects to what a written reference, its `ref`, names
QUOTED = "sitert"  # id of the first of the marked words

Span = tuple[int, int]

_SPACES = re.compile(r"\s+")
_FIGURE = re.compile(r"[\d(–-]")
_BULLETS: Mapping[str | None, str] = {"-": "–", None: "•"}


@dataclass(frozen=True)
class TextLink:
    """A piece of text, by its offsets, that leads to `href`. `meaning` is that of a term, where it is one."""

    start: int
    end: int
    href: str
    meaning: str = ""


def sections_of(provisions: Iterable[Provision]) -> Mapping[str, str]:
    """Return the names of a document's sections by the form in which they are compared."""
    return {section_key(p.section): p.section for p in provisions}


def given_links(provision: Provision) -> Mapping[str, str]:
    """Return the address of each paragraph that the law itself links, by its compared name, where it is one address."""
    targets: dict[str, set[tuple[str, str]]] = {}
    for ref in provision.refs:
        refid, mark, rest = ref.partition("/§")
        if mark:
            section = "§" + rest.split("/")[0]
            targets.setdefault(section_key(section), set()).add((refid, section))
    return {
        key: f"#{quote(section)}" if refid == provision.refid else f"/{refid}#{quote(section)}"
        for key, found in targets.items()
        if len(found) == 1
        for refid, section in found
    }


def links_in(text: str, given: Mapping[str, str], own: Mapping[str, str]) -> Iterator[TextLink]:
    """Yield the links of `text`: those `given` by the law itself, to `own` sections, and to acts that are named."""
    for mention in find_mentions(text):
        longest = mention.numbers[0]
        for number in mention.numbers:
            key = section_key(f"§{number}")
            href = given.get(key) or (f"#{quote(own[key])}" if mention.own and key in own else None)
            if href is None and mention.act and len(mention.numbers) == 1:
                href = f"{REFERENCE}?ref={quote(f'{mention.act} § {number}')}"
            if href:
                yield TextLink(mention.start, mention.end - len(longest) + len(number), href)
                break


@dataclass(frozen=True)
class Shown:
    """A block to show. `words` is escaped HTML, `anchor` the id of a ledd.

    `headed` is whether a table's first row is its head.
    """

    kind: BlockKind
    words: Markup
    anchor: str = ""
    columns: int = 1
    rows: int = 1
    children: tuple["Shown", ...] = ()
    headed: bool = False


def find_quote(provision: Provision, quoted: str) -> Span | None:
    """Return the place of `quoted` in the provision's text, white space aside; None without one."""
    words = _SPACES.sub(" ", quoted).strip()
    if not words:
        return None
    pattern = r"\s+".join(re.escape(word) for word in words.split(" "))
    found = re.search(pattern, provision.text) or re.search(pattern, provision.text, re.IGNORECASE)
    return found.span() if found else None


def show_provision(
    provision: Provision,
    marked: Span | None = None,
    own: Mapping[str, str] | None = None,
    terms: Terms | None = None,
) -> tuple[Shown, ...]:
    """Return the provision's blocks; one without blocks is shown by the lines of its text.

    `marked` are offsets in its text; `own` the document's sections, to which mentions of them lead, and `terms` what it
    defines.
    """
    return _View(provision, marked, own or {}, terms or Terms(())).shown()


def is_headed(table: Block) -> bool:
    """Whether the first row of a table is its head: words above a column of figures."""
    first, *others = table.children or (table,)
    if not others or len(first.children) < 2 or any(_FIGURE.search(cell.text) for cell in first.children):
        return False
    columns = [[row.children[at].text for row in others if at < len(row.children)] for at in range(len(first.children))]
    return any(column and all(map(_FIGURE.match, column)) for column in columns)


class _View:
    """Walks blocks and the stored text together, so that offsets in one are places in the other."""

    def __init__(self, provision: Provision, marked: Span | None, own: Mapping[str, str], terms: Terms) -> None:
        self._provision = provision
        self._terms = terms
        self._explained: set[str] = set()
        self._marked = marked
        self._cursor = 0
        self._given = given_links(provision)
        self._own = own
        self._anchor = Markup(f' id="{QUOTED}"')  # noqa: S704 - of the first mark alone

    def shown(self) -> tuple[Shown, ...]:
        if self._provision.blocks:
            return tuple(map(self._block, self._provision.blocks))
        lines = (line for line in self._provision.text.splitlines() if line.strip())
        return tuple(Shown(BlockKind.PARAGRAPH, self._words(line)) for line in lines)

    def _block(self, block: Block) -> Shown:
        # A sign of its own stands at the text already.
        unlabelled = block.kind is BlockKind.LIST_ITEM and not block.label and block.text[:1].isalnum()
        sign = _BULLETS.get(block.label, block.label) if block.label or unlabelled else None
        label = Markup('<span class="label">{} </span>').format(sign) if sign else Markup()
        words = label + self._words(block.text)
        anchor = f"{self._provision.section}/ledd/{block.ledd}" if block.ledd else ""
        headed = block.kind is BlockKind.TABLE and is_headed(block)
        children = tuple(map(self._block, block.children))
        return Shown(block.kind, words, anchor, block.columns, block.rows, children, headed)

    def _words(self, text: str) -> Markup:
        """Return `text` with its mark and links. A mark may split a link."""
        if not text:
            return Markup()
        begin, end = self._local_mark(text)
        links = list(links_in(text, self._given, self._own))
        explained = self._explanations(text)
        links += [one for one in explained if all(one.end <= link.start or link.end <= one.start for link in links)]
        cuts = sorted({0, len(text), begin, end, *(at for link in links for at in (link.start, link.end))})
        printed, pieces = as_printed(text), Markup()
        for start, stop in pairwise(cuts):
            piece = escape("".join(printed[start:stop]))
            link = next((link for link in links if link.start <= start < link.end), None)
            if link and link.meaning:
                piece = Markup('<a class="term" href="{}" title="{}">{}</a>').format(link.href, link.meaning, piece)
            elif link:
                piece = Markup('<a href="{}">{}</a>').format(link.href, piece)
            if begin <= start < end:
                piece, self._anchor = Markup("<mark{}>{}</mark>").format(self._anchor, piece), Markup()
            pieces += piece
        return pieces

    def _explanations(self, text: str) -> Iterator[TextLink]:
        for start, end, term in self._terms.uses(text, self._provision.position, self._explained):
            yield TextLink(start, end, f"#{quote(term.section)}", term.meaning)

    def _local_mark(self, text: str) -> Span:
        """Return the place of the mark in `text`, (0, 0) without one."""
        at = self._provision.text.find(text, self._cursor) if self._marked else -1
        if self._marked is None or at < 0:
            return 0, 0
        self._cursor = at + len(text)
        begin, end = max(self._marked[0] - at, 0), min(self._marked[1] - at, len(text))
        return (begin, end) if begin < end else (0, 0)
