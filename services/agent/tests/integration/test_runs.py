"""Runs as others see them: over a real nats-server, with a stand-in for the search service."""

import asyncio
import time

import nats as nats_client
import pytest

from lovsvar_agent.adapters.nats_search import NatsSearch
from lovsvar_agent.adapters.runs import Runs
from lovsvar_agent.app import build
from lovsvar_agent.core.modes import Answerer
from lovsvar_agent.core.takeover import GIVEN_UP
from lovsvar_chassis.run_log import Cursor, snapshot
from lovsvar_contracts import subjects
from lovsvar_contracts.health import ReadHealth, ServiceHealth
from lovsvar_contracts.message import utc_now
from lovsvar_contracts.problems import Problem, ProblemError, ProblemType
from lovsvar_contracts.questions import Answer, QuestionAsked, RunStatus
from lovsvar_contracts.run_events import CLOSING, AnswerCompleted, RunAccepted, RunFailed, RunStarted
from lovsvar_testkit.running import running

pytestmark = pytest.mark.usefixtures("search_service")

NOT_READY = Problem(type=ProblemType.NOT_READY, title="x", detail="Indeksen bygges.", retryable=True)


async def test_a_question_asked_over_nats_is_answered_without_gaps_and_in_order(client, settings, asked, types) -> None:
    async with running(build(settings)):
        await client.publish(asked)
        events = await client.follow(asked.run_id)
    assert [e.id for e in events] == list(range(1, len(events) + 1))
    told = types(events)
    assert told[:2] == ["run.accepted", "run.started"]
    assert told[-3:] == ["usage.updated", "answer.completed", "run.completed"]
    assert {e.correlation_id for e in events} == {asked.correlation_id}
    answer = snapshot(events)
    assert [c.section for c in answer.citations] == ["§3-2"]
    assert answer.citations[0].verified


async def test_a_run_that_was_accepted_by_another_is_continued_behind_it(client, settings, asked, types) -> None:
    accepted = RunAccepted(run_id=asked.run_id, question=asked.question, correlation_id=asked.correlation_id)
    await client.log.append(accepted, Cursor())
    async with running(build(settings)):
        await client.publish(asked)
        events = await client.follow(asked.run_id)
    assert types(events).count("run.accepted") == 1
    assert events[0].event_id == accepted.event_id


async def test_a_question_asked_twice_is_one_run(client, settings, asked, types, gate) -> None:
    gate.close()
    again = QuestionAsked(run_id=asked.run_id, question=asked.question)
    async with running(build(settings)), running(build(settings)):
        await client.publish(asked)
        await gate.waiting.wait()
        await client.publish(again)
        await client.publish(again.model_copy(update={"event_id": "third"}))
        gate.open.set()
        events = await client.follow(asked.run_id)
        await client.publish(again.model_copy(update={"event_id": "after-the-end"}))
        last, _ = await client.log.end(asked.run_id)
    assert types(events).count("run.started") == 1
    assert sum(e.type in CLOSING for e in events) == 1
    assert last.id == events[-1].id


async def test_a_search_that_is_not_ready_yet_delays_the_run_and_nothing_else(client, settings, asked, gate) -> None:
    gate.problems = [NOT_READY, NOT_READY]
    async with running(build(settings)):
        await client.publish(asked)
        events = await client.follow(asked.run_id)
    assert gate.problems == []
    assert snapshot(events).citations


async def test_a_search_that_stays_unready_fails_the_run_with_its_reason(client, settings, asked, gate) -> None:
    gate.problems = [NOT_READY] * 1_000
    async with running(build(settings.model_copy(update={"agent_patience": 0.3}))):
        await client.publish(asked)
        events = await client.follow(asked.run_id)
    assert isinstance(events[-1], RunFailed)
    assert (events[-1].problem, events[-1].detail) == (ProblemType.NOT_READY, "Indeksen bygges.")
    assert events[-1].retryable
    assert snapshot(events).status is RunStatus.FAILED


async def test_many_questions_are_answered_at_once_without_a_lost_event(client, settings) -> None:
    questions = [QuestionAsked(question="Hvor mye kan båteieren kreve i pant?") for _ in range(50)]
    async with running(build(settings)):
        await asyncio.gather(*(client.publish(q) for q in questions))
        runs = await asyncio.gather(*(client.follow(q.run_id) for q in questions))
    for events in runs:
        assert [e.id for e in events] == list(range(1, len(events) + 1))
        assert events[-1].type == "run.completed"


async def test_another_service_asks_and_is_answered(client, settings, asked) -> None:
    async with running(build(settings)):
        answer = await client.requester.ask(subjects.AGENT_ASK, asked, Answer, timeout=30)
        stored = snapshot(await client.follow(asked.run_id))
    assert answer == stored
    assert answer.status is RunStatus.COMPLETED
    assert answer.correlation_id == asked.correlation_id
    assert answer.citations


async def test_who_asks_about_a_run_that_is_done_gets_its_answer(client, settings, asked) -> None:
    async with running(build(settings)):
        first = await client.requester.ask(subjects.AGENT_ASK, asked, Answer, timeout=30)
        again = await client.requester.ask(
            subjects.AGENT_ASK, QuestionAsked(run_id=asked.run_id, question="Noe annet?"), Answer, timeout=30
        )
    assert again == first


async def test_an_asker_is_told_when_the_run_takes_too_long(client, settings, asked, gate) -> None:
    gate.close()
    async with running(build(settings.model_copy(update={"agent_ask_timeout": 0.3}))):
        with pytest.raises(ProblemError) as caught:
            await client.requester.ask(subjects.AGENT_ASK, asked, Answer, timeout=30)
        gate.open.set()
        events = await client.follow(asked.run_id)
    assert caught.value.problem.type is ProblemType.TIMEOUT
    assert asked.run_id in caught.value.problem.detail
    assert isinstance(events[-2], AnswerCompleted)


async def test_a_message_that_is_no_question_goes_to_the_dead(client, settings, asked, nats_url) -> None:
    connection = await nats_client.connect(nats_url)
    dead = await connection.subscribe(subjects.dead(subjects.STREAM_QUESTIONS))
    async with running(build(settings)):
        await client.events.jetstream.publish(subjects.QUESTION_ASKED, b'{"question": ""}')
        buried = await dead.next_msg(timeout=30)
        await client.publish(asked)
        events = await client.follow(asked.run_id)
    await connection.close()
    assert buried.data == b'{"question": ""}'
    assert buried.headers
    assert buried.headers["Lovsvar-Reason"].startswith("unreadable")
    assert events[-1].type == "run.completed"


async def test_a_run_that_nobody_could_finish_is_closed_as_failed(client, settings, asked) -> None:
    answerer = Answerer(NatsSearch(client.requester), settings.limits)
    runs = Runs(client.events, answerer, ack_wait=1.0, ask_timeout=1.0)
    await runs.give_up(asked, "its workers died")
    await runs.give_up(asked, "told twice")
    events = await client.follow(asked.run_id)
    assert [e.type for e in events] == ["run.accepted", "run.failed"]
    assert isinstance(events[-1], RunFailed)
    assert events[-1].detail == GIVEN_UP


async def test_it_says_that_it_is_ready(client, settings) -> None:
    async with running(build(settings)):
        health = await client.requester.ask(subjects.health("agent"), ReadHealth(), ServiceHealth)
    assert health.ready


async def test_times_are_in_milliseconds_and_each_event_has_its_own(client, settings, asked) -> None:
    began, clock = utc_now(), time.perf_counter()
    async with running(build(settings)):
        await client.publish(asked)
        events = await client.follow(asked.run_id)
    spent = (time.perf_counter() - clock) * 1000
    stamps = [e.ts for e in events]
    assert stamps == sorted(stamps)
    assert stamps[0] >= began
    assert sum(e.ms for e in events if e.type == "step.finished") < spent
    assert isinstance(events[1], RunStarted)
