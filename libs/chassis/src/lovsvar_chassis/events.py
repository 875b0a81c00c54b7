"""Publishing to streams, with trace context, so that nothing that was acknowledged is lost."""

from faststream.nats import NatsBroker
from nats.errors import Error as NatsError
from nats.js import JetStreamContext
from nats.js.errors import ServiceUnavailableError

from lovsvar_chassis.problems import problem
from lovsvar_chassis.telemetry import trace_headers
from lovsvar_contracts.message import Message
from lovsvar_contracts.problems import ProblemError, ProblemType


class EventPublisher:
    """Publishes messages to JetStream and waits until they are stored."""

    def __init__(self, broker: NatsBroker) -> None:
        self._broker = broker

    @property
    def jetstream(self) -> JetStreamContext:
        """The JetStream context of the broker's connection; only while the broker is connected."""
        return self._broker.connection.jetstream()

    async def publish(self, subject: str, message: Message, *, timeout: float = 5.0) -> None:
        """Store `message` under `subject`; the same `event_id` is stored once.

        Raises `ProblemError` (`unavailable`) when it could not be stored.
        """
        headers = {**trace_headers(), "Nats-Msg-Id": message.event_id}
        payload = message.encode()
        try:
            await self.jetstream.publish(subject, payload, headers=headers, timeout=timeout)
        except (NatsError, ServiceUnavailableError, TimeoutError, OSError) as exc:
            detail = "Meldingen kunne ikke lagres, fordi meldingstjenesten (NATS) ikke svarer. Prøv igjen."
            raise ProblemError(problem(ProblemType.UNAVAILABLE, detail)) from exc

    async def notify(self, subject: str, message: Message) -> None:
        """Tell whoever listens now, without storing."""
        await self._broker.connection.publish(subject, message.encode(), headers=trace_headers())
