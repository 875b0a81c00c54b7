"""The official conformance suite, against our server with the suite's test tools, and against the product."""

import asyncio
import base64
import contextlib
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
import uvicorn
from mcp.server import MCPServer
from mcp.server.mcpserver import Context, UserMessage
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.streamable_http import EventCallback, EventMessage, EventStore
from mcp.server.transport_security import TransportSecuritySettings
from mcp_types import (
    AudioContent,
    EmbeddedResource,
    EmptyResult,
    ImageContent,
    JSONRPCMessage,
    SamplingMessage,
    SetLevelRequestParams,
    SubscribeRequestParams,
    TextContent,
    TextResourceContents,
    Tool,
    UnsubscribeRequestParams,
)
from pydantic import BaseModel, Field

from lovsvar_chassis.service import running
from lovsvar_gateway import server as http
from lovsvar_gateway.access import Access
from lovsvar_gateway.app import build
from lovsvar_gateway.mcp.server import make_server
from lovsvar_gateway.settings import Settings
from lovsvar_testkit import conformance

PIXEL = base64.b64encode(
    bytes.fromhex(
        "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6360000002000001e221bc330000"
        "000049454e44ae426082"
    )
).decode()
SILENCE = base64.b64encode(b"RIFF\x24\x00\x00\x00WAVEfmt " + bytes(16) + b"data\x00\x00\x00\x00").decode()

FOR_THE_SUITE = "Used by the conformance suite."

APPLIES = (
    *("server-initialize", "ping", "completion-complete", "tools-list", "resources-list", "prompts-list"),
    *("server-sse-multiple-streams", "dns-rebinding-protection", "tools-call-error"),
)
"""The scenarios that need none of the suite's own tools, resources and prompts."""

DOCUMENTED: frozenset[str] = frozenset()
"""Scenarios in which the build with the suite's tools fails for a reason that docs/decisions/0016 gives."""


class Events(EventStore):
    """The events of streams, kept so that a client can take one up again."""

    def __init__(self) -> None:
        self.kept: list[tuple[str, JSONRPCMessage | None]] = []

    async def store_event(self, stream_id: str, message: JSONRPCMessage | None) -> str:
        self.kept.append((stream_id, message))
        return str(len(self.kept))

    async def replay_events_after(self, last_event_id: str, send_callback: EventCallback) -> str | None:
        last = int(last_event_id)
        if not 0 < last <= len(self.kept):
            return None
        stream = self.kept[last - 1][0]
        for number, (of, message) in enumerate(self.kept[last:], last + 1):
            if of == stream and message is not None:
                await send_callback(EventMessage(message, str(number)))
        return stream


class Reply(BaseModel):
    username: str
    email: str


class Person(BaseModel):
    name: str = "John Doe"
    age: int = 30
    score: float = 95.5
    status: str = Field(default="active", json_schema_extra={"enum": ["active", "inactive", "pending"]})
    verified: bool = True


def _titled(*pairs: tuple[str, str]) -> list[dict[str, str]]:
    return [{"const": value, "title": title} for value, title in pairs]


class Choices(BaseModel):
    untitledSingle: str = Field(json_schema_extra={"enum": ["option1", "option2", "option3"]})  # noqa: N815
    titledSingle: str = Field(  # noqa: N815
        json_schema_extra={"oneOf": _titled(("value1", "First"), ("value2", "Second"), ("value3", "Third"))}  # type: ignore[dict-item]
    )
    legacyEnum: str = Field(  # noqa: N815
        json_schema_extra={"enum": ["opt1", "opt2", "opt3"], "enumNames": ["One", "Two", "Three"]}
    )
    untitledMulti: list[str] = Field(  # noqa: N815
        json_schema_extra={"items": {"type": "string", "enum": ["option1", "option2", "option3"]}}
    )
    titledMulti: list[str] = Field(  # noqa: N815
        json_schema_extra={"items": {"anyOf": _titled(("value1", "First"), ("value2", "Second"), ("value3", "Third"))}}  # type: ignore[dict-item]
    )


def add_test_tools(server: MCPServer[Any]) -> None:
    """Add the tools that the suite calls, as its documentation describes them."""
    image = ImageContent(type="image", data=PIXEL, mime_type="image/png")

    def embedded(uri: str, text: str, kind: str = "text/plain") -> EmbeddedResource:
        return EmbeddedResource(type="resource", resource=TextResourceContents(uri=uri, mime_type=kind, text=text))

    @server.tool(description=FOR_THE_SUITE)
    def test_simple_text() -> str:
        return "This is a simple text response for testing."

    @server.tool(description=FOR_THE_SUITE)
    def test_image_content() -> list[ImageContent]:
        return [image]

    @server.tool(description=FOR_THE_SUITE)
    def test_audio_content() -> list[AudioContent]:
        return [AudioContent(type="audio", data=SILENCE, mime_type="audio/wav")]

    @server.tool(description=FOR_THE_SUITE)
    def test_embedded_resource() -> list[EmbeddedResource]:
        return [embedded("test://embedded-resource", "This is an embedded resource content.")]

    @server.tool(description=FOR_THE_SUITE)
    def test_multiple_content_types() -> list[TextContent | ImageContent | EmbeddedResource]:
        data = embedded("test://mixed-content-resource", '{"test":"data","value":123}', "application/json")
        return [TextContent(type="text", text="Multiple content types test:"), image, data]

    @server.tool(description=FOR_THE_SUITE)
    async def test_tool_with_logging(ctx: Context) -> str:
        for said in ("Tool execution started", "Tool processing data", "Tool execution completed"):
            await ctx.info(said)  # type: ignore[deprecated]
        return "done"

    @server.tool(description=FOR_THE_SUITE)
    async def test_tool_with_progress(ctx: Context) -> str:
        for done in (0, 50, 100):
            await ctx.report_progress(done, 100)
        return "done"

    @server.tool(description=FOR_THE_SUITE)
    def test_error_handling() -> str:
        raise ToolError("This tool intentionally returns an error for testing")

    @server.tool(description=FOR_THE_SUITE)
    async def test_sampling(prompt: str, ctx: Context) -> str:
        asked = SamplingMessage(role="user", content=TextContent(type="text", text=prompt))
        # On the stream of this call: the client may not have opened the other yet, and would miss it.
        got = await ctx.session.create_message(messages=[asked], max_tokens=100, related_request_id=ctx.request_id)
        return f"LLM response: {getattr(got.content, 'text', '')}"

    @server.tool(description=FOR_THE_SUITE)
    async def test_elicitation(message: str, ctx: Context) -> str:
        return _elicited(await ctx.elicit(message, Reply))

    @server.tool(description=FOR_THE_SUITE)
    async def test_elicitation_sep1034_defaults(ctx: Context) -> str:
        return _elicited(await ctx.elicit("Who?", Person))

    @server.tool(description=FOR_THE_SUITE)
    async def test_elicitation_sep1330_enums(ctx: Context) -> str:
        return _elicited(await ctx.elicit("Which?", Choices))

    @server.tool(description=FOR_THE_SUITE)
    async def test_reconnection(ctx: Context) -> str:
        await ctx.close_sse_stream()
        return "Reconnection test completed successfully"


def _elicited(result: Any) -> str:
    content = result.data.model_dump_json() if result.action == "accept" else "{}"
    return f"User response: action={result.action}, content={content}"


def add_test_resources(server: MCPServer[Any]) -> None:
    """Add the resources and prompts that the suite reads, and what it subscribes to."""

    @server.resource("test://static-text", mime_type="text/plain")
    def text() -> str:
        return "This is the content of the static text resource."

    @server.resource("test://static-binary", mime_type="image/png")
    def binary() -> bytes:
        return base64.b64decode(PIXEL)

    @server.resource("test://template/{id}/data", mime_type="application/json")
    def template(id: str) -> str:  # noqa: A002
        return json.dumps({"id": id, "templateTest": True, "data": f"Data for ID: {id}"})

    @server.resource("test://watched-resource")
    def watched() -> str:
        return "Watched."

    def said(text: str) -> UserMessage:
        return UserMessage(content=TextContent(type="text", text=text))

    @server.prompt(description=FOR_THE_SUITE)
    def test_simple_prompt() -> list[UserMessage]:
        return [said("This is a simple prompt for testing.")]

    @server.prompt(description=FOR_THE_SUITE)
    def test_prompt_with_arguments(arg1: str, arg2: str) -> list[UserMessage]:
        return [said(f"Prompt with arguments: arg1='{arg1}', arg2='{arg2}'")]

    @server.prompt(description=FOR_THE_SUITE)
    def test_prompt_with_embedded_resource(resourceUri: str) -> list[UserMessage]:  # noqa: N803
        resource = TextResourceContents(uri=resourceUri, mime_type="text/plain", text="Embedded resource content.")
        return [UserMessage(content=EmbeddedResource(type="resource", resource=resource)), said("Process it.")]

    @server.prompt(description=FOR_THE_SUITE)
    def test_prompt_with_image() -> list[UserMessage]:
        shown = UserMessage(content=ImageContent(type="image", data=PIXEL, mime_type="image/png"))
        return [shown, said("Please analyze the image above.")]

    async def done(_: Any, __: Any) -> EmptyResult:
        return EmptyResult()

    inner = server._lowlevel_server
    inner.add_request_handler("logging/setLevel", SetLevelRequestParams, done)
    inner.add_request_handler("resources/subscribe", SubscribeRequestParams, done)
    inner.add_request_handler("resources/unsubscribe", UnsubscribeRequestParams, done)


def publish_schema(server: MCPServer[Any]) -> None:
    """Add a tool whose schema has every JSON Schema 2020-12 keyword that the suite looks for."""
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {
            "address": {"type": "object", "properties": {"street": {"type": "string"}, "city": {"type": "string"}}}
        },
        "properties": {"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"}},
        "additionalProperties": False,
    }
    listing = server.list_tools

    async def with_schema() -> list[Tool]:
        tool = Tool(name="json_schema_2020_12_tool", description="Tool with a 2020-12 schema", input_schema=schema)
        return [*await listing(), tool]

    server.list_tools = with_schema  # type: ignore[method-assign]


@pytest_asyncio.fixture
async def fixture_url(nats_url: str, behind: Any) -> AsyncIterator[str]:
    """Our server with the suite's tools, with sessions, since some scenarios ask the client something."""
    settings = Settings(nats_url=nats_url, port=0)
    service, parts = build(settings)
    server = make_server(parts.services, parts.runs, parts.syncs, parts.cases, "1")
    add_test_tools(server)
    add_test_resources(server)
    publish_schema(server)
    unguarded = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    inner = server.streamable_http_app(event_store=Events(), retry_interval=100, transport_security=unguarded)
    app = Access(inner, keys=None, hosts=(), origins=())
    await parts.link.connect()
    listener = http.listen("127.0.0.1", 0)
    uvicorn_server = uvicorn.Server(uvicorn.Config(app, log_config=None, timeout_graceful_shutdown=1))
    uvicorn_server.capture_signals = contextlib.nullcontext  # type: ignore[method-assign, assignment]
    async with running(service):
        serving = asyncio.create_task(uvicorn_server.serve(sockets=[listener]))
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}/mcp"
        finally:
            uvicorn_server.should_exit = True
            await serving
            listener.close()


@pytest_asyncio.fixture
async def suite(request: pytest.FixtureRequest) -> Any:
    """The suite's program, installed once in pytest's cache."""
    assert request.config.cache is not None
    folder = request.config.cache.mkdir(f"mcp-conformance-{conformance.VERSION}")
    try:
        return await conformance.install(folder)
    except conformance.Unreachable as error:
        pytest.skip(f"npm reaches no registry to install {conformance.PACKAGE} from: {error}")


async def test_with_the_suites_own_tools_no_scenario_fails_but_documented_ones(suite: Any, fixture_url: str) -> None:
    results, said = await conformance.run(suite, fixture_url, "--suite", "all")
    failed = {name for name, result in results.items() if result.failed}
    assert failed == DOCUMENTED, said[-6_000:]
    assert len(results) >= 30


@pytest.mark.parametrize("scenario", APPLIES)
async def test_the_product_passes_every_scenario_that_applies(
    suite: Any, gateway: Any, behind: Any, scenario: str
) -> None:
    await conformance.run_one(suite, f"{gateway.url}/mcp", scenario)
