"""How a provision is shown: anchors, marked quotes, links, and nothing that is not escaped."""

from typing import Any

from lovsvar_contracts.law import Block, BlockKind, LawType, Provision
from lovsvar_gateway.core.defined_terms import read_terms
from lovsvar_gateway.core.document_view import find_quote, is_headed, show_provision

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


def plain(text: str, position: int, **more: Any) -> Provision:
    ledd = Block(kind=BlockKind.LEDD, ledd=1, text=text)
    return provision(text=text, blocks=(ledd,)).model_copy(update={"position": position, **more})


def test_a_term_leads_to_its_definition_where_it_is_first_used_and_not_in_the_definition() -> None:
    defining = plain('Med bolig menes i denne loven husrom som "brukes" til å bo i.', 0, section="§1")
    using = plain("Boligen og en bolig, men ikke boligblokk.", 1)
    terms = read_terms([defining, using])
    meaning = "Med bolig menes i denne loven husrom som &#34;brukes&#34; til å bo i."
    assert show_provision(using, terms=terms)[0].words == (
        f'<a class="term" href="#%C2%A71" title="{meaning}">Boligen</a> og en bolig, men ikke boligblokk.'
    )
    assert "<a" not in show_provision(defining, terms=terms)[0].words


def test_terms_that_are_defined_for_a_part_alone_or_twice_are_left_alone() -> None:
    narrow = plain("Med konsern menes i denne paragrafen flere foretak.", 0)
    twice = [plain(f"Med bolig menes i denne loven hus nr. {n}.", n) for n in (1, 2)]
    using = plain("En bolig i et konsern.", 3)
    assert show_provision(using, terms=read_terms([narrow, *twice]))[0].words == "En bolig i et konsern."


def test_a_term_inside_a_link_or_a_mark_harms_neither() -> None:
    defining = plain("Med leie menes i denne loven betaling.", 0, section="§1")
    using = plain("Om leie, se § 3.", 1)
    shown = show_provision(using, find_quote(using, "leie, se"), {"§3": "§3"}, read_terms([defining]))
    assert '<mark id="sitert"><a class="term"' in shown[0].words
    assert shown[0].words.endswith('<mark>, se</mark> <a href="#%C2%A73">§ 3</a>.')


def test_an_item_has_one_sign_before_it() -> None:
    items = [
        Block(kind=BlockKind.LIST_ITEM, label="-", text="en"),
        Block(kind=BlockKind.LIST_ITEM, text="to"),
        Block(kind=BlockKind.LIST_ITEM, text="– tre"),
    ]
    shown = show_provision(provision(blocks=items, text="- en\nto\n– tre"))
    assert [one.words for one in shown] == [
        '<span class="label">– </span>en',
        '<span class="label">• </span>to',
        "– tre",
    ]


def table(*rows: tuple[str, ...]) -> Block:
    cells = [tuple(Block(kind=BlockKind.CELL, text=text) for text in row) for row in rows]
    return Block(kind=BlockKind.TABLE, children=tuple(Block(kind=BlockKind.ROW, children=row) for row in cells))


def test_a_table_is_headed_by_words_above_figures() -> None:
    assert is_headed(table(("Lengde", "Kvote"), ("0–10 m", "3"), ("over", "4")))
    for other in (
        table(("A", "Godt"), ("B", "Dårlig")),
        table(("1", "2"), ("3", "4")),
        table(("Lengde", "3")),
        table(),
    ):
        assert not is_headed(other)
