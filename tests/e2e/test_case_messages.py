"""A message in a case, answered by a scripted model that works on the case with tools, on the sample corpus."""

import base64
import json
import os
import re
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest

from lovsvar_testkit import sse
from lovsvar_testkit.processes import System, running_system
from lovsvar_testkit.scripted_model import ScriptedModel, standing_in_for_model

STORY = "Utleieren min, Solveig Nordmann, betaler ikke tilbake depositumet på 30 000 kr."
MESSAGE = "Nordmann svarer ikke på telefon 41 23 45 67. Hvor mye kunne hun kreve i depositum?"


def work(body: dict[str, Any], _: int) -> dict[str, Any]:
    """Decide on the tier; read the case, note a fact, search, and answer. A call that failed is made again."""
    if "hvilket nivå en sak hører til" in str(body["messages"][0]["content"]):
        return {"text": json.dumps({"tier": 1, "reason": "Ett krav mot utleieren.", "question": ""})}
    found = re.search(r"i saken (\w{32})", str(body["messages"][0]["content"]))
    case_id = found[1] if found else "none"
    shown = json.dumps(body["messages"], ensure_ascii=False).partition("fire måneders leie")[0]
    source = (re.findall(r"lovdata-\d+", shown) or ["lovdata-1"])[-1]
    fact = {"fact": "{{party0.lastName}} svarer ikke."}
    replies: list[dict[str, Any]] = [
        {"calls": [{"get_case_details": {"case_id": case_id}}]},
        {"calls": [{"update_case_details": {"case_id": case_id, "updates": {"facts": [fact]}}}]},
        {"calls": [{"search_lovdata_legal_documents": {"query": "depositum", "pageSize": 1}}]},
        {
            "final": {
                "answer": f"Utleieren kan kreve et depositum på høyst fire måneders leie [{source}].",
                "citations": [[source, "Utleieren kan kreve et depositum på høyst fire måneders leie"]],
            }
        },
    ]
    called = sum(bool(message.get("tool_calls")) for message in body["messages"])
    failed = sum(str(message["content"]).startswith("Verktøyet") for message in body["messages"])
    return replies[min(called - failed, 3)]


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with standing_in_for_model(work) as model:
        yield model


@pytest.fixture
def door(tmp_path_factory: pytest.TempPathFactory, model: ScriptedModel) -> Iterator[httpx2.Client]:
    environment = {
        "OPENAI_API_KEY": "sk-scripted",
        "OPENAI_BASE_URL": model.url,
        "LOVSVAR_MODEL": "scripted",
        "LOVSVAR_AGENT_TOOL_SERVICES": "cases",
        "LOVSVAR_CASES_MASTER_KEY": base64.b64encode(os.urandom(32)).decode(),
    }
    with running_system(tmp_path_factory.mktemp("cases"), environment) as system:
        yield from _ready(system)


def _ready(system: System) -> Iterator[httpx2.Client]:
    with httpx2.Client(base_url=system.url, timeout=60) as client:
        sync = client.post("/v1/ingest", json={"dataset": "eksempel"}).json()["syncs"][0]
        *_, last = sse.events(client, f"/v1/ingest/{sync['sync_id']}/events")
        system.wait_version(last["corpus_version"])
        system.wait_ready(path="/readyz")
        yield client


def test_a_message_is_answered_by_a_run_that_works_on_the_case_and_knows_no_names(
    door: httpx2.Client, model: ScriptedModel
) -> None:
    case = door.post("/v1/cases", json={"title": "Depositum", "description": STORY}).json()
    path = f"/v1/cases/{case['case_id']}"
    fields = {"firstName": "Solveig", "lastName": "Nordmann"}
    party = {"kind": "person", "role": "utleier", "fields": fields}
    assert door.post(f"{path}/parties", json=party).status_code == 201
    sent = [
        door.post(f"{path}/messages", json={"message": MESSAGE}, headers={"Idempotency-Key": "first"}) for _ in range(2)
    ]
    assert [answer.status_code for answer in sent] == [202, 202], sent[0].text
    assert sent[0].json() == sent[1].json()
    run = sent[0].json()["links"]
    events = list(sse.events(door, run["events"]))
    assert [event["type"] for event in events][-1] == "run.completed"
    used = [event["name"] for event in events if event["type"] == "tool.called"]
    assert {"get_case_details", "update_case_details"} <= set(used)
    answer = door.get(run["self"]).json()
    assert "\nUtleieren kan kreve" in answer["answer_text"], answer["answer_text"]
    (noted,) = [event for event in events if event.get("name") == "update_case_details"][:1]
    assert noted["arguments"]["updates"]["facts"][0]["fact"] == "Nordmann svarer ikke."
    assert answer["citations"][0]["verified"] is True
    asked = json.dumps(model.requests, ensure_ascii=False)
    assert "{{party0.lastName}}" in asked
    assert not [secret for secret in ("Nordmann", "Solveig", "41 23 45 67") if secret in asked]
    details = door.get(path).json()["state"]["details"]
    assert [fact["fact"] for fact in details["facts"]] == ["Nordmann svarer ikke."], events
    said = [(one["by"], one["text"].partition(" [")[0]) for one in details["agent_interactions"]["log"]]
    assert [by for by, _ in said] == ["person", "person", "assistant"]
    assert said[1][1] == MESSAGE
    assert door.get(path).json()["state"]["phase"] == "active"
