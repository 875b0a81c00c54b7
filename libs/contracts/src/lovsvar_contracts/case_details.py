"""What a case says: its details, and the state that they are part of.

Details are addressed by dot notation: `summary.current`, `facts`, `facts.0.fact`, `legal_research.legislation`.
"""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any

from pydantic import Field, StringConstraints

from lovsvar_contracts.message import Frozen, Token

Line = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)]
Words = Annotated[str, StringConstraints(max_length=8_000)]
PartyId = Annotated[str, StringConstraints(pattern=r"^party(0|[1-9][0-9]{0,2})$")]
CaseTier = Annotated[int, Field(ge=1, le=3)]


class Phase(StrEnum):
    """Where a case is. From `PAUSED_SUPPORT` it goes back to where it was."""

    DESCRIBING = "describing"
    TIER = "tier"
    QUOTA = "quota"
    PAYMENT = "payment"
    ACTIVE = "active"
    WAITING = "waiting"
    CLOSED = "closed"
    PAUSED_SUPPORT = "paused_support"


class PartyKind(StrEnum):
    """What a party is."""

    PERSON = "person"
    ORGANISATION = "organisation"


class Summary(Frozen):
    """What the case is about, in a few sentences."""

    current: Words = ""


class Fact(Frozen):
    """Something that happened. `timestamp` is when, as it was said: a date or words."""

    fact: Words
    timestamp: str | None = Field(default=None, max_length=100)
    source: str | None = Field(default=None, max_length=200, description="Who said so, or the document it is in.")


class PartyContext(Frozen):
    """A party of the case, without who it is: that stands in the vault."""

    party_id: PartyId
    kind: PartyKind = PartyKind.PERSON
    role: str = Field(default="", max_length=100, description="What it is in the case: utleier, klager.")
    fields: tuple[str, ...] = Field(default=(), description="The fields of it that are known.")
    removed: bool = Field(default=False, description="It is no party any more; its id is not used again.")


class DocumentNote(Frozen):
    """A document of the case, and what it says in short."""

    document_id: Token
    name: str = Field(max_length=300)
    pages: int | None = Field(default=None, ge=0)
    summary: Words = ""


class FoundText(Frozen):
    """A provision or a decision that was found; its full text is read by `doc_id`."""

    doc_id: str = Field(max_length=300)
    title: str = Field(default="", max_length=500)
    summary: Words = ""
    url: str = Field(default="", max_length=2_000)


class LegalResearch(Frozen):
    """What was found of law, and of practice."""

    legislation: tuple[FoundText, ...] = ()
    practice: tuple[FoundText, ...] = ()


class DraftStatus(Frozen):
    """A draft and its newest revision."""

    draft_id: Token
    name: str = Field(max_length=200)
    revision: int = Field(default=1, ge=1)
    status: str = Field(default="ready", max_length=40)


class Interaction(Frozen):
    """Something that was said or done: by the person, the assistant, the reasoner or a tool."""

    by: str = Field(max_length=40)
    text: Words
    timestamp: datetime | None = None
    run_id: Token | None = None


class AgentInteractions(Frozen):
    """The log of what was said and done, oldest first."""

    log: tuple[Interaction, ...] = ()


class ProcessingState(Frozen):
    """Where the work on the case is, so that a run that was cut goes on there."""

    run_id: Token | None = None
    step: str = Field(default="", max_length=100)
    attempts: int = Field(default=0, ge=0)
    waiting_for: str = Field(default="", max_length=500)
    data: dict[str, Any] = Field(default_factory=dict)


class CaseDetails(Frozen):
    """Everything that is known of a case, except who its parties are."""

    summary: Summary = Summary()
    facts: tuple[Fact, ...] = ()
    objectives: tuple[Line, ...] = ()
    parties_involved_context: tuple[PartyContext, ...] = ()
    documents: tuple[DocumentNote, ...] = ()
    legal_research: LegalResearch = LegalResearch()
    draft_status: tuple[DraftStatus, ...] = ()
    internal_notes: tuple[Words, ...] = ()
    agent_interactions: AgentInteractions = AgentInteractions()
    case_processing_state: ProcessingState = ProcessingState()


class CaseState(Frozen):
    """A case as it is at one version. `paused_from` is the phase that a paused case goes back to."""

    phase: Phase = Phase.DESCRIBING
    paused_from: Phase | None = None
    title: str = Field(default="", max_length=200)
    tier: CaseTier | None = None
    tier_reason: str = Field(default="", max_length=1_000)
    entitled: bool = Field(default=False, description="A credit or a payment covers the case at its tier.")
    details: CaseDetails = CaseDetails()
