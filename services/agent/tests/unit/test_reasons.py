"""The line that says why a provision is shown."""

import pytest

from lovsvar_agent.core.extractive.reasons import PHRASES, SPECIAL, Reason, reason, why

ASKED = "Kan båteieren nekte meg båten?"


@pytest.mark.parametrize(
    ("heading", "kind"),
    [
        ("Klage på vedtak", Reason.COMPLAINT),
        ("Søksmål om båtleie", Reason.COMPLAINT),
        ("Unntak fra plikten", Reason.EXCEPTION),
        ("Fritak", Reason.EXCEPTION),
        ("Straff", Reason.SANCTION),
        ("Erstatning for skader", Reason.SANCTION),
        ("Definisjoner", Reason.DEFINITION),
        ("Hvem som har myndighet", Reason.DECIDES),
        ("Tilsyn", Reason.DECIDES),
        ("Pant", Reason.WORDS),
        ("", Reason.WORDS),
    ],
)
def test_a_heading_says_what_a_provision_gives(heading: str, kind: Reason) -> None:
    assert reason(ASKED, heading, "Båten skal vaskes.") is kind


def test_an_exception_comes_before_what_it_is_an_exception_from() -> None:
    assert reason(ASKED, "Unntak fra klageretten", "x") is Reason.EXCEPTION


def test_a_number_or_deadline_that_is_asked_for_comes_before_the_heading() -> None:
    assert reason("Hvor lang er fristen?", "Klage", "Fristen er tre uker.") is Reason.AMOUNT_OR_TIME
    assert reason("Hvor mye kan han kreve?", "Pant", "Pantet er høyst fire prosent.") is Reason.AMOUNT_OR_TIME
    assert reason(ASKED, "Klage", "Fristen er tre uker.") is Reason.COMPLAINT


def test_what_the_question_names_is_shown_for_that() -> None:
    assert reason("Hvor lang er fristen i § 3?", "Klage", "Fristen er tre uker.", named=True) is Reason.NAMED


@pytest.mark.parametrize(
    ("language", "said"),
    [("nb", "Gir tallet eller fristen"), ("nn", "Gir talet eller fristen"), ("en", "Gives the number or time limit")],
)
def test_the_line_is_in_the_questions_language(language, said: str) -> None:
    assert why(Reason.AMOUNT_OR_TIME, ("frist",), language) == said


def test_without_another_reason_the_line_names_the_questions_words_that_the_provision_has() -> None:
    assert why(Reason.WORDS, ("pant",), "nb") == "Nevner «pant»"
    assert why(Reason.WORDS, ("pant", "båt", "leie", "uke"), "nn") == "Nemner «pant», «båt» og «leie»"
    assert why(Reason.WORDS, ("depositum",), "en") == "Mentions “depositum”"


def test_what_has_none_of_them_is_said_to_be_close_in_meaning() -> None:
    assert why(Reason.WORDS, (), "nb") == "Ligner det du spør om"


def test_those_that_an_act_is_for_are_named_after_the_reason() -> None:
    said = why(Reason.SANCTION, ("straff",), "nb", "ansatte på skip")
    assert said == "Hva det kan føre til. Gjelder bare ansatte på skip"


def test_each_reason_has_words_in_each_language() -> None:
    assert set(PHRASES) == set(Reason)
    assert all(set(said) == {"nb", "nn", "en"} and all(said.values()) for said in (*PHRASES.values(), SPECIAL))
