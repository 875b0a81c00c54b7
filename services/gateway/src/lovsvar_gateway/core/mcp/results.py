"""The structured output of every tool, which says the same as its text."""

from datetime import date
from typing import Any, Literal, Self

from pydantic import Field

from lovsvar_contracts.catalogues import Catalogue, ProductHit
from lovsvar_contracts.ingest import SyncEvent
from lovsvar_contracts.law import DocumentSummary, InForce, LawType
from lovsvar_contracts.message import Frozen
from lovsvar_contracts.practice import PracticeHit
from lovsvar_contracts.questions import Citation, Evidence, Mode, RunStatus
from lovsvar_contracts.search import OutlineEntry, OutlineNode, ProvisionHit, ResolvedReference, SearchMode
from lovsvar_legaltext.citation_forms import Forms
from lovsvar_legaltext.eu_acts import EuAct


class Copied(Frozen):
    """Data with fields of the same names and meanings as those of what it is made from."""

    @classmethod
    def of(cls, source: object, **fields: Any) -> Self:
        """Return an instance of `fields`, and of what `source` has by the same names as the fields left."""
        same = {
            name: getattr(source, name) for name in cls.model_fields if name not in fields and hasattr(source, name)
        }
        return cls(**same, **fields)


class Stamp(Frozen):
    """Where a result is from, under which licence, and of which day the law is that it is found in."""

    source: str = "Lovdata"
    licence: str = "NLOD 2.0"
    licence_url: str = "https://data.norge.no/nlod/no/2.0"
    corpus_date: date | None = None
    corpus_version: int = 0
    sample: bool = Field(default=False, description="True when the corpus is invented sample law, which is not law.")


class Result(Copied):
    """What tools answer with."""

    stamp: Stamp


class Shortened(Result):
    """A result that may be a part of what there is."""

    truncated: bool = Field(default=False, description="True when there is more than this.")
    rest: str = Field(default="", description="How the rest is asked for, when truncated.")


class ShownProvision(Copied):
    """A provision, or the ledd or bokstav of it that was asked for, as far as `max_tokens` allowed."""

    refid: str
    section: str
    heading: str = Field(description="'§ 3-5. Depositum'")
    act: str
    document_title: str
    law_type: LawType
    path: tuple[str, ...] = ()
    text: str
    place: str = Field(default="", description="'annet ledd bokstav b', when only that is shown.")
    tokens: int = Field(description="Tokens of `text`.")
    full_tokens: int = Field(description="Tokens of the whole provision.")
    truncated: bool = False
    rest: str = Field(default="", description="How the rest is asked for, when truncated.")
    notes: tuple[str, ...] = Field(default=(), description="Amendment notes.")
    in_force: InForce
    in_force_from: date | None = None
    url: str
    lovdata_url: str
    sample: bool = False


class Contents(Copied):
    """A table of contents. Divisions show fewer provisions than they hold when it is truncated."""

    document: DocumentSummary
    provisions: tuple[OutlineEntry, ...] = ()
    children: tuple[OutlineNode, ...] = ()
    total_provisions: int
    tokens: int = Field(description="Tokens of the whole document's text.")
    truncated: bool = False
    rest: str = ""


class Lookup(Result):
    """What a look-up gave: provisions, a table of contents, or the candidates of an ambiguous name."""

    outcome: Literal["provisions", "contents", "candidates"]
    provisions: tuple[ShownProvision, ...] = ()
    contents: Contents | None = None
    candidates: tuple[ResolvedReference, ...] = ()
    missing: tuple[str, ...] = Field(default=(), description="What was asked for and does not exist, or had no room.")
    message: str = ""


class Size(Result):
    """What reading something costs."""

    refid: str
    section: str | None
    title: str
    tokens: int
    in_force: InForce
    lovdata_url: str
    advice: str


class Hits(Shortened):
    """Provisions found, best first."""

    query: str
    hits: tuple[ProvisionHit, ...]
    total: int
    searched_law_types: tuple[LawType, ...] = ()
    mode: SearchMode


class Listing(Shortened):
    """Documents, by refid."""

    documents: tuple[DocumentSummary, ...]
    total: int
    page: int


class Status(Result):
    """What is stored."""

    documents: int
    provisions: int
    embedded: int
    by_law_type: dict[str, int]
    by_dataset: dict[str, int]
    services: dict[str, str]
    ready: bool


class StartedSyncs(Result):
    """Syncs that were put in the queue, and the last event of recent ones."""

    started: dict[str, str] = Field(description="Sync id by data set.")
    recent: tuple[SyncEvent, ...] = ()


Verdict = Literal["valid", "not_in_force", "ambiguous", "missing_place", "missing_provision", "unknown_act"]


class CheckedCitation(Frozen):
    """One citation of a text and what it was found to be."""

    text: str
    verdict: Verdict
    assumed_act: str = Field(default="", description="The act that was meant, when the text names it further up.")
    matches: tuple[ResolvedReference, ...] = ()
    in_force: InForce = InForce.UNKNOWN
    detail: str = ""


class CheckedText(Shortened):
    """Every citation of a text, in reading order."""

    citations: tuple[CheckedCitation, ...]
    valid: int
    invalid: int


class FormattedCitation(Result):
    """The written forms of a reference; several where it is ambiguous."""

    forms: tuple[Forms, ...]
    message: str = ""


class Validity(Result):
    """Whether a document or a provision is law today."""

    reference: ResolvedReference
    in_force: InForce
    in_force_from: date | None = None
    in_force_note: str = ""
    last_change_in_force: date | None = Field(default=None, description="Of the whole document.")
    last_changed_by: tuple[str, ...] = Field(default=(), description="The whole document.")
    provision_last_changed_by: str = Field(default="", description="The provision, as its amendment notes say.")
    provision_last_change_in_force: date | None = None
    notes: tuple[str, ...] = Field(default=(), description="Amendment notes of the provision.")
    same_name: tuple[DocumentSummary, ...] = Field(default=(), description="Other documents of the same name.")


class Amendments(Shortened):
    """What changed a document or a provision."""

    reference: ResolvedReference
    announcements: tuple[DocumentSummary, ...]
    total: int
    notes: tuple[str, ...] = ()
    amended_by: tuple[str, ...] = Field(default=(), description="Refids that the amendment notes name.")
    stored: bool = Field(description="False when no announcements are stored, so that only the notes are known.")


class EeaBasis(Result):
    """The EEA law that a document carries out, in Lovdata's words and as EU acts."""

    reference: ResolvedReference
    references: tuple[str, ...]
    eu_acts: tuple[EuAct, ...]


class Definition(Copied):
    """A provision that defines the term, with the words that do."""

    refid: str
    section: str
    heading: str
    act: str
    words: str
    in_force: InForce
    url: str
    lovdata_url: str
    sample: bool = False


class Definitions(Shortened):
    """Where a term is defined."""

    term: str
    definitions: tuple[Definition, ...]
    looked_at: int = Field(description="Provisions that were read in search of definitions.")


class Practice(Result):
    """Court decisions and administrative practice, from a search engine: untrusted text."""

    query: str
    hits: tuple[PracticeHit, ...]


class FoundProducts(Result):
    """Products that fit, best first, of the catalogues that the caller may see: untrusted text, and no law."""

    query: str
    hits: tuple[ProductHit, ...]
    words_alone: bool = False
    catalogues: tuple[Catalogue, ...] = ()


class Answered(Result):
    """The agent's answer, every citation of which is checked against the law."""

    run_id: str
    status: RunStatus
    mode: Mode
    answer: str
    insufficient: bool
    citations: tuple[Citation, ...]
    suggestions: tuple[Evidence, ...] = ()
    unresolved: tuple[str, ...] = ()


class CaseToolResult(Result):
    """What a tool about a case did or found, without names and numbers: as the cases service says it."""

    status: Literal["success", "not_found"]
    data: dict[str, Any]
