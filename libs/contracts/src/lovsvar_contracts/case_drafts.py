"""Drafts of a case: letters, pleadings and agreements, in revisions that are never overwritten, and their templates."""

from datetime import date, datetime
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from lovsvar_contracts.case_details import CaseTier, PartyId
from lovsvar_contracts.cases import Actor, ActorKind, CaseRequest
from lovsvar_contracts.identifiers import Refid, Section
from lovsvar_contracts.message import Frozen, Message, Token, new_id

MOST_MARKDOWN = 100_000
"""Characters of a draft: some forty pages."""

ShortLine = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=120)]
DraftName = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=120)]
FieldName = Annotated[str, StringConstraints(pattern=r"^[a-zæøå][a-zæøå_]{0,39}$")]
TemplateId = Annotated[str, StringConstraints(pattern=r"^[a-z0-9-]{1,60}$")]


class Layout(StrEnum):
    """How a draft is set: a letter with addresses, a pleading with its parties, an agreement to sign."""

    LETTER = "letter"
    PLEADING = "pleading"
    AGREEMENT = "agreement"


class DraftFormat(StrEnum):
    """The file formats of a draft."""

    PDF = "pdf"
    DOCX = "docx"


class DraftHead(Frozen):
    """What stands around a draft's text. `sender` and `recipient` are parties; who is none is named in lines."""

    layout: Layout = Layout.LETTER
    sender: PartyId | None = None
    recipient: PartyId | None = None
    recipient_lines: tuple[ShortLine, ...] = Field(default=(), max_length=6)
    reference: str = Field(default="", max_length=100, description="The case number that the reader knows.")
    place: str = Field(default="", max_length=60)
    dated: date | None = Field(default=None, description="The day it was made on when it is not given.")
    signatures: tuple[ShortLine, ...] = Field(default=(), max_length=8, description="Who signs, besides the sender.")


class DraftSource(Frozen):
    """A provision that a draft names, as it was read; `quotes` were found in it word for word."""

    refid: Refid
    section: Section
    title: str
    in_force_from: date | None = None
    corpus_date: date | None = None
    lovdata_url: str
    quotes: int = Field(default=0, ge=0)


class WriteDraft(CaseRequest):
    """Write a draft from Markdown or from a template, or with `draft_id` its next revision.

    `revision`, when given, must be the number that it gets. A repeat with the same `request_id` writes nothing more.
    """

    kind: Literal["write_draft"] = "write_draft"
    request_id: Token = Field(default_factory=new_id)
    draft_id: Token | None = None
    revision: int | None = Field(default=None, ge=1, le=100_000)
    name: DraftName | None = Field(default=None, description="That of the template or the draft when it is not given.")
    markdown: str | None = Field(default=None, min_length=1, max_length=MOST_MARKDOWN)
    template: TemplateId | None = None
    values: dict[FieldName, Annotated[str, StringConstraints(max_length=4_000)]] = Field(
        default_factory=dict, max_length=40, description="The template's fields."
    )
    head: DraftHead | None = Field(default=None, description="That of the template or the draft when it is not given.")


class Draft(Message):
    """A revision of a draft. Its text has placeholders; `unverified` are quotes that were not found in the law."""

    kind: Literal["draft"] = "draft"
    case_id: Token
    draft_id: Token
    revision: int = Field(ge=1)
    name: str
    made_at: datetime
    made_by: str
    by_kind: ActorKind = ActorKind.PERSON
    case_version: int = Field(ge=1, description="Parties are shown as they were known at this version of the case.")
    template: str | None = None
    head: DraftHead = DraftHead()
    markdown: str
    sources: tuple[DraftSource, ...] = ()
    unverified: tuple[str, ...] = ()


class DraftLine(Frozen):
    """A revision in a list."""

    draft_id: Token
    revision: int = Field(ge=1)
    name: str
    made_at: datetime
    made_by: str
    by_kind: ActorKind = ActorKind.PERSON
    template: str | None = None


class ListDrafts(CaseRequest):
    """List the revisions of a case's drafts, newest first; of one draft, if it is named."""

    kind: Literal["list_drafts"] = "list_drafts"
    draft_id: Token | None = None


class Drafts(Message):
    """Revisions, newest first."""

    kind: Literal["drafts"] = "drafts"
    case_id: Token
    drafts: tuple[DraftLine, ...] = ()


class ReadDraft(CaseRequest):
    """Read a revision, the newest when none is named."""

    kind: Literal["read_draft"] = "read_draft"
    draft_id: Token
    revision: int | None = Field(default=None, ge=1)


class RenderDraft(CaseRequest):
    """Make a file of a revision, with who the parties are."""

    kind: Literal["render_draft"] = "render_draft"
    draft_id: Token
    revision: int | None = Field(default=None, ge=1)
    format: DraftFormat = DraftFormat.PDF


class RenderedDraft(Message):
    """A file of a revision; the same revision is always the same file, until a party is forgotten."""

    kind: Literal["rendered_draft"] = "rendered_draft"
    file_name: str
    media_type: str
    content: str = Field(description="In base64.")


class TemplateField(Frozen):
    """Something that a template needs to know. `ask` is the question in bokmål, the others in nynorsk and English."""

    name: FieldName
    ask: str
    ask_nn: str = ""
    ask_en: str = ""
    optional: bool = False


class TemplateProvision(Frozen):
    """A provision that a template rests on."""

    refid: Refid
    section: Section


class DraftTemplate(Frozen):
    """A template. One that is withdrawn, or not yet verified, says why and cannot be used."""

    template_id: TemplateId
    title_nb: str
    title_nn: str
    title_en: str = ""
    tier: CaseTier
    layout: Layout
    sender: str = Field(description="The role of the party that writes.")
    recipient: str = Field(description="The role of the party that it is to, or the body that it is to.")
    to_party: bool = Field(description="Whether the recipient is a party.")
    fields: tuple[TemplateField, ...] = ()
    provisions: tuple[TemplateProvision, ...] = ()
    status: Literal["offered", "unverified", "withdrawn"]
    reason: str = ""
    markdown: str = Field(default="", description="The text; in a list it is left out.")


class ReadTemplates(Message):
    """Read the templates, or the one of `template_id`."""

    kind: Literal["read_templates"] = "read_templates"
    actor: Actor = Actor()
    template_id: TemplateId | None = None


class Templates(Message):
    """Templates, by title."""

    kind: Literal["templates"] = "templates"
    templates: tuple[DraftTemplate, ...] = ()
