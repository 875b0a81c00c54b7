"""A question that is sent again, because nobody knows whether it came, is one run."""

import asyncio
from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from pathlib import Path

import httpx2
import pytest_asyncio

from lovsvar_chassis.run_log import Cursor
from lovsvar_contracts import subjects
from lovsvar_contracts.message import utc_now
from lovsvar_contracts.questions import QuestionAsked
from lovsvar_contracts.run_events import RunAccepted
from lovsvar_gateway.adapters.key_file import write_keys
from lovsvar_gateway.core.access import ANYBODY, KeyRing, Limits, Scope, new_key
from lovsvar_gateway.core.idempotency import MOST_ATTEMPTS, keyed
from lovsvar_testkit.questions import GatewayProcess, Wire, gateway_process, wired

QUESTION = "Hva er depositum?"


@pytest_asyncio.fixture
async def wire(nats_url: str) -> AsyncIterator[Wire]:
    async with wired(nats_url) as wire:
        yield wire


@pytest_asyncio.fixture
async def gateway(nats_url: str, tmp_path: Path) -> AsyncIterator[GatewayProcess]:
    async with gateway_process(nats_url, tmp_path) as gateway:
        yield gateway


async def test_the_same_question_with_the_same_key_is_one_run(gateway: GatewayProcess, wire: Wire) -> None:
    headers = {"Idempotency-Key": "en-og-samme"}
    posts = (gateway.client.post("/v1/questions", json={"question": QUESTION}, headers=headers) for _ in range(10))
    replies = await asyncio.gather(*posts)
    replies.append(await gateway.client.post("/v1/questions", json={"question": QUESTION}, headers=headers))
    assert {r.status_code for r in replies} == {202}
    assert len({r.json()["run_id"] for r in replies}) == 1
    assert len({r.headers["Location"] for r in replies}) == 1
    assert (await wire.queued(), len(await wire.runs())) == (1, 1)


async def test_another_question_with_the_same_key_is_refused(gateway: GatewayProcess, wire: Wire) -> None:
    headers = {"Idempotency-Key": "brukt"}
    await gateway.client.post("/v1/questions", json={"question": QUESTION}, headers=headers)
    for other in ({"question": "Hva er leie?"}, {"question": QUESTION, "filters": {"year": 2020}}):
        refused = await gateway.client.post("/v1/questions", json=other, headers=headers)
        assert (refused.status_code, refused.json()["type"]) == (422, "urn:lovsvar:problem:invalid-request")
        assert "Idempotency-Key" in refused.json()["detail"]
    assert (await wire.queued(), len(await wire.runs())) == (1, 1)


async def test_the_key_of_one_caller_is_not_that_of_another(wire: Wire, nats_url: str, tmp_path: Path) -> None:
    made = [new_key(name, [Scope.ASK], Limits()) for name in ("kari", "ola")]
    write_keys(tmp_path / "keys.json", KeyRing(keys=tuple(key for _, key in made)))
    async with gateway_process(nats_url, tmp_path, {"LOVSVAR_API_KEYS_FILE": str(tmp_path / "keys.json")}) as gateway:
        for secret, _ in made:
            headers = {"Authorization": f"Bearer {secret}", "Idempotency-Key": "1"}
            assert (await gateway.client.post("/v1/questions", json={"question": QUESTION}, headers=headers)).is_success
    assert len(await wire.runs()) == 2


async def accepted_before(wire: Wire, key: str, occurred_at: datetime) -> QuestionAsked:
    """Log that a question with this key was accepted, as a gateway does before it queues it."""
    asked = keyed(QuestionAsked(question=QUESTION), type(ANYBODY)(address="127.0.0.1").asker, key)
    later = utc_now() + timedelta(minutes=5)
    accepted = RunAccepted(run_id=asked.run_id, question=QUESTION, expires_at=later, occurred_at=occurred_at)
    await wire.log.append(accepted, Cursor())
    return asked


async def ask_again(gateway: GatewayProcess, key: str) -> str:
    """Ask with a key that was used before, and return the run's id."""
    reply = await gateway.client.post("/v1/questions", json={"question": QUESTION}, headers={"Idempotency-Key": key})
    assert reply.status_code == 202
    return str(reply.json()["run_id"])


async def test_a_question_that_was_accepted_and_not_queued_is_queued_by_asking_again(
    gateway: GatewayProcess, wire: Wire
) -> None:
    asked = await accepted_before(wire, "avbrutt", utc_now())
    assert await ask_again(gateway, "avbrutt") == asked.run_id
    assert await wire.queued() == 1


async def test_a_question_that_has_waited_longer_than_the_server_knows_its_message_is_not_queued_twice(
    gateway: GatewayProcess, wire: Wire
) -> None:
    asked = await accepted_before(wire, "venter", utc_now() - timedelta(minutes=3))
    # By another message, as the server has forgotten the id of the first one.
    await wire.events.publish(subjects.QUESTION_ASKED, asked.model_copy(update={"event_id": "forgotten"}))
    assert await ask_again(gateway, "venter") == asked.run_id
    assert await wire.queued() == 1


async def test_after_a_question_could_not_be_queued_the_same_key_is_another_attempt(
    gateway: GatewayProcess, wire: Wire
) -> None:
    async def ask() -> httpx2.Response:
        headers = {"Idempotency-Key": "igjen"}
        return await gateway.client.post("/v1/questions", json={"question": QUESTION}, headers=headers)

    config = (await wire.js.stream_info(subjects.STREAM_QUESTIONS)).config
    await wire.js.update_stream(config.evolve(max_msg_size=1))
    replies = [await ask() for _ in range(MOST_ATTEMPTS + 2)]
    assert {(r.status_code, r.json()["retryable"]) for r in replies} == {(503, True)}
    failed = await wire.runs()
    assert len(failed) == MOST_ATTEMPTS
    for stream in (subjects.STREAM_ANSWERS, subjects.STREAM_QUESTIONS):
        await wire.js.purge_stream(stream)
    assert (await ask()).status_code == 503
    await wire.js.update_stream(config)
    accepted = await asyncio.gather(*(ask() for _ in range(3)))
    assert {r.status_code for r in accepted} == {202}
    (run_id,) = {r.json()["run_id"] for r in accepted}
    assert (await wire.queued(), await wire.unclosed()) == (1, {run_id})


async def test_a_form_that_is_sent_twice_is_one_run_and_another_question_in_it_another(
    gateway: GatewayProcess, wire: Wire
) -> None:
    page = (await gateway.client.get("/")).text
    once = page.partition('name="once" value="')[2].partition('"')[0]
    sent = [{"question": words, "once": once} for words in (QUESTION, QUESTION, "Hva er leie?")]
    replies = [await gateway.client.post("/", data=form) for form in sent]
    assert {r.status_code for r in replies} == {303}
    first, again, other = (r.headers["location"] for r in replies)
    assert first == again != other
    assert await wire.queued() == 2
