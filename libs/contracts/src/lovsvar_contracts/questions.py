"""A question, its answer, and what the answer rests on."""

from datetime import date, datetime
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from lovsvar_contracts.blocks import AnswerBlocks
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
    """What a question is narrowed to: filters of `FindProvisions`, which hold for every search of its run."""

    law_type: LawType | None = None
    year: Year | None = Field(default=None, description="Year of the document's own date.")
    ministry: Ministry | None = Field(default=None, description="Part of a ministry's name.")


class QuestionAsked(Message):
    """Somebody asked. `run_id` names the run that answers; asking twice with one `run_id` is one run.

    A question that `follows` another run is answered with that run's question and answer at hand, as long as its
    events are kept.
    """

    kind: Literal["question_asked"] = "question_asked"
    run_id: Token = Field(default_factory=new_id)
    question: Question
    locale: Literal["nb", "nn", "en"] | None = None
    mode: Mode | None = Field(default=None, description="None lets the agent choose what it is set up for.")
    filters: QuestionFilters | None = Field(default=None, description="What every search of the run is narrowed to.")
    follows: Token | None = Field(default=None, description="The run whose question this one follows up.")
    expires_at: datetime | None = Field(
        default=None, description="When nobody waits for it any more: a run not begun by then is closed as failed."
    )


class CancelQuestion(Message):
    """Ask whoever runs this to stop at once."""

    kind: Literal["cancel_question"] = "cancel_question"
    run_id: Token


class RunStatus(StrEnum):
    """Where a run is. All but `RUNNING` are final."""

    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"
    LIMIT_REACHED = "limit_reached"


SourceName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9]{0,31}$")]
"""A kind of source, as the ids of its evidence begin."""


class Evidence(Frozen):
    """A source that a run found. `evidence_id` is stable through the run (`lovdata-1`, `serper-1`)."""

    evidence_id: str
    source: SourceName = Field(
        default="lovdata",
        description="The kind: `lovdata` (law), `serper` (practice), or one that a tool of another service finds.",
    )
    refid: Refid | None = None
    section: Section | None = None
    title: str
    act: str = ""
    snippet: str = ""
    ledd: int | None = Field(default=None, description="The ledd that matched, if a search named one.")
    in_force: InForce = InForce.UNKNOWN
    corpus_date: date | None = Field(default=None, description="Of which date the law is that it was found in.")
    url: str
    lovdata_url: str
    sample: bool = False


class Citation(Frozen):
    """A quote and its place.

    `verified` is true only when the quote was found, word for word, in the stored text; `ledd` is the
    paragraph that holds its beginning. `start` and `end` are its offsets in the stored text. A quote from
    practice has no refid and no section; it is verified against what the search for practice gave.
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
    verified: bool
    in_force: InForce
    sample: bool = False
    dataset: Dataset | None = Field(default=None, description="Of which of the answer's archives the quote is.")


class RejectedCitation(Frozen):
    """A quote that did not hold, and why."""

    evidence_id: str
    quote: str
    reason: str


class Usage(Frozen):
    """What a run has cost so far. No tokens in extractive mode.

    `estimated` is true when a model's server did not say what a call used, and its size was counted instead.
    """

    model_calls: int = 0
    tool_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0
    estimated: bool = False


class Answer(Message):
    """A run as seen from outside: the snapshot while it runs, the answer when it is done.

    `blocks` are what it says; `answer_html`, which is sanitised, and `answer_text` are rendered from them.
    `insufficient` is true when the sources do not answer the question; `suggestions` then names the nearest provisions.
    `filters` and `follows` are those of the question. `uncited` are sentences that state law without a citation,
    `unresolved` references in the answer that the corpus does not hold. `problem` says why a failed run failed.
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
    insufficient: bool = False
    citations: tuple[Citation, ...] = ()
    rejected: tuple[RejectedCitation, ...] = ()
    uncited: tuple[str, ...] = ()
    unresolved: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    suggestions: tuple[Evidence, ...] = ()
    usage: Usage = Usage()
    corpus_date: date | None = None
    corpus_version: int = 0
    archives: tuple[ArchiveOrigin, ...] = Field(default=(), description="The archives that the sources are from.")
    sample: bool = Field(default=False, description="True when the answer rests on the bundled, invented corpus.")
    problem: str | None = None
