"""The events of one run, in NATS (`lovsvar.answer.<run_id>`) and over SSE alike.

`id` counts from 1 within a run without gaps and is the SSE id; `type` is the SSE event name. A run ends with exactly
one of the types in `CLOSING`. An agent that takes a run over continues the numbering with `run.started` {attempt: n}; a
reader drops the draft text of earlier attempts.
"""

from datetime import date, datetime
from typing import Annotated, Any, Literal, get_args

from pydantic import ConfigDict, Discriminator, Field, Tag, TypeAdapter, computed_field, model_validator

from lovsvar_contracts.catalogues import CatalogueId
from lovsvar_contracts.law import LawType
from lovsvar_contracts.message import Frozen, Message, Token
from lovsvar_contracts.problems import ProblemType
from lovsvar_contracts.questions import Answer, Citation, Evidence, Mode, QuestionFilters, Usage


class RunEventBase(Message):
    """The envelope of every run event."""

    id: int = Field(default=0, ge=0, description="Set by the log when the event is appended; from 1.")
    run_id: Token

    @computed_field  # type: ignore[prop-decorator]
    @property
    def ts(self) -> datetime:
        """The same as `occurred_at`, under the name in the stream."""
        return self.occurred_at


class RunAccepted(RunEventBase):
    """The question is stored and will be answered."""

    type: Literal["run.accepted"] = "run.accepted"
    question: str
    mode: Mode | None = None
    locale: str | None = None
    filters: QuestionFilters | None = None
    follows: Token | None = None
    case_id: Token | None = Field(default=None, description="The case that the question is asked in.")
    catalogues: tuple[CatalogueId, ...] | None = Field(
        default=None, description="The catalogues that the asker may see."
    )
    owner: str | None = Field(default=None, description="The name of the asker's key, where keys are needed.")
    place: int | None = Field(
        default=None, ge=0, description="Its place in the queue: 1 is next, 0 begins at once. None if unknown."
    )
    expected_wait: float | None = Field(default=None, ge=0, description="Seconds until an agent is expected to begin.")
    expires_at: datetime | None = Field(default=None, description="When the run is closed unless an agent has begun.")


class RunLimits(Frozen):
    """The limits of a run."""

    rounds: int
    tool_calls: int
    seconds: float
    tokens: int | None = None
    cost_usd: float | None = None


class RunStarted(RunEventBase):
    """An agent took the run. `attempt` is 1 for the first."""

    type: Literal["run.started"] = "run.started"
    attempt: int = 1
    limits: RunLimits
    corpus_date: date | None = None
    corpus_version: int = 0
    model: str = Field(description="The model's name, or 'extractive'.")
    mode: Mode | None = Field(default=None, description="The mode that the question is answered in.")


class StepStarted(RunEventBase):
    """A step began. `title` is shown to users, in Norwegian."""

    type: Literal["step.started"] = "step.started"
    step: int
    name: str
    title: str


class StepFinished(RunEventBase):
    """A step ended after `ms` milliseconds."""

    type: Literal["step.finished"] = "step.finished"
    step: int
    name: str
    ms: float


class ToolCalled(RunEventBase):
    """A tool was called."""

    type: Literal["tool.called"] = "tool.called"
    call_id: str
    name: str
    arguments: dict[str, Any]


class ToolResult(RunEventBase):
    """A tool returned. `error` is set when it failed."""

    type: Literal["tool.result"] = "tool.result"
    call_id: str
    name: str
    hits: int
    searched_law_types: tuple[LawType, ...] = ()
    truncated: bool = False
    ms: float = 0.0
    error: str | None = None


class ToolRetried(RunEventBase):
    """A tool that failed in a case is called again: `attempt` 1 or 2. `error` is what it said the time before."""

    type: Literal["tool.retried"] = "tool.retried"
    call_id: str
    name: str
    attempt: int = Field(ge=1, le=2)
    error: str


class ReasonerConsulted(RunEventBase):
    """The reasoner was asked for guidance in a case, or could not be: then `error_message` says why.

    `response` names no law that is in no source of the run without a mark behind it; `unsourced` is what has one.
    """

    type: Literal["reasoner.consulted"] = "reasoner.consulted"
    call_id: str
    question: str
    status: Literal["success", "error"]
    response: str = ""
    error_message: str | None = None
    unsourced: tuple[str, ...] = ()
    model: str
    ms: float = 0.0
    about_tool: str | None = Field(default=None, description="The tool that failed, where that is why.")


class UserAsked(RunEventBase):
    """The person is asked something, which the next message answers."""

    type: Literal["user.asked"] = "user.asked"
    question: str
    about_tool: str | None = Field(default=None, description="The tool that failed, where that is why.")


class TicketCreated(RunEventBase):
    """The support was asked for help, and the case is paused."""

    type: Literal["ticket.created"] = "ticket.created"
    ticket_id: Token
    about_tool: str | None = Field(default=None, description="The tool that failed, where that is why.")


class SourcesFound(RunEventBase):
    """New evidence of this run."""

    type: Literal["sources.found"] = "sources.found"
    evidence: tuple[Evidence, ...]


class AnswerDelta(RunEventBase):
    """Draft text of the answer. The checked answer in `answer.completed` replaces it.

    `restart` is true when a new draft begins: a reader drops the text of the one before.
    """

    type: Literal["answer.delta"] = "answer.delta"
    text: str
    restart: bool = False


class CitationVerified(RunEventBase):
    """The stored text has a quote word for word."""

    type: Literal["citation.verified"] = "citation.verified"
    citation: Citation


class CitationRejected(RunEventBase):
    """A quote is not in its source, and is left out of the answer."""

    type: Literal["citation.rejected"] = "citation.rejected"
    evidence_id: str
    quote: str
    reason: str


class UsageUpdated(RunEventBase):
    """The cost of the run so far."""

    type: Literal["usage.updated"] = "usage.updated"
    usage: Usage


class AnswerCompleted(RunEventBase):
    """The checked answer."""

    type: Literal["answer.completed"] = "answer.completed"
    answer: Answer


class RunCompleted(RunEventBase):
    """The run ended with an answer."""

    type: Literal["run.completed"] = "run.completed"


class RunFailed(RunEventBase):
    """The run ended without an answer."""

    type: Literal["run.failed"] = "run.failed"
    problem: ProblemType
    detail: str
    retryable: bool = False


class RunCancelled(RunEventBase):
    """The asker cancelled the run."""

    type: Literal["run.cancelled"] = "run.cancelled"


class RunLimitReached(RunEventBase):
    """The run ended at a limit, with the best answer it had."""

    type: Literal["run.limit_reached"] = "run.limit_reached"
    limit: str


RunEvent = Annotated[
    RunAccepted
    | RunStarted
    | StepStarted
    | StepFinished
    | ToolCalled
    | ToolResult
    | ToolRetried
    | ReasonerConsulted
    | UserAsked
    | TicketCreated
    | SourcesFound
    | AnswerDelta
    | CitationVerified
    | CitationRejected
    | UsageUpdated
    | AnswerCompleted
    | RunCompleted
    | RunFailed
    | RunCancelled
    | RunLimitReached,
    Field(discriminator="type"),
]


class OtherEvent(RunEventBase):
    """An event of a type that this version does not know, as it came: a reader passes over it, or passes it on."""

    model_config = ConfigDict(extra="allow")

    type: Annotated[str, Field(pattern=r"^[a-z_]+\.[a-z_]+$")]

    @model_validator(mode="before")
    @classmethod
    def _without_what_is_computed(cls, data: Any) -> Any:
        return {name: value for name, value in data.items() if name != "ts"} if isinstance(data, dict) else data


_TYPES = frozenset(model.model_fields["type"].default for model in get_args(get_args(RunEvent)[0]))


def _is_known(event: Any) -> str:
    type_ = event.get("type") if isinstance(event, dict) else getattr(event, "type", None)
    return "other" if isinstance(type_, str) and type_ not in _TYPES else "known"


ANY_RUN_EVENT: Any = Annotated[
    Annotated[RunEvent, Tag("known")] | Annotated[OtherEvent, Tag("other")], Discriminator(_is_known)
]
"""A run event of any version, for other unions."""

run_event_adapter: TypeAdapter[RunEvent] = TypeAdapter(
    ANY_RUN_EVENT,
    config=ConfigDict(hide_input_in_errors=True),
)
"""Decodes any run event by its `type`; one of a newer version becomes an `OtherEvent`."""

CLOSING = frozenset({"run.completed", "run.failed", "run.cancelled", "run.limit_reached"})
