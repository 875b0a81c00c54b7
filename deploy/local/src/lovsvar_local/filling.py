"""Seeing to it that there is law to answer from: the real one, or a small invented sample when it cannot be had."""

import asyncio
import time
from contextlib import aclosing
from dataclasses import dataclass

from lovsvar_contracts.ingest import (
    DATASET_LAWS,
    DATASET_REGULATIONS,
    DATASET_SAMPLE,
    SyncCompleted,
    SyncFailed,
    SyncProgressed,
)
from lovsvar_contracts.search import CorpusStatus
from lovsvar_local.client import Gateway
from lovsvar_local.errors import GatewayProblem, NotDone
from lovsvar_local.progress import Progress
from lovsvar_local.syncs import RequestedSyncs, Sync
from lovsvar_local.wording import dataset_name

POLL = 0.05
SERVED_SECONDS = 60.0
FIRST_SIGN_SECONDS = 45.0
FIRST_SIGN_SECONDS_WITH_SAMPLE = 4.0
"""How long a source may give no sign of life before we answer from the sample."""

NOT_READY = frozenset({502, 503, 504})

SyncEnd = SyncCompleted | SyncFailed


@dataclass(frozen=True)
class Filler:
    """Fills the store of the system behind `gateway` from `source` (None: the one that ingest is set up with)."""

    gateway: Gateway
    syncs: RequestedSyncs
    source: str | None
    progress: Progress

    async def something_to_answer_from(self) -> CorpusStatus:
        """Return the status once there is law that search serves: the laws, or the sample, and the user is told so.

        Raises `NotDone` when there is neither.
        """
        status = await served(self.gateway)
        if status.documents and not status.sample:
            return status
        end = await self._sync(DATASET_LAWS, FIRST_SIGN_SECONDS_WITH_SAMPLE if status.sample else FIRST_SIGN_SECONDS)
        if isinstance(end, SyncCompleted):
            return await served(self.gateway, end.corpus_version)
        reason = end.detail.rstrip(".") if end else "ingen svar fra kilden"
        self.progress.say(f"Får ikke kontakt med Lovdata ({reason}). Svarer fra et lite, oppdiktet eksempelsett.")
        status = await served(self.gateway)
        if status.documents:
            return status
        sample = await self._sync(DATASET_SAMPLE, FIRST_SIGN_SECONDS)
        if isinstance(sample, SyncCompleted):
            return await served(self.gateway, sample.corpus_version)
        raise NotDone(f"Eksempelsettet kunne ikke lagres: {sample.detail if sample else 'ingest svarer ikke'}")

    async def the_rest(self) -> None:
        """Wait until what is missing beside real law is stored, such as the regulations after a first question."""
        status = await served(self.gateway)
        if not status.documents or status.sample:
            return
        under_way = {sync.dataset for sync in self.syncs.noted()}
        for dataset in (DATASET_LAWS, DATASET_REGULATIONS):
            if dataset in under_way or not status.by_dataset.get(dataset):
                self.progress.say(f"Henter {dataset_name(dataset)} også. Avbryter du, fortsetter det neste gang.")
                if isinstance(end := await self._sync(dataset), SyncCompleted):
                    # Indexed now, so that the next question need not wait for it.
                    await served(self.gateway, end.corpus_version)

    async def follow(self, sync: Sync, patience: float | None = None) -> SyncEnd | None:
        """Return how a sync ended, or None when it gave no sign of life for `patience` seconds.

        A sync that is not waited for goes on when it can; it is noted no longer.
        """
        try:
            async with asyncio.timeout(patience) as limit, aclosing(self.gateway.sync_events(sync.sync_id)) as events:
                async for event in events:
                    self.progress.sync(event)
                    if isinstance(event, SyncCompleted | SyncFailed):
                        await self.syncs.forget(sync)
                        return event
                    if isinstance(event, SyncProgressed) and (event.archive_bytes or event.documents):
                        limit.reschedule(None)
        except TimeoutError:
            await self.syncs.forget(sync)
            return None
        raise NotDone(f"Hentingen av {dataset_name(sync.dataset)} ble borte.")

    async def _sync(self, dataset: str, patience: float | None = None) -> SyncEnd | None:
        source = None if dataset == DATASET_SAMPLE else self.source
        return await self.follow(await self.syncs.request(self.gateway, dataset, source), patience)


async def served(gateway: Gateway, version: int = 0) -> CorpusStatus:
    """Return the status once search serves `version` of the corpus (0: what is stored), or there is nothing to serve.

    Raises `NotDone` when that does not happen in a minute.
    """
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
            empty = not status.documents and not stored
            if empty or (status.ready and status.corpus_version >= stored):
                return status
        await asyncio.sleep(POLL)
    raise NotDone(f"Lovsvar ble ikke klart til å svare: {reason}")
