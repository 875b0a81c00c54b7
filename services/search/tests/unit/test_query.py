"""From a question to what is searched."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lovsvar_search.adapters.tantivy_index import norwegian
from lovsvar_search.core.act_names import ActNames
from lovsvar_search.core.query import MAX_TERMS, plan_query

analyze = norwegian().analyze


def test_terms_are_stems_without_words_of_asking(names: ActNames) -> None:
    plan = plan_query("Hvor mye kan utleieren kreve i depositum?", names, analyze)
    assert plan.terms == ("utlei", "krev", "depositum")
    assert (plan.acts, plan.sections) == ((), ())


def test_a_reference_in_the_query_names_its_provision_and_act(names: ActNames) -> None:
    plan = plan_query("husll § 3-5", names, analyze)
    assert plan.acts == ("lov/1999-03-26-17",)
    assert ("lov/1999-03-26-17", "§3-5") in plan.sections


def test_an_act_in_the_query_is_preferred(names: ActNames) -> None:
    assert plan_query("aml prøvetid oppsigelse", names, analyze).acts == ("lov/2005-06-17-62",)


def test_an_endless_query_is_cut_to_a_bounded_number_of_terms(names: ActNames) -> None:
    plan = plan_query(" ".join(f"ord{n}" for n in range(3_000)), names, analyze)
    assert len(plan.terms) == MAX_TERMS


@pytest.mark.parametrize("text", ["", "   ", "!!! ???", "😀", "\x00\x01", "\ud800", '"', "^~*(){}[]"])
def test_a_query_without_words_asks_for_nothing(names: ActNames, text: str) -> None:
    assert plan_query(text, names, analyze).empty


@given(st.text(st.characters(), max_size=500))
def test_no_query_makes_it_fail(text: str) -> None:
    plan_query(text, ActNames([]), analyze)
