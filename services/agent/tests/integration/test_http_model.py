"""The HTTP adapter against a real server on this machine, with every fault that servers have."""

import asyncio
import contextlib
import gzip
import tracemalloc
import zlib

import pytest
from pydantic import SecretStr

from lovsvar_agent.adapters.http_model import HttpModel, Price
from lovsvar_agent.core.errors import Misread
from lovsvar_agent.core.ports import Request
from lovsvar_agent.core.reasoning.replies import Call, Reply, ReplyBuilder, Spent
from lovsvar_agent.core.tools.answer_form import ANSWER_SCHEMA
from lovsvar_agent.core.tools.registry import ToolRegistry, own_tools
from lovsvar_contracts.problems import ProblemError, ProblemType
from lovsvar_testkit.provider_styles import PLAIN

DEFINITIONS = ToolRegistry(own_tools(None)).definitions
ASK = Request(messages=[{"role": "user", "content": "Hei på deg, § 3"}], tools=DEFINITIONS, calls=True)
CALLS = {
    "calls": [
        {"hent_lovtekst": {"document": "båtleieloven", "section": "§ 3-2"}},
        {"innholdsfortegnelse": {"document": "æøå"}},
    ]
}


@pytest.fixture
def ask(scripted):
    async def run(reply: dict, *more: dict, request: Request = ASK, stall: float = 20.0) -> Reply:
        async with scripted.ScriptedModel([reply, *more]).serving() as server:
            model = HttpModel("m", SecretStr("k"), server.url, stall=stall)
            builder = ReplyBuilder()
            try:
                async for chunk in model.reply(request):
                    builder.add(chunk)
            finally:
                await model.stop()
            run.requests, run.headers = server.requests, server.headers
            return builder.build()

    return run


async def test_a_reply_in_words_is_put_together(ask) -> None:
    reply = await ask({"text": "Ærlig talt, § 3 gjelder ikke.", "size": 1})
    assert reply == Reply("Ærlig talt, § 3 gjelder ikke.", (), "stop", Spent(100, 20))


async def test_a_connection_serves_one_request_after_another(scripted) -> None:
    async with scripted.ScriptedModel([{"text": "Ja."}] * 3).serving() as server:
        model = HttpModel("m", SecretStr("k"), server.url)
        for _ in range(3):
            assert [chunk async for chunk in model.reply(ASK)]
        await model.stop()
    assert server.connections == 1


async def test_a_reply_that_is_whole_is_not_waited_for_when_its_server_never_ends_it(scripted) -> None:
    endless = {"text": "Ja.", "stall": 100_000}
    async with asyncio.timeout(20), scripted.ScriptedModel([endless] * 2).serving() as server:
        model = HttpModel("m", SecretStr("k"), server.url, stall=60.0)
        for _ in range(2):
            assert [chunk async for chunk in model.reply(ASK)]
        await model.stop()
    assert server.connections == 2


@pytest.mark.parametrize("split", [1, 2, 3, 7, 64])
async def test_chunks_may_be_cut_at_every_byte(ask, split: int) -> None:
    reply = await ask({**CALLS, "before": "Jeg søker på «båt» …", "split": split, "size": 1})
    assert reply.text == "Jeg søker på «båt» …"
    assert reply.calls == (
        Call("hent_lovtekst", '{"document": "båtleieloven", "section": "§ 3-2"}'),
        Call("innholdsfortegnelse", '{"document": "æøå"}'),
    )


@pytest.mark.parametrize(
    "habit", [{"ids": "none"}, {"ids": "same"}, {"index": "none"}, {"index": "none", "ids": "none"}]
)
async def test_calls_are_told_apart_whatever_a_server_numbers_them_by(ask, habit: dict) -> None:
    reply = await ask({**CALLS, **habit, "size": 5})
    assert [c.name for c in reply.calls] == ["hent_lovtekst", "innholdsfortegnelse"]
    assert reply.calls[1].arguments == '{"document": "æøå"}'


async def test_a_server_that_numbers_every_call_zero_is_understood_by_the_ids(ask) -> None:
    reply = await ask({**CALLS, "index": "zero"})
    assert [c.name for c in reply.calls] == ["hent_lovtekst", "innholdsfortegnelse"]


async def test_a_server_without_usage_gives_none(ask) -> None:
    assert (await ask({"text": "Hei.", "usage": "none"})).spent is None


async def test_an_empty_list_of_choices_is_an_empty_reply(ask) -> None:
    assert await ask({"raw": [{"choices": []}]}) == Reply("")


async def test_a_server_that_says_when_to_come_back_is_asked_again_then(ask) -> None:
    clock = asyncio.get_running_loop().time
    began = clock()
    reply = await ask({"status": 429, "headers": {"Retry-After": "0.3"}}, {"text": "Nå."})
    assert reply.text == "Nå."
    assert clock() - began >= 0.3


async def test_a_server_that_fails_once_is_asked_again(ask) -> None:
    assert (await ask({"status": 500, "headers": {"Retry-After": "0.01"}}, {"text": "Nå."})).text == "Nå."


async def test_a_server_that_keeps_failing_is_unavailable(ask) -> None:
    with pytest.raises(ProblemError) as failed:
        await ask({"status": 500, "headers": {"Retry-After": "0.01"}, "repeat": True})
    assert (failed.value.problem.type, failed.value.problem.retryable) == (ProblemType.UNAVAILABLE, True)


async def test_a_server_that_loads_its_model_is_not_ready(ask) -> None:
    with pytest.raises(ProblemError) as failed:
        await ask({"status": 503, "message": "Loading model", "headers": {"Retry-After": "0.01"}, "repeat": True})
    assert (failed.value.problem.type, failed.value.problem.retryable) == (ProblemType.NOT_READY, True)


TEMPLATE = "Jinja Exception: Conversation roles must alternate"
NO_FORMAT = "The model produced output that does not match the expected peg-native format"


@pytest.mark.parametrize(
    "fault",
    [
        {"status": 400, "message": TEMPLATE, "repeat": True},
        {"status": 500, "message": TEMPLATE, "headers": {"Retry-After": "0.01"}, "repeat": True},
        {"text": "Et", "error": {"code": 500, "message": NO_FORMAT}},
        {"status": 400, "message": "maximum context length is 2 tokens"},
    ],
)
async def test_what_a_server_could_not_read_is_said_in_norwegian_and_not_in_its_own_words(ask, fault: dict) -> None:
    with pytest.raises(Misread) as failed:
        await ask(fault)
    assert "Språkmodell" in failed.value.problem.detail or "språkmodell" in failed.value.problem.detail
    for word in ("Jinja", "peg-native", "context"):
        assert word not in failed.value.problem.detail


@pytest.mark.parametrize("status", [401, 404, 429, 502, 503])
async def test_a_server_that_takes_no_request_has_misread_nothing(ask, status: int) -> None:
    with pytest.raises(ProblemError) as failed:
        await ask({"status": status, "headers": {"Retry-After": "0.01"}, "repeat": True})
    assert not isinstance(failed.value, Misread)


async def test_a_key_that_is_refused_is_no_passing_trouble(ask) -> None:
    with pytest.raises(ProblemError) as failed:
        await ask({"status": 401})
    assert (failed.value.problem.type, failed.value.problem.retryable) == (ProblemType.NOT_CONFIGURED, False)


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        ({"stall": 300}, ProblemType.TIMEOUT),
        ({"cut": 300}, ProblemType.UNAVAILABLE),
        ({"error": {"message": "overloaded"}}, ProblemType.UNAVAILABLE),
    ],
)
async def test_a_stream_that_breaks_is_a_problem_that_may_pass(ask, fault: dict, kind: ProblemType) -> None:
    with pytest.raises(ProblemError) as failed:
        await ask({"text": "Et svar som aldri blir ferdig.", **fault}, stall=0.3)
    assert failed.value.problem.type is kind
    assert failed.value.problem.retryable


async def test_nobody_at_the_address_is_unavailable() -> None:
    model = HttpModel("m", SecretStr("k"), "http://127.0.0.1:9/v1")
    with pytest.raises(ProblemError) as failed:
        await anext(model.reply(ASK))
    assert failed.value.problem.type is ProblemType.UNAVAILABLE
    assert not isinstance(failed.value, Misread)
    await model.stop()


async def test_a_server_that_takes_plain_requests_only_is_asked_plainly(ask) -> None:
    request = ASK._replace(tools=(), schema=ANSWER_SCHEMA)
    refusals = [{"status": 400, "message": "unknown field response_format"}] * 2
    reply = await ask(*refusals, {"text": "Hei."}, request=request)
    first, second, third = ask.requests
    assert reply.text == "Hei."
    assert {"stream_options", "response_format", "max_completion_tokens"} <= first.keys()
    assert second["response_format"] == {"type": "json_object"}
    assert third.keys() == {"model", "messages", "stream"}


async def test_a_server_that_takes_no_choice_of_tools_is_asked_without_it_from_then_on(scripted) -> None:
    def refuse(body: dict, _: int) -> dict:
        return {"status": 400, "message": "tool_choice"} if "tool_choice" in body else {"text": "Hei."}

    async with scripted.ScriptedModel(refuse).serving() as server:
        model = HttpModel("m", SecretStr("k"), server.url)
        for _ in range(2):
            assert [chunk async for chunk in model.reply(ASK._replace(calls=False))]
        await model.stop()
    assert ["tool_choice" in body for body in server.requests] == [True, False, False]
    assert all("max_completion_tokens" in body for body in server.requests)


async def test_the_request_carries_key_tools_and_bounds(ask) -> None:
    await ask({"text": "Hei."}, request=ASK._replace(max_tokens=77))
    (sent,) = ask.requests
    assert ask.headers[0]["authorization"] == "Bearer k"
    assert [t["function"]["name"] for t in sent["tools"]] == [t["function"]["name"] for t in DEFINITIONS]
    assert "tool_choice" not in sent and sent["max_completion_tokens"] == 77


async def test_tools_that_are_not_to_be_called_are_named_with_a_choice_of_none(ask) -> None:
    await ask({"text": "Hei."}, request=ASK._replace(calls=False))
    (sent,) = ask.requests
    assert sent["tools"] and sent["tool_choice"] == "none"


async def test_one_object_in_place_of_a_stream_is_read(ask) -> None:
    reply = await ask({**CALLS, "before": "Jeg søker.", "whole": True})
    assert reply.text == "Jeg søker." and len(reply.calls) == 2
    assert (reply.finish, reply.spent) == ("tool_calls", Spent(100, 20))


async def test_bytes_that_are_no_text_are_replaced(ask) -> None:
    assert (await ask({"text": "Ja, båten er det.", "invalid": True})).text == "Ja, b\ufffdten er det."


@pytest.mark.parametrize("coding", ["gzip", "deflate"])
async def test_a_compressed_reply_is_read(ask, coding: str) -> None:
    plain = PLAIN.body({"text": "Ja, båten er det."}, {})
    packed = gzip.compress(plain) if coding == "gzip" else zlib.compress(plain)
    reply = await ask({"bytes": packed, "split": 50, "headers": {"Content-Encoding": coding}})
    assert reply.text == "Ja, båten er det."


def bomb(megabytes: int) -> bytes:
    """A line that never ends, compressed a thousandfold."""
    packing = zlib.compressobj(9, wbits=31)
    megabyte = b"x" * 1024 * 1024
    return b"".join(packing.compress(megabyte) for _ in range(megabytes)) + packing.flush()


@pytest.mark.parametrize(
    "much",
    [
        {"bytes": b"data: " + b"x" * 1024 * 1024, "times": 52},
        {"bytes": bomb(60), "headers": {"Content-Encoding": "gzip"}},
        {"bytes": (b": nothing yet" * 99 + b"\n") * 800, "times": 100},
    ],
    ids=["a line without end", "gzip", "lines without end"],
)
async def test_more_than_a_reply_can_be_is_not_held_and_fails_for_good(ask, much: dict) -> None:
    tracemalloc.start()
    with pytest.raises(ProblemError) as failed:
        await ask(much)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert "langt mer enn et svar" in failed.value.problem.detail and not failed.value.problem.retryable
    # The server's own copy of what it sends is counted too.
    assert peak - len(much["bytes"]) < 24 * 1024 * 1024


@pytest.mark.parametrize(
    "odd",
    [
        {"bytes": b"<html>Bad gateway</html>"},
        {"bytes": b'data: {"choices": [\n\ndata: [DONE]\n\n'},
        {"bytes": b"xxxx", "headers": {"Content-Encoding": "gzip"}},
        {"bytes": b"xxxx", "headers": {"Content-Encoding": "br"}},
    ],
    ids=["no stream", "half an event", "no gzip", "unasked for"],
)
async def test_what_cannot_be_read_at_all_is_said_so(ask, odd: dict) -> None:
    with pytest.raises(Misread, match="kunne ikke leses"):
        await ask(odd)


async def test_whether_calls_may_be_parallel_is_left_to_the_server(ask) -> None:
    await ask({"text": "Hei."})
    assert "parallel_tool_calls" not in ask.requests[0]


@pytest.mark.parametrize("fault", [{"quiet": 60}, {"stall": 200}], ids=["before its first word", "in mid-answer"])
async def test_cancelling_closes_the_request_within_half_a_second(scripted, fault: dict) -> None:
    async with scripted.ScriptedModel([{"text": "Et langt svar. " * 50, **fault}]).serving() as server:
        model = HttpModel("m", SecretStr("k"), server.url)

        async def consume() -> None:
            async with contextlib.aclosing(model.reply(ASK)) as chunks:
                async for _ in chunks:
                    pass

        task = asyncio.create_task(consume())
        await server.asked.wait()
        task.cancel()
        async with asyncio.timeout(0.5):
            await server.gone.wait()
        assert task.cancelled() or await asyncio.wait({task})
        await model.stop()


def test_a_call_costs_by_the_price_of_a_million_tokens() -> None:
    model = HttpModel("m", SecretStr("k"), price=Price(2.0, 8.0))
    assert model.cost(500_000, 125_000) == pytest.approx(2.0)
