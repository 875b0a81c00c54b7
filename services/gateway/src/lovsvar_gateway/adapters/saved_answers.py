"""Saved answers in the stream `SAVED_ANSWERS`, one message each."""

import contextlib
from dataclasses import dataclass, replace

from nats.js.errors import APIError, NotFoundError

from lovsvar_chassis.publisher import EventPublisher
from lovsvar_chassis.run_log import WRONG_LAST_SEQUENCE
from lovsvar_contracts import subjects
from lovsvar_contracts.audit import AuditAction, AuditRecord
from lovsvar_contracts.saved_answers import SavedAnswer
from lovsvar_gateway.adapters.audit_log import AuditLog
from lovsvar_gateway.adapters.nats_link import NatsLink
from lovsvar_gateway.core.access import ANYBODY, Caller
from lovsvar_gateway.core.audit_records import record_of_answer
from lovsvar_gateway.core.errors import NotSaved

STORE_SECONDS = 5.0


@dataclass(frozen=True)
class SavedAnswers:
    """Saved answers as `caller` may use them. Whoever has the address may read one; who saved it may delete it."""

    events: EventPublisher
    link: NatsLink
    audit: AuditLog
    caller: Caller = ANYBODY

    def seen_by(self, caller: Caller) -> "SavedAnswers":
        """Return the saved answers as `caller` may use them."""
        return replace(self, caller=caller)

    async def save(self, kept: SavedAnswer) -> SavedAnswer:
        """Store `kept` and return it; where its run's answer is saved already, return that one.

        Raises `StorageFull` when no more may be saved, and `ProblemError`.
        """
        if await self.link.hold(self._store(kept)):
            await self._write_down(AuditAction.SAVED, kept)
            return kept
        return await self.read(kept.run_id)

    async def read(self, run_id: str) -> SavedAnswer:
        """Return the saved answer of a run; the audit log has by then that it is shown. Raises `NotSaved`."""
        kept, _ = await self.link.hold(self._read(run_id))
        await self.audit.write(record_of_answer(kept.answer).model_copy(update={"key": self.caller.name}))
        return kept

    async def delete(self, run_id: str) -> None:
        """Delete the saved answer of a run. Raises `NotSaved`, also where another caller saved it."""
        kept, sequence = await self.link.hold(self._read(run_id))
        if not self.caller.may_see(kept.owner):
            raise NotSaved(run_id)
        await self.link.hold(self._delete(sequence))
        await self._write_down(AuditAction.DELETED, kept)

    async def _store(self, kept: SavedAnswer) -> bool:
        """Return whether `kept` was stored; False where there is one already."""
        headers = {"Nats-Expected-Last-Subject-Sequence": "0"}
        try:
            await self.events.store(subjects.saved(kept.run_id), kept, headers, timeout=STORE_SECONDS)
        except APIError as exc:
            if exc.err_code == WRONG_LAST_SEQUENCE:
                return False
            raise
        return True

    async def _read(self, run_id: str) -> tuple[SavedAnswer, int]:
        try:
            raw = await self.events.jetstream.get_last_msg(subjects.STREAM_SAVED, subjects.saved(run_id))
        except NotFoundError as exc:
            raise NotSaved(run_id) from exc
        return SavedAnswer.model_validate_json(raw.data or b""), raw.seq or 0

    async def _delete(self, sequence: int) -> None:
        with contextlib.suppress(NotFoundError):  # Somebody was faster.
            await self.events.jetstream.delete_msg(subjects.STREAM_SAVED, sequence)

    async def _write_down(self, action: AuditAction, kept: SavedAnswer) -> None:
        await self.audit.write(
            AuditRecord(correlation_id=kept.correlation_id, action=action, key=self.caller.name, run_id=kept.run_id)
        )
