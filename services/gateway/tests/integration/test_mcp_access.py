"""Keys at the door of the tools."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
import pytest_asyncio
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from lovsvar.client import authorization
from lovsvar_contracts import subjects
from lovsvar_contracts.audit import AuditAction, AuditRecord
from lovsvar_contracts.questions import QuestionAsked
from lovsvar_contracts.run_events import RunAccepted
from lovsvar_gateway.adapters.key_file import write_keys
from lovsvar_gateway.core.access import KeyRing, Limits, Scope, new_key

Connect = Callable[[str], AbstractAsyncContextManager[Client]]

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}
ACCEPT = {"Accept": "application/json, text/event-stream"}


@pytest.fixture(scope="module")
def secrets(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """A file with a key for each scope, and one with hardly any allowance."""
    made = {scope.value: new_key(scope.value, [scope], Limits()) for scope in Scope}
    made["small"] = new_key("small", Scope, Limits(per_minute=1))
    path = tmp_path_factory.mktemp("keys") / "keys.json"
    write_keys(path, KeyRing(keys=tuple(key for _, key in made.values())))
    return path, {name: secret for name, (secret, _) in made.items()}


@pytest_asyncio.fixture
async def guarded(nats_url: str, start_gateway: Any, secrets: tuple[Path, dict[str, str]]) -> AsyncIterator[Any]:
    async with start_gateway(nats_url, api_keys_file=secrets[0]) as gateway:
        yield gateway


@pytest.fixture
def connected(guarded: Any, secrets: tuple[Path, dict[str, str]]) -> Connect:
    """Open a client that shows the key of a name."""

    @asynccontextmanager
    async def connect(name: str) -> AsyncIterator[Client]:
        async with (
            httpx2.AsyncClient(headers=authorization(secrets[1][name])) as http,
            Client(streamable_http_client(f"{guarded.url}/mcp", http_client=http)) as client,
        ):
            yield client

    return connect


async def test_without_a_key_nobody_speaks_to_the_tools(guarded: Any) -> None:
    answer = await guarded.client.post("/mcp", json=INITIALIZE, headers=ACCEPT)
    assert (answer.status_code, answer.json()["type"]) == (401, "urn:lovsvar:problem:key-required")


async def test_a_key_calls_only_the_tools_of_its_scopes(connected: Connect, behind: Any) -> None:
    async with connected("read") as client:
        assert not (await client.call_tool("status", {})).is_error
        for tool, arguments, scope in (("spor", {"sporsmal": "Hva er depositum?"}, "ask"), ("sync", {}, "operate")):
            refused = await client.call_tool(tool, arguments)
            assert refused.is_error
            assert f"rettigheten «{scope}»" in refused.content[0].text
    async with connected("operate") as client:
        assert not (await client.call_tool("sync", {})).is_error
        assert (await client.call_tool("status", {})).is_error
        with pytest.raises(MCPError, match="«read»"):
            await client.read_resource("lovdata://lov/2999-01-01-1")


async def test_a_question_by_a_tool_belongs_to_the_key_and_is_audited(
    connected: Connect, guarded: Any, js: Any, run_log: Any, secrets: tuple[Path, dict[str, str]]
) -> None:
    asked = await js.subscribe(subjects.QUESTION_ASKED_BY_ANY, stream=subjects.STREAM_QUESTIONS)
    written = await js.subscribe(subjects.audit(AuditAction.ASKED), stream=subjects.STREAM_AUDIT)

    async def cancel() -> None:
        question = QuestionAsked.model_validate_json((await asked.next_msg(timeout=30)).data)
        address = f"/v1/questions/{question.run_id}"
        first = await run_log.begin(question.run_id)
        assert isinstance(first, RunAccepted)
        assert first.owner == "ask"
        record = AuditRecord.model_validate_json((await written.next_msg(timeout=30)).data)
        assert (record.key, record.run_id) == ("ask", question.run_id)
        answer = await guarded.client.delete(address, headers=authorization(secrets[1]["small"]))
        assert answer.status_code == 404
        answer = await guarded.client.delete(address, headers=authorization(secrets[1]["ask"]))
        assert answer.status_code == 204

    async with connected("ask") as client:
        cancelling = asyncio.create_task(cancel())
        ended = await client.call_tool("spor", {"sporsmal": "Hva er depositum?"})
        await cancelling
    assert ended.is_error


async def test_what_is_shown_is_audited_under_the_key(connected: Connect, behind: Any, js: Any) -> None:
    written = await js.subscribe(subjects.audit(AuditAction.READ), stream=subjects.STREAM_AUDIT)
    async with connected("read") as client:
        await client.read_resource("lovdata://lov/2999-01-01-1/§3-5")
        record = AuditRecord.model_validate_json((await written.next_msg(timeout=30)).data)
    assert record.key == "read"


async def test_a_key_without_allowance_left_is_told_when_to_come_back(
    guarded: Any, secrets: tuple[Path, dict[str, str]]
) -> None:
    headers = {**ACCEPT, **authorization(secrets[1]["small"])}
    answers = [await guarded.client.post("/mcp", json=INITIALIZE, headers=headers) for _ in range(3)]
    assert answers[-1].status_code == 429
    assert int(answers[-1].headers["retry-after"]) > 0


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
async def test_a_page_of_another_origin_does_not_speak_to_the_tools(gateway: Any, method: str) -> None:
    headers = {**ACCEPT, "Origin": "https://elsewhere.example"}
    answer = await gateway.client.request(method, "/mcp", headers=headers)
    assert answer.status_code == 403


@pytest.mark.parametrize("method", ["GET", "DELETE"])
async def test_what_only_sessions_need_is_refused_at_once(gateway: Any, method: str) -> None:
    answer = await gateway.client.request(method, "/mcp", headers=ACCEPT)
    assert (answer.status_code, answer.json()["type"]) == (405, "urn:lovsvar:problem:method-not-allowed")
