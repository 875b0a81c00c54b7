"""Law as it is stored and shown: types, in-force status, provisions and their blocks."""

from datetime import date
from enum import StrEnum

from pydantic import Field

from lovsvar_contracts.identifiers import Refid, Section
from lovsvar_contracts.message import Frozen


class LawType(StrEnum):
    """Kinds of document, in the order in which search fills an answer."""

    LOV = "lov"
    FORSKRIFT = "forskrift"
    VEDTAK = "vedtak"
    INSTRUKS = "instruks"
    REGLEMENT = "reglement"
    VEDLEGG = "vedlegg"


LAW_TYPE_ORDER: tuple[LawType, ...] = tuple(LawType)


class InForce(StrEnum):
    """The in-force status of a document or provision."""

    YES = "in_force"
    NOT_YET = "not_yet"
    REPEALED = "repealed"
    UNKNOWN = "unknown"


class BlockKind(StrEnum):
    """The kind of a block. `LEDD` is a numbered paragraph of law text (legalP)."""

    LEDD = "ledd"
    LIST_ITEM = "list_item"
    PARAGRAPH = "paragraph"
    HEADING = "heading"
    TABLE = "table"
    ROW = "row"
    CELL = "cell"
    FORMULA = "formula"
    FOOTNOTE = "footnote"
    FUTURE = "future"


class Block(Frozen):
    """One block of a provision in reading order, with its children.

    `label` is printed before the text: "(2)", "a.", "1.". `ledd` counts from 1 within the provision, on ledd only.
    `text` excludes label and children. In JSON, fields with their default may be left out.
    """

    kind: BlockKind
    text: str = ""
    label: str | None = None
    ledd: int | None = None
    columns: int = Field(default=1, description="Columns that a table's cell spans.")
    rows: int = Field(default=1, description="Rows that a table's cell spans.")
    children: tuple["Block", ...] = ()


class StructureKind(StrEnum):
    """Divisions of a document that hold provisions."""

    DEL = "del"
    KAPITTEL = "kapittel"
    AVSNITT = "avsnitt"
    VEDLEGG = "vedlegg"
    OTHER = "other"


class ProvisionKind(StrEnum):
    """The kind of a stored section: a provision, or a text outside provisions."""

    PROVISION = "provision"
    PREAMBLE = "preamble"
    ANNEX = "annex"
    TEXT = "text"


class Provision(Frozen):
    """One provision with its whole text.

    `text` is searched and quoted, and quotes are verified against it: the blocks in reading order, each on its own line
    with its label. `tokens` estimates its language-model tokens. `notes` are amendment notes, not part of the text.
    """

    refid: Refid
    section: Section
    value: str = Field(description="As printed: '§ 3-5'.")
    title: str = Field(description="The provision's own heading; empty when it has none.")
    act: str = Field(description="Short title of the document, or its title.")
    document_title: str
    law_type: LawType
    kind: ProvisionKind = ProvisionKind.PROVISION
    path: tuple[str, ...] = Field(default=(), description="Headings from the outermost division inwards.")
    position: int = Field(description="Place in the document's reading order, from 0.")
    text: str
    blocks: tuple[Block, ...] = ()
    notes: tuple[str, ...] = ()
    footnotes: tuple[str, ...] = ()
    refs: tuple[str, ...] = Field(default=(), description="What the text links to: 'lov/1999-03-26-17/§3-5/ledd/1'.")
    in_force: InForce = InForce.UNKNOWN
    in_force_from: date | None = None
    content_hash: str
    tokens: int
    url: str
    lovdata_url: str
    dataset: str
    sample: bool = Field(default=False, description="True for the bundled, invented documents.")


class DocumentSummary(Frozen):
    """A document without its provisions."""

    refid: Refid
    legacy_id: str = ""
    title: str
    short_title: str = ""
    abbreviation: str = ""
    law_type: LawType
    year: int
    ministries: tuple[str, ...] = ()
    legal_areas: tuple[str, ...] = ()
    changes: tuple[Refid, ...] = Field(default=(), description="Documents that this one amends or repeals.")
    in_force: InForce = InForce.UNKNOWN
    in_force_from: date | None = None
    in_force_note: str = Field(default="", description="Lovdata's own words when they are not a date.")
    last_change_in_force: date | None = None
    last_changed_by: tuple[Refid, ...] = Field(default=(), description="What amended the document last.")
    eea_references: tuple[str, ...] = Field(
        default=(), description="The EEA law that the document carries out, in Lovdata's words."
    )
    provisions: int = 0
    dataset: str
    sample: bool = False
    url: str
    lovdata_url: str
