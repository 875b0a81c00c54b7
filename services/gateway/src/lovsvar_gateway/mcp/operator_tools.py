"""`status`, `sync`: what is stored, and an update of it."""

from dataclasses import dataclass
from typing import Annotated

from mcp_types import CallToolResult
from pydantic import Field

from lovsvar_contracts.ingest import DATASET_LAWS, DATASET_REGULATIONS, SyncRequested
from lovsvar_gateway.adapters.syncs import Syncs
from lovsvar_gateway.core.mcp.results import StartedSyncs, Status
from lovsvar_gateway.mcp.calls import answer, caller
from lovsvar_gateway.mcp.law import CachedLaw
from lovsvar_gateway.trace_headers import correlation_id

RECENT = 5


@dataclass(frozen=True)
class OperatorTools:
    """Tools about the corpus as a whole. They raise `ProblemError`."""

    law: CachedLaw
    syncs: Syncs

    async def status(self) -> Annotated[CallToolResult, Status]:
        """Vis hva som er lagret: antall dokumenter og paragrafer, samlingens dato, og hvordan tjenestene har det."""
        found = await self.law.status()
        services = await self.law.services.states()
        by_law_type = {str(kind): count for kind, count in found.by_law_type.items()}
        stamp = await self.law.stamp(found, sample=found.sample)
        status = Status.of(found, by_law_type=by_law_type, services=services, stamp=stamp)
        kinds = ", ".join(f"{count} {kind}" for kind, count in by_law_type.items())
        states = ", ".join(f"{name}: {state}" for name, state in services.items())
        text = f"{found.documents} dokumenter ({kinds}), {found.provisions} paragrafer.\nTjenester: {states}."
        return answer(text, status)

    async def sync(
        self, force: Annotated[bool, Field(description="Lagre også det som ikke er endret.")] = False
    ) -> Annotated[CallToolResult, StartedSyncs]:
        """Sett i gang oppdatering av lover og forskrifter fra Lovdata. Bare for den som driver tjenesten."""
        syncs = self.syncs.seen_by(caller())
        started: dict[str, str] = {}
        for dataset in (DATASET_LAWS, DATASET_REGULATIONS):
            requested = SyncRequested(correlation_id=correlation_id(), dataset=dataset, force=force)
            await syncs.request(requested)
            started[dataset] = requested.sync_id
        recent = tuple((await syncs.latest())[:RECENT])
        rows = [f"- {dataset}: satt i kø ({sync_id})" for dataset, sync_id in started.items()]
        text = "\n".join([*rows, "Oppdateringen tar noen minutter. Følg den med status()."])
        return answer(text, StartedSyncs(started=started, recent=recent, stamp=await self.law.stamp()))
