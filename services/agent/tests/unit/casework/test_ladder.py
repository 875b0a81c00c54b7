"""The rungs that a tool which fails leads up, read from a log alone."""

import pytest

from lovsvar_agent.core.casework.ladder import Ladder, Rung
from lovsvar_agent.core.reasoning.toolkit import ALREADY_DONE
from lovsvar_contracts.run_events import ReasonerConsulted, RunEvent, StepStarted, ToolResult

TOOL = "generate_draft_pdf"


def step() -> RunEvent:
    return StepStarted(run_id="r", step=1, name="tools", title="x")


def result(error: str | None = "Feltet mangler.", name: str = TOOL) -> RunEvent:
    return ToolResult(run_id="r", call_id="c", name=name, hits=0, error=error)


def consulted(status: str = "success") -> RunEvent:
    return ReasonerConsulted(run_id="r", call_id="c", question="?", status=status, model="m", about_tool=TOOL)


def after(*events: RunEvent, obstacle: str | None = None) -> Ladder:
    ladder = Ladder(obstacle)
    for event in events:
        ladder = ladder.after(event)
    return ladder


FAILS = (step(), result())


@pytest.mark.parametrize(
    ("events", "rung"),
    [
        ((), None),
        ((*FAILS,), Rung.RETRY),
        ((*FAILS, *FAILS), Rung.RETRY),
        ((*FAILS, *FAILS, *FAILS), Rung.CONSULT),
        ((*FAILS, *FAILS, *FAILS, consulted()), None),
        ((*FAILS, *FAILS, *FAILS, consulted("error")), Rung.ASK),
        ((*FAILS, *FAILS, *FAILS, consulted(), *FAILS), Rung.ASK),
        ((*FAILS, *FAILS, step(), result(None)), None),
        ((*FAILS, *FAILS, *FAILS, consulted(), step(), result(None), *FAILS), Rung.RETRY),
    ],
)
def test_a_tool_that_fails_is_retried_twice_then_advised_on_then_the_person_is_asked(
    events: tuple[RunEvent, ...], rung: Rung | None
) -> None:
    assert after(*events).rung(TOOL) is rung


def test_what_fails_again_after_the_person_was_asked_goes_to_the_support() -> None:
    events = (*FAILS, *FAILS, *FAILS, consulted(), *FAILS)
    assert after(*events, obstacle=TOOL).rung(TOOL) is Rung.TICKET
    assert after(*events, obstacle="another").rung(TOOL) is Rung.ASK


def test_calls_of_one_reply_that_fail_together_are_one_failure() -> None:
    assert after(step(), result(), result(), result()).rung(TOOL) is Rung.RETRY


def test_a_call_that_was_made_before_is_no_failure() -> None:
    assert after(step(), result(ALREADY_DONE.format(where="over"))).rung(TOOL) is None


def test_a_consult_that_fails_is_no_tools_trouble() -> None:
    assert after(*(step(), result(name="consult_reasoner")) * 4).troubles == {}


def test_the_retries_are_numbered() -> None:
    numbers = [after(*FAILS * failures).retry(TOOL) for failures in range(4)]
    assert numbers == [None, 1, 2, None]
