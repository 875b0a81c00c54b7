"""A full sync from an empty store: how fast, and how much memory.

    uv run python benchmarks/ingest.py --source FOLDER [--json]

FOLDER holds `gjeldende-lover.tar.bz2` and `gjeldende-sentrale-forskrifter.tar.bz2`. nats-server and
PostgreSQL are started for the run, in temporary folders; ingest runs as a process of its own, whose peak
resident memory is read from the system. Decompressing and parsing are also timed alone, in this process,
to show what a sync consists of; in the sync they overlap with storing.
"""

import argparse
import asyncio
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psutil

from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.events import EventPublisher
from lovsvar_chassis.settings import ServiceSettings
from lovsvar_chassis.streams import declare_streams
from lovsvar_contracts import subjects
from lovsvar_contracts.ingest import (
    DATASET_LAWS,
    DATASET_REGULATIONS,
    SyncCompleted,
    SyncEvent,
    SyncFailed,
    SyncProgressed,
    SyncRequested,
    sync_event_adapter,
)
from lovsvar_ingest.adapters.tar_reading import TarLimits, read_tar
from lovsvar_ingest.core.batches import read_batches
from lovsvar_local.embedded import NatsServer, PostgresServer

DATASETS = (DATASET_LAWS, DATASET_REGULATIONS)
PROGRAM = "from lovsvar_ingest.app import main; main()"
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
    for name, value in measured.items():
        print(f"{name:28} {value:>10,.1f}" if isinstance(value, float) else f"{name:28} {value:>10,}")


def measure(source: Path) -> dict[str, float | int]:
    """Return the numbers, seconds and megabytes."""
    with tempfile.TemporaryDirectory(prefix="lovsvar-bench-", ignore_cleanup_errors=True) as folder:
        nats, postgres = NatsServer(Path(folder) / "nats"), PostgresServer(Path(folder) / "postgres")
        try:
            urls = {"LOVSVAR_NATS_URL": nats.start(), "LOVSVAR_DATABASE_URL": postgres.start()}
            measured = asyncio.run(sync_all(urls, source))
        finally:
            postgres.stop()
            nats.stop()
    return {**measured, **time_alone(source)}


async def sync_all(urls: dict[str, str], source: Path) -> dict[str, float | int]:
    """Start ingest, sync both data sets from empty and once more unchanged, and stop it."""
    environment = {**os.environ, **urls, "LOVSVAR_SOURCE": str(source)}
    ingest = await asyncio.create_subprocess_exec(
        sys.executable, "-c", PROGRAM, env=environment, stderr=asyncio.subprocess.DEVNULL
    )
    try:
        async with make_broker(ServiceSettings(nats_url=urls["LOVSVAR_NATS_URL"]), "benchmark", {}) as broker:
            publisher = EventPublisher(broker)
            await declare_streams(publisher.jetstream)
            runs = [await sync(publisher, dataset) for dataset in DATASETS]
            again = [await sync(publisher, dataset) for dataset in DATASETS]
        peak = peak_memory(ingest.pid)
        cpu = psutil.Process(ingest.pid).cpu_times()
    finally:
        ingest.terminate()
        await ingest.wait()
    reports = [completed.report for completed, _ in runs]
    seconds = sum(report.seconds for report in reports)
    stages = [stage_seconds(events) for _, events in runs]
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
        **{f"stage {name}, s": sum(stage.get(name, 0.0) for stage in stages) for name in sorted(set().union(*stages))},
        "unchanged again, s": sum(completed.report.seconds for completed, _ in again),
    }


async def sync(publisher: EventPublisher, dataset: str) -> tuple[SyncCompleted, list[SyncEvent]]:
    """Ask for one sync and return its end and its events."""
    request = SyncRequested(dataset=dataset)
    subscription = await publisher.jetstream.subscribe(subjects.ingest_progress(request.sync_id), ordered_consumer=True)
    await publisher.publish(subjects.INGEST_REQUESTED, request)
    events: list[SyncEvent] = []
    while True:
        event = sync_event_adapter.validate_json((await subscription.next_msg(timeout=PATIENCE)).data)
        events.append(event)
        if isinstance(event, SyncFailed):
            raise SystemExit(f"{dataset}: {event.detail}")
        if isinstance(event, SyncCompleted):
            await subscription.unsubscribe()
            return event, events


def stage_seconds(events: list[SyncEvent]) -> dict[str, float]:
    """Return the seconds between the events of each stage; the time until an event belongs to its stage."""
    seconds: dict[str, float] = {}
    before = events[0].occurred_at
    for event in events[1:]:
        stage = event.stage.value if isinstance(event, SyncProgressed) else "finishing"
        seconds[stage] = seconds.get(stage, 0.0) + (event.occurred_at - before).total_seconds()
        before = event.occurred_at
    return seconds


def peak_memory(pid: int) -> float:
    """Return the most memory that the process ever had resident, in MB."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    except OSError:
        return psutil.Process(pid).memory_info().rss / 1e6
    [line] = [line for line in status.splitlines() if line.startswith("VmHWM:")]
    return int(line.split()[1]) * 1024 / 1e6


def time_alone(source: Path) -> dict[str, float]:
    """Return how long decompressing takes alone, and parsing with decompressing ahead of it."""

    def archives() -> Iterator[tuple[str, Any]]:
        for dataset in DATASETS:
            yield dataset, (file for file, _ in read_tar(source / f"{dataset}.tar.bz2", TarLimits()))

    began = time.perf_counter()
    for _, files in archives():
        for _file in files:
            pass
    decompressed = time.perf_counter()
    for dataset, files in archives():
        for _batch in read_batches(files, dataset, datetime.now(UTC).date()):
            pass
    return {"decompressing alone, s": decompressed - began, "and parsing, s": time.perf_counter() - decompressed}


if __name__ == "__main__":
    main()
