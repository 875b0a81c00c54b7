"""Which language a text is in."""

import json
from collections import Counter
from pathlib import Path

import pytest

from lovsvar_legaltext.language import language_of, may_be

QUESTIONS = Path(__file__).parents[4] / "benchmarks" / "questions"


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
        ("§ 36 i avtaleloven", "nb"),
        ("regler for permisjon", "nb"),
        ("Kor mykje kan utleigaren krevje i depositum?", "nn"),
        ("Kva seier lova om oppseiing?", "nn"),
        ("Har eg rett til ferie når eg ikkje har jobba?", "nn"),
        ("How much can the landlord demand as a deposit?", "en"),
        ("What does husleieloven § 3-5 say?", "en"),
        ("Is my employer required to pay overtime?", "en"),
        ("No notice, can they do that to me?", "en"),
        ("Tell me a joke", "en"),
    ],
)
def test_the_questions_language_is_known(question: str, language: str) -> None:
    assert language_of(question) == language


def test_a_locale_decides() -> None:
    assert language_of("Hvor mye kan utleier kreve?", "en") == "en"


def test_hardly_a_labelled_question_is_taken_for_another_language() -> None:
    rows = [json.loads(line) for path in QUESTIONS.glob("*.jsonl") for line in path.open(encoding="utf-8")]
    taken = Counter((row.get("lang") or row["language"], language_of(row["question"])) for row in rows)
    assert taken.total() > 5_000
    assert taken["nb", "en"] + taken["nn", "en"] <= 1
    assert taken["en", "nb"] + taken["en", "nn"] <= 2
    assert taken["nn", "nb"] <= 0.04 * taken["nn", "nn"]
    assert taken["nb", "nn"] <= 0.01 * taken["nb", "nb"]
