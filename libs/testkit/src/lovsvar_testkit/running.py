"""Running a service inside a test."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

from lovsvar_chassis.service import Service, serve


@contextlib.asynccontextmanager
async def running(service: Service) -> AsyncIterator[Service]:
    """Run `service` in this event loop, taking requests, until the block ends; a failed start is raised here."""
    stopping, started = asyncio.Event(), asyncio.Event()
    task = asyncio.create_task(serve(service, stopping, started))
    waiting = asyncio.create_task(started.wait())
    await asyncio.wait({task, waiting}, return_when=asyncio.FIRST_COMPLETED)
    waiting.cancel()
    if task.done():
        await task
    try:
        yield service
    finally:
        stopping.set()
        await task
