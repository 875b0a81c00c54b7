"""What is left of an erased case: a tombstone, the credit that it used, and what was paid for it."""

import base64
from typing import TYPE_CHECKING, Any

import asyncpg

from lovsvar_cases.settings import Settings
from lovsvar_contracts import case_credit, case_documents, case_drafts, cases, subjects
from lovsvar_contracts.cases import Actor, Case
from lovsvar_contracts.message import new_id

if TYPE_CHECKING:
    from conftest import Asking

KARI = Actor(name="kari", organisation="huset")
WORDS = "Ring 41 23 45 67 om depositumet."

LEFT = {
    "cases": {"case_id", "request_id", "owner", "phase", "version", "opened_at", "changed_at", "erased_at"},
    "debits": {"case_id", "account", "tier", "debited_on"},
    "payments": {"payment_id", "attempt", "case_id", "tier", "received_at"},
}
"""What may be left, by tables. A new table or column is either erased or added here with its reason."""


async def filled(ask: "Asking", settings: Settings) -> Case:
    """Return a case with a row in every table of the schema."""
    case = await ask.open(KARI, title="Depositum", description=WORDS, for_organisation=True)
    about: dict[str, Any] = {"actor": KARI, "case_id": case.case_id}
    await ask(subjects.CASES_SET_PARTY, cases.SetParty(**about, fields={"lastName": "Nordmann"}), cases.Parties)
    await ask(subjects.CASES_SET_TIER, case_credit.SetTier(**about, tier=1), Case)
    await ask(subjects.CASES_MESSAGE, cases.SendMessage(**about, run_id="run1", message=WORDS), cases.PreparedRun)
    written = case_drafts.WriteDraft(**about, markdown="# Krav\n\nHei.")
    await ask(subjects.CASES_WRITE_DRAFT, written, case_drafts.Draft)
    document = {**about, "document_id": new_id()}
    part = case_documents.AddDocumentPart(**document, number=0, content=base64.b64encode(WORDS.encode()).decode())
    await ask(subjects.CASES_ADD_DOCUMENT_PART, part, case_documents.PartAdded)
    finish = case_documents.FinishDocument(**document, name="Notat.txt", parts=1)
    found = await ask(subjects.CASES_FINISH_DOCUMENT, finish, case_documents.DocumentReply)
    while found.document.state is case_documents.DocumentState.READING:
        read = case_documents.ReadCaseDocument(**document)
        found = await ask(subjects.CASES_READ_DOCUMENT, read, case_documents.DocumentReply)
    await ask(subjects.CASES_TICKET, cases.TicketRequest(**about, issue_description=WORDS), cases.Ticket)
    connection = await asyncpg.connect(settings.database_url)
    await connection.execute(
        "INSERT INTO cases.payments (payment_id, attempt, case_id, tier) VALUES ('p', '1', $1, 1)", case.case_id
    )
    await connection.close()
    return case


async def rows_of(connection: Any, case_id: str) -> dict[str, list[dict[str, Any]]]:
    """Return the rows about a case in every table that has its id."""
    tables = await connection.fetch(
        "SELECT table_name FROM information_schema.columns WHERE table_schema = 'cases' AND column_name = 'case_id'"
    )
    return {
        table: [dict(row) for row in await connection.fetch(f"SELECT * FROM cases.{table} WHERE case_id = $1", case_id)]
        for (table,) in tables
    }


async def test_an_erased_case_leaves_a_tombstone_and_nothing_that_was_sealed(ask: "Asking", settings: Settings) -> None:
    case, kept = await filled(ask, settings), await ask.open(KARI, title="En annen")
    connection = await asyncpg.connect(settings.database_url)
    before = await rows_of(connection, case.case_id)
    assert all(before.values()), "a table has no row of the case, so that its erasure is not seen"
    tables = {row[0] for row in await connection.fetch("SELECT tablename FROM pg_tables WHERE schemaname = 'cases'")}
    assert tables == {*before, "subscriptions", "schema_migrations"}, "a table without case_id is not looked at"

    erased = await ask(subjects.CASES_ERASE, cases.EraseCase(actor=KARI, case_id=case.case_id), cases.Tombstone)
    after = {table: rows for table, rows in (await rows_of(connection, case.case_id)).items() if rows}
    assert {table: len(rows) for table, rows in after.items()} == dict.fromkeys(LEFT, 1)
    for table, rows in after.items():
        assert {name for name, value in rows[0].items() if value is not None} <= LEFT[table], table
    tombstone = after["cases"][0]
    assert (tombstone["owner"], tombstone["organisation"]) == ("", None)
    assert (tombstone["opened_at"], tombstone["erased_at"]) == (erased.opened_at, erased.erased_at)
    assert len((await rows_of(connection, kept.case_id))["changes"]) == 1
    await connection.close()
    listed = await ask(subjects.CASES_LIST, cases.ListCases(actor=KARI), cases.Cases)
    assert [one.case_id for one in listed.cases] == [kept.case_id]
