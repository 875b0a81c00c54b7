"""What tests of questions under pressure need: a gateway in a process of its own, and law that is slow to be found."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import httpx2
from nats.js import JetStreamContext

from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.publisher import EventPublisher
from lovsvar_chassis.request_router import RequestRouter
from lovsvar_chassis.run_log import RunLog
from lovsvar_chassis.settings import ServiceSettings
from lovsvar_chassis.streams import declare_streams
from lovsvar_contracts import subjects
from lovsvar_contracts.run_events import CLOSING, RunEvent, run_event_adapter
from lovsvar_contracts.search import (
    CorpusStatus,
    FindProvisions,
    ProvisionHits,
    Provisions,
    ReadProvisions,
    ReadStatus,
    Resolution,
    ResolveReference,
)
from lovsvar_testkit.gateway_stand_in import STATUS
from lovsvar_testkit.processes import ServiceProcess, free_port
from lovsvar_testkit.running import answering
from lovsvar_testkit.waiting import until


@dataclass
class Search:
    """A search that finds nothing, and says so only while `open`. `waiting` is set when one has come."""

    open: asyncio.Event = field(default_factory=asyncio.Event)
    waiting: asyncio.Event = field(default_factory=asyncio.Event)

    async def find(self, request: FindProvisions) -> ProvisionHits:
        """Return no hits, when it is let."""
        self.waiting.set()
        await self.open.wait()
        return ProvisionHits(
            hits=(), total=0, page=1, page_size=10, searched_law_types=(), prioritized=True, corpus_version=1, took_ms=1
        )


@contextlib.asynccontextmanager
async def searching(nats_url: str) -> AsyncIterator[Search]:
    """Answer the subjects of the search service, at first at once."""
    search = Search()
    search.open.set()

    async def read(request: ReadProvisions) -> Provisions:
        return Provisions(provisions=(), missing=tuple(request.refs), corpus_version=1)

    async def resolve(request: ResolveReference) -> Resolution:
        return Resolution(reference=request.reference, outcome="none", corpus_version=1)

    async def status(request: ReadStatus) -> CorpusStatus:
        return STATUS.model_copy(update={"sample": True})

    router = RequestRouter()
    router.answer(subjects.SEARCH_PROVISIONS, search.find, at_once=100)
    router.answer(subjects.SEARCH_READ, read)
    router.answer(subjects.SEARCH_RESOLVE, resolve)
    router.answer(subjects.SEARCH_STATUS, status, at_once=100)
    async with answering(nats_url, router):
        yield search
        search.open.set()


@dataclass
class Wire:
    """What a test writes to NATS and reads there."""

    events: EventPublisher
    log: RunLog

    @property
    def js(self) -> JetStreamContext:
        """JetStream over the test's own connection."""
        return self.events.jetstream

    async def runs(self) -> dict[str, RunEvent]:
        """Return the last event of every run."""
        info = await self.js.stream_info(subjects.STREAM_ANSWERS, subjects.ANSWER_ANY)
        last = [await self.js.get_last_msg(subjects.STREAM_ANSWERS, one) for one in info.state.subjects or {}]
        events = [run_event_adapter.validate_json(raw.data or b"") for raw in last]
        return {event.run_id: event for event in events}

    async def unclosed(self) -> set[str]:
        """Return the runs that have not ended."""
        return {run_id for run_id, last in (await self.runs()).items() if last.type not in CLOSING}

    async def queued(self) -> int:
        """Return how many questions wait or are being answered."""
        return (await self.js.stream_info(subjects.STREAM_QUESTIONS)).state.messages

    async def ended(self, run_id: str) -> list[RunEvent]:
        """Return the events of a run when it has ended."""
        async with asyncio.timeout(20):
            return [event async for event in self.log.follow(run_id)]


@contextlib.asynccontextmanager
async def wired(nats_url: str) -> AsyncIterator[Wire]:
    """Connect, and declare the streams."""
    async with make_broker(ServiceSettings(nats_url=nats_url), "test") as broker:
        await declare_streams(broker.connection.jetstream())
        events = EventPublisher(broker)
        yield Wire(events, RunLog(events))


@dataclass
class GatewayProcess:
    """A gateway in a process of its own, and a client at its address."""

    process: ServiceProcess
    client: httpx2.AsyncClient

    async def ready(self) -> None:
        """Return when it answers."""

        async def answers() -> bool:
            with contextlib.suppress(httpx2.HTTPError):
                return (await self.client.get("/healthz")).is_success
            return False

        await until(answers, 30)


@contextlib.asynccontextmanager
async def gateway_process(
    nats_url: str, folder: Path, environment: Mapping[str, str] | None = None
) -> AsyncIterator[GatewayProcess]:
    """Run a gateway until the block ends."""
    port = free_port()
    own = {"LOVSVAR_NATS_URL": nats_url, "LOVSVAR_HOST": "127.0.0.1", "LOVSVAR_PORT": str(port)}
    process = ServiceProcess("gateway", {**own, **(environment or {})}, folder / f"gateway-{port}.log")
    process.start()
    try:
        async with httpx2.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=30, trust_env=False) as client:
            gateway = GatewayProcess(process, client)
            await gateway.ready()
            yield gateway
    finally:
        process.stop()
