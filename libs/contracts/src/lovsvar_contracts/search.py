"""Requests and replies of the search service."""

from datetime import date
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from lovsvar_contracts.facets import Facets
from lovsvar_contracts.identifiers import Refid, Section
from lovsvar_contracts.ingest import ArchiveOrigin
from lovsvar_contracts.law import DocumentSummary, InForce, LawType, Provision, StructureKind
from lovsvar_contracts.message import Frozen, Message
from lovsvar_contracts.named_acts import NamedAct

MAX_QUERY = 4_000
MAX_PAGE_SIZE = 20
MAX_READ = 50
MAX_REFERENCES = 40
"""The most references of one text that are resolved."""


Query = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_QUERY)]
MIN_YEAR, MAX_YEAR = 1600, 3000
Year = Annotated[int, Field(ge=MIN_YEAR, le=MAX_YEAR)]
Ministry = Annotated[str, StringConstraints(max_length=200)]
Series = Literal["lov", "forskrift"]
"""The first part of a refid: acts, or regulations with every other decision."""


class SearchMode(StrEnum):
    """The signals by which provisions are ranked."""

    LEXICAL = "lexical"
    """Words only."""
    VECTOR = "vector"
    """Vectors only."""
    HYBRID = "hybrid"
    """Both; words only while there are no vectors."""


class FindProvisions(Message):
    """Find provisions, by words and by meaning.

    `query` has the syntax of web search: all words are optional, `"a phrase"` is required, `-word` is excluded, `OR`
    separates alternatives, both of `a AND b` are required. No query is a syntax error. Without `law_type`, law types
    fill the answer in their order.
    """

    kind: Literal["find_provisions"] = "find_provisions"
    query: Query
    law_type: LawType | None = None
    year: Year | None = Field(default=None, description="Year of the document's own date.")
    year_from: Year | None = Field(default=None, description="First year of the document's own date.")
    year_to: Year | None = Field(default=None, description="Last year of the document's own date.")
    ministry: Ministry | None = Field(default=None, description="Part of a ministry's name.")
    legal_area: str | None = Field(default=None, max_length=200, description="Part of a legal area's name.")
    dataset: str | None = Field(default=None, max_length=100, description="A data set, such as gjeldende-lover.")
    document: Refid | None = Field(default=None, description="Search in this document only.")
    in_force_on: date | None = Field(default=None, description="Only what was or will be in force on that day.")
    announcements: bool = Field(
        default=False, description="Search announcements in Norsk Lovtidend instead of current law."
    )
    mode: SearchMode = SearchMode.HYBRID
    explain: bool = Field(default=False, description="Return the ranking signals of each hit.")
    all_types: bool = Field(
        default=False, description="Search every law type, instead of filling the answer by law types in their order."
    )
    facets: bool = Field(default=False, description="Count the hits of all pages by each filter's values.")
    page: int = Field(default=1, ge=1, le=1000)
    page_size: int = Field(default=10, ge=1, le=MAX_PAGE_SIZE)


class ProvisionHit(Frozen):
    """One provision. `score` compares hits of one reply only."""

    refid: Refid
    section: Section
    act: str
    title: str = Field(description="'§ 3-5. Depositum'")
    law_type: LawType
    path: tuple[str, ...] = ()
    snippet: str = Field(description="At most 500 characters around the match, plain text.")
    marks: tuple[tuple[int, int], ...] = Field(default=(), description="Where matching words begin and end in it.")
    ledd: int | None = None
    score: float
    in_force: InForce
    url: str
    lovdata_url: str
    tokens: int
    sample: bool = False
    similarity: float | None = Field(
        default=None,
        description="Cosine similarity of the question to the nearest of the provision's everyday questions and "
        "passages. None when it was found by words only.",
    )
    probability: float | None = Field(
        default=None,
        description="The probability that it answers, learnt from labelled questions; None for hits after the ranked "
        "ones, by words only.",
    )
    score_parts: dict[str, float] | None = Field(default=None, description="The ranking signals, if requested.")


class CorpusReply(Message):
    """A reply from the corpus, with the version and date that were served."""

    corpus_version: int
    corpus_date: date | None = Field(default=None, description="The date of the served corpus.")


class UnknownWord(Frozen):
    """A word of the query that no provision has.

    `meant` is a similar one, empty when there is none. It is looked for when nothing is found or facets are requested.
    """

    word: str
    meant: str = ""


class ProvisionHits(CorpusReply):
    """A page of hits, best first; none when no hit is probable enough."""

    kind: Literal["provision_hits"] = "provision_hits"
    hits: tuple[ProvisionHit, ...]
    total: int
    page: int
    page_size: int
    searched_law_types: tuple[LawType, ...]
    prioritized: bool = Field(description="True when law types were filled in their order.")
    mode: SearchMode = Field(default=SearchMode.LEXICAL, description="Lexical while there are no vectors.")
    took_ms: float
    probability: float | None = Field(
        default=None, description="The probability that the best hit of all answers; None without hits."
    )
    answers: bool = Field(default=False, description="Whether that is probable enough for an answer.")
    did_you_mean: tuple[str, ...] = Field(default=(), description="At most 3 similar words, when nothing was found.")
    acts: tuple[NamedAct, ...] = Field(
        default=(), description="The documents that the whole query is a name or abbreviation of, at most 5."
    )
    unknown_words: tuple[UnknownWord, ...] = Field(default=(), description="At most 3 words that no provision has.")
    unknown_filters: tuple[str, ...] = Field(
        default=(), description="Filters of the request, by name, that no document has: there are no hits."
    )
    facets: Facets | None = Field(
        default=None, description="If requested; None without hits, for announcements, and by meaning alone."
    )


class ProvisionRef(Frozen):
    """Names one provision."""

    refid: Refid
    section: Section


class ReadProvisions(Message):
    """Read provisions whole, by name. Section names are compared without spaces and case."""

    kind: Literal["read_provisions"] = "read_provisions"
    refs: tuple[ProvisionRef, ...] = Field(min_length=1, max_length=MAX_READ)


class Provisions(CorpusReply):
    """Provisions in the order asked for; what does not exist is listed in `missing`."""

    kind: Literal["provisions"] = "provisions"
    provisions: tuple[Provision, ...]
    missing: tuple[ProvisionRef, ...] = ()


class Acts(CorpusReply):
    """Documents of current law with a name like the text, best first.

    The whole name comes before its beginning, before the beginning of a word in it, before a part of a word; what is in
    force before what is not, acts before regulations.
    """

    kind: Literal["acts"] = "acts"
    acts: tuple[NamedAct, ...] = ()


class ReadOutline(Message):
    """Read a document's table of contents."""

    kind: Literal["read_outline"] = "read_outline"
    refid: Refid


class OutlineEntry(Frozen):
    """A provision in a table of contents."""

    section: Section
    value: str
    title: str
    tokens: int


class OutlineNode(Frozen):
    """A division with what it holds. `tokens` includes everything inside."""

    kind: StructureKind
    name: str
    title: str
    tokens: int
    provisions: tuple[OutlineEntry, ...] = ()
    children: tuple["OutlineNode", ...] = ()


class Outline(CorpusReply):
    """A document's table of contents with token counts."""

    kind: Literal["outline"] = "outline"
    document: DocumentSummary
    provisions: tuple[OutlineEntry, ...] = Field(default=(), description="Those outside any division.")
    children: tuple[OutlineNode, ...] = ()
    tokens: int


class ReadDocument(Message):
    """Read a document to show it: its provisions in reading order, a page at a time.

    `after` is the `next_after` of the page before; a page keeps the reply below NATS's limit of 1 MB.
    """

    kind: Literal["read_document"] = "read_document"
    refid: Refid
    after: int | None = Field(default=None, ge=0)


class Document(CorpusReply):
    """A document, or a page of one. `next_after` is set when there is more."""

    kind: Literal["document"] = "document"
    document: DocumentSummary
    provisions: tuple[Provision, ...]
    next_after: int | None = None


class ResolveReference(Message):
    """Resolve a written reference: 'husll. § 3-5', 'LOV-1999-03-26-17 § 3-5', 'straffeloven'."""

    kind: Literal["resolve_reference"] = "resolve_reference"
    reference: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)]


class ResolvedReference(Frozen):
    """One match of a reference. Without `section` it is the whole document, or its `chapter`."""

    refid: Refid
    section: Section | None = None
    chapter: str | None = Field(default=None, description="Name of a chapter as in the outline: 'kap3'.")
    ledd: int | None = None
    letter: str | None = Field(default=None, description="'b' of «bokstav b».")
    number: str | None = Field(default=None, description="'3' of «nr. 3».")
    sentence: int | None = Field(default=None, description="Punktum, counted from 1.")
    act: str
    title: str
    law_type: LawType
    in_force: InForce
    url: str
    lovdata_url: str


class FoundReference(Frozen):
    """One reference of a text, and its matches. `detail` names the part that does not exist."""

    text: str
    matches: tuple[ResolvedReference, ...] = ()
    detail: str = ""
    reason: Literal["", "act_not_named", "act_unknown", "provision_missing", "place_missing"] = Field(
        default="", description="Why it has no match; empty when it has."
    )
    law_type: LawType | None = Field(default=None, description="That of «loven» or «forskriften» without a name.")
    nearest: tuple[ResolvedReference, ...] = Field(
        default=(),
        description="If the provision does not exist: at most three of the document that are nearest. If no act has "
        "the name: at most four whose names end in it.",
    )
    namesakes: tuple[ResolvedReference, ...] = Field(
        default=(), description="Documents that have the name too, and are not meant without more: at most three."
    )


class Resolution(CorpusReply):
    """The matches of a reference: `one`, `several` that fit equally well, or `none`. Never a guess."""

    kind: Literal["resolution"] = "resolution"
    reference: str
    outcome: Literal["one", "several", "none"]
    matches: tuple[ResolvedReference, ...] = ()
    detail: str = Field(default="", description="Why there is none or more than one, in Norwegian.")
    references: tuple[FoundReference, ...] = Field(default=(), description="Each reference of the text, at most 40.")


class ReadStatus(Message):
    """Ask for the state of the corpus."""

    kind: Literal["read_status"] = "read_status"


class CatalogueCounts(Frozen):
    """What is served of a catalogue of products; `trouble` says in Norwegian why nothing is, or that it may be old.

    A `private` one is shown only to those who are allowed it by name.
    """

    catalogue: str
    items: int = 0
    embedded: int = Field(default=0, description="Items of which every text has a vector.")
    version: int = 0
    trouble: str = ""
    private: bool = False


class CorpusStatus(Message):
    """The stored corpus, and the part that this search replica serves.

    `corpus_version` is that of the index; `stored_version` the newest in the database.
    """

    kind: Literal["corpus_status"] = "corpus_status"
    documents: int
    provisions: int
    embedded: int
    corpus_version: int
    stored_version: int
    corpus_date: date | None
    by_law_type: dict[LawType, int]
    by_dataset: dict[str, int] = Field(default_factory=dict)
    archives: tuple[ArchiveOrigin, ...] = Field(default=(), description="The archive of each data set.")
    sample: bool = Field(description="True when the corpus is the bundled, invented one.")
    indexed_provisions: int
    ready: bool
    services: dict[str, str] = Field(
        default_factory=dict, description="Each service: 'ready', 'not_ready: <why>' or 'down'."
    )
    catalogues: tuple[CatalogueCounts, ...] = Field(default=(), description="Catalogues of products, by id.")
