"""Catalogues synced as others ask for it: over a real nats-server, into a real PostgreSQL."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.settings import ServiceSettings
from lovsvar_contracts import subjects
from lovsvar_contracts.catalogues import CatalogueChanged
from lovsvar_contracts.ingest import SyncCompleted, SyncFailed, SyncProgressed, SyncRequested, SyncStarted
from lovsvar_contracts.problems import ProblemType

DATASET = "katalog-hjelp"

TOML = """
id = "hjelp"
name = "Hjelpetilbud"
language = "nb"
items = "items.jsonl"
link_hosts = ["example.org"]
offer = "Tilbud til den som trenger hjelp."
"""


def item(number: int, **fields: Any) -> dict[str, Any]:
    """Return an item as whoever keeps the catalogue writes it."""
    return {
        "id": f"t{number}",
        "name": f"Tilbud {number}",
        "description": f"Hjelp med sak nummer {number}, for den som trenger det.",
        "url": f"https://example.org/{number}",
        "problems": [f"problem {number}", "uenighet"],
        **fields,
    }


class Folder:
    """A catalogue in a folder."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.mkdir()
        self.describe()

    def describe(self, toml: str = TOML) -> None:
        (self.path / "catalogue.toml").write_text(toml, encoding="utf-8")

    def put(self, items: Sequence[Any]) -> None:
        """Write the items; a text is written as it is."""
        lines = [each if isinstance(each, str) else json.dumps(each) for each in items]
        (self.path / "items.jsonl").write_text("\n".join(lines), encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path / "hjelp")


@pytest.fixture
def listed(ingest: Any, folder: Folder, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Run ingest with the catalogue listed; it is synced when it is asked for alone."""
    monkeypatch.setattr("lovsvar_ingest.catalogue_keeper.LAW_FIRST", 3600.0)
    return lambda **fields: ingest(**{"catalogues": (str(folder.path),), **fields})


async def versions(database: Any) -> dict[str, int]:
    """The version of each item that is not removed."""
    rows = await database.fetch("SELECT product_id, version FROM products WHERE removed_at IS NULL")
    return {row["product_id"]: row["version"] for row in rows}


async def test_a_catalogue_is_stored_with_its_texts_and_the_law_keeps_its_version(
    listed: Any, client: Any, folder: Folder, database: Any
) -> None:
    folder.put([item(1, price="fra kr 500,-", by="Oslo"), item(2, category="Råd", for_whom=["leietakere", "unge"])])
    async with listed():
        end = await client.sync(DATASET)
    assert isinstance(end, SyncCompleted)
    assert (end.dataset, end.report.added, end.report.skipped, end.corpus_version) == (DATASET, 2, (), 0)
    assert isinstance(client.heard[0], SyncStarted)
    assert [type(event) for event in client.heard[1:-1]] == [SyncProgressed] * (len(client.heard) - 2)
    first, second = await database.fetch("SELECT * FROM products ORDER BY product_id")
    assert (first["name"], first["price"], first["amount"], first["url"]) == (
        "Tilbud 1",
        "fra kr 500,-",
        500.0,
        "https://example.org/1",
    )
    assert (first["problems"], json.loads(first["attributes"])) == (["problem 1", "uenighet"], {"by": "Oslo"})
    assert (second["price"], second["amount"], second["category"]) == ("Pris ikke oppgitt", None, "Råd")
    assert json.loads(second["attributes"]) == {"for_whom": ["leietakere", "unge"]}
    texts = await database.fetch("SELECT number, text FROM product_passages WHERE product_id = 't1' ORDER BY number")
    assert [tuple(row) for row in texts] == [
        (0, "Tilbud 1\nHjelp med sak nummer 1, for den som trenger det."),
        (1, "problem 1"),
        (2, "uenighet"),
    ]
    row = await database.fetchrow("SELECT * FROM catalogues")
    definition = json.loads(row["definition"])
    assert (row["name"], row["language"], row["removed_at"]) == ("Hjelpetilbud", "nb", None)
    assert (definition["weights"], definition["recommend"]) == ({"meaning": 0.7, "words": 0.3}, 3)
    assert (definition["link_hosts"], definition["no_price"]) == (["example.org"], "Pris ikke oppgitt")
    assert row["version"] == first["version"]


async def test_what_changed_is_stored_and_the_rest_keeps_its_version(
    listed: Any, client: Any, folder: Folder, database: Any
) -> None:
    folder.put([item(n) for n in range(1, 5)])
    async with listed():
        await client.sync(DATASET)
        before = await versions(database)
        folder.put([item(1), item(2, price="Gratis"), item(3), item(5)])
        end = await client.sync(DATASET)
        again = await client.sync(DATASET)
        forced = await client.sync(DATASET, force=True)
        folder.put([item(1), item(2, price="Gratis"), item(3), item(4), item(5)])
        back = await client.sync(DATASET)
    report = end.report
    assert (report.added, report.changed, report.removed, report.unchanged) == (1, 1, 1, 2)
    after = await versions(database)
    assert after.keys() == {"t1", "t2", "t3", "t4", "t5"}
    assert (again.report.unchanged, again.report.changed, again.report.added) == (4, 0, 0)
    assert (forced.report.changed, back.report.added) == (4, 1)
    assert before["t1"] < after["t1"] < after["t4"], "forced, and then added"
    assert await database.fetchval("SELECT count(*) FROM product_passages") == 15
    assert await database.fetchval("SELECT version FROM catalogues") == after["t4"]


async def test_nothing_new_raises_no_version_and_a_new_description_does(
    listed: Any, client: Any, folder: Folder, database: Any, nats_url: str
) -> None:
    folder.put([item(1)])
    heard: list[CatalogueChanged] = []
    broker = make_broker(ServiceSettings(nats_url=nats_url), "test")
    async with broker, listed():
        subscription = await broker.connection.subscribe(subjects.CATALOGUE_CHANGED)
        await client.sync(DATASET)
        first = await database.fetchval("SELECT version FROM catalogues")
        await client.sync(DATASET)
        assert await database.fetchval("SELECT version FROM catalogues") == first
        folder.describe(TOML + "recommend = 2\n")
        end = await client.sync(DATASET)
        second = await database.fetchval("SELECT version FROM catalogues")
        for _ in range(2):
            message = await subscription.next_msg(timeout=10)
            heard.append(CatalogueChanged.model_validate_json(message.data))
        assert subscription.pending_msgs == 0
    assert (end.report.unchanged, end.report.changed) == (1, 0)
    assert [(event.catalogue, event.version) for event in heard] == [("hjelp", first), ("hjelp", second)]
    assert await versions(database) == {"t1": first}


async def test_a_bad_item_is_reported_by_its_line_and_costs_nothing_else(
    listed: Any, client: Any, folder: Folder, database: Any
) -> None:
    folder.put([item(1), item(2)])
    async with listed():
        await client.sync(DATASET)
        folder.put(
            [item(1), item(2, name=" "), "{", item(3, url="javascript:alert(1)"), item(4, name="\ud800\x00Fire")]
        )
        end = await client.sync(DATASET)
    assert isinstance(end, SyncCompleted)
    assert [(skipped.file, skipped.reason.split(" ")[0]) for skipped in end.report.skipped] == [
        ("items.jsonl:2", "navnet"),
        ("items.jsonl:3", "linjen"),
        ("items.jsonl:4", "lenken"),
    ]
    rows = await database.fetch("SELECT product_id, name, url FROM products WHERE removed_at IS NULL ORDER BY 1")
    assert [tuple(row) for row in rows] == [
        ("t1", "Tilbud 1", "https://example.org/1"),
        ("t2", "Tilbud 2", "https://example.org/2"),  # an item that became bad stays as it was
        ("t3", "Tilbud 3", ""),
        ("t4", "Fire", "https://example.org/4"),
    ]


@pytest.mark.parametrize("left", [0, 3])
async def test_a_file_that_would_empty_the_catalogue_is_stopped_until_it_is_accepted(
    listed: Any, client: Any, folder: Folder, database: Any, left: int
) -> None:
    folder.put([item(n) for n in range(20)])
    async with listed():
        await client.sync(DATASET)
        folder.put([item(n) for n in range(left)])
        stopped = await client.sync(DATASET)
        assert len(await versions(database)) == 20
        assert isinstance(stopped, SyncFailed)
        assert stopped.problem is ProblemType.CONFLICT
        checksum = stopped.detail.partition("SHA-256 ")[2][:64]
        accepted = await client.sync(DATASET, accept=checksum)
    assert accepted.report.removed == 20 - left
    assert len(await versions(database)) == left


async def test_a_first_file_without_an_item_fails_and_says_why(listed: Any, client: Any, folder: Folder) -> None:
    folder.put([{"navn": "x"}])
    async with listed():
        end = await client.sync(DATASET)
    assert isinstance(end, SyncFailed)
    assert end.problem is ProblemType.SOURCE_UNREADABLE
    assert "items.jsonl:1: id («id») mangler" in end.detail


async def test_only_listed_catalogues_are_synced(listed: Any, client: Any, folder: Folder, tmp_path: Path) -> None:
    folder.put([item(1)])
    other = Folder(tmp_path / "annen")
    other.describe(TOML.replace('"hjelp"', '"annen"'))
    async with listed():
        unknown = await client.sync("katalog-annen")
        elsewhere = await client.sync(DATASET, source=str(other.path))
        own = await client.sync(DATASET, source=str(folder.path))
    assert (unknown.problem, elsewhere.problem) == (ProblemType.INVALID_REQUEST, ProblemType.INVALID_REQUEST)
    assert "LOVSVAR_CATALOGUES" in unknown.detail
    assert isinstance(own, SyncCompleted)


async def test_a_broken_file_is_explained_and_the_stored_catalogue_stays(
    listed: Any, client: Any, folder: Folder, database: Any
) -> None:
    folder.put([item(1)])
    async with listed():
        await client.sync(DATASET)
    folder.describe(TOML.replace("language", "langauge"))
    async with listed():
        end = await client.sync(DATASET, source=str(folder.path))
    assert isinstance(end, SyncFailed)
    assert "ukjent nøkkel «langauge»; mente du «language»?" in end.detail
    assert await database.fetchval("SELECT removed_at IS NULL FROM catalogues")


async def test_a_catalogue_that_is_no_longer_listed_is_marked_removed_and_comes_back(
    listed: Any, client: Any, folder: Folder, database: Any, nats_url: str
) -> None:
    folder.put([item(1), item(2)])
    async with listed():
        await client.sync(DATASET)
    before = await database.fetchval("SELECT version FROM catalogues")
    broker = make_broker(ServiceSettings(nats_url=nats_url), "test")
    async with broker:
        subscription = await broker.connection.subscribe(subjects.CATALOGUE_CHANGED)
        async with listed(catalogues=("none",)):
            message = await subscription.next_msg(timeout=30)
    event = CatalogueChanged.model_validate_json(message.data)
    assert (event.catalogue, event.version > before) == ("hjelp", True)
    assert await database.fetchval("SELECT removed_at IS NOT NULL FROM catalogues")
    assert (await versions(database), await database.fetchval("SELECT count(*) FROM product_passages")) == ({}, 0)
    async with listed():
        end = await client.sync(DATASET)
    assert end.report.added == 2
    assert await database.fetchval("SELECT removed_at IS NULL FROM catalogues")


async def test_a_new_catalogue_is_synced_at_start_once_there_is_law(
    listed: Any, client: Any, folder: Folder, database: Any, nats_url: str
) -> None:
    folder.put([item(1)])
    broker = make_broker(ServiceSettings(nats_url=nats_url), "test")
    async with broker, listed():
        subscription = await broker.connection.subscribe(subjects.CATALOGUE_CHANGED)
        await client.sync("eksempel")
        message = await subscription.next_msg(timeout=30)
    assert CatalogueChanged.model_validate_json(message.data).catalogue == "hjelp"
    assert await versions(database)


async def test_every_change_of_a_file_or_of_the_list_is_synced_at_the_next_start(
    listed: Any, client: Any, folder: Folder, database: Any, nats_url: str
) -> None:
    folder.put([item(1)])
    broker = make_broker(ServiceSettings(nats_url=nats_url), "test")
    async with broker:
        changes = await broker.connection.subscribe(subjects.CATALOGUE_CHANGED)
        async with listed():
            await client.sync("eksempel")
            await changes.next_msg(timeout=30)
        folder.put([item(1), item(2)])
        for places in ((str(folder.path),), ("none",), (str(folder.path),)):
            async with listed(catalogues=places):
                await changes.next_msg(timeout=30)
    assert set(await versions(database)) == {"t1", "t2"}


async def test_a_request_that_is_delivered_twice_is_synced_once_and_ends_twice(
    listed: Any, client: Any, folder: Folder, database: Any, nats_url: str
) -> None:
    folder.put([item(1)])
    request = SyncRequested(dataset=DATASET)
    broker = make_broker(ServiceSettings(nats_url=nats_url), "test")
    async with broker, listed():
        await client.ask(request)
        first = await client.end(request.sync_id)
        folder.put([item(1), item(2)])
        subscription = await broker.connection.subscribe(subjects.ingest_progress(request.sync_id))
        await client.ask(request.model_copy(update={"event_id": "again"}))
        second = SyncCompleted.model_validate_json((await subscription.next_msg(timeout=30)).data)
    assert second == first
    assert await database.fetchval("SELECT count(*) FROM products") == 1


async def test_a_sync_that_takes_too_long_or_has_too_many_items_changes_nothing(
    listed: Any, client: Any, folder: Folder, database: Any
) -> None:
    folder.put([item(n) for n in range(20_000)])
    async with listed(catalogue_seconds=0.2):
        slow = await client.sync(DATASET)
    async with listed(catalogue_items=100):
        many = await client.sync(DATASET)
    async with listed(catalogue_bytes=1_000):
        large = await client.sync(DATASET)
    assert [type(end) for end in (slow, many, large)] == [SyncFailed] * 3
    assert "ikke lest på 0.2 sekunder" in slow.detail
    assert "mer enn 100 linjer" in many.detail
    assert "større enn 1000 byte" in large.detail
    assert await database.fetchval("SELECT count(*) FROM products") == 0
    assert await database.fetchval("SELECT count(*) FROM catalogues") == 0
    assert {row["status"] for row in await database.fetch("SELECT status FROM syncs")} == {"failed"}


async def test_an_ingest_that_is_stopped_in_the_middle_leaves_no_trace_and_the_request_ends_after_all(
    listed: Any, client: Any, folder: Folder, database: Any, nats_url: str
) -> None:
    folder.put([item(n) for n in range(10_000)])
    request = SyncRequested(dataset=DATASET)
    broker = make_broker(ServiceSettings(nats_url=nats_url), "test")
    async with broker:
        subscription = await broker.connection.subscribe(subjects.ingest_progress(request.sync_id))
        async with listed():
            await client.ask(request)
            await subscription.next_msg(timeout=30)
        # What it left unread would hold up the end of the connection.
        await subscription.unsubscribe()
        stored = await database.fetchval("SELECT count(*) FROM products")
    assert stored in {0, 10_000}, "all of it, or nothing"
    async with listed():
        end = await client.end(request.sync_id)
    # It may have stored all, and not have said so yet: then nothing is left to add.
    assert end.report.added in {10_000, 10_000 - stored}
    assert len(await versions(database)) == 10_000
