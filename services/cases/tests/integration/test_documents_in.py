"""Documents over NATS, on a real PostgreSQL, read by real processes."""

import asyncio
import base64
import json
from typing import TYPE_CHECKING

import asyncpg
import pytest

from lovsvar_cases.settings import Settings
from lovsvar_contracts import case_documents as wire
from lovsvar_contracts import subjects
from lovsvar_contracts.case_documents import PART_BYTES, CaseDocument, DocumentState
from lovsvar_contracts.cases import Actor, Case, CaseGrant, EraseCase, GrantCase, Parties, ReadCase, SetParty, Tombstone
from lovsvar_contracts.message import Message, new_id
from lovsvar_contracts.problems import ProblemError, ProblemType
from lovsvar_contracts.tools import CallTool, ToolReply
from lovsvar_testkit import made_documents as made

if TYPE_CHECKING:
    from conftest import Asking

KARI = Actor(name="kari", organisation="huset")
EVA = Actor(name="eva", organisation="andre", operator=True)


async def hand_in(ask: "Asking", case: Case, content: bytes, name: str = "Kontrakt.pdf") -> CaseDocument:
    about = {"actor": KARI, "case_id": case.case_id, "document_id": new_id()}
    pieces = [content[at : at + PART_BYTES] for at in range(0, len(content), PART_BYTES)]
    for number, piece in enumerate(pieces):
        part = wire.AddDocumentPart(**about, number=number, content=base64.b64encode(piece).decode())
        await ask(subjects.CASES_ADD_DOCUMENT_PART, part, wire.PartAdded)
    finish = wire.FinishDocument(**about, name=name, parts=len(pieces))
    for _ in range(2):
        found = (await ask(subjects.CASES_FINISH_DOCUMENT, finish, wire.DocumentReply)).document
    async with asyncio.timeout(60):
        while found.state is DocumentState.READING:
            await asyncio.sleep(0.1)
            found = (
                await ask(subjects.CASES_READ_DOCUMENT, wire.ReadCaseDocument(**about), wire.DocumentReply)
            ).document
    return found


async def test_a_document_is_read_searched_quoted_downloaded_and_removed(ask: "Asking", settings: Settings) -> None:
    case, other = await ask.open(KARI), await ask.open(KARI)
    content = made.pdf(("Husordensregler for bygget",), made.CONTRACT) + b"\n%" + b"x" * PART_BYTES
    document = await hand_in(ask, case, content)
    assert (document.state, document.pages, document.kind, document.size) == ("ready", 2, "pdf", len(content))
    about = {"actor": KARI, "case_id": case.case_id}
    one = {**about, "document_id": document.document_id}
    pages = await ask(subjects.CASES_READ_PAGES, wire.ReadPages(**one, first=2), wire.DocumentPages)
    assert [page.number for page in pages.pages] == [2]
    assert "12 500 kroner" in pages.pages[0].text
    hits = await ask(subjects.CASES_SEARCH_DOCUMENTS, wire.SearchDocuments(**about, query="leie"), wire.DocumentHits)
    assert [hit.page for hit in hits.hits] == [2]
    quote = wire.VerifyQuote(**about, quote="Leien er 12 500 kroner måneden.")
    verified = await ask(subjects.CASES_VERIFY_QUOTE, quote, wire.VerifiedQuote)
    assert [(place.page, place.document_id) for place in verified.places] == [(2, document.document_id)]
    elsewhere = quote.model_copy(update={"case_id": other.case_id})
    assert not (await ask(subjects.CASES_VERIFY_QUOTE, elsewhere, wire.VerifiedQuote)).verified
    got, last = b"", False
    for number in range(9):
        part = wire.ReadDocumentPart(**one, number=number)
        read = await ask(subjects.CASES_READ_DOCUMENT_PART, part, wire.DocumentPart)
        got += base64.b64decode(read.content)
        if last := read.last:
            break
    assert (last, got) == (True, content)
    now = await ask(subjects.CASES_READ, ReadCase(**about), Case)
    assert [(note.name, note.pages) for note in now.state.details.documents] == [("Kontrakt.pdf", 2)]
    await nothing_readable(settings)
    left = await ask(subjects.CASES_REMOVE_DOCUMENT, wire.RemoveDocument(**one), wire.CaseDocuments)
    assert left.documents == ()
    assert (await ask(subjects.CASES_READ, ReadCase(**about), Case)).state.details.documents == ()
    await ask(subjects.CASES_ERASE, EraseCase(**about), Tombstone)


async def nothing_readable(settings: Settings) -> None:
    connection = await asyncpg.connect(settings.database_url)
    for table in ("documents", "document_parts", "document_pages"):
        rows = str(await connection.fetch(f"SELECT * FROM cases.{table}"))
        assert "sealed" in rows
        for secret in ("Kontrakt", "Husordensregler", "PDF-1.7"):
            assert secret not in rows
    await connection.close()


async def test_a_refused_document_says_why_and_keeps_no_bytes(ask: "Asking", settings: Settings) -> None:
    case = await ask.open(KARI)
    refused = await hand_in(ask, case, made.encrypted_pdf())
    assert refused.state is DocumentState.REFUSED
    assert "kryptert" in refused.problem
    with pytest.raises(ProblemError, match="type som ikke kan leses") as caught:
        await hand_in(ask, case, b"MZ\x90\x00\x03\x00" * 99)
    assert caught.value.problem.type is ProblemType.INVALID_REQUEST
    connection = await asyncpg.connect(settings.database_url)
    assert await connection.fetchval("SELECT count(*) FROM cases.document_parts") == 0
    await connection.close()


async def test_a_document_above_its_limit_is_refused_at_the_first_part_too_many(ask: "Asking") -> None:
    case = await ask.open(KARI)
    about = {"actor": KARI, "case_id": case.case_id, "document_id": "d1"}
    content = base64.b64encode(bytes(PART_BYTES)).decode()
    with pytest.raises(ProblemError, match="større enn 20 MB") as caught:
        part = wire.AddDocumentPart(**about, number=54, content=content)
        await ask(subjects.CASES_ADD_DOCUMENT_PART, part, wire.PartAdded)
    assert caught.value.problem.type is ProblemType.TOO_LARGE
    await ask(
        subjects.CASES_ADD_DOCUMENT_PART, wire.AddDocumentPart(**about, number=1, content=content), wire.PartAdded
    )
    with pytest.raises(ProblemError, match="kom ikke helt fram"):
        await ask(subjects.CASES_FINISH_DOCUMENT, wire.FinishDocument(**about, name="x", parts=2), wire.DocumentReply)


async def test_another_tenant_finds_no_case_and_no_document(ask: "Asking") -> None:
    case = await ask.open(KARI)
    document = await hand_in(ask, case, b"Et notat om saken.", "notat.txt")
    about = {"actor": EVA, "case_id": case.case_id}
    one = {**about, "document_id": document.document_id}
    tried: list[tuple[str, Message]] = [
        (subjects.CASES_ADD_DOCUMENT_PART, wire.AddDocumentPart(**one, number=0, content="")),
        (subjects.CASES_FINISH_DOCUMENT, wire.FinishDocument(**one, name="x", parts=1)),
        (subjects.CASES_READ_DOCUMENT, wire.ReadCaseDocument(**one)),
        (subjects.CASES_DOCUMENTS, wire.ListCaseDocuments(**about)),
        (subjects.CASES_READ_PAGES, wire.ReadPages(**one)),
        (subjects.CASES_READ_DOCUMENT_PART, wire.ReadDocumentPart(**one, number=0)),
        (subjects.CASES_REMOVE_DOCUMENT, wire.RemoveDocument(**one)),
        (subjects.CASES_SEARCH_DOCUMENTS, wire.SearchDocuments(**about, query="notat")),
        (subjects.CASES_VERIFY_QUOTE, wire.VerifyQuote(**about, quote="Et notat")),
    ]
    mine = {"actor": EVA, "case_id": (await ask.open(EVA)).case_id, "document_id": document.document_id}
    tried.append((subjects.CASES_READ_PAGES, wire.ReadPages(**mine)))
    tried.append((subjects.CASES_READ_DOCUMENT_PART, wire.ReadDocumentPart(**mine, number=0)))
    for subject, request in tried:
        with pytest.raises(ProblemError) as caught:
            await ask(subject, request, Message)
        assert caught.value.problem.type is ProblemType.NOT_FOUND, subject


async def test_a_model_reads_and_quotes_a_document_without_the_names_in_it(ask: "Asking") -> None:
    case = await ask.open(KARI, description="Om et depositum.")
    about = {"actor": KARI, "case_id": case.case_id}
    fields = {"firstName": "Ola", "lastName": "Nordmann"}
    await ask(subjects.CASES_SET_PARTY, SetParty(**about, role="utleier", fields=fields), Parties)
    told = "Utleier er Ola Nordmann, 15108695088, ola@example.no. Depositumet betalte jeg til Nord-\nmann."
    document = await hand_in(ask, case, told.encode(), "Brev til Nordmann.txt")
    grant = (await ask(subjects.CASES_GRANT, GrantCase(**about, run_id="run1"), CaseGrant)).grant

    async def call(name: str, **arguments: object) -> str:
        given = {"case_id": case.case_id, **arguments}
        request = CallTool(name=name, arguments=given, run_id="run1", grant=grant)
        return (await ask.plain.ask(subjects.tool_call("cases"), request, ToolReply)).text

    read = await call("read_case_document", document_id=document.document_id)
    found = await call("search_case_documents", query="utleier {{party0.lastName}}")
    assert '"status": "success"' in read
    assert "betalte jeg til {{party0.lastName}}" in json.loads(found)["hits"][0]["text"]
    for secret in ("Nordmann", "mann", "15108695088", "ola@example"):
        assert secret not in read + found
    page = json.loads(read)["pages"][0]
    quote = json.loads(await call("verify_document_quote", quote=page["text"].partition(",")[0]))
    assert quote == {
        "status": "success",
        "places": [{"document_id": document.document_id, "page": 1, "source": "text"}],
    }
    assert json.loads(await call("read_case_document", document_id="nei"))["status"] == "not_found"
