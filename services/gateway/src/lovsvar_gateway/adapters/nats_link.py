"""The connection to NATS: whether it is up, whether messages can be stored, and waits that end when it is lost."""

import asyncio
import contextlib
from collections.abc import Coroutine, Sequence
from typing import Any, TypeVar

import structlog
from nats.errors import Error as NatsError
from nats.js.api import DiscardPolicy, StreamInfo
from nats.js.errors import NoStreamResponseError

from lovsvar_chassis.addresses import Unreachable
from lovsvar_chassis.broker import Broker, connect
from lovsvar_chassis.manifest import PROBE, PROBED, Stream, all_streams
from lovsvar_chassis.problems import problem
from lovsvar_chassis.progress import Note, unnoted
from lovsvar_chassis.publisher import StorageFull, is_full
from lovsvar_chassis.settings import ServiceSettings
from lovsvar_chassis.streams import declare_streams
from lovsvar_chassis.tasks import end, tell_of_failure
from lovsvar_contracts import subjects
from lovsvar_contracts.problems import ProblemError, ProblemType
from lovsvar_gateway.core.errors import CannotConnect

log = structlog.get_logger()

T = TypeVar("T")

WATCH_SECONDS = 0.2
PROBE_SECONDS = 2.0  # between two messages that are stored to see whether they can be

DOWN = "Meldingstjenesten (NATS) svarer ikke. Prøv igjen om litt."
FULL_DETAIL = "lagringen for meldinger er full"
NO_STORE_DETAIL = "meldinger kan ikke lagres"


class NatsLink:
    """Ends waits when the connection is lost, and probes storage. A component with `start` and `stop`.

    nats-py buffers what is sent while it reconnects, so that a request made then would wait for its whole timeout.
    Here it fails at once, and one in progress fails when the connection does.
    """

    def __init__(
        self, broker: Broker, settings: ServiceSettings, own: Sequence[Stream] = (), note: Note = unnoted
    ) -> None:
        """`settings` say how streams are kept; `own` are those that this service alone declares.

        Those of all are declared too, unless `settings` say otherwise, when a broker comes back without them.
        """
        self._note = note
        self._broker = broker
        self._settings = settings
        self._own = own
        self._streams = (*(all_streams(settings.services_file) if settings.declare_streams else ()), *own)
        self._needed = {subjects.STREAM_QUESTIONS, *(stream.name for stream in own)}
        self._lost = asyncio.Event()
        self._fault = ""
        self._tasks: tuple[asyncio.Task[None], ...] = ()

    async def connect(self) -> None:
        """Connect, waiting up to a minute for a NATS that is still starting. Raises `CannotConnect`."""
        try:
            await connect(self._broker)
        except Unreachable as exc:
            raise CannotConnect(str(exc)) from exc

    async def start(self) -> None:
        """Watch the connection, which is up when this is called."""
        await self._declare(self._own)
        await self._probe()
        self._lost.clear()
        named = {"nats-link": self._watch(), "storage-probe": self._probe_on()}
        self._tasks = tuple(asyncio.create_task(work, name=name) for name, work in named.items())
        for task in self._tasks:
            tell_of_failure(task)

    async def stop(self) -> None:
        """Stop watching."""
        await end(*self._tasks)

    @property
    def connected(self) -> bool:
        """Whether NATS can be reached now."""
        return bool(self._tasks) and self._broker.connection.is_connected

    def storage_fault(self) -> str:
        """Return why messages cannot be stored, in Norwegian; "" when they can."""
        return self._fault

    async def hold(self, work: Coroutine[Any, Any, T], *, within: float | None = None) -> T:
        """Return the result of `work`, which waits on NATS, at most `within` seconds.

        Raises `ProblemError` (`unavailable`) when NATS is down, goes down meanwhile, or does not answer, and
        `StorageFull` when what `work` stores has no room.
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
            if is_full(exc):
                raise StorageFull from exc
            raise ProblemError(problem(ProblemType.UNAVAILABLE, DOWN)) from exc
        finally:
            lost.cancel()
            working.cancel()

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(WATCH_SECONDS)
            self._note()
            if self._lost.is_set() and self.connected:
                await self._recover()
            elif not self._lost.is_set() and not self.connected:
                log.warning("lost NATS")
                self._lost.set()

    async def _recover(self) -> None:
        # A broker that came back without its store has no streams.
        try:
            await self._declare(self._streams)
        except (NatsError, OSError, TimeoutError):
            # What needs no stream, as searching does, goes on all the same.
            self._fault = NO_STORE_DETAIL
        if self.connected:
            self._lost.clear()
            log.info("found NATS again", fault=self._fault or None)

    async def _declare(self, streams: Sequence[Stream]) -> None:
        jetstream = self._broker.connection.jetstream()
        given = self._settings
        await declare_streams(jetstream, given.nats_replicas, streams, given.storage_mb, given.services_file)

    async def _probe_on(self) -> None:
        while True:
            await asyncio.sleep(PROBE_SECONDS)
            if self.connected and not self._lost.is_set():
                await self._probe()

    async def _probe(self) -> None:
        """Store a message to see whether that is possible; declare streams again that were deleted."""
        jetstream = self._broker.connection.jetstream()
        fault = ""
        try:
            await self._broker.publish(b"", PROBED, stream=PROBE.name, timeout=PROBE_SECONDS)
            infos = {str(info.config.name): info for info in await jetstream.streams_info()}
            if any(_refuses(infos[name]) for name in self._needed & infos.keys()):
                fault = FULL_DETAIL
            if missing := [config for config in self._streams if config.name not in infos]:
                log.warning("streams are gone", streams=[config.name for config in missing])
                await self._declare(missing)
        except NoStreamResponseError:
            fault = NO_STORE_DETAIL
            with contextlib.suppress(NatsError, OSError, TimeoutError):
                await self._declare(self._streams)
        except (NatsError, OSError, TimeoutError) as exc:
            fault = FULL_DETAIL if is_full(exc) else NO_STORE_DETAIL
        if fault != self._fault:
            log.warning("storage", fault=fault or None)
        self._fault = fault


def _refuses(info: StreamInfo) -> bool:
    """Return whether a stream that discards nothing by itself has no room for a message of the greatest size."""
    config, state = info.config, info.state
    if config.discard != DiscardPolicy.NEW:
        return False
    too_many = 0 < (config.max_msgs or 0) <= state.messages
    return too_many or 0 < (config.max_bytes or 0) < state.bytes + max(config.max_msg_size or 0, 0)
