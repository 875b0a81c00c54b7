"""Whole answers by small models, and by servers that cannot read what others can; law and events in memory."""

import asyncio

import pytest

from lovsvar_contracts.questions import Tier
from lovsvar_contracts.run_events import RunLimitReached, StepStarted, ToolCalled

FIND = {"search_lovdata_legal_documents": {"query": "pant båteieren"}}
SEARCH = {"calls": [FIND]}
HOLDS = ["lovdata-1", "Pantet kan være på høyst fire ukers båtleie"]
FINAL = {"final": {"answer": "Pantet er høyst fire ukers båtleie [lovdata-1].", "citations": [HOLDS]}}
SEVERAL = {
    "calls": [
        FIND,
        {"search_lovdata_legal_documents": {"query": "melde skader"}},
        {"search_lovdata_legal_practice": {"query": "pant båt"}},
        {"innholdsfortegnelse": {"document": "båtleieloven"}},
    ]
}


async def test_for_a_model_that_never_searches_the_question_is_searched_for_and_shown_what_it_found(reason) -> None:
    done = await reason([FINAL])
    (made,) = done.of(ToolCalled)
    assert made.arguments == {"query": "Hvor mye kan båteieren kreve i pant?"}
    assert [e.name for e in done.of(StepStarted)] == ["tools", "model", "answer"]
    assert HOLDS[1] in done.said(0)
    assert [c.section for c in done.answer.citations] == ["§3-2"]


async def test_a_model_that_neither_searches_nor_quotes_has_no_word_of_its_own_in_the_answer(reason) -> None:
    done = await reason([{"text": "Jeg vet det: pant er gratis.", "repeat": True}], rounds=3)
    assert "gratis" not in done.answer.answer_text + done.answer.answer_html
    assert done.answer.fallback == "model_unverified"
    assert [c.section for c in done.answer.citations] == ["§3-2"]


async def test_calls_beyond_the_limit_are_not_made_and_the_first_search_is_one(reason) -> None:
    nothing = {"calls": [{"search_lovdata_legal_documents": {"query": "xyzzy"}}]}
    done = await reason([nothing, {"json": FINAL["final"]}], tool_calls=1)
    assert [e.limit for e in done.of(RunLimitReached)] == ["tool_calls"]
    assert len(done.of(ToolCalled)) == done.types.count("tool.result") == 1
    assert [e.name for e in done.of(StepStarted)] == ["tools", "model", "tools", "model", "answer"]


async def test_no_call_is_demanded(reason) -> None:
    done = await reason([SEARCH, FINAL])
    assert not any("tool_choice" in request for request in done.requests)


async def test_several_calls_are_told_one_by_one_in_nine_letters_and_digits(reason) -> None:
    done = await reason([{**SEVERAL, "before": "Jeg søker."}, FINAL])
    told = done.requests[1]["messages"][4:]
    assert [m["role"] for m in told] == ["assistant", "tool"] * len(SEVERAL["calls"])
    assert [len(m["tool_calls"]) for m in told[::2]] == [1] * len(SEVERAL["calls"])
    assert [m["tool_calls"][0]["id"] for m in told[::2]] == [m["tool_call_id"] for m in told[1::2]]
    assert [m["content"] for m in told[::2]] == ["Jeg søker.", None, None, None]


async def test_a_call_written_as_text_is_put_back_as_plain_words(reason) -> None:
    call = '{"name": "search_lovdata_legal_documents", "arguments": {"query": "pant båteieren"}}'
    done = await reason([{"text": call}, FINAL])
    assert [m["role"] for m in done.requests[1]["messages"]] == ["system", "user"] + ["assistant", "user"] * 2
    assert "lovdata-1: Båtleieloven – båtl § 3-2. Pant (vist over)" in done.said(1)
    assert [c.section for c in done.answer.citations] == ["§3-2"]


TEMPLATE = {"status": 400, "message": "Jinja Exception: This model only supports single tool-calls at once!"}
NO_FORMAT = {"text": "<tool", "finish": None, "error": {"code": 500, "message": "does not match the peg-native format"}}


@pytest.mark.parametrize(
    "misread",
    [[TEMPLATE] * 2, [SEARCH, TEMPLATE, TEMPLATE], [NO_FORMAT] * 2, [SEARCH, NO_FORMAT, NO_FORMAT]],
    ids=["request", "history", "call", "reply"],
)
async def test_a_server_that_misreads_calls_is_asked_once_without_tools(reason, misread: list) -> None:
    done = await reason([*misread, {"json": FINAL["final"]}])
    assert done.types[-1] == "run.completed"
    assert len(done.of(ToolCalled)) == 1 + misread.count(SEARCH)
    last = done.requests[-1]
    assert "tools" not in last
    assert {m["role"] for m in last["messages"]} == {"system", "user", "assistant"}
    assert not any("tool_calls" in m for m in last["messages"])
    assert any(HOLDS[1] in m["content"] for m in last["messages"])
    assert [c.section for c in done.answer.citations] == ["§3-2"]


@pytest.mark.parametrize("misread", [[TEMPLATE] * 2, [NO_FORMAT] * 2], ids=["request", "call"])
async def test_a_server_that_fails_without_tools_too_leaves_the_question_to_quotes(reason, misread: list) -> None:
    done = await reason([*misread, {"status": 401}])
    assert done.types[-1] == "run.completed"
    assert done.answer.fallback == "model_failed"
    assert [c.section for c in done.answer.citations] == ["§3-2"]
    (step,) = [e for e in done.of(StepStarted) if e.name == "fallback"]
    assert "Jinja" not in step.title and "peg" not in step.title
    assert done.types.count("step.started") == done.types.count("step.finished")


async def test_a_key_that_is_refused_is_not_tried_again(reason) -> None:
    done = await reason([{"status": 401}])
    assert len(done.requests) == 1


async def test_when_search_has_nothing_either_the_answer_says_both(reason) -> None:
    done = await reason([TEMPLATE] * 2, "Xyzzy?")
    assert done.types[-1] == "run.completed"
    assert done.answer.tier is Tier.NOTHING and done.answer.fallback == "model_failed"
    assert "Språkmodellen svarte ikke." in done.answer.answer_text


async def test_a_server_that_loads_its_model_is_waited_for(reason) -> None:
    loading = {"status": 503, "message": "Loading model", "headers": {"Retry-After": "0.01"}}
    done = await reason([*[loading] * 9, SEARCH, FINAL], pause=0.01)
    assert done.types[-1] == "run.completed"
    assert done.answer.usage.model_calls == 2


async def test_a_server_that_is_never_ready_leaves_the_question_to_quotes_when_patience_is_over(reason) -> None:
    loading = {"status": 503, "headers": {"Retry-After": "0.01"}, "repeat": True}
    done = await reason([loading], patience=0.1, pause=0.01)
    assert done.answer.fallback == "model_failed"
    assert [c.section for c in done.answer.citations] == ["§3-2"]


async def test_waiting_for_a_server_ends_with_the_runs_wall_time(reason) -> None:
    loading = {"status": 503, "headers": {"Retry-After": "0.01"}, "repeat": True}
    async with asyncio.timeout(10):
        done = await reason([loading], seconds=1.0, patience=60.0)
    assert [e.limit for e in done.of(RunLimitReached)] == ["seconds"]
    assert [c.section for c in done.answer.citations] == ["§3-2"]
