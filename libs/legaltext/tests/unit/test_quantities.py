"""Numbers are read by value, whatever the words."""

from fractions import Fraction

import pytest

from lovsvar_legaltext.quantities import quantities, unsupported


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Oppsigelsesfristen er minst én måned.", [(1, "months")]),
        ("en måned", [(1, "months")]),
        ("ein månad og tolv dagar", [(1, "months"), (288, "time")]),
        ("en leier", []),
        ("inntil seks måneders leie", [(6, "months")]),
        ("halvannet år", [(18, "months")]),
        ("et halvt år", [(6, "months")]),
        ("to og et halvt år", [(30, "months")]),
        ("two and a half years", [(30, "months")]),
        ("femogtyve dager", [(600, "time")]),
        ("tjuefem timar", [(25, "time")]),
        ("tolvmånedersperioden", [(12, "months")]),
        ("fyller 18 år, 18-åringer", [(216, "months"), (216, "months")]),
        ("10 000 kroner eller 10.000 kr", [(10_000, "krone"), (10_000, "krone")]),
        ("to hundre tusen kroner", [(200_000, "krone")]),
        ("seks ganger folketrygdens grunnbeløp (6 G)", [(6, "base amount"), (6, "base amount")]),
        ("50 prosent, 1,5 %", [(Fraction(1, 2), "share"), (Fraction(3, 200), "share")]),
        ("to tredjedeler", [(Fraction(2, 3), "")]),
        ("senest 1. mai", [(501, "date")]),
        ("by May 1", [(501, "date")]),
    ],
)
def test_a_quantity_is_its_value_and_what_it_counts(text: str, read: list[tuple[int, str]]) -> None:
    assert [(q.value, q.dimension) for q in quantities(text)] == read


@pytest.mark.parametrize(
    "text",
    [
        "jf. § 15-3 annet ledd",
        "§§ 9-2 til 9-4",
        "kapittel 12",
        "bokstav b nr. 3",
        "lov av 26. mars 1999 nr. 17",
        "3. ledd",
    ],
)
def test_a_place_in_the_law_is_no_quantity(text: str) -> None:
    assert quantities(text) == ()


def test_a_place_that_is_followed_by_a_deadline_leaves_the_deadline() -> None:
    assert [q.value for q in quantities("Etter §§ 9-2 og 9-4, 10 dager")] == [240]


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("to uker", "14 dager"),
        ("et halvt år", "innen seks måneder"),
        ("halvparten", "50 prosent"),
        ("12 måneder", "ett år"),
        ("one month", "én måned"),
        ("6", "seks måneder"),
    ],
)
def test_other_words_for_a_quantity_are_supported(claim: str, source: str) -> None:
    assert unsupported(claim, [source]) == ()


@pytest.mark.parametrize(
    ("claim", "source"),
    [("ni måneder", "seks måneder"), ("seks uker", "seks måneder"), ("30 prosent", "50 prosent"), ("2. mai", "1. mai")],
)
def test_another_quantity_is_not(claim: str, source: str) -> None:
    [wrong] = unsupported(claim, [source])
    assert claim[wrong.start : wrong.end] == claim
