"""Each service has its own user on NATS and in PostgreSQL, and none of them can do what another does."""

import asyncio
import contextlib
import json
import threading
import time
from collections.abc import AsyncIterator, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import asyncpg
import httpx2
import nats
import pytest
import pytest_asyncio
import yaml
from nats.aio.client import Client
from nats.errors import Error as NatsError

from lovsvar_chassis.manifest import PROBE
from lovsvar_contracts import subjects
from lovsvar_testkit import sse
from lovsvar_testkit.locked import LockedSystem, locked_system
from lovsvar_testkit.serper import standing_in_for_serper

ROOT = Path(__file__).parents[2]
COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
DOWN = {"": "down"}
USAGE = {"prompt_tokens": 1, "total_tokens": 1}
QUESTION = "Hvor mye kan utleier kreve i depositum?"


@pytest.fixture(scope="module")
def system(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LockedSystem]:
    """The containers' services, with the sample corpus stored and embedded."""
    folder = tmp_path_factory.mktemp("locked")
    with standing_in_for_serper() as serper, embeddings() as embedding:
        serper.finds({"title": "HR-2020-1-A", "link": "https://lovdata.no/avgjørelser/hr-2020-1-a", "snippet": "Leie."})
        told = {
            "LOVSVAR_SOURCE": str(folder),
            "LOVSVAR_SERPER_URL": serper.url,
            "SERPER_API_KEY": "key",
            # The model that is shipped brings vectors of its own, which take half a minute to store.
            "LOVSVAR_EMBEDDING": "openai",
            "LOVSVAR_EMBEDDING_URL": embedding,
        }
        with locked_system(ROOT, COMPOSE, folder, told) as system:
            system.wait_until(lambda answer: answer.status_code == httpx2.codes.OK, "/healthz")
            system.wait_until(lambda answer: "down" not in answer.json().get("services", DOWN).values(), "/v1/status")
            with system.client() as client:
                sync = client.post("/v1/ingest", json={"dataset": "eksempel"}).json()["syncs"][0]
                *_, last = sse.events(client, f"/v1/ingest/{sync['sync_id']}/events")
                assert last["type"] == "sync.completed", last
            asyncio.run(embedded(system))
            yield system


@contextlib.contextmanager
def embeddings() -> Iterator[str]:
    """Run a server of embeddings to which all texts mean the same; yield its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            texts = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["input"]
            data = [{"object": "embedding", "index": i, "embedding": [0.5, 0.5, 0.5, 0.5]} for i in range(len(texts))]
            body = json.dumps({"object": "list", "model": "one", "data": data, "usage": USAGE}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/v1"
        server.shutdown()


async def embedded(system: LockedSystem) -> None:
    """Wait until the worker has stored a vector, as the login that it has."""
    login = await asyncpg.connect(system.login("ingest"))
    deadline = time.monotonic() + 30
    while not await login.fetchval("SELECT count(*) FROM embeddings"):
        assert time.monotonic() < deadline, system.services["embedding"].log.read_text()
        await asyncio.sleep(0.1)
    await login.close()


def test_a_question_passes_through_all_services_and_nothing_of_it_is_refused(system: LockedSystem) -> None:
    with system.client() as client:
        asked = client.post("/v1/questions", json={"question": QUESTION}).json()
        path = f"/v1/questions/{asked['run_id']}"
        *_, last = sse.events(client, f"{path}/events")
        assert last["type"] == "run.completed"
        answer = client.get(path).json()
        assert answer["citations"]
        assert client.get("/v1/practice", params={"q": "depositum"}).json()["hits"]
        assert client.get("/v1/practice", params={"q": "depositum"}).json()["hits"]
        assert client.get("/v1/audit").json()["records"]
        assert client.get("/v1/ingest").json()["syncs"]
        assert client.delete(path).is_success
        metrics = client.get("/metrics").text
        assert 'lovsvar_queue_waiting{stream="QUESTIONS"}' in metrics
        assert "lovsvar_jetstream_size_bytes" in metrics
    assert system.refused() == []


def test_without_a_key_nobody_is_let_in(system: LockedSystem) -> None:
    assert httpx2.get(f"{system.url}/v1/status").status_code == httpx2.codes.UNAUTHORIZED

    async def connect() -> None:
        await nats.connect(system.nats.url, allow_reconnect=False, error_cb=_nothing)

    with pytest.raises(NatsError):
        asyncio.run(connect())


async def _nothing(_: Exception) -> None:
    """Errors are looked at where they are expected."""


class Intruder:
    """Somebody who has the seed of a service's user. `refusals` are the server's words to them."""

    def __init__(self) -> None:
        self.refusals: asyncio.Queue[str] = asyncio.Queue()
        self.connection = Client()

    async def connect(self, system: LockedSystem, user: str, inbox: str = "") -> None:
        async def refused(error: Exception) -> None:
            if "ermissions" in str(error):
                self.refusals.put_nowait(str(error))

        await self.connection.connect(
            system.nats.url,
            nkeys_seed_str=system.seed(user).strip(),
            inbox_prefix=inbox or f"_INBOX.{user}",
            error_cb=refused,
            allow_reconnect=False,
        )

    async def refusal(self) -> str:
        """Return what was refused next, as the server says it."""
        return await asyncio.wait_for(self.refusals.get(), 10)


@pytest_asyncio.fixture
async def intruder() -> AsyncIterator[Intruder]:
    intruder = Intruder()
    yield intruder
    with contextlib.suppress(Exception):
        await intruder.connection.close()


AUDIT = f"$JS.API.STREAM.MSG.GET.{subjects.STREAM_AUDIT}"
FORBIDDEN = [
    ("practice", AUDIT),
    ("practice", f"$JS.API.CONSUMER.CREATE.{subjects.STREAM_AUDIT}"),
    ("practice", f"$JS.API.STREAM.SNAPSHOT.{subjects.STREAM_AUDIT}"),
    ("practice", f"$JS.API.DIRECT.GET.{subjects.STREAM_ANSWERS}.lovsvar.answer.x"),
    ("practice", subjects.SEARCH_PROVISIONS),
    ("search", subjects.answer("run")),
    ("search", subjects.DOCUMENT_REMOVED),
    ("search", "_INBOX.gateway.guessed.reply"),
    ("embedding", subjects.INGEST_REQUESTED),
    ("embedding", f"$JS.API.STREAM.PURGE.{subjects.STREAM_EMBEDDING}"),
    ("agent", AUDIT),
    ("agent", subjects.INGEST_REQUESTED),
    ("agent", f"$JS.API.STREAM.DELETE.{subjects.STREAM_ANSWERS}"),
    ("agent", f"$JS.API.STREAM.UPDATE.{subjects.STREAM_ANSWERS}"),
    ("practice", "$JS.API.STREAM.UPDATE.KV_practice_cache"),
    ("gateway", f"$JS.API.STREAM.UPDATE.{PROBE.name}"),
    ("audit", f"$JS.API.STREAM.DELETE.{subjects.STREAM_AUDIT}"),
    ("audit", f"$JS.API.STREAM.PURGE.{subjects.STREAM_AUDIT}"),
    ("audit", f"$JS.API.STREAM.MSG.DELETE.{subjects.STREAM_AUDIT}"),
    ("audit", subjects.SEARCH_PROVISIONS),
    ("gateway", subjects.DOCUMENT_ADDED),
    ("ingest", subjects.answer("run")),
    ("ingest", AUDIT),
    ("client", subjects.answer("run")),
    ("client", AUDIT),
]


@pytest.mark.parametrize(("user", "subject"), FORBIDDEN)
async def test_a_service_publishes_and_asks_for_nothing_that_is_anothers(
    system: LockedSystem, intruder: Intruder, user: str, subject: str
) -> None:
    await intruder.connect(system, user)
    await intruder.connection.publish(subject, b"{}")
    assert f'publish to "{subject}"'.lower() in (await intruder.refusal()).lower()


@pytest.mark.parametrize(
    ("user", "subject"),
    [
        ("practice", subjects.ANSWER_ANY),
        ("practice", subjects.AUDIT_ANY),
        ("practice", "lovsvar.>"),
        ("practice", "_INBOX.>"),
        ("practice", "_INBOX.gateway.>"),
        ("practice", "$JS.API.>"),
        ("search", subjects.QUESTION_ASKED),
        ("search", subjects.PRACTICE_SEARCH),
        ("agent", subjects.SEARCH_PROVISIONS),
        ("gateway", subjects.AGENT_ASK),
        ("operator", "_INBOX.gateway.>"),
    ],
)
async def test_a_service_hears_nothing_that_is_anothers(
    system: LockedSystem, intruder: Intruder, user: str, subject: str
) -> None:
    await intruder.connect(system, user)
    await intruder.connection.subscribe(subject)
    assert "ubscription" in await intruder.refusal()


async def test_practice_cannot_read_the_audit(system: LockedSystem, intruder: Intruder) -> None:
    await intruder.connect(system, "practice")
    reading = asyncio.create_task(intruder.connection.jetstream(timeout=1).get_msg(subjects.STREAM_AUDIT, seq=1))
    assert "ublish" in await intruder.refusal()
    with pytest.raises((NatsError, TimeoutError)):
        await reading


@pytest.mark.parametrize("verb", ["PURGE", "DELETE"])
async def test_what_jetstream_sends_for_a_service_does_not_reach_the_audit_log(
    system: LockedSystem, intruder: Intruder, verb: str
) -> None:
    await asyncio.to_thread(system.client().get, "/v1/search", params={"q": "depositum"})
    await intruder.connect(system, "agent")
    stored = subjects.answer("intruder")
    await intruder.connection.jetstream().publish(stored, b"")
    get = f"$JS.API.DIRECT.GET.{subjects.STREAM_ANSWERS}.{stored}"
    await intruder.connection.publish(get, b"", reply=f"$JS.API.STREAM.{verb}.{subjects.STREAM_AUDIT}")
    # What is asked next is answered next: the forged request has been handled by then.
    assert (await intruder.connection.request(get, b"")).data == b""
    with system.client() as client:
        actions = {record["action"] for record in client.get("/v1/audit").json()["records"]}
    assert "searched" in actions


async def test_search_reads_the_database_and_cannot_write_it(system: LockedSystem) -> None:
    login = await asyncpg.connect(system.login("search"))
    try:
        assert await login.fetchval("SELECT current_user") == "lovsvar_search"
        assert await login.fetchval("SELECT count(*) FROM sections") > 0
        await login.execute("SET default_transaction_read_only = off")
        for statement in (
            "DELETE FROM documents",
            "CREATE TABLE mine ()",
            "CREATE ROLE mine",
            "SET ROLE lovsvar_ingest",
        ):
            with pytest.raises(asyncpg.InsufficientPrivilegeError):
                await login.execute(statement)
    finally:
        await login.close()


@pytest.mark.parametrize("user", ["ingest", "search"])
async def test_a_login_needs_its_password(system: LockedSystem, user: str) -> None:
    for password in ("lovsvar", "postgres", ""):
        with pytest.raises((asyncpg.InvalidPasswordError, asyncpg.InternalClientError, asyncpg.InterfaceError)):
            await asyncpg.connect(system.login(user), password=password)
