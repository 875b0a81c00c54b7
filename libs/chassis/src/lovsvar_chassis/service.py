"""Starting the parts of a service in order, and stopping them in reverse."""

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any, Protocol

import structlog
from faststream.nats import NatsBroker
from nats.errors import Error as NatsError

from lovsvar_chassis import telemetry
from lovsvar_chassis.answering import Responder, Route
from lovsvar_chassis.health import health_routes
from lovsvar_chassis.problems import ProblemTable
from lovsvar_chassis.settings import ServiceSettings
from lovsvar_chassis.streams import declare_streams
from lovsvar_chassis.tasks import end

log = structlog.get_logger()

CONNECT_SECONDS = 60.0
DRAIN_SECONDS = 2.0
DISCONNECT_SECONDS = 1.0


class Part(Protocol):
    """Something with a life of its own inside a service: a pool, an index, a work queue."""

    async def start(self) -> None:
        """Become usable."""

    async def stop(self) -> None:
        """Let go of everything. Called once, also when this part or a later one did not come to start."""


def always_ready() -> str:
    """Say that a service is ready, since it has nothing to wait for."""
    return ""


@dataclass(frozen=True)
class Service:
    """A service, built and not yet started.

    `parts` start in order once the broker is connected and before the requests of `routes` are taken, whose
    errors are answered as `problems` says; `workers` start last. `not_ready` returns why the service is not
    ready, in Norwegian, or "" when it is. `distribution` names the package that holds it when that is not
    `lovsvar-<name>`.
    """

    name: str
    settings: ServiceSettings
    broker: NatsBroker
    routes: Sequence[Route[Any]] = ()
    problems: ProblemTable = field(default_factory=dict)
    parts: Sequence[Part] = ()
    workers: Sequence[Part] = ()
    not_ready: Callable[[], str] = field(default=always_ready)
    distribution: str = ""


def service_version(name: str, distribution: str = "") -> str:
    """Return the installed version of service `name`."""
    return version(distribution or f"lovsvar-{name}")


def main(name: str, settings: ServiceSettings, build: Callable[[], Service], distribution: str = "") -> None:
    """Run a service until SIGTERM, SIGINT, or the end of its parent."""
    telemetry.configure(name, service_version(name, distribution), settings.log_level)
    asyncio.run(serve(build()))


async def serve(service: Service, stopping: asyncio.Event | None = None, started: asyncio.Event | None = None) -> None:
    """Start `service`, set `started`, wait for `stopping` (a signal when it is None), and stop it."""
    if stopping is None:
        stopping = stop_on_signals(exit_with_parent=service.settings.exit_with_parent)
    told = asyncio.create_task(stopping.wait())
    try:
        async with contextlib.AsyncExitStack() as stack:
            starting = asyncio.create_task(start(service, stack))
            try:
                await asyncio.wait({starting, told}, return_when=asyncio.FIRST_COMPLETED)
                if starting.done():
                    await starting
                    log.info("started")
                    if started is not None:
                        started.set()
                    await told
            finally:
                await end(starting)
            log.info("stopping")
    finally:
        told.cancel()


async def start(service: Service, stack: contextlib.AsyncExitStack) -> None:
    """Start `service`, and leave on `stack` what stops as much of it as was started."""
    stack.push_async_callback(disconnect, service.broker)
    await connect(service.broker)
    if service.settings.declare_streams:
        await declare_streams(service.broker.connection.jetstream(), service.settings.nats_replicas)
    for part in service.parts:
        stack.push_async_callback(part.stop)
        await part.start()
    await service.broker.start()
    stack.push_async_callback(drain, service.broker)
    installed = service_version(service.name, service.distribution)
    health = health_routes(service.name, installed, service.not_ready)
    responder = Responder(service.broker, (*health, *service.routes), service.problems)
    stack.push_async_callback(responder.stop)
    await responder.start()
    await flush(service.broker)
    for worker in service.workers:
        stack.push_async_callback(worker.stop)
        await worker.start()


async def connect(broker: NatsBroker) -> None:
    """Connect, waiting up to a minute for a broker that is still starting. Raises `TimeoutError`."""
    async with asyncio.timeout(CONNECT_SECONDS):
        await broker.connect()


async def flush(broker: NatsBroker) -> None:
    """Return when the server has got everything that was sent, so that whoever asks next finds the subscriptions."""
    # nats-py writes a ping before what still waits to be sent; the second ping comes behind it.
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


async def drain(broker: NatsBroker) -> None:
    """Stop hearing, and handle what was heard; `broker.stop()` alone would drop it."""

    async def one(subscriber: Any) -> None:
        subscription, subscriber.subscription = subscriber.subscription, None
        await subscription.drain()

    heard = [s for s in broker.subscribers if getattr(s, "subscription", None) is not None]
    with contextlib.suppress(NatsError, OSError, TimeoutError):
        async with asyncio.timeout(DRAIN_SECONDS):
            await asyncio.gather(*(one(s) for s in heard))


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
