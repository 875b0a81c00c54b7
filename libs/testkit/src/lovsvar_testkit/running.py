"""Running a service, or a stand-in for one, inside a test."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.request_router import RequestRouter
from lovsvar_chassis.service import flush, running
from lovsvar_chassis.settings import ServiceSettings

__all__ = ["answering", "running"]


@contextlib.asynccontextmanager
async def answering(nats_url: str, *routers: RequestRouter) -> AsyncIterator[None]:
    """Answer the requests of `routers` over a connection of their own until the block ends."""
    async with make_broker(ServiceSettings(nats_url=nats_url), "stand-in") as broker:
        broker.include_routers(*routers)
        for router in routers:
            await router.start()
        await flush(broker)
        try:
            yield
        finally:
            await asyncio.gather(*(router.stop() for router in routers))
