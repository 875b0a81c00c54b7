"""A document as it is stored: its header, divisions, sections, and the blocks of sections."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from lovsvar_contracts.identifiers import section_key
from lovsvar_contracts.law import BlockKind, InForce, LawType, ProvisionKind, StructureKind
from lovsvar_contracts.tokens import estimate_tokens
from lovsvar_ingest.core.superseded_acts import Standing
from lovsvar_ingest.core.sync_guard import Extent


@dataclass(slots=True)
class Block:
    """One block of a section in reading order; the fields are those of the contract's `Block`."""

    kind: BlockKind
    text: str = ""
    label: str | None = None
    ledd: int | None = None
    children: list["Block"] = field(default_factory=list)
    columns: int = 1
    rows: int = 1

    def as_json(self) -> dict[str, Any]:
        """Return the block as JSON data, without fields that have their default."""
        data: dict[str, Any] = {"kind": self.kind.value}
        for name, default in _DEFAULTS:
            if (value := getattr(self, name)) != default:
                data[name] = value
        if self.children:
            data["children"] = [child.as_json() for child in self.children]
        return data


_DEFAULTS = (("text", ""), ("label", None), ("ledd", None), ("columns", 1), ("rows", 1))


def lines(blocks: Iterable[Block]) -> Iterator[str]:
    """Yield the plain text of `blocks`: one line a block, its label first; a table's row is one line too."""
    for block in blocks:
        if block.kind is BlockKind.ROW:
            yield " | ".join(" ".join(cell.text.split()) for cell in block.children)
            continue
        line = f"{block.label} {block.text}".rstrip() if block.label else block.text
        if line:
            yield line
        yield from lines(block.children)


def plain_text(blocks: Iterable[Block]) -> str:
    """Return the plain text of `blocks`, which is searched and quoted."""
    return "\n".join(lines(blocks))


@dataclass(slots=True)
class Structure:
    """A division of a document.

    `position` counts divisions in reading order, `parent` is the position of the enclosing one, `before` the position
    of the section after the heading. `notes` and `footnotes` are those directly in the division.
    """

    position: int
    parent: int | None
    kind: StructureKind
    name: str
    title: str
    before: int
    notes: list[str] = field(default_factory=list)
    footnotes: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Section:
    """A provision, or a text outside provisions."""

    section: str
    position: int
    structure: int | None
    kind: ProvisionKind
    value: str
    title: str
    path: tuple[str, ...]
    blocks: list[Block] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    footnotes: list[str] = field(default_factory=list)
    refs: list[str] = field(default_factory=list)
    in_force: InForce = InForce.UNKNOWN
    in_force_from: date | None = None
    text: str = ""
    blocks_json: str = "[]"
    tokens: int = 0
    content_hash: str = ""

    @property
    def key(self) -> str:
        """The name as names are compared."""
        return section_key(self.section)

    def seal(self) -> None:
        """Set the derived fields (text, blocks as JSON, tokens, hash), and drop the blocks."""
        self.text = plain_text(self.blocks)
        self.blocks_json = _json([block.as_json() for block in self.blocks])
        self.tokens = estimate_tokens(self.text)
        texts = (self.kind, self.value, self.title, self.path, self.blocks_json, self.notes, self.footnotes, self.refs)
        self.content_hash = _sha256(*texts, self.in_force, str(self.in_force_from))
        self.blocks = []


@dataclass(frozen=True, slots=True)
class Header:
    """The metadata of a document."""

    refid: str
    legacy_id: str
    dokid: str
    law_type: LawType
    title: str
    short_title: str
    abbreviation: str
    year: int
    ministries: tuple[str, ...]
    legal_areas: tuple[str, ...]
    changes_to: tuple[str, ...]
    in_force: InForce
    in_force_from: date | None
    in_force_note: str
    last_change_in_force: date | None
    last_changed_by: tuple[str, ...]
    eea_references: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """A document as it is stored. `content_hash` is equal for equal contents only."""

    header: Header
    dataset: str
    source_file: str
    structures: Sequence[Structure]
    sections: Sequence[Section]
    xml_bytes: int
    content_hash: str
    reread: date | None = None
    """The first day on which the same file reads differently, since a date in it has come."""

    @property
    def refid(self) -> str:
        """The name under which it is stored."""
        return self.header.refid

    @property
    def standing(self) -> Standing | None:
        """The document as one that is in force; None when it is not."""
        header = self.header
        if header.in_force is not InForce.YES:
            return None
        return Standing(header.refid, header.short_title, header.in_force_note, bool(header.legal_areas))

    @property
    def provisions(self) -> int:
        """The number of sections that are provisions."""
        return sum(section.kind is ProvisionKind.PROVISION for section in self.sections)

    @property
    def extent(self) -> Extent:
        """The amount of law in it."""
        return Extent(self.provisions, sum(section.tokens for section in self.sections))


def document_hash(
    header: Header, source_file: str, structures: Sequence[Structure], sections: Sequence[Section]
) -> str:
    """Return the hash of all stored fields of a document. The sections must be sealed."""
    return _sha256(
        [str(getattr(header, name)) for name in Header.__slots__],
        source_file,
        [[s.parent, s.kind, s.name, s.title, s.before, s.notes, s.footnotes] for s in structures],
        [[s.section, s.structure, s.tokens, s.content_hash] for s in sections],
    )


_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def _sha256(*parts: Any) -> str:
    return hashlib.sha256(_json(parts).encode()).hexdigest()
