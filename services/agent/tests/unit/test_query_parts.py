"""The parts of a question that are searched by themselves."""

import pytest

from lovsvar_agent.core.extractive.query_parts import asking_sentences, by_content_words, rule_asked_for


def test_content_words_have_names_in_place_of_abbreviations() -> None:
    assert by_content_words("Hva sier btl om pant?", {"btl": "båtleieloven"}) == "båtleieloven pant"


def test_what_asks_in_a_story_is_known_by_its_mark() -> None:
    story = "Jeg leide en jolle i mai. Eieren ser sur ut. Kan han kreve mer pant? Hvor fort må han si fra om bulken?"
    assert asking_sentences(story) == "Kan han kreve mer pant? Hvor fort må han si fra om bulken?"


@pytest.mark.parametrize("story", ["Jolla fikk en bulk i mai.", "Jolla fikk en bulk. Kan han det?"])
def test_what_says_too_little_without_its_story_is_not_searched(story: str) -> None:
    assert asking_sentences(story) == ""


@pytest.mark.parametrize(
    ("question", "act", "rule"),
    [
        ("Hvor i båtleieloven står det hvor mye pant jeg må gi?", "båtleieloven", "hvor mye pant jeg må gi?"),
        ("Hvilken paragraf i båtleieloven sier at eieren må si fra?", "båtleieloven", "eieren må si fra?"),
        ("Kva seier båtleigelova om kor lenge eg har båten?", "båtleigelova", "kor lenge eg har båten?"),
        ("Which section of the Boat Act says that owners pay?", "Boat Act", "owners pay?"),
        ("Må eieren etter båtleieloven si fra?", "båtleieloven", "Må eieren etter si fra?"),
    ],
)
def test_the_rule_asked_for_is_what_is_left_without_where_it_is(question: str, act: str, rule: str) -> None:
    assert rule_asked_for(question, [act]) == rule


def test_a_question_for_an_act_alone_asks_for_no_rule() -> None:
    assert rule_asked_for("Hva sier båtleieloven?", ["båtleieloven"]) == ""
