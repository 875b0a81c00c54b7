"""The audit log: the stream `AUDIT`, which deletes records by age."""

import asyncio
from collections import deque
from datetime import timedelta

import structlog
from nats.errors import MaxPayloadError
from nats.js.errors import BadRequestError, NotFoundError

from lovsvar_chassis import metrics
from lovsvar_chassis.manifest import AUDIT_BYTES, KB, MB, Stream
from lovsvar_chassis.publisher import EventPublisher, StorageFull
from lovsvar_chassis.tasks import end
from lovsvar_contracts import subjects
from lovsvar_contracts.audit import AuditRecord
from lovsvar_contracts.problems import ProblemError
from lovsvar_gateway.adapters.nats_link import NatsLink
from lovsvar_gateway.core.audit_records import hashed
from lovsvar_gateway.settings import Settings

log = structlog.get_logger()

MAX_PAGE = 200
WRITE_SECONDS = 2.0  # for a record to be written; after that it is kept for later
KEPT_BYTES = 16 * MB  # of JSON, for records that could not be written; beyond that the newest are lost
AGAIN_SECONDS = 2.0  # between two attempts to write what was kept
LAST_TRY_SECONDS = 1.0


def audit_stream(settings: Settings) -> Stream:
    """Return how the audit log is kept. A full one deletes old records; one that is required refuses new ones."""
    return Stream(
        name=subjects.STREAM_AUDIT,
        subjects=(subjects.AUDIT_ANY,),
        max_age=timedelta(days=settings.audit_days).total_seconds(),
        refuses=settings.audit_required,
        max_bytes=AUDIT_BYTES,
        max_msg_size=256 * KB,
    )


class AuditLog:
    """Stores what was done before its result is shown. A component with `start` and `stop`.

    Where the log is required (`LOVSVAR_AUDIT_REQUIRED`), a record that cannot be stored is an error. Otherwise it is
    kept in memory alone, and stored later. One that has no room there, that NATS refuses for its size or form, or that
    is still kept when the gateway stops, is logged as `audit record lost`.
    """

    def __init__(self, events: EventPublisher, link: NatsLink, settings: Settings) -> None:
        self._events = events
        self._link = link
        self._mode = settings.audit
        self._required = settings.audit_required
        self._secret = settings.audit_secret.get_secret_value() if settings.audit_secret else ""
        self._kept: deque[tuple[AuditRecord, int]] = deque()
        self._kept_bytes = 0
        self._lost = 0
        self._writer: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Register the metric of kept records; the task that writes them runs while there are some."""
        metrics.AUDIT_KEPT.watch(lambda: [(len(self._kept), {})])

    async def stop(self) -> None:
        """Write what is kept if that is possible at once, and log what is lost."""
        if self._writer is not None:
            await end(self._writer)
        try:
            async with asyncio.timeout(LAST_TRY_SECONDS):
                await self._write_kept()
        except (ProblemError, TimeoutError):
            for record, _ in self._kept:
                self._lose(record)

    async def write(self, record: AuditRecord) -> None:
        """Store `record`, or keep it for later. Raises `ProblemError` where it must be stored and cannot."""
        if self._mode == "off":
            return
        if self._mode == "hashed":
            record = hashed(record, self._secret)
        if self._required:
            await self._store(record)
        elif self._kept:
            self._keep(record)
        else:
            try:
                await self._store(record, within=WRITE_SECONDS)
            except ProblemError as exc:
                log.warning("audit records are kept until they can be written", reason=exc.problem.detail)
                self._keep(record)

    async def _store(self, record: AuditRecord, *, within: float | None = None) -> None:
        await self._link.hold(self._events.publish(subjects.audit(record.action), record), within=within)

    def _keep(self, record: AuditRecord) -> None:
        size = len(record.encode())
        if self._kept_bytes + size > KEPT_BYTES:
            self._lose(record)
            return
        self._kept.append((record, size))
        self._kept_bytes += size
        if self._writer is None or self._writer.done():
            self._writer = asyncio.create_task(self._write_later(), name="audit-records")

    def _lose(self, record: AuditRecord) -> None:
        self._lost += 1
        metrics.AUDIT_LOST.add()
        about = {name: getattr(record, name) for name in ("event_id", "action", "key", "run_id")}
        log.error("audit record lost", **about, lost=self._lost)

    async def _write_later(self) -> None:
        while self._kept:
            await asyncio.sleep(AGAIN_SECONDS)
            try:
                await self._write_kept()
            except ProblemError:
                continue
        log.info("audit records are written again", lost=self._lost)

    async def _write_kept(self) -> None:
        """Write what is kept, oldest first. Raises `ProblemError`; JetStream stores a record once.

        A record that is refused for its size or form is lost. One without an answer goes to the end: a server that
        forbids it sends nothing, and it must not block the others.
        """
        while self._kept:
            record, size = self._kept[0]
            try:
                await self._store(record, within=WRITE_SECONDS)
            except ProblemError as exc:
                if not _is_refused(exc):
                    self._kept.rotate(-1)
                    raise
                self._lose(record)
            self._kept.popleft()
            self._kept_bytes -= size

    async def read(self, after: int, count: int) -> list[tuple[int, AuditRecord]]:
        """Return up to `count` records after the sequence `after`, oldest first. Raises `ProblemError`."""
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


def _is_refused(error: ProblemError) -> bool:
    """Return whether a record was refused for good, such as one that is too large, and not for lack of room."""
    cause = error.__cause__
    return not isinstance(error, StorageFull) and isinstance(cause, MaxPayloadError | BadRequestError)
