"""`lovsvar ingest`: bring the corpus up to date and say what changed."""

import re
from collections.abc import Sequence

from lovsvar_contracts.ingest import DATASET_LAWS, DATASET_REGULATIONS, SyncCompleted
from lovsvar_local import exits
from lovsvar_local.commands.session import Where, open_session
from lovsvar_local.errors import BadArgument
from lovsvar_local.initial_corpus import IngestReport, SyncEnd, served
from lovsvar_local.progress import Progress


async def ingest(
    where: Where, progress: Progress, *, dataset: Sequence[str] | None, force: bool, accept: str | None
) -> int:
    """Sync data sets (both real ones when none is named), print the report, and return the exit code.

    `accept` is the checksum of an archive that is stored although the sync guard stops it.
    """
    accept = checked_checksum(accept)
    ends: list[SyncEnd] = []
    async with open_session(where, "ingest", progress) as session:
        await served(session.gateway)
        filler = session.filler
        for name in dataset or (DATASET_LAWS, DATASET_REGULATIONS):
            sync = await filler.syncs.request(session.gateway, name, session.source, force=force, accept=accept)
            if end := await filler.follow(sync):
                ends.append(end)
    progress.result(IngestReport(syncs=tuple(ends)))
    return exits.OK if all(isinstance(end, SyncCompleted) for end in ends) else exits.PROBLEM


def checked_checksum(accept: str | None) -> str | None:
    """Return the checksum as it is compared. Raises `BadArgument` when it is none."""
    if accept is None:
        return None
    if not re.fullmatch(r"[0-9a-f]{64}", checksum := accept.strip().lower()):
        raise BadArgument("--accept tar SHA-256 av arkivet: 64 tegn, som i meldingen om at hentingen ble stanset.")
    return checksum
