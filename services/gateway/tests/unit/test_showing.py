"""How a provision is shown: anchors, marked quotes, links, and nothing that is not escaped."""

from typing import Any

from lovsvar_contracts.law import Block, BlockKind, LawType, Provision
from lovsvar_gateway.core.document_view import find_quote, show_provision

TEXT = "(1) Leien er\na. fem kroner, og\nb. syv kroner etter § 3.\n(2) Leien er <fri>."


def provision(**more: Any) -> Provision:
    items = (
        Block(kind=BlockKind.LIST_ITEM, label="a.", text="fem kroner, og"),
        Block(kind=BlockKind.LIST_ITEM, label="b.", text="syv kroner etter § 3."),
    )
    blocks = (
        Block(kind=BlockKind.LEDD, label="(1)", ledd=1, text="Leien er", children=items),
        Block(kind=BlockKind.LEDD, label="(2)", ledd=2, text="Leien er <fri>."),
    )
    given: dict[str, Any] = {"blocks": blocks, "text": TEXT, **more}
    return Provision(
        refid="lov/2999-01-01-1",
        section="§2",
        value="§ 2",
        title="",
        act="",
        document_title="",
        law_type=LawType.LOV,
        position=0,
        content_hash="",
        tokens=0,
        url="",
        lovdata_url="",
        dataset="eksempel",
        **given,
    )


def test_each_ledd_has_an_anchor_and_text_is_escaped() -> None:
    first, second = show_provision(provision())
    assert (first.anchor, second.anchor) == ("§2/ledd/1", "§2/ledd/2")
    assert second.words.endswith("Leien er &lt;fri&gt;.")
    assert [child.anchor for child in first.children] == ["", ""]


def test_a_quote_is_marked_in_every_block_that_it_runs_through_and_nowhere_else() -> None:
    at = find_quote(provision(), "kroner, og b. syv kroner")
    first, second = show_provision(provision(), at)
    assert "<mark" not in first.words
    assert first.children[0].words.endswith('fem <mark id="sitert">kroner, og</mark>')
    assert "<mark>syv kroner</mark>" in first.children[1].words
    assert "<mark" not in second.words


def test_words_that_stand_twice_are_marked_where_the_quote_is() -> None:
    first, second = show_provision(provision(), find_quote(provision(), "Leien er <fri>"))
    assert "<mark" not in first.words
    assert '<mark id="sitert">Leien er &lt;fri&gt;</mark>.' in second.words


def test_a_mark_and_a_link_may_cross() -> None:
    shown = show_provision(provision(), find_quote(provision(), "etter §"), {"§3": "§3"})
    words = shown[0].children[1].words
    assert words.endswith(
        '<mark id="sitert">etter </mark><mark><a href="#%C2%A73">§</a></mark><a href="#%C2%A73"> 3</a>.'
    )


def test_a_quote_is_found_whatever_its_white_space_and_case_and_not_when_it_differs() -> None:
    assert find_quote(provision(), "leien  er\na.") == (4, 15)
    for other in ("Leien er b.", "", "(((", "ti kroner"):
        assert find_quote(provision(), other) is None


def test_a_provision_without_blocks_is_shown_by_its_lines() -> None:
    shown = show_provision(provision(blocks=()), find_quote(provision(), "fem kroner"))
    assert [str(s.words) for s in shown][1] == 'a. <mark id="sitert">fem kroner</mark>, og'
