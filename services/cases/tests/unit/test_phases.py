"""The phases of a case."""

import itertools

import pytest

from lovsvar_cases.core.casefile import ChangeBody, folded
from lovsvar_cases.core.errors import WrongPhase
from lovsvar_cases.core.phases import STEPS, PhaseStep, after
from lovsvar_contracts.case_details import CaseState, Phase


def test_a_case_goes_from_its_description_to_its_end() -> None:
    state, phases = CaseState(entitled=True), []
    steps = ("describe", "set_tier", "await_payment", "pay", "wait", "go_on", "close", "reopen")
    for step in steps:
        state = state.model_copy(update={"phase": after(PhaseStep(step), state)})
        phases.append(state.phase.value)
    assert phases == ["tier", "quota", "payment", "active", "waiting", "active", "closed", "active"]


@pytest.mark.parametrize("phase", [phase for phase in Phase if phase not in {Phase.CLOSED, Phase.PAUSED_SUPPORT}])
def test_a_paused_case_goes_back_to_where_it_was(phase: Phase) -> None:
    state = CaseState(phase=phase)
    paused = folded(state, ChangeBody(phase=after(PhaseStep.PAUSE, state)))
    assert (paused.phase, paused.paused_from) == (Phase.PAUSED_SUPPORT, phase)
    assert folded(paused, ChangeBody(title="Ny tittel")).paused_from is phase
    back = folded(paused, ChangeBody(phase=after(PhaseStep.RESUME, paused)))
    assert (back.phase, back.paused_from) == (phase, None)


def test_nothing_but_opening_again_is_done_to_a_closed_case() -> None:
    for step in set(PhaseStep) - {PhaseStep.REOPEN}:
        with pytest.raises(WrongPhase):
            after(step, CaseState(phase=Phase.CLOSED))


def test_no_work_begins_before_a_credit_or_a_payment() -> None:
    for step, phase in itertools.product(STEPS, (Phase.DESCRIBING, Phase.TIER)):
        try:
            assert after(step, CaseState(phase=phase)) is not Phase.ACTIVE
        except WrongPhase:
            continue
    assert after(PhaseStep.REOPEN, CaseState(phase=Phase.CLOSED, tier=2)) is Phase.QUOTA
