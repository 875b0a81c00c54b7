"""Updates of details by dot notation."""

from typing import Any

import pytest

from lovsvar_cases.core.errors import CaseTooLarge, InvalidUpdate
from lovsvar_cases.core.updates import replacing, updated, updated_by_all
from lovsvar_contracts.case_details import CaseDetails

EMPTY = CaseDetails()
THREE = updated(EMPTY, {"facts": [{"fact": "a"}, {"fact": "b"}, {"fact": "c"}]})


def test_a_list_by_its_name_is_appended_to() -> None:
    assert [fact.fact for fact in updated(THREE, {"facts": [{"fact": "d", "timestamp": "i mai"}]}).facts] == list(
        "abcd"
    )
    assert updated(EMPTY, {"internal_notes": "ett notat"}).internal_notes == ("ett notat",)
    assert (
        len(updated(EMPTY, {"agent_interactions.log": [{"by": "person", "text": "Hei"}]}).agent_interactions.log) == 1
    )


def test_a_list_of_legal_research_is_replaced() -> None:
    first = updated(EMPTY, {"legal_research.legislation": [{"doc_id": "a"}]})
    second = updated(first, {"legal_research.legislation": [{"doc_id": "b"}]})
    assert [found.doc_id for found in second.legal_research.legislation] == ["b"]


def test_places_in_a_list_are_set_and_removed_as_they_were_read() -> None:
    made = updated(THREE, {"facts.0": None, "facts.1.fact": "B", "facts.2": None})
    assert [fact.fact for fact in made.facts] == ["B"]
    both = updated(THREE, {"facts": [{"fact": "d"}], "facts.0": None})
    assert [fact.fact for fact in both.facts] == list("bcd")


def test_several_fields_are_set_at_once() -> None:
    made = updated(
        EMPTY, {"summary.current": "Kort", "case_processing_state.data.noe": {"x": [1]}, "objectives": ["Vinne"]}
    )
    assert (made.summary.current, made.case_processing_state.data, made.objectives) == (
        "Kort",
        {"noe": {"x": [1]}},
        ("Vinne",),
    )


def test_what_replaces_is_told_from_what_appends() -> None:
    given = {"facts": [], "facts.0.fact": "x", "summary.current": "y", "legal_research.practice": [], "objectives": []}
    assert list(replacing(THREE, given)) == ["facts.0.fact", "summary.current", "legal_research.practice"]


@pytest.mark.parametrize(
    "updates",
    [
        {"sumary.current": "x"},
        {"summary": {"now": "x"}},
        {"facts": [{"tekst": "x"}]},
        {"facts": ["bare ord"]},
        {"facts.9.fact": "x"},
        {"facts.-1": None},
        {"": "x"},
        {"summary.current": 7},
        {"summary.current.more": "x"},
        {"__class__": "x"},
        {"objectives": [""]},
    ],
)
def test_what_cannot_be_is_refused(updates: dict[str, object]) -> None:
    with pytest.raises(InvalidUpdate):
        updated(THREE, updates)


def test_an_unknown_field_is_answered_with_those_there_are() -> None:
    with pytest.raises(InvalidUpdate, match="summary, facts, objectives"):
        updated(EMPTY, {"sammendrag": "x"})


def test_a_case_has_a_size() -> None:
    with pytest.raises(CaseTooLarge):
        updated(EMPTY, {"internal_notes": ["x" * 8_000] * 51})


def test_many_updates_at_once_are_the_same_as_one_after_the_other() -> None:
    log = {"agent_interactions.log": [{"by": "person", "text": "Hei."}]}
    many: list[dict[str, Any]] = [
        {"facts": [{"fact": "En."}, {"fact": "To."}]},
        log,
        {"facts": [{"fact": "Tre."}], "summary.current": "Kort."},
        {"facts.0.timestamp": "2026-01-01", "facts.2.fact": "Tre, rettet."},
        {"facts.1": None},
        log,
        {"legal_research": {"legislation": [{"doc_id": "lov/1", "title": "Loven"}]}},
        {"legal_research.practice": [{"doc_id": "HR-1", "title": "Dommen"}]},
        {"case_processing_state.data": {"a": 1}},
        {"case_processing_state.data.b": [2]},
        {"documents": [{"document_id": "d", "name": "Brev.pdf"}]},
        {"documents.0.pages": 3},
    ]
    one_by_one = CaseDetails()
    for updates in many:
        one_by_one = updated(one_by_one, updates)
    assert updated_by_all(CaseDetails(), many) == one_by_one
    assert one_by_one.facts[0].timestamp == "2026-01-01"
