"""Wiring of the gateway service."""

import asyncio
import contextlib
import sys
from collections import defaultdict
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

import structlog
from fastapi import APIRouter, FastAPI
from fastapi.routing import APIRoute
from starlette.middleware.cors import CORSMiddleware

from lovsvar_chassis import event_loop, telemetry
from lovsvar_chassis import metrics as metering
from lovsvar_chassis.addresses import Unreachable
from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.manifest import PROBE, manifests
from lovsvar_chassis.progress import Progress
from lovsvar_chassis.publisher import EventPublisher, Sent
from lovsvar_chassis.requester import Requester
from lovsvar_chassis.run_log import RunLog
from lovsvar_chassis.sealing import SealedRequester
from lovsvar_chassis.service import Connection, Part, Service, running, service_version
from lovsvar_contracts import subjects
from lovsvar_contracts.audit import AuditRecord
from lovsvar_contracts.saved_answers import SavedAnswer
from lovsvar_gateway import openapi, problems, server
from lovsvar_gateway.access import Access, needs
from lovsvar_gateway.adapters.audit_log import AuditLog, audit_stream
from lovsvar_gateway.adapters.cases import CaseDesk
from lovsvar_gateway.adapters.key_file import KeyFile
from lovsvar_gateway.adapters.metrics import StreamWatch
from lovsvar_gateway.adapters.nats_link import NatsLink
from lovsvar_gateway.adapters.question_queue import QuestionQueue
from lovsvar_gateway.adapters.runs import CallerRuns
from lovsvar_gateway.adapters.saved_answers import SavedAnswers
from lovsvar_gateway.adapters.services import Bulkhead, Services
from lovsvar_gateway.adapters.syncs import Syncs
from lovsvar_gateway.core.access import Scope
from lovsvar_gateway.core.errors import GatewayError
from lovsvar_gateway.core.queue_admission import Bounds
from lovsvar_gateway.http_guards import Edge
from lovsvar_gateway.load_shedding import Shedder, Shedding
from lovsvar_gateway.manifest import MANIFEST
from lovsvar_gateway.mcp.server import make_server, mount
from lovsvar_gateway.pages import STATIC, Static
from lovsvar_gateway.parts import Parts
from lovsvar_gateway.routes import (
    ask_page,
    browse,
    case_documents,
    case_drafts,
    case_events,
    case_messages,
    case_operation,
    case_pages,
    case_parties,
    cases,
    documents,
    health,
    offer_page,
    operation,
    payments,
    products,
    questions,
    saved_answers,
    search,
    search_page,
    viewer,
)
from lovsvar_gateway.settings import Settings
from lovsvar_gateway.sse import Beats

log = structlog.get_logger()

ROUTES: Mapping[Scope, Sequence[Any]] = {
    Scope.ASK: (questions, saved_answers, ask_page),
    Scope.READ: (search, documents, products, search_page, offer_page, browse, viewer),
    Scope.CASES: (
        *(cases, case_documents, case_drafts, case_events, case_messages, case_parties),
        *case_pages.PAGES,
    ),
    Scope.OPERATE: (operation, case_operation),
}
"""What a key must be for. `/v1/status` says so itself, and the rest of its module is open to everybody."""

CROSS_ORIGIN: Mapping[str, Any] = {
    "allow_methods": ["GET", "POST", "PUT", "PATCH", "DELETE"],
    "allow_headers": ["Authorization", "Content-Type", "Idempotency-Key", "Last-Event-ID"],
    "expose_headers": ["Location", "X-Run-Id", "X-Trace-Id", "RateLimit", "RateLimit-Policy", "Retry-After"],
}

QUEUE_STILL = 30.0
"""Seconds that looking at the queue of questions may be silent; it is looked at every second."""

PROBES = ("/healthz", "/readyz", "/metrics")


def build(settings: Settings) -> tuple[Service, Parts]:
    """Return the gateway's side towards NATS, not yet started, and the parts that routes work with."""
    broker = make_broker(settings, MANIFEST.name)
    progress = Progress()
    events = EventPublisher(broker)
    apart = settings.audit_nats_seed is not None
    link = NatsLink(broker, settings, () if apart else (audit_stream(settings),), progress.component("link", 30.0))
    audit_events, audit_link, audit_parts = _audit_account(settings, progress) if apart else (events, link, ())
    audit = AuditLog(audit_events, audit_link, settings)
    bounds = Bounds(settings.queue_seconds, settings.queue_length, settings.queue_per_caller)
    queue = QuestionQueue(events, link, bounds, progress.component("question queue", QUEUE_STILL))
    closing = asyncio.Event()
    streams = StreamWatch({events, audit_events})

    def not_ready() -> str:
        audit_fault = audit_link.storage_fault() if settings.audit_required else ""
        return link.storage_fault() or audit_fault or queue.fault()

    requester = Requester(broker, settings.request_timeout)
    bulkheads: defaultdict[str, Bulkhead] = defaultdict(lambda: Bulkhead(settings.asked_at_once))
    parts = Parts(
        settings=settings,
        link=link,
        services=Services(
            requester,
            link,
            audit,
            bulkheads,
            {manifest.name: manifest.needed for manifest in manifests(settings.services_file)},
            lambda: not_ready() or progress.silent(),
        ),
        runs=CallerRuns(events, RunLog(events), link, audit, queue, settings.question_seconds),
        saved=SavedAnswers(events, link, audit),
        cases=CaseDesk(SealedRequester(requester, subjects.CASES_SEALING_KEY), link, bulkheads),
        syncs=Syncs(events, link),
        audit=audit,
        streams=streams,
        closing=closing,
        beats=Beats(closing, settings.heartbeat),
    )
    service = Service(
        name=MANIFEST.name,
        settings=settings,
        broker=broker,
        sends=(
            Sent(subjects.audit("{action}"), AuditRecord, "Who asked what, and which sources were shown."),
            Sent(subjects.saved("{run_id}"), SavedAnswer, "An answer that somebody asked to keep."),
        ),
        workers=(link, *audit_parts, audit, queue, streams),
        not_ready=not_ready,
        progress=progress,
    )
    return service, parts


def build_service(settings: Settings) -> Service:
    """Return the gateway's side towards NATS, not yet started."""
    return build(settings)[0]


def _audit_account(settings: Settings, progress: Progress) -> tuple[EventPublisher, NatsLink, tuple[Part, ...]]:
    """Return the way to the audit log where NATS keeps it in an account of its own, and what starts and stops there."""
    account = settings.for_audit()
    broker = make_broker(account, MANIFEST.name)
    link = NatsLink(broker, account, (audit_stream(settings), PROBE), progress.component("audit link", 30.0))
    return EventPublisher(broker), link, (Connection(broker), link)


def create_app(settings: Settings) -> FastAPI:
    """Return the application. It connects to NATS when it starts, and waits up to a minute for it."""
    service, parts = build(settings)
    mcp = make_server(parts.services, parts.runs, parts.syncs, parts.cases, service_version(MANIFEST.name))

    @contextlib.asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        try:
            async with running(service), mcp.session_manager.run():
                yield
        except Unreachable as exc:
            log.critical("cannot start", reason=str(exc))
            raise

    app = FastAPI(
        title="Lovsvar",
        version=service_version(MANIFEST.name),
        description=openapi.DESCRIPTION,
        generate_unique_id_function=lambda route: route.name,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        responses=openapi.RESPONSES,
        # One span for a request, from FastAPI's own instrumentation; probes would drown the rest.
        telemetry={"operation_spans": False, "exclude": lambda scope: scope["path"] in PROBES},
    )
    app.state.parts = parts
    app.state.shedder = Shedder(parts.services.bulkhead)
    # Before the routers: a request is held against each in turn until one has its path.
    mount(app, mcp)
    app.mount("/static", Static(directory=STATIC), name="static")
    for scope, modules in ROUTES.items():
        for routes in modules:
            answer_head(routes.router)
            app.include_router(routes.router, dependencies=[needs(scope)])
    app.include_router(health.router)
    app.include_router(payments.router)
    keys = KeyFile(settings.api_keys_file) if settings.api_keys_file else None
    app.add_middleware(Shedding)
    app.add_middleware(
        Access,
        keys=keys,
        hosts=settings.allowed_hosts,
        origins=settings.cors_origins,
        catalogues=settings.open_catalogues,
    )
    app.add_middleware(CORSMiddleware, allow_origins=settings.cors_origins, **CROSS_ORIGIN)
    app.add_middleware(Edge, seconds=settings.request_seconds)
    problems.add_handlers(app)
    openapi.complete(app)
    return app


def answer_head(router: APIRouter) -> None:
    """Have pages answer `HEAD` as they do `GET`; the server leaves out the body."""
    for route in router.routes:
        if isinstance(route, APIRoute) and not route.include_in_schema and "GET" in (methods := route.methods or set()):
            methods.add("HEAD")


def main() -> None:
    """Run the gateway until a signal stops it, and exit as `server` says."""
    settings = Settings()
    telemetry.configure(MANIFEST.name, service_version(MANIFEST.name), settings.log_level)
    if settings.metrics_port or metering.is_exported():
        port, host = settings.metrics_port, settings.metrics_host
        metering.configure(MANIFEST.name, service_version(MANIFEST.name), port, host, scraped=True)
    try:
        server.check_safe(settings)
        app = create_app(settings)
    except GatewayError as exc:
        print(exc, file=sys.stderr)  # noqa: T201
        sys.exit(server.EXIT_UNSAFE)
    sys.exit(event_loop.run(server.run(app, settings)))
