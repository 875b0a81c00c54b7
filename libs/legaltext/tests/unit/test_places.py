"""Whether a provision has a place, and the places and chapters that a text names."""

import pytest

from lovsvar_contracts.identifiers import lovdata_url, viewer_path
from lovsvar_contracts.law import Block, BlockKind, LawType, Provision
from lovsvar_legaltext.pinpoints import LAST, Pinpoint, read_pinpoints
from lovsvar_legaltext.places import has_place
from lovsvar_legaltext.written_references import chapters_in, named_in

REFID, SECTION = "lov/2999-01-01-1", "§3-2"


def provision(blocks: tuple[Block, ...], text: str) -> Provision:
    return Provision(
        refid=REFID,
        section=SECTION,
        value="§ 3-2",
        title="Pant",
        act="Båtleieloven",
        document_title="Lov om båtleie",
        law_type=LawType.LOV,
        position=0,
        text=text,
        blocks=blocks,
        content_hash="0",
        tokens=10,
        url=viewer_path(REFID, SECTION),
        lovdata_url=lovdata_url(REFID, SECTION),
        dataset="test",
    )


ITEMS = tuple(Block(kind=BlockKind.LIST_ITEM, text="båten.", label=f"{letter}.") for letter in "ab")
LISTED = provision(
    (
        Block(kind=BlockKind.LEDD, ledd=1, text="Pantet settes på konto. Det er høyst fire uker."),
        Block(kind=BlockKind.LEDD, ledd=2, text="Det dekker", children=ITEMS),
    ),
    "Pantet settes på konto. Det er høyst fire uker.\nDet dekker\na. båten.\nb. båten.",
)
BARE = provision((Block(kind=BlockKind.LEDD, ledd=1, text="Det dekker"),), "Det dekker\na. båten.\nb. årene.")


@pytest.mark.parametrize(
    ("place", "there"),
    [
        (Pinpoint(ledd=2), True),
        (Pinpoint(ledd=3), False),
        (Pinpoint(ledd=LAST), True),
        (Pinpoint(ledd=2, letter="b"), True),
        (Pinpoint(ledd=2, letter="c"), False),
        (Pinpoint(ledd=1, letter="a"), False),
        (Pinpoint(letter="a"), True),
        (Pinpoint(number="2"), True),
        (Pinpoint(number="3"), False),
        (Pinpoint(ledd=1, sentence=2), True),
        (Pinpoint(ledd=1, sentence=5), False),
        (Pinpoint(ledd=1, sentence=LAST), True),
    ],
)
def test_a_place_is_there_when_the_structure_has_it(place: Pinpoint, there: bool) -> None:
    assert has_place(LISTED, place) is there


def test_in_a_text_without_labels_a_line_that_begins_with_one_counts() -> None:
    assert has_place(BARE, Pinpoint(letter="b"))
    assert not has_place(BARE, Pinpoint(letter="c"))
    assert not has_place(BARE, Pinpoint(ledd=2, letter="b"))


@pytest.mark.parametrize(
    ("written", "place"),
    [
        ("tjuende ledd bokstav z", Pinpoint(ledd=20, letter="z")),
        ("tjueførste ledd", Pinpoint(ledd=21)),
        ("trettiandre punktum", Pinpoint(sentence=32)),
        ("second paragraph letter b", Pinpoint(ledd=2, letter="b")),
    ],
)
def test_high_and_english_ordinals_are_read(written: str, place: Pinpoint) -> None:
    assert read_pinpoints(written, 0, article=False) == ((place,), len(written))


@pytest.mark.parametrize(
    ("text", "chapters"),
    [
        ("Se kapittel 99.", [("", "kapittel 99")]),
        ("Se båtleieloven kapittel 2 A.", [("båtleieloven", "kapittel 2A")]),
        ("Se kap. 3 i båtleieloven.", [("båtleieloven", "kapittel 3")]),
        ("See Chapter IV.", [("", "kapittel IV")]),
        ("Kapittelet gjelder båter, og boken har 3 kapitler.", []),
    ],
)
def test_chapters_are_found_with_their_act(text: str, chapters: list) -> None:
    assert [(c.reference.act, c.reference.ledd) for c in chapters_in(text)] == chapters


@pytest.mark.parametrize(
    "text",
    ["§ 3-2 og 1. april 2021", "§ 3-2, 1. april", "§ 3-2, 1.4.2021", "sections 3-2 and 1 May 2021", "§ 3-2 og 12. mai"],
)
def test_a_day_of_a_month_is_no_section(text: str) -> None:
    assert [place.reference.section for place in named_in(text)] == ["3-2"]
