"""`lovsvar restore`: both stores as a backup holds them, and the law served again."""

import asyncio
import tempfile
import time
from pathlib import Path

from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.migrations import load_migrations
from lovsvar_chassis.requester import Requester
from lovsvar_contracts import subjects
from lovsvar_contracts.message import Frozen
from lovsvar_contracts.problems import ProblemError, ProblemType
from lovsvar_contracts.search import CorpusStatus, ReadStatus
from lovsvar_ingest.manifest import SCHEMA
from lovsvar_local import database_backup, exits
from lovsvar_local.archive import DATABASE, Manifest, stream_file, unpack
from lovsvar_local.commands.backup import STREAMS
from lovsvar_local.commands.session import Where, open_session
from lovsvar_local.commands.stores import USER, Stores, open_stores
from lovsvar_local.errors import BadArgument, NotDone
from lovsvar_local.initial_corpus import SERVED_SECONDS, served
from lovsvar_local.progress import Progress
from lovsvar_local.stream_backup import messages_in, restore_stream


class Restored(Frozen):
    """What `lovsvar restore --json` prints. `served` is False where no search runs that could serve it."""

    corpus_version: int
    messages: dict[str, int]
    served: bool


async def restore(where: Where, progress: Progress, *, file: Path, force: bool) -> int:
    """Restore `file` and return the exit code once its law is served. Raises `NotDone`.

    Raises `BadArgument` before any change: the file is damaged or newer, or would replace something without `force`.
    """
    with tempfile.TemporaryDirectory(prefix="lovsvar-restore-") as place:
        manifest = await asyncio.to_thread(unpack, file, Path(place))
        if manifest.migrations > len(load_migrations(SCHEMA)):
            raise BadArgument(f"{file} er laget av en nyere utgave av Lovsvar ({manifest.version}).")
        if any(name not in STREAMS or stream.name != name for name, stream in manifest.streams.items()):
            raise BadArgument(f"{file} har andre strømmer enn de som sikkerhetskopieres.")
        async with open_stores(where, alone=True) as stores:
            if not force and (found := await stored(stores)):
                raise BadArgument(f"Her er det noe fra før: {found}. Bruk --force for å erstatte det.")
            progress.doing("Gjenoppretter databasen og strømmene …")
            await load(stores, manifest, Path(place))
            elsewhere = stores.folder is None
            is_served = elsewhere and await served_elsewhere(stores, manifest.corpus_version)
    if not elsewhere:
        async with open_session(where, "restore", progress) as session:
            await served(session.gateway, manifest.corpus_version)
            is_served = True
    messages = {name: stream.messages for name, stream in manifest.streams.items()}
    said = "Loven kan søkes i." if is_served else "Start tjenestene, så kan loven søkes i."
    progress.result(
        Restored(corpus_version=manifest.corpus_version, messages=messages, served=is_served),
        f"Lovsamling {manifest.corpus_version} fra {manifest.made_at:%Y-%m-%d %H:%M} UTC er på plass. {said}",
    )
    return exits.OK


async def stored(stores: Stores) -> str:
    """Return in words what a restore would replace, or ""."""
    async with stores.database() as database:
        tables: int = await database.fetchval("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")
        exists = await database.fetchval("SELECT to_regclass('public.corpus') IS NOT NULL")
        law: int = await database.fetchval("SELECT version FROM corpus") if exists else tables
    found = [f"lovsamling {law}"] if law else []
    for name in (subjects.STREAM_AUDIT, subjects.STREAM_ANSWERS, subjects.STREAM_SAVED):
        async with stores.nats(name) as connection:
            if count := await messages_in(connection, name):
                found.append(f"{count} meldinger i {name}")
    return ", ".join(found)


async def load(stores: Stores, manifest: Manifest, folder: Path) -> None:
    """Put what `folder` holds in place of what is stored. Raises `NotDone`, `CannotStart`."""
    await asyncio.to_thread(database_backup.restore, stores.settings.database_url, folder / DATABASE)
    for name, stream in manifest.streams.items():
        async with stores.nats(name) as connection:
            if await messages_in(connection, name) is not None:
                await connection.jetstream().delete_stream(name)
            await restore_stream(connection, name, stream.described, folder / stream_file(name))
            if stream.messages and await messages_in(connection, name) is None:
                raise NotDone(f"Strømmen {name} er ikke på plass.")


async def served_elsewhere(stores: Stores, version: int) -> bool:
    """Return once a search on these servers serves `version`; False when no search answers. Raises `NotDone`."""
    deadline = time.monotonic() + SERVED_SECONDS
    async with make_broker(stores.settings, USER) as broker:
        while time.monotonic() < deadline:
            try:
                status = await Requester(broker).ask(subjects.SEARCH_STATUS, ReadStatus(), CorpusStatus)
            except ProblemError as error:
                if error.problem.type is ProblemType.UNAVAILABLE:
                    return False
            else:
                if status.corpus_version == version:
                    return True
            await asyncio.sleep(0.2)
    raise NotDone("Søket har ikke tatt i bruk det som er gjenopprettet.")
