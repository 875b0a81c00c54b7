"""Tables of contents, whole and abbreviated."""

import re
from typing import Any

import pytest

from lovsvar_contracts.tokens import estimate_tokens
from lovsvar_gateway.core.mcp.contents import lay_out


def test_contents_name_every_provision_with_its_tokens_when_there_is_room(outline: Any) -> None:
    contents, text = lay_out(outline(), 10_000)
    assert text.startswith("### Innholdsfortegnelse: Husleieloven\n\n**Totalt:** 12 paragrafer (~1,200 tokens)\n\n")
    assert "  **Kapittel 1. Om noe**\n    - § 1-1: Bestemmelse 1-1 (100 tok)\n" in text
    assert text.count(" (100 tok)") == 12
    assert not contents.truncated


def test_contents_that_are_too_long_show_the_beginning_of_each_chapter_and_what_the_rest_costs(outline: Any) -> None:
    contents, text = lay_out(outline(20, 12), 2_800)
    assert contents.truncated
    assert estimate_tokens(text) < 2_900
    assert "    - *... og 9 flere (900 tok)*" in text
    assert text.count("**Kapittel") == 20
    assert [len(node.provisions) for node in contents.children] == [3] * 20
    assert 'lov("lov/1999-03-26-17", "kapittel …")' in contents.rest
    assert contents.rest in text


def test_one_chapter_is_shown_alone(outline: Any) -> None:
    contents, text = lay_out(outline(20, 12), 1_500, "kap7")
    assert [node.name for node in contents.children] == ["kap7"]
    assert text.count("- § 7-") == 12
    assert "Kapittel 6" not in text


@pytest.mark.parametrize("budget", [200, 300, 600, 1_500])
def test_contents_never_cost_more_than_they_may(outline: Any, budget: int) -> None:
    contents, text = lay_out(outline(60, 12), budget)
    assert estimate_tokens(text) <= budget
    assert contents.truncated
    assert "**Kapittel 1. Om noe**" in text
    assert text.count("**Kapittel") + (int(left[1]) if (left := re.search(r"og (\d+) flere\*", text)) else 0) == 60
    assert len(contents.children) == text.count("**Kapittel")


def test_provisions_outside_divisions_are_counted_where_none_is_shown(outline: Any) -> None:
    flat = outline(1, 200)
    flat = flat.model_copy(update={"children": (), "provisions": flat.children[0].provisions})
    _, text = lay_out(flat, 150)
    assert "*... og 200 flere (20000 tok)*" in text
