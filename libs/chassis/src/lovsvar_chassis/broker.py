"""The FastStream broker of a service: its connection to NATS, and what it hears there without answering."""

from collections.abc import Awaitable, Callable
from typing import Any

import structlog
from faststream import BaseMiddleware
from faststream.nats import NatsBroker
from faststream.nats.security import NatsNKey, NatsSecurity
from opentelemetry import trace
from opentelemetry.trace import SpanKind

from lovsvar_chassis.credentials import inbox_prefix, seed, tls_context
from lovsvar_chassis.settings import ServiceSettings
from lovsvar_chassis.telemetry import trace_context

log = structlog.get_logger()
_tracer = trace.get_tracer(__name__)


def make_broker(settings: ServiceSettings, name: str) -> NatsBroker:
    """Return the broker of service `name`. It reconnects for as long as it takes."""
    return NatsBroker(
        settings.nats_url,
        name=f"lovsvar-{name}",
        security=make_security(settings),
        inbox_prefix=inbox_prefix(name),
        logger=None,
        graceful_timeout=0.5,
        max_reconnect_attempts=-1,
        reconnect_time_wait=1,
        allow_reconnect=True,
        middlewares=[Heard],
    )


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
