"""Wiring of the gateway service."""

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator

from fastapi import FastAPI
from starlette.staticfiles import StaticFiles

from lovsvar_chassis import telemetry
from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.events import EventPublisher
from lovsvar_chassis.requests import Requester
from lovsvar_chassis.service import Service, serve, service_version
from lovsvar_gateway import problems, server
from lovsvar_gateway.adapters.link import Link
from lovsvar_gateway.adapters.runs import Runs
from lovsvar_gateway.adapters.services import Services
from lovsvar_gateway.adapters.syncs import Syncs
from lovsvar_gateway.core.errors import PROBLEMS
from lovsvar_gateway.edge import Edge
from lovsvar_gateway.mcp.mount import mount
from lovsvar_gateway.mcp.server import make_server
from lovsvar_gateway.pages import STATIC
from lovsvar_gateway.parts import Parts
from lovsvar_gateway.routes import documents, health, ingest, questions, search, viewer
from lovsvar_gateway.settings import Settings

NAME = "gateway"

PROBES = ("/healthz", "/readyz")


def build(settings: Settings) -> tuple[Service, Parts]:
    """Return the gateway's side towards NATS, not yet started, and the parts that routes work with."""
    broker = make_broker(settings, NAME, PROBLEMS)
    link = Link(broker, settings.nats_replicas)
    events = EventPublisher(broker)
    parts = Parts(
        settings=settings,
        link=link,
        services=Services(Requester(broker, settings.request_timeout), link),
        runs=Runs(events, link),
        syncs=Syncs(events, link),
    )
    return Service(name=NAME, settings=settings, broker=broker, workers=(link,)), parts


def create_app(settings: Settings) -> FastAPI:
    """Return the application. It connects to NATS when it starts, and waits up to a minute for it."""
    service, parts = build(settings)
    mcp = make_server(parts.services, parts.runs, parts.syncs, service_version(NAME))

    @contextlib.asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        async with connected(service), mcp.session_manager.run():
            yield

    app = FastAPI(
        title="Lovsvar",
        version=service_version(NAME),
        description="Svar på spørsmål om norsk rett, der hvert sitat er kontrollert mot loven.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        responses=problems.DOCUMENTED,
        # One span for a request, from FastAPI's own instrumentation; probes would drown the rest.
        telemetry={"operation_spans": False, "exclude": lambda scope: scope["path"] in PROBES},
    )
    app.state.parts = parts
    for routes in (questions, search, documents, ingest, health, viewer):
        app.include_router(routes.router)
    mount(app, mcp, settings.host)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    app.add_middleware(Edge)
    problems.add_handlers(app)
    problems.add_to_openapi(app)
    return app


@contextlib.asynccontextmanager
async def connected(service: Service) -> AsyncIterator[None]:
    """Run `service` for as long as the block; a failed start is raised here."""
    stopping, started = asyncio.Event(), asyncio.Event()
    serving = asyncio.create_task(serve(service, stopping, started))
    starting = asyncio.create_task(started.wait())
    await asyncio.wait({serving, starting}, return_when=asyncio.FIRST_COMPLETED)
    starting.cancel()
    if serving.done():
        await serving
    try:
        yield
    finally:
        stopping.set()
        await serving


def main() -> None:
    """Run the gateway until it is told to stop; exit with 3 when its address cannot be listened on."""
    settings = Settings()
    telemetry.configure(NAME, service_version(NAME), settings.log_level)
    sys.exit(asyncio.run(server.run(create_app(settings), settings)))
