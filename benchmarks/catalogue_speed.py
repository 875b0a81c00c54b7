"""How fast a catalogue of generated items is synced, without vectors.

    uv run python benchmarks/catalogue_speed.py [--items 100000] [--json]

nats-server and PostgreSQL are started for the run, in temporary folders; ingest runs as a process of its own, and reads
the catalogue from a folder as an operator lists it. It is synced from empty, again unchanged, and with every hundredth
item changed.
"""

import argparse
import asyncio
import json
import os
import random
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil

from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.publisher import EventPublisher
from lovsvar_chassis.settings import ServiceSettings
from lovsvar_chassis.streams import declare_streams
from lovsvar_contracts import subjects
from lovsvar_contracts.catalogues import dataset_of
from lovsvar_contracts.ingest import SyncCompleted, SyncFailed, SyncRequested, sync_event_adapter
from lovsvar_local.embedded import NatsServer, PostgresServer

CATALOGUE = "generert"

TOML = f"""
id = "{CATALOGUE}"
name = "Generert katalog"
language = "nb"
items = "items.jsonl"
invented = true
link_hosts = ["example.org"]
"""

SETTINGS = {"LOVSVAR_EMBEDDING": "off", "LOVSVAR_PLAN_EMBEDDINGS": "false"}
PROGRAM = "from lovsvar_ingest.app import main; main()"
PATIENCE = 600.0
"""Seconds until a sync that says nothing is given up."""

KINDS = ("Rådgivning", "Megling", "Samtalegruppe", "Rettshjelp", "Kurs", "Veiledning", "Kartlegging", "Oppfølging")
SUBJECTS = (
    "husleie", "oppsigelse", "gjeld", "arv", "barnefordeling", "sykmelding", "mobbing", "nabokrangel", "utkastelse",
    "lønnskrav", "skatt", "klage", "oppholdstillatelse", "diskriminering", "reklamasjon", "vold", "verge", "skilsmisse",
    "byggefeil", "permisjon", "uføretrygd", "personvern", "trafikkskade", "studielån", "depositum", "arbeidstid",
)  # fmt: skip
PEOPLE = ("leietakere", "arbeidstakere", "foreldre", "studenter", "eldre", "innvandrere", "selvstendige", "pårørende")
PLACES = ("Oslo", "Bergen", "Trondheim", "Stavanger", "Tromsø", "Bodø", "Drammen", "Kristiansand", "hele landet")
PRICES = ("Gratis", "fra kr 500,-", "1 200 kr", "", "kr 350 per time", "990 kr")


def items(count: int, seed: int = 22) -> Iterator[dict[str, Any]]:
    """Yield `count` items, the same for a `seed`."""
    draw = random.Random(seed)  # items to measure by, not secrets
    for number in range(count):
        kind, people, place = draw.choice(KINDS), draw.choice(PEOPLE), draw.choice(PLACES)
        one, two, three = draw.sample(SUBJECTS, 3)
        yield {
            "id": f"g{number}",
            "name": f"{kind} om {one} for {people} nr. {number}",
            "description": f"{kind} i {place} for {people} som har spørsmål om {one}, {two} eller {three}. Du får en "
            f"samtale innen {draw.randint(1, 30)} dager, og hjelp til å skrive brev og klager. Sak {number}.",
            "price": draw.choice(PRICES),
            "url": f"https://example.org/tilbud/{number}",
            "category": kind,
            "problems": [f"problemer med {one}", f"hjelp til {two}", f"{three} i {place}"],
            "place": place,
            "for": [people],
        }


def write(folder: Path, count: int, changed: int = 0) -> None:
    """Write a catalogue of `count` items; every one of `changed` has another price than before."""
    (folder / "catalogue.toml").write_text(TOML, encoding="utf-8")
    with (folder / "items.jsonl").open("w", encoding="utf-8") as file:
        for number, item in enumerate(items(count)):
            if changed and number % changed == 0:
                item["price"] = "777 kr"
            file.write(json.dumps(item, ensure_ascii=False) + "\n")


async def sync(urls: dict[str, str], folder: Path, count: int) -> dict[str, float | int]:
    """Start ingest, sync `count` items into an empty store and twice more, and stop it; return the numbers."""
    write(folder, count)
    environment = {**os.environ, **urls, **SETTINGS, "LOVSVAR_CATALOGUES": str(folder)}
    ingest = await asyncio.create_subprocess_exec(
        sys.executable, "-c", PROGRAM, env=environment, stderr=asyncio.subprocess.DEVNULL
    )
    try:
        async with make_broker(ServiceSettings(nats_url=urls["LOVSVAR_NATS_URL"]), "benchmark") as broker:
            publisher = EventPublisher(broker)
            await declare_streams(publisher.jetstream)
            first = await sync_once(publisher)
            again = await sync_once(publisher)
            write(folder, count, changed=100)
            third = await sync_once(publisher)
        process = psutil.Process(ingest.pid)
        cpu, memory = process.cpu_times(), peak_memory(ingest.pid)
    finally:
        ingest.terminate()
        await ingest.wait()
    return {
        "items": first.report.added,
        "reported": len(first.report.skipped),
        "file MB": first.report.archive_bytes / 1e6,
        "from empty, s": first.report.seconds,
        "items/s": first.report.added / first.report.seconds,
        "unchanged again, s": again.report.seconds,
        "changed": third.report.changed,
        "one in a hundred changed, s": third.report.seconds,
        "ingest CPU, s": cpu.user + cpu.system,
        "peak resident MB": memory,
    }


async def sync_once(publisher: EventPublisher) -> SyncCompleted:
    """Ask for one sync of the catalogue and return its end."""
    request = SyncRequested(dataset=dataset_of(CATALOGUE))
    subscription = await publisher.jetstream.subscribe(subjects.ingest_progress(request.sync_id), ordered_consumer=True)
    await publisher.publish(subjects.INGEST_REQUESTED, request)
    while True:
        event = sync_event_adapter.validate_json((await subscription.next_msg(timeout=PATIENCE)).data)
        if isinstance(event, SyncFailed):
            raise SystemExit(event.detail)
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


def measure(count: int) -> dict[str, float | int]:
    """Return the numbers, seconds and megabytes."""
    with tempfile.TemporaryDirectory(prefix="lovsvar-bench-", ignore_cleanup_errors=True) as folder:
        place = Path(folder)
        nats, postgres = NatsServer(place / "nats"), PostgresServer(place / "postgres")
        (place / "catalogue").mkdir()
        try:
            urls = {"LOVSVAR_NATS_URL": nats.start(), "LOVSVAR_DATABASE_URL": postgres.start()}
            return asyncio.run(sync(urls, place / "catalogue", count))
        finally:
            postgres.stop()
            nats.stop()


def main() -> None:
    """Run the benchmark and print what it measured."""
    parser = argparse.ArgumentParser(description="How fast a catalogue of generated items is synced.")
    parser.add_argument("--items", type=int, default=100_000, help="how many items")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    measured = measure(arguments.items)
    if arguments.json:
        print(json.dumps(measured))
        return
    for name, value in measured.items():
        print(f"{name:28} {value:>10,.1f}" if isinstance(value, float) else f"{name:28} {value:>10,}")


if __name__ == "__main__":
    main()
