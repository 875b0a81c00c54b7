"""Bringing a data set up to date, on stand-ins for store, archives and events."""

import itertools
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date

import pytest

from lovsvar_contracts.ingest import (
    DATASET_SAMPLE,
    DocumentChange,
    DocumentChanged,
    SyncCompleted,
    SyncFailed,
    SyncReport,
    SyncRequested,
    SyncStarted,
)
from lovsvar_contracts.law import InForce
from lovsvar_contracts.problems import ProblemType
from lovsvar_ingest.adapters.in_memory import MemoryArchives, MemoryEvents, MemoryStore
from lovsvar_ingest.core.dataset_sync import sync_dataset
from lovsvar_ingest.core.errors import SourceUnreachable, SourceUnreadable, SyncUnderWay
from lovsvar_ingest.core.lovdata_reader import LovdataReader

Page = Callable[..., bytes]

LAWS = "gjeldende-lover"


class World:
    """A store, archives and events, and a sync on them."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.today = date(2026, 11, 21)
        self.store = MemoryStore()
        self.archives = MemoryArchives({LAWS: {"nl/1.xml": self.law(1), "nl/2.xml": self.law(2)}}, date(2026, 7, 2))
        self.events = MemoryEvents()

    def law(self, number: int, text: str = "Regel.") -> bytes:
        """Return a law with one provision."""
        article = f'<article class="legalArticle" data-name="§1"><article class="legalP">{text}</article></article>'
        return self.page(article, refid=f"lov/2999-01-01-{number}", title=f"Lov nummer {number}")

    async def sync(self, dataset: str = LAWS, **fields: object) -> SyncCompleted | SyncFailed:
        """Sync `dataset` and return how it ended."""
        request = SyncRequested.model_validate({"dataset": dataset, **fields})
        self.events.syncs.clear()
        self.events.documents.clear()
        await sync_dataset(request, self.archives, LovdataReader(), self.store, self.events, lambda: self.today)
        end = self.events.syncs[-1]
        assert isinstance(end, SyncCompleted | SyncFailed)
        return end

    async def report(self, **fields: object) -> SyncReport:
        """Sync and return the report of a sync that ends well."""
        end = await self.sync(**fields)  # type: ignore[arg-type]
        assert isinstance(end, SyncCompleted)
        return end.report

    async def store_in_force(self) -> set[str]:
        async with self.store.writer(LAWS) as writer:
            return {document.refid for document in await writer.in_force()}

    def live(self) -> set[str]:
        return self.store.documents.keys() - self.store.removed

    def changes(self) -> list[tuple[str, DocumentChange]]:
        return [(event.refid, event.change) for event in self.events.documents]


@pytest.fixture
def world(make_page: Page) -> World:
    return World(make_page)


async def test_a_first_sync_stores_everything_and_tells_of_it(world: World) -> None:
    end = await world.sync()
    assert isinstance(end, SyncCompleted)
    assert (end.report.added, end.report.provisions, end.report.changed, end.report.removed) == (2, 2, 0, 0)
    assert (end.corpus_version, end.corpus_date) == (1, date(2026, 7, 2))
    assert isinstance(world.events.syncs[0], SyncStarted)
    assert world.changes() == [("lov/2999-01-01-1", DocumentChange.ADDED), ("lov/2999-01-01-2", DocumentChange.ADDED)]
    assert world.events.documents[0].sections == ("§1",)
    assert {event.correlation_id for event in world.events.syncs} == {end.correlation_id}


async def test_a_second_sync_of_the_same_archive_writes_nothing(world: World) -> None:
    await world.sync()
    report = await world.report()
    assert (report.added, report.changed, report.unchanged) == (0, 0, 2)
    assert (world.store.writes, world.store.version) == (2, 1)
    assert world.changes() == []


async def test_what_its_source_says_is_unchanged_is_not_fetched_until_a_date_in_it_has_come(world: World) -> None:
    await world.sync()
    await world.sync()
    assert world.archives.fetched == 1
    head = '<dd class="dateInForce">2026-11-22</dd>'
    world.archives.archives[LAWS] = {"nl/1.xml": world.page(head=head, refid="lov/2999-01-01-1")}
    await world.sync()
    await world.sync()
    assert (world.archives.fetched, world.store.archives[LAWS].reread) == (2, date(2026, 11, 22))
    world.today = date(2026, 11, 22)
    await world.sync()
    assert world.archives.fetched == 3
    assert world.store.documents["lov/2999-01-01-1"].header.in_force is InForce.YES


async def test_only_what_changed_is_written(world: World) -> None:
    await world.sync()
    world.archives.archives[LAWS] = {"nl/1.xml": world.law(1), "nl/2.xml": world.law(2, "Ny regel.")}
    report = await world.report()
    assert (report.added, report.changed, report.unchanged) == (0, 1, 1)
    assert world.changes() == [("lov/2999-01-01-2", DocumentChange.CHANGED)]
    assert world.store.version == 2


async def test_documents_are_told_of_once_their_version_counts_and_none_is_lost(world: World) -> None:
    told: list[list[tuple[str, str, int]]] = []
    versions: list[int] = []

    async def publish(events: Sequence[DocumentChanged]) -> None:
        versions.append(world.store.version)
        told.append([(event.event_id, event.refid, event.corpus_version) for event in events])
        if len(told) == 1:
            raise ConnectionError("the broker is gone")

    world.events.publish_documents = publish  # type: ignore[method-assign]
    with pytest.raises(ConnectionError):
        await world.sync(sync_id="s")
    assert isinstance(await world.sync(sync_id="s"), SyncCompleted)
    assert told[0] == told[1]
    assert [(refid, version) for _, refid, version in told[1]] == [("lov/2999-01-01-1", 1), ("lov/2999-01-01-2", 1)]
    assert (versions, world.store.changes) == ([1, 1], [])


async def test_force_writes_every_document_again(world: World) -> None:
    await world.sync()
    assert (await world.report(force=True)).changed == 2
    assert world.store.version == 2


async def test_what_left_the_archive_is_removed_and_may_come_back(world: World) -> None:
    await world.sync()
    world.archives.archives[LAWS] = {"nl/1.xml": world.law(1)}
    assert (await world.report()).removed == 1
    assert world.live() == {"lov/2999-01-01-1"}
    assert world.changes() == [("lov/2999-01-01-2", DocumentChange.REMOVED)]
    world.archives.archives[LAWS] = {"nl/1.xml": world.law(1), "nl/2.xml": world.law(2)}
    assert (await world.report()).added == 1
    assert world.live() == {"lov/2999-01-01-1", "lov/2999-01-01-2"}


async def test_a_malformed_document_is_skipped_with_a_reason_and_its_earlier_version_stays(world: World) -> None:
    await world.sync()
    world.archives.archives[LAWS] = {"nl/1.xml": b"<html>", "nl/2.xml": world.law(2), "nl/3.xml": b"tull"}
    report = await world.report()
    assert [skipped.file for skipped in report.skipped] == ["nl/1.xml", "nl/3.xml"]
    assert all(skipped.reason for skipped in report.skipped)
    assert report.removed == 0
    assert world.live() == {"lov/2999-01-01-1", "lov/2999-01-01-2"}


@pytest.mark.parametrize("contents", [{}, {"nl/1.xml": b"tull"}])
async def test_an_archive_without_any_document_is_refused(world: World, contents: dict[str, bytes]) -> None:
    await world.sync()
    world.archives.archives[LAWS] = contents
    end = await world.sync()
    assert isinstance(end, SyncFailed)
    assert end.problem is ProblemType.SOURCE_UNREADABLE
    assert len(world.live()) == 2


async def test_an_archive_that_breaks_off_removes_nothing(world: World) -> None:
    await world.sync()
    world.archives.archives[LAWS] = {"nl/1.xml": world.law(1)}
    world.archives.broken = SourceUnreadable("Arkivet er avkortet.")
    end = await world.sync()
    assert isinstance(end, SyncFailed)
    assert (end.problem, end.detail) == (ProblemType.SOURCE_UNREADABLE, "Arkivet er avkortet.")
    assert len(world.live()) == 2


async def test_a_source_that_cannot_be_reached_fails_the_sync_with_a_reason(world: World) -> None:
    world.archives.unreachable = SourceUnreachable("Kilden svarer ikke.")
    end = await world.sync()
    assert isinstance(end, SyncFailed)
    assert (end.problem, end.retryable) == (ProblemType.SOURCE_UNREACHABLE, True)


async def test_what_an_aborted_sync_left_is_completed_by_the_next(world: World) -> None:
    world.archives.archives[LAWS] = {f"nl/{n}.xml": world.law(n) for n in range(1, 61)}
    world.archives.broken = SourceUnreadable("avbrutt")
    await world.sync()
    assert (world.store.version, len(world.store.pending)) == (0, 50)
    world.archives.broken = None
    report = await world.report()
    assert (report.added, report.unchanged, world.store.writes) == (10, 50, 60)
    assert (world.store.version, world.store.pending) == (1, set())


def many(world: World, numbers: range, text: str = "Regel. " * 40) -> dict[str, bytes]:
    return {f"nl/{n}.xml": world.law(n, text) for n in numbers}


async def test_an_archive_without_much_of_the_law_stops_before_anything_is_written(world: World) -> None:
    world.archives.archives[LAWS] = many(world, range(1, 101))
    await world.sync()
    world.archives.archives[LAWS] = {**many(world, range(1, 80)), "nl/1.xml": world.law(1, "Ny regel. " * 40)}
    end = await world.sync()
    assert isinstance(end, SyncFailed)
    assert (end.problem, end.retryable) == (ProblemType.CONFLICT, False)
    assert "fjerne 21, tømme 0 og endre 1 av 100" in end.detail
    assert (len(world.live()), world.store.writes, world.store.pending, world.changes()) == (100, 100, set(), [])
    checksum = next(word for word in end.detail.split() if len(word.strip("),")) == 64).strip("),")
    assert isinstance(await world.sync(accept="0" * 64), SyncFailed)
    assert (await world.report(accept=checksum)).removed == 21


@pytest.mark.parametrize("text", ["", "R."])
async def test_an_archive_of_emptied_documents_stops(world: World, text: str) -> None:
    world.archives.archives[LAWS] = many(world, range(1, 101))
    await world.sync()
    world.archives.archives[LAWS] |= many(world, range(1, 21), text)
    end = await world.sync(force=True)
    assert isinstance(end, SyncFailed)
    assert "tømme 20" in end.detail
    assert world.store.writes == 100


async def test_an_archive_that_rewrites_most_of_the_law_stops_unless_it_is_to_be_stored_again(world: World) -> None:
    world.archives.archives[LAWS] = many(world, range(1, 101))
    await world.sync()
    world.archives.archives[LAWS] |= many(world, range(1, 52), "Noe annet. " * 40)
    end = await world.sync()
    assert isinstance(end, SyncFailed)
    assert "endre 51" in end.detail
    assert (await world.report(force=True)).changed == 100


def of_one_name(world: World, number: int, day: str) -> bytes:
    head = f'<dd class="dateInForce">2000-01-01</dd><dd class="titleShort">{NAMES[number]}loven</dd>'
    return world.page("", head, refid=f"lov/{day}-{number}", title=f"Lov nummer {number}")


NAMES = ["".join(pair) for pair in itertools.product("abcde", repeat=2)]


async def test_an_archive_that_puts_new_acts_in_place_of_much_of_the_law_stops(world: World) -> None:
    old = {f"nl/{n}.xml": of_one_name(world, n, "2001-01-01") for n in range(25)}
    world.archives.archives[LAWS] = old
    await world.sync()
    assert len(await world.store_in_force()) == 25
    world.archives.archives[LAWS] = old | {f"nl/ny{n}.xml": of_one_name(world, n, "2025-01-01") for n in range(20)}
    end = await world.sync()
    assert isinstance(end, SyncFailed)
    assert "fjerne 0, tømme 0 og endre 0 av 25 dokumenter og sette 20 ut av kraft" in end.detail
    assert world.store.writes == 25


async def test_an_archive_that_says_that_much_of_the_law_is_repealed_stops(world: World) -> None:
    world.archives.archives[LAWS] = {f"nl/{n}.xml": of_one_name(world, n, "2001-01-01") for n in range(25)}
    await world.sync()
    ended = ">2000-01-01 – 2001-01-01<".encode()
    world.archives.archives[LAWS] = {
        name: content.replace(b">2000-01-01<", ended) for name, content in world.archives.archives[LAWS].items()
    }
    end = await world.sync(force=True)
    assert isinstance(end, SyncFailed)
    assert "sette 25 ut av kraft" in end.detail
    assert len(await world.store_in_force()) == 25


async def test_what_is_repealed_already_is_not_lost_again(world: World) -> None:
    laws = {f"nl/{n}-{day}.xml": of_one_name(world, n, day) for n in range(25) for day in ("2001-01-01", "2025-01-01")}
    world.archives.archives[LAWS] = laws
    await world.sync()
    assert len(await world.store_in_force()) == 25
    assert (await world.report(force=True)).changed == 50


async def test_a_new_version_of_the_parser_may_change_every_document(world: World) -> None:
    world.archives.archives[LAWS] = many(world, range(1, 101))
    await world.sync()
    world.store.archives[LAWS] = replace(world.store.archives[LAWS], parser_version=0)
    world.archives.archives[LAWS] = many(world, range(1, 101), "Lest på nytt. " * 40)
    assert (await world.report()).changed == 100


async def test_an_ordinary_update_goes_through(world: World) -> None:
    world.archives.archives[LAWS] = many(world, range(1, 101))
    await world.sync()
    world.archives.archives[LAWS] = {**many(world, range(20, 111)), "nl/20.xml": world.law(20, "Ny regel. " * 40)}
    report = await world.report()
    assert (report.removed, report.added, report.changed, report.unchanged) == (19, 10, 1, 80)


async def test_a_source_that_is_not_listed_is_refused_before_the_store_is_asked(world: World) -> None:
    world.archives.refused = {"http://annet.example"}
    async with world.store.writer(LAWS):
        end = await world.sync(source="http://annet.example")
    assert isinstance(end, SyncFailed)
    assert (end.problem, end.retryable) == (ProblemType.INVALID_REQUEST, False)
    assert (world.archives.fetched, world.store.syncs) == (0, {})


async def test_a_sync_says_which_archive_it_stored(world: World) -> None:
    first, again = await world.sync(), await world.sync()
    assert isinstance(first, SyncCompleted)
    assert isinstance(again, SyncCompleted)
    assert first.archive is not None
    assert again.archive is not None
    assert (first.archive.dataset, first.archive.published) == (LAWS, date(2026, 7, 2))
    assert first.archive.checksum == again.archive.checksum == world.store.archives[LAWS].checksum


async def test_a_request_that_was_completed_before_only_tells_so_again(world: World) -> None:
    first = await world.sync(sync_id="samme")
    world.archives.archives[LAWS] = {}
    assert await world.sync(sync_id="samme") == first


async def test_an_error_nobody_foresaw_is_raised_so_that_the_request_is_tried_again(world: World) -> None:
    world.archives.unreachable = RuntimeError("databasen er borte")
    with pytest.raises(RuntimeError):
        await world.sync(sync_id="samme")
    world.archives.unreachable = None
    assert isinstance(await world.sync(sync_id="samme"), SyncCompleted)


async def test_the_sample_is_removed_when_real_law_is_stored_and_is_not_wanted_after(world: World) -> None:
    world.archives.archives[DATASET_SAMPLE] = {"nl/9.xml": world.law(9)}
    await world.sync(DATASET_SAMPLE)
    assert world.live() == {"lov/2999-01-01-9"}
    await world.sync()
    assert world.live() == {"lov/2999-01-01-1", "lov/2999-01-01-2"}
    assert ("lov/2999-01-01-9", DocumentChange.REMOVED) in world.changes()
    end = await world.sync(DATASET_SAMPLE)
    assert isinstance(end, SyncFailed)
    assert (end.problem, end.retryable) == (ProblemType.CONFLICT, False)


async def test_two_files_with_one_refid_are_two_documents(world: World) -> None:
    world.archives.archives[LAWS] = {"nl/1.xml": world.law(1), "nl/1b.xml": world.law(1, "Annet.")}
    await world.sync()
    assert world.live() == {"lov/2999-01-01-1", "lov/2999-01-01-1-2"}


async def test_a_document_that_another_data_set_holds_is_left_alone(world: World) -> None:
    await world.sync()
    world.archives.archives["annet-sett"] = {"x/1.xml": world.law(1, "Noe annet."), "x/7.xml": world.law(7)}
    report = await world.report(dataset="annet-sett")
    assert [skipped.file for skipped in report.skipped] == ["x/1.xml"]
    assert world.store.documents["lov/2999-01-01-1"].dataset == LAWS


async def test_of_two_syncs_at_once_the_second_is_told_of_the_first(world: World) -> None:
    async with world.store.writer(LAWS):
        with pytest.raises(SyncUnderWay, match=LAWS):
            await world.sync()
