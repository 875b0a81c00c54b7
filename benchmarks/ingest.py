"""A full sync from an empty store: how fast, and how much memory.

    uv run python benchmarks/ingest.py --source FOLDER [--json]

FOLDER holds `gjeldende-lover.tar.bz2` and `gjeldende-sentrale-forskrifter.tar.bz2`. nats-server and
PostgreSQL are started for the run, in temporary folders; ingest runs as a process of its own, whose peak
resident memory is read from the system. What a sync consists of is timed in this process afterwards:
decompressing and parsing alone, storing, telling and finishing in one more sync from empty. In a sync they
overlap, so that it takes less than their sum, of which each stage's share is given.
"""

import argparse
import asyncio
import contextlib
import json
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psutil

from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.database import Database
from lovsvar_chassis.publisher import EventPublisher
from lovsvar_chassis.settings import ServiceSettings
from lovsvar_chassis.streams import declare_streams
from lovsvar_contracts import subjects
from lovsvar_contracts.ingest import (
    DATASET_LAWS,
    DATASET_REGULATIONS,
    SyncCompleted,
    SyncFailed,
    SyncRequested,
    sync_event_adapter,
)
from lovsvar_ingest.adapters.archives import Archives
from lovsvar_ingest.adapters.nats_events import NatsSyncEvents
from lovsvar_ingest.adapters.postgres_store import PostgresStore
from lovsvar_ingest.adapters.tar_stream import TarLimits, read_tar
from lovsvar_ingest.core.dataset_sync import sync_dataset
from lovsvar_ingest.core.lovdata_reader import LovdataReader
from lovsvar_local.embedded import NatsServer, PostgresServer

DATASETS = (DATASET_LAWS, DATASET_REGULATIONS)
PROGRAM = "from lovsvar_ingest.app import main; main()"
STAGE = "stage "
PATIENCE = 600.0
"""Seconds until a sync that says nothing is given up."""


def main() -> None:
    """Run the benchmark and print what it measured."""
    parser = argparse.ArgumentParser(description="A full sync from an empty store: how fast, and how much memory.")
    parser.add_argument("--source", type=Path, required=True, help="folder with the two archives")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    measured = measure(arguments.source.resolve())
    if arguments.json:
        print(json.dumps(measured))
        return
    stages = {name: value for name, value in measured.items() if name.startswith(STAGE)}
    for name, value in measured.items():
        share = f"{100 * value / sum(stages.values()):6.1f} %" if name in stages else ""
        print(f"{name:28} {value:>10,.1f}{share}" if isinstance(value, float) else f"{name:28} {value:>10,}")


def measure(source: Path) -> dict[str, float | int]:
    """Return the numbers, seconds and megabytes."""
    with tempfile.TemporaryDirectory(prefix="lovsvar-bench-", ignore_cleanup_errors=True) as folder:
        nats, postgres = NatsServer(Path(folder) / "nats"), PostgresServer(Path(folder) / "postgres")
        try:
            urls = {"LOVSVAR_NATS_URL": nats.start(), "LOVSVAR_DATABASE_URL": postgres.start()}
            measured = asyncio.run(sync_all(urls, source))
            stages = {**read_alone(source), **asyncio.run(sync_timed(urls, source))}
        finally:
            postgres.stop()
            nats.stop()
    return {**measured, **{f"{STAGE}{name}, s": seconds for name, seconds in stages.items()}}


async def sync_all(urls: dict[str, str], source: Path) -> dict[str, float | int]:
    """Start ingest, sync both data sets from empty and once more unchanged, and stop it."""
    environment = {**os.environ, **urls, "LOVSVAR_SOURCE": str(source)}
    ingest = await asyncio.create_subprocess_exec(
        sys.executable, "-c", PROGRAM, env=environment, stderr=asyncio.subprocess.DEVNULL
    )
    try:
        async with make_broker(ServiceSettings(nats_url=urls["LOVSVAR_NATS_URL"]), "benchmark") as broker:
            publisher = EventPublisher(broker)
            await declare_streams(publisher.jetstream)
            runs = [await sync(publisher, dataset) for dataset in DATASETS]
            again = [await sync(publisher, dataset) for dataset in DATASETS]
        peak = peak_memory(ingest.pid)
        cpu = psutil.Process(ingest.pid).cpu_times()
    finally:
        ingest.terminate()
        await ingest.wait()
    reports = [completed.report for completed in runs]
    seconds = sum(report.seconds for report in reports)
    return {
        "documents": sum(report.added for report in reports),
        "provisions": sum(report.provisions for report in reports),
        "skipped": sum(len(report.skipped) for report in reports),
        "xml MB": sum(report.xml_bytes for report in reports) / 1e6,
        "seconds": seconds,
        "documents/s": sum(report.added for report in reports) / seconds,
        "provisions/s": sum(report.provisions for report in reports) / seconds,
        "xml MB/s": sum(report.xml_bytes for report in reports) / 1e6 / seconds,
        "ingest CPU, s": cpu.user + cpu.system,
        "peak resident MB": peak,
        "unchanged again, s": sum(completed.report.seconds for completed in again),
    }


async def sync(publisher: EventPublisher, dataset: str) -> SyncCompleted:
    """Ask for one sync and return its end."""
    request = SyncRequested(dataset=dataset)
    subscription = await publisher.jetstream.subscribe(subjects.ingest_progress(request.sync_id), ordered_consumer=True)
    await publisher.publish(subjects.INGEST_REQUESTED, request)
    while True:
        event = sync_event_adapter.validate_json((await subscription.next_msg(timeout=PATIENCE)).data)
        if isinstance(event, SyncFailed):
            raise SystemExit(f"{dataset}: {event.detail}")
        if isinstance(event, SyncCompleted):
            await subscription.unsubscribe()
            return event


def peak_memory(pid: int) -> float:
    """Return the most memory that the process ever had resident, in MB."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    except OSError:
        return psutil.Process(pid).memory_info().rss / 1e6
    [line] = [line for line in status.splitlines() if line.startswith("VmHWM:")]
    return int(line.split()[1]) * 1024 / 1e6


def read_alone(source: Path) -> dict[str, float]:
    """Return the seconds of decompressing, and of parsing what is decompressed."""
    reading = parsing = 0.0
    for dataset in DATASETS:
        began = time.perf_counter()
        for _file in read_tar(source / f"{dataset}.tar.bz2", TarLimits()):
            pass
        reading += time.perf_counter() - began
        for file, _ in read_tar(source / f"{dataset}.tar.bz2", TarLimits()):
            began = time.thread_time()
            for _batch in LovdataReader().batches([file], dataset, datetime.now(UTC).date()):
                pass
            parsing += time.thread_time() - began
    return {"decompressing": reading, "parsing": parsing}


class Timed:
    """Anything whose methods are coroutines, with the seconds that each method took."""

    def __init__(self, inner: object) -> None:
        self._inner = inner
        self.seconds: Counter[str] = Counter()

    def __getattr__(self, name: str) -> Callable[..., Any]:
        async def timed(*arguments: Any) -> Any:
            began = time.perf_counter()
            try:
                return await getattr(self._inner, name)(*arguments)
            finally:
                self.seconds[name] += time.perf_counter() - began  # type: ignore[assignment]

        return timed


class TimedStore:
    """The store, with its writer timed."""

    def __init__(self, store: PostgresStore) -> None:
        self._store = store
        self.seconds: Counter[str] = Counter()

    @contextlib.asynccontextmanager
    async def writer(self, dataset: str) -> AsyncIterator[Any]:
        """Hold `dataset`, as the store does."""
        async with self._store.writer(dataset) as writer:
            timed = Timed(writer)
            yield timed
            self.seconds += timed.seconds


async def sync_timed(urls: dict[str, str], source: Path) -> dict[str, float]:
    """Sync both data sets in this process from empty; return the seconds of storing, telling and finishing."""
    database = Database(urls["LOVSVAR_DATABASE_URL"], size=2)
    await database.start()
    try:
        async with make_broker(ServiceSettings(nats_url=urls["LOVSVAR_NATS_URL"]), "benchmark") as broker:
            await database.pool.execute("TRUNCATE documents, structures, sections, archives CASCADE")
            store, events = TimedStore(PostgresStore(database)), Timed(NatsSyncEvents(EventPublisher(broker)))
            for dataset in DATASETS:
                await sync_dataset(
                    SyncRequested(dataset=dataset), Archives(str(source)), LovdataReader(), store, events
                )
    finally:
        await database.stop()
    storing = store.seconds.pop("write")
    return {"storing": storing, "telling": sum(events.seconds.values()), "finishing": sum(store.seconds.values())}


if __name__ == "__main__":
    main()
