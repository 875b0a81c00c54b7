"""Taking a share of a queue group's requests only while a service can answer them.

A replica that has nothing to answer from yet is no member of its queue group, so that the others answer. Where there is
no other, its callers are still to hear what it waits for: it always answers the same requests on `subjects.unready`,
where `Requester` asks when nobody is in the group.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any

import structlog
from faststream.nats import NatsBroker
from nats.errors import Error as NatsError

from lovsvar_chassis.answering import Responder, Route
from lovsvar_chassis.problems import ProblemTable
from lovsvar_chassis.tasks import Background
from lovsvar_contracts import subjects

log = structlog.get_logger()

AGAIN_SECONDS = 1.0

Able = Callable[[bool], Awaitable[None]]
"""Returns once a service can answer requests (asked with True), or no longer can (asked with False)."""


class Joining(Background):
    """Takes the requests of `routes` while the service is `able` to answer them. A part: start, stop."""

    def __init__(self, broker: NatsBroker, routes: Sequence[Route[Any]], problems: ProblemTable, able: Able) -> None:
        self._joined = Responder(broker, routes, problems)
        unready = tuple(replace(route, subject=subjects.unready(route.subject)) for route in routes)
        self._unready = Responder(broker, unready, problems)
        self._able = able

    async def start(self) -> None:
        """Answer those whom nobody in the group answers, and join the group when able."""
        await self._unready.start()
        await super().start()

    async def stop(self) -> None:
        """Leave the group, and answer what was taken."""
        await super().stop()
        await self._joined.stop()
        await self._unready.stop()

    async def _run(self) -> None:
        while True:
            await self._able(True)
            try:
                await self._joined.start()
            except (NatsError, OSError) as exc:
                log.warning("requests cannot be taken yet", error=repr(exc))
                await self._joined.stop()
                await asyncio.sleep(AGAIN_SECONDS)
                continue
            log.info("takes requests")
            await self._able(False)
            log.info("takes no requests for now")
            await self._joined.stop()
