"""Publishing to streams, with trace context, so that nothing that was acknowledged is lost."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from faststream.exceptions import IncorrectState
from faststream.nats import NatsBroker, PubAck
from nats.aio.client import Client
from nats.errors import Error as NatsError
from nats.js import JetStreamContext
from nats.js.errors import APIError

from lovsvar_chassis.manifest import stream_of
from lovsvar_chassis.problems import problem
from lovsvar_chassis.telemetry import trace_headers
from lovsvar_contracts.message import Message
from lovsvar_contracts.problems import ProblemError, ProblemType

FULL_CODES = frozenset({10002, 10023, 10047, 10077})
"""JetStream's error codes for no room: of the account, of the server (two), of the stream."""

FULL = "Lagringen for meldinger er full. Spørsmål tas imot igjen når det er plass; prøv igjen om litt."


@dataclass(frozen=True)
class Sent:
    """What a service sends unasked: messages of `schema` on `subject`, parts of which may vary (`{run_id}`)."""

    subject: str
    schema: Any
    description: str


class StorageFull(ProblemError):
    """JetStream has no room for the message. Remedy: more room (`max_file_store`), or time, since streams forget."""

    def __init__(self) -> None:
        super().__init__(problem(ProblemType.UNAVAILABLE, FULL))


def is_full(error: BaseException) -> bool:
    """Say whether JetStream refused a message because there is no room."""
    return isinstance(error, APIError) and error.err_code in FULL_CODES


class EventPublisher:
    """Publishes messages to JetStream and waits until they are stored."""

    def __init__(self, broker: NatsBroker) -> None:
        self._broker = broker

    @property
    def connection(self) -> Client:
        """The broker's connection; only while the broker is connected."""
        return self._broker.connection

    @property
    def jetstream(self) -> JetStreamContext:
        """The JetStream context of the broker's connection; only while the broker is connected."""
        return self._broker.connection.jetstream()

    async def publish(self, subject: str, message: Message, *, timeout: float = 5.0) -> None:
        """Store `message` under `subject`; the same `event_id` is stored once.

        Raises `ProblemError` (`unavailable`) when it could not be stored: `StorageFull` when there is no room.
        """
        try:
            await self.store(subject, message, {"Nats-Msg-Id": message.event_id}, timeout=timeout)
        except (NatsError, TimeoutError, OSError, IncorrectState) as exc:
            if is_full(exc):
                raise StorageFull from exc
            detail = "Meldingen kunne ikke lagres, fordi meldingstjenesten (NATS) ikke svarer. Prøv igjen."
            raise ProblemError(problem(ProblemType.UNAVAILABLE, detail)) from exc

    async def store(self, subject: str, message: Message, headers: Mapping[str, str], *, timeout: float) -> PubAck:
        """Store `message` under `subject`, and return where it is stored. Raises nats-py's errors."""
        return await self._broker.publish(
            message,
            subject,
            {**trace_headers(), **headers},
            correlation_id=message.correlation_id,
            stream=stream_of(subject),
            timeout=timeout,
        )

    async def notify(self, subject: str, message: Message) -> None:
        """Send `message` to those who listen now, without storing it."""
        await self._broker.publish(message, subject, trace_headers(), correlation_id=message.correlation_id)
