"""Fetching law to answer from: the real one, or a small invented sample when the source cannot be reached."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from typing import Annotated, TypeGuard

from pydantic import Field, TypeAdapter

from lovsvar.client import Gateway, GatewayProblem
from lovsvar_contracts.ingest import (
    DATASET_LAWS,
    DATASET_REGULATIONS,
    DATASET_SAMPLE,
    SyncCompleted,
    SyncFailed,
    SyncProgressed,
)
from lovsvar_contracts.message import Frozen
from lovsvar_contracts.problems import ProblemType
from lovsvar_contracts.search import CorpusStatus
from lovsvar_local.errors import NotDone
from lovsvar_local.folder import DataFolder, write_whole
from lovsvar_local.locks import FileLock
from lovsvar_local.phrases import dataset_name
from lovsvar_local.progress import Progress

POLL = 0.05
LOCK_POLL = 0.02
SERVED_SECONDS = 180.0
"""A busy machine has taken a minute to index the sample."""
FIRST_SIGN_SECONDS = 45.0
FIRST_SIGN_SECONDS_WITH_SAMPLE = 4.0
"""How long a source may be silent before we answer from the sample."""

NOT_READY = frozenset({502, 503, 504})

SyncEnd = SyncCompleted | SyncFailed


class IngestReport(Frozen):
    """What `lovsvar ingest --json` prints: how each sync ended."""

    syncs: tuple[Annotated[SyncEnd, Field(discriminator="type")], ...]


@dataclass(frozen=True)
class Sync:
    """A sync that was requested. `first` says that nothing of the data set was stored then."""

    sync_id: str
    dataset: str
    source: str | None = None
    first: bool = False


_NOTES = TypeAdapter(list[Sync])


class RequestedSyncs:
    """The syncs of a data folder that were requested and whose end was not seen; none where `folder` is None.

    The file of them lets two commands request a sync once, and finds a sync again after an interrupted command.
    """

    def __init__(self, folder: DataFolder | None) -> None:
        self._folder = folder

    async def request(
        self,
        gateway: Gateway,
        dataset: str,
        source: str | None,
        *,
        force: bool = False,
        first: bool = False,
        accept: str | None = None,
    ) -> Sync:
        """Return a sync of `dataset` (from `source`, if one is given) that is under way, or request one and note it."""
        async with self._alone():
            noted = self.noted()
            if not force and not accept:
                for sync in noted:
                    if sync.dataset == dataset and source in {None, sync.source}:
                        return sync
            (accepted,) = await gateway.ingest(dataset, source=source, force=force, accept=accept)
            sync = Sync(accepted.sync_id, dataset, source, first)
            self._note([*noted, sync])
            return sync

    async def forget(self, sync: Sync) -> None:
        """Strike a sync whose end was seen."""
        async with self._alone():
            self._note([noted for noted in self.noted() if noted != sync])

    def noted(self) -> list[Sync]:
        """Return the syncs that are noted, oldest first."""
        if self._folder is None:
            return []
        try:
            return _NOTES.validate_json(self._folder.syncs.read_bytes())
        except (OSError, ValueError):
            return []

    def _note(self, syncs: list[Sync]) -> None:
        if self._folder is not None:
            write_whole(self._folder.syncs, _NOTES.dump_json(syncs, indent=1).decode())

    @asynccontextmanager
    async def _alone(self) -> AsyncIterator[None]:
        if self._folder is None:
            yield
            return
        lock = FileLock(self._folder.ingest_lock)
        while not lock.try_alone():  # noqa: ASYNC110 # held by another process for milliseconds
            await asyncio.sleep(LOCK_POLL)
        try:
            yield
        finally:
            lock.release()


@dataclass(frozen=True)
class Filler:
    """Fills the store of the system at `gateway` from `source` (None: the one that ingest is configured with)."""

    gateway: Gateway
    syncs: RequestedSyncs
    source: str | None
    progress: Progress

    async def something_to_answer_from(self) -> CorpusStatus:
        """Return the status once search serves the laws, or the sample and says so. Raises `NotDone` without either."""
        status = await served(self.gateway)
        if self._has_law(status):
            return status
        patience = FIRST_SIGN_SECONDS_WITH_SAMPLE if status.stored_version else FIRST_SIGN_SECONDS
        end = await self._sync(DATASET_LAWS, patience, tell_failure=False)
        if isinstance(end, SyncCompleted):
            return await served(self.gateway, end.corpus_version)
        if _refused(end):
            raise NotDone(end.detail)
        reason = end.detail.rstrip(".") if end else "ingen svar fra kilden"
        self.progress.say(f"Får ikke kontakt med Lovdata ({reason}). Svarer fra et lite, oppdiktet eksempelsett.")
        status = await served(self.gateway)
        if status.stored_version:
            return status
        sample = await self._sync(DATASET_SAMPLE, FIRST_SIGN_SECONDS)
        if isinstance(sample, SyncCompleted):
            return await served(self.gateway, sample.corpus_version)
        raise NotDone(f"Eksempelsettet kunne ikke lagres: {sample.detail if sample else 'ingest svarer ikke'}")

    async def the_rest(self) -> None:
        """Wait for syncs that are under way, and fetch what is missing; nothing where there is no law yet."""
        if not self._has_law(await served(self.gateway)):
            return
        for sync in self.syncs.noted():
            await self._finish(sync)
        stored = (await served(self.gateway)).by_dataset
        for dataset in (DATASET_LAWS, DATASET_REGULATIONS):
            if not stored.get(dataset):
                await self._finish(await self.syncs.request(self.gateway, dataset, self.source, first=True))

    async def follow(self, sync: Sync, patience: float | None = None, *, tell_failure: bool = True) -> SyncEnd | None:
        """Return how a sync ended, or None when it sent nothing for `patience` seconds; it then stays noted."""
        try:
            async with asyncio.timeout(patience) as limit, aclosing(self.gateway.sync_events(sync.sync_id)) as events:
                async for event in events:
                    self.progress.sync(event, tell_failure=tell_failure)
                    if isinstance(event, SyncCompleted | SyncFailed):
                        await self.syncs.forget(sync)
                        return event
                    if isinstance(event, SyncProgressed) and (event.archive_bytes or event.documents):
                        limit.reschedule(None)
        except TimeoutError:
            return None
        raise NotDone(f"Hentingen av {dataset_name(sync.dataset)} ble borte.")

    def _has_law(self, status: CorpusStatus) -> bool:
        # Documents of a sync that was interrupted are counted before they are served.
        begun = any(sync.first and sync.dataset == DATASET_LAWS for sync in self.syncs.noted())
        return bool(status.stored_version) and not status.sample and not begun

    async def _sync(self, dataset: str, patience: float, *, tell_failure: bool = True) -> SyncEnd | None:
        source = None if dataset == DATASET_SAMPLE else self.source
        while True:
            sync = await self.syncs.request(self.gateway, dataset, source, first=True)
            end = await self.follow(sync, patience, tell_failure=tell_failure)
            # One with another source was requested by a command that ran the system with that source.
            if not _refused(end) or sync.source == source:
                return end

    async def _finish(self, sync: Sync) -> None:
        self.progress.say(f"Henter {dataset_name(sync.dataset)} også. Avbryter du, fortsetter det neste gang.")
        end = await self.follow(sync, FIRST_SIGN_SECONDS)
        if end is None:
            await self.syncs.forget(sync)
        if isinstance(end, SyncCompleted):
            # Indexed now, so that the next question need not wait for it.
            await served(self.gateway, end.corpus_version)


def _refused(end: SyncEnd | None) -> TypeGuard[SyncFailed]:
    """Return whether the source was none that the running system takes law from."""
    return isinstance(end, SyncFailed) and end.problem is ProblemType.INVALID_REQUEST


async def served(gateway: Gateway, version: int = 0) -> CorpusStatus:
    """Return the status once search serves `version` (0: the stored one), or nothing is stored. Raises `NotDone`."""
    deadline = time.monotonic() + SERVED_SECONDS
    reason, stored = "søket er ikke klart.", version
    while time.monotonic() < deadline:
        try:
            status = await gateway.status()
        except GatewayProblem as problem:
            if problem.status not in NOT_READY:
                raise
            reason = str(problem)
        else:
            stored = stored or status.stored_version
            if not stored or (status.ready and status.corpus_version >= stored):
                return status
        await asyncio.sleep(POLL)
    raise NotDone(f"Lovsvar ble ikke klart til å svare: {reason}")
