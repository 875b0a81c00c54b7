"""Requests to the cases service and its replies. All but `ReadSealingKey` and payments are sent sealed (`sealing`)."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from lovsvar_contracts.case_details import CaseState, CaseTier, PartyId, PartyKind, Phase
from lovsvar_contracts.message import Frozen, Message, Token, new_id

Organisation = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9._@-]{1,64}$")]
FieldValue = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=1_000)]

MOST_CASES, MOST_CHANGES = 50, 100


class ActorKind(StrEnum):
    """What acts."""

    PERSON = "person"
    AGENT = "agent"
    SYSTEM = "system"


class Actor(Frozen):
    """Who acts: the key's `name`, "" where no key is needed, and the organisation that the key is of.

    A case is seen by the key that opened it, by the keys of its organisation, and, where no keys are needed, by all. An
    `operator` handles tickets and subscriptions of all; the content of a case is no business of an operator.
    """

    name: str = Field(default="", max_length=64)
    organisation: Organisation | None = None
    operator: bool = False
    kind: ActorKind = ActorKind.PERSON


class CaseRequest(Message):
    """What requests about one case have in common. A repeat with the same `request_id` changes nothing more."""

    actor: Actor
    case_id: Token


class OpenCase(Message):
    """Open a case. A repeat with the same `request_id` by the same actor is the same case."""

    kind: Literal["open_case"] = "open_case"
    actor: Actor
    request_id: Token = Field(default_factory=new_id)
    title: str = Field(default="", max_length=200)
    description: str = Field(default="", max_length=8_000, description="What happened, in the person's own words.")
    for_organisation: bool = Field(default=False, description="The case is the organisation's of the actor's key.")


class Case(Message):
    """A case at one version; `version` is also the number of its last change."""

    kind: Literal["case"] = "case"
    case_id: Token
    version: int = Field(ge=1)
    owner: str
    organisation: str | None = None
    opened_at: datetime
    changed_at: datetime
    state: CaseState


class CaseLine(Frozen):
    """A case in a list."""

    case_id: Token
    version: int
    phase: Phase
    tier: CaseTier | None = None
    title: str = ""
    organisation: str | None = None
    opened_at: datetime
    changed_at: datetime
    erased_at: datetime | None = None


class ListCases(Message):
    """List the cases that an actor may see, the last changed first. `after` is the `next` of the page before."""

    kind: Literal["list_cases"] = "list_cases"
    actor: Actor
    phase: Phase | None = None
    after: str | None = Field(default=None, max_length=100)
    pseudonymised: bool = Field(default=False, description="Titles without names and numbers, for a model.")


class Cases(Message):
    """A page of cases."""

    kind: Literal["cases"] = "cases"
    cases: tuple[CaseLine, ...] = ()
    next: str | None = None


class ReadCase(CaseRequest):
    """Read a case as it is, or as it was at `version`."""

    kind: Literal["read_case"] = "read_case"
    version: int | None = Field(default=None, ge=1)


class ReadHistory(CaseRequest):
    """Read the changes of a case with numbers above `after`.

    Who is `following` reads on as changes come, which is not noted again: its first request was without it.
    """

    kind: Literal["read_history"] = "read_history"
    after: int = Field(default=0, ge=0)
    following: bool = False


class CaseAction(StrEnum):
    """What a change did."""

    CASE_OPENED = "case_opened"
    DETAILS_UPDATED = "details_updated"
    MESSAGE_RECEIVED = "message_received"
    PARTY_SET = "party_set"
    PARTY_REMOVED = "party_removed"
    TIER_SET = "tier_set"
    CREDIT_USED = "credit_used"
    PAYMENT_AWAITED = "payment_awaited"
    PAYMENT_RECEIVED = "payment_received"
    PHASE_CHANGED = "phase_changed"
    DRAFT_WRITTEN = "draft_written"
    TICKET_CREATED = "ticket_created"
    TICKET_RESOLVED = "ticket_resolved"
    DOCUMENT_ADDED = "document_added"
    DOCUMENT_READ = "document_read"
    DOCUMENT_REMOVED = "document_removed"


class CaseChange(Frozen):
    """A change: who did what, when. `updates` are the details that it set or appended to, by dot notation."""

    version: int = Field(ge=1)
    at: datetime
    by: str
    by_kind: ActorKind = ActorKind.PERSON
    action: CaseAction
    phase: Phase | None = Field(default=None, description="The phase that the case came to.")
    tier: CaseTier | None = None
    updates: dict[str, Any] = Field(default_factory=dict)
    about: str | None = Field(default=None, description="The party, ticket or payment that it concerns.")


class History(Message):
    """Changes of a case in order; `next` is the `after` of the page that follows."""

    kind: Literal["history"] = "history"
    case_id: Token
    version: int
    changes: tuple[CaseChange, ...] = ()
    next: int | None = None


class UpdateCase(CaseRequest):
    """Change the details of a case, by dot notation.

    A list's own name appends (`facts: [{…}]`), except within `legal_research`, where it replaces; everything else
    replaces, and needs `expected_version`: the version that the writer has read. A list's place (`facts.2`) set to null
    is removed.
    """

    kind: Literal["update_case"] = "update_case"
    request_id: Token = Field(default_factory=new_id)
    expected_version: int | None = Field(default=None, ge=1)
    updates: dict[str, Any] = Field(max_length=50)


class MoveCase(CaseRequest):
    """Close a case, open a closed one again, or say that it waits or goes on."""

    kind: Literal["move_case"] = "move_case"
    request_id: Token = Field(default_factory=new_id)
    step: Literal["close", "reopen", "wait", "go_on"]
    reason: str = Field(default="", max_length=500)


class SetParty(CaseRequest):
    """Add a party, or change one. A field set to null is forgotten; those not named stay."""

    kind: Literal["set_party"] = "set_party"
    request_id: Token = Field(default_factory=new_id)
    party_id: PartyId | None = Field(default=None, description="None adds a party.")
    party_kind: PartyKind | None = None
    role: str | None = Field(default=None, max_length=100)
    fields: dict[str, FieldValue | None] = Field(default_factory=dict, max_length=40)


class RemoveParty(CaseRequest):
    """Forget who a party is, in every version of the case."""

    kind: Literal["remove_party"] = "remove_party"
    request_id: Token = Field(default_factory=new_id)
    party_id: PartyId


class Party(Frozen):
    """A party and what is known of it: personal data."""

    party_id: PartyId
    kind: PartyKind
    role: str = ""
    fields: dict[str, str] = Field(default_factory=dict)


class ReadParties(CaseRequest):
    """Read the parties of a case."""

    kind: Literal["read_parties"] = "read_parties"


class Parties(Message):
    """The parties of a case, and the case's version."""

    kind: Literal["parties"] = "parties"
    case_id: Token
    version: int
    parties: tuple[Party, ...] = ()


class TicketRequest(CaseRequest):
    """Ask for human help with a case, and pause it."""

    kind: Literal["ticket_request"] = "ticket_request"
    request_id: Token = Field(default_factory=new_id)
    issue_description: str = Field(min_length=1, max_length=4_000)
    agent_state_snapshot: dict[str, Any] | None = None


class Ticket(Message):
    """A support ticket. Its words are without names and numbers."""

    kind: Literal["ticket"] = "ticket"
    ticket_id: Token
    case_id: Token
    created_at: datetime
    issue_description: str
    agent_state_snapshot: dict[str, Any] | None = None
    resolved_at: datetime | None = None
    resolved_by: str | None = None


class ListTickets(Message):
    """List the tickets that are open, for an operator; or all of one case, for who may see it."""

    kind: Literal["list_tickets"] = "list_tickets"
    actor: Actor
    case_id: Token | None = None


class Tickets(Message):
    """Tickets, oldest first."""

    kind: Literal["tickets"] = "tickets"
    tickets: tuple[Ticket, ...] = ()


class ResolveTicket(Message):
    """Say that a ticket is resolved; the case goes on where it was paused."""

    kind: Literal["resolve_ticket"] = "resolve_ticket"
    actor: Actor
    ticket_id: Token


class GrantCase(CaseRequest):
    """Let a run act for the actor in one case, by tools; for an hour."""

    kind: Literal["grant_case"] = "grant_case"
    run_id: Token


class UseTool(CaseRequest):
    """Carry a tool of a model out in one case, for a model that is not in a run of it. A `ToolReply` answers."""

    kind: Literal["use_tool"] = "use_tool"
    request_id: Token = Field(default_factory=new_id)
    name: str = Field(min_length=1, max_length=64)
    arguments: dict[str, Any] = Field(default_factory=dict)


class SendMessage(CaseRequest):
    """Keep a message of the person, and prepare the run that answers it."""

    kind: Literal["send_message"] = "send_message"
    request_id: Token = Field(default_factory=new_id)
    run_id: Token
    message: str = Field(min_length=1, max_length=3_000)


class PreparedRun(Message):
    """What a run is asked: the message without personal data, and the run before it in the same case."""

    kind: Literal["prepared_run"] = "prepared_run"
    case_id: Token
    run_id: Token
    question: str
    follows: Token | None = None
    grant: str = Field(max_length=2_000)


class ShowData(CaseRequest):
    """Put what placeholders stand for back into JSON data, for who may see it."""

    kind: Literal["show_data"] = "show_data"
    data: dict[str, Any]


class ShownData(Message):
    """The data, to be shown to its asker alone."""

    kind: Literal["shown_data"] = "shown_data"
    data: dict[str, Any]


class CaseGrant(Message):
    """What a run shows for its calls of tools. Only the cases service can read it or make one."""

    kind: Literal["case_grant"] = "case_grant"
    grant: str = Field(max_length=2_000)


class EraseCase(CaseRequest):
    """Erase a case: its key is deleted, and with it everything but a tombstone."""

    kind: Literal["erase_case"] = "erase_case"


class Tombstone(Message):
    """What is left of an erased case."""

    kind: Literal["tombstone"] = "tombstone"
    case_id: Token
    opened_at: datetime
    erased_at: datetime
