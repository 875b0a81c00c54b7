"""Metrics of this gateway, as Prometheus reads them."""

import asyncio

from fastapi import APIRouter, Request, Response

from lovsvar_chassis import metrics
from lovsvar_gateway.access import host_name
from lovsvar_gateway.core.access import is_loopback
from lovsvar_gateway.parts import GatewayParts
from lovsvar_gateway.problems import Refusal, refuse

router = APIRouter(include_in_schema=False)


@router.get("/metrics")
async def read_metrics(request: Request, parts: GatewayParts) -> Response:
    """Read the metrics: with a key that may operate, or, where there are no keys, from this machine alone."""
    if parts.settings.api_keys_file is None and not from_this_machine(request):
        return refuse(request, Refusal.FOREIGN_HOST)
    if not metrics.configured():
        # Measuring a request takes a sixth of a millisecond, which is saved until somebody wants to know.
        metrics.configure("gateway", request.app.version, scraped=True)
    await parts.streams.look_first()
    text, media_type = await asyncio.to_thread(metrics.exposition)
    return Response(text, headers={"Content-Type": media_type, "Cache-Control": "no-store"})


def from_this_machine(request: Request) -> bool:
    """Return whether a request comes from this machine, and not through a proxy on it that others reach."""
    client = request.client.host if request.client else ""
    return is_loopback(client) and is_loopback(host_name(request.headers.get("host", "")))
