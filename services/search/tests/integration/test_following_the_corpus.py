"""Keeping up with the corpus, over real servers."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.database import Database
from lovsvar_chassis.publisher import EventPublisher
from lovsvar_chassis.settings import ServiceSettings
from lovsvar_contracts import subjects
from lovsvar_contracts.ingest import DocumentChange, DocumentChanged
from lovsvar_contracts.problems import ProblemType
from lovsvar_search.adapters.database import SESSION
from lovsvar_testkit.waiting import until


async def refids(search: Any, query: str) -> set[str]:
    return {hit.refid for hit in (await search.find(query)).hits}


async def test_what_a_sync_stored_is_found_once_it_is_finished_and_not_before(
    serve: Any, stored: Any, fiske: Any
) -> None:
    new = replace(fiske, refid="forskrift/2030-01-01-1", paragraphs=fiske.paragraphs[:1])
    async with serve() as search:
        await stored.store(new)
        assert new.refid not in await refids(search, "lakselus")
        version = await stored.stamp()
        status = await search.reach(version)
        assert new.refid in await refids(search, "lakselus")
    assert status.indexed_provisions == 13


async def test_a_changed_document_is_found_by_its_new_words_alone(serve: Any, stored: Any, husleie: Any) -> None:
    changed = replace(husleie.paragraphs[2], title="Sikkerhet", ledd=("Utleier kan kreve en bankgaranti.",))
    async with serve() as search:
        await stored.store(replace(husleie, paragraphs=(changed,)))
        await search.reach(await stored.stamp())
        assert husleie.refid in await refids(search, "bankgaranti")
        assert husleie.refid not in await refids(search, "garanti i stedet for depositum protokoll")


async def test_a_removed_document_vanishes_everywhere(serve: Any, stored: Any, husleie: Any) -> None:
    async with serve() as search:
        await stored.remove(husleie.refid)
        await search.reach(await stored.stamp())
        assert husleie.refid not in await refids(search, "depositum")
        assert (await search.resolve("husleieloven § 3-5")).outcome == "none"
        assert (await search.problem(search.read((husleie.refid, "§3-5")))).type is ProblemType.NOT_FOUND
        assert (await search.documents()).total == 2


async def test_a_finished_sync_is_heard_at_once(nats_url: str, serve: Any, stored: Any, husleie: Any) -> None:
    async with serve(poll=3_600) as search, make_broker(ServiceSettings(nats_url=nats_url), "test") as broker:
        await stored.store(replace(husleie, refid="lov/2030-01-01-1"))
        version = await stored.stamp()
        event = DocumentChanged(
            refid="lov/1999-03-26-17",
            change=DocumentChange.CHANGED,
            dataset="gjeldende-lover",
            corpus_version=version,
        )
        await EventPublisher(broker).publish(subjects.DOCUMENT_CHANGED, event)
        assert (await search.reach(version)).documents == 4


async def test_an_empty_corpus_is_not_ready_until_something_is_stored(serve: Any, empty: Any, husleie: Any) -> None:
    async with serve(version=0) as search:
        assert not (await search.says("tom")).ready
        problem = await search.problem(search.find("depositum"))
        status = await search.status()
        await empty.store(husleie)
        await search.reach(await empty.stamp())
        assert (await search.health()).ready
        assert husleie.refid in await refids(search, "depositum")
    assert (problem.type, problem.retryable) == (ProblemType.NOT_READY, True)
    assert (status.documents, status.stored_version, status.ready) == (0, 0, False)


async def test_a_database_without_tables_is_an_empty_corpus(serve: Any, empty_database_url: str) -> None:
    async with serve(version=0, database=empty_database_url) as search:
        await search.says("tom")
        assert (await search.status()).documents == 0


async def test_a_database_that_is_down_makes_the_service_not_ready_and_not_dead(serve: Any) -> None:
    async with serve(version=0, database="postgresql://nobody@127.0.0.1:1/none") as search:
        assert not (await search.says("Databasen svarer ikke")).ready
        assert (await search.problem(search.status())).type is ProblemType.UNAVAILABLE


async def test_a_lost_connection_is_made_again(serve: Any, stored: Any, database_url: str, husleie: Any) -> None:
    async with serve() as search:
        await stored.connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        assert len((await search.read((husleie.refid, "§3-5"))).provisions) == 1
        await stored.store(replace(husleie, refid="lov/2030-01-01-1"))
        await search.reach(await stored.stamp())


async def test_the_database_cannot_be_written_to(stored: Any, database_url: str) -> None:
    database = Database(database_url, 1, SESSION, min_size=0)
    await database.start()
    with pytest.raises(asyncpg.ReadOnlySQLTransactionError):
        await database.pool.execute("DELETE FROM documents")
    await database.stop()


async def test_a_restart_opens_the_index_and_takes_in_only_what_changed(
    serve: Any, stored: Any, fiske: Any, husleie: Any, tmp_path: Path
) -> None:
    async with serve(index_dir=tmp_path):
        pass
    # Out of the database behind the index's back: only an index that was opened, not rebuilt, still has it.
    await stored.connection.execute("UPDATE sections SET text = 'ukjent' WHERE refid = $1", husleie.refid)
    await stored.remove(fiske.refid)
    async with serve(version=await stored.stamp(), index_dir=tmp_path) as search:
        assert husleie.refid in await refids(search, "protokoll")
        assert fiske.refid not in await refids(search, "lakselus")


async def test_a_damaged_index_is_built_anew(serve: Any, stored: Any, husleie: Any, tmp_path: Path) -> None:
    async with serve(index_dir=tmp_path):
        pass
    for file in (tmp_path / "slot-0" / "tantivy").iterdir():
        file.write_bytes(b"\x00" * 7)
    async with serve(index_dir=tmp_path) as search:
        assert husleie.refid in await refids(search, "depositum")


async def test_an_index_of_another_database_is_not_served(
    serve: Any, stored: Any, husleie: Any, tmp_path: Path
) -> None:
    async with serve(index_dir=tmp_path):
        pass
    stamp = tmp_path / "slot-0" / "stamp.json"
    stamp.write_text(stamp.read_text().replace('"identity": "', '"identity": "another-'))
    await stored.connection.execute("UPDATE sections SET text = 'ukjent' WHERE refid = $1", husleie.refid)
    async with serve(index_dir=tmp_path) as search:
        assert husleie.refid in await refids(search, "ukjent")


async def test_a_database_set_back_to_an_older_version_is_followed(serve: Any, stored: Any, husleie: Any) -> None:
    await stored.stamp()
    async with serve(version=2) as search:
        await stored.remove(husleie.refid)
        await stored.connection.execute("UPDATE documents SET corpus_version = 1; UPDATE corpus SET version = 1")

        async def served() -> bool:
            return (await search.status()).corpus_version == 1

        await until(served, 30)
        assert husleie.refid not in await refids(search, "depositum")


async def test_two_processes_given_one_index_folder_both_serve(serve: Any, stored: Any, tmp_path: Path) -> None:
    async with serve(index_dir=tmp_path) as first, serve(index_dir=tmp_path) as second:
        for search in (first, second):
            await search.ready()
        assert {(await first.find("depositum")).total for _ in range(20)} == {3}
