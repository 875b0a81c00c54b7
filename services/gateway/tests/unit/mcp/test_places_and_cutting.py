"""The words of a ledd or bokstav, and what fits in a number of tokens."""

from typing import Any

import pytest

from lovsvar_contracts.tokens import estimate_tokens
from lovsvar_gateway.core.mcp.token_budget import cut, show
from lovsvar_legaltext.citation_forms import in_words
from lovsvar_legaltext.places import words_of


@pytest.mark.parametrize(
    ("place", "words", "written"),
    [
        ({"ledd": 1}, "Første ledd.", "første ledd"),
        ({"ledd": 2, "letter": "a"}, "a. en bokstav", "annet ledd bokstav a"),
        ({"ledd": 2, "letter": "b", "number": "1"}, "1. et nummer", "annet ledd bokstav b nr. 1"),
        ({"letter": "b"}, "b. en til:\n1. et nummer", "bokstav b"),
        ({"ledd": 2, "number": "1"}, "1. et nummer", "annet ledd nr. 1"),
        ({"ledd": 2, "number": "2"}, "b. en til:\n1. et nummer", "annet ledd nr. 2"),
        ({"ledd": 2, "number": "3"}, None, "annet ledd nr. 3"),
        ({"ledd": 3, "sentence": 1}, "Tredje ledd.", "tredje ledd første punktum"),
        ({"ledd": 4}, None, "fjerde ledd"),
        ({"ledd": 1, "letter": "a"}, None, "første ledd bokstav a"),
        ({"letter": "k"}, None, "bokstav k"),
        ({"ledd": 13}, None, "13. ledd"),
    ],
)
def test_a_place_is_found_and_written(
    provision: Any, reference: Any, place: dict[str, Any], words: str | None, written: str
) -> None:
    meant = reference(**place)
    found = words_of(provision(), meant)
    assert (found.text if found else None) == words
    assert in_words(meant) == written


def test_an_article_is_parted_by_numbers_first_and_a_paragraph_by_letters(reference: Any) -> None:
    assert in_words(reference("gdpr/a6", letter="f", number="1")) == "nr. 1 bokstav f"
    assert in_words(reference("§6", letter="f", number="1")) == "bokstav f nr. 1"


def test_what_fits_is_shown_whole_and_nothing_is_said_of_a_rest(provision: Any) -> None:
    shown = show(provision(), None, 1_000)
    assert shown.text == provision().text
    assert (shown.truncated, shown.rest, shown.tokens) == (False, "", shown.full_tokens)


def test_what_does_not_fit_ends_with_a_whole_line_and_says_how_the_rest_is_asked_for(provision: Any) -> None:
    long = provision(*(f"Ledd nummer {n} handler om noe annet enn de andre leddene gjør." for n in range(20)))
    shown = show(long, None, 100)
    assert shown.truncated
    assert shown.tokens <= 100 < shown.full_tokens
    assert long.text.startswith(f"{shown.text}\n")
    assert f"max_tokens={long.tokens + 50}" in shown.rest
    assert '"§ 3-5 annet ledd"' in shown.rest
    assert "20 leddene" in shown.rest


def test_a_line_that_is_longer_than_the_budget_is_cut_at_a_word() -> None:
    line = "Departementet kan i forskrift gi nærmere regler om gjennomføringen av loven " * 50
    found = cut(line, 30)
    assert found.truncated
    assert 0 < found.tokens <= 30
    assert line.startswith(f"{found.text} ")


def test_a_place_alone_is_shown_when_it_is_asked_for(provision: Any, reference: Any) -> None:
    shown = show(provision(), reference(ledd=2, letter="a"), 1_000)
    assert (shown.text, shown.place) == ("a. en bokstav", "annet ledd bokstav a")
    assert shown.full_tokens == estimate_tokens(provision().text)
