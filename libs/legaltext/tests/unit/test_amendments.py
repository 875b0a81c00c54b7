"""Amendment notes, as Norwegian law writes them."""

from datetime import date

import pytest

from lovsvar_legaltext.amendments import Amendment, amended_by, amendments, in_force_since
from lovsvar_testkit.acts import make_provision


def test_a_note_names_the_acts_that_amended_and_not_the_resolutions_in_its_parentheses() -> None:
    note = (
        "Endret ved lover 21 des 2005 nr. 121 (ikr. 1 jan 2006 iflg. res. 21 des 2005 nr. 1607), 21 juni 2019 nr. 24, "
        "forskrift 7 juni 2024 nr. 928."
    )
    assert amended_by([note]) == ("lov/2005-12-21-121", "lov/2019-06-21-24", "forskrift/2024-06-07-928")


def test_a_note_tells_when_what_an_act_did_came_into_force() -> None:
    note = "Endret ved lov 19 juni 2009 nr. 74 , 20 juni 2025 nr. 86 (i kraft 1 juli 2025 iflg. res. 1 mai 2025 nr. 3)."
    assert amendments([note]) == (
        Amendment("lov/2009-06-19-74", None),
        Amendment("lov/2025-06-20-86", date(2025, 7, 1)),
    )
    assert amendments(["Endra med lov 31 feb 2009 nr. 74."]) == ()


@pytest.mark.parametrize(
    ("notes", "since"),
    [
        ((), date(2000, 1, 1)),
        (("Endret ved lov 1 des 2006 nr. 64 (ikr. 1 jan 2007).",), date(2000, 1, 1)),
        (
            ("Tilføyd ved lov 16 juni 2017 nr. 42 (ikr. 1 juli 2017 iflg. res. 16 juni 2017 nr. 752).",),
            date(2017, 7, 1),
        ),
        (("Tilføyd ved lov 7 mars 2008 nr. 4 , endret ved lov 4 des 2020 nr. 135 (ikr. 1 jan 2021).",), None),
        (("Føyd til ved lov.",), None),
    ],
)
def test_a_provision_that_was_added_later_is_in_force_since_then(notes: tuple[str, ...], since: date | None) -> None:
    assert in_force_since(make_provision(notes=notes, in_force_from=date(2000, 1, 1))) == since
