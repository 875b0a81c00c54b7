"""A second small service on the same NATS offers a tool to the agent."""

import asyncio
import contextlib

import pytest
from structlog.testing import capture_logs

from lovsvar_agent.adapters.memory_search import MemorySearch
from lovsvar_agent.adapters.remote_tools import RemoteTools
from lovsvar_agent.app import build
from lovsvar_agent.core.evidence import EvidenceRegistry
from lovsvar_agent.core.run import Limits
from lovsvar_agent.core.tools.law_access import LawAccess
from lovsvar_agent.core.tools.registry import ToolRegistry, own_tools
from lovsvar_agent.core.tools.tool import Found, Tool
from lovsvar_agent.settings import Settings
from lovsvar_chassis.request_router import RequestRouter
from lovsvar_chassis.run_log import snapshot
from lovsvar_contracts import subjects
from lovsvar_contracts.problems import Problem, ProblemError, ProblemType
from lovsvar_contracts.questions import QuestionAsked
from lovsvar_contracts.run_events import SourcesFound, ToolResult
from lovsvar_contracts.tools import CallTool, OfferedSource, OfferedTool, ReadTools, ToolReply, Tools, ToolSource
from lovsvar_testkit.running import answering, running
from lovsvar_testkit.waiting import until

pytestmark = pytest.mark.usefixtures("search_service")

SERVICE = "products"
TOOL = "finn_vare"
SCHEMA = {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}
LOCK = ToolSource(source="produkt", title="Båtlås", url="/varer/1", snippet="Låsen tåler sjøvann i fem år.")
CALL = {"calls": [{TOOL: {"query": "lås"}}]}
FINAL = {"final": {"answer": "Fem år [produkt-1].", "citations": [["produkt-1", "tåler sjøvann i fem år"]]}}
OWN = ToolRegistry(own_tools(None))


async def offered_by(tools: RemoteTools | ToolRegistry) -> ToolRegistry:
    return await tools.offered_for(QuestionAsked(question="Hvilken lås tåler sjøvann?"))


async def is_offered(tools: RemoteTools, *, whether: bool = True) -> bool:
    return (TOOL in (await offered_by(tools)).tools) is whether


async def use(tool: Tool) -> Found:
    """Call a tool, and again for half a second while its service does not answer."""
    asked, limits = QuestionAsked(question="Hvilken lås tåler sjøvann?"), Limits(patience=0.5)
    return await tool.call(LawAccess(MemorySearch(()), EvidenceRegistry(), limits, asked), {"query": "lås"})


def offered(name: str = TOOL, source: str = "produkt", label: str = "vare") -> OfferedTool:
    sources = (OfferedSource(name=source, label=label),)
    return OfferedTool(name=name, title="Søker i varer", description="Varer.", parameters=SCHEMA, sources=sources)


def products(*tools: OfferedTool, reply: ToolReply | Problem | None = None, service: str = SERVICE) -> RequestRouter:
    """A service that offers `tools`, and answers each call with `reply`."""

    async def read(request: ReadTools) -> Tools:
        return Tools(correlation_id=request.correlation_id, tools=tools or (offered(),))

    async def call(request: CallTool) -> ToolReply | Problem:
        return reply or ToolReply(correlation_id=request.correlation_id, sources=(LOCK,))

    return RequestRouter().answer(subjects.tool_list(service), read).answer(subjects.tool_call(service), call)


@pytest.fixture
def with_tools(settings: Settings):
    def make(url: str, *services: str) -> Settings:
        model = {"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": url, "model": "scripted", "agent_tool_services": services}
        return Settings(**{**settings.model_dump(exclude_none=True), **model})

    return make


@contextlib.asynccontextmanager
async def remote(client, *services: str, retry: float = 0.05):
    tools = RemoteTools(client.requester, services, OWN, retry)
    await tools.start()
    try:
        yield tools
    finally:
        await tools.stop()


async def test_its_tool_is_called_and_its_source_is_cited(client, with_tools, scripted, asked, nats_url) -> None:
    async with (
        answering(nats_url, products()),
        scripted.ScriptedModel([CALL, FINAL]).serving() as server,
        running(build(with_tools(server.url, SERVICE))),
    ):
        await client.publish(asked)
        events = await client.follow(asked.run_id)
    assert TOOL in [t["function"]["name"] for t in server.requests[0]["tools"]]
    assert [e.name for e in events if isinstance(e, ToolResult)][1:] == [TOOL]
    sources = [e.source for event in events if isinstance(event, SourcesFound) for e in event.evidence]
    assert [source for source in sources if source != "lovdata"] == ["produkt"]
    (citation,) = snapshot(events).citations
    assert (citation.evidence_id, citation.quote, citation.url) == ("produkt-1", "tåler sjøvann i fem år", LOCK.url)


async def test_a_service_that_is_down_costs_a_run_nothing(client, with_tools, scripted, asked) -> None:
    search = {"calls": [{"search_lovdata_legal_documents": {"query": "pant båteieren"}}]}
    quote = "Pantet kan være på høyst fire ukers båtleie"
    final = {"final": {"answer": "Fire uker [lovdata-1].", "citations": [["lovdata-1", quote]]}}
    async with (
        scripted.ScriptedModel([search, final]).serving() as server,
        running(build(with_tools(server.url, SERVICE))),
    ):
        await client.publish(asked)
        events = await client.follow(asked.run_id)
    assert events[-1].type == "run.completed" and snapshot(events).citations
    assert TOOL not in [t["function"]["name"] for t in server.requests[0]["tools"]]


async def test_its_tools_come_and_go_with_the_service(client, nats_url) -> None:
    with capture_logs() as logs:
        async with remote(client, SERVICE) as tools:
            assert TOOL not in (await offered_by(tools)).tools
            async with answering(nats_url, products()):
                await until(lambda: is_offered(tools))
                tool = (await offered_by(tools)).tools[TOOL]
            with pytest.raises(ProblemError, match="Ingen tjeneste svarer"):
                await use(tool)
            await until(lambda: is_offered(tools, whether=False))
            assert (await offered_by(tools)).names == (await offered_by(OWN)).names
    assert [log["event"] for log in logs].count("tools of a service are missing") == 2


async def test_a_run_in_a_case_has_the_tools_of_a_service_that_came_after_the_agent(client, nats_url) -> None:
    async with remote(client, SERVICE, retry=3600) as tools, answering(nats_url, products()):
        assert TOOL not in (await offered_by(tools)).tools
        in_a_case = await tools.offered_for(QuestionAsked(question="Hvilken lås tåler sjøvann?", grant="g"))
        assert TOOL in in_a_case.tools
        assert TOOL in (await offered_by(tools)).tools


async def test_a_tool_that_needs_a_grant_is_offered_to_runs_that_have_one_and_gets_it(client, nats_url) -> None:
    given: list[CallTool] = []

    async def read(request: ReadTools) -> Tools:
        return Tools(correlation_id=request.correlation_id, tools=(offered().model_copy(update={"needs_grant": True}),))

    async def call(request: CallTool) -> ToolReply:
        given.append(request)
        return ToolReply(correlation_id=request.correlation_id, text="{}")

    router = RequestRouter().answer(subjects.tool_list(SERVICE), read).answer(subjects.tool_call(SERVICE), call)
    async with answering(nats_url, router), remote(client, SERVICE) as tools:
        asked = QuestionAsked(question="Hva gjør jeg?", grant="g")
        having = await tools.offered_for(asked)
        assert TOOL not in (await offered_by(tools)).tools
        law = LawAccess(MemorySearch(()), EvidenceRegistry(), Limits(), asked)
        await having.tools[TOOL].call(law, {"query": "lås"})
    assert [one.grant for one in given] == ["g"]


async def test_a_call_that_takes_too_long_is_given_up(client, nats_url, monkeypatch) -> None:
    monkeypatch.setattr("lovsvar_agent.adapters.remote_tools.CALL_SECONDS", 0.1)

    async def never(request: CallTool) -> ToolReply:
        await asyncio.Event().wait()
        raise AssertionError

    async def read(request: ReadTools) -> Tools:
        return Tools(tools=(offered(),))

    slow = RequestRouter().answer(subjects.tool_list(SERVICE), read).answer(subjects.tool_call(SERVICE), never)
    async with answering(nats_url, slow), remote(client, SERVICE) as tools:
        with pytest.raises(ProblemError, match="svarte ikke i tide"):
            await use((await offered_by(tools)).tools[TOOL])


@pytest.mark.parametrize(
    "false",
    [
        offered(name="hent_lovtekst"),
        offered(name="sammenstill_svar"),
        offered(name="lov", source="lovdata"),
        offered(name="praksis", source="serper", label="praksis fra søkemotor"),
        offered(name="stor").model_copy(update={"parameters": {"type": "object", "description": "x" * 5_000}}),
        offered(name="feil").model_copy(update={"parameters": {"type": 7}}),
    ],
    ids=lambda tool: tool.name,
)
async def test_a_tool_that_takes_what_is_another_s_or_is_no_tool_is_refused(client, nats_url, false) -> None:
    async with answering(nats_url, products(false, offered())), remote(client, SERVICE) as tools:
        assert set((await offered_by(tools)).tools) == {*(await offered_by(OWN)).tools, TOOL}


async def test_of_two_services_with_one_name_or_one_kind_of_source_the_first_has_it(client, nats_url) -> None:
    other = products(offered(), offered(name="annet"), offered(name="tredje", source="ting"), service="other")
    async with answering(nats_url, products(), other), remote(client, SERVICE, "other") as tools:
        assert set((await offered_by(tools)).tools) == {*(await offered_by(OWN)).tools, TOOL, "tredje"}


async def test_a_reply_that_is_none_is_a_problem(client, nats_url) -> None:
    failing = products(reply=Problem(type=ProblemType.INTERNAL, title="x", detail="Varene er borte."))
    async with answering(nats_url, failing), remote(client, SERVICE) as tools:
        with pytest.raises(ProblemError, match="Varene er borte"):
            await use((await offered_by(tools)).tools[TOOL])


def test_the_name_of_a_service_is_one_token_of_a_subject(settings) -> None:
    with pytest.raises(ValueError, match="agent_tool_services"):
        Settings(nats_url=settings.nats_url, agent_tool_services="products,bad.name")
    assert Settings(nats_url=settings.nats_url, agent_tool_services="a, b").agent_tool_services == ("a", "b")
