"""Of two acts of one name, which is in force."""

from datetime import date
from typing import Any

import pytest

from lovsvar_ingest.core.superseded_acts import Standing, find_superseded

TODAY = date(2026, 11, 21)


def act(day: str, title: str = "Prøveloven", note: str = "", *, areas: bool = True, kind: str = "lov") -> Standing:
    return Standing(f"{kind}/{day}-1", title, note, areas)


def test_an_act_whose_name_a_later_act_in_force_bears_is_repealed() -> None:
    assert find_superseded([act("1981-05-29"), act("2025-06-20")], TODAY) == ["lov/1981-05-29-1"]


def test_of_three_the_last_is_in_force() -> None:
    acts = [act("1981-05-29", "Prøve- og måleloven"), act("2025-06-20", "prøve- og måleloven")]
    assert find_superseded([*acts, act("2001-01-01", "Prøve- og måleloven")], TODAY) == [
        "lov/1981-05-29-1",
        "lov/2001-01-01-1",
    ]


@pytest.mark.parametrize("note", ["2026-01-01, Kongen fastset", "2026-01-01, 2026-11-22"])
def test_a_later_act_that_is_in_force_in_part_repeals_only_what_has_left_the_legal_areas(note: str) -> None:
    later = act("2025-06-20", note=note)
    assert find_superseded([act("1992-12-04"), later], TODAY) == []
    assert find_superseded([act("1992-12-04", areas=False), later], TODAY) == ["lov/1992-12-04-1"]


def test_dates_that_have_come_are_in_force_whole() -> None:
    later = act("2024-12-13", note="2025-01-01, 2026-11-21")
    assert find_superseded([act("2004-05-07"), later], TODAY) == ["lov/2004-05-07-1"]


@pytest.mark.parametrize(
    "fields",
    [
        {"title": "Endringslov til prøveloven"},
        {"title": "Lov om prøver"},
        {"title": ""},
        {"kind": "forskrift"},
    ],
)
def test_titles_that_several_bear_and_regulations_are_left_alone(fields: Any) -> None:
    assert find_superseded([act("1981-05-29", **fields), act("2025-06-20", **fields)], TODAY) == []


def test_two_acts_of_one_day_are_left_alone() -> None:
    bokmaal, nynorsk = act("1814-05-17", "Grunnloven"), Standing("lov/1814-05-17-2", "Grunnloven", "", True)
    assert find_superseded([bokmaal, nynorsk], TODAY) == []
