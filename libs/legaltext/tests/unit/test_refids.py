"""Refids, and the days in them."""

from datetime import date

import pytest

from lovsvar_legaltext.refids import Refid, month_number, parse_refid


@pytest.mark.parametrize(
    ("refid", "parsed"),
    [
        ("lov/1999-03-26-17", Refid("lov", date(1999, 3, 26), 17)),
        ("lov/1967-02-10", Refid("lov", date(1967, 2, 10), None)),
        ("lov/1814-05-17-nn", Refid("lov", date(1814, 5, 17), None)),
        ("lti/forskrift/2025-01-02-3", Refid("forskrift", date(2025, 1, 2), 3)),
        ("lov/1999-13-26-17", None),
        ("lov", None),
    ],
)
def test_a_refid_is_a_type_a_day_and_a_number(refid: str, parsed: Refid | None) -> None:
    assert parse_refid(refid) == parsed


def test_a_month_is_known_in_figures_in_full_and_by_its_first_letters() -> None:
    assert [month_number(word) for word in ("3.", "mars", "Mar.", "des", "13", "marx", "ma", "")] == [
        3,
        3,
        3,
        12,
        0,
        3,
        0,
        0,
    ]
