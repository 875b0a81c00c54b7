"""Asking a service, and what a caller gets, over a real nats-server."""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable

import pytest
from faststream.nats import NatsBroker
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider

from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.problems import ProblemTable
from lovsvar_chassis.request_router import RequestRouter
from lovsvar_chassis.requester import Requester
from lovsvar_chassis.service import flush
from lovsvar_chassis.settings import ServiceSettings
from lovsvar_contracts.practice import FindPractice, PracticeHits
from lovsvar_contracts.problems import Problem, ProblemError, ProblemType
from lovsvar_testkit.running import answering

SUBJECT = "lovsvar.test.practice"
PATIENCE = 20.0


class Closed(Exception):
    """An error that the service's table names."""


PROBLEMS: ProblemTable = {Closed: ProblemType.NOT_READY}


@pytest.fixture
async def client(nats_url: str):
    async with make_broker(ServiceSettings(nats_url=nats_url), "client") as broker:
        yield broker


@pytest.fixture
async def serve(nats_url: str):
    """Answer `SUBJECT` with a handler until the test ends."""
    async with contextlib.AsyncExitStack() as stack:

        async def start(handler: Callable[[FindPractice], Awaitable[PracticeHits]]) -> None:
            router = RequestRouter(problems=PROBLEMS).answer(SUBJECT, handler)
            await stack.enter_async_context(answering(nats_url, router))

        yield start


Serve = Callable[[Callable[[FindPractice], Awaitable[PracticeHits]]], Awaitable[None]]


async def no_hits(request: FindPractice) -> PracticeHits:
    return PracticeHits(correlation_id=request.correlation_id, hits=(), took_ms=1.0)


async def problem_of(client: NatsBroker, timeout: float = PATIENCE) -> Problem:
    with pytest.raises(ProblemError) as caught:
        await Requester(client).ask(SUBJECT, FindPractice(query="mangel"), PracticeHits, timeout=timeout)
    return caught.value.problem


async def test_a_reply_comes_back_as_what_was_asked_for(client: NatsBroker, serve: Serve) -> None:
    await serve(no_hits)
    request = FindPractice(query="mangel")
    reply = await Requester(client).ask(SUBJECT, request, PracticeHits)
    assert (reply.hits, reply.correlation_id) == ((), request.correlation_id)


async def test_a_problem_that_a_handler_raises_reaches_the_caller(client: NatsBroker, serve: Serve) -> None:
    problem = Problem(type=ProblemType.NOT_FOUND, title="Finnes ikke", detail="Loven finnes ikke.", instance="lov/1")

    async def refuse(request: FindPractice) -> PracticeHits:
        raise ProblemError(problem)

    await serve(refuse)
    told = await problem_of(client)
    assert told == problem.model_copy(update={"correlation_id": told.correlation_id})


async def test_an_error_in_the_services_table_reaches_the_caller_in_its_own_words(
    client: NatsBroker, serve: Serve
) -> None:
    async def refuse(request: FindPractice) -> PracticeHits:
        raise Closed("Indeksen bygges.")

    await serve(refuse)
    problem = await problem_of(client)
    assert (problem.type, problem.detail, problem.retryable) == (ProblemType.NOT_READY, "Indeksen bygges.", True)


async def test_any_other_error_is_internal_and_its_words_stay_inside(client: NatsBroker, serve: Serve) -> None:
    async def break_down(request: FindPractice) -> PracticeHits:
        raise RuntimeError("password=hunter2")

    await serve(break_down)
    problem = await problem_of(client)
    assert (problem.type, problem.retryable) == (ProblemType.INTERNAL, False)
    assert "hunter2" not in problem.model_dump_json()


async def test_a_handler_whose_own_reply_is_invalid_is_at_fault_and_not_the_caller(
    client: NatsBroker, serve: Serve
) -> None:
    async def build_nonsense(request: FindPractice) -> PracticeHits:
        return PracticeHits.model_validate({"hits": "none", "took_ms": "long"})

    await serve(build_nonsense)
    assert (await problem_of(client)).type is ProblemType.INTERNAL


async def test_a_reply_that_cannot_be_written_down_is_an_internal_error(client: NatsBroker, serve: Serve) -> None:
    async def answer_with_half_a_character(request: FindPractice) -> PracticeHits:
        return PracticeHits(hits=(), took_ms=1.0, correlation_id="\ud800")

    await serve(answer_with_half_a_character)
    assert (await problem_of(client)).type is ProblemType.INTERNAL


async def test_an_error_is_answered_at_once(client: NatsBroker, serve: Serve) -> None:
    async def break_down(request: FindPractice) -> PracticeHits:
        raise RuntimeError("x")

    await serve(break_down)
    began = time.monotonic()
    await problem_of(client)
    assert time.monotonic() - began < PATIENCE / 4


@pytest.mark.parametrize(
    ("body", "field"),
    [
        (b'{"kind": "find_practice", "query": "", "num": 5}', "query"),
        (b'{"kind": "find_practice", "query": "a", "num": 99}', "num"),
        (b'{"kind": "find_practice"}', "query"),
        (b"hei", "meldingen"),
        (b"\xff\xfe", "meldingen"),
        (b"[]", "meldingen"),
        (b"", "meldingen"),
    ],
)
async def test_an_invalid_request_is_answered_with_the_field_that_is_wrong(
    client: NatsBroker, serve: Serve, body: bytes, field: str
) -> None:
    await serve(no_hits)
    answer = await client.connection.request(SUBJECT, body, timeout=PATIENCE)
    problem = Problem.model_validate_json(answer.data)
    assert problem.type is ProblemType.INVALID_REQUEST
    assert problem.detail.startswith(f"{field}: ")


async def test_a_problem_belongs_to_the_request_that_it_answers(client: NatsBroker, serve: Serve) -> None:
    async def refuse(request: FindPractice) -> PracticeHits:
        raise Closed("Indeksen bygges.")

    await serve(refuse)
    request = FindPractice(query="mangel")
    with pytest.raises(ProblemError) as caught:
        await Requester(client).ask(SUBJECT, request, PracticeHits)
    assert caught.value.problem.correlation_id == request.correlation_id


async def test_where_nobody_listens_the_caller_is_told_at_once(client: NatsBroker) -> None:
    began = time.monotonic()
    problem = await problem_of(client)
    assert time.monotonic() - began < PATIENCE / 4
    assert (problem.type, problem.retryable) == (ProblemType.UNAVAILABLE, True)
    assert SUBJECT in problem.detail


async def test_a_service_that_does_not_answer_in_time_is_a_timeout(client: NatsBroker, serve: Serve) -> None:
    async def hang(request: FindPractice) -> PracticeHits:
        await released.wait()
        return await no_hits(request)

    released = asyncio.Event()
    await serve(hang)
    problem = await problem_of(client, timeout=0.1)
    released.set()
    assert (problem.type, problem.retryable) == (ProblemType.TIMEOUT, True)


async def test_a_request_that_is_too_large_is_refused_before_it_is_sent(client: NatsBroker, serve: Serve) -> None:
    await serve(no_hits)
    request = FindPractice(query="mangel", correlation_id="x" * 2_000_000)
    with pytest.raises(ProblemError) as caught:
        await Requester(client).ask(SUBJECT, request, PracticeHits)
    assert caught.value.problem.type is ProblemType.TOO_LARGE


async def test_a_reply_that_is_too_large_is_answered_with_a_problem_at_once(client: NatsBroker, serve: Serve) -> None:
    async def answer_too_much(request: FindPractice) -> PracticeHits:
        return PracticeHits(hits=(), took_ms=1.0, correlation_id="x" * 2_000_000)

    await serve(answer_too_much)
    assert (await problem_of(client)).type is ProblemType.TOO_LARGE


async def test_an_answer_of_unknown_form_is_the_services_fault(client: NatsBroker) -> None:
    async def answer_nonsense(message) -> None:
        await message.respond(b"<html>")

    await client.connection.subscribe(SUBJECT, cb=answer_nonsense)
    await flush(client)
    assert (await problem_of(client)).type is ProblemType.INTERNAL


async def test_a_caller_whose_connection_is_closed_is_told_that_nats_is_gone(nats_url: str) -> None:
    broker = make_broker(ServiceSettings(nats_url=nats_url), "client")
    await broker.connect()
    await broker.connection.close()
    assert (await problem_of(broker)).type is ProblemType.UNAVAILABLE


async def test_a_handler_works_within_the_trace_of_its_caller(client: NatsBroker, serve: Serve) -> None:
    seen: asyncio.Queue[int] = asyncio.Queue()

    async def note_trace(request: FindPractice) -> PracticeHits:
        seen.put_nowait(trace.get_current_span().get_span_context().trace_id)
        return await no_hits(request)

    await serve(note_trace)
    with TracerProvider().get_tracer("test").start_as_current_span("asking") as span:
        await Requester(client).ask(SUBJECT, FindPractice(query="mangel"), PracticeHits)
    assert seen.get_nowait() == span.get_span_context().trace_id
