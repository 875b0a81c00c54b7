"""How far a reader of a case is, written and read."""

import re

import pytest

from lovsvar_gateway.core.case_place import PLACE, CasePlace


@pytest.mark.parametrize(
    ("place", "written"),
    [
        (CasePlace(), "0"),
        (CasePlace(12), "12"),
        (CasePlace(12, {"run-1": 31}), "12.run-1:31"),
        (CasePlace(3, {"a": 0, "b": 7}), "3.a:0,b:7"),
    ],
)
def test_a_place_is_read_as_it_was_written(place: CasePlace, written: str) -> None:
    assert str(place) == written
    assert CasePlace.read(written) == place
    assert re.match(PLACE, written)


@pytest.mark.parametrize("written", ["", "x", "1.", "1.a", "1.a:", "1.a:1,", "-1", "1.a:1;b:2", "1" * 10])
def test_what_is_no_place_is_refused(written: str) -> None:
    assert not re.match(PLACE, written)


def test_a_place_moves_with_changes_and_runs() -> None:
    place = CasePlace(4).changed(5).begun("r").heard("r", 1)
    assert str(place) == "5.r:1"
    assert str(place.changed(6).heard("r", 2)) == "6.r:2"
    assert str(place.begun("r")) == "5.r:1", "a run that is followed is not begun again"
    assert str(place.ended("r")) == "5"
