"""Whether it lives, whether it is ready, and how it goes on when NATS does not."""

import asyncio
import contextlib
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from faststream.nats import NatsBroker
from nats.errors import Error as NatsError

from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.publisher import EventPublisher
from lovsvar_chassis.requester import Requester
from lovsvar_chassis.run_log import RunLog
from lovsvar_chassis.service import disconnect
from lovsvar_chassis.settings import ServiceSettings
from lovsvar_contracts import subjects
from lovsvar_contracts.health import ReadHealth, ServiceHealth
from lovsvar_contracts.questions import QuestionAsked
from lovsvar_contracts.run_events import RunCompleted
from lovsvar_gateway import app
from lovsvar_gateway.adapters.nats_link import NatsLink
from lovsvar_gateway.adapters.question_queue import QuestionQueue
from lovsvar_testkit.processes import ServiceProcess, free_port


class Broker:
    """A nats-server on a port of its own, which can go away and come back with what it stored."""

    def __init__(self, folder: Path) -> None:
        self._port = free_port()
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        self.url = f"nats://127.0.0.1:{self._port}"

    def start(self) -> None:
        binary = Path(sys.executable).parent / "nats-server"
        arguments = ["-a", "127.0.0.1", "-p", str(self._port), "-js", "-sd", str(self._folder)]
        self._process = subprocess.Popen([binary, *arguments], stderr=subprocess.DEVNULL)

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait()


@pytest.fixture
def own_nats(tmp_path: Path) -> Iterator[Broker]:
    broker = Broker(tmp_path)
    broker.start()
    yield broker
    broker.stop()


@pytest.fixture
def gateway(own_gateway: Any) -> Any:
    """A gateway for each test, since it is asked over NATS, too, how it is."""
    return own_gateway


async def until(client: httpx2.AsyncClient, path: str, status: int) -> httpx2.Response:
    async with asyncio.timeout(30):
        while (answer := await client.get(path)).status_code != status:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    return answer


async def test_it_is_ready_when_search_and_agent_are(gateway: Any, behind: Any) -> None:
    ready = await gateway.client.get("/readyz")
    assert ready.json()["details"]["search"]["ready"]
    assert (ready.status_code, ready.json()["services"]["gateway"]) == (200, "ready")
    behind.not_ready = "indeksen bygges"
    not_ready = await gateway.client.get("/readyz")
    assert (not_ready.status_code, not_ready.json()["type"]) == (503, "urn:lovsvar:problem:not-ready")
    assert "search (not_ready: indeksen bygges)" in not_ready.json()["detail"]
    assert not_ready.json()["details"]["search"]["detail"] == "indeksen bygges"


async def test_it_is_not_ready_while_a_question_waits_for_much_longer_than_any_is_to(
    nats_url: str, start_gateway: Any, behind: Any, broker: NatsBroker
) -> None:
    async with start_gateway(nats_url, queue_seconds=0.5) as gateway:
        await until(gateway.client, "/readyz", 200)
        await EventPublisher(broker).publish(subjects.QUESTION_ASKED, QuestionAsked(question="Hva?"))
        waiting = await until(gateway.client, "/readyz", 503)
        assert "gateway (not_ready: et spørsmål har ventet i " in waiting.json()["detail"]
        health = await Requester(broker).ask(subjects.health("gateway"), ReadHealth(), ServiceHealth)
        assert "et spørsmål har ventet i " in health.detail
        await broker.connection.jetstream().purge_stream(subjects.STREAM_QUESTIONS)
        await until(gateway.client, "/readyz", 200)


async def test_it_is_not_ready_when_it_no_longer_looks_at_the_queue(
    nats_url: str, start_gateway: Any, behind: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "QUEUE_STILL", 1.5)
    async with start_gateway(nats_url) as gateway:
        await until(gateway.client, "/readyz", 200)

        async def hang(_: QuestionQueue) -> None:
            await asyncio.Event().wait()

        monkeypatch.setattr(QuestionQueue, "_look", hang)
        still = await until(gateway.client, "/readyz", 503)
        assert "gateway (not_ready: «question queue» har stått stille" in still.json()["detail"]


async def test_alone_it_lives_and_says_which_services_it_lacks(gateway: Any) -> None:
    assert (await gateway.client.get("/healthz")).status_code == 200
    not_ready = await gateway.client.get("/readyz")
    assert not_ready.status_code == 503
    assert "search (down), agent (down)" in not_ready.json()["detail"]
    status = await gateway.client.get("/v1/status")
    assert (status.status_code, status.json()["services"]["search"]) == (503, "down")


async def test_status_counts_the_corpus_and_names_each_service(gateway: Any, behind: Any) -> None:
    status = (await gateway.client.get("/v1/status")).json()
    assert (status["documents"], status["provisions"]) == (1, 2)
    assert status["services"] == dict.fromkeys(("ingest", "search", "practice", "cases", "agent", "gateway"), "ready")


async def test_it_says_over_nats_that_it_is_ready(gateway: Any, broker: NatsBroker) -> None:
    health = await Requester(broker).ask(subjects.health("gateway"), ReadHealth(), ServiceHealth)
    assert (health.service, health.ready) == ("gateway", True)


async def test_without_nats_requests_fail_at_once_and_with_it_they_work_again(
    own_nats: Broker, start_gateway: Any
) -> None:
    async with start_gateway(own_nats.url) as gateway:
        run_id = (await gateway.client.post("/v1/questions", json={"question": "Hva?"})).json()["run_id"]
        async with gateway.stream("GET", f"/v1/questions/{run_id}/events") as stream:
            assert (await stream.next())["event"] == "run.accepted"
            own_nats.stop()
            for path in (f"/v1/questions/{run_id}", "/v1/search?q=a", "/readyz"):
                began = time.monotonic()
                answer = await until(gateway.client, path, 503)
                assert time.monotonic() - began < 2, path
                assert answer.json()["retryable"], path
                assert "Retry-After" in answer.headers, path
            refused = await gateway.client.post("/v1/questions", json={"question": "Hva?"})
            assert (refused.status_code, refused.json()["type"]) == (503, "urn:lovsvar:problem:unavailable")
            assert (await gateway.client.get("/healthz")).status_code == 200

            own_nats.start()
            assert (await until(gateway.client, f"/v1/questions/{run_id}", 200)).json()["status"] == "running"
            async with contextlib.AsyncExitStack() as stack:
                broker = make_broker(ServiceSettings(nats_url=own_nats.url), "test")
                await broker.connect()
                stack.push_async_callback(broker.stop)
                run_log = RunLog(EventPublisher(broker))
                await run_log.append(RunCompleted(run_id=run_id), (await run_log.end(run_id))[1])
            events = []
            while (event := await stream.next())["event"] != "run.completed":
                events.append(event["event"])
            assert set(events) <= {"heartbeat"}


async def test_a_request_under_way_when_nats_goes_fails_within_two_seconds(
    own_nats: Broker, start_gateway: Any, until_subscribed: Any
) -> None:
    async with start_gateway(own_nats.url) as gateway:
        silent = make_broker(ServiceSettings(nats_url=own_nats.url), "silent")
        await silent.connect()
        asked = await silent.connection.subscribe(subjects.SEARCH_PROVISIONS)
        await until_subscribed(silent)
        asking = asyncio.create_task(gateway.client.get("/v1/search?q=a"))
        await asked.next_msg(timeout=5)
        own_nats.stop()
        began = time.monotonic()
        answer = await asking
        assert (answer.status_code, time.monotonic() - began < 2) == (503, True)
        await disconnect(silent)


async def test_a_broker_that_lost_its_store_gets_its_streams_back(
    own_nats: Broker, start_gateway: Any, tmp_path: Path
) -> None:
    async with start_gateway(own_nats.url) as gateway:
        own_nats.stop()
        await until(gateway.client, "/v1/questions/abc", 503)
        own_nats._folder = tmp_path / "empty"
        own_nats.start()
        body = {"question": "Hva?"}
        async with asyncio.timeout(30):
            while (answer := await gateway.client.post("/v1/questions", json=body)).is_error:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        assert answer.status_code == 202


async def test_what_needs_no_stream_goes_on_where_streams_cannot_be_declared_again(
    own_nats: Broker, start_gateway: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(*_: object) -> None:
        raise NatsError("no leader")

    async with start_gateway(own_nats.url) as gateway:
        monkeypatch.setattr(NatsLink, "_declare", refuse)
        own_nats.stop()
        down = await until(gateway.client, "/v1/search?q=a", 503)
        assert "Meldingstjenesten" in down.json()["detail"]
        own_nats.start()
        await until(gateway.client, "/v1/questions/abc", 404)
        alone = await gateway.client.get("/v1/search?q=a")
        assert "Ingen tjeneste svarer på" in alone.json()["detail"]


def environment(nats_url: str, port: int) -> dict[str, str]:
    return {"LOVSVAR_NATS_URL": nats_url, "LOVSVAR_HOST": "127.0.0.1", "LOVSVAR_PORT": str(port)}


async def test_on_sigterm_open_streams_end_with_a_hint_to_come_back(nats_url: str, tmp_path: Path) -> None:
    port = free_port()
    process = ServiceProcess("gateway", environment(nats_url, port), tmp_path / "log")
    process.start()
    async with httpx2.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=30) as client:
        async with asyncio.timeout(30):
            while True:
                with contextlib.suppress(httpx2.ConnectError):
                    await client.get("/healthz")
                    break
                await asyncio.sleep(0.05)
        run_id = (await client.post("/v1/questions", json={"question": "Hva?"})).json()["run_id"]
        async with client.stream("GET", f"/v1/questions/{run_id}/events") as response:
            lines = response.aiter_lines()
            assert await anext(lines) == "retry: 2000"
            began = time.monotonic()
            process.process.terminate()
            rest = [line async for line in lines]
            assert time.monotonic() - began < 3
    assert "retry: 2000" in rest
    # Not stopped: a second signal would end it as it exits.
    assert await asyncio.to_thread(process.process.wait, 8) == 0


def run_main(nats_url: str, port: int, folder: Path, **more: str) -> ServiceProcess:
    process = ServiceProcess("gateway", {**environment(nats_url, port), **more}, folder / "log")
    process.start()
    return process


async def ended(process: ServiceProcess) -> tuple[int, str]:
    """Return the exit code of a process, when it has ended, and all that it said."""
    code = await asyncio.to_thread(process.process.wait, 30)
    return code, process.log.read_text()


async def until_said(process: ServiceProcess, word: str) -> None:
    async with asyncio.timeout(30):
        while word not in process.log.read_text():
            assert process.process.poll() is None
            await asyncio.sleep(0.02)


async def test_a_busy_port_ends_it_with_one_clear_sentence(gateway: Any, nats_url: str, tmp_path: Path) -> None:
    port = int(gateway.url.rsplit(":", 1)[1])
    code, words = await ended(run_main(nats_url, port, tmp_path))
    assert code == 3
    assert words == f"Port {port} på 127.0.0.1 er i bruk av et annet program. Velg en annen med LOVSVAR_PORT.\n"


@pytest.mark.parametrize(
    ("variables", "said"),
    [
        ({"LOVSVAR_HOST": "0.0.0.0"}, "LOVSVAR_API_KEYS_FILE"),
        ({"LOVSVAR_HOST": "::"}, "LOVSVAR_WITHOUT_KEYS"),
        ({"LOVSVAR_API_KEYS_FILE": "/nowhere/keys.json"}, "/nowhere/keys.json"),
    ],
)
async def test_it_does_not_open_to_others_without_keys_and_says_so_in_one_sentence(
    nats_url: str, tmp_path: Path, variables: dict[str, str], said: str
) -> None:
    code, words = await ended(run_main(nats_url, 0, tmp_path, **variables))
    assert code == 2
    assert said in words
    assert words.count("\n") == 1


async def test_it_opens_to_others_when_told_to(nats_url: str, tmp_path: Path) -> None:
    process = run_main(nats_url, 0, tmp_path, LOVSVAR_HOST="0.0.0.0", LOVSVAR_WITHOUT_KEYS="true")
    await until_said(process, '"started"')
    process.process.terminate()
    await ended(process)


def run_child(nats_url: str) -> "subprocess.Popen[str]":
    """Run a gateway whose standard input is a pipe from this process."""
    return subprocess.Popen(
        [sys.executable, "-c", "from lovsvar_gateway.app import main; main()"],
        env={**environment(nats_url, 0), "LOVSVAR_EXIT_WITH_PARENT": "1"},
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


async def test_it_ends_with_its_parent_when_so_set(nats_url: str) -> None:
    process = run_child(nats_url)
    assert process.stderr is not None
    while '"started"' not in await asyncio.to_thread(process.stderr.readline):
        assert process.poll() is None
    await asyncio.to_thread(process.communicate, timeout=15)
    assert process.returncode == 0


async def test_told_to_stop_while_it_waits_for_nats_it_stops_with_no_word_but_what_it_waits_for(
    tmp_path: Path,
) -> None:
    process = run_main("nats://127.0.0.1:9", 0, tmp_path)
    await until_said(process, '"listening"')
    process.process.terminate()
    code, words = await ended(process)
    assert code == 0
    first, *others = words.splitlines()
    assert '"listening"' in first
    assert all('"trouble with NATS"' in line for line in others)
