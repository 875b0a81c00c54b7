"""`status`, `sync`: what is stored, and bringing it up to date."""

from typing import Annotated

from mcp.server import MCPServer
from mcp_types import CallToolResult, ToolAnnotations
from pydantic import Field

from lovsvar_contracts.ingest import DATASET_LAWS, DATASET_REGULATIONS, SyncRequested
from lovsvar_gateway.adapters.syncs import Syncs
from lovsvar_gateway.core.mcp.results import StartedSyncs, Status
from lovsvar_gateway.mcp.answers import READ_ONLY, Answer, answer
from lovsvar_gateway.mcp.law import Law
from lovsvar_gateway.trace_headers import correlation_id

RECENT = 5


def add(server: MCPServer, law: Law, syncs: Syncs) -> None:
    """Add the tools to `server`."""

    @server.tool(title="Vis status", annotations=READ_ONLY)
    async def status() -> Annotated[CallToolResult, Status]:
        """Vis hva som er lagret: antall dokumenter og paragrafer, samlingens dato, og hvordan tjenestene har det."""
        return await tell_status(law)

    @server.tool(
        title="Oppdater samlingen",
        annotations=ToolAnnotations(
            read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=True
        ),
    )
    async def sync(
        force: Annotated[bool, Field(description="Lagre også det som ikke er endret.")] = False,
    ) -> Annotated[CallToolResult, StartedSyncs]:
        """Sett i gang oppdatering av lover og forskrifter fra Lovdata. Bare for den som driver tjenesten."""
        return await start_syncs(law, syncs, force=force)


async def tell_status(law: Law) -> Answer:
    """Return what is stored. Raises `ProblemError`."""
    found = await law.status()
    services = await law.services.states()
    told = Status(
        documents=found.documents,
        provisions=found.provisions,
        embedded=found.embedded,
        by_law_type={str(kind): count for kind, count in found.by_law_type.items()},
        by_dataset=found.by_dataset,
        services=services,
        ready=found.ready,
        stamp=await law.stamp(found.corpus_version),
    )
    kinds = ", ".join(f"{count} {kind}" for kind, count in told.by_law_type.items())
    states = ", ".join(f"{name}: {state}" for name, state in services.items())
    text = f"{found.documents} dokumenter ({kinds}), {found.provisions} paragrafer.\nTjenester: {states}."
    return answer(text, told)


async def start_syncs(law: Law, syncs: Syncs, *, force: bool) -> Answer:
    """Put a sync of each data set in the queue. Raises `ProblemError`."""
    started: dict[str, str] = {}
    for dataset in (DATASET_LAWS, DATASET_REGULATIONS):
        requested = SyncRequested(correlation_id=correlation_id(), dataset=dataset, force=force)
        await syncs.request(requested)
        started[dataset] = requested.sync_id
    recent = tuple((await syncs.latest())[:RECENT])
    rows = [f"- {dataset}: satt i kø ({sync_id})" for dataset, sync_id in started.items()]
    text = "\n".join([*rows, "Oppdateringen tar noen minutter. Følg den med status()."])
    return answer(text, StartedSyncs(started=started, recent=recent, stamp=await law.stamp()))
