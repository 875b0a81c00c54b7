"""The FastStream broker of a service: its connection to NATS, and what it hears there without answering."""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import structlog
from faststream import BaseMiddleware
from faststream.nats import NatsBroker
from faststream.nats.security import NatsNKey, NatsSecurity
from nats.aio.client import Client
from nats.errors import Error as NatsError
from opentelemetry import trace
from opentelemetry.trace import SpanKind

from lovsvar_chassis.addresses import Unreachable, shown
from lovsvar_chassis.credentials import inbox_prefix, seed, tls_context
from lovsvar_chassis.repeats import Repeats
from lovsvar_chassis.settings import ServiceSettings
from lovsvar_chassis.telemetry import trace_context

log = structlog.get_logger()
_tracer = trace.get_tracer(__name__)


CONNECT_SECONDS = 60.0
"""How long a start waits for a broker that is still starting."""

# A link that died without a word is given up after the third ping, twelve seconds. nats-py's own two minutes between
# pings would leave requests waiting for six.
PING_SECONDS = 4
UNANSWERED_PINGS = 2

# What was sent and nobody confirmed: without it, closing such a link waits a quarter of an hour to send the rest.
UNSENT_MS = 10_000


class Broker(NatsBroker):
    """A broker of several addresses that says what is wrong with them."""

    def __init__(self, servers: Sequence[str], **options: Any) -> None:
        self.addresses = shown(servers)
        self.trouble = ""
        """What went wrong last, in nats-py's words."""
        self._repeats = Repeats()
        super().__init__(
            list(servers),
            error_cb=self._note,
            disconnected_cb=self._disconnected,
            reconnected_cb=self._reconnected,
            **options,
        )

    async def _connect(self) -> Client:
        connection = await super()._connect()
        # FastStream's wrapper of it raises for some errors, to end a start early. In a later reconnect that would end
        # the trying for good, without a word: a server may refuse for a while, when it has too many connections.
        connection._error_cb = self._note
        _limit_unsent(connection)
        return connection

    async def _note(self, error: Exception) -> None:
        reason = self.trouble = f"{type(error).__name__}: {error}"
        if times := self._repeats.count(reason):
            log.warning("trouble with NATS", addresses=self.addresses, reason=reason, times=times)

    async def _disconnected(self) -> None:
        if self.connection.is_reconnecting:
            log.warning("lost the connection to NATS", addresses=self.addresses)

    async def _reconnected(self) -> None:
        _limit_unsent(self.connection)
        at = self.connection.connected_url
        log.info("connected to NATS again", address=shown([at.geturl()]) if at else self.addresses)


def make_broker(settings: ServiceSettings, name: str) -> Broker:
    """Return the broker of service `name`. It reconnects, to any of its addresses, for as long as it takes."""
    return Broker(
        settings.nats_servers,
        name=f"lovsvar-{name}",
        security=make_security(settings),
        inbox_prefix=inbox_prefix(name),
        logger=None,
        graceful_timeout=0.5,
        connect_timeout=2,
        max_reconnect_attempts=-1,
        reconnect_time_wait=1,
        allow_reconnect=True,
        ping_interval=PING_SECONDS,
        max_outstanding_pings=UNANSWERED_PINGS,
        drain_timeout=5,
        middlewares=[Heard],
    )


async def connect(broker: Broker) -> None:
    """Connect, waiting up to a minute for a broker that is still starting. Raises `Unreachable`."""
    try:
        async with asyncio.timeout(CONNECT_SECONDS):
            await broker.connect()
    except (NatsError, OSError) as exc:
        # The timeout of the whole has no words of its own.
        why = " ".join((str(exc) or broker.trouble).split())
        raise Unreachable(
            f"Får ikke kontakt med NATS på {broker.addresses} ({why}). Er den startet, kan den nås herfra, og er "
            "LOVSVAR_NATS_URL riktig?"
        ) from exc


def _limit_unsent(connection: Client) -> None:
    # nats-py has no other way to the socket.
    writer = getattr(connection._transport, "_bare_io_writer", None)
    option = getattr(socket, "TCP_USER_TIMEOUT", None)
    if writer is not None and option is not None and (taken := writer.get_extra_info("socket")) is not None:
        taken.setsockopt(socket.IPPROTO_TCP, option, UNSENT_MS)


def make_security(settings: ServiceSettings) -> NatsSecurity | None:
    """Return how a service shows NATS who it is, and knows NATS; see `lovsvar_chassis.credentials`."""
    context = tls_context(settings)
    tls: dict[str, Any] = {"ssl_context": context, "use_ssl": context is not None, "tls_handshake_first": bool(context)}
    if secret := seed(settings):
        return NatsNKey.from_seed(secret, **tls)
    return NatsSecurity(**tls) if context else None


class Heard(BaseMiddleware):
    """Handles each message in a span of the trace that its headers carry, and logs when that fails.

    FastStream's own telemetry starts several spans for a message, also where nobody hears of them, and without
    its logger an error of a handler vanishes.
    """

    async def consume_scope(self, call_next: Callable[[Any], Awaitable[Any]], msg: Any) -> Any:
        """Handle `msg` in a span."""
        subject = msg.raw_message.subject
        attributes = {"messaging.system": "nats", "messaging.destination.name": subject}
        with _tracer.start_as_current_span(
            f"{subject} process", trace_context(msg.headers), SpanKind.CONSUMER, attributes
        ):
            try:
                return await call_next(msg)
            except Exception:
                log.exception("what was heard could not be handled", subject=subject)
                raise
