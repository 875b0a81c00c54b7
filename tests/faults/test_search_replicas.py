"""Two replicas of search: one that starts takes no requests yet, and one that was killed finds its index."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import asyncpg
import pytest

from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.publisher import EventPublisher
from lovsvar_chassis.requester import Requester
from lovsvar_chassis.settings import ServiceSettings
from lovsvar_chassis.streams import declare_streams
from lovsvar_contracts import subjects
from lovsvar_contracts.health import ReadHealth, ServiceHealth
from lovsvar_contracts.ingest import DATASET_SAMPLE, SyncRequested
from lovsvar_contracts.problems import ProblemError, ProblemType
from lovsvar_contracts.search import FindProvisions, ProvisionHits
from lovsvar_testkit.processes import ServiceProcess
from lovsvar_testkit.waiting import until

PATIENCE = 60.0


class Replicas:
    """Two processes of search over the sample, asked as others ask them."""

    def __init__(self, requester: Requester, processes: list[ServiceProcess], index: Path) -> None:
        self._requester = requester
        self.processes = processes
        self.index = index

    async def find(self, query: str = "depositum") -> ProvisionHits:
        return await self._requester.ask(subjects.SEARCH_PROVISIONS, FindProvisions(query=query), ProvisionHits)

    async def running(self) -> set[tuple[str, bool]]:
        """Return who of those that were asked is ready, by instance, whether it is in the queue group or not."""
        asking = (
            self._requester.ask(subjects.unready(subjects.health("search")), ReadHealth(), ServiceHealth, timeout=1.0)
            for _ in range(20)
        )
        told = await asyncio.gather(*asking, return_exceptions=True)
        return {(health.instance, health.ready) for health in told if isinstance(health, ServiceHealth)}

    async def are(self, *ready: bool) -> None:
        """Wait until so many run and are ready, or are not."""

        async def seen() -> bool:
            return sorted(is_ready for _, is_ready in await self.running()) == sorted(ready)

        await until(seen, PATIENCE)

    def indexes(self) -> dict[str, int]:
        """Return the folders of indexes and which each is; one that is made again is another."""
        return {slot.name: (slot / "tantivy").stat().st_ino for slot in self.index.glob("slot-*")}


def searching(nats_url: str, database_url: str, folder: Path) -> dict[str, str]:
    return {
        "LOVSVAR_NATS_URL": nats_url,
        "LOVSVAR_DATABASE_URL": database_url,
        "LOVSVAR_INDEX_DIR": str(folder / "index"),
        "LOVSVAR_CORPUS_POLL_SECONDS": "0.1",
        "LOVSVAR_EMBEDDING": "off",
        "LOVSVAR_CATALOGUES": "none",
    }


@pytest.fixture
def processes(nats_url: str, database_url: str, tmp_path: Path) -> Iterator[list[ServiceProcess]]:
    environment = searching(nats_url, database_url, tmp_path)
    both = [ServiceProcess("search", environment, tmp_path / f"search-{n}.log") for n in range(2)]
    yield both
    for process in both:
        process.stop()


@pytest.fixture
async def replicas(
    nats_url: str, database_url: str, processes: list[ServiceProcess], tmp_path: Path
) -> AsyncIterator[Replicas]:
    """Both, with the sample stored and served."""
    ingest = ServiceProcess("ingest", searching(nats_url, database_url, tmp_path), tmp_path / "ingest.log")
    async with make_broker(ServiceSettings(nats_url=nats_url), "test") as broker:
        await declare_streams(broker.connection.jetstream(), 1)
        replicas = Replicas(Requester(broker), processes, tmp_path / "index")
        try:
            for process in (ingest, *processes):
                process.start()
            await EventPublisher(broker).publish(
                subjects.INGEST_REQUESTED, SyncRequested(sync_id="s", dataset=DATASET_SAMPLE)
            )
            await replicas.are(True, True)
        finally:
            ingest.stop()
        yield replicas


@contextlib.asynccontextmanager
async def nobody_can_read_the_corpus(database_url: str) -> AsyncIterator[None]:
    """Keep whoever starts from reading what it is to serve."""
    connection = await asyncpg.connect(database_url)
    try:
        async with connection.transaction():
            await connection.execute("LOCK TABLE corpus IN ACCESS EXCLUSIVE MODE")
            yield
    finally:
        await connection.close()


@contextlib.asynccontextmanager
async def steady_searches(replicas: Replicas) -> AsyncIterator[list[BaseException]]:
    """Search again and again while the block runs; yield what failed."""
    failed: list[BaseException] = []
    stopping = asyncio.Event()

    async def search() -> None:
        while not stopping.is_set():
            try:
                assert (await replicas.find()).hits
            except (ProblemError, AssertionError) as exc:
                failed.append(exc)
            await asyncio.sleep(0.002)

    tasks = [asyncio.create_task(search()) for _ in range(4)]
    try:
        yield failed
    finally:
        stopping.set()
        await asyncio.gather(*tasks)


async def test_no_search_fails_while_one_of_two_replicas_restarts(replicas: Replicas, database_url: str) -> None:
    first, second = replicas.processes
    async with steady_searches(replicas) as failed:
        assert second.stop() == 0
        await replicas.are(True)
        async with nobody_can_read_the_corpus(database_url):
            second.start()
            await replicas.are(True, False)
            for _ in range(50):
                assert (await replicas.find()).hits
        await replicas.are(True, True)
    assert not failed
    # The one that came back answers alone.
    first.stop()
    assert (await replicas.find()).hits


async def test_where_no_replica_is_ready_a_search_is_told_so_at_once(replicas: Replicas, database_url: str) -> None:
    for process in replicas.processes:
        process.stop()
    async with nobody_can_read_the_corpus(database_url):
        replicas.processes[0].start()
        await replicas.are(False)
        with pytest.raises(ProblemError) as caught:
            await replicas.find()
    problem = caught.value.problem
    assert (problem.type, problem.detail) == (ProblemType.NOT_READY, "Søkeindeksen bygges.")


async def test_replicas_that_were_killed_take_up_their_indexes_again(replicas: Replicas) -> None:
    before = replicas.indexes()
    assert sorted(before) == ["slot-0", "slot-1"]
    for process in replicas.processes:
        process.kill()
    for process in replicas.processes:
        process.start()
    await replicas.are(True, True)
    assert replicas.indexes() == before


MANY_SECTIONS = """
WITH changed AS (UPDATE documents SET corpus_version = 2 WHERE refid = $1),
    raised AS (UPDATE corpus SET version = 2),
    again AS (UPDATE sections SET text = 'Flaggermus er fredet.' WHERE refid = $1 AND section_key = $2)
INSERT INTO sections
SELECT (jsonb_populate_record(s, jsonb_build_object(
    'section', '§9' || n, 'section_key', '§9' || n, 'position', n, 'text', 'Hubro er fredet.'
))).*
FROM sections AS s, generate_series(10001, 13000) AS n
WHERE s.refid = $1 AND s.section_key = $2
"""
"""Makes version 2: of more sections than are indexed at a time, one of which had another text."""

HOLD = """
CREATE FUNCTION hold(place integer) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    IF place > 11500 AND current_query() LIKE '%ledd_openings%' THEN
        PERFORM pg_advisory_xact_lock_shared(42);
    END IF;
    RETURN true;
END $$;
CREATE POLICY hold ON sections USING (hold(position));
ALTER TABLE sections ENABLE ROW LEVEL SECURITY;
"""
"""Has whoever reads what to index wait for a lock after the first thousand sections."""

HELD = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = 42 AND NOT granted"


@pytest.mark.slow
async def test_a_replica_that_is_killed_while_it_indexes_serves_the_right_law_afterwards(
    replicas: Replicas, database_url: str
) -> None:
    before = replicas.indexes()
    hit = (await replicas.find()).hits[0]
    admin = await asyncpg.connect(database_url)
    try:
        await admin.execute(HOLD)
        await admin.execute("SELECT pg_advisory_lock(42)")
        await admin.execute(MANY_SECTIONS, hit.refid, hit.section.replace(" ", "").casefold())

        async def both_index() -> bool:
            writing = list(replicas.index.glob("slot-*/tantivy/.tantivy-writer.lock"))
            return await admin.fetchval(HELD) == len(writing) == 2

        await until(both_index)
        for process in replicas.processes:
            process.kill()
        await admin.execute("SELECT pg_advisory_unlock(42)")
        await admin.execute("DROP POLICY hold ON sections; ALTER TABLE sections DISABLE ROW LEVEL SECURITY")
    finally:
        await admin.close()
    for process in replicas.processes:
        process.start()
    await replicas.are(True, True)
    assert replicas.indexes() == before
    for _ in range(4):
        bats, owls, deposits = [await replicas.find(query) for query in ("flaggermus", "hubro", "depositum")]
        assert [(found.refid, found.section) for found in bats.hits] == [(hit.refid, hit.section)]
        assert owls.total == 3_000
        assert (hit.refid, hit.section) not in {(found.refid, found.section) for found in deposits.hits}
        assert {found.corpus_version for found in (bats, owls, deposits)} == {2}
