"""A call's arguments, read as they were meant."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lovsvar_agent.core.reasoning.arguments import (
    MAX_TEXT,
    Misunderstood,
    number_of,
    read_arguments,
    read_object,
    read_search,
    text_of,
    texts_of,
)
from lovsvar_contracts.law import LawType
from lovsvar_contracts.questions import QuestionFilters


def test_json_wrapped_in_words_and_fences_is_found() -> None:
    assert read_object('Her er svaret:\n```json\n{"a": 1}\n``` ok {"b": 2}') == {"a": 1}


def test_the_first_object_that_is_whole_is_taken() -> None:
    assert read_object('{brutt {"a": 1}') == {"a": 1}


def test_fields_left_empty_are_as_if_not_given() -> None:
    assert read_arguments('{"query": "pant", "year": null, "ministry": "", "provisions": []}') == {"query": "pant"}


def test_no_arguments_at_all_are_none() -> None:
    assert read_arguments("  ") == {}


@pytest.mark.parametrize("text", ["pant", "[1]", '{"query": "pa', "{" * 5000, '{"a":' * 50 + "1" + "}" * 50])
def test_what_is_no_object_is_answered_with_what_to_write(text: str) -> None:
    with pytest.raises(Misunderstood, match="JSON"):
        read_arguments(text)


@given(st.text(max_size=60))
def test_whatever_is_read_can_be_sent_on(text: str) -> None:
    try:
        found = read_arguments("{" + text)
    except Misunderstood:
        return
    assert json.dumps(found, ensure_ascii=False, allow_nan=False).encode()


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_numbers_without_end_are_as_if_not_given(number: str) -> None:
    assert read_arguments(f'{{"page": {number}}}') == {}


def test_text_is_trimmed_and_cut() -> None:
    assert text_of({"query": "  pant \n på  båt "}, "query") == "pant på båt"
    assert len(text_of({"query": "x" * 5000}, "query")) == MAX_TEXT


@pytest.mark.parametrize(
    ("given_", "number"), [("3", 3), (3.0, 3), ("to", 1), (-4, 1), (99, 20), ("9" * 400, 1), (None, 1)]
)
def test_numbers_written_as_text_or_beyond_bounds_are_understood(given_: object, number: int) -> None:
    assert number_of({"page": given_}, "page", 1, 20) == number


def test_one_text_is_a_list_of_one_and_doubles_are_one() -> None:
    assert texts_of({"queries": "pant"}, "queries") == ("pant",)
    assert texts_of({"queries": ["pant", " pant ", 7, ""]}, "queries") == ("pant",)


def test_a_search_reads_every_filter() -> None:
    found = read_search(
        {"query": "pant", "lawType": "LOV", "year": "2020", "ministry": "Båt", "page": 2, "pageSize": 5}
    )
    assert found.filters == QuestionFilters(law_type=LawType.LOV, year=2020, ministry="Båt")
    assert (found.page, found.page_size) == (2, 5)
    assert found.ignored == ()


@pytest.mark.parametrize("year", ["i fjor", "99", "2020-2021", "9" * 400, 12.5, True, "٣٠٢٠"])
def test_a_year_that_is_none_is_left_out_and_said(year: object) -> None:
    found = read_search({"query": "pant", "year": year})
    assert found.filters.year is None or 1600 <= found.filters.year <= 3000
    assert bool(found.ignored) is (found.filters.year is None)


def test_a_law_type_that_does_not_exist_is_left_out_and_said() -> None:
    found = read_search({"query": "pant", "lawType": "Dom"})
    assert found.filters.law_type is None
    assert "Dom" in found.ignored[0]


def test_a_search_without_words_is_answered_with_what_is_missing() -> None:
    with pytest.raises(Misunderstood, match="query"):
        read_search({"lawType": "Lov"})
