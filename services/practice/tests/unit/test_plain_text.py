"""Words of a search engine are made plain."""

import re
import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lovsvar_practice.core.plain_text import plain


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Retten fant at <b>depositum</b> var for høyt", "Retten fant at depositum var for høyt"),
        ("A &amp; B mot C", "A & B mot C"),
        ("&lt;script&gt;x&lt;/script&gt;y", "xy"),
        ("<scr<b>ipt>x", "ipt>x"),
        ("<<b>script>x", "x"),
        ("<b<3 onclick=x>y", "y"),
        ("3 < 5 og 6 > 4", "3 < 5 og 6 > 4"),
        ("<!-- skjult -->synlig", "synlig"),
        ("linje 1\r\nlinje\t2\x00\x1b[31m", "linje 1 linje 2 [31m"),
        ("hus\u00adleie\u200b og \u202emoslas", "husleie og moslas"),
        ("   ", ""),
        ("&amp;lt;script&amp;gt;x", "x"),
        ("<\u200bscript>x", "x"),
        ("<scr\u00adipt>x", "x"),
        ("<img src=x onerror=alert(1) ", ""),
        ("x<img src=x <b>onerror=y>z", "xonerror=y>z"),
        ("<?php echo 1 ?>x", "x"),
        ("hei\U000e0041\U000e0100\ufe0f du", "hei du"),
        ("§ 3-5 «sitat» – æøå", "§ 3-5 «sitat» – æøå"),
        ("&#60;script&#x3e;x", "x"),
        ("Se [her](https://evil.example)", "Se [her](https://evil.example)"),
    ],
)
def test_markup_and_characters_that_cannot_be_seen_are_removed(text: str, expected: str) -> None:
    assert plain(text, 100) == expected


def test_a_long_text_is_cut_and_shows_it() -> None:
    assert plain("depositum " * 100, 20) == "depositum depositum…"


@pytest.mark.parametrize("text", ["&amp;" * 250_000, "<" * 1_000_000, "&" + "amp;" * 250_000, "<<b>b>" * 150_000])
def test_a_huge_text_is_not_read_to_its_end(text: str) -> None:
    began = time.process_time()
    assert len(plain(text, 500)) <= 500
    assert time.process_time() - began < 2


@given(st.text(alphabet=st.sampled_from("<>&;/!abgltmpscript \n\x00\u200b…ø"), max_size=200), st.integers(1, 100))
def test_no_text_leaves_a_tag_a_hidden_character_or_too_much(text: str, limit: int) -> None:
    result = plain(text, limit)
    assert len(result) <= limit
    assert not any(unicodedata.category(c).startswith("C") for c in result)
    assert result == " ".join(result.split())
    assert not re.search("</?[a-z!?]", result)
