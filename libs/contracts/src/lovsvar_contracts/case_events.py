"""What a client sees of a case while it follows it: its changes, and between them the events of its runs."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Discriminator, Field, Tag, TypeAdapter

from lovsvar_contracts.case_details import CaseTier, Phase
from lovsvar_contracts.cases import ActorKind, CaseAction, CaseChange
from lovsvar_contracts.message import Frozen, Message, Token
from lovsvar_contracts.run_events import ANY_RUN_EVENT, RunEvent


class CaseChanged(Message):
    """A case has a new version. Who may see it reads what is new; 0 says that it was erased."""

    kind: Literal["case_changed"] = "case_changed"
    case_id: Token
    version: int = Field(ge=0)


class CaseEvent(Frozen):
    """A change of a case in its stream of events: who did what, and where, but not the words themselves."""

    type: Literal["case.changed"] = "case.changed"
    case_id: Token
    version: int
    at: datetime
    by: str
    by_kind: ActorKind
    action: CaseAction
    phase: Phase | None = Field(default=None, description="The phase that the case came to.")
    tier: CaseTier | None = None
    fields: tuple[str, ...] = Field(default=(), description="The details that it set or appended to.")
    about: str | None = Field(default=None, description="The party, document, draft, ticket or payment of it.")


class CaseErased(Frozen):
    """The case was erased, and the stream ends."""

    type: Literal["case.erased"] = "case.erased"
    case_id: Token


class OtherCaseEvent(Frozen):
    """An event of the case itself that this version does not know, as it came: a reader passes over it."""

    model_config = ConfigDict(extra="allow")

    type: Annotated[str, Field(pattern=r"^case\.[a-z_]+$")]


CaseStreamEvent = CaseEvent | CaseErased | RunEvent

_CASE_TYPES = frozenset({"case.changed", "case.erased"})


def _source(event: Any) -> str:
    type_ = event.get("type") if isinstance(event, dict) else getattr(event, "type", None)
    if not isinstance(type_, str) or not type_.startswith("case."):
        return "run"
    return type_ if type_ in _CASE_TYPES else "case"


_ANY: Any = Annotated[
    Annotated[CaseEvent, Tag("case.changed")]
    | Annotated[CaseErased, Tag("case.erased")]
    | Annotated[OtherCaseEvent, Tag("case")]
    | Annotated[ANY_RUN_EVENT, Tag("run")],
    Discriminator(_source),
]

case_stream_adapter: TypeAdapter[CaseStreamEvent] = TypeAdapter(
    _ANY,
    config=ConfigDict(hide_input_in_errors=True),
)
"""Decodes any event of a case's stream; one of a newer version becomes an `OtherCaseEvent` or an `OtherEvent`."""

ABOUT = frozenset(CaseAction) - {CaseAction.PHASE_CHANGED}
"""What a change is about is an id, except of a closing: that is somebody's words."""


def event_of(case_id: str, change: CaseChange) -> CaseEvent:
    """Return a change as an event: without the words that it brought."""
    return CaseEvent(
        case_id=case_id,
        **change.model_dump(include={"version", "at", "by", "by_kind", "action", "phase", "tier"}),
        fields=tuple(change.updates),
        about=change.about if change.action in ABOUT else None,
    )


def run_of(change: CaseChange) -> str | None:
    """Return the run that a change began: that of a message."""
    begun = change.updates.get("case_processing_state.run_id") if change.action is CaseAction.MESSAGE_RECEIVED else None
    return begun if isinstance(begun, str) else None
