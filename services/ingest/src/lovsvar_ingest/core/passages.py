"""The chunker: sections are cut into the passages that are embedded.

A section that fits is one passage, after a line of context: the act's short title, the heading of the innermost
chapter, the provision's number and heading. A longer one is cut by ledd, each after the same line. Blocks outside any
ledd are cut the same way, without a ledd's number. A part that is still too long is cut between its lines (list items,
rows), a line between its sentences, a sentence between its words; each piece after the first repeats the part's opening
line when that is short, since list items need it to be understood.

The limit is in characters: at the 0.42 tokens that one costs at most in Norwegian law (0.25 in the median,
multilingual-e5), 1,200 characters fit into that model's window of 512 tokens.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, groupby
from typing import Any

from lovsvar_contracts.law import BlockKind
from lovsvar_ingest.core.corpus import Block, lines, plain_text

CHUNKER_VERSION = 2
"""Raise it with each change of these rules, so that every document is cut again."""

LONGEST = 1_200
"""Characters of a passage, with its line of context."""

LONGEST_ACT, LONGEST_CHAPTER = 100, 80
LONGEST_CONTEXT = 260
LONGEST_OPENING = 200

_CHAPTER_NUMBER = re.compile(
    r"(?:(?i:del|kap\.?|kapittel|kapitel|avsnitt)\s+(?:\d+\s?[A-Za-z]?|[IVXLC]+|[A-Z])[.:]?|(?:\d+|[IVXLC]+|[A-Z])[.:)])\s+"
)
"""The number before a chapter's heading: «Kapittel 3 A. »."""

_SENTENCE_END = re.compile(r"[.;:?!] +")


@dataclass(frozen=True, slots=True)
class SectionText:
    """A stored section, and the name of its act. `blocks` is JSON, `path` the headings above it."""

    refid: str
    section_key: str
    act: str
    value: str
    title: str
    blocks: str
    path: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Passage:
    """A text that is embedded. `number` counts the passages of a section from 0; a whole section has no `ledd`."""

    number: int
    ledd: int | None
    text: str

    @property
    def content_hash(self) -> str:
        """SHA-256 of the text."""
        return hashlib.sha256(self.text.encode()).hexdigest()


def cut_section(section: SectionText) -> Sequence[Passage]:
    """Return the passages of a section in reading order, none longer than `LONGEST`."""
    blocks = [_block(data) for data in json.loads(section.blocks)]
    context = _context(section)
    text = plain_text(blocks)
    if not text:
        return ()
    whole = f"{context}\n{text}"
    if len(whole) <= LONGEST:
        return (Passage(0, None, whole),)
    room = LONGEST - len(context) - 1
    parts = groupby(blocks, key=lambda block: block.ledd)
    pieces = [(ledd, piece) for ledd, part in parts for piece in _pieces(list(lines(part)), room)]
    return tuple(Passage(number, ledd, f"{context}\n{piece}") for number, (ledd, piece) in enumerate(pieces))


def _block(data: Mapping[str, Any]) -> Block:
    children = [_block(child) for child in data.get("children", ())]
    return Block(**{**data, "kind": BlockKind(data["kind"]), "children": children})


def _context(section: SectionText) -> str:
    chapter = section.path[-1] if section.path else ""
    if numbered := _CHAPTER_NUMBER.match(chapter):
        chapter = chapter[numbered.end() :]
    act, chapter = _cut(section.act, LONGEST_ACT), _cut(chapter, LONGEST_CHAPTER)
    named = f"{act} – {chapter}" if chapter else act
    return _cut(f"{named} {section.value} {section.title}", LONGEST_CONTEXT)


def _cut(line: str, longest: int) -> str:
    line = " ".join(line.split())
    return line if len(line) <= longest else f"{line[: longest - 1]}…"


def _pieces(part: Sequence[str], room: int) -> Iterator[str]:
    """Yield the lines of a part, packed into pieces of at most `room` characters."""
    if not part:
        return
    opening = [part[0]] if len(part) > 1 and len(part[0]) <= LONGEST_OPENING else []
    limit = room - sum(len(line) + 1 for line in opening)
    piece: list[str] = []
    for line in chain.from_iterable(_fitting(line, limit) for line in part):
        if piece and sum(map(len, piece)) + len(piece) + len(line) > room:
            yield "\n".join(piece)
            piece = list(opening)
        piece.append(line)
    yield "\n".join(piece)


def _fitting(line: str, limit: int) -> Iterator[str]:
    """Yield `line` in pieces of at most `limit` characters."""
    while len(line) > limit:
        end = _end(line, limit)
        yield line[:end].rstrip()
        line = line[end:].lstrip()
    if line:
        yield line


def _end(line: str, limit: int) -> int:
    """Return where to cut: after the last sentence that fits, else after the last word, else at the limit."""
    head = line[: limit + 1]
    sentences = [match.end() for match in _SENTENCE_END.finditer(head)]
    if sentences and sentences[-1] > limit // 3:
        return sentences[-1]
    return head.rfind(" ") + 1 or limit
