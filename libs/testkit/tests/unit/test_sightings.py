"""The search for what must not get out finds it however it is written, and nothing else."""

import base64
import html
import json
from urllib.parse import quote

import pytest

from lovsvar_testkit.personal_data.made_cases import MARK, made_cases, number_of
from lovsvar_testkit.personal_data.sightings import Kind, Secret, Watch

NAME, SHORT = Secret(Kind.NAME, "Nordmann"), Secret(Kind.NAME, "Bø")
PHONE, BIRTH = Secret(Kind.NUMBER, "41234567"), Secret(Kind.NUMBER, "15108695088")
IBAN, ORGANISATION = Secret(Kind.NUMBER, "NO9386011117947"), Secret(Kind.NUMBER, "974760673")
MAIL, ADDRESS = Secret(Kind.MAIL, "kari12@firma.example"), Secret(Kind.ADDRESS, "Karl Johans gate 345")
COMPANY = Secret(Kind.COMPANY, "Nordlys Utleie")
WATCH = Watch((NAME, SHORT, PHONE, BIRTH, IBAN, ORGANISATION, MAIL, ADDRESS, COMPANY))

TEXTS = [
    ("Kari Nordmanns krav", NAME),
    ("NORDMANN", NAME),
    ("nordmannfamilien", NAME),
    ("Nord-\nmann", NAME),
    ("Nord- mann", NAME),
    ("Nord\nmann", NAME),
    ("Jon Bø sa", SHORT),
    ("tlf 41 23 45 67", PHONE),
    ("tlf412 34 567.", PHONE),
    ("+4741234567", PHONE),
    ("00 47 41-23-45-67", PHONE),
    ("41 23\n45 67", PHONE),
    ("151086 95088", BIRTH),
    ("15.10.86-95088", BIRTH),
    ("no93 8601 1117 947", IBAN),
    ("NO 974 760 673 MVA", ORGANISATION),
    ("Kari12 (at) firma.example", MAIL),
    ("KARL JOHANS\nGATE 345 B", ADDRESS),
    ("Nordlys\nUtleie AS", COMPANY),
]
WAYS = {
    "as it is": str.encode,
    "in JSON": lambda text: json.dumps({"a": text}).encode(),
    "in JSON in JSON": lambda text: json.dumps(json.dumps([text])).encode(),
    "in an address": lambda text: f"/a?b={quote(text)}".encode(),
    "in HTML": lambda text: html.escape(text).replace("\n", "&#10;").replace("ø", "&oslash;").encode(),
    "in base64": lambda text: base64.b64encode(f"Her er det: {text}, og så mer.".encode()),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("text", "secret"), TEXTS)
def test_a_secret_is_seen_however_it_is_written(text: str, secret: Secret, way: str) -> None:
    assert secret in WATCH.sightings(WAYS[way](text))


@pytest.mark.parametrize("secret", [NAME, PHONE, BIRTH])
def test_a_secret_is_seen_among_bytes_that_are_no_text(secret: Secret) -> None:
    assert WATCH.sightings(b"\xff\x00\xfe" + secret.value.encode() + b"\x00\x80\xff") == {secret}


@pytest.mark.parametrize(
    "text",
    [
        "{{party0.lastName}} bøyde seg, mannen kom fra nord",
        "2041-23-45T06:07:41.234567Z",
        "a41234567bc41234567de41234567fa0",
        "12.41234567",
        "Karl Johans gate 34",
        base64.b64encode(bytes(range(256)) * 9).decode(),
        "",
    ],
)
def test_what_only_looks_like_a_secret_is_none(text: str) -> None:
    assert WATCH.sightings(text.encode()) == set()


def test_made_cases_hold_all_that_is_looked_for_in_them_and_say_whose_they_are() -> None:
    for made in made_cases(40):
        texts = "\n".join((made.title, made.description, made.message, made.second, made.issue, made.letter))
        names = {one for one in made.wanted if one.kind in {Kind.NAME, Kind.COMPANY}}
        assert len(Watch(made.secrets).sightings(texts.encode())) > 20
        assert len(names) >= 4
        assert {number_of(mark[1]) for mark in MARK.finditer(texts)} == {made.number}
        assert all(one.content for one in made.documents)


def test_where_a_reply_is_sent_holds_no_name() -> None:
    assert WATCH.sightings("_INBOX.gateway.7lROfwYPNkf.TTk3Bø3a\nto: _INBOX.7.Nordmann".encode()) == set()
    assert WATCH.sightings(b"_INBOX.gateway.7lR Nordmann") == {NAME}
