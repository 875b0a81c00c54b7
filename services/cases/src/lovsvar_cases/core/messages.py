"""Messages in a case: kept as they were written, and answered by a run that sees no personal data."""

from typing import Any

from lovsvar_cases.core.case_tools import Granted, Grants
from lovsvar_cases.core.casefile import CaseFile, ChangeBody, Step
from lovsvar_cases.core.casework import check_open
from lovsvar_cases.core.credit import settle
from lovsvar_cases.core.errors import WrongPhase
from lovsvar_cases.core.phases import NAMES, PhaseStep, after
from lovsvar_cases.core.ports import Books, CaseStore
from lovsvar_cases.core.pseudonyms.gate import everywhere
from lovsvar_cases.core.run_tools import ASKED_ABOUT, DATA, OBSTACLE
from lovsvar_contracts.case_details import Phase
from lovsvar_contracts.cases import CaseAction, PreparedRun, SendMessage, ShowData, ShownData
from lovsvar_contracts.message import utc_now
from lovsvar_contracts.questions import MAX_QUESTION

_STEPS = {Phase.DESCRIBING: PhaseStep.DESCRIBE, Phase.WAITING: PhaseStep.GO_ON}
"""What a message moves a case by. One that is closed takes no message."""

UNPAID = frozenset({Phase.QUOTA, Phase.PAYMENT})
"""Where a message looks again for a credit or a payment, before it is answered."""

ANSWERED = frozenset({Phase.TIER, Phase.ACTIVE})
"""Where a message is answered by a run: one in the phase `tier` begins with deciding on that."""


async def take_message(request: SendMessage, store: CaseStore, grants: Grants) -> PreparedRun:
    """Keep a message, and return what a run is to be asked.

    Raises `WrongPhase` when no run may begin, as before a payment; the message is kept all the same.
    """

    async def decide(file: CaseFile, _: Books) -> Step:
        check_open(file)
        state = file.state
        said = {"by": "person", "text": request.message, "timestamp": utc_now().isoformat(), "run_id": request.run_id}
        updates: dict[str, Any] = {
            "agent_interactions.log": [said],
            "case_processing_state.run_id": request.run_id,
            "case_processing_state.step": "answering",
            "case_processing_state.waiting_for": "",
            f"{DATA}.{OBSTACLE}": state.details.case_processing_state.data.get(ASKED_ABOUT),
            f"{DATA}.{ASKED_ABOUT}": None,
        }
        if not state.details.summary.current:
            updates["summary.current"] = request.message
        step = _STEPS.get(state.phase)
        body = ChangeBody(phase=after(step, state) if step else None, updates=updates)
        return Step(CaseAction.MESSAGE_RECEIVED, body)

    async with store.gate(request.actor, request.case_id) as (before, gate):
        question = gate.hidden(request.message)[:MAX_QUESTION]
    follows = before.state.details.case_processing_state.run_id
    file = await store.change(request.actor, request.case_id, request.request_id, decide)
    if file.state.phase in UNPAID:
        file = await settle(request.actor, request.case_id, f"{request.request_id[:48]}-settled", store)
    if file.state.phase not in ANSWERED:
        raise WrongPhase(f"Meldingen er lagret. Saken {NAMES[file.state.phase]}, og arbeidet begynner først etter det.")
    return PreparedRun(
        case_id=request.case_id,
        run_id=request.run_id,
        question=question,
        follows=follows if follows != request.run_id else None,
        grant=grants.made(Granted(request.actor, request.case_id, request.run_id)),
    )


async def show_data(request: ShowData, store: CaseStore) -> ShownData:
    """Return JSON data with what placeholders stand for, for who may see the case."""
    async with store.gate(request.actor, request.case_id) as (_, gate):
        return ShownData(data=everywhere(gate.shown, request.data))
