"""Starting the parts of a service in order, and stopping them in reverse."""

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Protocol, TypeVar

import structlog
from faststream.nats import NatsBroker
from nats.errors import Error as NatsError

from lovsvar_chassis import event_loop, metrics, telemetry
from lovsvar_chassis.addresses import Unreachable
from lovsvar_chassis.broker import Broker, connect
from lovsvar_chassis.event_router import EventRouter
from lovsvar_chassis.health import Details, health_routers
from lovsvar_chassis.liveness import liveness
from lovsvar_chassis.manifest import Process
from lovsvar_chassis.membership import Able, Membership
from lovsvar_chassis.progress import Progress
from lovsvar_chassis.publisher import Sent
from lovsvar_chassis.request_router import RequestRouter
from lovsvar_chassis.settings import ServiceSettings
from lovsvar_chassis.streams import declare_streams
from lovsvar_chassis.tasks import end
from lovsvar_chassis.work_router import WorkRouter

log = structlog.get_logger()

EXIT_UNREACHABLE = 1
DISCONNECT_SECONDS = 1.0
LAG_SECONDS = 0.25
"""How often the event loop is asked to wake up in time."""

Settings = TypeVar("Settings", bound=ServiceSettings)


class Part(Protocol):
    """A component of a service with `start` and `stop`: a pool, an index, a work queue."""

    async def start(self) -> None:
        """Become usable."""

    async def stop(self) -> None:
        """Release everything. Called once, also when this part or a later one did not start."""


@dataclass(frozen=True)
class Service:
    """A service, built and not yet started.

    `parts` start in order once the broker is connected, then `events` are heard, `requests` taken, and `work` fetched;
    `workers` start last. `sends` documents what it sends unasked. `not_ready` returns why the service is not ready, in
    Norwegian, or "" when it is, `progress` is where its components note that they get on, and `details` are more
    fields of its `ServiceHealth`. With `able` it shares requests with its like only while that says that it can answer
    them, else from its start. `distribution` names the package that holds it when that is not `lovsvar-<name>`.
    """

    name: str
    settings: ServiceSettings
    broker: Broker
    requests: RequestRouter | None = None
    events: EventRouter | None = None
    work: WorkRouter | None = None
    sends: Sequence[Sent] = ()
    parts: Sequence[Part] = ()
    workers: Sequence[Part] = ()
    not_ready: Callable[[], str] = field(default=str)
    progress: Progress = field(default_factory=Progress)
    details: Details = field(default=dict)
    able: Able | None = None
    distribution: str = ""

    def __post_init__(self) -> None:
        for router in (self.requests, self.events, self.work):
            if router is not None:
                self.broker.include_router(router)


def service_version(name: str, distribution: str = "") -> str:
    """Return the installed version of service `name`."""
    return version(distribution or f"lovsvar-{name}")


def main(process: Process, settings_type: type[Settings], build: Callable[[Settings], Service]) -> None:
    """Run a process of a service until SIGTERM, SIGINT, or the end of its parent. Exits with 1 without its servers."""
    settings, installed = settings_type(), version(process.distribution)
    telemetry.configure(process.name, installed, settings.log_level)
    metrics.configure(process.name, installed, settings.metrics_port, settings.metrics_host)
    try:
        event_loop.run(_serve_alive(build(settings)))
    except Unreachable as exc:
        log.critical("cannot start", reason=str(exc))
        sys.exit(EXIT_UNREACHABLE)


async def _serve_alive(service: Service) -> None:
    async with liveness(service.settings.liveness_file):
        await serve(service)


async def serve(service: Service, stopping: asyncio.Event | None = None, started: asyncio.Event | None = None) -> None:
    """Start `service`, set `started`, wait for `stopping` (a signal when it is None), and stop it."""
    if stopping is None:
        stopping = stop_on_signals(exit_with_parent=service.settings.exit_with_parent)
    asked = asyncio.create_task(stopping.wait())
    try:
        async with contextlib.AsyncExitStack() as stack:
            starting = asyncio.create_task(start(service, stack))
            try:
                await asyncio.wait({starting, asked}, return_when=asyncio.FIRST_COMPLETED)
                if starting.done():
                    await starting
                    log.info("started")
                    if started is not None:
                        started.set()
                    await asked
            finally:
                await end(starting)
            log.info("stopping")
    finally:
        asked.cancel()


@contextlib.asynccontextmanager
async def running(service: Service) -> AsyncIterator[Service]:
    """Run `service` in this event loop for as long as the block; a failed start is raised here."""
    stopping, started = asyncio.Event(), asyncio.Event()
    serving, starting = asyncio.create_task(serve(service, stopping, started)), asyncio.create_task(started.wait())
    await asyncio.wait({serving, starting}, return_when=asyncio.FIRST_COMPLETED)
    starting.cancel()
    if serving.done():
        await serving
    try:
        yield service
    finally:
        stopping.set()
        await serving


async def start(service: Service, stack: contextlib.AsyncExitStack) -> None:
    """Start `service`, and leave on `stack` what stops as much of it as was started."""
    stack.push_async_callback(disconnect, service.broker)
    await connect(service.broker)
    _measure(service, stack)
    if service.settings.declare_streams:
        await _declare(service.broker, service.settings)
    for part in service.parts:
        stack.push_async_callback(part.stop)
        await part.start()
    if service.events is not None:
        stack.push_async_callback(service.events.stop)
        await service.events.start()
    for taking in _requests(service):
        stack.push_async_callback(taking.stop)
        await taking.start()
    await flush(service.broker)
    for worker in (*([service.work] if service.work else []), *service.workers):
        stack.push_async_callback(worker.stop)
        await worker.start()


def _measure(service: Service, stack: contextlib.AsyncExitStack) -> None:
    """Measure readiness, connection and event loop; metrics may be set up later."""
    metrics.READY.watch(lambda: [(float(not (service.not_ready() or service.progress.silent())), {})])
    metrics.NATS_CONNECTED.watch(lambda: [(float(service.broker.connection.is_connected), {})])
    loop = asyncio.get_running_loop()
    timer: asyncio.TimerHandle

    def wake(due: float) -> None:
        nonlocal timer
        now = loop.time()
        metrics.EVENT_LOOP_LAG.record(max(0.0, now - due))
        timer = loop.call_at(now + LAG_SECONDS, wake, now + LAG_SECONDS)

    due = loop.time() + LAG_SECONDS
    timer = loop.call_at(due, wake, due)
    stack.callback(lambda: timer.cancel())  # noqa: PLW0108 # the one that waits then


async def _declare(broker: Broker, settings: ServiceSettings) -> None:
    try:
        jetstream = broker.connection.jetstream()
        await declare_streams(
            jetstream, settings.nats_replicas, storage_mb=settings.storage_mb, services_file=settings.services_file
        )
    except (NatsError, OSError) as exc:
        why = " ".join((str(exc) or type(exc).__name__).split())
        raise Unreachable(
            f"NATS på {broker.addresses} lager ikke strømmene som trengs ({why}). Er JetStream på, og kjører så mange "
            f"noder som LOVSVAR_NATS_REPLICAS={settings.nats_replicas} krever?"
        ) from exc


def _requests(service: Service) -> Sequence[Part]:
    """Return what takes requests: those for this host alone, and those that replicas share."""
    installed = service_version(service.name, service.distribution)
    shared, own = health_routers(service.name, installed, service.not_ready, service.progress, service.details)
    service.broker.include_routers(shared, own)
    routers = (shared, service.requests) if service.requests else (shared,)
    if service.able is None:
        return own, *routers
    return own, Membership(service.broker, routers, service.able)


async def flush(broker: NatsBroker) -> None:
    """Return when the server has received everything, so that the next requester finds the subscriptions."""
    # nats-py writes a ping before what still waits to be sent; the second ping follows that.
    await broker.connection.flush()
    await broker.connection.flush()


async def disconnect(broker: NatsBroker) -> None:
    """Close the connection, also one that is down: `broker.stop()` would raise and leave it trying to reconnect."""
    try:
        # A subscription with a message that nobody reads would hold it up for half a minute.
        async with asyncio.timeout(DISCONNECT_SECONDS):
            await broker.stop()
    except (NatsError, OSError, ExceptionGroup):
        with contextlib.suppress(NatsError, OSError):
            await broker.connection.close()


class Connection:
    """A second connection of a service, to another account of NATS. A part: start, stop."""

    def __init__(self, broker: Broker) -> None:
        self._broker = broker

    async def start(self) -> None:
        """Connect, waiting up to a minute. Raises `Unreachable`."""
        await connect(self._broker)

    async def stop(self) -> None:
        """Disconnect."""
        await disconnect(self._broker)


def stop_on_signals(*, exit_with_parent: bool) -> asyncio.Event:
    """Return an event that SIGTERM or SIGINT sets, and the end of standard input if so asked."""
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for sig in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(sig, stopping.set)
    if exit_with_parent:
        # The launcher holds the other end of the pipe; it closes when the launcher dies, however it dies.
        def parent_spoke() -> None:
            if not os.read(sys.stdin.fileno(), 1024):
                loop.remove_reader(sys.stdin.fileno())
                stopping.set()

        loop.add_reader(sys.stdin.fileno(), parent_spoke)
    return stopping
