"""An element's mixed content as text and blocks.

Inline elements join without a separator, blocks never touch, line breaks are kept. White space is collapsed, soft
hyphens and zero-width spaces are dropped. The mark of a footnote is put in brackets: "beløp[1]".
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto

from lxml.etree import _Element

from lovsvar_contracts.law import BlockKind
from lovsvar_ingest.core.corpus import Block, plain_text

_BREAK = "\x1e"  # may not occur in XML
_UNSEEN = re.compile("[\u00ad\u200b\u200c\u2060\ufeff]")
_NUMBER = re.compile(r"\s*(\([^\s()]{1,8}\)|[^\s()]{1,8}\)?)(?:\s+|$)")
_PARENTHESIS = re.compile(r"\s*(\(\d{1,3}[a-zæøå]?\))")
_LEDD = re.compile(r"\((\d{1,3})\)")


class Mode(Enum):
    """The meaning of an element's paragraphs."""

    LEDD = auto()
    """Counted ledd: the element is a provision."""
    ITEM = auto()
    """The first is the own text of a list item, the others are its paragraphs."""
    PLAIN = auto()


@dataclass(slots=True)
class Aside:
    """The parts of a section that are not its text."""

    notes: list[str] = field(default_factory=list)
    footnotes: list[str] = field(default_factory=list)
    refs: dict[str, None] = field(default_factory=dict)
    """The targets of links, in order; a dictionary, since a text may have ten thousand."""


class Flow:
    """The content of one element: own text first, then blocks, in reading order."""

    __slots__ = ("_buffer", "_ledd", "aside", "blocks", "mode", "text")

    def __init__(self, aside: Aside, mode: Mode = Mode.PLAIN) -> None:
        self.aside = aside
        self.mode = mode
        self.text = ""
        self.blocks: list[Block] = []
        self._buffer: list[str] = []
        self._ledd = 0

    def read(self, element: _Element, skip: _Element | None = None) -> "Flow":
        """Read the content of `element` without its child `skip`, and return self."""
        self.gather(element, skip)
        self.flush()
        return self

    def as_blocks(self) -> list[Block]:
        """Return own text and blocks, the text as a paragraph."""
        return [Block(BlockKind.PARAGRAPH, self.text), *self.blocks] if self.text else self.blocks

    def as_text(self) -> str:
        """Return everything as plain text."""
        return plain_text(self.as_blocks())

    def text_of(self, element: _Element | None, skip: _Element | None = None) -> str:
        """Return the content of another element as plain text, its notes put with this flow's; "" for None."""
        if element is None:
            return ""
        # Not by `read`: deep documents need every frame of the stack.
        flow = Flow(self.aside)
        flow.gather(element, skip)
        flow.flush()
        return flow.as_text()

    def gather(self, element: _Element, skip: _Element | None = None) -> None:
        """Take in the content of `element`: inline text into the buffer, blocks to the blocks."""
        if element.text:
            self._buffer.append(element.text)
        for child in element:
            if child is not skip and isinstance(child.tag, str):
                self.take(child)
            if child.tail:
                self._buffer.append(child.tail)

    def take(self, element: _Element) -> None:
        """Take in `element` itself, by its class or its tag."""
        css = element.get("class")
        reader = (BY_CLASS.get(css) if css else None) or BY_TAG.get(element.tag) or Flow.gather_block
        if reader in JOINING:
            reader(self, element)
            return
        self.flush()
        reader(self, element)
        self.flush()

    def gather_block(self, element: _Element) -> None:
        """Take in the content of a block element."""
        self.gather(element)

    def put(self, text: str) -> None:
        """Take in inline text."""
        if text:
            self._buffer.append(text)

    def flush(self) -> None:
        """End the run of inline text: it is the element's own when it came first, else a paragraph."""
        if not self._buffer:
            return
        text = clean("".join(self._buffer))
        self._buffer.clear()
        if text and (self.text or self.blocks):
            self.blocks.append(Block(BlockKind.PARAGRAPH, text))
        elif text:
            self.text = text

    def paragraph(self, element: _Element) -> None:
        """Read a paragraph (`legalP`, `defaultP`, …)."""
        if self.mode is Mode.ITEM and not self.text and not self.blocks:
            self.gather(element)
            return
        inner = Flow(self.aside).read(element)
        if self.mode is Mode.LEDD and element.get("class") == "legalP" and (inner.text or inner.blocks):
            self._ledd += 1
            self.blocks.append(Block(BlockKind.LEDD, inner.text, None, self._ledd, inner.blocks))
        elif inner.text or inner.blocks:
            self.blocks.append(Block(BlockKind.PARAGRAPH, inner.text, children=inner.blocks))

    def numbered_paragraph(self, element: _Element) -> None:
        """Read a `numberedLegalP`, whose text begins with its number: "(2) …", "2. …"."""
        inner = Flow(self.aside).read(element)
        label, text = split_number(inner.text, element.get("data-numerator") or "")
        block = Block(BlockKind.PARAGRAPH, text, label or None, children=inner.blocks)
        if self.mode is Mode.LEDD:
            number = _LEDD.fullmatch(label)
            # The law's own number counts, even if an earlier ledd was repealed.
            self._ledd = max(self._ledd + 1, int(number[1])) if number else self._ledd + 1
            block.kind, block.ledd = BlockKind.LEDD, self._ledd
        self.blocks.append(block)


def clean(text: str) -> str:
    """Return `text` with white space collapsed, invisible characters dropped and line breaks kept."""
    if not text.isascii():
        text = _UNSEEN.sub("", text)
    if _BREAK not in text:
        return " ".join(text.split())
    return "\n".join(line for part in text.split(_BREAK) if (line := " ".join(part.split())))


def split_number(text: str, number: str) -> tuple[str, str]:
    """Return the `number` that `text` begins with, as printed, and the rest.

    Text without its number at the beginning gets the label "(number)", as Lovdata shows it.
    """
    match = _PARENTHESIS.match(text) or _NUMBER.match(text)
    if match and number and match[1].strip("().").casefold() == number.strip("().").casefold():
        return match[1], text[match.end() :].lstrip()
    return (f"({number})" if number else ""), text


def read_heading(element: _Element, aside: Aside) -> tuple[str, str]:
    """Return value ("§ 3-5") and title ("Depositum") of a provision's header; the full stop between is dropped."""
    flow, value = Flow(aside), child_of_class(element, "legalArticleValue")
    title = flow.text_of(element, value)
    return flow.text_of(value), title.lstrip(". \n")


def item_label(element: _Element) -> str:
    """Return the label of a list item, "a.", or ""."""
    return clean(element.get("data-li-identifier") or element.get("data-name") or "")


def child_of_class(element: _Element, css: str) -> _Element | None:
    """Return the first child of `element` whose class is `css`."""
    return next((child for child in element if child.get("class") == css), None)


def _break(flow: Flow, element: _Element) -> None:
    flow.put(_BREAK)
    flow.gather(element)


def _unseen(flow: Flow, element: _Element) -> None:
    """Images and scripts hold no text, and separate the words around them."""
    flow.put(" ")


def _reference_mark(flow: Flow, element: _Element) -> None:
    flow.put("[")
    flow.gather(element)
    flow.put("]")


def _link(flow: Flow, element: _Element) -> None:
    target = element.get("href", "")
    if target and not target.startswith("#") and ":" not in target:
        flow.aside.refs[target] = None
    flow.gather(element)


def _quoted(flow: Flow, element: _Element) -> None:
    """The text of another provision, in an amendment: its paragraphs are no ledd of this provision."""
    flow.blocks += Flow(flow.aside).read(element).as_blocks()


def _heading(flow: Flow, element: _Element) -> None:
    if text := flow.text_of(element):
        flow.blocks.append(Block(BlockKind.HEADING, text))


def _formula(flow: Flow, element: _Element) -> None:
    flow.blocks.append(Block(BlockKind.FORMULA, flow.text_of(element)))


def _list_item(flow: Flow, element: _Element) -> None:
    """A list item; a `marginIdArticle` has its label in the margin: `span.data-marginOriginalId`."""
    in_margin = element.get("class") == "marginIdArticle"
    margin = child_of_class(element, "data-marginOriginalId") if in_margin else None
    label = flow.text_of(margin) if in_margin else item_label(element)
    inner = Flow(flow.aside, Mode.ITEM).read(element, margin)
    flow.blocks.append(Block(BlockKind.LIST_ITEM, inner.text, label or None, children=inner.blocks))


def _proposed(flow: Flow, element: _Element) -> None:
    """A provision inside a provision: a future wording, or a nested article."""
    heading = child_of_class(element, f"{element.get('class')}Header")
    value, title = read_heading(heading, flow.aside) if heading is not None else ("", "")
    blocks = Flow(flow.aside, Mode.LEDD).read(element, heading).as_blocks()
    flow.blocks.append(Block(BlockKind.FUTURE, title, value or None, children=blocks))


def _table(flow: Flow, element: _Element) -> None:
    """A table, followed by its content outside cells."""
    table = Block(BlockKind.TABLE)
    rest = Flow(flow.aside)
    _put_loose(rest, element)
    for child in element:
        if child.tag == "caption":
            table.text = "\n".join(filter(None, (table.text, flow.text_of(child))))
        elif child.tag in {"thead", "tbody", "tfoot"}:
            _put_loose(rest, child)
            table.children.extend(_row(row, rest) for row in child if isinstance(row.tag, str))
        elif child.tag == "tr":
            table.children.append(_row(child, rest))
        elif isinstance(child.tag, str):
            rest.take(child)
            rest.flush()
    flow.blocks += [table, *rest.as_blocks()]


def _put_loose(flow: Flow, element: _Element) -> None:
    """Take in the text that is directly in an element which should hold elements only."""
    for text in (element.text, *(child.tail for child in element)):
        if text and not text.isspace():
            flow.put(text)
            flow.flush()


def _row(element: _Element, rest: Flow) -> Block:
    if element.tag != "tr":
        return Block(BlockKind.ROW, children=[_cell(element, rest.aside)])
    _put_loose(rest, element)
    cells = [child for child in element if isinstance(child.tag, str)]
    return Block(BlockKind.ROW, children=[_cell(cell, rest.aside) for cell in cells])


def _cell(element: _Element, aside: Aside) -> Block:
    flow = Flow(aside)
    flow.take(element)
    flow.flush()
    block = Block(BlockKind.CELL, flow.as_text())
    block.columns, block.rows = _span(element.get("colspan")), _span(element.get("rowspan"))
    return block


def _span(value: str | None) -> int:
    return int(value) if value and value.isdecimal() and len(value) < 4 else 1


def _note(flow: Flow, element: _Element) -> None:
    """An amendment note. Its links lead to the amending acts, and are no references of the text."""
    if text := Flow(Aside(flow.aside.notes, flow.aside.footnotes)).text_of(element):
        flow.aside.notes.append(text)


def _footnotes(flow: Flow, element: _Element) -> None:
    """`footer.footnotes`: each footnote becomes "[1] its text"; other content of the footer is kept too."""
    loose = Flow(flow.aside)
    _put_loose(loose, element)
    if loose.text:
        flow.aside.footnotes.append(loose.as_text())
    for child in (child for child in element if isinstance(child.tag, str)):
        mark = child_of_class(child, "footnoteLabel")
        label = flow.text_of(mark)
        footnote = Flow(flow.aside)
        if child.tag == "li":
            footnote.put(f"{item_label(child)} ")
        text = footnote.read(child, mark).as_text()
        if label or text:
            flow.aside.footnotes.append(f"[{label}] {text}" if label else text)


Reader = Callable[[Flow, _Element], None]

BY_CLASS: Mapping[str, Reader] = {
    **dict.fromkeys(("legalP", "defaultP", "centeredP", "leddfortsettelse"), Flow.paragraph),
    **dict.fromkeys(("futureLegalArticle", "legalArticle"), _proposed),
    **dict.fromkeys(("document-change", "change", "gazettenote"), _quoted),
    **dict.fromkeys(("futuretitle", "miscHeadline"), _heading),
    "numberedLegalP": Flow.numbered_paragraph,
    "marginIdArticle": _list_item,
    "latexBlock": _formula,
    "footnotereference": _reference_mark,
    "footnotes": _footnotes,
    "changesToParent": _note,
}
"""The reader of an element by its class, which decides before the tag."""

INLINE = ("a", "abbr", "b", "cite", "code", "em", "i", "q", "s", "small", "span", "strong", "sub", "sup", "u")
"""Elements that join with the surrounding text."""

BY_TAG: Mapping[str, Reader] = {
    **dict.fromkeys(INLINE, Flow.gather),
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), _heading),
    **dict.fromkeys(("img", "script", "style"), _unseen),
    "a": _link,
    "blockquote": _quoted,
    "br": _break,
    "li": _list_item,
    "p": Flow.paragraph,
    "table": _table,
}
"""The reader of an element by its tag; any other is read like a `div`."""

JOINING: frozenset[Reader] = frozenset((Flow.gather, _break, _unseen, _reference_mark, _link))
"""Readers of elements inside a run of text; all others end it and begin a new one."""
