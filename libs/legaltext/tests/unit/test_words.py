"""Content words, stems, and how two words meet."""

import pytest

from lovsvar_legaltext.words import MAX_CONTENT_WORDS, Matcher, content_words, words


def test_words_that_only_ask_are_no_content() -> None:
    assert content_words("Hvor mye kan båteieren kreve i pant?") == ("båteieren", "kreve", "pant")


def test_section_numbers_and_compounds_stay_whole() -> None:
    assert words("§ 3-5 om fjord-båter") == ["3-5", "om", "fjord-båter"]


def test_everyday_words_become_the_laws_own() -> None:
    assert content_words("Kan sjefen si meg opp?") == ("arbeidsgiver", "oppsigelse")
    assert content_words("Har jeg rett til pant?") == ("pant",)


@pytest.mark.parametrize(
    ("asked", "found", "worth"),
    [
        ("depositum", "depositumet", 1.0),
        ("utleieren", "utleier", 0.9),
        ("vinter", "vinteren", 0.9),
        ("hund", "hundre", None),
        ("depositum", "depositumskonto", 0.6),
        ("frist", "klagefrist", 0.6),
        ("båt", "båtplass", None),
        ("leie", "leilighet", None),
    ],
)
def test_how_much_two_words_meet(asked: str, found: str, worth: float | None) -> None:
    matcher = Matcher(asked)
    assert list(matcher.match([found]).values()) == ([worth] if worth else [])


def test_the_best_meeting_counts() -> None:
    assert Matcher("depositum").match(["depositumskonto", "depositumet"]) == {"depositum": 1.0}


def test_a_long_question_is_known_by_its_first_words() -> None:
    question = " ".join(f"ord{n}x" for n in range(500))
    assert len(Matcher(question).stems) == MAX_CONTENT_WORDS


@pytest.mark.parametrize("phrase", ["Kan du hjelpe meg?", "Takk for hjelpen!", "bla bla bla"])
def test_a_phrase_that_asks_nothing_has_no_content_words(phrase: str) -> None:
    assert content_words(phrase) == ()
