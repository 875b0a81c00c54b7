"""What an agent does with a question that it was handed, decided from the log of its run.

The log is the only truth about a run: a question may be handed out twice, after another agent began it, or when it is
closed already.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import Enum

from lovsvar_agent.core.run import NOTHING
from lovsvar_contracts.problems import ProblemType
from lovsvar_contracts.questions import Evidence, QuestionAsked, Usage
from lovsvar_contracts.run_events import (
    CLOSING,
    RunAccepted,
    RunCancelled,
    RunEvent,
    RunFailed,
    RunStarted,
    SourcesFound,
    UsageUpdated,
)

GIVEN_UP = "Spørsmålet kunne ikke besvares, fordi agenten stanset eller feilet flere ganger. Prøv igjen."
EXPIRED = "Spørsmålet ble ikke besvart i tide, fordi det var for mange foran i køen. Prøv igjen om litt."


@dataclass(frozen=True)
class Attempt:
    """The run is to be answered: which attempt it is, and what earlier ones found and cost.

    `log` are the run's events so far, `before` those of the run that the question follows up in a case.
    """

    number: int = 1
    known: tuple[Evidence, ...] = ()
    spent: Usage = NOTHING
    log: tuple[RunEvent, ...] = field(default=(), compare=False, repr=False)
    before: tuple[RunEvent, ...] = field(default=(), compare=False, repr=False)


class Nothing(Enum):
    """There is nothing to answer now: the run is closed, or another agent has it."""

    CLOSED = "closed"
    TAKEN = "taken"


def decide(
    asked: QuestionAsked,
    events: Sequence[RunEvent],
    *,
    delivery: int,
    cancelled: bool,
    ack_wait: float,
    now: datetime,
) -> Attempt | RunEvent | Nothing:
    """Return the attempt to make, the event that closes the run, or why neither is to be done.

    `events` are those of the run's log, which is not empty; `delivery` counts how often the question was handed out.
    Another agent has the run when its last event is younger than `ack_wait` seconds and this is the first delivery.
    """
    last = events[-1]
    if last.type in CLOSING:
        return Nothing.CLOSED
    if cancelled:
        return RunCancelled(run_id=asked.run_id)
    attempts = sum(isinstance(event, RunStarted) for event in events)
    if not attempts and asked.expires_at and now >= asked.expires_at:
        return expired(asked.run_id)
    if delivery == 1 and attempts and now - last.occurred_at < timedelta(seconds=ack_wait):
        return Nothing.TAKEN
    known = tuple(e for event in events if isinstance(event, SourcesFound) for e in event.evidence)
    # Each attempt sends the sum of what all have cost up to then.
    spent = next((event.usage for event in reversed(events) if isinstance(event, UsageUpdated)), NOTHING)
    return Attempt(attempts + 1, known, spent, tuple(events))


def accepted(asked: QuestionAsked) -> RunAccepted:
    """Return the first event of a run that nobody accepted before it was queued."""
    same = ("run_id", "correlation_id", "question", "mode", "locale", "filters", "follows", "case_id")
    return RunAccepted(**{name: getattr(asked, name) for name in (*same, "expires_at", "catalogues")})


def expired(run_id: str) -> RunFailed:
    """Return the end of a run that no agent began in time."""
    return RunFailed(run_id=run_id, problem=ProblemType.TIMEOUT, detail=EXPIRED, retryable=True)


def abandoned(run_id: str) -> RunFailed:
    """Return the end of a run that agents began and none finished."""
    return RunFailed(run_id=run_id, problem=ProblemType.INTERNAL, detail=GIVEN_UP, retryable=True)
