"""The FastStream broker of a service: its connection to NATS."""

import asyncio
import socket
from collections.abc import Sequence
from typing import Any

import structlog
from faststream.nats import NatsBroker
from faststream.nats.security import NatsNKey, NatsSecurity
from faststream.nats.subscriber.usecases import CoreSubscriber
from nats.aio.client import Client
from nats.errors import Error as NatsError

from lovsvar_chassis.addresses import Unreachable, shown
from lovsvar_chassis.json_codec import JsonCodec
from lovsvar_chassis.repeats import Repeats
from lovsvar_chassis.settings import ServiceSettings, inbox_prefix, seed, tls_context

log = structlog.get_logger()


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
        # Injection of arguments costs more than what most handlers do.
        apply_types=False,
        codec=JsonCodec(),
        # Routers wait for what is in hand.
        graceful_timeout=None,
        connect_timeout=2,
        max_reconnect_attempts=-1,
        reconnect_time_wait=1,
        allow_reconnect=True,
        ping_interval=PING_SECONDS,
        max_outstanding_pings=UNANSWERED_PINGS,
        drain_timeout=5,
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


async def drain(subscriber: CoreSubscriber) -> None:
    """Unsubscribe and return when all that had arrived was given to the subscriber."""
    subscription, subscriber.subscription = subscriber.subscription, None
    if subscription is not None:
        # The ping by which nats-py waits for what was still to come is written before what waits to be sent, also
        # before its own "unsubscribe": what came between the two would be dropped. So that is sent before it drains.
        await subscription._conn._send_unsubscribe(subscription._id)
        await subscription._conn.flush()
        await subscription.drain()  # type: ignore[no-untyped-call]


def _limit_unsent(connection: Client) -> None:
    # nats-py has no other way to the socket.
    writer = getattr(connection._transport, "_bare_io_writer", None)
    option = getattr(socket, "TCP_USER_TIMEOUT", None)
    if writer is not None and option is not None and (taken := writer.get_extra_info("socket")) is not None:
        taken.setsockopt(socket.IPPROTO_TCP, option, UNSENT_MS)


def make_security(settings: ServiceSettings) -> NatsSecurity | None:
    """Return how a service shows NATS who it is, and knows NATS."""
    context = tls_context(settings)
    tls: dict[str, Any] = {"ssl_context": context, "use_ssl": context is not None, "tls_handshake_first": bool(context)}
    if secret := seed(settings):
        return NatsNKey.from_seed(secret, **tls)
    return NatsSecurity(**tls) if context else None
