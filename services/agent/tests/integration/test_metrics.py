"""What operators see of runs: the metrics, and the spans of model and tool calls in the run's trace."""

import json
from collections.abc import Iterator

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from lovsvar_agent.app import build
from lovsvar_agent.settings import Settings
from lovsvar_chassis import metrics
from lovsvar_contracts.questions import CancelQuestion, Mode, QuestionAsked
from lovsvar_contracts.subjects import question_cancel
from lovsvar_testkit.measured import Measured
from lovsvar_testkit.running import running
from lovsvar_testkit.waiting import until

pytestmark = pytest.mark.usefixtures("search_service")

SEARCH = "search_lovdata_legal_documents"
QUESTION = "Hvor mye kan båteieren kreve i pant?"
HOLDS = "Pantet kan være på høyst fire ukers båtleie"
SCRIPT = [
    {"calls": [{SEARCH: {"query": "pant båteieren"}}, {"finn_på_noe": {}}], "usage": [1000, 50]},
    {"final": {"answer": "Høyst fire uker [lovdata-1].", "citations": [["lovdata-1", HOLDS]]}, "usage": [2000, 100]},
]


@pytest.fixture
def spans() -> Iterator[InMemorySpanExporter]:
    """Every span that this process makes."""
    if not isinstance(trace.get_tracer_provider(), TracerProvider):
        trace.set_tracer_provider(TracerProvider())
    exporter = InMemorySpanExporter()
    trace.get_tracer_provider().add_span_processor(SimpleSpanProcessor(exporter))
    yield exporter
    exporter.shutdown()


@pytest.fixture
def with_model(settings: Settings):
    def make(url: str, **more) -> Settings:
        model = {"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": url, "model": "scripted"}
        prices = {"agent_input_price": 2.0, "agent_output_price": 10.0}
        return Settings(**{**settings.model_dump(exclude_none=True), **model, **prices, **more})

    return make


async def test_a_run_is_counted_with_its_model_calls_tokens_cost_and_tools(
    client, with_model, scripted, asked, measured: Measured
) -> None:
    async with scripted.ScriptedModel(SCRIPT).serving() as server, running(build(with_model(server.url))):
        await client.publish(asked)
        await client.follow(asked.run_id)
        await until(lambda: _true(measured.value(metrics.RUNS)))
    assert measured.labels(metrics.RUNS) == [{"mode": "agent", "outcome": "completed"}]
    assert measured.value(metrics.MODEL_CALLS, model="scripted", outcome="ok") == 2
    assert measured.value(metrics.MODEL_TOKENS, direction="input") == 3000
    assert measured.value(metrics.MODEL_TOKENS, direction="output") == 150
    assert measured.value(metrics.MODEL_COST) == pytest.approx(0.0075)
    assert measured.value(metrics.TOOL_CALLS, tool=SEARCH, outcome="ok") == 2
    assert measured.value(metrics.TOOL_CALLS, tool="unknown", outcome="refused") == 1


async def test_a_run_without_a_model_is_counted_as_extractive_and_costs_nothing(
    client, settings: Settings, measured: Measured
) -> None:
    asked = QuestionAsked(question=QUESTION, mode=Mode.AGENT)
    async with running(build(settings)):
        await client.publish(asked)
        await client.follow(asked.run_id)
        await until(lambda: _true(measured.value(metrics.RUNS)))
    assert measured.labels(metrics.RUNS) == [{"mode": "extractive", "outcome": "completed"}]
    assert measured.value(metrics.MODEL_TOKENS) == 0
    assert measured.value(metrics.TOOL_CALLS, outcome="ok") > 0


async def test_a_model_that_refuses_and_the_run_that_is_answered_without_it_are_counted(
    client, with_model, scripted, asked, measured: Measured
) -> None:
    refusing = [{"status": 401, "repeat": True}]
    async with scripted.ScriptedModel(refusing).serving() as server, running(build(with_model(server.url))):
        await client.publish(asked)
        await client.follow(asked.run_id)
        await until(lambda: _true(measured.value(metrics.RUNS)))
    assert measured.value(metrics.RUNS, mode="agent", outcome="completed") == 1
    assert measured.value(metrics.MODEL_CALLS, outcome="not-configured") >= 1
    assert measured.value(metrics.MODEL_CALLS, outcome="ok") == 0


async def test_a_cancelled_run_is_counted_as_cancelled_and_so_is_its_model_call(
    client, with_model, scripted, asked, measured: Measured
) -> None:
    holding = [{"text": "Et langt svar. " * 50, "hold": 100}]
    async with scripted.ScriptedModel(holding).serving() as server, running(build(with_model(server.url))):
        await client.publish(asked)
        await server.asked.wait()
        await client.events.notify(question_cancel(asked.run_id), CancelQuestion(run_id=asked.run_id))
        await client.follow(asked.run_id)
        await until(lambda: _true(measured.value(metrics.RUNS)))
    assert measured.labels(metrics.RUNS) == [{"mode": "agent", "outcome": "cancelled"}]
    assert measured.value(metrics.MODEL_CALLS, outcome="cancelled") == 1


async def test_model_and_tool_calls_have_spans_in_the_trace_of_the_question_and_no_words_in_them(
    client, with_model, scripted, asked, spans: InMemorySpanExporter
) -> None:
    with trace.get_tracer("test").start_as_current_span("asking") as asking:
        async with scripted.ScriptedModel(SCRIPT).serving() as server, running(build(with_model(server.url))):
            await client.publish(asked)
            await client.follow(asked.run_id)
    trace_id = asking.get_span_context().trace_id
    of_run = [span for span in spans.get_finished_spans() if span.context.trace_id == trace_id]
    chats = [span for span in of_run if span.name == "chat scripted"]
    assert [
        (span.attributes["gen_ai.usage.input_tokens"], span.attributes["gen_ai.usage.output_tokens"]) for span in chats
    ] == [(1000, 50), (2000, 100)]
    assert chats[0].attributes["gen_ai.request.model"] == "scripted"
    (tool, _) = [span for span in of_run if span.name == f"execute_tool {SEARCH}"]
    assert tool.attributes["gen_ai.operation.name"] == "execute_tool"
    below = [span.name for span in of_run if span.parent and span.parent.span_id == tool.context.span_id]
    assert "lovsvar.search.provisions request" in below
    assert not [word for span in of_run for word in ("pant", "båt", "uker") if word in _written(span)]


async def test_a_tool_that_fails_has_a_span_with_the_kind_of_its_error_alone(
    client, with_model, scripted, asked, spans: InMemorySpanExporter
) -> None:
    # Nobody answers for practice.
    script = [{"calls": [{"search_lovdata_legal_practice": {"query": "pant"}}]}, *SCRIPT]
    async with scripted.ScriptedModel(script).serving() as server, running(build(with_model(server.url))):
        await client.publish(asked)
        await client.follow(asked.run_id)
    (tool,) = [s for s in spans.get_finished_spans() if s.name == "execute_tool search_lovdata_legal_practice"]
    assert tool.attributes["error.type"]
    assert not tool.events


async def _true(value: object) -> bool:
    return bool(value)


def _written(span: ReadableSpan) -> str:
    return json.dumps([span.name, dict(span.attributes or {}), [dict(e.attributes or {}) for e in span.events]])
