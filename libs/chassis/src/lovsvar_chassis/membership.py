"""Membership of a queue group: a replica is a member only while it can answer requests, so that the others answer.

It always answers on `subjects.unready`, where `Requester` asks when nobody is in the group, and says what it waits for.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

import structlog
from faststream.nats import NatsBroker
from nats.errors import Error as NatsError

from lovsvar_chassis.request_router import RequestRouter
from lovsvar_chassis.tasks import Background

log = structlog.get_logger()

AGAIN_SECONDS = 1.0

Able = Callable[[bool], Awaitable[None]]
"""Returns once a service can answer requests (asked with True), or no longer can (asked with False)."""


class Membership(Background):
    """Takes the requests of `routers` while the service is `able` to answer them. A part: start, stop."""

    def __init__(self, broker: NatsBroker, routers: Sequence[RequestRouter], able: Able) -> None:
        self._routers = routers
        self._unready = [router.unready() for router in routers]
        broker.include_routers(*self._unready)
        self._able = able

    async def start(self) -> None:
        """Answer those whom nobody in the group answers, and join the group when able."""
        for router in self._unready:
            await router.start()
        await super().start()

    async def stop(self) -> None:
        """Leave the group, and answer what was taken."""
        await super().stop()
        await self._leave()
        await asyncio.gather(*(router.stop() for router in self._unready))

    async def _leave(self) -> None:
        await asyncio.gather(*(router.stop() for router in self._routers))

    async def _run(self) -> None:
        while True:
            await self._able(True)
            try:
                for router in self._routers:
                    await router.start()
            except (NatsError, OSError) as exc:
                log.warning("requests cannot be taken yet", error=repr(exc))
                await self._leave()
                await asyncio.sleep(AGAIN_SECONDS)
                continue
            log.info("takes requests")
            await self._able(False)
            log.info("takes no requests for now")
            await self._leave()
