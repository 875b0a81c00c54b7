"""`lovsvar ingest`: bring the corpus up to date and say what changed."""

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from lovsvar_contracts.ingest import DATASET_LAWS, DATASET_REGULATIONS, SyncCompleted, SyncFailed
from lovsvar_contracts.message import Frozen
from lovsvar_local import exits
from lovsvar_local.commands.session import Where, open_session
from lovsvar_local.filling import served
from lovsvar_local.json_output import show_json
from lovsvar_local.progress import Progress


class IngestReport(Frozen):
    """What `lovsvar ingest --json` prints: how each sync ended."""

    syncs: tuple[Annotated[SyncCompleted | SyncFailed, Field(discriminator="type")], ...]


async def ingest(datasets: Sequence[str], where: Where, progress: Progress, *, force: bool, as_json: bool) -> int:
    """Sync `datasets` (both real ones when none is named), print the report, and return the exit code."""
    ends: list[SyncCompleted | SyncFailed] = []
    async with open_session(where, "ingest", progress) as session:
        await served(session.gateway)
        filler = session.filler
        for dataset in datasets or (DATASET_LAWS, DATASET_REGULATIONS):
            sync = await filler.syncs.request(session.gateway, dataset, session.source, force=force)
            if end := await filler.follow(sync):
                ends.append(end)
    progress.close()
    if as_json:
        show_json(IngestReport(syncs=tuple(ends)))
    else:
        from lovsvar_local.display import show_syncs

        show_syncs(ends)
    return exits.OK if all(isinstance(end, SyncCompleted) for end in ends) else exits.PROBLEM
