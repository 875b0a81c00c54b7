"""Reading an element's mixed content into text and blocks.

Inline elements join without a separator, blocks never touch, a line break stays one. White space is
collapsed, soft hyphens and zero-width spaces (which nobody sees) are dropped. The mark of a footnote
stands in brackets, "beløp[1]", so that it is neither glued to the word nor lost.
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
    """What the paragraphs of an element are."""

    LEDD = auto()
    """Ledd, counted: the element is a provision."""
    ITEM = auto()
    """The first is the element's own text, the others its paragraphs: the element is a list item."""
    PLAIN = auto()


@dataclass(slots=True)
class Aside:
    """What stands in a section and is no part of its text."""

    notes: list[str] = field(default_factory=list)
    footnotes: list[str] = field(default_factory=list)
    refs: dict[str, None] = field(default_factory=dict)
    """What the text links to, in order; a dictionary since a text may link ten thousand times."""


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
        """Read what is in `element`, but for its child `skip`, and return self."""
        self.gather(element, skip)
        self.flush()
        return self

    def as_blocks(self) -> list[Block]:
        """Return own text and blocks, the text as a paragraph."""
        return [Block(BlockKind.PARAGRAPH, self.text), *self.blocks] if self.text else self.blocks

    def as_text(self) -> str:
        """Return everything as plain text."""
        return plain_text(self.as_blocks())

    def gather(self, element: _Element, skip: _Element | None = None) -> None:
        """Take in what is in `element`: text into the buffer, blocks to the blocks."""
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
        """Take in what is in `element`, which stands apart from what is around it."""
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
        if not text:
            return
        if self.text or self.blocks:
            self.blocks.append(Block(BlockKind.PARAGRAPH, text))
        else:
            self.text = text

    def add(self, *blocks: Block) -> None:
        """Add `blocks` behind what is there."""
        self.blocks.extend(blocks)

    def paragraph(self, element: _Element) -> None:
        """Read a paragraph (`legalP`, `defaultP`, …)."""
        if self.mode is Mode.ITEM and not self.text and not self.blocks:
            self.gather(element)
            return
        inner = Flow(self.aside).read(element)
        if not inner.text and not inner.blocks:
            return
        if self.mode is Mode.LEDD and element.get("class") == "legalP":
            self._ledd += 1
            self.add(Block(BlockKind.LEDD, inner.text, None, self._ledd, inner.blocks))
        else:
            self.add(Block(BlockKind.PARAGRAPH, inner.text, children=inner.blocks))

    def numbered_paragraph(self, element: _Element) -> None:
        """Read a `numberedLegalP`, whose text begins with its number: "(2) …", "2. …"."""
        inner = Flow(self.aside).read(element)
        label, text = split_number(inner.text, element.get("data-numerator") or "")
        block = Block(BlockKind.PARAGRAPH, text, label or None, children=inner.blocks)
        if self.mode is Mode.LEDD:
            number = _LEDD.fullmatch(label)
            # The law's own number counts, also where a ledd before it is gone.
            self._ledd = max(self._ledd + 1, int(number[1])) if number else self._ledd + 1
            block.kind, block.ledd = BlockKind.LEDD, self._ledd
        self.add(block)


def clean(text: str) -> str:
    """Return `text` with white space collapsed, unseen characters dropped and line breaks kept."""
    if not text.isascii():
        text = _UNSEEN.sub("", text)
    if _BREAK not in text:
        return " ".join(text.split())
    return "\n".join(line for part in text.split(_BREAK) if (line := " ".join(part.split())))


def split_number(text: str, number: str) -> tuple[str, str]:
    """Return the number that `text` begins with, as printed, and the rest; `number` says which it must be.

    Text that does not begin with its number gets it in parentheses as a label, as Lovdata shows it.
    """
    match = _PARENTHESIS.match(text) or _NUMBER.match(text)
    if match and number and match[1].strip("().").casefold() == number.strip("().").casefold():
        return match[1], text[match.end() :].lstrip()
    return (f"({number})" if number else ""), text


def read_heading(element: _Element, aside: Aside) -> tuple[str, str]:
    """Return value ("§ 3-5") and title ("Depositum") of a provision's header; the full stop between is dropped."""
    value = next((child for child in element if child.get("class") == "legalArticleValue"), None)
    title = Flow(aside).read(element, value).as_text()
    return Flow(aside).read(value).as_text() if value is not None else "", title.lstrip(". \n")


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
    """Pictures and the like hold no text, and part the words around them."""
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
    """Text about another text, as an amendment has it: its paragraphs are no ledd of this provision."""
    flow.add(*Flow(flow.aside).read(element).as_blocks())


def _heading(flow: Flow, element: _Element) -> None:
    if text := Flow(flow.aside).read(element).as_text():
        flow.add(Block(BlockKind.HEADING, text))


def _formula(flow: Flow, element: _Element) -> None:
    flow.add(Block(BlockKind.FORMULA, Flow(flow.aside).read(element).as_text()))


def _list_item(flow: Flow, element: _Element) -> None:
    label = item_label(element)
    inner = Flow(flow.aside, Mode.ITEM).read(element)
    flow.add(Block(BlockKind.LIST_ITEM, inner.text, label or None, children=inner.blocks))


def _margin_item(flow: Flow, element: _Element) -> None:
    """An item whose label stands in the margin: `span.data-marginOriginalId`."""
    margin = child_of_class(element, "data-marginOriginalId")
    label = Flow(flow.aside).read(margin).as_text() if margin is not None else ""
    inner = Flow(flow.aside, Mode.ITEM).read(element, margin)
    flow.add(Block(BlockKind.LIST_ITEM, inner.text, label or None, children=inner.blocks))


def _proposed(flow: Flow, element: _Element) -> None:
    """A provision that is not this document's: what another is going to say, or a nested article."""
    heading = child_of_class(element, f"{element.get('class')}Header")
    value, title = read_heading(heading, flow.aside) if heading is not None else ("", "")
    inner = Flow(flow.aside, Mode.LEDD).read(element, heading)
    flow.add(Block(BlockKind.FUTURE, title, value or None, children=inner.as_blocks()))


def _table(flow: Flow, element: _Element) -> None:
    """A table, and behind it whatever stands in it outside its cells."""
    table = Block(BlockKind.TABLE)
    rest = Flow(flow.aside)
    _put_loose(rest, element)
    for child in element:
        if child.tag == "caption":
            table.text = "\n".join(filter(None, (table.text, Flow(flow.aside).read(child).as_text())))
        elif child.tag in {"thead", "tbody", "tfoot"}:
            _put_loose(rest, child)
            table.children.extend(_row(row, rest) for row in child if isinstance(row.tag, str))
        elif child.tag == "tr":
            table.children.append(_row(child, rest))
        elif isinstance(child.tag, str):
            rest.take(child)
            rest.flush()
    flow.add(table, *rest.as_blocks())


def _put_loose(flow: Flow, element: _Element) -> None:
    """Take in the text that stands directly in an element which is to hold elements alone."""
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
    """An amendment note. What it links to are the amending acts, which the text does not refer to."""
    aside = Aside(flow.aside.notes, flow.aside.footnotes)
    if text := Flow(aside).read(element).as_text():
        flow.aside.notes.append(text)


def _footnotes(flow: Flow, element: _Element) -> None:
    """`footer.footnotes`: each footnote becomes "[1] its text"; what is in the footer and is none, too."""
    loose = Flow(flow.aside)
    _put_loose(loose, element)
    if loose.text:
        flow.aside.footnotes.append(loose.as_text())
    for child in element:
        if not isinstance(child.tag, str):
            continue
        mark = child_of_class(child, "footnoteLabel")
        label = Flow(flow.aside).read(mark).as_text() if mark is not None else ""
        footnote = Flow(flow.aside)
        if child.tag == "li":
            footnote.put(f"{item_label(child)} ")
        text = footnote.read(child, mark).as_text()
        if label or text:
            flow.aside.footnotes.append(f"[{label}] {text}" if label else text)


Reader = Callable[[Flow, _Element], None]

BY_CLASS: Mapping[str, Reader] = {
    "legalP": Flow.paragraph,
    "numberedLegalP": Flow.numbered_paragraph,
    "defaultP": Flow.paragraph,
    "centeredP": Flow.paragraph,
    "leddfortsettelse": Flow.paragraph,
    "marginIdArticle": _margin_item,
    "futureLegalArticle": _proposed,
    "legalArticle": _proposed,
    **dict.fromkeys(("document-change", "change", "gazettenote"), _quoted),
    "futuretitle": _heading,
    "miscHeadline": _heading,
    "latexBlock": _formula,
    "footnotereference": _reference_mark,
    "footnotes": _footnotes,
    "changesToParent": _note,
}
"""What is done with an element of a class; the class decides before the tag."""

INLINE = frozenset(
    ("a", "abbr", "b", "cite", "code", "em", "i", "q", "s", "small", "span", "strong", "sub", "sup", "u")
)
"""Elements that join with the text around them."""

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
"""What is done with an element that no class decides; any other is read as if it were a `div`."""

JOINING: frozenset[Reader] = frozenset((Flow.gather, _break, _unseen, _reference_mark, _link))
"""Readers of elements that stand in the run of the text; all others end it and begin a new one."""
