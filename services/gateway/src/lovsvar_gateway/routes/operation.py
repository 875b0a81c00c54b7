"""What operators use: syncs of the corpus, the audit log, and metrics as Prometheus reads them."""

import asyncio
import contextlib
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, Field, StringConstraints

from lovsvar_chassis import metrics
from lovsvar_contracts.audit import AuditAction, AuditRecord
from lovsvar_contracts.ingest import DATASET_LAWS, DATASET_REGULATIONS, Checksum, Dataset, SyncEvent, SyncRequested
from lovsvar_contracts.message import Token
from lovsvar_gateway.access import host_name
from lovsvar_gateway.adapters.audit_log import MAX_PAGE
from lovsvar_gateway.adapters.syncs import Syncs
from lovsvar_gateway.core.access import is_loopback
from lovsvar_gateway.core.phrases import Plain
from lovsvar_gateway.parts import GatewayParts
from lovsvar_gateway.problems import Refusal, refuse
from lovsvar_gateway.routes.questions import FOLLOWED, After, LastEventId
from lovsvar_gateway.sse import Frames, frame, nothing_more
from lovsvar_gateway.trace_headers import correlation_id

router = APIRouter()

Source = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=1_000), Plain]


class RequestSync(BaseModel):
    """What to bring up to date. Without `dataset`: laws, then regulations."""

    dataset: Dataset | None = Field(default=None, examples=[DATASET_LAWS])
    source: Source | None = Field(
        default=None,
        description="The usual source, or one that `LOVSVAR_SOURCES` of ingest lists; None is the usual one.",
    )
    force: bool = Field(default=False, description="Store every document again, also what has not changed.")
    accept: Checksum | None = Field(
        default=None,
        description="Checksum (SHA-256) of an archive that is right although it takes much of the law away: the sync "
        "of it, which stopped, named it.",
    )


class AcceptedSync(BaseModel):
    """A sync that waits to be done, and where it is followed."""

    sync_id: Token
    dataset: Dataset
    events: str


class AcceptedSyncs(BaseModel):
    """Syncs, in the order in which they are done."""

    syncs: list[AcceptedSync]


class RecentSyncs(BaseModel):
    """The last event of each recent sync, newest first."""

    syncs: list[SyncEvent]


@router.post("/v1/ingest", tags=["ingest"], status_code=202)
async def request_sync(parts: GatewayParts, body: RequestSync | None = None) -> AcceptedSyncs:
    """Bring the corpus up to date."""
    body = body or RequestSync()
    accepted = []
    for dataset in (body.dataset,) if body.dataset else (DATASET_LAWS, DATASET_REGULATIONS):
        fields = body.model_dump(exclude={"dataset"})
        requested = SyncRequested(correlation_id=correlation_id(), dataset=dataset, **fields)
        asked = AuditRecord(
            correlation_id=requested.correlation_id,
            action=AuditAction.OPERATED,
            key=parts.caller.name,
            sources=(dataset, *(given for given in (body.source, body.accept) if given)),
        )
        parts.syncs.check(dataset)
        await parts.audit.write(asked)
        await parts.syncs.request(requested)
        events = f"/v1/ingest/{requested.sync_id}/events"
        accepted.append(AcceptedSync(sync_id=requested.sync_id, dataset=dataset, events=events))
    return AcceptedSyncs(syncs=accepted)


@router.get("/v1/ingest", tags=["ingest"])
async def list_syncs(parts: GatewayParts) -> RecentSyncs:
    """List recent syncs."""
    return RecentSyncs(syncs=await parts.syncs.latest())


@router.get("/v1/ingest/{sync_id}/events", tags=["ingest"], response_class=Response, responses=FOLLOWED)
async def follow_sync(
    sync_id: Token, parts: GatewayParts, last_event_id: LastEventId = None, after: After = 0
) -> Response:
    """Follow a sync up to its last event. Ids grow, with gaps."""
    seen = after if last_event_id is None else last_event_id
    end = await parts.syncs.end(sync_id)
    if end is not None and seen >= end:
        return nothing_more()
    return parts.stream(sync_frames(parts.syncs, sync_id, seen))


async def sync_frames(syncs: Syncs, sync_id: str, after: int) -> Frames:
    """Yield the sync's events after `after` as frames."""
    async with contextlib.aclosing(syncs.follow(sync_id, after)) as events:
        async for sequence, event in events:
            yield frame(event.type, event.model_dump_json(), sequence)


class AuditPage(BaseModel):
    """Records, oldest first. `next_after` asks for those after them; None at the end."""

    records: list[AuditRecord]
    next_after: int | None


@router.get("/v1/audit", tags=["audit"])
async def read_audit(
    parts: GatewayParts,
    after: Annotated[int, Query(ge=0, le=2**53, description="`next_after` of the page before.")] = 0,
    count: Annotated[int, Query(ge=1, le=MAX_PAGE)] = 100,
) -> AuditPage:
    """Read who asked what, and which sources were shown, oldest first."""
    found = await parts.audit.read(after, count)
    return AuditPage(records=[record for _, record in found], next_after=found[-1][0] if len(found) == count else None)


@router.get("/metrics", include_in_schema=False)
async def read_metrics(request: Request, parts: GatewayParts) -> Response:
    """Read the metrics: with a key that may operate, or, where there are no keys, from this machine alone."""
    client, host = request.client.host if request.client else "", host_name(request.headers.get("host", ""))
    # A proxy on this machine, which others reach, passes on another host's name.
    if parts.settings.api_keys_file is None and not (is_loopback(client) and is_loopback(host)):
        return refuse(request, Refusal.FOREIGN_HOST)
    if not metrics.configured():
        # Measuring a request takes a sixth of a millisecond, which is saved until somebody wants to know.
        metrics.configure("gateway", request.app.version, scraped=True)
    await parts.streams.look_first()
    text, media_type = await asyncio.to_thread(metrics.exposition)
    return Response(text, headers={"Content-Type": media_type, "Cache-Control": "no-store"})
