"""Searches and questions of users over HTTP, at a steady rate, and what became of each."""

import asyncio
import contextlib
import itertools
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass

import httpx2

from lovsvar_contracts.ingest import DATASET_SAMPLE
from lovsvar_testkit.waiting import until

PATIENCE = 10.0
RATES = {"searches": 5.0, "questions": 1.0}
"""How many come in a second."""

START_SECONDS = 90.0
WORDS = "Hvor mye kan utleieren kreve i depositum?"


@dataclass
class Asked:
    """A request: when it was sent and ended, and its failure, if any. Times are `Door.now`'s."""

    kind: str
    sent: float
    ended: float | None = None
    told: str = ""

    @property
    def failed(self) -> bool:
        """Whether it ended without an answer."""
        return bool(self.told)


class Door:
    """Where users come in. Use as `async with`."""

    def __init__(self, url: str) -> None:
        limits = httpx2.Limits(max_connections=None)
        self._client = httpx2.AsyncClient(base_url=url, timeout=PATIENCE, limits=limits, trust_env=False)
        self._tasks: set[asyncio.Task[None]] = set()
        self.asked: list[Asked] = []

    async def __aenter__(self) -> "Door":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._client.aclose()

    def now(self) -> float:
        """Seconds of a monotonic clock."""
        return time.monotonic()

    async def serves(self) -> None:
        """Have the sample stored, and return when a search and a question are answered."""

        async def stored() -> bool:
            with contextlib.suppress(httpx2.HTTPError):
                return (await self._client.post("/v1/ingest", json={"dataset": DATASET_SAMPLE})).is_success
            return False

        async def found() -> bool:
            with contextlib.suppress(httpx2.HTTPError):
                reply = await self._client.get("/v1/search", params={"q": WORDS})
                return reply.is_success and bool(reply.json()["hits"])
            return False

        async def answered() -> bool:
            return not await self._outcome(self._question, 0)

        for wanted in (stored, found, answered):
            await until(wanted, START_SECONDS)

    @contextlib.contextmanager
    def asking(self) -> Iterator[None]:
        """Have requests come until the block ends."""
        kinds = {"searches": self._search, "questions": self._question}
        coming = [asyncio.create_task(self._come(kind, ask)) for kind, ask in kinds.items()]
        try:
            yield
        finally:
            for task in (*coming, *self._tasks):
                task.cancel()

    async def is_calm(self, since: float, quiet: float, early: float) -> bool:
        """Whether nothing that was sent after `since` or lately has failed for `quiet` seconds, or takes long."""
        now = self.now()
        last = max((one.sent for one in self.asked if one.failed), default=since)
        held_up = any(one.ended is None and now - one.sent > early for one in self.asked)
        return not held_up and now - max(since, last) > quiet

    async def _come(self, kind: str, ask: Callable[[int], Awaitable[str]]) -> None:
        due = self.now()
        for number in itertools.count():
            due += 1 / RATES[kind]
            await asyncio.sleep(max(0.0, due - self.now()))
            task = asyncio.create_task(self._note(kind, ask, number))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _note(self, kind: str, ask: Callable[[int], Awaitable[str]], number: int) -> None:
        asked = Asked(kind, self.now())
        self.asked.append(asked)
        asked.told = await self._outcome(ask, number)
        asked.ended = self.now()

    async def _outcome(self, ask: Callable[[int], Awaitable[str]], number: int) -> str:
        try:
            async with asyncio.timeout(PATIENCE):
                return await ask(number)
        except (TimeoutError, httpx2.TimeoutException):
            return "late"
        except httpx2.HTTPError:
            return "broken"

    async def _search(self, number: int) -> str:
        reply = await self._client.get("/v1/search", params={"q": WORDS, "page_size": 1 + number % 20})
        return "" if reply.is_success else str(reply.status_code)

    async def _question(self, number: int) -> str:
        # Each from another address, so that none has too many in the queue.
        headers = {"Accept": "text/event-stream", "X-Forwarded-For": f"10.0.0.{1 + number % 250}"}
        async with self._client.stream("POST", "/v1/questions", json={"question": WORDS}, headers=headers) as reply:
            if not reply.is_success:
                return str(reply.status_code)
            async for line in reply.aiter_lines():
                if line == "event: run.completed":
                    return ""
                if line == "event: run.failed":
                    return "failed"
        return "broken"
