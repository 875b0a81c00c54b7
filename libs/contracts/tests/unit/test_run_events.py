"""The events of a run, by name."""

from collections.abc import Callable
from typing import get_args

import pytest
from pydantic import ValidationError

from lovsvar_contracts.run_events import CLOSING, RunAccepted, RunCompleted, RunEvent, run_event_adapter

NAMES = [
    "run.accepted",
    "run.started",
    "step.started",
    "step.finished",
    "tool.called",
    "tool.result",
    "tool.retried",
    "reasoner.consulted",
    "user.asked",
    "ticket.created",
    "sources.found",
    "answer.delta",
    "citation.verified",
    "citation.rejected",
    "usage.updated",
    "answer.completed",
    "run.completed",
    "run.failed",
    "run.cancelled",
    "run.limit_reached",
]


def test_the_events_are_those_that_readers_were_promised() -> None:
    models = get_args(get_args(RunEvent)[0])
    assert [model.model_fields["type"].default for model in models] == NAMES


def test_the_names_of_models_and_events_match_word_for_word() -> None:
    for model in get_args(get_args(RunEvent)[0]):
        words = model.model_fields["type"].default.replace("_", ".").split(".")
        assert model.__name__ == "".join(word.capitalize() for word in words)


def test_a_run_is_closed_by_exactly_four_of_them() -> None:
    assert {"run.completed", "run.failed", "run.cancelled", "run.limit_reached"} == CLOSING


def test_an_event_is_read_by_its_type() -> None:
    event = RunCompleted(run_id="r", id=7)
    assert run_event_adapter.validate_json(event.model_dump_json()) == event


def test_an_event_of_a_newer_version_is_passed_on_as_it_came() -> None:
    written = '{"type": "run.paused", "run_id": "r", "id": 3, "until": {"day": 1}}'
    event = run_event_adapter.validate_json(written)
    assert (event.id, event.type) == (3, "run.paused")
    assert event.type not in CLOSING
    again = run_event_adapter.validate_json(event.model_dump_json())
    assert again.model_dump()["until"] == {"day": 1}


def test_an_event_carries_its_envelope() -> None:
    written = RunCompleted(run_id="r", id=7).model_dump(mode="json")
    assert {"id", "type", "run_id", "ts"} <= set(written)
    assert written["ts"] == written["occurred_at"]


@pytest.mark.parametrize(
    "text",
    [
        '{"type": "exploded", "run_id": "r"}',
        '{"type": "run.exploded"}',
        '{"run_id": "r"}',
        '{"type": "run.completed", "run_id": "not a token"}',
        '{"type": "run.completed", "run_id": "r", "id": -1}',
    ],
)
def test_what_is_no_event_is_refused(text: str) -> None:
    with pytest.raises(ValidationError):
        run_event_adapter.validate_json(text)


@pytest.mark.parametrize("decode", [run_event_adapter.validate_json, RunAccepted.model_validate_json])
@pytest.mark.parametrize("body", ['{"type": "run.accepted", "question": ["hemmelig"]}', '{"question": "hemmelig'])
def test_the_words_of_an_error_hold_nothing_of_what_was_asked(decode: Callable[[str], object], body: str) -> None:
    with pytest.raises(ValidationError) as refused:
        decode(body)
    assert "hemmelig" not in str(refused.value)
