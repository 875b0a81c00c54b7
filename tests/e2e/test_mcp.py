"""Every tool, resource and prompt, by the official client over HTTP and stdio, on the sample corpus."""

import asyncio
import contextlib
import json
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
import pytest_asyncio
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.shared.exceptions import MCPError
from mcp_types import ResourceTemplateReference

from lovsvar_gateway.mcp.calls import CASE_TOOLS
from lovsvar_testkit.processes import System

RENT = "lov/2999-01-01-1"
TOOLS = {
    *("lov", "forskrift", "hent_flere", "sjekk_storrelse", "sok", "liste", "definisjoner", "finn_praksis"),
    *("valider_henvisning", "formater_henvisning", "sjekk_gjeldende", "kunngjoringer", "eos_grunnlag"),
    *("status", "sync", "spor", "search_products", *CASE_TOOLS),
}
CHANGING = {
    *("sync", "open_case", "update_case_details", "create_support_ticket", "write_draft_by_template"),
    "generate_draft_pdf",
}
PROTOCOLS = {"auto": "2026-07-28", "legacy": "2025-11-25"}


def command(*arguments: str) -> StdioServerParameters:
    """Return how `lovsvar mcp` is started."""
    return StdioServerParameters(command=str(Path(sys.executable).with_name("lovsvar")), args=["mcp", *arguments])


@contextlib.asynccontextmanager
async def held(client: Client) -> AsyncIterator[Client]:
    """Enter and leave `client` in one task, as it demands; a fixture's end runs in another than its beginning."""
    entered, leave = asyncio.Event(), asyncio.Event()

    async def hold() -> None:
        async with client:
            entered.set()
            await leave.wait()

    holding, entering = asyncio.create_task(hold()), asyncio.create_task(entered.wait())
    await asyncio.wait({holding, entering}, return_when=asyncio.FIRST_COMPLETED)
    entering.cancel()
    if not holding.done():
        yield client
        leave.set()
    await holding


@pytest_asyncio.fixture(params=["http-auto", "http-legacy", "stdio-auto", "stdio-legacy"])
async def mcp(request: pytest.FixtureRequest, system: System) -> AsyncIterator[Client]:
    """The official client, over each transport and by each protocol."""
    transport, _, mode = request.param.partition("-")
    system.wait_ready(path="/readyz")
    server = f"{system.url}/mcp" if transport == "http" else command("--url", system.url)
    async with held(Client(server, mode=mode)) as client:
        assert client.protocol_version == PROTOCOLS[mode]
        yield client


@pytest_asyncio.fixture
async def client(system: System) -> AsyncIterator[Client]:
    """The official client over HTTP by the current protocol."""
    system.wait_ready(path="/readyz")
    async with held(Client(f"{system.url}/mcp")) as client:
        yield client


async def call(client: Client, tool: str, **arguments: Any) -> tuple[str, dict[str, Any]]:
    """Return text and structured output of a call that succeeds; the client checks the latter by its schema."""
    result = await client.call_tool(tool, arguments)
    text = result.content[0].text
    assert not result.is_error, text
    assert result.structured_content is not None
    stamp = result.structured_content["stamp"]
    assert stamp["licence"] == "NLOD 2.0"
    assert stamp["corpus_version"] >= 1
    assert "Kilde: Lovdata, lisens NLOD 2.0" in text
    return text, result.structured_content


async def refused(client: Client, tool: str, **arguments: Any) -> str:
    """Return what a call that cannot be answered says."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    return str(result.content[0].text)


async def test_the_server_says_what_it_has_over_each_transport_and_protocol(mcp: Client) -> None:
    tools = {tool.name: tool for tool in (await mcp.list_tools()).tools}
    assert set(tools) == TOOLS
    for name, tool in tools.items():
        assert tool.annotations is not None
        assert tool.annotations.read_only_hint is (name not in CHANGING)
        assert tool.description
        assert tool.output_schema
    assert "sok(" in (mcp.instructions or "")
    guide = await mcp.get_prompt("lovdata-guide")
    assert "valider_henvisning" in guide.messages[0].content.text
    text, found = await call(mcp, "lov", lov_id="eksempel-husleieloven", paragraf="3-2")
    assert "fire måneders leie" in text
    assert "ADVARSEL" in text
    (shown,) = found["provisions"]
    assert (shown["refid"], shown["section"], shown["in_force"]) == (RENT, "§3-2", "in_force")
    assert shown["lovdata_url"].startswith(f"https://lovdata.no/{RENT}")
    resource = await mcp.read_resource(f"lovdata://{RENT}/§3-2")
    assert "fire måneders leie" in resource.contents[0].text
    assert "Fant ingen lov" in await refused(mcp, "lov", lov_id="tulleloven")


async def test_the_agent_answers_with_its_steps_as_progress(mcp: Client) -> None:
    steps: list[str] = []

    async def progress(progress: float, total: float | None, message: str | None) -> None:
        steps.append(message or "")

    result = await mcp.call_tool(
        "spor",
        {"sporsmal": "Hvor mye kan utleier kreve i depositum?", "mode": "extractive"},
        progress_callback=progress,
    )
    assert not result.is_error
    assert "fire måneders leie" in result.content[0].text
    assert result.structured_content is not None
    assert all(citation["verified"] for citation in result.structured_content["citations"])
    assert len(steps) >= 3


async def test_an_act_without_a_paragraph_is_its_contents_with_tokens(client: Client) -> None:
    text, found = await call(client, "lov", lov_id="eks-husll")
    assert text.startswith("### Innholdsfortegnelse: Eksempel-husleieloven\n\n**Totalt:**")
    assert "- § 3-2: Depositum (" in text
    assert found["contents"]["tokens"] > 1_000
    chapter, _ = await call(client, "lov", lov_id="eks-husll", paragraf="kapittel 3")
    assert "§ 3-2" in chapter
    assert "§ 1-1" not in chapter


async def test_a_regulation_is_looked_up_by_number(client: Client) -> None:
    _, found = await call(client, "forskrift", forskrift_id="forskrift/2999-02-01-2", max_tokens=5_000)
    assert found["outcome"] == "contents"


async def test_a_ledd_is_shown_alone_and_what_is_cut_is_told(client: Client) -> None:
    text, found = await call(client, "lov", lov_id=RENT, paragraf="§ 3-2 annet ledd")
    assert found["provisions"][0]["place"] == "annet ledd"
    assert "67 år" in text
    assert "fire måneders" not in text
    text, found = await call(client, "lov", lov_id=RENT, paragraf="3-2", max_tokens=40)
    (shown,) = found["provisions"]
    assert shown["truncated"]
    assert shown["tokens"] <= 40
    assert f"max_tokens={shown['full_tokens'] + 50}" in text


async def test_several_are_fetched_at_once_and_what_is_missing_is_named(client: Client) -> None:
    text, found = await call(client, "hent_flere", lov_id=RENT, paragrafer=["§ 3-2", "3-1", "99-9"])
    assert [one["section"] for one in found["provisions"]] == ["§3-2", "§3-1"]
    (missing,) = found["missing"]
    assert missing.startswith("99-9: ")
    assert "har ingen bestemmelse «§ 99-9»" in missing
    assert "Ikke med: 99-9" in text


async def test_nothing_that_is_asked_for_is_passed_over_in_silence(client: Client) -> None:
    text, found = await call(client, "lov", lov_id=RENT, paragraf="3-1, 3-2 og 99-9")
    assert [one["section"] for one in found["provisions"]] == ["§3-1", "§3-2"]
    assert "Ikke med: " in text
    assert "«§ 99-9»" in found["missing"][0]
    _, found = await call(client, "lov", lov_id="eksempel-husleieloven § 3-2", paragraf="3-1")
    assert [one["section"] for one in found["provisions"]] == ["§3-1"]
    text, found = await call(client, "lov", lov_id=RENT, paragraf="3-2 første ledd bokstav z")
    assert found["provisions"][0]["place"] == ""
    assert "har ikke første ledd bokstav z. Hele bestemmelsen er vist i stedet." in text
    _, found = await call(client, "hent_flere", lov_id=RENT, paragrafer="3-1, 3-2")
    assert [one["section"] for one in found["provisions"]] == ["§3-1", "§3-2"]
    assert "én bestemmelse om gangen: §3-1, §3-2" in await refused(
        client, "sjekk_gjeldende", lov_id=RENT, paragraf="§§ 3-1 og 3-2"
    )


async def test_size_is_told_before_reading(client: Client) -> None:
    _, provision = await call(client, "sjekk_storrelse", lov_id=RENT, paragraf="3-2")
    _, shown = await call(client, "lov", lov_id=RENT, paragraf="3-2")
    assert provision["tokens"] == shown["provisions"][0]["full_tokens"]
    text, ledd = await call(client, "sjekk_storrelse", lov_id=RENT, paragraf="3-2 annet ledd")
    assert "(annet ledd)" in text
    assert 0 < ledd["tokens"] < provision["tokens"]
    _, act = await call(client, "sjekk_storrelse", lov_id=RENT)
    assert act["tokens"] > provision["tokens"]


async def test_an_act_in_force_is_meant_where_a_later_one_of_its_name_is_not(client: Client) -> None:
    _, found = await call(client, "sjekk_gjeldende", lov_id="eksempel-hundeloven")
    assert (found["reference"]["refid"], found["in_force"]) == ("lov/2999-05-01-9", "in_force")
    assert [one["refid"] for one in found["same_name"]] == ["lov/2999-05-05-5"]
    text, later = await call(client, "sjekk_gjeldende", lov_id="lov/2999-05-05-5")
    assert later["in_force"] == "not_yet"
    assert "IKKE TRÅDT I KRAFT" in text
    _, rent = await call(client, "sjekk_gjeldende", lov_id=RENT)
    assert rent["last_changed_by"] == ["lov/2999-11-10-90"]


async def test_search_takes_web_syntax_and_filters(client: Client) -> None:
    text, found = await call(client, "sok", query="depositum", limit=3)
    assert found["hits"][0]["section"] == "§3-2"
    assert len(found["hits"]) <= 3
    assert all(len(hit["snippet"]) <= 500 for hit in found["hits"])
    assert "→ lov(" in text
    _, regulations = await call(client, "sok", query="depositum", doc_type="forskrift")
    assert {hit["law_type"] for hit in regulations["hits"]} == {"forskrift"}
    _, written_so = await call(client, "sok", query="depositum", doc_type=" Forskrift ")
    assert written_so["hits"] == regulations["hits"]
    _, both = await call(client, "sok", query="depositum AND hund")
    assert both["hits"] == []
    _, without = await call(client, "sok", query="depositum -student")
    assert "§3-2" not in {hit["section"] for hit in without["hits"] if hit["refid"] == RENT}
    _, of_ministry = await call(client, "sok", query="depositum", ministry="bolig", year=2999)
    assert of_ministry["hits"]


async def test_documents_are_listed_with_filters(client: Client) -> None:
    _, everything = await call(client, "liste")
    assert everything["total"] == 9
    _, dogs = await call(client, "liste", title="hund", doc_type="lov")
    assert {one["refid"] for one in dogs["documents"]} == {"lov/2999-05-01-9", "lov/2999-05-05-5"}


async def test_every_citation_of_a_text_is_judged(client: Client) -> None:
    draft = (
        "Etter eksempel-husleieloven § 3-2 annet ledd, jf. § 3-1. "
        "Se eks-husll. § 99-9, § 3-2 tolvte ledd og tulleloven § 4."
    )
    _, found = await call(client, "valider_henvisning", tekst=draft)
    assert [one["verdict"] for one in found["citations"]] == [
        *("valid", "valid", "missing_provision", "missing_place", "unknown_act"),
    ]
    assert found["citations"][1]["assumed_act"] == "Eksempel-husleieloven"


async def test_a_citation_is_written_in_its_forms(client: Client) -> None:
    _, found = await call(client, "formater_henvisning", henvisning="LOV-2999-01-01-1 § 3-2 (2)")
    (forms,) = found["forms"]
    assert forms["short"] == "eksempel-husleieloven § 3-2 annet ledd"
    assert forms["abbreviated"] == "eks-husll. § 3-2 (2)"
    assert forms["full"].startswith("lov 1. januar 2999 nr. 1 ")


async def test_what_the_sample_lacks_is_said_in_words(client: Client) -> None:
    text, _ = await call(client, "kunngjoringer", lov_id=RENT)
    assert "Lovtidend er ikke lagret her" in text
    text, _ = await call(client, "eos_grunnlag", lov_id=RENT)
    assert "ingen EØS-henvisning" in text
    text, _ = await call(client, "definisjoner", term="romskip")
    assert "Fant ingen definisjon" in text
    assert "SERPER_API_KEY" in await refused(client, "finn_praksis", query="mangel bolig")


async def test_status_tells_what_is_stored(client: Client) -> None:
    _, found = await call(client, "status")
    assert found["documents"] == 9
    assert found["stamp"]["sample"]
    assert found["services"]["search"] == "ready"


async def test_a_sync_is_put_in_the_queue(client: Client) -> None:
    _, found = await call(client, "sync", force=False)
    assert set(found["started"]) == {"gjeldende-lover", "gjeldende-sentrale-forskrifter"}


async def test_wrong_calls_are_answered_with_sentences_to_act_on(client: Client) -> None:
    assert "Eksempel-hundeloven (lov/2999-05-01-9)" in await refused(client, "lov", lov_id="hundehold")
    assert "har ingen bestemmelse" in await refused(client, "lov", lov_id=RENT, paragraf="§ 99-9")
    unknown = await refused(client, "sok", query="leie", law_type="forskrift")
    assert unknown == "sok har ikke argumentet law_type. Det har: query, limit, doc_type, ministry, year."
    assert "Feil argumenter til sok: limit" in await refused(client, "sok", query="leie", limit=0)
    assert "styretegn" in await refused(client, "sok", query="le\x00ie")
    assert "doc_type må være en av" in await refused(client, "sok", query="leie", doc_type="roman")
    with pytest.raises(MCPError, match="finnes ikke"):
        await client.read_resource("lovdata://lov/1700-01-01-1")


async def test_names_of_acts_are_completed_in_resource_addresses(client: Client) -> None:
    templates = {one.uri_template for one in (await client.list_resource_templates()).resource_templates}
    assert templates == {"lovdata://{kind}/{number}", "lovdata://{kind}/{number}/{+section}"}

    async def completed(argument: str, value: str, **chosen: str) -> list[str]:
        reference = ResourceTemplateReference(type="ref/resource", uri="lovdata://{kind}/{number}/{+section}")
        found = await client.complete(reference, {"name": argument, "value": value}, chosen)
        return list(found.completion.values)

    assert await completed("kind", "fo") == ["forskrift"]
    assert await completed("number", "eksempel-husl", kind="lov") == ["2999-01-01-1"]
    assert (await completed("number", "eks-husll"))[0] == "2999-01-01-1"
    assert await completed("section", "3-2", kind="lov", number="2999-01-01-1") == ["§3-2"]
    assert await completed("section", "3-2", kind="lov", number="1700-01-01-1") == []
    written_so = await client.read_resource(f"lovdata://{RENT}/3-2")
    assert "fire måneders leie" in written_so.contents[0].text
    act = await client.read_resource(f"lovdata://{RENT}")
    assert "Innholdsfortegnelse" in act.contents[0].text


def test_each_request_stands_alone_so_that_replicas_share_the_load(system: System) -> None:
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "status", "arguments": {}}}
    headers = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-11-25"}
    answer = httpx2.post(f"{system.url}/mcp", json=body, headers=headers, timeout=30)
    assert answer.status_code == 200
    assert "mcp-session-id" not in answer.headers
    assert answer.history == []
    data = next(line for line in answer.text.splitlines() if line.startswith("data: {"))
    assert json.loads(data.removeprefix("data: "))["result"]["structuredContent"]["documents"] == 9
    foreign = httpx2.post(f"{system.url}/mcp", json=body, headers={**headers, "Host": "evil.example"}, timeout=30)
    assert foreign.status_code == 403


def test_the_command_ends_when_it_is_told_to_though_its_input_is_open(system: System) -> None:
    started = command("--url", system.url)
    with subprocess.Popen(
        [started.command, *started.args], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        info = {"name": "test", "version": "1"}
        params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info}
        process.stdin.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}) + "\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["result"]["serverInfo"]["name"] == "lovsvar"
        process.terminate()
        assert process.wait(30) == 128 + signal.SIGTERM


async def test_the_command_starts_what_does_not_run_and_stops_it_at_the_end(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    (tmp_path / "empty").mkdir()
    async with Client(command("--data-dir", str(folder), "--source", str(tmp_path / "empty"))) as client:
        text, _ = await call(client, "lov", lov_id="eks-husll", paragraf="3-2")
        assert "fire måneders leie" in text
        running = json.loads((folder / "running.json").read_text())
    with pytest.raises(httpx2.HTTPError):
        httpx2.get(f"{running['url']}/healthz", timeout=5)
