"""The connection to NATS: whether it stands, and how a wait on it ends when it falls."""

import asyncio
import contextlib
from collections.abc import Coroutine, Sequence
from typing import Any, TypeVar

import structlog
from faststream.nats import NatsBroker
from nats.errors import Error as NatsError
from nats.js.api import StreamConfig

from lovsvar_chassis.problems import problem
from lovsvar_chassis.service import connect
from lovsvar_chassis.streams import STREAMS, declare_streams
from lovsvar_chassis.tasks import end
from lovsvar_contracts.problems import ProblemError, ProblemType
from lovsvar_gateway.core.errors import CannotConnect

log = structlog.get_logger()

T = TypeVar("T")

WATCH_SECONDS = 0.2

DOWN = "Meldingstjenesten (NATS) svarer ikke. Prøv igjen om litt."


class Link:
    """Holds waits to the connection. A part: start, stop.

    nats-py buffers what is sent while it reconnects, so that a request made then would wait out its
    whole timeout; here it fails at once, and one that is under way fails when the connection does.
    """

    def __init__(
        self,
        broker: NatsBroker,
        replicas: int,
        own: Sequence[StreamConfig] = (),
        shared: Sequence[StreamConfig] = STREAMS,
    ) -> None:
        """`replicas` is how many copies each stream has, `own` the streams that this service alone declares.

        `shared` are those that it declares too when a broker comes back without them.
        """
        self._broker = broker
        self._replicas = replicas
        self._own = tuple(own)
        self._shared = tuple(shared)
        self._lost = asyncio.Event()
        self._watcher: asyncio.Task[None] | None = None

    async def connect(self) -> None:
        """Connect, waiting up to a minute for a NATS that is still starting. Raises `CannotConnect`."""
        try:
            await connect(self._broker)
        except (NatsError, OSError) as exc:
            raise CannotConnect("Får ikke kontakt med NATS. Er den startet, og er LOVSVAR_NATS_URL riktig?") from exc

    async def start(self) -> None:
        """Watch the connection; it stands when this is called."""
        await declare_streams(self._broker.connection.jetstream(), self._replicas, self._own)
        self._lost.clear()
        self._watcher = asyncio.create_task(self._watch(), name="nats-link")

    async def stop(self) -> None:
        """Stop watching."""
        if self._watcher is not None:
            await end(self._watcher)

    @property
    def connected(self) -> bool:
        """Whether NATS can be reached now."""
        return self._watcher is not None and self._broker.connection.is_connected

    async def hold(self, work: Coroutine[Any, Any, T], *, within: float | None = None) -> T:
        """Return the result of `work`, which waits on NATS, at most `within` seconds.

        Raises `ProblemError` (`unavailable`) when NATS is down, goes down meanwhile, or does not answer.
        """
        if not self.connected:
            work.close()
            raise ProblemError(problem(ProblemType.UNAVAILABLE, DOWN))
        working, lost = asyncio.ensure_future(work), asyncio.ensure_future(self._lost.wait())
        try:
            await asyncio.wait({working, lost}, timeout=within, return_when=asyncio.FIRST_COMPLETED)
            if not working.done():
                raise ProblemError(problem(ProblemType.UNAVAILABLE, DOWN))
            return working.result()
        except (NatsError, OSError, TimeoutError) as exc:
            raise ProblemError(problem(ProblemType.UNAVAILABLE, DOWN)) from exc
        finally:
            lost.cancel()
            working.cancel()

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(WATCH_SECONDS)
            if self._lost.is_set() and self.connected:
                await self._recover()
            elif not self._lost.is_set() and not self.connected:
                log.warning("lost NATS")
                self._lost.set()

    async def _recover(self) -> None:
        # A broker that came back without its store has no streams.
        with contextlib.suppress(NatsError, OSError, TimeoutError):
            await declare_streams(self._broker.connection.jetstream(), self._replicas, (*self._shared, *self._own))
            self._lost.clear()
            log.info("found NATS again")
