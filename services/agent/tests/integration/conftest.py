"""A stand-in for the search service, and a view of what agents write."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import pytest
import pytest_asyncio

from lovsvar_agent.adapters.memory_search import MemorySearch
from lovsvar_agent.settings import Settings
from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.publisher import EventPublisher
from lovsvar_chassis.request_router import RequestRouter
from lovsvar_chassis.requester import Requester
from lovsvar_chassis.run_log import RunLog
from lovsvar_chassis.service import connect
from lovsvar_chassis.settings import ServiceSettings
from lovsvar_chassis.streams import declare_streams
from lovsvar_contracts import subjects
from lovsvar_contracts.law import Provision
from lovsvar_contracts.problems import Problem
from lovsvar_contracts.questions import QuestionAsked
from lovsvar_contracts.run_events import RunEvent
from lovsvar_contracts.search import (
    FindProvisions,
    ProvisionHits,
)
from lovsvar_testkit.running import answering


@dataclass
class Gate:
    """Holds searches back while closed, and tells when one is waiting. `problems` are answered first."""

    open: asyncio.Event = field(default_factory=asyncio.Event)
    waiting: asyncio.Event = field(default_factory=asyncio.Event)
    problems: list[Problem] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.open.set()

    def close(self) -> None:
        self.open.clear()
        self.waiting.clear()

    async def pass_through(self) -> Problem | None:
        if self.problems:
            return self.problems.pop(0)
        if not self.open.is_set():
            self.waiting.set()
            await self.open.wait()
        return None


@dataclass
class Client:
    """Another service on the same NATS."""

    events: EventPublisher
    log: RunLog
    requester: Requester

    async def publish(self, asked: QuestionAsked) -> None:
        await self.events.publish(subjects.QUESTION_ASKED, asked)

    async def follow(self, run_id: str) -> list[RunEvent]:
        """Return a run's events up to its closing one; the run may not have begun."""
        async with asyncio.timeout(40):
            return [event async for event in self.log.follow(run_id)]

    async def wait_for(self, run_id: str, type_: str) -> RunEvent:
        async with asyncio.timeout(40), contextlib.aclosing(self.log.follow(run_id)) as stream:
            async for event in stream:
                if event.type == type_:
                    return event
        raise AssertionError(f"{run_id} ended without {type_}")


@pytest.fixture
def gate() -> Gate:
    return Gate()


@pytest_asyncio.fixture
async def client(nats_url: str) -> AsyncIterator[Client]:
    broker = make_broker(ServiceSettings(nats_url=nats_url), "test")
    await connect(broker)
    await declare_streams(broker.connection.jetstream())
    events = EventPublisher(broker)
    yield Client(events, RunLog(events), Requester(broker))
    await broker.stop()


@pytest.fixture
def law(corpus: tuple[Provision, ...]) -> MemorySearch:
    return MemorySearch(corpus)


@pytest_asyncio.fixture
async def search_service(nats_url: str, law: MemorySearch, gate: Gate) -> AsyncIterator[None]:
    """Answer the subjects of the search service from the invented corpus."""

    async def find(request: FindProvisions) -> ProvisionHits | Problem:
        return await gate.pass_through() or await law.find(request)

    router = RequestRouter()
    router.answer(subjects.SEARCH_PROVISIONS, find, at_once=100)
    router.answer(subjects.SEARCH_READ, law.read)
    router.answer(subjects.SEARCH_RESOLVE, law.resolve)
    router.answer(subjects.SEARCH_OUTLINE, law.outline)
    router.answer(subjects.SEARCH_STATUS, law.status)
    async with answering(nats_url, router):
        yield
        gate.open.set()


@pytest.fixture
def settings(nats_url: str) -> Settings:
    """Settings by which a run is taken over within a second."""
    return Settings(nats_url=nats_url, agent_ack_wait=1.0, agent_seconds=30.0, agent_ask_timeout=30.0)
