"""The events of a case's stream: its changes and the events of its runs, of this version and of newer ones."""

import pytest
from pydantic import ValidationError

from lovsvar_contracts.case_events import CaseErased, CaseEvent, OtherCaseEvent, case_stream_adapter
from lovsvar_contracts.cases import CaseAction
from lovsvar_contracts.run_events import OtherEvent, RunCompleted, UserAsked

CHANGED = CaseEvent(
    case_id="c", version=3, at="2999-01-01T12:00:00Z", by="kari", by_kind="person", action=CaseAction.TIER_SET, tier=1
)


@pytest.mark.parametrize(
    "event", [CHANGED, CaseErased(case_id="c"), UserAsked(run_id="r", id=2, question="Når?"), RunCompleted(run_id="r")]
)
def test_every_event_of_the_stream_is_read_as_it_was_written(event: object) -> None:
    assert case_stream_adapter.validate_json(event.model_dump_json()) == event


@pytest.mark.parametrize(
    ("written", "kind"),
    [
        ('{"type": "case.merged", "case_id": "c", "with": "d"}', OtherCaseEvent),
        ('{"type": "run.paused", "run_id": "r", "id": 3}', OtherEvent),
    ],
)
def test_an_event_of_a_newer_version_is_passed_over(written: str, kind: type) -> None:
    event = case_stream_adapter.validate_json(written)
    assert isinstance(event, kind)


@pytest.mark.parametrize(
    "written", ['{"type": "case.changed", "version": 1}', '{"type": "case"}', '{"case_id": "hemmelig"}', "[]"]
)
def test_what_is_no_event_is_refused_in_words_that_hold_nothing_of_it(written: str) -> None:
    with pytest.raises(ValidationError) as refused:
        case_stream_adapter.validate_json(written)
    assert "hemmelig" not in str(refused.value)
