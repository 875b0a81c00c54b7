"""A running cases service, and a requester as the gateway's."""

import base64
import contextlib
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from typing import TypeVar

import pytest
import pytest_asyncio

from lovsvar_cases.app import build
from lovsvar_cases.settings import Settings
from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.requester import Requester
from lovsvar_chassis.sealing import SealedRequester
from lovsvar_chassis.settings import ServiceSettings
from lovsvar_contracts import subjects
from lovsvar_contracts.cases import Actor, Case, OpenCase
from lovsvar_contracts.message import Message
from lovsvar_testkit.running import running

Reply = TypeVar("Reply", bound=Message)

MASTER_KEY = base64.b64encode(bytes(range(32))).decode()
WEBHOOK_SECRET = "whsec_" + base64.b64encode(b"a secret of the payment provider").decode()


class Asking:
    """Asks the service as the gateway does."""

    def __init__(self, requester: Requester) -> None:
        self.plain = requester
        self.sealed = SealedRequester(requester, subjects.CASES_SEALING_KEY)

    async def __call__(self, subject: str, request: Message, reply: type[Reply]) -> Reply:
        return await self.sealed.ask(subject, request, reply)

    async def open(self, actor: Actor | None = None, **more: object) -> Case:
        request = OpenCase.model_validate({"actor": actor or Actor(name="kari"), **more})
        return await self(subjects.CASES_OPEN, request, Case)


@pytest.fixture
def settings(nats_url: str, database_url: str) -> Settings:
    return Settings.model_validate(
        {
            "nats_url": nats_url,
            "database_url": database_url,
            "cases_master_key": MASTER_KEY,
            "cases_webhook_secret": WEBHOOK_SECRET,
        }
    )


@contextlib.asynccontextmanager
async def asking(nats_url: str) -> AsyncIterator[Asking]:
    async with make_broker(ServiceSettings(nats_url=nats_url), "test") as broker:
        yield Asking(Requester(broker))


@pytest.fixture
def ask_of() -> Callable[[str], contextlib.AbstractAsyncContextManager[Asking]]:
    """Asks whatever service runs at a nats-server."""
    return asking


@pytest_asyncio.fixture
async def ask(settings: Settings) -> AsyncIterator[Asking]:
    """Asks a service that runs with `settings`."""
    async with running(build(settings)), asking(settings.nats_url) as ask:
        yield ask


Serve = Callable[[Settings], AbstractAsyncContextManager[Asking]]


@pytest.fixture
def serve() -> Serve:
    """Has the service run by settings of the test's own, for a block."""

    @contextlib.asynccontextmanager
    async def serving(settings: Settings) -> AsyncIterator[Asking]:
        async with running(build(settings)), asking(settings.nats_url) as ask:
            yield ask

    return serving
