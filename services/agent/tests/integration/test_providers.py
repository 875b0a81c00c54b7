"""Every provider's way, against a server of its style: what is asked, and what is read."""

from pathlib import Path

import pytest
from pydantic import SecretStr

from lovsvar_agent.adapters.http_model import HttpModel
from lovsvar_agent.adapters.providers import PROVIDERS, Provider, Sampling, address, guess, table
from lovsvar_agent.core.ports import Request
from lovsvar_agent.core.reasoning.conversation import Conversation
from lovsvar_agent.core.reasoning.final import final_of
from lovsvar_agent.core.reasoning.replies import Call, Reply, ReplyBuilder, Spent
from lovsvar_agent.core.tools.answer_form import ANSWER_SCHEMA
from lovsvar_agent.core.tools.registry import ToolRegistry, own_tools
from lovsvar_contracts.problems import ProblemError, ProblemType
from lovsvar_contracts.questions import Mode
from lovsvar_testkit.provider_styles import STYLES

DOCUMENTATION = Path(__file__).parents[4] / "docs/providers.md"
DEFINITIONS = ToolRegistry(own_tools(None)).definitions
HOLDS = ["lovdata-1", "Pantet kan være på høyst fire ukers båtleie"]
FINAL = {"answer": "Pantet er høyst fire ukers båtleie [lovdata-1].", "citations": [HOLDS]}
CALLS = [{"hent_lovtekst": {"document": "båtleieloven"}}, {"innholdsfortegnelse": {"document": "æøå"}}]


def conversation() -> Conversation:
    """A question, two calls with their results, and a word behind them."""
    said = Conversation("regler", "Hvor mye pant?")
    for name in ("hent_lovtekst", "innholdsfortegnelse"):
        said.call("", Call(name, "{}"), {"document": "båtleieloven"}, "ingenting")
    said.say("Gi svaret.")
    return said


OPEN = Request(conversation().fitted(10_000), DEFINITIONS, calls=True)
LAST = OPEN._replace(calls=False, schema=ANSWER_SCHEMA)
DIRECT = Request(Conversation("regler", "Hvor mye pant?").fitted(10_000), schema=ANSWER_SCHEMA)

every_provider = pytest.mark.parametrize("provider", list(Provider))
streamed_or_not = pytest.mark.parametrize("whole", [False, True], ids=["streamed", "whole"])


@pytest.fixture
def ask(scripted):
    async def run(provider: Provider, reply: dict, request: Request, **more) -> Reply:
        async with scripted.ScriptedModel([reply], STYLES[provider]).serving() as server:
            model = HttpModel("m", SecretStr("k"), server.url, provider=provider, stall=20.0, **more)
            builder = ReplyBuilder()
            try:
                async for chunk in model.reply(request):
                    builder.add(chunk)
            finally:
                await model.stop()
            (run.sent,) = server.requests
            return builder.build()

    return run


@every_provider
@streamed_or_not
async def test_words_and_their_count_are_read(ask, provider, whole) -> None:
    reply = await ask(provider, {"text": "Ærlig talt, § 3 gjelder.", "whole": whole}, OPEN)
    assert (reply.text, reply.calls, reply.spent) == ("Ærlig talt, § 3 gjelder.", (), Spent(100, 20))


@every_provider
@streamed_or_not
async def test_parallel_calls_are_read_apart(ask, provider, whole) -> None:
    reply = await ask(provider, {"calls": CALLS, "before": "Jeg søker.", "whole": whole}, OPEN)
    assert reply.text == "Jeg søker."
    assert reply.calls == (
        Call("hent_lovtekst", '{"document": "båtleieloven"}'),
        Call("innholdsfortegnelse", '{"document": "æøå"}'),
    )


@every_provider
@pytest.mark.parametrize("request_", [LAST, DIRECT], ids=["after calls", "direct"])
async def test_an_answer_of_the_schema_is_asked_for_in_one_request(ask, provider, request_) -> None:
    form = "final" if provider is Provider.ANTHROPIC else "json"
    reply = await ask(provider, {form: FINAL}, request_)
    assert (final := final_of(reply)) and final.answer == FINAL["answer"]


@every_provider
@streamed_or_not
async def test_thoughts_are_not_said(ask, provider, whole) -> None:
    reply = await ask(provider, {"text": "Ja.", "thoughts": "Nei, eller?", "whole": whole}, OPEN)
    assert reply.text == "Ja."


@every_provider
@streamed_or_not
async def test_a_refusal_is_a_problem_that_does_not_pass(ask, provider, whole) -> None:
    finish = {} if provider in (Provider.OPENAI, Provider.AZURE, Provider.ANTHROPIC) else {"finish": "content_filter"}
    with pytest.raises(ProblemError) as failed:
        await ask(provider, {"refusal": "Nei.", "whole": whole, **finish}, OPEN)
    assert (failed.value.problem.type, failed.value.problem.retryable) == (ProblemType.INVALID_REQUEST, False)


@every_provider
async def test_a_reply_that_was_cut_off_is_known_by_its_reason(ask, provider) -> None:
    assert (await ask(provider, {"text": "Et halvt", "finish": "length"}, OPEN)).finish == "length"


@every_provider
async def test_the_choice_of_words_is_set_where_it_can_be(ask, provider) -> None:
    await ask(provider, {"text": "Ja."}, OPEN, sampling=Sampling(temperature=1.9, seed=7))
    traits = PROVIDERS[provider]
    assert ask.sent["temperature"] == min(1.9, traits.temperature)
    assert {name: ask.sent[name] for name in ("seed", "random_seed") if name in ask.sent} == (
        {traits.seed: 7} if traits.seed else {}
    )


@every_provider
@pytest.mark.parametrize("mode", [Mode.AGENT, Mode.DIRECT])
async def test_a_whole_question_is_answered(reason, provider, mode) -> None:
    last = {"final": FINAL} if provider is Provider.ANTHROPIC or mode is Mode.AGENT else {"json": FINAL}
    more = [{"calls": [{"search_lovdata_legal_documents": {"query": "skader"}}, *CALLS]}] if mode is Mode.AGENT else []
    done = await reason([*more, last], mode=mode, style=provider)
    assert done.types[-1] == "run.completed"
    assert [c.section for c in done.answer.citations] == ["§3-2"]
    assert len(done.requests) == len(more) + 1


async def test_a_server_that_reads_no_history_without_tools_is_given_them(reason) -> None:
    search = {"calls": [{"search_lovdata_legal_documents": {"query": "skader"}}]}
    done = await reason([search, {"json": FINAL}], style="needs tools", rounds=1)
    assert done.requests[-1]["tool_choice"] == "none" and done.requests[-1]["tools"]
    assert [c.section for c in done.answer.citations] == ["§3-2"]


@pytest.mark.parametrize(
    ("url", "provider"),
    [
        (None, Provider.OPENAI),
        ("https://api.openai.com/v1", Provider.OPENAI),
        ("https://firma.openai.azure.com", Provider.AZURE),
        ("https://api.anthropic.com", Provider.ANTHROPIC),
        ("https://api.mistral.ai/v1", Provider.MISTRAL),
        ("http://localhost:11434/v1", Provider.OLLAMA),
        ("http://localhost:8080/v1", Provider.OPENAI),
        ("https://openai.com.example.org/v1", Provider.OPENAI),
        ("https://mistral.ai.example.org/v1", Provider.OPENAI),
    ],
)
def test_a_provider_is_guessed_from_its_host(url, provider) -> None:
    assert guess(url) is provider


@pytest.mark.parametrize(
    ("provider", "url", "sent_to"),
    [
        (Provider.OPENAI, None, "https://api.openai.com/v1/chat/completions"),
        (Provider.ANTHROPIC, None, "https://api.anthropic.com/v1/messages"),
        (Provider.ANTHROPIC, "https://api.anthropic.com/v1/", "https://api.anthropic.com/v1/messages"),
        (
            Provider.AZURE,
            "https://x.openai.azure.com/openai/v1",
            "https://x.openai.azure.com/openai/v1/chat/completions",
        ),
        (
            Provider.AZURE,
            "https://x.openai.azure.com",
            "https://x.openai.azure.com/openai/deployments/m%2Fn/chat/completions?api-version=2024-10-21",
        ),
        (Provider.OLLAMA, "http://127.0.0.1:1/v1", "http://127.0.0.1:1/v1/chat/completions"),
    ],
)
def test_requests_go_to_the_address_of_the_provider(provider, url, sent_to) -> None:
    assert address(PROVIDERS[provider], url, "m/n") == sent_to


def test_the_documentation_has_the_table_as_it_is() -> None:
    assert table() in DOCUMENTATION.read_text(encoding="utf-8")
