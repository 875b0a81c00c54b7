"""The language of a question, in which products are offered."""

import pytest

from lovsvar_agent.core.products.phrases import PHRASES, offer_language


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("Welke interventies zijn er voor burn-out?", "nl"),
        ("Heb je begeleiding voor verzuim?", "nl"),
        ("Welke producten heeft EVI 360 voor fysieke klachten?", "nl"),
        ("Mijn werkgever wil mij niet helpen", "nl"),
        ("Hvem kan hjelpe meg når utleier ikke betaler?", "nb"),
        ("Kven kan hjelpe meg når utleigaren ikkje betaler?", "nn"),
        ("Who can help me when my landlord does not pay?", "en"),
        ("Kan jeg få hjelp til over å klage?", "nb"),
        ("burn-out", "nb"),
    ],
)
def test_dutch_is_told_from_the_languages_of_the_law(question: str, language: str) -> None:
    assert offer_language(question) == language


def test_a_locale_that_is_given_counts() -> None:
    assert offer_language("Welke interventies zijn er voor burn-out?", "en") == "en"


def test_every_phrase_is_in_every_language() -> None:
    assert all(said.title and said.note and said.invented for said in PHRASES.values())
