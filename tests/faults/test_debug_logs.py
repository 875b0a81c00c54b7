"""Logs hold no question, no answer and no law, also at DEBUG, where libraries would show what passes through them."""

import json
import subprocess
import sys
from collections.abc import Iterator

import httpx2
import pytest

from lovsvar_testkit import sse
from lovsvar_testkit.processes import System, running_system
from lovsvar_testkit.scripted_model import standing_in_for_model

QUESTION = "Hva kan utleieren Fredrikke Tangnes kreve i depositum?"
ANSWER = "Fredrikke kan kreve høyst fire måneders leie [lovdata-1]."
QUOTE = "kan kreve et depositum på høyst fire måneders leie"
SCRIPT = [
    {"calls": [{"search_lovdata_legal_documents": {"query": "depositum Tangnes", "pageSize": 1}}]},
    {"final": {"answer": ANSWER, "citations": [["lovdata-1", QUOTE]]}, "repeat": True},
]
WORDS = ("Tangnes", "Fredrikke", "depositum", "fire måneders leie")
"""Of the question, the model's calls, the law, and the answer."""

KEY = "sk-nobody-may-read-this"


@pytest.fixture(scope="module")
def system(tmp_path_factory: pytest.TempPathFactory) -> Iterator[System]:
    with standing_in_for_model(SCRIPT) as model:
        environment = {
            "LOVSVAR_LOG_LEVEL": "DEBUG",
            "LOVSVAR_EMBEDDING": "off",
            "OPENAI_API_KEY": KEY,
            "OPENAI_BASE_URL": model.url,
            "LOVSVAR_MODEL": "scripted",
        }
        with running_system(tmp_path_factory.mktemp("debug"), environment) as system:
            with httpx2.Client(base_url=system.url, timeout=60) as client:
                sync = client.post("/v1/ingest", json={"dataset": "eksempel"}).json()["syncs"][0]
                *_, last = sse.events(client, f"/v1/ingest/{sync['sync_id']}/events")
            system.wait_version(last["corpus_version"])
            system.wait_ready(path="/readyz")
            yield system


def call_tool(client: httpx2.Client, name: str, **arguments: object) -> str:
    request = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": arguments}}
    headers = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-06-18"}
    reply = client.post("/mcp", json=request, headers=headers)
    assert reply.status_code == 200, reply.text
    return reply.text


def test_nothing_of_a_question_is_in_any_log(system: System) -> None:
    with httpx2.Client(base_url=system.url, timeout=60) as client:
        accepted = client.post("/v1/questions", json={"question": QUESTION}).json()
        *_, completed, _ = sse.events(client, f"/v1/questions/{accepted['run_id']}/events")
        assert "fire måneders leie" in completed["answer"]["answer_text"]
        assert client.get("/v1/search", params={"q": "depositum Tangnes"}).json()["hits"]
        assert client.get("/sok", params={"q": "depositum Tangnes"}).status_code == 200
        assert "fire måneders leie" in call_tool(client, "sok", query="depositum Tangnes")
    logs = {name: service.log.read_text(encoding="utf-8") for name, service in system.services.items()}
    found = {
        (name, word, line[:300])
        for name, text in logs.items()
        for line in text.splitlines()
        for word in (*WORDS, KEY)
        if word in line or json.dumps(word)[1:-1] in line
    }
    assert not found
    assert all(logs.values())


def test_what_libraries_say_at_debug_is_not_logged_and_what_we_say_is() -> None:
    program = """
import logging
from lovsvar_chassis import telemetry
telemetry.configure("search", "1", "DEBUG")
logging.getLogger("sse_starlette.sse").debug("chunk: %s", "svaret")
logging.getLogger("openai").info("retrying")
logging.getLogger("lovsvar_search.core").debug("ours")
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, encoding="utf-8")
    assert [json.loads(line)["event"] for line in ran.stderr.splitlines()] == ["retrying", "ours"]
