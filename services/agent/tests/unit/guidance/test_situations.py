"""The file of situations, and which of them an answer belongs to."""

import pytest

from lovsvar_agent.core.guidance.situations import BadSituations, Situation, Situations, parse_situations
from lovsvar_legaltext.words import Matcher

PLEDGE, DAMAGE, FEAST = ("lov/2999-01-01-1", "§3-2"), ("lov/2999-01-01-1", "§4-1"), ("lov/2999-02-02-2", "§7")


@pytest.fixture
def several(entry) -> Situations:
    text = entry() + entry(
        id="damaged",
        provisions='"lov/2999-01-01-1/§4-1", "lov/2999-01-01-1/§3-2", "lov/2999-01-01-1/kap5"',
        words='"skade på båten", "bulk"',
    )
    return Situations(parse_situations(text))


def of(several: Situations, question: str, *shown: tuple[str, str]) -> str | None:
    found = several.of(question, shown)
    return found.id if found else None


def test_an_entry_is_read_in_three_languages(situation: Situation) -> None:
    assert situation.title["nn"] == "Pantet blir halde att"
    assert situation.contact["en"].name == "Boat Authority"
    assert situation.provisions == (PLEDGE,)
    assert situation.deadline is not None
    assert situation.letter is None


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"sentence": "0"}, "withheld.*count from 1"),
        ({"provisions": '"lov/2999-01-01-1"'}, "withheld"),
        ({"words": ""}, "withheld.*no words"),
        ({"id": ""}, "number 1"),
    ],
)
def test_a_fault_names_the_entry(entry, fields: dict[str, str], said: str) -> None:
    with pytest.raises(BadSituations, match=said):
        parse_situations(entry(**fields))


def test_a_language_that_is_missing_and_an_id_twice_are_faults(entry) -> None:
    with pytest.raises(BadSituations, match=r"withheld.*'nn'"):
        parse_situations(entry().replace(', nn = "Båtretten"', ""))
    with pytest.raises(BadSituations, match="not unique"):
        parse_situations(entry() * 2)
    with pytest.raises(BadSituations, match="no list"):
        parse_situations("x = 1")


def test_words_decide_between_situations_of_one_provision(several: Situations) -> None:
    assert of(several, "Kan eieren beholde pantet?", PLEDGE) == "withheld"
    assert of(several, "Jolla fikk en bulk, hva nå?", PLEDGE) == "damaged"
    assert of(several, "Hvem rår over kontoen?", PLEDGE) is None


def test_the_only_situation_of_a_telling_provision_needs_no_words(several: Situations) -> None:
    assert of(several, "Hvor fort skal eieren få vite det?", DAMAGE) == "damaged"


def test_where_nothing_surely_answers_a_situation_needs_the_questions_words(several: Situations) -> None:
    assert several.of("Hvor fort skal eieren få vite det?", [DAMAGE], sure=False) is None
    found = several.of("Jolla fikk en bulk", [DAMAGE], sure=False)
    assert found is not None and found.id == "damaged"


def test_the_words_of_a_specific_phrase_may_come_in_any_order(several: Situations) -> None:
    other = ("lov/2999-01-01-1", "§9-9")
    assert of(several, "Båten fikk en skade på skroget", other) == "damaged"
    assert of(several, "Båten fikk en skade på skroget") is None


def test_whoever_describes_a_danger_is_in_its_situation(entry) -> None:
    endangered = entry(id="beaten", words='"slått"').replace("words =", 'dangers = ["partner"]\nwords =')
    situations = Situations(parse_situations(entry() + endangered))
    assert of(situations, "Mannen min slår meg", PLEDGE) == "beaten"
    assert of(situations, "Kan mannen min få pant?", PLEDGE) == "withheld"


def test_a_chapter_has_its_provisions(several: Situations) -> None:
    assert of(several, "Hva med en bulk?", ("lov/2999-01-01-1", "§5-3")) == "damaged"
    assert of(several, "Hva med en bulk?", ("lov/2999-01-01-1", "§15-3")) is None


def test_the_first_provision_counts_most(several: Situations) -> None:
    assert of(several, "Pant og skade på båten", PLEDGE, DAMAGE) == "damaged"
    assert of(several, "Kan eieren beholde pantet?", FEAST, PLEDGE) is None


def test_without_a_provision_only_a_specific_phrase_decides(several: Situations) -> None:
    assert of(several, "Leietakeren gjorde skade på båten") == "damaged"
    assert of(several, "Leietakeren gjorde skade på båten", FEAST) is None
    assert of(several, "Hva er pant?") is None


def test_nothing_belongs_to_an_answer_without_situations() -> None:
    assert Situations().of("Leietakeren gjorde skade på båten", [PLEDGE]) is None


def test_of_what_was_found_the_most_telling_of_a_situation_in_the_questions_words_is_expected(several) -> None:
    found = [PLEDGE, DAMAGE, FEAST]
    assert several.telling(Matcher("Jolla fikk en bulk"), found) == {DAMAGE, PLEDGE}
    assert several.telling(Matcher("Jolla fikk en bulk"), [FEAST]) == frozenset()
    assert several.telling(Matcher("Hvor lenge kan jeg låne jolla?"), found) == frozenset()
