"""`lovsvar ingest`: bring the corpus up to date and say what changed."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from lovsvar_contracts.ingest import DATASET_LAWS, DATASET_REGULATIONS, SyncCompleted, SyncFailed
from lovsvar_contracts.message import Frozen
from lovsvar_local import exits
from lovsvar_local.commands.session import Where, open_session
from lovsvar_local.errors import BadArgument
from lovsvar_local.initial_corpus import served
from lovsvar_local.json_output import show_json
from lovsvar_local.progress import Progress


class IngestReport(Frozen):
    """What `lovsvar ingest --json` prints: how each sync ended."""

    syncs: tuple[Annotated[SyncCompleted | SyncFailed, Field(discriminator="type")], ...]


@dataclass(frozen=True)
class IngestOptions:
    """What is synced. `accept` is the checksum of an archive that is stored although the sync guard stops it."""

    datasets: Sequence[str] = ()
    force: bool = False
    accept: str | None = None


async def ingest(options: IngestOptions, where: Where, progress: Progress, *, as_json: bool) -> int:
    """Sync data sets (both real ones when none is named), print the report, and return the exit code."""
    accept = checked_checksum(options.accept)
    ends: list[SyncCompleted | SyncFailed] = []
    async with open_session(where, "ingest", progress) as session:
        await served(session.gateway)
        filler = session.filler
        for dataset in options.datasets or (DATASET_LAWS, DATASET_REGULATIONS):
            sync = await filler.syncs.request(
                session.gateway, dataset, session.source, force=options.force, accept=accept
            )
            if end := await filler.follow(sync):
                ends.append(end)
    progress.close()
    if as_json:
        show_json(IngestReport(syncs=tuple(ends)))
    else:
        from lovsvar_local.display import show_syncs

        show_syncs(ends)
    return exits.OK if all(isinstance(end, SyncCompleted) for end in ends) else exits.PROBLEM


def checked_checksum(accept: str | None) -> str | None:
    """Return the checksum as it is compared. Raises `BadArgument` when it is none."""
    if accept is None:
        return None
    if not re.fullmatch(r"[0-9a-f]{64}", checksum := accept.strip().lower()):
        raise BadArgument("--accept tar SHA-256 av arkivet: 64 tegn, som i meldingen om at hentingen ble stanset.")
    return checksum
