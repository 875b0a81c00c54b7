"""Explanations are tied to the text that they explain, and say nothing that it does not."""

import pytest

from lovsvar_contracts.law import Block, BlockKind
from lovsvar_legaltext.explanations import (
    BadExplanations,
    faults,
    ledd_texts,
    parse_explanations,
    text_hash,
)

LAW = "Det kan avtales at leieren skal deponere et beløp på inntil seks måneders leie. Utleieren kan ikke kreve mer."


def ledd(number: int, text: str, *items: str) -> Block:
    children = tuple(Block(kind=BlockKind.LIST_ITEM, label=f"{chr(97 + n)}.", text=t) for n, t in enumerate(items))
    return Block(kind=BlockKind.LEDD, label=f"({number})", ledd=number, text=text, children=children)


def test_a_ledd_has_its_items_and_what_follows_it_without_a_number() -> None:
    after = Block(kind=BlockKind.LIST_ITEM, label="a.", text="følger")
    note = Block(kind=BlockKind.FOOTNOTE, text="note")
    assert ledd_texts([ledd(1, "Regel:", "én", "to"), after, note, ledd(2, "Unntak.")]) == {
        1: "Regel:\na. én\nb. to\na. følger",
        2: "Unntak.",
    }


def test_a_text_keeps_its_hash_when_only_its_white_space_changes() -> None:
    assert text_hash(["En  regel.", "To."]) == text_hash(["En regel.\nTo."]) != text_hash(["En regel. Tre."])


def test_explanations_are_read_by_line() -> None:
    line = '{"refid": "lov/1999-03-26-17", "section": "§3-5", "ledd": [1], "hash": "0", "nb": "Du kan."}'
    [one] = parse_explanations(line)
    assert (one.refid, one.section, one.ledd, one.words) == ("lov/1999-03-26-17", "§3-5", (1,), {"nb": "Du kan."})
    with pytest.raises(BadExplanations, match="line 2"):
        list(parse_explanations(f'{line}\n{{"refid": 1}}'))


def test_an_explanation_without_bokmal_is_refused_since_bokmal_stands_in_for_the_others() -> None:
    line = '{"refid": "lov/1999-03-26-17", "section": "§3-5", "ledd": [1], "hash": "0", "nn": "Du kan."}'
    with pytest.raises(BadExplanations, match="nb"):
        list(parse_explanations(line))


@pytest.mark.parametrize(
    ("words", "language"),
    [
        ("Dere kan avtale et depositum. Det kan være på høyst seks måneders leie.", "nb"),
        ("De kan avtale eit depositum på inntil seks månaders leige.", "nn"),
        ("You can agree on a deposit. It can be up to six months' rent.", "en"),
    ],
)
def test_what_the_law_says_is_no_fault(words: str, language: str) -> None:
    assert faults(words, language, LAW) == []  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("words", "language", "fault"),
    [
        ("Depositumet kan være på ni måneders leie.", "nb", "not in the text: ni måneder"),
        ("Du kan be om 3. Og 4.", "nb", "not in the text: 3"),
        ("Du trenger ikke betale. Du kan si nei. Du kan gå. Du kan le.", "nb", "4 sentences"),
        ("Depositumsavtaler forutsetter skriftlighet", "nb", "LIX"),
        ("Dette følger av fantasiloven.", "nb", "no act has the name fantasiloven"),
        ("Utleigaren kan ikke krevje meir.", "nn", "bokmål: ikke"),
        ("Du kan <b>kreve</b> det.", "nb", "markup"),
    ],
)
def test_what_it_does_not_say_is_found(words: str, language: str, fault: str) -> None:
    assert any(one.startswith(fault) for one in faults(words, language, LAW, acts=["husleieloven"]))  # type: ignore[arg-type]


def test_another_force_is_found() -> None:
    assert faults("Du må betale depositum.", "nb", "Utleieren kan kreve depositum.") == [
        "says “oblige”: Du må betale depositum"
    ]
