"""Small rules about sections."""

import pytest

from lovsvar_contracts.law import InForce
from lovsvar_search.core.law.sections import heading, ledd_starts, status_of

YES, NOT_YET, REPEALED, UNKNOWN = InForce.YES, InForce.NOT_YET, InForce.REPEALED, InForce.UNKNOWN


@pytest.mark.parametrize(
    ("document", "section", "status"),
    [
        (YES, YES, YES),
        (YES, REPEALED, REPEALED),
        (YES, UNKNOWN, YES),
        (NOT_YET, YES, NOT_YET),
        (REPEALED, YES, REPEALED),
    ],
)
def test_a_section_is_law_only_when_its_document_is(document: InForce, section: InForce, status: InForce) -> None:
    assert status_of(document, section) is status


def test_a_heading_has_no_empty_parts() -> None:
    assert heading("§ 3-5", "Depositum") == "§ 3-5. Depositum"
    assert heading("§ 3-5", "") == "§ 3-5"
    assert heading("", "Vedlegg") == "Vedlegg"


def test_ledd_begin_where_their_line_does_label_and_all() -> None:
    text = "(1) Første.\na. punkt\n(2) Andre."
    assert ledd_starts(text, ("Første.", "Andre.")) == (0, text.index("(2)"))


def test_equal_openings_are_taken_in_order() -> None:
    assert ledd_starts("Kongen gir forskrift.\nKongen gir forskrift.", ("Kongen gir", "Kongen gir")) == (0, 22)


def test_ledd_behind_one_that_is_not_found_are_left_out() -> None:
    assert ledd_starts("Første.\nTredje.", ("Første.", "Andre.", "Tredje.")) == (0,)
