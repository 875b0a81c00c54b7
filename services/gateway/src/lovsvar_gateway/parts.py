"""The parts that routes work with, built once by `app.py`."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated

from fastapi import Depends, Request

from lovsvar_gateway.adapters.audit_log import AuditLog
from lovsvar_gateway.adapters.cases import CaseDesk
from lovsvar_gateway.adapters.catalogues import CatalogueReader
from lovsvar_gateway.adapters.metrics import StreamWatch
from lovsvar_gateway.adapters.nats_link import NatsLink
from lovsvar_gateway.adapters.runs import CallerRuns
from lovsvar_gateway.adapters.saved_answers import SavedAnswers
from lovsvar_gateway.adapters.services import LawReader, Services
from lovsvar_gateway.adapters.syncs import Syncs
from lovsvar_gateway.core.access import ANYBODY, Caller
from lovsvar_gateway.settings import Settings
from lovsvar_gateway.sse import Beats, EventStream, Frames


@dataclass(frozen=True)
class Parts:
    """The gateway's parts, as `caller` may use them. `closing` is set when the server stops, and ends every stream."""

    settings: Settings
    link: NatsLink
    services: Services
    runs: CallerRuns
    saved: SavedAnswers
    cases: CaseDesk
    syncs: Syncs
    audit: AuditLog
    streams: StreamWatch
    closing: asyncio.Event
    beats: Beats
    caller: Caller = ANYBODY

    def used_by(self, caller: Caller) -> "Parts":
        """Return the parts as `caller` may use them."""
        services, runs = self.services.asked_by(caller), self.runs.seen_by(caller)
        return replace(
            self,
            caller=caller,
            services=services,
            runs=runs,
            saved=self.saved.seen_by(caller),
            cases=self.cases.asked_by(caller),
            syncs=self.syncs.seen_by(caller),
        )

    @property
    def law(self) -> LawReader:
        """What the caller reads law and practice with."""
        return LawReader(self.services)

    @property
    def catalogues(self) -> CatalogueReader:
        """What the caller reads catalogues with."""
        return CatalogueReader(self.services)

    def stream(self, frames: Frames, headers: Mapping[str, str] | None = None) -> EventStream:
        """Return `frames` as a response, with heartbeats and an end as set up."""
        return EventStream(frames, beats=self.beats, patience=self.settings.slow_reader, headers=headers)


async def _parts(request: Request) -> Parts:
    parts: Parts = request.app.state.parts
    return parts.used_by(request.state.caller)


GatewayParts = Annotated[Parts, Depends(_parts)]
"""Parameter of a route that works with the gateway's parts."""
