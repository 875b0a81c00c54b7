"""Words of a search engine are made plain."""

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
        ("<scr<b>ipt>x", "x"),
        ("3 < 5 og 6 > 4", "3 < 5 og 6 > 4"),
        ("<!-- skjult -->synlig", "synlig"),
        ("linje 1\r\nlinje\t2\x00\x1b[31m", "linje 1 linje 2 [31m"),
        ("hus\u00adleie\u200b og \u202emoslas", "husleie og moslas"),
        ("   ", ""),
    ],
)
def test_markup_and_characters_that_cannot_be_seen_are_removed(text: str, expected: str) -> None:
    assert plain(text, 100) == expected


def test_a_long_text_is_cut_and_shows_it() -> None:
    assert plain("depositum " * 100, 20) == "depositum depositum…"


@given(st.text(alphabet=st.sampled_from("<>&;/!abgltmpscript \n\x00\u200b…ø"), max_size=200), st.integers(1, 50))
def test_no_text_leaves_a_tag_a_hidden_character_or_too_much(text: str, limit: int) -> None:
    result = plain(text, limit)
    assert len(result) <= limit
    assert not any(unicodedata.category(c).startswith("C") for c in result)
    assert result == " ".join(result.split())
    assert "<script>" not in result
