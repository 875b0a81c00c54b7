"""A question that was handed out is begun, closed, or left alone, by what its run's log says."""

from datetime import timedelta

import pytest

from lovsvar_agent.core.run import NOTHING
from lovsvar_agent.core.takeover import Attempt, Nothing, accepted, decide
from lovsvar_contracts.message import utc_now
from lovsvar_contracts.problems import ProblemType
from lovsvar_contracts.questions import Evidence, QuestionAsked, Usage
from lovsvar_contracts.run_events import (
    RunCancelled,
    RunCompleted,
    RunEvent,
    RunFailed,
    RunLimits,
    RunStarted,
    SourcesFound,
    UsageUpdated,
)

NOW = utc_now()
ACK_WAIT = 30.0
ASKED = QuestionAsked(question="Hva er depositum?")
ACCEPTED = accepted(ASKED)
STARTED = RunStarted(
    run_id=ASKED.run_id,
    attempt=1,
    limits=RunLimits(rounds=1, tool_calls=1, seconds=1.0),
    model="extractive",
    occurred_at=NOW,
)
EVIDENCE = Evidence(evidence_id="lovdata-1", title="§ 1", url="https://a", lovdata_url="https://b")
FOUND = SourcesFound(run_id=ASKED.run_id, evidence=(EVIDENCE,), occurred_at=NOW)
SPENT = UsageUpdated(run_id=ASKED.run_id, usage=Usage(tool_calls=3), occurred_at=NOW)


def decided(
    *events: RunEvent, asked: QuestionAsked = ASKED, delivery: int = 1, cancelled: bool = False, later: float = 0.0
) -> Attempt | RunEvent | Nothing:
    now = NOW + timedelta(seconds=later)
    return decide(asked, events, delivery=delivery, cancelled=cancelled, ack_wait=ACK_WAIT, now=now)


def test_a_run_that_was_only_accepted_is_begun() -> None:
    assert decided(ACCEPTED) == Attempt(1, (), NOTHING)


def test_what_is_closed_is_left_alone_also_when_it_was_cancelled() -> None:
    closed = RunCompleted(run_id=ASKED.run_id)
    assert decided(ACCEPTED, STARTED, closed, cancelled=True) is Nothing.CLOSED


def test_what_was_cancelled_in_the_queue_is_closed_so() -> None:
    assert isinstance(decided(ACCEPTED, cancelled=True), RunCancelled)


@pytest.mark.parametrize(("later", "closed"), [(-1.0, False), (0.0, True)])
def test_what_nobody_began_in_time_is_closed(later: float, closed: bool) -> None:
    found = decided(ACCEPTED, asked=ASKED.model_copy(update={"expires_at": NOW}), later=later)
    assert isinstance(found, RunFailed) is closed
    assert not closed or (found.problem, found.retryable) == (ProblemType.TIMEOUT, True)  # type: ignore[union-attr]


def test_what_somebody_began_never_expires() -> None:
    asked = ASKED.model_copy(update={"expires_at": NOW})
    assert isinstance(decided(ACCEPTED, STARTED, asked=asked, delivery=2, later=60.0), Attempt)


def test_a_second_copy_leaves_the_run_to_the_agent_that_has_it() -> None:
    assert decided(ACCEPTED, STARTED, FOUND, later=ACK_WAIT - 1) is Nothing.TAKEN


@pytest.mark.parametrize(("delivery", "later"), [(2, 0.0), (1, ACK_WAIT)])
def test_what_an_agent_left_is_taken_over_with_what_it_found_and_cost(delivery: int, later: float) -> None:
    found = decided(ACCEPTED, STARTED, FOUND, SPENT, delivery=delivery, later=later)
    assert found == Attempt(2, (EVIDENCE,), Usage(tool_calls=3))
