"""Archives made in tests, and a sync asked for as others ask for it: over NATS."""

import bz2
import contextlib
import io
import tarfile
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import asyncpg
import numpy as np
import pytest

from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.manifest import kept_streams
from lovsvar_chassis.publisher import EventPublisher
from lovsvar_chassis.service import Service
from lovsvar_chassis.settings import ServiceSettings
from lovsvar_contracts import subjects
from lovsvar_contracts.ingest import (
    DocumentChanged,
    SyncCompleted,
    SyncEvent,
    SyncFailed,
    SyncRequested,
    sync_event_adapter,
)
from lovsvar_ingest import app
from lovsvar_ingest.adapters.everyday_files import QuestionVectors
from lovsvar_ingest.settings import Settings
from lovsvar_testkit.running import running
from lovsvar_testkit.waiting import until

LAWS = "gjeldende-lover"

LAW = """<html><body><header><dl class="data-document-key-info"><dd class="refid">lov/2999-01-01-{number}</dd>
<dd class="title">Lov nummer {number}</dd><dd class="dateInForce">2020-01-01</dd></dl></header><main
class="documentBody"><h1>Lov nummer {number}</h1><section class="section" data-name="kap1"><h2>Kapittel 1</h2>{articles}
</section></main></body></html>"""

ARTICLE = """<article class="legalArticle" data-name="§{n}"><h3 class="legalArticleHeader"><span
class="legalArticleValue">§ {n}</span>.</h3><article class="legalP">{text}</article></article>"""


def law(number: int, *texts: str) -> bytes:
    """Return a law with one provision for each text."""
    articles = "".join(ARTICLE.format(n=n, text=text) for n, text in enumerate(texts or ("Regel.",), 1))
    return LAW.format(number=number, articles=articles).encode()


def pack(files: Mapping[str, bytes]) -> bytes:
    """Return a `tar.bz2` of `files`."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size, member.mtime = len(content), 1_782_950_400  # 2026-07-02
            tar.addfile(member, io.BytesIO(content))
    return bz2.compress(buffer.getvalue())


Answer = Callable[[BaseHTTPRequestHandler, int], None]


@pytest.fixture
def serve() -> Iterator[Callable[[Answer], str]]:
    """Start a local server that answers as told, with the number of the request from 1; return its address."""
    servers: list[ThreadingHTTPServer] = []

    def start(answer: Answer) -> str:
        count = iter(range(1, 1000))

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                answer(self, next(count))

            def log_message(self, *_: Any) -> None:
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        servers.append(server)
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        return f"http://127.0.0.1:{server.server_port}/publicData/get"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.fixture
def make_law() -> Callable[..., bytes]:
    return law


@pytest.fixture
def put_archive(tmp_path: Path) -> Callable[..., Path]:
    """Put an archive into the source folder; return the folder."""

    def put(files: Mapping[str, bytes] | bytes, dataset: str = LAWS) -> Path:
        path = tmp_path / "source" / f"{dataset}.tar.bz2"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(files if isinstance(files, bytes) else pack(files))
        return path.parent

    return put


class Client:
    """Asks for syncs and hears of them."""

    def __init__(self, publisher: EventPublisher) -> None:
        self._publisher = publisher
        self.heard: list[SyncEvent] = []

    async def ready(self) -> None:
        """Wait until a process that starts has declared all streams."""
        wanted = {stream.name for stream in kept_streams()}

        async def declared() -> bool:
            return wanted <= {info.config.name for info in await self._publisher.jetstream.streams_info()}

        await until(declared, 60)

    async def ask(self, request: SyncRequested) -> None:
        await self._publisher.publish(subjects.INGEST_REQUESTED, request)

    async def take_back(self) -> None:
        """Take back every request, so that none is delivered again."""
        await self._publisher.jetstream.purge_stream(subjects.STREAM_INGEST)

    async def sync(self, dataset: str = LAWS, **fields: Any) -> SyncCompleted | SyncFailed:
        """Ask for a sync and wait for its end; `heard` has all its events."""
        request = SyncRequested(dataset=dataset, **fields)
        await self.ask(request)
        return await self.end(request.sync_id)

    async def end(self, sync_id: str, timeout: float = 60) -> SyncCompleted | SyncFailed:
        """Wait for the end of a sync."""
        self.heard = []
        subscription = await self._publisher.jetstream.subscribe(
            subjects.ingest_progress(sync_id), stream=subjects.STREAM_INGEST_EVENTS, ordered_consumer=True
        )
        try:
            while True:
                message = await subscription.next_msg(timeout=timeout)
                self.heard.append(sync_event_adapter.validate_json(message.data))
                if isinstance(self.heard[-1], SyncCompleted | SyncFailed):
                    return self.heard[-1]
        finally:
            await subscription.unsubscribe()

    async def document_events(self) -> Sequence[DocumentChanged]:
        """Return all document events so far."""
        info = await self._publisher.jetstream.stream_info(subjects.STREAM_DOCUMENTS)
        messages = [
            await self._publisher.jetstream.get_msg(subjects.STREAM_DOCUMENTS, n + 1)
            for n in range(info.state.messages)
        ]
        return [DocumentChanged.model_validate_json(message.data or b"") for message in messages]


@pytest.fixture
async def client(nats_url: str) -> AsyncIterator[Client]:
    """A client; streams exist once a service runs."""
    async with make_broker(ServiceSettings(nats_url=nats_url), "test") as broker:
        yield Client(EventPublisher(broker))


@pytest.fixture(autouse=True)
def nothing_shipped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ship no everyday questions, and no vectors: there are thousands, which few tests are about."""
    empty = QuestionVectors("none", [], np.empty((0, 8), dtype=np.int8))
    monkeypatch.setattr(app, "read_everyday", lambda: [])
    monkeypatch.setattr(app, "read_shipped_vectors", lambda: empty)


@pytest.fixture
def ingest(
    nats_url: str, database_url: str, tmp_path: Path
) -> Callable[..., contextlib.AbstractAsyncContextManager[Service]]:
    """Run an ingest process's service inside the test; its source is the folder of `put_archive`."""

    def run(**fields: Any) -> contextlib.AbstractAsyncContextManager[Service]:
        usual = {"database_url": database_url, "source": str(tmp_path / "source"), "catalogues": ()}
        return running(app.build(Settings(nats_url=nats_url, **{**usual, **fields})))

    return run


@pytest.fixture
async def database(database_url: str) -> AsyncIterator["asyncpg.Connection[asyncpg.Record]"]:
    connection = await asyncpg.connect(database_url)
    yield connection
    await connection.close()


@pytest.fixture
def snapshot(database: "asyncpg.Connection[asyncpg.Record]") -> Callable[[], Any]:
    """Return everything that is stored, but for when it was stored and in which version."""

    async def read() -> dict[str, list[tuple[Any, ...]]]:
        queries = {
            "documents": "SELECT to_jsonb(d) - 'stored_at' - 'corpus_version' - 'removed_at', removed_at IS NULL,"
            " corpus_version IS NULL FROM documents d ORDER BY refid",
            "structures": "SELECT * FROM structures ORDER BY refid, position",
            "sections": "SELECT to_jsonb(s) - 'removed_at', removed_at IS NULL FROM sections s"
            " ORDER BY refid, position, section",
        }
        return {name: [tuple(row) for row in await database.fetch(query)] for name, query in queries.items()}

    return read
