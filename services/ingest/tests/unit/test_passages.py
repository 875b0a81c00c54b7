"""Cutting sections into passages."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lovsvar_contracts.law import BlockKind
from lovsvar_ingest.core.corpus import Block, plain_text
from lovsvar_ingest.core.passages import (
    LONGEST,
    LONGEST_ACT,
    LONGEST_CHAPTER,
    LONGEST_CONTEXT,
    SectionText,
    cut_section,
)

CONTEXT = "Prøveloven § 1. Om prøver"


def section(blocks: Sequence[Block], **fields: Any) -> SectionText:
    values = {"refid": "lov/1", "section_key": "§1", "act": "Prøveloven", "value": "§ 1.", "title": "Om prøver"}
    return SectionText(**{**values, **fields}, blocks=json.dumps([block.as_json() for block in blocks]))


def ledd(number: int, text: str, children: Sequence[Block] = ()) -> Block:
    return Block(BlockKind.LEDD, text, ledd=number, children=list(children))


def item(label: str, text: str) -> Block:
    return Block(BlockKind.LIST_ITEM, text, label)


def sentences(count: int, length: int = 60) -> str:
    return " ".join(f"{'Setning nummer':<{length - 6}}{n:03}." for n in range(count))


def test_a_short_provision_is_one_passage_with_its_act_and_heading_in_front() -> None:
    [passage] = cut_section(section([ledd(1, "Første."), ledd(2, "Andre.")]))
    assert (passage.number, passage.ledd) == (0, None)
    assert passage.text == f"{CONTEXT}\nFørste.\nAndre."


@pytest.mark.parametrize(
    ("heading", "named"),
    [
        ("Kapittel 3 A. Leie", "Leie"),
        ("Del II. Leie av bolig", "Leie av bolig"),
        ("IV. Leie", "Leie"),
        ("Leie i bolig", "Leie i bolig"),
        ("I hvilke tilfeller", "I hvilke tilfeller"),
        ("Kap 9 Leie", "Leie"),
    ],
)
def test_the_line_in_front_says_what_the_innermost_chapter_is_about(heading: str, named: str) -> None:
    [passage] = cut_section(section([ledd(1, "Første.")], path=("Første del", heading)))
    assert passage.text == f"Prøveloven – {named} § 1. Om prøver\nFørste."


def test_a_provision_is_whole_up_to_the_limit_and_no_further() -> None:
    room = LONGEST - len(CONTEXT) - 1
    assert len(cut_section(section([ledd(1, "x" * (room - 2)), ledd(2, "y")]))) == 1
    assert len(cut_section(section([ledd(1, "x" * (room - 1)), ledd(2, "y")]))) == 2


def test_a_long_provision_is_cut_by_ledd_each_with_act_and_heading() -> None:
    passages = cut_section(section([ledd(n, sentences(9)) for n in (1, 2, 3)]))
    assert [(p.number, p.ledd) for p in passages] == [(0, 1), (1, 2), (2, 3)]
    assert all(p.text == f"{CONTEXT}\n{sentences(9)}" for p in passages)


def test_text_between_ledd_is_a_passage_without_a_ledd() -> None:
    table = Block(BlockKind.TABLE, children=[Block(BlockKind.ROW, children=[Block(BlockKind.CELL, "celle")])])
    passages = cut_section(section([ledd(1, sentences(20)), table, Block(BlockKind.PARAGRAPH, "Slutt.")]))
    assert [p.ledd for p in passages] == [1, 1, None]
    assert passages[-1].text == f"{CONTEXT}\ncelle\nSlutt."


def test_a_long_ledd_is_cut_between_list_items_and_says_of_what_they_are_items() -> None:
    items = [item(f"{n}.", f"punkt {n} {'x' * 300}") for n in range(1, 7)]
    passages = cut_section(section([ledd(1, "Arbeidsgiver skal", items)]))
    assert [p.ledd for p in passages] == [1, 1]
    for passage in passages:
        assert passage.text.startswith(f"{CONTEXT}\nArbeidsgiver skal\n")
    assert [n for p in passages for n in range(1, 7) if f"\n{n}. punkt {n} " in p.text] == [1, 2, 3, 4, 5, 6]


def test_a_long_sentence_sequence_is_cut_between_sentences() -> None:
    passages = cut_section(section([ledd(1, sentences(50))]))
    assert len(passages) == 3
    assert all(p.text.endswith(".") for p in passages)


def test_a_long_sentence_is_cut_between_words_and_a_long_word_anywhere() -> None:
    text = " ".join(["ord"] * 500) + " " + "z" * 3_000
    passages = cut_section(section([ledd(1, text)]))
    bodies = [p.text.removeprefix(f"{CONTEXT}\n") for p in passages]
    assert "".join(bodies).replace("\n", "").replace(" ", "") == text.replace(" ", "")
    assert all(word == "ord" or set(word) == {"z"} for body in bodies for word in body.split())


@pytest.mark.parametrize("blocks", [[], [Block(BlockKind.PARAGRAPH)]])
def test_a_section_without_text_has_no_passage(blocks: Sequence[Block]) -> None:
    assert cut_section(section(blocks)) == ()


def test_the_context_is_cut_when_names_are_long() -> None:
    long = "om " + "x" * 900
    [passage] = cut_section(section([ledd(1, "Regel.")], act=long, path=(long,), title=long))
    context, text = passage.text.split("\n")
    assert (len(context), context[-1], text) == (LONGEST_CONTEXT, "…", "Regel.")
    act, _, rest = context.partition(" – ")
    assert (len(act), act[-1]) == (LONGEST_ACT, "…")
    assert rest[: LONGEST_CHAPTER + 1].endswith("… ")


def test_equal_texts_have_equal_hashes_whichever_section_they_are_of() -> None:
    one, other = (cut_section(section([ledd(1, "Regel.")], refid=refid)) for refid in ("lov/1", "lov/2"))
    changed = cut_section(section([ledd(1, "Regel.")], act="En annen lov"))
    assert one[0].content_hash == other[0].content_hash != changed[0].content_hash


words = st.text(alphabet="abæ§.;: 123", min_size=1, max_size=700)
blocks_of_law = st.lists(
    st.builds(
        lambda n, text, items: Block(BlockKind.LEDD if n else BlockKind.PARAGRAPH, text, ledd=n, children=items),
        st.one_of(st.none(), st.integers(1, 9)),
        words,
        st.lists(st.builds(lambda text: item("a.", text), words), max_size=5),
    ),
    max_size=6,
)


@given(blocks_of_law)
def test_nothing_is_lost_and_no_passage_is_too_long(blocks: list[Block]) -> None:
    passages = cut_section(section(blocks))
    assert all(len(p.text) <= LONGEST for p in passages)
    assert [p.number for p in passages] == list(range(len(passages)))
    rest = iter("".join("".join(p.text.split("\n", 1)[1].split()) for p in passages))
    # What a piece repeats of its opening line comes on top: the law's own text is in the passages, in order.
    assert all(letter in rest for letter in "".join(plain_text(blocks).split()))
