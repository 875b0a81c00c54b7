"""Texts and links of items, which anybody may have written."""

import sys
import time
import unicodedata

import pytest

from lovsvar_ingest.core.catalogues.links import LinkRefused, checked_link
from lovsvar_ingest.core.catalogues.texts import clean

HOSTS = ("example.org", "blå.example.net".encode("idna").decode())


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("  To\n linjer\t", "To linjer"),
        ("<p>Hei <b>du</b></p><p>der</p>", "Hei du der"),
        ("&lt;script&gt;alert(1)&lt;/script&gt;Hei", "Hei"),
        ("&amp;lt;b&amp;gt;Fet", "Fet"),
        ("Hei <script>alert(1)", "Hei"),
        ("<img src=x onerror=alert(1)>Hei", "Hei"),
        ("Hei <img src=x", "Hei"),
        ("3 < 5 og 5 > 3 &amp; slik", "3 < 5 og 5 > 3 & slik"),
        ("a\u202eb\u200bc\u2066d\ufeffe\x00f\ud800g\U000e0041h", "abcdefgh"),
        ("co\u00adop", "coop"),
        ("a\u0301", "á"),
        ("a" + "\u0316" * 30, "a\u0316\u0316"),
        ("Se [her](https://evil.test/x) nå", "Se her nå"),
        ("![bilde](javascript:alert(1)) Hei", "bilde Hei"),
        ("Gå til https://evil.test/a?b=c nå.", "Gå til nå."),
        ("Gå til https://www.example.org/a.", "Gå til https://www.example.org/a."),
        ("www.evil.test er fint", "er fint"),
        ("Se www.example.org/a.", "Se https://www.example.org/a."),
        ("javascript:alert(1) data:text/html,x", ""),
        ("Åpent kl. 10:30, tlf.: 22 00 00 00", "Åpent kl. 10:30, tlf.: 22 00 00 00"),
        ("post@example.com", "post@example.com"),
    ],
)
def test_a_text_is_plain(written: str, read: str) -> None:
    assert clean(written, 200, HOSTS) == read


def test_no_character_that_is_not_seen_is_left() -> None:
    hidden = [chr(code) for code in range(sys.maxunicode + 1) if unicodedata.category(chr(code)) in {"Cf", "Cs", "Co"}]
    hidden += [chr(code) for code in range(0xA0) if unicodedata.category(chr(code)) == "Cc" and not chr(code).isspace()]
    assert len(hidden) > 100_000
    assert [f"{ord(c):x}" for c in hidden if clean(f"a{c}b", 10) != "ab"] == []


def test_a_text_has_an_end_at_a_word_and_a_huge_one_is_no_work() -> None:
    assert clean("Ord " * 100, 50) == "Ord Ord Ord Ord Ord Ord Ord Ord Ord Ord Ord Ord…"
    assert len(clean("x" * 100, 50)) == 50
    assert len(clean("<b" * 5_000_000, 50)) <= 50
    assert len(clean("[a](" * 1_000_000, 5_000)) <= 5_000


@pytest.mark.parametrize(
    ("link", "stored"),
    [
        ("https://example.org", "https://example.org"),
        (" https://Example.ORG/Hjelp ", "https://example.org/Hjelp"),
        ("https://www.example.org:443/a?b=c&d=%C3%A6#e", "https://www.example.org/a?b=c&d=%C3%A6#e"),
        ("https://example.org/råd", "https://example.org/r%C3%A5d"),
        ("https://example.org/a)b](c<d>'\"", "https://example.org/a%29b%5D%28c%3Cd%3E%27%22"),
        ("https://blå.example.net/", "https://xn--bl-zia.example.net/"),
        ("https://example.org./a", "https://example.org/a"),
        ("Example.org", "https://example.org"),
        ("www.example.org/a?b", "https://www.example.org/a?b"),
    ],
)
def test_a_link_to_the_catalogues_hosts_has_one_form(link: str, stored: str) -> None:
    assert checked_link(link, HOSTS) == stored


@pytest.mark.parametrize(
    "link",
    [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)//https://example.org",
        "data:text/html,<script>",
        "//example.org/x",
        "/tilbud/1",
        "http://example.org/",
        "ftp://example.org/",
        "https://evil.test/",
        "www.evil.test/",
        "example.org:8443/",
        "evil.test@www.example.org/",
        "javascript:alert(1).example.org",
        "//example.org/",
        "https://example.org.evil.test/",
        "https://evilexample.org/",
        "https://evil.test/?https://example.org/",
        "https://evil.test#https://example.org/",
        "https://example.org@evil.test/",
        "https://user:pass@example.org/",
        "https://example.org\\@evil.test/",
        "https://example.org:8443/",
        "https://example.org:99999/",
        "https://exаmple.org/",  # a Cyrillic а
        "https://xn--exmple-4nf.org/",
        "https://example.org\u200b/",
        "https://example.org/\u202egpj.exe",
        "https://exam\nple.org/",
        "https://[::1]/",
        "https://[example.org/",
        "https://127.0.0.1/",
        "https://2130706433/",
        "https:///example.org",
        "https://",
        "https://example.org/" + "a" * 3_000,
        "https://example。org.evil.test/",
    ],
)
def test_a_link_to_anywhere_else_is_refused_with_a_reason(link: str) -> None:
    with pytest.raises(LinkRefused, match=r"lenken|er ikke blant katalogens verter"):
        checked_link(link, HOSTS)


@pytest.mark.parametrize("hostile", ["[a](x" + " " * 20_000, "<script " * 2_600], ids=["space", "elements"])
def test_a_hostile_text_takes_no_longer_than_its_length(hostile: str) -> None:
    began = time.process_time()
    clean(hostile, 5_000, HOSTS)
    assert time.process_time() - began < 1.0
