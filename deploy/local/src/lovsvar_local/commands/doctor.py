"""`lovsvar doctor`: what is right and wrong with a system, and what to do about it."""

import os
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import TypeVar

import asyncpg
from nats.errors import Error as NatsError

from lovsvar_chassis.settings import DatabaseSettings
from lovsvar_contracts.problems import ProblemError
from lovsvar_local import exits
from lovsvar_local.check_database import check_database
from lovsvar_local.check_gateway import check_gateway
from lovsvar_local.check_nats import check_nats
from lovsvar_local.commands.session import Where, api_key
from lovsvar_local.commands.stores import Stores, running_settings
from lovsvar_local.errors import CannotStart
from lovsvar_local.findings import MODEL, Finding, error, fine, report, warning
from lovsvar_local.folder import NEEDED_BYTES, DataFolder, default_path, free_bytes, unusable
from lovsvar_local.locks import FileLock
from lovsvar_local.progress import Progress

PLENTY_BYTES = 2_000_000_000
"""Free room under which a disk is called almost full: a sync and a backup take about that together."""

Connection = TypeVar("Connection")


async def doctor(where: Where, progress: Progress, *, online: bool) -> int:
    """Print what is found and return the exit code: a problem when anything does not work. Starts nothing."""
    progress.doing("Undersøker systemet …")
    found = report(await _look(where, online=online))
    progress.result(found)
    return exits.OK if found.ok else exits.PROBLEM


async def _look(where: Where, *, online: bool) -> list[Finding]:
    if where.url:
        found = await check_gateway(where.url, api_key())
    elif os.environ.get("LOVSVAR_NATS_URL") or os.environ.get("LOVSVAR_DATABASE_URL"):
        found = await _look_at_stores(Stores(DatabaseSettings()), named=True)
    else:
        found = await _look_at_folder(DataFolder((where.data_dir or default_path()).expanduser().absolute()))
    return [*found, await _try_model()] if online else found


async def _look_at_folder(folder: DataFolder) -> list[Finding]:
    if not folder.path.is_dir():  # nothing else runs
        return [warning("datamappe", f"{folder.path} finnes ikke.", "Den lages første gang Lovsvar brukes.")]
    room = check_room(folder.path)
    lock = FileLock(folder.launcher_lock)
    if lock.try_alone():
        lock.release()
        return [room, warning("system", "Lovsvar kjører ikke på denne mappa.", "Start det med «lovsvar up».")]
    try:
        stores = Stores(running_settings(folder), folder)
    except CannotStart as exc:
        return [room, error("system", str(exc), "Prøv igjen om litt.")]
    return [room, *await _look_at_stores(stores)]


def check_room(path: Path) -> Finding:
    """Say whether the data folder can be written, and how much room there is."""
    try:
        free = free_bytes(path)
    except OSError as exc:
        return error("datamappe", str(unusable(path, exc)), "Rett rettighetene, eller velg en annen mappe.")
    said = f"{path} kan skrives i, med {free / 1_000_000_000:.1f} GB ledig."
    if free < NEEDED_BYTES:
        return error("datamappe", said, "Frigjør plass.")
    return warning("datamappe", said, "Frigjør plass.") if free < PLENTY_BYTES else fine("datamappe", said)


async def _look_at_stores(stores: Stores, *, named: bool = False) -> list[Finding]:
    """Look at both stores, or, of those that the environment is to name, at the ones it does."""
    found: list[Finding] = []
    if not named or os.environ.get("LOVSVAR_NATS_URL"):
        remedy = "Kjører NATS, og har den JetStream? Er adresse og nøkkel riktige?"
        found += await _look_at("nats", stores.nats(), check_nats, remedy)
    if not named or os.environ.get("LOVSVAR_DATABASE_URL"):
        remedy = "Kjører PostgreSQL? Er adresse og passord riktige?"
        found += await _look_at("postgresql", stores.database(), check_database, remedy)
    return found


async def _look_at(
    area: str,
    connecting: AbstractAsyncContextManager[Connection],
    check: Callable[[Connection], Awaitable[list[Finding]]],
    remedy: str,
) -> list[Finding]:
    try:
        async with connecting as connection:
            return await check(connection)
    except CannotStart as exc:
        return [error(area, str(exc), remedy)]
    except (NatsError, asyncpg.PostgresError, asyncpg.InterfaceError, OSError, TimeoutError) as exc:
        return [error(area, f"Svarer ikke: {exc!r}.", remedy)]


async def _try_model() -> Finding:
    """Ask the model of this environment for one word."""
    from lovsvar_agent.app import make_model
    from lovsvar_agent.core.ports import Request
    from lovsvar_agent.settings import Settings

    settings = Settings()
    if not settings.has_model:
        return warning("språkmodell", "Kan ikke prøves herfra: den er ikke satt opp i dette miljøet.", MODEL)
    model = make_model(settings)
    await model.start()
    try:
        messages = ({"role": "user", "content": "Svar med ordet ja."},)
        async for _ in model.reply(Request(messages, max_tokens=16)):
            pass
    except ProblemError as exc:
        return error("språkmodell", exc.problem.detail, MODEL)
    finally:
        await model.stop()
    return fine("språkmodell", f"{settings.model} svarer.")
