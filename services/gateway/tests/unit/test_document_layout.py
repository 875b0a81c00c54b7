"""How a document is laid out for reading."""

from lovsvar_contracts.law import LawType, Provision
from lovsvar_gateway.core.document_view import lay_out


def provision(section: str, *path: str) -> Provision:
    return Provision(
        refid="lov/2999-01-01-1",
        section=section,
        value=section,
        title="",
        act="",
        document_title="",
        law_type=LawType.LOV,
        path=path,
        position=0,
        text="",
        content_hash="",
        tokens=0,
        url="",
        lovdata_url="",
        dataset="eksempel",
    )


def headings(*provisions: Provision) -> list[list[tuple[int, str]]]:
    return [[(h.level, h.title) for h in d.headings] for d in lay_out(provisions)]


def test_a_heading_stands_once_above_the_first_provision_below_it() -> None:
    assert headings(
        provision("§1", "Del 1", "Kapittel 1"),
        provision("§2", "Del 1", "Kapittel 1"),
        provision("§3", "Del 1", "Kap. 2"),
    ) == [[(0, "Del 1"), (1, "Kapittel 1")], [(1, "Kap. 2")]]


def test_a_chapter_of_the_same_name_in_another_part_has_its_heading_again() -> None:
    assert headings(provision("§1", "Del 1", "Kapittel 1"), provision("§2", "Del 2", "Kapittel 1")) == [
        [(0, "Del 1"), (1, "Kapittel 1")],
        [(0, "Del 2"), (1, "Kapittel 1")],
    ]


def test_provisions_outside_any_division_have_no_heading() -> None:
    assert headings(provision("§1"), provision("§2", "Kapittel 1"), provision("§3")) == [[], [(0, "Kapittel 1")], []]


def test_anchors_are_unique() -> None:
    divisions = lay_out([provision("§1", "A", "B"), provision("§2", "A", "C"), provision("§3", "D", "B")])
    anchors = [h.anchor for d in divisions for h in d.headings]
    assert len(anchors) == len(set(anchors)) == 5
