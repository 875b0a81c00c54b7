"""The phases of a case, and the steps between them."""

from enum import StrEnum

from lovsvar_cases.core.errors import WrongPhase
from lovsvar_contracts.case_details import CaseState, Phase


class PhaseStep(StrEnum):
    """What moves a case from one phase to another."""

    DESCRIBE = "describe"
    SET_TIER = "set_tier"
    USE_CREDIT = "use_credit"
    AWAIT_PAYMENT = "await_payment"
    PAY = "pay"
    WAIT = "wait"
    GO_ON = "go_on"
    PAUSE = "pause"
    RESUME = "resume"
    CLOSE = "close"
    REOPEN = "reopen"


_OPEN = tuple(phase for phase in Phase if phase is not Phase.CLOSED)

STEPS: dict[PhaseStep, dict[Phase, Phase]] = {
    PhaseStep.DESCRIBE: {Phase.DESCRIBING: Phase.TIER},
    # A person may correct the tier of a case that is being worked on; its credit is looked for again.
    PhaseStep.SET_TIER: dict.fromkeys(
        (Phase.DESCRIBING, Phase.TIER, Phase.QUOTA, Phase.PAYMENT, Phase.ACTIVE, Phase.WAITING), Phase.QUOTA
    ),
    PhaseStep.USE_CREDIT: dict.fromkeys((Phase.QUOTA, Phase.PAYMENT), Phase.ACTIVE),
    PhaseStep.AWAIT_PAYMENT: {Phase.QUOTA: Phase.PAYMENT},
    PhaseStep.PAY: dict.fromkeys((Phase.QUOTA, Phase.PAYMENT), Phase.ACTIVE),
    PhaseStep.WAIT: {Phase.ACTIVE: Phase.WAITING},
    PhaseStep.GO_ON: {Phase.WAITING: Phase.ACTIVE},
    PhaseStep.PAUSE: dict.fromkeys(
        (phase for phase in _OPEN if phase is not Phase.PAUSED_SUPPORT), Phase.PAUSED_SUPPORT
    ),
    PhaseStep.CLOSE: dict.fromkeys(_OPEN, Phase.CLOSED),
    PhaseStep.REOPEN: {Phase.CLOSED: Phase.ACTIVE},
}
"""Where each step leads from each phase that it can be taken in. `RESUME` leads to where the case was paused."""

NAMES: dict[Phase, str] = {
    Phase.DESCRIBING: "beskrives",
    Phase.TIER: "venter på å få et nivå",
    Phase.QUOTA: "venter på kvote",
    Phase.PAYMENT: "venter på betaling",
    Phase.ACTIVE: "er i arbeid",
    Phase.WAITING: "venter på svar",
    Phase.CLOSED: "er avsluttet",
    Phase.PAUSED_SUPPORT: "er stanset mens brukerstøtten ser på den",
}
"""How a case in each phase is spoken of, in bokmål."""


def after(step: PhaseStep, state: CaseState) -> Phase:
    """Return the phase that `step` leads to. Raises `WrongPhase`."""
    if step is PhaseStep.RESUME:
        if state.phase is Phase.PAUSED_SUPPORT:
            return state.paused_from or Phase.ACTIVE
    elif step is PhaseStep.REOPEN and state.phase is Phase.CLOSED:
        # One that was never paid for is not active for having been closed.
        return Phase.ACTIVE if state.entitled else (Phase.QUOTA if state.tier else Phase.DESCRIBING)
    elif (phase := STEPS[step].get(state.phase)) is not None:
        return phase
    raise WrongPhase(f"Saken {NAMES[state.phase]}, og da kan ikke dette gjøres.")


def is_open(phase: Phase) -> bool:
    """Whether a case in `phase` may still be changed."""
    return phase is not Phase.CLOSED
