"""Documents in PostgreSQL, every part and page encrypted for its place in its case."""

from collections.abc import Sequence
from datetime import timedelta

from lovsvar_cases.adapters.keys import CaseKey, MasterKey
from lovsvar_cases.core.errors import UnknownCase
from lovsvar_cases.core.files.errors import DocumentTooLarge, UnknownDocument
from lovsvar_cases.core.files.ports import Claimed, DocumentStore
from lovsvar_cases.core.ports import Clock
from lovsvar_chassis.database import Database, load_queries
from lovsvar_contracts.case_documents import MOST_DOCUMENTS, CaseDocument, DocumentPage, DocumentState
from lovsvar_contracts.message import utc_now

SQL = load_queries("lovsvar_cases.adapters")
UNFINISHED = timedelta(hours=1)


class PostgresDocuments(DocumentStore):
    """Documents in the schema `cases`."""

    def __init__(self, database: Database, master: MasterKey, now: Clock = utc_now) -> None:
        self._database = database
        self._master = master
        self._now = now

    async def add_part(self, case_id: str, document_id: str, number: int, content: bytes) -> None:
        key = await self._key(case_id)
        async with self._database.transaction() as connection:
            if number == 0:
                await connection.execute(SQL["forget_unfinished_uploads"], case_id, self._now() - UNFINISHED)
            if await connection.fetchval(SQL["count_uploads"], case_id, document_id) >= MOST_DOCUMENTS:
                raise DocumentTooLarge(
                    f"Saken har {MOST_DOCUMENTS} dokumenter, og kan ikke ha flere. Slett noen først."
                )
            sealed = key.seal(_part(document_id, number), content)
            await connection.execute(SQL["add_document_part"], case_id, document_id, number, sealed)

    async def parts(self, case_id: str, document_id: str) -> Sequence[bytes]:
        key = await self._key(case_id)
        rows = await self._database.fetch(SQL["read_document_parts"], case_id, document_id)
        if not rows:
            raise UnknownDocument(document_id)
        return [
            key.open(_part(document_id, row["number"]), row["sealed"])
            for at, row in enumerate(rows)
            if row["number"] == at
        ]

    async def part(self, case_id: str, document_id: str, number: int) -> tuple[bytes, bool]:
        key = await self._key(case_id)
        rows = await self._database.fetch(SQL["read_document_part"], case_id, document_id, number)
        if not rows:
            raise UnknownDocument(document_id)
        return key.open(_part(document_id, number), rows[0]["sealed"]), rows[0]["is_last"]

    async def add(self, case_id: str, document: CaseDocument) -> None:
        sealed = _sealed(await self._key(case_id), document)
        about = (case_id, document.document_id, str(document.state), sealed, document.added_at)
        async with self._database.acquire() as connection:
            await connection.execute(SQL["add_document"], *about)

    async def documents(self, case_id: str, document_id: str | None = None) -> Sequence[CaseDocument]:
        key = await self._key(case_id)
        rows = await self._database.fetch(SQL["read_documents"], case_id, document_id)
        return [
            CaseDocument.model_validate_json(key.open(f"document/{row['document_id']}", row["sealed"])) for row in rows
        ]

    async def pages(
        self, case_id: str, document_id: str | None = None, first: int = 1, most: int = 100_000
    ) -> Sequence[tuple[str, DocumentPage]]:
        key = await self._key(case_id)
        rows = await self._database.fetch(SQL["read_document_pages"], case_id, document_id, first, most)
        return [
            (
                row["document_id"],
                DocumentPage.model_validate_json(key.open(_page(row["document_id"], row["number"]), row["sealed"])),
            )
            for row in rows
        ]

    async def claim(self, seconds: float) -> Claimed | None:
        rows = await self._database.fetch(SQL["claim_document"], seconds)
        return Claimed(rows[0]["case_id"], rows[0]["document_id"], rows[0]["attempts"]) if rows else None

    async def store_read(self, case_id: str, document: CaseDocument, pages: Sequence[DocumentPage]) -> bool:
        key, document_id = await self._key(case_id), document.document_id
        about = (case_id, document_id, str(document.state), _sealed(key, document))
        async with self._database.transaction() as connection:
            if await connection.fetchval(SQL["store_document"], *about) is None:
                return False
            for page in pages:
                sealed = key.seal(_page(document_id, page.number), page.model_dump_json().encode())
                await connection.execute(SQL["add_document_page"], case_id, document_id, page.number, sealed)
            if document.state is DocumentState.REFUSED:
                await connection.execute(SQL["forget_document_bytes"], case_id, document_id)
        return True

    async def remove(self, case_id: str, document_id: str) -> None:
        async with self._database.acquire() as connection:
            await connection.execute(SQL["remove_document"], case_id, document_id)

    async def _key(self, case_id: str) -> CaseKey:
        rows = await self._database.fetch(SQL["case_key"], case_id)
        if not rows:
            raise UnknownCase(case_id)
        return self._master.unwrapped(case_id, rows[0]["wrapped_key"])


def _sealed(key: CaseKey, document: CaseDocument) -> bytes:
    return key.seal(f"document/{document.document_id}", document.model_dump_json().encode())


def _part(document_id: str, number: int) -> str:
    return f"document/{document_id}/part/{number}"


def _page(document_id: str, number: int) -> str:
    return f"document/{document_id}/page/{number}"
