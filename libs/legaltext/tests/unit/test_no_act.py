"""Words before a section that name no act."""

import pytest

from lovsvar_contracts.law import LawType
from lovsvar_legaltext.act_names import ActNames
from lovsvar_legaltext.no_act import act_before
from lovsvar_legaltext.references import find_references


@pytest.mark.parametrize(
    ("before", "name", "law_type"),
    [
        ("Etter tulleloven ", "tulleloven", None),
        ("Etter tullel. ", "tullel.", None),
        ("Det følger av ", "", None),
        ("jf. ", "", None),
        ("Jf.", "", None),
        ("loven ", "", LawType.LOV),
        ("lovens ", "", LawType.LOV),
        ("Forskriften ", "", LawType.FORSKRIFT),
        ("", "", None),
        ("Det er slik: ", "", None),
    ],
)
def test_a_provision_without_an_act_is_known_from_one_of_an_unknown_act(
    before: str, name: str, law_type: LawType | None
) -> None:
    assert act_before(f"{before}§ 5", len(before)) == (name, law_type)


def test_the_law_and_the_regulation_of_a_text_are_those_that_it_named(names: ActNames) -> None:
    found = find_references("loven § 5, forskriften § 5 og jf. § 5", names)
    assert [(one.act_text, one.law_type) for one in found] == [
        ("", LawType.LOV),
        ("", LawType.FORSKRIFT),
        ("", None),
    ]


def test_a_section_without_an_act_is_one_reference_until_another_act_is_named(names: ActNames) -> None:
    text = "husleieloven, se § 5, jf. § 5. straffeloven, se § 5"
    assert [one.text for one in find_references(text, names)] == ["husleieloven", "§ 5", "straffeloven", "§ 5"]


def test_an_amount_that_is_listed_with_sections_is_none(names: ActNames) -> None:
    found = find_references("husleieloven §§ 3-1 og 14 dager, 3 og 20 prosent", names)
    assert [one.sections[0] for one in found] == ["§3-1"]
    assert len(find_references("husleieloven §§ 3 og 14", names)) == 2
