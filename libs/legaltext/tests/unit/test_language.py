"""Which language a text is in."""

import pytest

from lovsvar_legaltext.language import language_of, may_be


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("kan utleier kreve depositum", (True, False)),
        ("how much can the landlord ask for", (False, True)),
        ("depositum", (True, True)),
        ("", (True, True)),
        ("når må eg betale for the apartment", (True, False)),
    ],
)
def test_the_language_of_a_query_is_told_by_its_small_words(query: str, expected: tuple[bool, bool]) -> None:
    assert may_be(query.split()) == expected


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("Hvor mye kan utleier kreve i depositum?", "nb"),
        ("Depositum", "nb"),
        ("§ 3-5", "nb"),
        ("Kor mykje kan utleigaren krevje i depositum?", "nn"),
        ("Kva seier lova om oppseiing?", "nn"),
        ("Har eg rett til ferie når eg ikkje har jobba?", "nn"),
        ("How much can the landlord demand as a deposit?", "en"),
        ("What does husleieloven § 3-5 say?", "en"),
        ("Is my employer required to pay overtime?", "en"),
    ],
)
def test_the_questions_language_is_known(question: str, language: str) -> None:
    assert language_of(question) == language


def test_a_locale_decides() -> None:
    assert language_of("Hvor mye kan utleier kreve?", "en") == "en"
