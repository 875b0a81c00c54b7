"""Whether a question is about another country."""

import pytest

from lovsvar_agent.core.extractive.foreign_law import is_about_foreign_law, is_set_abroad


@pytest.mark.parametrize(
    "question",
    [
        "Hva sier dansk lov om båtleie?",
        "Hvordan får jeg svensk statsborgerskap?",
        "Hvor lenge kan en båt lånes i Danmark?",
        "Is rowing legal in the United Kingdom?",
        "What is the speed limit on the German autobahn?",
    ],
)
def test_another_countrys_law_is_known_by_its_name(question: str) -> None:
    assert is_about_foreign_law(question)


@pytest.mark.parametrize(
    "question",
    [
        "Hvor lenge kan en båt lånes?",
        "Kan jeg ta med båten hjem fra Sverige?",
        "Gjelder en dansk båteksamen i Norge?",
        "Kan en båt fra usaklig oppsagte lånes i usakelig tid?",
        "Eigaren bur i Spania, og båten ligg i sentrum av Førde. Kan han krevje pant?",
        "The owner lives in Poland, but I rent the boat in Oslo. May I keep it?",
    ],
)
def test_a_question_about_norway_is_neither(question: str) -> None:
    assert not is_about_foreign_law(question)
    assert not is_set_abroad(question)


@pytest.mark.parametrize("question", ["Vi leide båt i Spania. Kan vi klage?", "Can I use my boat licence in Sweden?"])
def test_who_tells_of_oneself_abroad_may_ask_for_norwegian_law(question: str) -> None:
    assert is_set_abroad(question)
    assert not is_about_foreign_law(question)
