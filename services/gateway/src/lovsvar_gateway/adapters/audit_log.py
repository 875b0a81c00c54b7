"""The audit log: the stream `AUDIT`, which forgets by itself what is older than it is kept."""

from datetime import timedelta

from nats.js.api import StreamConfig
from nats.js.errors import NotFoundError

from lovsvar_chassis.events import EventPublisher
from lovsvar_contracts import subjects
from lovsvar_contracts.audit import AuditRecord
from lovsvar_gateway.adapters.link import Link
from lovsvar_gateway.core.auditing import hashed
from lovsvar_gateway.settings import Settings

MAX_PAGE = 200


def audit_stream(settings: Settings) -> StreamConfig:
    """Return how the audit log is kept."""
    kept = timedelta(days=settings.audit_days).total_seconds()
    return StreamConfig(name=subjects.STREAM_AUDIT, subjects=[subjects.AUDIT_ANY], max_age=kept)


class AuditLog:
    """Writes down what was done, before its result is shown. Shared by all gateways."""

    def __init__(self, events: EventPublisher, link: Link, settings: Settings) -> None:
        self._events = events
        self._link = link
        self._mode = settings.audit
        self._secret = settings.audit_secret.get_secret_value() if settings.audit_secret else ""

    async def write(self, record: AuditRecord) -> None:
        """Store `record`. Raises `ProblemError`: what cannot be written down is not done."""
        if self._mode == "off":
            return
        if self._mode == "hashed":
            record = hashed(record, self._secret)
        await self._link.hold(self._events.publish(subjects.audit(record.action), record))

    async def read(self, after: int, count: int) -> list[tuple[int, AuditRecord]]:
        """Return up to `count` records behind the place `after`, oldest first. Raises `ProblemError`."""
        return await self._link.hold(self._read(after, min(count, MAX_PAGE)))

    async def _read(self, after: int, count: int) -> list[tuple[int, AuditRecord]]:
        found: list[tuple[int, AuditRecord]] = []
        try:
            while len(found) < count:
                raw = await self._events.jetstream.get_msg(
                    subjects.STREAM_AUDIT, seq=after + 1, subject=subjects.AUDIT_ANY, next=True
                )
                after = raw.seq or after + 1
                found.append((after, AuditRecord.model_validate_json(raw.data or b"")))
        except NotFoundError:
            pass  # the end
        return found
