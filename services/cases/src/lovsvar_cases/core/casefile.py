"""A case, the changes that it is made of, and who may see it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from pydantic import Field

from lovsvar_cases.core.updates import updated, updated_by_all
from lovsvar_contracts.case_details import CaseState, Phase
from lovsvar_contracts.case_drafts import Draft
from lovsvar_contracts.cases import Actor, Case, CaseAction, CaseChange
from lovsvar_contracts.message import Frozen


@dataclass(frozen=True)
class CaseFile:
    """A case as it is stored, at its newest version."""

    case_id: str
    owner: str
    organisation: str | None
    version: int
    opened_at: datetime
    changed_at: datetime
    state: CaseState

    def may_be_seen_by(self, actor: Actor) -> bool:
        """Whether `actor` may read and change this case."""
        return (
            not actor.name
            or actor.name == self.owner
            or (self.organisation is not None and actor.organisation == self.organisation)
        )

    @property
    def account(self) -> str:
        """Whose credit it uses."""
        return f"org:{self.organisation}" if self.organisation else f"key:{self.owner}"

    def shown(self) -> Case:
        """Return the case as a reply."""
        return Case(
            case_id=self.case_id,
            version=self.version,
            owner=self.owner,
            organisation=self.organisation,
            opened_at=self.opened_at,
            changed_at=self.changed_at,
            state=self.state,
        )


class ChangeBody(Frozen):
    """What a change does to the state of a case: all that is needed to do it again. None leaves as it is."""

    phase: Phase | None = None
    title: str | None = None
    tier: int | None = None
    tier_reason: str | None = None
    entitled: bool | None = None
    updates: dict[str, Any] = Field(default_factory=dict)
    about: str | None = None


@dataclass(frozen=True)
class Step:
    """A change that was decided on, and what is stored with it.

    `fields` are those of the party `about`, with None for one to forget; `forgotten` is a party of which every version
    is forgotten, `debit` the tier of a credit to use, `ticket` what a new ticket says, `draft` a new revision.
    """

    action: CaseAction
    body: ChangeBody
    fields: Mapping[str, str | None] = field(default_factory=dict)
    forgotten: str | None = None
    debit: int | None = None
    ticket: str | None = None
    draft: Draft | None = None


def folded(state: CaseState, body: ChangeBody) -> CaseState:
    """Return the state that a change makes of `state`. Raises `InvalidUpdate`."""
    set_to = body.model_dump(include={"phase", "title", "tier", "tier_reason", "entitled"}, exclude_none=True)
    phase = body.phase or state.phase
    if phase is not Phase.PAUSED_SUPPORT:
        paused_from = None
    else:
        paused_from = state.paused_from if state.phase is Phase.PAUSED_SUPPORT else state.phase
    details = updated(state.details, body.updates) if body.updates else state.details
    return state.model_copy(update={**set_to, "paused_from": paused_from, "details": details})


def folded_all(state: CaseState, bodies: Sequence[ChangeBody]) -> CaseState:
    """Return the state that changes make of `state`, one after the other. Raises `InvalidUpdate`."""
    details = updated_by_all(state.details, (body.updates for body in bodies if body.updates))
    for body in bodies:
        state = folded(state, body.model_copy(update={"updates": {}}))
    return state.model_copy(update={"details": details})


def shown_change(version: int, at: datetime, actor: Actor, action: CaseAction, body: ChangeBody) -> CaseChange:
    """Return a change as a reply."""
    return CaseChange(
        version=version,
        at=at,
        by=actor.name,
        by_kind=actor.kind,
        action=action,
        phase=body.phase,
        tier=body.tier,
        updates=body.updates,
        about=body.about,
    )
