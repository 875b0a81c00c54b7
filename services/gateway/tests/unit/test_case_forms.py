"""What the forms of the pages of cases say, and files that forms send."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from lovsvar_contracts.case_details import PartyKind
from lovsvar_gateway.core.case_forms import draft_of, party_of, updates_of
from lovsvar_gateway.core.errors import FormIncomplete
from lovsvar_gateway.http_guards import MAX_BODY, MAX_DRAFT, MAX_UPLOAD, bounds_of
from lovsvar_gateway.pages import Phrases
from lovsvar_gateway.routes.case_pages.frame import once_of, version_of
from lovsvar_gateway.uploads import Upload

FACT = {"fact": "Jeg flyttet.", "timestamp": "mai", "source": ""}


@pytest.mark.parametrize(
    ("given", "updates"),
    [
        ({"do": "summarise", "summary": " Kort. "}, {"summary.current": "Kort."}),
        (
            {"do": "add", "list": "facts", **FACT},
            {"facts": [{"fact": "Jeg flyttet.", "timestamp": "mai", "source": None}]},
        ),
        (
            {"do": "change", "list": "facts", "place": "2", "fact": "x"},
            {"facts.2": {"fact": "x", "timestamp": None, "source": None}},
        ),
        ({"do": "change", "list": "objectives", "place": "0", "words": "Ro"}, {"objectives.0": "Ro"}),
        ({"do": "remove", "list": "internal_notes", "place": "1"}, {"internal_notes.1": None}),
    ],
)
def test_a_form_about_details_is_an_update_by_dot_notation(given: dict[str, str], updates: dict[str, Any]) -> None:
    assert updates_of(given) == updates


@pytest.mark.parametrize(
    ("given", "phrase"),
    [
        ({}, "case_form_unknown"),
        ({"do": "add", "list": "case_processing_state", "words": "x"}, "case_form_unknown"),
        ({"do": "remove", "list": "facts", "place": "0.fact"}, "case_form_unknown"),
        ({"do": "remove", "list": "facts", "place": "²"}, "case_form_unknown"),
        ({"do": "add", "list": "facts", "fact": " \x00 "}, "case_words_missing"),
    ],
)
def test_a_form_that_lacks_something_says_what(given: dict[str, str], phrase: str) -> None:
    with pytest.raises(FormIncomplete) as caught:
        updates_of(given)
    assert caught.value.phrase == phrase


def test_an_empty_field_of_a_party_is_forgotten_and_one_that_was_not_sent_stays() -> None:
    assert party_of({"party_id": "party0", "role": "leier", "phone": "", "city": "Oslo", "secret": "x"}) == {
        "kind": PartyKind.PERSON,
        "role": "leier",
        "fields": {"phone": None, "city": "Oslo"},
    }
    assert party_of({"kind": "organisation", "orgName": "Huset", "phone": ""})["fields"] == {"orgName": "Huset"}
    with pytest.raises(FormIncomplete):
        party_of({"kind": "person", "firstName": " "})


def test_a_draft_is_a_text_or_a_template_with_what_it_asks_for() -> None:
    text = draft_of({"markdown": "# A\r\n\r\nB", "sender": "party0", "recipient_lines": "NAV\r\n\r\nOslo", "dated": ""})
    assert text["markdown"] == "# A\n\nB"
    assert (text["head"]["sender"], text["head"]["recipient_lines"], text["head"]["dated"]) == (
        "party0",
        ["NAV", "Oslo"],
        None,
    )
    filled = draft_of({"template": "krav", "value-belop": "1", "value-frist": " ", "name": "", "markdown": "x"})
    assert (filled["template"], filled["values"], filled["name"]) == ("krav", {"belop": "1"}, None)
    assert "markdown" not in filled
    with pytest.raises(FormIncomplete):
        draft_of({"markdown": " \r\n"})


def test_a_form_sent_twice_is_one_and_one_that_was_changed_is_another() -> None:
    form = {"once": "a" * 32, "fact": "x"}
    assert once_of(form) == once_of(dict(reversed(form.items()))) is not None
    assert once_of(form) != once_of({**form, "fact": "y"})
    assert once_of({"fact": "x", "once": "lovsvar.>"}) is None


@pytest.mark.parametrize(("text", "version"), [("7", 7), ("0", None), ("-1", None), ("٣", None), ("9" * 40, None)])
def test_a_version_is_a_number_that_a_case_can_have(text: str, version: int | None) -> None:
    assert version_of({"version": text}) == version


def test_times_are_those_of_norway_and_sizes_are_read_by_people() -> None:
    from datetime import UTC, datetime

    moment = datetime(2026, 7, 1, 22, 30, tzinfo=UTC)
    assert (Phrases("nb").moment(moment), Phrases("en").moment(moment)) == ("02.07.2026, 00:30", "2 July 2026, 00:30")
    assert [Phrases("nb").size(size) for size in (1, 48_112, 2_340_000)] == ["1 kB", "49 kB", "2,3 MB"]


def test_uploads_and_drafts_may_be_larger_than_other_forms_and_nothing_else_may() -> None:
    def most(path: str, method: str = "POST") -> int:
        return bounds_of({"method": method, "path": path}, 30.0)[0]

    assert most("/saker/x/dokumenter/ny") == most("/v1/cases/x/documents") == MAX_UPLOAD
    assert most("/saker/x/utkast/ny") == most("/v1/cases/x/drafts") == MAX_DRAFT
    others = ("/saker/x/dokumenter", "/saker/x", "/saker/x/utkast", "/saker/x/dokumenter/ny/x", "/v1/cases")
    assert {most(path) for path in others} == {MAX_BODY}
    assert most("/saker/x/dokumenter/ny", "GET") == MAX_BODY


class Sent:
    """A request whose body comes in pieces of some size."""

    def __init__(self, body: bytes, size: int, kind: str = "multipart/form-data; boundary=grense") -> None:
        self.headers = {"content-type": kind}
        self._pieces = [body[at : at + size] for at in range(0, len(body), size)]

    async def stream(self) -> AsyncIterator[bytes]:
        for piece in self._pieces:
            yield piece
        yield b""


def form(content: bytes, name: str = "blå \\22 kontrakt.pdf", end: bytes = b"--grense--\r\n") -> bytes:
    head = f'--grense\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'.encode()
    once = b'--grense\r\nContent-Disposition: form-data; name="once"\r\n\r\nabc\r\n'
    return once + head + content + b"\r\n" + end


@pytest.mark.parametrize("size", [1, 7, 64, 1_000_000])
async def test_a_file_is_read_as_it_comes_in_pieces_of_any_size(size: int) -> None:
    content = b"%PDF-\r\n--grens\r\n" * 40
    upload = Upload(Sent(form(content), size))  # type: ignore[arg-type]
    await upload.begin()
    assert (upload.fields, "kontrakt.pdf" in upload.name) == ({"once": "abc"}, True)
    assert b"".join([piece async for piece in upload.pieces()]) == content


@pytest.mark.parametrize(
    ("body", "kind", "phrase"),
    [
        (form(b"", name=""), "multipart/form-data; boundary=grense", "case_no_file"),
        (form(b"x" * 100)[:-40], "multipart/form-data; boundary=grense", "case_upload_cut"),
        (b"tull og tant", "multipart/form-data; boundary=grense", "case_upload_cut"),
        (b"", "multipart/form-data; boundary=grense", "case_no_file"),
        (b"do=x", "application/x-www-form-urlencoded", "case_form_unknown"),
    ],
)
async def test_a_form_without_a_whole_file_says_what_it_lacks(body: bytes, kind: str, phrase: str) -> None:
    with pytest.raises(FormIncomplete) as caught:
        upload = Upload(Sent(body, 16, kind))  # type: ignore[arg-type]
        await upload.begin()
        [_ async for _ in upload.pieces()]
    assert caught.value.phrase == phrase
