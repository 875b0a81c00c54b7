"""A run's events are told as steps, wherever they end."""

from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from lovsvar_contracts.questions import Evidence
from lovsvar_contracts.run_events import (
    AnswerDelta,
    CitationRejected,
    RunAccepted,
    RunEvent,
    RunEventBase,
    RunLimits,
    RunStarted,
    SourcesFound,
    StepFinished,
    StepStarted,
    ToolCalled,
    ToolResult,
)
from lovsvar_gateway.core.steps import EVENT_TYPES, MAX_ASKED, name_of, tell

REFID = "lov/2999-01-01-1"
DEPOSIT = Evidence(
    evidence_id="lovdata-1",
    refid=REFID,
    section="§3-2",
    title="§ 3-2. Depositum",
    act="Eksempel-husleieloven – eks-husll",
    url="/x",
    lovdata_url="https://lovdata.no/x",
)
BEGAN = datetime(2999, 1, 1, tzinfo=UTC)


def at(kind: type[RunEvent], after: float, **values: Any) -> Any:
    return kind(run_id="r", correlation_id="c", occurred_at=BEGAN + timedelta(milliseconds=after), **values)


def started(attempt: int = 1, ms: float = 0) -> RunEvent:
    limits = RunLimits(rounds=1, tool_calls=1, seconds=1)
    return at(RunStarted, ms, limits=limits, model="extractive", attempt=attempt)


def step(number: int, ms: float = 0) -> RunEvent:
    return at(StepStarted, ms, step=number, name="search", title="Søker")


FOUND = at(SourcesFound, 30, evidence=(DEPOSIT,))


def test_a_step_has_what_was_asked_found_and_rejected_in_it_and_how_long_it_took() -> None:
    called = at(ToolCalled, 10, call_id="a", name="sok", arguments={"query": "depositum", "page": 1, "year": 2999})
    result = at(ToolResult, 20, call_id="a", name="sok", hits=2, ms=9.0)
    rejected = at(CitationRejected, 40, evidence_id="lovdata-1", quote="x", reason="y")
    finished = at(StepFinished, 1_500, step=1, name="search", ms=1_490.0)
    story = tell([at(RunAccepted, -5, question="?"), started(), step(1), called, result, FOUND, rejected, finished])
    (told,) = story.steps
    assert [line.event for line in told.lines] == [called, FOUND, rejected]
    assert told.lines[0].asked == "«depositum» (year: 2999)"
    assert told.lines[0].result == result
    assert (told.ms, story.ms, story.count, story.model) == (1_490.0, 1_500.0, 1, "extractive")


def test_what_is_read_is_named_as_its_source_was_and_by_its_own_words_where_it_is_not_known() -> None:
    given = [{"document": REFID, "section": "§3-2"}, {"document": "aml", "section": "§ 1-1"}, "rubbish"]
    called = at(ToolCalled, 40, call_id="b", name="hent_lovtekst", arguments={"provisions": given})
    (told,) = tell([started(), step(1), FOUND, called]).steps
    assert told.lines[1].asked == "Eksempel-husleieloven § 3-2, aml § 1-1, rubbish"
    assert told.ms is None


def test_long_words_are_cut_and_what_is_no_words_is_left_out() -> None:
    called = at(ToolCalled, 1, call_id="c", name="x", arguments={"query": "å" * 400, "a": None, "b": {}})
    (told,) = tell([started(), step(1), called]).steps
    assert told.lines[0].asked == "«" + "å" * (MAX_ASKED - 1) + "…"


def test_a_step_that_another_agent_begins_anew_counts_once() -> None:
    story = tell([started(), step(1), started(attempt=2), step(1), at(AnswerDelta, 5, text="Utkast")])
    assert [(s.name, s.ms) for s in story.steps] == [("search", 0.0), ("", 0.0), ("search", None)]
    assert story.count == 1


def test_a_run_that_has_not_begun_has_no_steps_and_a_stray_line_does_no_harm() -> None:
    assert tell([at(RunAccepted, 0, question="?")]).steps == []
    assert tell([FOUND]).steps == []


def test_a_source_without_a_section_is_called_by_its_title() -> None:
    assert name_of(DEPOSIT.model_copy(update={"section": None, "title": "HR-2999-1-A"})) == "HR-2999-1-A"


class Consulted(RunEventBase):
    """An event that the steps know nothing of."""

    type: Literal["reasoner.consulted"] = "reasoner.consulted"
    text: str = ""


def test_an_event_that_is_not_known_says_its_own_words_or_its_name() -> None:
    unknown: Any = Consulted
    story = tell(
        [
            started(),
            at(StepStarted, 1, step=1, name="model", title="Vurderer"),
            at(unknown, 2, text="Spør rådgiveren"),
            at(unknown, 3),
            at(AnswerDelta, 4, text="x"),
        ]
    )
    assert [line.said for line in story.steps[0].lines] == ["Spør rådgiveren", "reasoner.consulted"]


def test_a_stream_has_the_names_of_all_events_of_the_contract() -> None:
    assert {"run.accepted", "answer.delta", "run.limit_reached"} <= set(EVENT_TYPES)
    assert len(EVENT_TYPES) == len(set(EVENT_TYPES)) >= 16
