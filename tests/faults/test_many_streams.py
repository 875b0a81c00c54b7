"""More event streams than a server has consumers: all get their events, and answers are read as before."""

import asyncio
import contextlib
import resource
from collections.abc import AsyncIterator
from pathlib import Path

import httpx2

from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.publisher import EventPublisher
from lovsvar_chassis.run_log import Cursor, RunLog
from lovsvar_chassis.settings import ServiceSettings
from lovsvar_contracts.run_events import AnswerDelta, RunAccepted, RunCompleted
from lovsvar_testkit.storage import gateway_process

RUNS = 100
STREAMS = 1_200
FILES = 4_096


@contextlib.asynccontextmanager
async def own_log(nats_url: str) -> AsyncIterator[tuple[RunLog, EventPublisher]]:
    async with make_broker(ServiceSettings(nats_url=nats_url), "test") as broker:
        events = EventPublisher(broker)
        yield RunLog(events), events


async def begin(log: RunLog, run_id: str) -> Cursor:
    _, end = await log.append(RunAccepted(run_id=run_id, question="Hva?"), Cursor())
    return end


async def finish(log: RunLog, run_id: str, end: Cursor) -> None:
    _, end = await log.append(AnswerDelta(run_id=run_id, text="svar"), end)
    await log.append(RunCompleted(run_id=run_id), end)


class Stream:
    """An event stream on a plain socket."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self.ids: list[int] = []

    async def next_id(self) -> int | None:
        """Return the id of the next event that has one; None at the end."""
        async for line in self._reader:
            if line.startswith(b"id: "):
                self.ids.append(int(line[4:]))
                return self.ids[-1]
        return None

    async def rest(self) -> list[int]:
        """Return every id up to the end."""
        while await self.next_id() is not None:
            pass
        self._writer.close()
        return self.ids


async def open_stream(url: httpx2.URL, run_id: str) -> Stream:
    reader, writer = await asyncio.open_connection(url.host, url.port)
    writer.write(f"GET /v1/questions/{run_id}/events HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode())
    stream = Stream(reader, writer)
    assert await stream.next_id() == 1
    return stream


async def test_answers_are_read_and_no_stream_is_left_out_however_many_are_open(nats_url: str, tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, FILES) if hard == -1 else min(max(soft, FILES), hard), hard))
    async with gateway_process(nats_url, tmp_path) as client, own_log(nats_url) as (log, events):
        await finish(log, "finished", await begin(log, "finished"))
        ends = {f"run-{n}": await begin(log, f"run-{n}") for n in range(RUNS)}
        consumers = (await events.jetstream.account_info()).consumers
        streams: list[Stream] = []
        for _ in range(STREAMS // RUNS):
            streams += await asyncio.gather(*(open_stream(client.base_url, run_id) for run_id in ends))
        assert len(streams) == STREAMS
        assert (await events.jetstream.account_info()).consumers == consumers
        for _ in range(20):
            answer = await client.get("/v1/questions/finished")
            assert (answer.status_code, answer.json()["status"]) == (200, "completed")
        await asyncio.gather(*(finish(log, run_id, end) for run_id, end in ends.items()))
        async with asyncio.timeout(60):
            ids = await asyncio.gather(*(stream.rest() for stream in streams))
        assert all(one == [1, 2, 3] for one in ids)
