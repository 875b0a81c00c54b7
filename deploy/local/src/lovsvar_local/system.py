"""Finding the running system of a data folder, or starting it.

One launcher owns a folder. A command that finds the folder owned waits until the owner is ready and shares the users'
lock meanwhile; an owner that is done waits for its users before it stops.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from lovsvar_local.errors import AlreadyRunning, CannotStart
from lovsvar_local.folder import DataFolder
from lovsvar_local.locks import FileLock
from lovsvar_local.progress import Progress
from lovsvar_local.setup import Setup
from lovsvar_local.signals import ended_at_once
from lovsvar_local.state import RunningSystem, read_state

POLL = 0.05
OWNER_SECONDS = 120.0
TELL_AFTER = 2.0


@dataclass(frozen=True)
class System:
    """A running system. `owned` says that this command started it and will stop it."""

    url: str
    owned: bool


@asynccontextmanager
async def use_system(folder: DataFolder, setup: Setup, progress: Progress) -> AsyncIterator[System]:
    """Yield the running system of `folder`, or one started here and stopped at the end. Raises `CannotStart`."""
    owner, users = FileLock(folder.launcher_lock), FileLock(folder.users_lock)
    deadline, told = time.monotonic() + OWNER_SECONDS, time.monotonic() + TELL_AFTER
    try:
        while True:
            if owner.try_alone():
                async with _own(folder, setup, progress) as system:
                    yield system
                    await _wait_for_users(users, progress)
                return
            if url := _join(folder, users):
                yield System(url, owned=False)
                return
            if time.monotonic() > told:
                progress.say("Venter på at Lovsvar, som startes eller stoppes av en annen kommando, skal bli klar …")
                told = deadline
            if time.monotonic() > deadline:
                raise CannotStart(f"En annen lovsvar holder på med {folder.path}, men blir ikke klar.")
            await asyncio.sleep(POLL)
    finally:
        users.release()
        owner.release()


@asynccontextmanager
async def own_system(folder: DataFolder, setup: Setup, progress: Progress) -> AsyncIterator[System]:
    """Start the system of `folder` and stop it at the end.

    Raises `AlreadyRunning` when another command owns the folder, and `CannotStart`.
    """
    owner = FileLock(folder.launcher_lock)
    if not owner.try_alone():
        raise AlreadyRunning(_who(folder, read_state(folder.state)))
    try:
        async with _own(folder, setup, progress) as system:
            yield system
    finally:
        owner.release()


@asynccontextmanager
async def _own(folder: DataFolder, setup: Setup, progress: Progress) -> AsyncIterator[System]:
    from lovsvar_local.supervisor import Supervisor  # which those who join a running system have no use for

    supervisor = Supervisor(folder, setup, progress.say)
    with ended_at_once(supervisor.kill):
        try:
            progress.doing("Starter Lovsvar …")
            url = await supervisor.start()
            progress.doing("")
            yield System(url, owned=True)
        finally:
            await _to_its_end(supervisor.stop())


async def _to_its_end(work: Coroutine[Any, Any, None]) -> None:
    """Run `work` whole, also when we are cancelled meanwhile; the cancellation is raised afterwards."""
    task, cancelled = asyncio.create_task(work), False
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError:
            cancelled = True
    task.result()
    if cancelled:
        raise asyncio.CancelledError


def _join(folder: DataFolder, users: FileLock) -> str | None:
    if not users.try_shared():
        return None
    # Read with the share in hand: the owner takes the lock alone before it begins to stop.
    state = read_state(folder.state)
    if state is not None and state.phase == "ready" and state.launcher.process():
        return state.url
    users.release()
    return None


async def _wait_for_users(users: FileLock, progress: Progress) -> None:
    told = False
    while not users.try_alone():
        if not told:
            progress.say(
                "Venter på at andre lovsvar-kommandoer som bruker systemet, skal bli ferdige (Ctrl-C stopper) …"
            )
            told = True
        await asyncio.sleep(POLL)


def _who(folder: DataFolder, state: RunningSystem | None) -> str:
    if state is None:
        return f"En annen lovsvar bruker allerede {folder.path}."
    return (
        f"Lovsvar kjører allerede på {folder.path}: «lovsvar {state.command}», "
        f"prosess {state.launcher.pid}, {state.url}."
    )
