"""The text of a draft: Markdown taken apart into blocks, which a document is set from.

HTML is text, images are their descriptions, and a link is followed by its address. Nothing in a text is ever code.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from lovsvar_cases.core.drafts.errors import DraftTooLarge

MOST_BLOCKS = 2_000
DEEPEST = 8
"""Levels that are shown; what is deeper is shown at this one."""

DEEPEST_READ = 100
"""Levels that are read: the parser leaves out what is deeper."""

CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufffd]")
"""What is not shown, and what turns the direction of what is."""

LONG_WORD = re.compile(r"\S{46,}")
"""What is longer than any word is broken anywhere, so that it does not run off the page."""

WITH_TEXT = ("paragraph", "heading", "fence", "code_block", "table")

_PARSER = MarkdownIt("commonmark", {"html": False, "maxNesting": DEEPEST_READ}).enable("table").disable("image")


@dataclass(frozen=True)
class Run:
    """A piece of text in one style."""

    text: str
    bold: bool = False
    italic: bool = False


Runs = tuple[Run, ...]
Kind = Literal["heading", "paragraph", "quote", "bullets", "numbers", "rule", "table"]


@dataclass(frozen=True)
class Block:
    """A block: `runs` of a heading (of `level`) or a paragraph, `items` of a list or a quote, `rows` of a table."""

    kind: Kind
    runs: Runs = ()
    level: int = 0
    items: tuple[tuple["Block", ...], ...] = ()
    rows: tuple[tuple[Runs, ...], ...] = ()

    @property
    def text(self) -> str:
        """The text of its own runs."""
        return "".join(run.text for run in self.runs)


Blocks = tuple[Block, ...]


def parsed(markdown: str) -> Blocks:
    """Return the blocks of a text. Raises `DraftTooLarge`."""
    tokens = _PARSER.parse(markdown)
    if any(token.level >= DEEPEST_READ - 2 for token in tokens):
        raise DraftTooLarge("Utkastet har lister eller sitater for dypt inni hverandre.")
    blocks = tuple(_blocks(SyntaxTreeNode(tokens).children, DEEPEST))
    if sum(1 for _ in texts(blocks)) > MOST_BLOCKS:
        raise DraftTooLarge(f"Utkastet har for mange avsnitt: høyst {MOST_BLOCKS}.")
    return blocks


def _blocks(nodes: Sequence[SyntaxTreeNode], deeper: int) -> Iterator[Block]:
    for node in nodes:
        if node.type == "heading":
            yield Block("heading", _runs(node.children), int(node.tag[1:]))
        elif node.type == "paragraph":
            yield Block("paragraph", _runs(node.children))
        elif node.type in {"fence", "code_block"}:
            yield Block("paragraph", (Run(node.content.rstrip("\n")),))
        elif node.type == "hr":
            yield Block("rule")
        elif node.type == "table":
            yield Block("table", rows=tuple(_rows(node)))
        elif deeper == 0:
            yield from _blocks([n for n in node.walk() if n.type in WITH_TEXT], 0)
        elif node.type == "blockquote":
            yield Block("quote", items=(tuple(_blocks(node.children, deeper - 1)),))
        elif node.type in {"bullet_list", "ordered_list"}:
            items = tuple(tuple(_blocks(item.children, deeper - 1)) for item in node.children)
            start = int(node.attrs.get("start", 1)) if node.type == "ordered_list" else 0
            yield Block("numbers" if node.type == "ordered_list" else "bullets", level=start, items=items)


def _rows(table: SyntaxTreeNode) -> Iterator[tuple[Runs, ...]]:
    for row in (node for node in table.walk() if node.type == "tr"):
        yield tuple(_runs(cell.children) for cell in row.children)


def _runs(nodes: Sequence[SyntaxTreeNode]) -> Runs:
    joined: list[Run] = []
    for run in _pieces(nodes, Run("")):
        if joined and (joined[-1].bold, joined[-1].italic) == (run.bold, run.italic):
            joined[-1] = replace(run, text=joined[-1].text + run.text)
        elif run.text:
            joined.append(run)
    return tuple(joined)


def _pieces(nodes: Sequence[SyntaxTreeNode], style: Run) -> Iterator[Run]:
    for node in nodes:
        if node.type == "softbreak":
            yield replace(style, text=" ")
        elif node.type == "hardbreak":
            yield replace(style, text="\n")
        elif node.type in {"text", "code_inline", "text_special"}:
            yield replace(style, text=node.content)
        elif node.type == "link":
            yield from _pieces(node.children, style)
            address = str(node.attrs.get("href", ""))
            if address and address != "".join(run.text for run in _pieces(node.children, style)):
                yield replace(style, text=f" ({address})")
        else:
            bold, italic = style.bold or node.type == "strong", style.italic or node.type == "em"
            yield from _pieces(node.children, replace(style, bold=bold, italic=italic))


def texts(blocks: Sequence[Block]) -> Iterator[str]:
    """Yield the text of every paragraph, heading and cell, in order."""
    for block in blocks:
        if block.runs:
            yield block.text
        for item in block.items:
            yield from texts(item)
        for row in block.rows:
            yield from ("".join(run.text for run in cell) for cell in row)


def changed(blocks: Sequence[Block], change: Callable[[str], str]) -> Blocks:
    """Return the blocks with `change` applied to every run's text. What it brings in is text, and not Markdown."""

    def of(runs: Runs) -> Runs:
        return tuple(replace(run, text=change(run.text)) for run in runs)

    return tuple(
        replace(
            block,
            runs=of(block.runs),
            items=tuple(changed(item, change) for item in block.items),
            rows=tuple(tuple(of(cell) for cell in row) for row in block.rows),
        )
        for block in blocks
    )


def settable(text: str) -> str:
    """Return `text` without control characters, and with places to break in what is too long for a line."""
    text = CONTROL.sub("", text.replace("\t", " "))
    return LONG_WORD.sub(lambda found: "\u200b".join(re.findall(".{1,40}", found[0])), text)


def as_data(blocks: Sequence[Block]) -> list[dict[str, Any]]:
    """Return the blocks as JSON data."""
    return [asdict(block) for block in blocks]
