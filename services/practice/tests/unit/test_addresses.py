"""Which addresses are practice at Lovdata."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lovsvar_practice.core.addresses import is_practice

PATHS = ("/avgjørelser/", "/trygderetten/")


@pytest.mark.parametrize(
    "url",
    [
        "https://lovdata.no/avgjørelser/hr-2020-1",
        "https://www.lovdata.no/trygderetten/2019/7?q=a#b",
        "https://LOVDATA.no/Trygderetten/1",
        "https://lovdata.no/trygderetten/",
        "https://lovdata.no/avgjørelser/2020/hr-2020-1-a.html",
        "https://lovdata.no/avgj%C3%B8relser/hr-2020-1",
        "https://lovdata.no/avgj%c3%b8relser/",
    ],
)
def test_a_decision_at_lovdata_is_let_through(url: str) -> None:
    assert is_practice(url, PATHS)


@pytest.mark.parametrize(
    "url",
    [
        pytest.param("http://lovdata.no/trygderetten/1", id="not encrypted"),
        pytest.param("javascript:alert(1)//lovdata.no/trygderetten/", id="script"),
        pytest.param("//lovdata.no/trygderetten/1", id="no scheme"),
        pytest.param("https:/lovdata.no/trygderetten/1", id="no authority"),
        pytest.param("", id="empty"),
        pytest.param("https://lovdata.no@evil.example/trygderetten/1", id="host as a user"),
        pytest.param("https://evil.example@lovdata.no/trygderetten/1", id="user"),
        pytest.param("https://:secret@lovdata.no/trygderetten/1", id="password"),
        pytest.param("https://lovdata.no:8443/trygderetten/1", id="port"),
        pytest.param("https://lovdata.no:443/trygderetten/1", id="the usual port, written out"),
        pytest.param("https://lovdata.no:/trygderetten/1", id="empty port"),
        pytest.param("https://lovdata.no.evil.example/trygderetten/1", id="longer host"),
        pytest.param("https://evil-lovdata.no/trygderetten/1", id="host that ends alike"),
        pytest.param("https://api.lovdata.no/trygderetten/1", id="another host of Lovdata's"),
        pytest.param("https://lovdata.no./trygderetten/1", id="host with a dot behind"),
        pytest.param("https://lovdata.nо/trygderetten/1", id="Cyrillic letter in the host"),
        pytest.param("https://ｌovdata.no/trygderetten/1", id="full-width letter in the host"),
        pytest.param("https://lovdata%2eno/trygderetten/1", id="percent-encoded host"),
        pytest.param("https://lovdata.no\\@evil.example/trygderetten/1", id="backslash before a user"),
        pytest.param("https:\\\\lovdata.no\\trygderetten\\1", id="backslashes for slashes"),
        pytest.param("https://lovdata.no/trygderetten/\\..\\..\\x", id="backslash in the path"),
        pytest.param("https://lovdata.no/trygderetten/../annet", id="dot segments"),
        pytest.param("https://lovdata.no/trygderetten/%2e%2e/annet", id="encoded dot segments"),
        pytest.param("https://lovdata.no/annet%2ftrygderetten%2f1", id="encoded slashes"),
        pytest.param("https://lovdata.no/trygderetten/%5c..", id="encoded backslash"),
        pytest.param("https://lovdata.no/trygderetten/%252e%252e/annet", id="encoded twice"),
        pytest.param("https://lovdata.no/trygderetten/%00", id="encoded nought"),
        pytest.param("https://lovdata.no/trygderetten/%0aX", id="encoded line break"),
        pytest.param("https://lovdata.no/trygderetten/%ff", id="not UTF-8"),
        pytest.param("https://lovdata.no/trygde\nretten/1", id="line break"),
        pytest.param("https://lovdata.no/trygderetten/1\t", id="tab"),
        pytest.param(" https://lovdata.no/trygderetten/1", id="space before"),
        pytest.param("https://lovdata.no/trygderetten/\u202e1", id="text turned round"),
        pytest.param("https://[lovdata.no/trygderetten/1", id="broken bracket"),
        pytest.param("https://lovdata.no/lov/1999-03-26-17", id="a statute"),
        pytest.param("https://lovdata.no/trygderetten", id="the folder's own page, without the slash"),
        pytest.param("https://lovdata.no/trygderettenes/1", id="a longer folder name"),
        pytest.param("https://lovdata.no/annet/trygderetten/1", id="the folder further down"),
        pytest.param("https://lovdata.no//trygderetten/1", id="an empty folder before it"),
        pytest.param("https://lovdata.no//evil.example/trygderetten/1", id="another host as a path"),
        pytest.param("https://lovdata.no/https://evil.example/trygderetten/1", id="another address as a path"),
        pytest.param("https://lovdata.no/trygderetten/./1", id="single dot segment"),
        pytest.param("https://lovdata.no/trygderetten/..", id="dot segments at the end"),
        pytest.param("https://lovdata.no/trygderetten/..;/annet", id="dot segments with a parameter"),
        pytest.param("https://lovdata.no/trygderetten/.%2e/annet", id="half encoded dot segments"),
        pytest.param("https://lovdata.no/trygderetten/．．/annet", id="full-width dots"),
        pytest.param("https://lovdata.no/trygderetten/%EF%BC%8E%EF%BC%8E/annet", id="encoded full-width dots"),
        pytest.param("https://lovdata.no/trygderetten／1", id="full-width slash"),
        pytest.param("https://lovdata.no/ｔrygderetten/1", id="full-width letter in the path"),
        pytest.param("https://lovdata.no/trygderetten/\u200b1", id="character without width"),
        pytest.param("https://lovdata.no/trygderetten/%E2%80%AE1", id="encoded turning of text"),
        pytest.param("https://lovdata.no/trygderetten/%20/1", id="encoded space"),
        pytest.param("https://lovdata.no/trygderetten/%c0%ae%c0%ae/annet", id="overlong encoding of dots"),
        pytest.param("https://lovdata.no/trygderetten/%u002e%u002e/annet", id="encoding of no standard"),
        pytest.param('https://lovdata.no/trygderetten/"onclick=x', id="quotation mark"),
        pytest.param("https://lovdata.no/trygderetten/%22onclick=x", id="encoded quotation mark"),
        pytest.param("https://lovdata.no/trygderetten/?q=<script>", id="markup in the query"),
        pytest.param("https://lovdata.no/trygderetten/#`x`", id="backtick in the fragment"),
        pytest.param("https://lovdata.no/trygderetten/" + "a" * 2_000, id="too long"),
        pytest.param("https://lovdata.no%00.evil.example/trygderetten/1", id="encoded nought in the host"),
        pytest.param("https://lovdata.no%2f@evil.example/trygderetten/1", id="encoded slash in the host"),
        pytest.param("https://lovdata.no#@evil.example/trygderetten/1", id="fragment before a user"),
        pytest.param("https://lovdata.no?@evil.example/trygderetten/1", id="query before a user"),
        pytest.param("https://lovdata.no;.evil.example/trygderetten/1", id="semicolon in the host"),
        pytest.param("https://lovdata.no,evil.example/trygderetten/1", id="two hosts"),
        pytest.param("https://lovdata。no/trygderetten/1", id="ideographic full stop in the host"),
        pytest.param("https://xn--lvdata-3ya.no/trygderetten/1", id="punycode"),
        pytest.param("https://Iovdata.no/trygderetten/1", id="capital i for l"),
        pytest.param("https://1ovdata.no/trygderetten/1", id="one for l"),
        pytest.param("https://lovdata.n0/trygderetten/1", id="nought for o"),
        pytest.param("https://lovdata.com/trygderetten/1", id="another country"),
        pytest.param("https://www.www.lovdata.no/trygderetten/1", id="www twice"),
        pytest.param("https://[::1]/trygderetten/1", id="loopback"),
        pytest.param("https://evil.example/https://lovdata.no/trygderetten/1", id="Lovdata in another's path"),
        pytest.param("https://www.google.com/url?q=https://lovdata.no/trygderetten/1", id="a search engine's link"),
        pytest.param("https://webcache.example/lovdata.no/trygderetten/1", id="a copy elsewhere"),
        pytest.param("data:text/html,//lovdata.no/trygderetten/", id="data"),
        pytest.param("ftp://lovdata.no/trygderetten/1", id="another protocol"),
        pytest.param("view-source:https://lovdata.no/trygderetten/1", id="a browser's own scheme"),
        pytest.param("https:lovdata.no/trygderetten/1", id="no slashes"),
        pytest.param("https:///lovdata.no/trygderetten/1", id="three slashes"),
        pytest.param("ｈttps://lovdata.no/trygderetten/1", id="full-width letter in the scheme"),
        pytest.param("https://lovdata.no/lov?x=/trygderetten/", id="the folder in the query alone"),
        pytest.param("https://lovdata.no/lov#/trygderetten/", id="the folder in the fragment alone"),
    ],
)
def test_any_other_address_is_dropped(url: str) -> None:
    assert not is_practice(url, PATHS)


@given(st.text(max_size=60))
def test_no_text_makes_the_check_itself_fail(text: str) -> None:
    for url in (text, f"https://{text}", f"https://lovdata.no{text}", f"https://lovdata.no/trygderetten/{text}"):
        assert is_practice(url, PATHS) in {True, False}


@given(st.text(max_size=40), st.text(max_size=40))
def test_no_text_before_or_behind_makes_another_host_pass(before: str, behind: str) -> None:
    assert not is_practice(f"https://{before}evil.example{behind}/trygderetten/1", PATHS)
