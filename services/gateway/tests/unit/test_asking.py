"""What is read from the page's form."""

import pytest

from lovsvar_contracts.law import LawType
from lovsvar_contracts.questions import MAX_QUESTION, QuestionFilters
from lovsvar_gateway.core.question_form import MAX_MINISTRY, as_law_type, as_year, cleaned, filters_of, read_form


def test_a_form_is_read_with_its_filters_and_what_it_follows() -> None:
    given = {
        "question": " Hva nå?\r\n",
        "law_type": "lov",
        "year": " 1999 ",
        "ministry": " Justis ",
        "follows": "run-1",
    }
    form = read_form(given)
    assert (form.words, form.follows, form.fault) == ("Hva nå?", "run-1", "")
    assert form.filters == QuestionFilters(law_type=LawType.LOV, year=1999, ministry="Justis")


def test_fields_that_are_empty_narrow_nothing() -> None:
    form = read_form({"question": "Hva nå?", "law_type": "", "year": "", "ministry": "  ", "follows": ""})
    assert (form.filters, form.follows, form.fault) == (None, "", "")
    assert filters_of(None, None, " ") is None


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        ({"question": " \x00 "}, "question_empty"),
        ({}, "question_empty"),
        ({"question": "å" * (MAX_QUESTION + 1)}, "question_long"),
        ({"question": "å" * MAX_QUESTION}, ""),
        ({"question": "Hva?", "year": "99"}, "filters_wrong"),
        ({"question": "Hva?", "year": "i fjor"}, "filters_wrong"),
        ({"question": "Hva?", "law_type": "tull"}, "filters_wrong"),
        ({"question": "Hva?", "follows": "lovsvar.answer.>"}, "followed_gone"),
        ({"question": "Hva?", "follows": "run-1\n"}, "followed_gone"),
    ],
)
def test_what_cannot_be_asked_has_a_fault_and_a_filter_never_goes_unheard(given: dict[str, str], fault: str) -> None:
    form = read_form(given)
    assert form.fault == fault
    assert len(form.words) <= MAX_QUESTION + 1


def test_a_ministry_is_cut_at_what_a_question_may_say() -> None:
    assert len(read_form({"question": "Hva?", "ministry": "x" * 900}).ministry) == MAX_MINISTRY


@pytest.mark.parametrize(
    ("typed", "kept"), [("  a\x00b\x1b ", "ab"), ("a\r\nb", "a\nb"), ("\ud800", ""), ("æ\u00a0ø", "æ\u00a0ø")]
)
def test_what_was_typed_is_cleaned_of_what_nobody_types(typed: str, kept: str) -> None:
    assert cleaned(typed) == kept


def test_a_year_and_a_law_type_that_are_none_are_left_out() -> None:
    assert as_year("1999") == 1999
    for none in ("99", "x", "", "٢٠٢٠", "99999999999", "020000", "02000" + "0" * 5_000):
        assert as_year(none) is None
    assert [as_law_type(v) for v in ("lov", "", "LOV", "tull")] == [LawType.LOV, None, None, None]
