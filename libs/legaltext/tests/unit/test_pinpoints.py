"""Places inside a provision."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lovsvar_legaltext.pinpoints import LAST, MAX_LISTED, NOWHERE, Pinpoint, read_pinpoints

LEDD = {
    "første ledd": 1, "fyrste ledd": 1, "Første ledd": 1, "1. ledd": 1, "ledd 1": 1, "(1)": 1,
    "annet ledd": 2, "andre ledd": 2, "anna ledd": 2, "2. ledd": 2, "2.ledd": 2, ", annet ledd": 2, "(2)": 2,
    "tredje ledd": 3, "fjerde ledd": 4, "femte ledd": 5, "sjette ledd": 6, "sjuende ledd": 7, "syvende ledd": 7,
    "sjuande ledd": 7, "åttende ledd": 8, "åttande ledd": 8, "niende ledd": 9, "tiande ledd": 10, "12. ledd": 12,
    "siste ledd": LAST,
}  # fmt: skip


@pytest.mark.parametrize(("text", "ledd"), LEDD.items())
def test_a_ledd_is_read_however_it_is_written(text: str, ledd: int) -> None:
    assert read_pinpoints(text, 0, article=False) == ((Pinpoint(ledd=ledd),), len(text))


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("bokstav b", [Pinpoint(letter="b")]),
        ("bokstav B", [Pinpoint(letter="b")]),
        ("litra b", [Pinpoint(letter="b")]),
        ("bokst. b", [Pinpoint(letter="b")]),
        ("bokstav b)", [Pinpoint(letter="b")]),
        ("(b)", [Pinpoint(letter="b")]),
        ("bokstav a og b", [Pinpoint(letter="a"), Pinpoint(letter="b")]),
        ("bokstav a, b og d", [Pinpoint(letter=letter) for letter in "abd"]),
        ("bokstavene a til d", [Pinpoint(letter=letter) for letter in "abcd"]),
        ("bokstav a–c", [Pinpoint(letter=letter) for letter in "abc"]),
        ("nr. 3", [Pinpoint(number="3")]),
        ("nr 3", [Pinpoint(number="3")]),
        ("nummer 3", [Pinpoint(number="3")]),
        ("nr. 1 og 2", [Pinpoint(number="1"), Pinpoint(number="2")]),
        ("andre punktum", [Pinpoint(sentence=2)]),
        ("annet punktum", [Pinpoint(sentence=2)]),
        ("1. pkt.", [Pinpoint(sentence=1)]),
        ("2. punktum", [Pinpoint(sentence=2)]),
        ("første og annet ledd", [Pinpoint(ledd=1), Pinpoint(ledd=2)]),
        ("første til tredje ledd", [Pinpoint(ledd=1), Pinpoint(ledd=2), Pinpoint(ledd=3)]),
        ("annet ledd bokstav b", [Pinpoint(ledd=2, letter="b")]),
        ("(2) bokstav b", [Pinpoint(ledd=2, letter="b")]),
        ("første ledd nr. 3 bokstav c", [Pinpoint(ledd=1, letter="c", number="3")]),
        ("første ledd første punktum", [Pinpoint(ledd=1, sentence=1)]),
        ("annet ledd bokstav a nr. 2 tredje punktum", [Pinpoint(2, "a", "2", 3)]),
        ("annet ledd bokstav a og b", [Pinpoint(ledd=2, letter="a"), Pinpoint(ledd=2, letter="b")]),
    ],
)
def test_every_place_named_is_read_to_the_end(text: str, places: list[Pinpoint]) -> None:
    assert read_pinpoints(text, 0, article=False) == (tuple(places), len(text))


def test_a_number_in_brackets_is_a_number_in_an_article_of_a_treaty() -> None:
    assert read_pinpoints("(1) (f)", 0, article=True)[0] == (Pinpoint(letter="f", number="1"),)


@pytest.mark.parametrize("text", ["", " og så videre", " bokstavelig", " nr", " 14 dager", " første gang", " ledd"])
def test_what_names_no_place_is_left(text: str) -> None:
    assert read_pinpoints(text, 0, article=False) == ((NOWHERE,), 0)


@pytest.mark.parametrize(
    ("text", "place"),
    [("bokstav a i loven", Pinpoint(letter="a")), ("nr. 1 og 14 dager", Pinpoint(number="1"))],
)
def test_a_word_behind_a_place_is_no_part_of_it(text: str, place: Pinpoint) -> None:
    assert read_pinpoints(text, 0, article=False)[0] == (place,)


@given(st.lists(st.sampled_from([*LEDD, "bokstav z", "a", "og", "til", "nr.", "9", "99", "punktum", "–", " ", ","])))
def test_any_mix_of_the_parts_of_places_is_survived_and_bounded(parts: list[str]) -> None:
    text = " ".join(parts)
    places, end = read_pinpoints(text, 0, article=False)
    assert 1 <= len(places) <= MAX_LISTED
    assert 0 <= end <= len(text)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("(1) a", Pinpoint(ledd=1, letter="a")),
        ("(2)c", Pinpoint(ledd=2, letter="c")),
        ("annet ledd b", Pinpoint(ledd=2, letter="b")),
        ("nr. 3 c", Pinpoint(number="3", letter="c")),
        ("nr. 3 c og skal", Pinpoint(number="3", letter="c")),
        ("(1) i loven", Pinpoint(ledd=1)),
        ("(1) a er", Pinpoint(ledd=1)),
    ],
)
def test_a_letter_alone_is_read_behind_a_ledd_or_a_number(text: str, place: Pinpoint) -> None:
    assert read_pinpoints(text, 0, article=False)[0] == (place,)
