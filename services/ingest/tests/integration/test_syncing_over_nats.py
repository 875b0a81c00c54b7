"""Syncs as others ask for them: over a real nats-server, into a real PostgreSQL."""

import asyncio
from datetime import date
from typing import Any

import pytest
from pydantic import TypeAdapter

from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.requester import Requester
from lovsvar_chassis.settings import ServiceSettings
from lovsvar_contracts import subjects
from lovsvar_contracts.health import ReadHealth, ServiceHealth
from lovsvar_contracts.ingest import (
    DATASET_REGULATIONS,
    DATASET_SAMPLE,
    DocumentChange,
    SyncCompleted,
    SyncFailed,
    SyncProgressed,
    SyncRequested,
    SyncStage,
    SyncStarted,
)
from lovsvar_contracts.law import Block
from lovsvar_contracts.problems import ProblemType


async def test_the_sample_is_stored_as_others_read_it(ingest: Any, client: Any, database: Any) -> None:
    async with ingest():
        end = await client.sync(DATASET_SAMPLE)
    assert isinstance(end, SyncCompleted)
    assert (end.report.added, end.report.provisions, end.report.skipped, end.corpus_date) == (9, 123, (), None)
    row = await database.fetchrow(
        "SELECT s.*, d.short_title, d.corpus_version FROM sections s JOIN documents d USING (refid)"
        " WHERE refid = 'lov/2999-01-01-1' AND section_key = '§3-2'"
    )
    assert (row["section"], row["value"], row["kind"], row["in_force"]) == ("§3-2", "§ 3-2", "provision", "in_force")
    assert (row["short_title"], row["corpus_version"]) == ("Eksempel-husleieloven", 1)
    assert row["path"][0].startswith("Kapittel 3")
    blocks = TypeAdapter(tuple[Block, ...]).validate_json(row["blocks"])
    assert blocks[0].text in row["text"]


async def test_a_sync_tells_how_it_goes(ingest: Any, client: Any, put_archive: Any, make_law: Any) -> None:
    put_archive({f"nl/{n}.xml": make_law(n) for n in range(1, 121)})
    async with ingest():
        end = await client.sync()
        events = await client.document_events()
    assert isinstance(client.heard[0], SyncStarted)
    assert isinstance(end, SyncCompleted)
    assert (end.report.added, end.corpus_version, end.corpus_date) == (120, 1, date(2026, 7, 2))
    stages = [event.stage for event in client.heard if isinstance(event, SyncProgressed)]
    assert stages[-1] is SyncStage.FINISHING
    assert [event.change for event in events] == [DocumentChange.ADDED] * 120
    assert {event.sections for event in events} == {("§1",)}


async def test_a_second_sync_writes_nothing(
    ingest: Any, client: Any, put_archive: Any, make_law: Any, database: Any
) -> None:
    put_archive({f"nl/{n}.xml": make_law(n) for n in range(1, 61)})
    rows = "SELECT xmin::text, ctid::text, refid FROM documents ORDER BY refid"
    async with ingest():
        await client.sync()
        before = await database.fetch(rows)
        end = await client.sync()
        # Packed anew, the same documents are another archive: it is read, and still nothing is written.
        put_archive({f"nl/{n}.xml": make_law(n) for n in range(60, 0, -1)})
        other = await client.sync()
        assert await database.fetch(rows) == before
        assert len(await client.document_events()) == 60
    for again in (end, other):
        assert isinstance(again, SyncCompleted)
        assert (again.report.unchanged, again.report.added, again.report.changed, again.corpus_version) == (60, 0, 0, 1)


async def test_a_changed_document_keeps_what_did_not_change(
    ingest: Any, client: Any, put_archive: Any, make_law: Any, database: Any
) -> None:
    put_archive({"nl/1.xml": make_law(1, "En.", "To.", "Tre.")})
    async with ingest():
        await client.sync()
        put_archive({"nl/1.xml": make_law(1, "En.", "Annet.")})
        await client.sync()
        event = (await client.document_events())[-1]
    rows = await database.fetch("SELECT section, text, removed_at IS NULL AS live FROM sections ORDER BY section")
    assert [tuple(row) for row in rows] == [("§1", "En.", True), ("§2", "Annet.", True), ("§3", "Tre.", False)]
    assert (event.change, event.sections) == (DocumentChange.CHANGED, ("§3", "§2"))
    assert await database.fetchval("SELECT corpus_version FROM documents") == 2


async def test_a_document_that_left_the_archive_is_removed_and_may_come_back(
    ingest: Any, client: Any, put_archive: Any, make_law: Any, database: Any
) -> None:
    live = "SELECT refid FROM documents WHERE removed_at IS NULL ORDER BY refid"
    async with ingest():
        put_archive({"nl/1.xml": make_law(1), "nl/2.xml": make_law(2)})
        await client.sync()
        put_archive({"nl/1.xml": make_law(1)})
        assert (await client.sync()).report.removed == 1
        assert [row["refid"] for row in await database.fetch(live)] == ["lov/2999-01-01-1"]
        assert (await client.document_events())[-1].change is DocumentChange.REMOVED
        put_archive({"nl/1.xml": make_law(1), "nl/2.xml": make_law(2)})
        assert (await client.sync()).report.added == 1
        assert len(await database.fetch(live)) == 2


async def test_a_malformed_document_is_skipped_and_its_earlier_version_stays(
    ingest: Any, client: Any, put_archive: Any, make_law: Any, snapshot: Any
) -> None:
    async with ingest():
        put_archive({"nl/1.xml": make_law(1), "nl/2.xml": make_law(2)})
        await client.sync()
        before = await snapshot()
        put_archive({"nl/1.xml": b"<html><body>", "nl/2.xml": make_law(2)})
        end = await client.sync()
    assert [(skipped.file, bool(skipped.reason)) for skipped in end.report.skipped] == [("nl/1.xml", True)]
    assert await snapshot() == before


async def test_a_truncated_archive_fails_the_sync_and_removes_nothing(
    ingest: Any, client: Any, put_archive: Any, make_law: Any, snapshot: Any, database: Any
) -> None:
    folder = put_archive({f"nl/{n}.xml": make_law(n) for n in range(1, 121)})
    async with ingest():
        await client.sync()
        before = await snapshot()
        put_archive((folder / "gjeldende-lover.tar.bz2").read_bytes()[:-100])
        end = await client.sync()
    assert isinstance(end, SyncFailed)
    assert (end.problem, end.detail != "") == (ProblemType.SOURCE_UNREADABLE, True)
    assert await snapshot() == before
    assert await database.fetchval("SELECT status FROM syncs ORDER BY started_at DESC LIMIT 1") == "failed"


async def test_a_folder_without_the_archive_is_a_source_that_cannot_be_reached(ingest: Any, client: Any) -> None:
    async with ingest(source="/finnes/ikke"):
        end = await client.sync()
    assert isinstance(end, SyncFailed)
    assert (end.problem, end.retryable) == (ProblemType.SOURCE_UNREACHABLE, True)
    assert "/finnes/ikke" in end.detail


async def test_the_sample_leaves_when_real_law_arrives(
    ingest: Any, client: Any, put_archive: Any, make_law: Any, database: Any
) -> None:
    put_archive({"nl/1.xml": make_law(1)})
    async with ingest():
        await client.sync(DATASET_SAMPLE)
        await client.sync()
        refused = await client.sync(DATASET_SAMPLE)
    live = await database.fetch("SELECT refid FROM documents WHERE removed_at IS NULL")
    assert [row["refid"] for row in live] == ["lov/2999-01-01-1"]
    assert isinstance(refused, SyncFailed)
    assert refused.problem is ProblemType.CONFLICT


async def test_two_processes_asked_at_once_sync_one_after_the_other(
    ingest: Any, client: Any, put_archive: Any, make_law: Any, database: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lovsvar_ingest.handlers.WAIT_FOR_OTHER", 0.2)
    put_archive({f"nl/{n}.xml": make_law(n) for n in range(1, 301)})
    first, second = SyncRequested(dataset="gjeldende-lover"), SyncRequested(dataset="gjeldende-lover")
    async with ingest(), ingest():
        await asyncio.gather(client.ask(first), client.ask(second))
        ends = [await client.end(request.sync_id) for request in (first, second)]
    assert sorted(end.report.added for end in ends) == [0, 300]
    assert await database.fetchval("SELECT count(*) FROM documents") == 300


async def test_two_data_sets_are_stored_side_by_side(
    ingest: Any, client: Any, put_archive: Any, make_law: Any, database: Any
) -> None:
    put_archive({"nl/1.xml": make_law(1)})
    put_archive({"sf/2.xml": make_law(2)}, DATASET_REGULATIONS)
    async with ingest():
        await client.sync()
        end = await client.sync(DATASET_REGULATIONS)
    assert end.corpus_version == 2
    assert await database.fetchval("SELECT count(*) FROM documents WHERE removed_at IS NULL") == 2


async def test_the_service_says_that_it_is_ready(ingest: Any, nats_url: str) -> None:
    broker = make_broker(ServiceSettings(nats_url=nats_url), "test")
    async with ingest(), broker:
        health = await Requester(broker).ask(subjects.health("ingest"), ReadHealth(), ServiceHealth)
    assert health.ready


async def test_a_request_that_cannot_be_read_is_a_dead_letter(ingest: Any, client: Any, nats_url: str) -> None:
    broker = make_broker(ServiceSettings(nats_url=nats_url), "test")
    async with broker, ingest():
        jetstream = broker.connection.jetstream()
        dead = await jetstream.subscribe(subjects.dead(subjects.STREAM_INGEST), ordered_consumer=True)
        await jetstream.publish(subjects.INGEST_REQUESTED, b'{"dataset": "../../etc/passwd"}')
        assert (await dead.next_msg(timeout=10)).data == b'{"dataset": "../../etc/passwd"}'
        await dead.unsubscribe()


async def test_an_act_whose_place_a_later_one_has_taken_is_stored_as_repealed(
    ingest: Any, client: Any, put_archive: Any, make_law: Any, database: Any
) -> None:
    def named(year: int, text: str = "Regel.") -> bytes:
        law: bytes = make_law(year, text)
        law = law.replace(f"lov/2999-01-01-{year}".encode(), f"lov/{year}-01-01-1".encode())
        return law.replace(b"</dl>", b'<dd class="titleShort">Viltloven</dd></dl>')

    rows = "SELECT d.refid, d.in_force, s.in_force FROM documents d JOIN sections s USING (refid) ORDER BY 1"
    put_archive({"nl/1.xml": named(2001)})
    async with ingest():
        await client.sync()
        put_archive({"nl/1.xml": named(2001), "nl/2.xml": named(2002)})
        second = await client.sync()
        expected = [("lov/2001-01-01-1", "repealed", "repealed"), ("lov/2002-01-01-1", "in_force", "in_force")]
        assert [tuple(row) for row in await database.fetch(rows)] == expected
        put_archive({"nl/2.xml": named(2002), "nl/1.xml": named(2001)})
        third = await client.sync()
        put_archive({"nl/1.xml": named(2001, "Endret regel."), "nl/2.xml": named(2002)})
        await client.sync()
        assert [tuple(row) for row in await database.fetch(rows)] == expected
        events = await client.document_events()
    assert isinstance(second, SyncCompleted)
    assert isinstance(third, SyncCompleted)
    assert (second.corpus_version, third.corpus_version, third.report.unchanged) == (2, 2, 2)
    assert (second.report.superseded, third.report.superseded) == (1, 0)
    assert ("lov/2001-01-01-1", DocumentChange.CHANGED) in [(event.refid, event.change) for event in events[1:3]]
