"""Cases whose every new version is announced, so that who follows one need not ask again and again."""

import contextlib
from typing import Any

from faststream.exceptions import IncorrectState
from nats.errors import Error as NatsError

from lovsvar_cases.adapters.postgres_cases import PostgresCases
from lovsvar_cases.core.casefile import CaseFile
from lovsvar_cases.core.ports import Decide
from lovsvar_chassis.publisher import EventPublisher
from lovsvar_contracts import subjects
from lovsvar_contracts.case_events import CaseChanged
from lovsvar_contracts.cases import Actor, Tombstone


class AnnouncedCases(PostgresCases):
    """`PostgresCases` that says on NATS, after each change is stored, which version a case has; nothing of what it is.

    An announcement that is lost is made up for by who follows, and looks now and then.
    """

    def __init__(self, events: EventPublisher, *how: Any, **more: Any) -> None:
        super().__init__(*how, **more)
        self._events = events

    async def change(
        self, actor: Actor, case_id: str, request_id: str, decide: Decide, *, official: bool = False
    ) -> CaseFile:
        file = await super().change(actor, case_id, request_id, decide, official=official)
        await self._announce(case_id, file.version)
        return file

    async def erase(self, actor: Actor, case_id: str) -> Tombstone:
        tombstone = await super().erase(actor, case_id)
        await self._announce(case_id, 0)
        return tombstone

    async def _announce(self, case_id: str, version: int) -> None:
        with contextlib.suppress(NatsError, OSError, TimeoutError, IncorrectState):
            await self._events.notify(subjects.case_changed(case_id), CaseChanged(case_id=case_id, version=version))
