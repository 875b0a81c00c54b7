"""Following the corpus, with a source and an index that can be made to fail."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import pytest

from lovsvar_search.app import load_ranker
from lovsvar_search.core.errors import IndexUnusable, NotReady, StoreUnavailable
from lovsvar_search.core.law.collection import EMPTY, law_collection
from lovsvar_search.core.law.lexicon import Lexicon
from lovsvar_search.core.retrieval import corpus_follower as core_following
from lovsvar_search.core.retrieval.corpus import Corpus, CorpusState
from lovsvar_search.core.retrieval.corpus_follower import FAILED, STARTING, CorpusFollower

HERE = "database"


@dataclass
class FakeSource:
    """A corpus of one changed document a version."""

    version: int = 1
    identity: str = HERE
    corpus_date: date | None = None
    failures: list[Exception] = field(default_factory=list)
    asked_since: list[int] = field(default_factory=list)

    async def state(self) -> CorpusState:
        if self.failures:
            raise self.failures.pop(0)
        return CorpusState(self.version, self.identity, self.corpus_date)

    @contextlib.asynccontextmanager
    async def changes(self, since: int) -> AsyncIterator["FakeSource.Changes"]:
        self.asked_since.append(since)
        yield FakeSource.Changes(await self.state(), since)

    @dataclass
    class Changes:
        state: CorpusState
        since: int

        async def companions(self) -> str:
            return f"names {self.state.version}"

        async def groups(self) -> Sequence[str]:
            return [f"lov/{version}" for version in range(self.since + 1, self.state.version + 1)]

        async def items(self) -> AsyncIterator[Sequence[Any]]:
            for refid in await self.groups():
                yield [refid]


@dataclass
class FakeSnapshot:
    items: int


@dataclass
class FakeIndex:
    """An index of refids. `on_disk` is what it was built from, `failures` what its next additions raise."""

    on_disk: CorpusState | None = None
    held: list[str] = field(default_factory=list)
    committed: list[str] = field(default_factory=list)
    failures: list[Exception] = field(default_factory=list)
    resets: int = 0
    closed: bool = False
    thread: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1))

    def run(self, work: Callable[..., Any], *arguments: object) -> asyncio.Future[Any]:
        return asyncio.get_running_loop().run_in_executor(self.thread, work, *arguments)

    def open(self) -> CorpusState:
        if self.on_disk is None:
            raise IndexUnusable("nothing there")
        return self.on_disk

    def reset(self) -> None:
        self.held, self.committed, self.on_disk = [], [], None
        self.resets += 1

    def remove(self, groups: Sequence[str]) -> None:
        self.held = [group for group in self.held if group not in groups]

    def add(self, batch: Sequence[Any]) -> None:
        if self.failures:
            raise self.failures.pop(0)
        self.held += batch

    def commit(self, identity: str, version: int) -> FakeSnapshot:
        self.committed, self.on_disk = list(self.held), CorpusState(version, identity)
        return self.snapshot()

    def discard(self) -> None:
        self.held = list(self.committed)

    def snapshot(self) -> FakeSnapshot:
        return FakeSnapshot(len(self.committed))

    def close(self) -> None:
        self.closed = True


LAW = law_collection(Lexicon([], [], str.split), load_ranker())


def assemble(index: Any, companions: str, state: CorpusState) -> Corpus:
    return Corpus(LAW, index, state, index.items, companions)


def follow(source: FakeSource, index: FakeIndex, poll_seconds: float = 2.0) -> CorpusFollower:
    return CorpusFollower(LAW, source, index, assemble, poll_seconds)  # type: ignore[arg-type]


@contextlib.asynccontextmanager
async def following(source: FakeSource, index: FakeIndex) -> AsyncIterator[CorpusFollower]:
    follower = follow(source, index, poll_seconds=0.001)
    await follower.start()
    try:
        async with asyncio.timeout(10):
            yield follower
    finally:
        await follower.stop()


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(10):
        while not true():  # noqa: ASYNC110 what is waited for tells nobody
            await asyncio.sleep(0)


async def test_nothing_is_served_before_the_first_catch_up() -> None:
    follower = follow(FakeSource(), FakeIndex())
    assert follower.not_ready() == STARTING
    assert follower.served_counts == (0, 0)
    with pytest.raises(NotReady, match="bygges"):
        _ = follower.served
    await follower.stop()


async def test_an_empty_index_is_filled_with_everything() -> None:
    source, index = FakeSource(version=3), FakeIndex()
    async with following(source, index) as follower:
        await follower.reach(3)
        assert follower.not_ready() == ""
        assert follower.served_counts == (3, 3)
    assert source.asked_since == [0]
    assert index.closed


async def test_an_index_on_disk_takes_in_only_what_changed_since() -> None:
    source = FakeSource(version=3)
    index = FakeIndex(CorpusState(2, HERE), ["lov/1", "lov/2"], ["lov/1", "lov/2"])
    async with following(source, index) as follower:
        await follower.reach(3)
    assert (source.asked_since, index.resets, index.committed) == ([2], 0, ["lov/1", "lov/2", "lov/3"])


async def test_an_index_at_the_newest_version_is_served_as_it_is() -> None:
    index = FakeIndex(CorpusState(1, HERE), ["x"], ["x"])
    async with following(FakeSource(version=1), index) as follower:
        await follower.reach(1)
    assert (index.resets, index.committed) == (0, ["x"])


@pytest.mark.parametrize("on_disk", [CorpusState(1, "another database"), CorpusState(9, HERE)])
async def test_an_index_that_cannot_grow_into_the_corpus_is_begun_anew(on_disk: CorpusState) -> None:
    index = FakeIndex(on_disk, ["strange"], ["strange"])
    async with following(FakeSource(version=1), index) as follower:
        await follower.reach(1)
    assert (index.resets, index.committed) == (1, ["lov/1"])


async def test_while_the_database_is_down_the_reason_is_told_and_it_is_tried_again() -> None:
    source = FakeSource(failures=[StoreUnavailable("nede")])
    follower = follow(source, FakeIndex(), poll_seconds=3_600)
    await follower.start()
    await until(lambda: follower.not_ready() != STARTING)
    assert follower.not_ready() == "nede"
    follower.hint()
    async with asyncio.timeout(10):
        await follower.reach(1)
    await follower.stop()


async def test_what_is_served_stays_served_while_the_database_is_down() -> None:
    source = FakeSource()
    async with following(source, FakeIndex()) as follower:
        await follower.reach(1)
        source.failures = [StoreUnavailable("nede"), RuntimeError("a fault")]
        source.version = 2
        await follower.reach(2)
        assert follower.not_ready() == ""


async def test_an_index_that_turns_out_damaged_is_built_anew() -> None:
    source, index = FakeSource(), FakeIndex()
    async with following(source, index) as follower:
        await follower.reach(1)
        index.failures, index.on_disk, source.version = [IndexUnusable("damaged")], None, 2
        await follower.reach(2)
    assert (index.resets, index.committed) == (2, ["lov/1", "lov/2"])


async def test_an_index_that_cannot_be_built_is_told_of_while_what_was_served_stays_served(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(core_following, "STALE_SECONDS", 0.01)
    source, index = FakeSource(), FakeIndex()
    async with following(source, index) as follower:
        await follower.reach(1)
        index.failures, source.version = [IndexUnusable("no space left")] * 1_000_000, 2
        await until(lambda: FAILED in follower.not_ready())
        assert follower.served.state.version == 1
        index.failures = []
        await follower.reach(2)
        assert follower.not_ready() == ""


async def test_a_half_made_change_is_forgotten() -> None:
    source, index = FakeSource(version=2), FakeIndex(failures=[RuntimeError("out of memory")])
    async with following(source, index) as follower:
        await follower.reach(2)
    assert index.committed == ["lov/1", "lov/2"]


async def test_an_empty_corpus_is_told_apart_from_one_that_is_being_indexed() -> None:
    follower = follow(FakeSource(version=0), FakeIndex(), poll_seconds=0.001)
    await follower.start()
    await until(lambda: follower.not_ready() != STARTING)
    assert follower.not_ready() == EMPTY
    await follower.stop()


async def test_a_day_that_moves_without_a_new_version_is_served() -> None:
    source = FakeSource(corpus_date=date(2999, 1, 1))
    async with following(source, FakeIndex()) as follower:
        await follower.reach(1)
        assert follower.served.state.corpus_date == date(2999, 1, 1)
        index, source.corpus_date = follower.served.index, date(2999, 2, 1)
        follower.hint()
        await until(lambda: follower.served.state.corpus_date == date(2999, 2, 1))
        assert (follower.served.index, source.asked_since) == (index, [0])


async def test_the_companions_of_the_version_served_are_served_with_it() -> None:
    source = FakeSource()
    async with following(source, FakeIndex()) as follower:
        for version in (1, 2):
            source.version = version
            await follower.reach(version)
            assert (follower.served.names, follower.served.state.version) == (f"names {version}", version)
