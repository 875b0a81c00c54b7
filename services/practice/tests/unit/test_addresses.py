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
        "https://LOVDATA.no/register/Trygderetten/1",
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
        pytest.param("https://lovdata.no/lov?x=/trygderetten/", id="the folder in the query alone"),
        pytest.param("https://lovdata.no/lov#/trygderetten/", id="the folder in the fragment alone"),
    ],
)
def test_any_other_address_is_dropped(url: str) -> None:
    assert not is_practice(url, PATHS)


@given(st.text(max_size=40), st.text(max_size=40))
def test_no_text_before_or_behind_makes_another_host_pass(before: str, behind: str) -> None:
    assert not is_practice(f"https://{before}evil.example{behind}/trygderetten/1", PATHS)
