"""Syncs that were requested from a data folder and whose end was not seen yet.

They are noted in a file, so that two commands at the same moment request a sync once, and a command that
comes after an interrupted one finds the sync that still waits in the queue.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass

from lovsvar.client import Gateway
from lovsvar_local.folder import DataFolder, write_whole
from lovsvar_local.locks import FileLock

POLL = 0.02


@dataclass(frozen=True)
class Sync:
    """A sync that was requested. `first` says that nothing of the data set was stored then."""

    sync_id: str
    dataset: str
    source: str | None = None
    first: bool = False


class RequestedSyncs:
    """The notes of one data folder; none are kept when `folder` is None, as with a gateway elsewhere."""

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
        """Return a sync of `dataset` that is noted as under way, or request one and note it.

        Without `source`, one from any source will do.
        """
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
            return [Sync(**sync) for sync in json.loads(self._folder.syncs.read_text())]
        except (OSError, ValueError, TypeError):
            return []

    def _note(self, syncs: list[Sync]) -> None:
        if self._folder is not None:
            write_whole(self._folder.syncs, json.dumps([asdict(sync) for sync in syncs], indent=1))

    @asynccontextmanager
    async def _alone(self) -> AsyncIterator[None]:
        if self._folder is None:
            yield
            return
        lock = FileLock(self._folder.ingest_lock)
        while not lock.try_alone():  # noqa: ASYNC110 # held by another process for milliseconds
            await asyncio.sleep(POLL)
        try:
            yield
        finally:
            lock.release()
