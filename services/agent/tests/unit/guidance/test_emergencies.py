"""Danger to life or health is recognised, and only it."""

import json
from pathlib import Path
from typing import Any

import pytest

from lovsvar_agent.core.guidance.dangers import Danger
from lovsvar_agent.core.guidance.emergencies import MAX_CONTACTS, dangers, emergency

QUESTIONS = Path(__file__).parents[5] / "benchmarks" / "questions"


def rows(name: str, *, danger: bool) -> list[Any]:
    lines = (QUESTIONS / name).read_text(encoding="utf-8").splitlines()
    return [row for row in map(json.loads, lines) if row["danger"] is danger]


def numbers(question: str, language: Any = "nb") -> list[str]:
    found = emergency(question, language)
    return [contact.phone.replace(" ", "") for contact in found.contacts] if found else []


@pytest.mark.parametrize("name", ["emergencies.jsonl", "emergencies_later.jsonl"])
def test_whoever_is_in_danger_sees_the_numbers_that_fit(name: str) -> None:
    asked = rows(name, danger=True)
    assert len(asked) >= 60
    missed = [row["question"] for row in asked if not {*row["numbers"]} <= {*numbers(row["question"], row["language"])}]
    assert missed == []


@pytest.mark.parametrize("name", ["emergencies.jsonl", "emergencies_later.jsonl"])
def test_whoever_is_not_in_danger_sees_none(name: str) -> None:
    asked = rows(name, danger=False)
    assert len(asked) >= 60
    assert [row["question"] for row in asked if emergency(row["question"], row["language"])] == []


def test_a_danger_in_words_of_ones_own_is_recognised_and_what_only_sounds_like_one_is_not() -> None:
    in_danger = rows("emergencies_more.jsonl", danger=True)
    missed = [row["question"] for row in in_danger if not emergency(row["question"], row["language"])]
    calm = rows("emergencies_more.jsonl", danger=False)
    alarmed = [row["question"] for row in calm if emergency(row["question"], row["language"])]
    assert len(missed) <= 0.03 * len(in_danger), missed
    assert len(alarmed) <= 0.02 * len(calm), alarmed


@pytest.mark.parametrize(
    ("clause", "danger"),
    [
        ("Fyren slenger henne i golvet", Danger.ATTACK),
        ("Gutten har fått i seg lightergass", Danger.POISON),
        ("Bestemor ligger på badet og reagerer ikke", Danger.ILLNESS),
        ("There is smoke coming under the door", Danger.FIRE),
    ],
)
def test_signs_mean_danger_together_in_a_clause_that_states_something(clause: str, danger: Danger) -> None:
    assert danger in dangers(clause)
    assert not dangers(f"Hva er straffen hvis {clause.casefold()}?")


def test_what_is_told_with_a_claim_is_over() -> None:
    assert dangers("Jeg falt ned fra stillaset på jobb. Hvilken forsikring skal betale?") == frozenset()


def test_no_question_of_the_other_benchmarks_is_taken_for_a_fire_or_a_suicide() -> None:
    found = {
        danger
        for name in ("stories.jsonl", "tail.jsonl", "near_misses.jsonl", "unanswerable.jsonl")
        for line in (QUESTIONS / name).read_text(encoding="utf-8").splitlines()
        for danger in dangers(json.loads(line)["question"])
    }
    assert found <= {Danger.ATTACK, Danger.PARTNER}


@pytest.mark.parametrize(
    "question",
    [
        "Hva gjør jeg hvis det brenner i leiligheten?",
        "Mannen min slo meg i 2014. Er det foreldet?",
        "Kan jeg slå tilbake når noen slår meg?",
        "Hunden til naboen bet meg i går",
    ],
)
def test_what_is_past_or_supposed_is_no_danger_now(question: str) -> None:
    assert numbers(question) == []


def test_a_danger_now_counts_though_something_else_is_past() -> None:
    assert numbers("Han ble dømt i 2019, og nå står han utenfor døra og banker")[0] == "112"


def test_at_most_four_are_named_the_most_urgent_first() -> None:
    found = emergency("Det brenner, mannen min slår meg, sønnen min puster ikke, og jeg vil dø", "nb")
    assert found is not None
    assert [contact.phone for contact in found.contacts] == ["110", "113", "112", "116 006"]
    assert len(found.contacts) == MAX_CONTACTS


@pytest.mark.parametrize(
    ("language", "title", "name"),
    [
        ("nb", "Er noen i fare nå? Ring med én gang", "Politiet"),
        ("nn", "Er nokon i fare no? Ring med ein gong", "Politiet"),
        ("en", "Is someone in danger now? Call at once", "The police"),
    ],
)
def test_the_words_are_in_the_language_of_the_question(language: Any, title: str, name: str) -> None:
    found = emergency("My husband beats me", language)
    assert found is not None
    assert (found.title, found.contacts[0].name) == (title, name)
