"""Folding a run's events into the answer as it stands."""

import pytest

from lovsvar_chassis.run_log import snapshot
from lovsvar_contracts.law import InForce
from lovsvar_contracts.problems import ProblemType
from lovsvar_contracts.questions import Answer, Evidence, Mode, RunStatus, Usage
from lovsvar_contracts.run_events import (
    AnswerCompleted,
    AnswerDelta,
    RunAccepted,
    RunCancelled,
    RunCompleted,
    RunEvent,
    RunFailed,
    RunLimitReached,
    RunLimits,
    RunStarted,
    SourcesFound,
    UsageUpdated,
)

RUN = "run-1"


def accepted(mode: Mode | None = None) -> RunAccepted:
    return RunAccepted(run_id=RUN, correlation_id="c-1", question="Hvor mye?", mode=mode)


def started(attempt: int = 1) -> RunStarted:
    limits = RunLimits(rounds=1, tool_calls=1, seconds=1.0)
    return RunStarted(run_id=RUN, attempt=attempt, limits=limits, model="extractive")


def evidence(number: int, title: str = "§ 3-5") -> Evidence:
    url = "/lov/1999-03-26-17"
    return Evidence(evidence_id=f"lovdata-{number}", title=title, in_force=InForce.YES, url=url, lovdata_url=url)


def completed(text: str = "Seks måneder.") -> AnswerCompleted:
    answer = Answer(
        run_id=RUN, status=RunStatus.COMPLETED, mode=Mode.EXTRACTIVE, question="Hvor mye?", answer_text=text
    )
    return AnswerCompleted(run_id=RUN, answer=answer)


def failed() -> RunFailed:
    return RunFailed(run_id=RUN, problem=ProblemType.UNAVAILABLE, detail="Søket er nede.")


def test_a_run_without_events_has_no_snapshot() -> None:
    with pytest.raises(ValueError, match="without events"):
        snapshot([])


def test_a_run_that_was_just_accepted_is_running() -> None:
    answer = snapshot([accepted(Mode.AGENT)])
    assert (answer.run_id, answer.correlation_id, answer.question) == (RUN, "c-1", "Hvor mye?")
    assert (answer.status, answer.mode) == (RunStatus.RUNNING, Mode.AGENT)


def test_evidence_and_usage_are_seen_while_the_run_goes_on() -> None:
    events: list[RunEvent] = [
        accepted(),
        started(),
        SourcesFound(run_id=RUN, evidence=(evidence(1), evidence(2))),
        UsageUpdated(run_id=RUN, usage=Usage(tool_calls=1)),
        SourcesFound(run_id=RUN, evidence=(evidence(2, "rettet"), evidence(3))),
        UsageUpdated(run_id=RUN, usage=Usage(tool_calls=2)),
    ]
    answer = snapshot(events)
    assert [(e.evidence_id, e.title) for e in answer.evidence] == [
        ("lovdata-1", "§ 3-5"),
        ("lovdata-2", "rettet"),
        ("lovdata-3", "§ 3-5"),
    ]
    assert answer.usage.tool_calls == 2


def test_draft_text_is_no_answer() -> None:
    assert snapshot([accepted(), started(), AnswerDelta(run_id=RUN, text="Kladd")]).answer_text == ""


def test_a_completed_run_is_the_answer_that_counts() -> None:
    answer = snapshot([accepted(), started(), completed(), RunCompleted(run_id=RUN)])
    assert (answer.status, answer.answer_text) == (RunStatus.COMPLETED, "Seks måneder.")


def test_an_answer_does_not_count_as_completed_before_the_run_is_closed() -> None:
    assert snapshot([accepted(), started(), completed()]).status is RunStatus.RUNNING


def test_the_answer_of_a_later_attempt_replaces_an_earlier_one() -> None:
    events = [accepted(), started(), completed("Først."), started(2), completed("Sist."), RunCompleted(run_id=RUN)]
    assert snapshot(events).answer_text == "Sist."


@pytest.mark.parametrize(
    ("closing", "status", "problem"),
    [
        (RunCompleted(run_id=RUN), RunStatus.COMPLETED, None),
        (RunCancelled(run_id=RUN), RunStatus.CANCELLED, None),
        (RunLimitReached(run_id=RUN, limit="seconds"), RunStatus.LIMIT_REACHED, None),
        (failed(), RunStatus.FAILED, "Søket er nede."),
    ],
)
@pytest.mark.parametrize("before", [[accepted()], [accepted(), started(), completed()]], ids=["no answer", "answer"])
def test_the_closing_event_decides_the_status(
    before: list[RunEvent], closing: RunEvent, status: RunStatus, problem: str | None
) -> None:
    answer = snapshot([*before, closing])
    assert (answer.status, answer.problem) == (status, problem)
