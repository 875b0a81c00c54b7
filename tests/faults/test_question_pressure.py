"""More questions come than the agents can answer."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path

import httpx2
import pytest_asyncio

from lovsvar_agent.app import build
from lovsvar_agent.settings import Settings
from lovsvar_contracts import subjects
from lovsvar_contracts.questions import QuestionAsked
from lovsvar_contracts.run_events import RunAccepted
from lovsvar_gateway.adapters.key_file import write_keys
from lovsvar_gateway.core.access import KeyRing, Limits, Scope, new_key
from lovsvar_testkit.questions import GatewayProcess, Search, Wire, gateway_process, searching, wired
from lovsvar_testkit.running import running
from lovsvar_testkit.waiting import until

WORKERS = 2
MANY = 60


@pytest_asyncio.fixture
async def wire(nats_url: str) -> AsyncIterator[Wire]:
    async with wired(nats_url) as wire:
        yield wire


@pytest_asyncio.fixture
async def search(nats_url: str) -> AsyncIterator[Search]:
    async with searching(nats_url) as search:
        search.open.clear()
        yield search


@pytest_asyncio.fixture
async def agent(nats_url: str, wire: Wire, search: Search) -> AsyncIterator[None]:
    """An agent that answers two questions at a time, when its search is let."""
    async with running(build(Settings(nats_url=nats_url, agent_workers=WORKERS))):
        yield


async def ask(gateway: GatewayProcess, key: str = "", times: int = 1) -> list[httpx2.Response]:
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    body = {"question": "Hvor mye kan utleier kreve i depositum?"}
    posts = (gateway.client.post("/v1/questions", json=body, headers=headers) for _ in range(times))
    return await asyncio.gather(*posts)


def keys(folder: Path, *names: str) -> tuple[Path, list[str]]:
    limits = Limits(per_minute=10_000, concurrent=1_000)
    made = [new_key(name, [Scope.ASK], limits) for name in names]
    write_keys(folder / "keys.json", KeyRing(keys=tuple(key for _, key in made)))
    return folder / "keys.json", [secret for secret, _ in made]


async def test_one_key_fills_its_part_of_the_queue_and_another_is_still_let_in(
    nats_url: str, wire: Wire, agent: None, search: Search, tmp_path: Path
) -> None:
    file, (loud, quiet) = keys(tmp_path, "loud", "quiet")
    settings = {"LOVSVAR_API_KEYS_FILE": str(file)}
    async with gateway_process(nats_url, tmp_path, settings) as gateway:
        flood = await ask(gateway, loud, MANY)
        assert Counter(r.status_code for r in flood) == {202: 20, 429: MANY - 20}
        for refused in (r for r in flood if r.status_code == 429):
            assert refused.json()["type"] == "urn:lovsvar:problem:too-many-waiting"
            assert int(refused.headers["Retry-After"]) >= 1
            assert "20 spørsmål i køen" in refused.json()["detail"]
        assert await wire.queued() == 20
        (other,) = await ask(gateway, quiet)
        assert other.status_code == 202
        assert other.json()["place"] <= 21
        search.open.set()
        await asyncio.gather(*(wire.ended(r.json()["run_id"]) for r in (*flood, other) if r.status_code == 202))
        assert {last.type for last in (await wire.runs()).values()} == {"run.completed"}
        (again,) = await ask(gateway, loud)
        assert again.status_code == 202


async def test_a_full_queue_refuses_with_the_time_to_come_again_and_keeps_room_for_others(
    nats_url: str, wire: Wire, agent: None, search: Search, tmp_path: Path
) -> None:
    file, (loud, quiet) = keys(tmp_path, "loud", "quiet")
    settings = {
        "LOVSVAR_API_KEYS_FILE": str(file),
        "LOVSVAR_QUEUE_PER_CALLER": "1000",
        "LOVSVAR_QUEUE_LENGTH": "20",
    }
    async with gateway_process(nats_url, tmp_path, settings) as gateway:
        flood = await ask(gateway, loud, MANY)
        refused = [r for r in flood if r.status_code != 202]
        assert len(flood) - len(refused) <= 10 + WORKERS
        assert {r.status_code for r in refused} == {503}
        for one in refused:
            assert one.json()["type"] == "urn:lovsvar:problem:queue-full"
            assert one.json()["retryable"] is True
            assert one.json()["detail"].startswith("Køen er full: et nytt spørsmål må vente omtrent")
            assert int(one.headers["Retry-After"]) >= 1
        assert await wire.queued() == len(flood) - len(refused)
        (other,) = await ask(gateway, quiet)
        assert other.status_code == 202


async def test_whoever_waits_is_told_the_place_and_how_long(
    nats_url: str, wire: Wire, agent: None, search: Search, tmp_path: Path
) -> None:
    async with gateway_process(nats_url, tmp_path) as gateway:
        accepted = [(await ask(gateway))[0].json() for _ in range(6)]
        assert [one["place"] for one in accepted] == sorted(one["place"] for one in accepted)
        last = accepted[-1]
        assert last["place"] >= 3
        assert last["expected_wait"] > 0
        first = (await wire.log.read(last["run_id"]))[0]
        assert isinstance(first, RunAccepted)
        assert (first.place, first.expected_wait) == (last["place"], last["expected_wait"])
        page = await gateway.client.get("/", params={"run": last["run_id"]})
        assert f"Du er nummer {last['place']} i køen, omtrent" in page.text


async def test_questions_that_others_put_in_the_queue_count(
    nats_url: str, wire: Wire, agent: None, search: Search, tmp_path: Path
) -> None:
    async with gateway_process(nats_url, tmp_path, {"LOVSVAR_QUEUE_LENGTH": "20"}) as gateway:
        for _ in range(40):
            await wire.events.publish(subjects.QUESTION_ASKED, QuestionAsked(question="Hva?"))

        async def refused() -> bool:
            return (await ask(gateway))[0].status_code == 503

        await until(refused)
