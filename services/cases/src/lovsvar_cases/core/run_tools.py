"""What the agent itself asks of a case during a run: where the case is, its tier, and what its work has come to.

No model is offered these, so that what a message leads to in each phase is decided by code.
"""

from collections.abc import Mapping
from typing import Any

from lovsvar_cases.core.case_tools import Desk, Result, Work, success
from lovsvar_cases.core.casefile import CaseFile, ChangeBody, Step
from lovsvar_cases.core.casework import check_open
from lovsvar_cases.core.credit import set_tier
from lovsvar_cases.core.errors import InvalidUpdate
from lovsvar_cases.core.phases import PhaseStep, after
from lovsvar_cases.core.ports import Books
from lovsvar_cases.core.tiers import TierDefinitions, description_of
from lovsvar_contracts.case_credit import SetTier
from lovsvar_contracts.case_details import Phase
from lovsvar_contracts.cases import CaseAction

WITHOUT_TIER = frozenset({Phase.DESCRIBING, Phase.TIER})
DATA = "case_processing_state.data"
OBSTACLE = "obstacle"
"""The tool that the person was asked about, in the message before: if it fails again, people have to help."""

ASKED_ABOUT = "asked_about"


def run_tools(definitions: TierDefinitions) -> Mapping[str, Work]:
    """Return the tools of a run itself, by name."""

    async def read_case_work(desk: Desk, _: Mapping[str, Any]) -> Result:
        """Return where the case is, and what its tier is decided from, without names and numbers."""
        async with desk.store.gate(desk.granted.actor, desk.granted.case_id) as (file, gate):
            description = gate.hidden(description_of(file.state.details))
        return success(**_where(file), description=description, tiers=definitions.model_dump(mode="json")["tiers"])

    async def set_case_tier(desk: Desk, given: Mapping[str, Any]) -> Result:
        """Decide the tier of a case that has none, by the model's word or else by the rules; say what is missing."""
        file = await desk.store.read(desk.granted.actor, desk.granted.case_id)
        if file.state.phase not in WITHOUT_TIER:
            return success(**_where(file))
        async with desk.store.gate(desk.granted.actor, desk.granted.case_id) as (_, gate):
            reason = gate.hidden(str(given.get("reason", "")))[:1_000]
        request = SetTier(**desk.about, request_id=desk.request_id, tier=given.get("tier"), reason=reason)
        try:
            await set_tier(request, desk.store, definitions)
        except InvalidUpdate:
            return success(**_where(file), question=definitions.question)
        return success(**_where(await desk.store.read(desk.granted.actor, desk.granted.case_id)))

    return {"read_case_work": read_case_work, "set_case_tier": set_case_tier, "note_case_work": note_case_work}


async def note_case_work(desk: Desk, given: Mapping[str, Any]) -> Result:
    """Note what the work has come to: that it waits for the person's answer, or that a limit cut it."""
    waiting_for, about_tool = str(given.get("waiting_for", ""))[:500], given.get("about_tool")

    async def decide(file: CaseFile, _: Books) -> Step:
        check_open(file)
        waits = bool(waiting_for) and file.state.phase is Phase.ACTIVE
        updates = {
            "case_processing_state.step": str(given["step"])[:100],
            "case_processing_state.waiting_for": waiting_for,
            f"{DATA}.{ASKED_ABOUT}": about_tool,
        }
        phase = after(PhaseStep.WAIT, file.state) if waits else None
        body = ChangeBody(phase=phase, updates=updates)
        return Step(CaseAction.PHASE_CHANGED if waits else CaseAction.DETAILS_UPDATED, body)

    file = await desk.store.change(desk.granted.actor, desk.granted.case_id, desk.request_id, decide)
    return success(**_where(file))


def _where(file: CaseFile) -> Result:
    state = file.state
    return {
        "phase": str(state.phase),
        "tier": state.tier,
        "tier_reason": state.tier_reason,
        OBSTACLE: state.details.case_processing_state.data.get(OBSTACLE),
    }
