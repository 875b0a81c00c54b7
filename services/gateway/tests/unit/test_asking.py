"""What the page's form makes of a question."""

import pytest

from lovsvar_contracts.law import LawType
from lovsvar_contracts.questions import MAX_QUESTION
from lovsvar_gateway.core.asking import MAX_WORDS, as_law_type, as_year, cleaned, compose, take_apart


def test_filters_and_what_is_followed_up_are_said_in_the_question_and_told_apart_again() -> None:
    asked = compose("Hva nå?", law_type=LawType.LOV, year=1999, ministry="Justis", follows="Hva da?")
    assert asked == ("Hva nå?\n\nAvgrens til lover, år 1999, departement Justis.\n\nOppfølging av spørsmålet: Hva da?")
    assert take_apart(asked).words == "Hva nå?"
    assert len(take_apart(asked).additions) == 2


def test_a_follow_up_of_a_follow_up_takes_its_own_words_alone() -> None:
    second = compose("Og da?", follows=compose("Hva nå?", year=1999, follows="Hva først?"))
    assert second == "Og da?\n\nOppfølging av spørsmålet: Hva nå?"


def test_a_question_of_several_paragraphs_stays_whole() -> None:
    for words in ("Hva?\n\nDette gjelder meg.", "Hva?"):
        assert take_apart(compose(words)).words == words
        assert take_apart(words).additions == ()


def test_the_longest_question_with_everything_added_is_not_too_long() -> None:
    asked = compose("å" * MAX_WORDS, law_type=LawType.REGLEMENT, year=1999, ministry="x" * 200, follows="y" * 9_000)
    assert len(asked) <= MAX_QUESTION


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
