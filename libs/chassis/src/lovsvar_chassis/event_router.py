"""Events that a service hears and does not answer."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any

import structlog
from faststream import BaseMiddleware
from faststream.middlewares import AckPolicy
from faststream.nats import NatsRouter
from faststream.nats.subscriber.usecases import CoreSubscriber
from nats.errors import Error as NatsError

from lovsvar_chassis.broker import drain
from lovsvar_chassis.json_codec import JsonCodec, channel_key, message_kind
from lovsvar_chassis.tasks import is_cancelled
from lovsvar_chassis.telemetry import handling

log = structlog.get_logger()

DRAIN_SECONDS = 2.0
"""How long a stop waits for what was heard to be handled."""


class Heard(BaseMiddleware[Any, Any]):
    """Handles each message within the trace that it carries, and logs when that fails.

    No error leaves it: nats-py ends a subscription whose callback is cancelled.
    """

    async def consume_scope(self, call_next: Callable[[Any], Awaitable[Any]], msg: Any) -> Any:
        """Handle `msg`."""
        subject = msg.raw_message.subject
        with handling(subject, msg.headers):
            try:
                return await call_next(msg)
            except asyncio.CancelledError as exc:
                if is_cancelled():
                    raise
                log.error("an event could not be handled", subject=subject, exc_info=exc)
            except Exception:
                log.exception("an event could not be handled", subject=subject)
        return None


class EventRouter(NatsRouter):
    """Functions that hear events; every process hears all of them. A part: start, stop."""

    def __init__(self) -> None:
        super().__init__(middlewares=[Heard])
        self._heard: list[CoreSubscriber] = []

    def hear(self, subject: str, handler: Callable[[Any], Awaitable[None]]) -> None:
        """Call `handler` with each event of `subject`, one after another; its annotation says what they are.

        What others may send is documented, by a subject whose varying part has a name (`{run_id}`).
        """
        # A reply would reach the publisher in place of the acknowledgement of a stream that keeps the event.
        subscriber = self.subscriber(
            subject,
            no_reply=True,
            ack_policy=AckPolicy.MANUAL,
            codec=JsonCodec(message_kind(handler)),
            title=channel_key(subject),
            include_in_schema="{" in subject,
        )
        subscriber(handler)
        self._heard.append(subscriber)

    async def start(self) -> None:
        """Begin to hear."""
        for subscriber in self._heard:
            await subscriber.start()

    async def stop(self) -> None:
        """Stop hearing, and handle what was heard; FastStream's own stop would drop it."""
        with contextlib.suppress(NatsError, OSError, TimeoutError):
            async with asyncio.timeout(DRAIN_SECONDS):
                await asyncio.gather(*(drain(subscriber) for subscriber in self._heard))
        for subscriber in self._heard:
            await subscriber.stop()
