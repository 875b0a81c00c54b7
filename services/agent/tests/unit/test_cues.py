"""Whether an amount, a time or a price is asked for, and given."""

import pytest

from lovsvar_agent.core.extractive.cues import asks_price, sign


@pytest.mark.parametrize(
    ("question", "passage"),
    [
        ("Hvor mye kan han kreve?", "Det betales ti prosent."),
        ("Kor mykje kan han krevje?", "Det vert betalt ti prosent."),
        ("Hva er maksbeløpet?", "Pantet er halvparten av verdien. Maksbeløp."),
        ("Hvor lenge kan båten lånes?", "Båten leveres etter ti dager."),
        ("Når må båten leveres?", "Båten leveres straks."),
        ("Hva er fristen?", "Båten leveres senest om kvelden."),
    ],
)
def test_a_passage_that_gives_what_is_asked_for_has_a_sign(question: str, passage: str) -> None:
    assert sign(question, passage) == 2.0


def test_a_limit_counts_more() -> None:
    assert sign("Hvor lenge kan båten lånes?", "Båten lånes i høyst ti dager.") == 3.5


def test_hours_answer_how_much_where_they_are_a_limit() -> None:
    assert sign("Hvor mye kan jeg arbeide?", "Arbeidet varer inntil ti timer.") == 3.5
    assert sign("Hvor mye kan jeg arbeide?", "Arbeidet varer ti timer.") == 0.0


@pytest.mark.parametrize("passage", ["Båten skal vaskes.", "Båten er på ti meter."])
def test_a_passage_without_amount_and_time_has_none(passage: str) -> None:
    assert sign("Hvor mye og hvor lenge?", passage) == 0.0


def test_a_question_for_neither_finds_none() -> None:
    assert sign("Må båten vaskes?", "Båten vaskes senest etter ti dager, for høyst ti kroner.") == 0.0


@pytest.mark.parametrize(
    "question",
    [
        "Hva koster en båt?",
        "Kor mykje kostar ein båt?",
        "Hva er prisen på båter?",
        "How much does a boat cost?",
        "Hvor mye er gebyret i kroner?",
    ],
)
def test_a_price_is_known_by_how_it_is_asked_for(question: str) -> None:
    assert asks_price(question)


@pytest.mark.parametrize(
    "question", ["Hvor mye kan båteieren kreve i pant?", "Hvem betaler kostnadene?", "Hva er pant?"]
)
def test_a_share_or_a_duty_to_pay_is_no_price(question: str) -> None:
    assert not asks_price(question)
