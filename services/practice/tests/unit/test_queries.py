"""What the search provider is asked."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lovsvar_practice.core.errors import InvalidQuery
from lovsvar_practice.core.queries import normalised, practice_query, search_key
from lovsvar_practice.settings import Settings

PATHS = ("/avgjørelser/", "/trygderetten/")
SUFFIX = " site:lovdata.no (inurl:/avgjørelser/ OR inurl:/trygderetten/)"


def test_a_query_is_limited_to_the_five_parts_of_lovdata_that_hold_practice() -> None:
    assert practice_query("mangel ved bolig", Settings().practice_paths) == (
        "mangel ved bolig site:lovdata.no (inurl:/avgjørelser/ OR inurl:/lovtidend/ OR inurl:/husleietvistutvalget/"
        " OR inurl:/trygderetten/ OR inurl:/sph2025/)"
    )


@pytest.mark.parametrize(
    ("words", "sent"),
    [
        ("  mangel \n\t ved  bolig ", "mangel ved bolig"),
        ("mangel\u200b ved\u202e bolig\x00", "mangel ved bolig"),
        ("mangel site:evil.example", "mangel evil.example"),
        ("mangel -site:lovdata.no", "mangel - lovdata.no"),
        ("mangel SITE : evil.example allinurl:x", "mangel evil.example x"),
        ("inurl:/trygderetten/ uføretrygd", "/trygderetten/ uføretrygd"),
        ('"uføretrygd" OR § 12-7', '"uføretrygd" OR § 12-7'),
        ("nettsite: mangel", "nettsite: mangel"),
    ],
)
def test_words_are_sent_as_they_are_but_for_what_is_hidden_or_leads_elsewhere(words: str, sent: str) -> None:
    assert practice_query(words, PATHS) == sent + SUFFIX


@pytest.mark.parametrize("words", ["", "   ", "§", "site:", "\u200b", "?!"])
def test_a_query_without_words_is_refused(words: str) -> None:
    with pytest.raises(InvalidQuery):
        practice_query(words, PATHS)


@pytest.mark.parametrize("other", ["mangel ved bolig", " MANGEL  ved\tBolig", "ｍangel ved bolig"])
def test_the_same_question_written_otherwise_has_the_same_key(other: str) -> None:
    assert search_key(other, 10) == search_key("Mangel ved bolig", 10)


@pytest.mark.parametrize(("other", "num"), [("mangel ved bolig", 9), ("mangel bolig", 10), ("mangel ved bolig?", 10)])
def test_another_question_or_number_has_another_key(other: str, num: int) -> None:
    assert search_key(other, num) != search_key("mangel ved bolig", 10)


def test_an_operator_is_no_word() -> None:
    assert normalised("Depositum OR Leie") == "depositum OR leie" != normalised("depositum or leie")


@given(st.text(max_size=100), st.integers(1, 20))
def test_every_key_can_name_what_is_kept(query: str, num: int) -> None:
    key = search_key(query, num)
    assert len(key) == 64
    assert key.isalnum()
    assert search_key(normalised(query), num) == search_key(normalised(normalised(query)), num)
