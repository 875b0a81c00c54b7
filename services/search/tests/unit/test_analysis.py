"""Preparing text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lovsvar_search.core.law.analysis import prepare, section_word, spoken_words


@pytest.mark.parametrize(
    ("written", "number"),
    [
        ("§ 3-5", "3-5"),
        ("§3-5", "3-5"),
        ("§§ 9-2", "9-2"),
        ("§ 2 A-1", "2a-1"),
        ("§ 13 a", "13a"),
        ("§ 267a", "267a"),
        ("§ 1-2-3", "1-2-3"),
        ("§ 3–5", "3-5"),
    ],
)
def test_a_section_number_becomes_one_word(written: str, number: str) -> None:
    word = section_word(number)
    assert prepare(f"etter {written} gjelder").split() == ["etter", word, "gjelder"]
    assert word.isalnum()


def test_a_preposition_behind_a_section_is_kept_apart() -> None:
    assert prepare("§ 5 i loven").split() == [section_word("5"), "i", "loven"]


def test_text_without_sections_is_left_as_it_is() -> None:
    assert prepare("Utleier kan kreve 3-5 måneder.") == "Utleier kan kreve 3-5 måneder."


def test_words_of_asking_are_left_out_of_a_question() -> None:
    assert spoken_words("Hvor mye kan utleier kreve i depositum?").subject == ("utleier", "kreve", "depositum")


def test_a_question_of_nothing_else_keeps_its_words() -> None:
    assert spoken_words("Hva kan jeg gjøre?").subject == ("hva", "kan", "jeg", "gjøre")


def test_a_section_number_is_one_word_of_a_question_in_any_case() -> None:
    assert spoken_words("Hva sier § 2 A-1?").subject == (section_word("2a-1"),)


def test_signs_without_a_number_are_left() -> None:
    assert prepare("§" * 4_000) == "§" * 4_000


@given(st.text(max_size=200))
def test_any_text_can_be_prepared(text: str) -> None:
    assert isinstance(prepare(text + "§ 3-5"), str)
    assert set(spoken_words(text).subject) <= set(spoken_words(text).all)
