"""A question, its answer, and the evidence of the answer."""

from datetime import date, datetime
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from lovsvar_contracts.blocks import AnswerBlocks
from lovsvar_contracts.catalogues import CatalogueId, ProductId
from lovsvar_contracts.identifiers import Refid, Section
from lovsvar_contracts.ingest import ArchiveOrigin, Dataset
from lovsvar_contracts.law import InForce, LawType
from lovsvar_contracts.message import Frozen, Message, Token, new_id
from lovsvar_contracts.search import Ministry, Year

MAX_QUESTION = 4_000

Question = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_QUESTION)]


class Mode(StrEnum):
    """How an answer is made. `EXTRACTIVE` quotes the law without a language model."""

    AGENT = "agent"
    EXTRACTIVE = "extractive"
    DIRECT = "direct"


class QuestionFilters(Frozen):
    """The filters of a question (those of `FindProvisions`), for every search of its run."""

    law_type: LawType | None = None
    year: Year | None = Field(default=None, description="Year of the document's own date.")
    ministry: Ministry | None = Field(default=None, description="Part of a ministry's name.")


class QuestionAsked(Message):
    """A question was asked. `run_id` names the run that answers; a repeat with the same `run_id` is the same run.

    A question that `follows` another run is answered with that run's question and answer as context, as long as its
    events are stored.
    """

    kind: Literal["question_asked"] = "question_asked"
    run_id: Token = Field(default_factory=new_id)
    question: Question
    locale: Literal["nb", "nn", "en"] | None = None
    mode: Mode | None = Field(default=None, description="None lets the agent choose what it is set up for.")
    filters: QuestionFilters | None = Field(default=None, description="The filters of every search of the run.")
    follows: Token | None = Field(default=None, description="The run whose question this one follows up.")
    case_id: Token | None = Field(default=None, description="The case that the question is asked in.")
    grant: str | None = Field(
        default=None, max_length=2_000, description="Lets the tools of a case act for who opened the run (`CaseGrant`)."
    )
    catalogues: tuple[CatalogueId, ...] | None = Field(
        default=None,
        max_length=50,
        description="The catalogues that the asker may see; None is every one that is not private.",
    )
    expires_at: datetime | None = Field(
        default=None, description="A run that has not begun by then is closed as failed: the asker no longer waits."
    )


class CancelQuestion(Message):
    """Ask the agent of a run to stop at once."""

    kind: Literal["cancel_question"] = "cancel_question"
    run_id: Token


class RunStatus(StrEnum):
    """The status of a run. All but `RUNNING` are final."""

    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"
    LIMIT_REACHED = "limit_reached"


class Tier(StrEnum):
    """How surely the law found answers a question, by the calibrated relevance of search."""

    ANSWERS = "answers"
    RELATED = "related"
    """The law found may be relevant. It is shown in rank order."""
    NOTHING = "nothing"


SourceName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9]{0,31}$")]
"""A kind of source, as the ids of its evidence begin."""


class Evidence(Frozen):
    """A source that a run found. `evidence_id` is stable through the run (`lovdata-1`, `serper-1`).

    A product (`product-1`) proves nothing about law; its `catalogue`, `product_id` and `price` are set.
    """

    evidence_id: str
    source: SourceName = Field(
        default="lovdata",
        description="The kind: `lovdata` (law), `serper` (practice), `product`, or what another service's tool finds.",
    )
    refid: Refid | None = None
    section: Section | None = None
    title: str
    act: str = ""
    snippet: str = ""
    ledd: int | None = Field(default=None, description="The ledd that matched, if a search named one.")
    in_force: InForce = InForce.UNKNOWN
    corpus_date: date | None = Field(default=None, description="The corpus date of the law it was found in.")
    url: str
    lovdata_url: str
    sample: bool = False
    catalogue: CatalogueId | None = None
    product_id: ProductId | None = None
    price: str = Field(default="", description="Of a product: its price in words, or the catalogue's words for none.")


class Citation(Frozen):
    """A quote and its source.

    `verified` is true only when the stored text has the quote word for word. `ledd` is that of its beginning, `start`
    and `end` are its offsets in the stored text. A quote from practice has no refid and no section; it is verified
    against the result of the practice search.
    """

    number: int
    evidence_id: str
    refid: Refid | None = None
    section: Section | None = None
    ledd: int | None = None
    start: int | None = None
    end: int | None = None
    title: str
    url: str
    lovdata_url: str
    quote: str
    context: str = Field(
        default="",
        description="The whole sentence of a quote that is cut, with what it leads to or is excepted by. It holds the "
        "quote word for word; empty when the quote is whole.",
    )
    excerpt: bool = Field(
        default=False,
        description="True for a quote of a search engine's excerpt, which is not checked against the source itself.",
    )
    relevance: float | None = Field(
        default=None,
        description="The probability, by search, that the provision answers the question; None when it is not known.",
    )
    verified: bool
    in_force: InForce
    sample: bool = False
    dataset: Dataset | None = Field(default=None, description="The data set that the quote is from.")


class RejectedCitation(Frozen):
    """A quote that could not be verified, and why."""

    evidence_id: str
    quote: str
    reason: str


class FlagReason(StrEnum):
    """What a program finds wrong with a statement that names its sources."""

    QUANTITY = "quantity"
    """A number, date or limit that is neither in its provision nor in the question."""
    NEGATION = "negation"
    """It denies what the law affirms, or the other way round; or its Yes or No does."""
    MODALITY = "modality"
    """It says must where the law says may, or the other way round."""
    CONDITION = "condition"
    """It leaves out the condition that its quote was cut before."""
    REFERENCE = "reference"
    """It names another section or act than the one it cites."""
    UNRELATED = "unrelated"
    """The provision that it cites is about something else."""


class FlaggedStatement(Frozen):
    """A sentence, item or heading of a model that its sources speak against.

    It is `removed` from the answer, or shown with a mark.
    """

    sentence: str
    why: FlagReason
    evidence_ids: tuple[str, ...] = ()
    removed: bool = True


class Usage(Frozen):
    """The cost of a run so far. No tokens in extractive mode.

    `estimated` is true when a model's server did not report the usage of a call, and its tokens were estimated.
    """

    model_calls: int = 0
    tool_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0
    estimated: bool = False


class Answer(Message):
    """The public view of a run: the snapshot while it runs, the answer when it is done.

    `blocks` are what it says; `answer_html`, which is sanitised, and `answer_text` are rendered from them.
    `insufficient` is true when the sources do not surely answer the question; `suggestions` are then the nearest
    provisions that it does not quote.
    `filters` and `follows` are the question's. `uncited` are sentences that state law without a citation, `flagged`
    those that their citations speak against, `unresolved` references that the corpus does not have. `problem` is the
    reason of a failed run.
    """

    kind: Literal["answer"] = "answer"
    run_id: Token
    status: RunStatus
    mode: Mode
    question: str
    filters: QuestionFilters | None = None
    follows: Token | None = None
    blocks: AnswerBlocks = ()
    answer_html: str = ""
    answer_text: str = ""
    tier: Tier | None = Field(default=None, description="How surely it answers; None for one that a model wrote.")
    insufficient: bool = False
    citations: tuple[Citation, ...] = ()
    rejected: tuple[RejectedCitation, ...] = ()
    uncited: tuple[str, ...] = ()
    flagged: tuple[FlaggedStatement, ...] = ()
    unresolved: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    suggestions: tuple[Evidence, ...] = ()
    usage: Usage = Usage()
    corpus_date: date | None = None
    corpus_version: int = 0
    archives: tuple[ArchiveOrigin, ...] = Field(default=(), description="The archives that the sources are from.")
    sample: bool = Field(default=False, description="True when the answer rests on the bundled, invented corpus.")
    problem: str | None = None
    fallback: str | None = Field(
        default=None,
        description="Why an answer in mode agent or direct is made of quotes: `model_failed` (it did not answer), "
        "`model_unverified` (nothing that it said holds), `model_abstained` (it said that the sources do not answer).",
    )
