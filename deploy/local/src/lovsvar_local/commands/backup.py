"""`lovsvar backup`: both stores in one file, taken while everything runs."""

import asyncio
import tempfile
from importlib.metadata import version
from pathlib import Path

from lovsvar_contracts import subjects
from lovsvar_contracts.message import Frozen
from lovsvar_local import database_backup, exits
from lovsvar_local.archive import DATABASE, Manifest, SavedStream, pack, stream_file
from lovsvar_local.commands.session import Where
from lovsvar_local.commands.stores import Stores, open_stores
from lovsvar_local.errors import BadArgument, NotDone
from lovsvar_local.progress import Progress
from lovsvar_local.stream_backup import save_stream

STREAMS = (
    subjects.STREAM_AUDIT,
    subjects.STREAM_DEAD,
    subjects.STREAM_ANSWERS,
    subjects.STREAM_QUESTIONS,
    subjects.STREAM_SAVED,
)
"""What cannot be rebuilt. The other streams are rebuilt by a sync, and vectors by their workers."""


class BackedUp(Frozen):
    """What `lovsvar backup --json` prints."""

    file: str
    corpus_version: int
    messages: dict[str, int]


async def backup(where: Where, progress: Progress, *, file: Path) -> int:
    """Write a backup to `file`, which must not be there, and return the exit code. Raises `BadArgument`, `NotDone`."""
    _check(file)
    async with open_stores(where, alone=False) as stores:
        # In the folder of the file, which has room for it if any has.
        with tempfile.TemporaryDirectory(prefix=".lovsvar-backup-", dir=file.parent) as place:
            progress.doing("Kopierer databasen og strømmene …")
            manifest = await save(stores, Path(place))
            whole = await asyncio.to_thread(pack, Path(place), manifest, file)
            megabytes = (await asyncio.to_thread(file.stat)).st_size / 1_000_000
    messages = {name: stream.messages for name, stream in whole.streams.items()}
    counted = ", ".join(f"{count} meldinger i {name}" for name, count in messages.items())
    progress.result(
        BackedUp(file=str(file), corpus_version=whole.corpus_version, messages=messages),
        f"{file} ({megabytes:.1f} MB): lovsamling {whole.corpus_version}, {counted}.",
    )
    return exits.OK


def _check(file: Path) -> None:
    if file.exists():
        raise BadArgument(f"{file} finnes alt. Velg et annet navn.")
    if not file.parent.is_dir():
        raise BadArgument(f"Mappa {file.parent} finnes ikke.")


async def save(stores: Stores, folder: Path) -> Manifest:
    """Put dumps of both stores in `folder` and return what they hold. Raises `NotDone`, `CannotStart`."""
    async with stores.database() as database:
        if not await database.fetchval("SELECT to_regclass('public.schema_migrations') IS NOT NULL"):
            raise NotDone("Databasen er tom. Det er ingenting å kopiere.")
        migrations = await database.fetchval("SELECT max(number) FROM schema_migrations")
        postgres = await database.fetchval("SHOW server_version")
        corpus = await database.fetchrow("SELECT version, corpus_date FROM corpus")
    await asyncio.to_thread(database_backup.dump, stores.settings.database_url, folder / DATABASE)
    streams: dict[str, SavedStream] = {}
    for name in STREAMS:
        async with stores.nats(name) as connection:
            server = str(connection.connected_server_version)
            described = await save_stream(connection, name, folder / stream_file(name))
        if described is not None:
            state = described["state"]
            streams[name] = SavedStream(
                messages=state["messages"], last_sequence=state["last_seq"], described=described
            )
    return Manifest(
        version=version("lovsvar-local"),
        postgres=postgres,
        nats=server,
        migrations=migrations,
        corpus_version=corpus["version"] if corpus else 0,
        corpus_date=corpus["corpus_date"] if corpus else None,
        streams=streams,
    )
