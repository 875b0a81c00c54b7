"""How a document is laid out for reading."""

from typing import Any

from lovsvar_contracts.law import LawType, Provision, ProvisionKind
from lovsvar_gateway.core.document_layout import LEAF, MOST_ROWS, Contents, contents_of, cut_leaves, lay_out


def provision(section: str, *path: str, **more: Any) -> Provision:
    given: dict[str, Any] = {"text": "", "title": "", **more}
    return Provision(
        refid="lov/2999-01-01-1",
        section=section,
        value=section,
        act="",
        document_title="",
        law_type=LawType.LOV,
        path=path,
        position=0,
        content_hash="",
        tokens=0,
        url="",
        lovdata_url="",
        dataset="eksempel",
        **given,
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


def test_leaves_hold_every_provision_once_and_are_of_about_one_size() -> None:
    everything = [provision(f"§{n}", f"Kapittel {n // 10}", text="ord " * 200) for n in range(60)]
    leaves = cut_leaves(lay_out(everything))
    parts = [division for leaf in leaves for division in leaf.divisions]
    assert [p.section for division in parts for p in division.provisions] == [p.section for p in everything]
    assert [h.title for division in parts for h in division.headings] == [f"Kapittel {n}" for n in range(6)]
    sizes = [sum(len(p.text) for d in leaf.divisions for p in d.provisions) for leaf in leaves]
    assert all(LEAF / 4 < size < 1.5 * LEAF for size in sizes)


def test_a_leaf_is_as_high_as_its_text_and_no_higher_than_there_are_styles_for() -> None:
    def rows(length: int) -> int:
        return cut_leaves(lay_out([provision("§1", text="ord " * length)]))[0].rows

    assert 1 <= rows(1) < rows(1_000) < rows(4_000) <= rows(100_000) == MOST_ROWS


def outline(contents: Contents) -> list[Any]:
    own = [p.section for p in contents.provisions]
    return own + [(child.heading.title, outline(child)) for child in contents.children if child.heading]


def test_contents_hold_provisions_below_their_headings() -> None:
    divisions = lay_out([provision("§1"), provision("§2", "Del 1", "Kap 1"), provision("§3", "Del 1"), provision("§4")])
    contents = contents_of(divisions)
    assert outline(contents) == ["§1", "§4", ("Del 1", ["§3", ("Kap 1", ["§2"])])]
    assert contents.links == 6
    assert contents.children[0].span == "§3"


def test_articles_that_are_stored_as_text_are_in_the_contents_of_a_document_without_provisions() -> None:
    article = provision("kap1", "Bog 1", kind=ProvisionKind.TEXT, title="15 Art")
    assert outline(contents_of(lay_out([article]))) == [("Bog 1", ["kap1"])]
    assert outline(contents_of(lay_out([provision("§1"), article]))) == ["§1", ("Bog 1", [])]
