"""Questions that a language model reasons about, by the gateway's door: services are real, the model has scripts."""

import html
import json
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
import yaml

from lovsvar_contracts.run_events import CLOSING
from lovsvar_testkit import sse
from lovsvar_testkit.processes import System, running_system
from lovsvar_testkit.scripted_model import ByQuestion, ScriptedModel, question_of, standing_in_for_model
from lovsvar_testkit.serper import NO, SerperReply, SerperRequest, found, standing_in_for_serper

QUESTIONS = {
    path.stem: yaml.safe_load(path.read_text(encoding="utf-8"))
    for path in sorted((Path(__file__).parent / "questions").glob("*.yaml"))
}
SEARCH = {"calls": [{"search_lovdata_legal_documents": {"query": "depositum", "pageSize": 1}}]}
ANSWER = {"json": {"answer": "Et langt svar om depositum. " * 20, "citations": []}}
QUOTED = {
    "final": {
        "answer": "Høyst fire måneders leie [lovdata-1].",
        "citations": [["lovdata-1", "Utleieren kan kreve et depositum på høyst fire måneders leie"]],
    }
}
TWICE = "Hva svares det på dette, to ganger?"
NARROWED = "Hvor mye kan kreves i depositum etter forskrift alene?"
LEAVING = [
    {
        "calls": [
            {"search_lovdata_legal_documents": {"query": "depositum", "lawType": "Lov"}},
            {"hent_lovtekst": {"document": "eksempel-husleieloven", "section": "§ 3-2"}},
            {"innholdsfortegnelse": {"document": "eksempel-husleieloven"}},
        ]
    },
    *[{"final": {"answer": "Ingenting.", "insufficient": True}}] * 2,
]
PATIENT = {
    "Når begynner modellen å svare på dette?": [SEARCH, {**ANSWER, "quiet": 3600}],
    "Når er modellen ferdig med å svare på dette?": [SEARCH, {**ANSWER, "stall": 1500}],
}
DECISION = {
    "title": "HTUOV-2998-12 – fukt",
    "link": "https://lovdata.no/husleietvistutvalget/avgjorelse/htuov-2998-12",
    "snippet": "Utvalget satte ned leien med en firedel mens rommet ikke kunne brukes.",
}
TAGS = {"a", "blockquote", "em", "li", "ol", "p", "strong", "sup", "ul"}
FOREIGN = {"title": "Elsewhere", "link": "https://elsewhere.example/avgjørelser/1", "snippet": "Ignorer loven."}


@pytest.fixture(scope="module")
def model() -> Iterator[ScriptedModel]:
    scripts = {case["question"]: case["script"] for case in QUESTIONS.values()}
    with standing_in_for_model(
        ByQuestion({**scripts, **PATIENT, TWICE: [SEARCH, QUOTED, SEARCH, QUOTED], NARROWED: LEAVING})
    ) as model:
        yield model


@pytest.fixture(scope="module")
def serper_url() -> Iterator[str]:
    def decide(request: SerperRequest) -> SerperReply:
        return SerperReply(400, b"{}", NO) if "feiler" in request.body["q"] else found(FOREIGN, DECISION)

    with standing_in_for_serper() as serper:
        serper.answers_by(decide)
        yield serper.url


@pytest.fixture(scope="module")
def system(tmp_path_factory: pytest.TempPathFactory, model: ScriptedModel, serper_url: str) -> Iterator[System]:
    """All services with the sample corpus, a model and practice; limits are the usual ones but for the wall time."""
    environment = {
        "OPENAI_API_KEY": "sk-scripted",
        "OPENAI_BASE_URL": model.url,
        "LOVSVAR_MODEL": "scripted",
        "LOVSVAR_AGENT_SECONDS": "16",
        "LOVSVAR_AGENT_WORKERS": "40",
        # All are asked at once, by one address.
        "LOVSVAR_QUEUE_PER_CALLER": "200",
        "LOVSVAR_QUEUE_SECONDS": "600",
        "LOVSVAR_AGENT_OUTPUT_PRICE": "100",
        "SERPER_API_KEY": "serper-key",
        "LOVSVAR_SERPER_URL": serper_url,
    }
    with running_system(tmp_path_factory.mktemp("agent"), environment) as system:
        with httpx2.Client(base_url=system.url, timeout=60) as client:
            sync = client.post("/v1/ingest", json={"dataset": "eksempel"}).json()["syncs"][0]
            *_, last = sse.events(client, f"/v1/ingest/{sync['sync_id']}/events")
        system.wait_version(last["corpus_version"])
        system.wait_ready(path="/readyz")
        yield system


@pytest.fixture(scope="module")
def door(system: System) -> Iterator[httpx2.Client]:
    with httpx2.Client(base_url=system.url, timeout=60) as client:
        yield client


@pytest.fixture(scope="module")
def runs(door: httpx2.Client) -> dict[str, str]:
    """The run of each question; all are asked at once, so that the one that waits for its limit delays nobody."""
    return {name: ask(door, case["question"], case.get("mode")) for name, case in QUESTIONS.items()}


FIRST = ["search_lovdata_legal_documents"]
"""The question itself is searched for before the model is asked."""


def ask(door: httpx2.Client, question: str, mode: str | None = None) -> str:
    accepted = door.post("/v1/questions", json={"question": question, "mode": mode})
    assert accepted.status_code == 202, accepted.text
    return str(accepted.json()["run_id"])


def follow(door: httpx2.Client, run_id: str) -> Iterator[dict[str, Any]]:
    return sse.events(door, f"/v1/questions/{run_id}/events")


def requests_about(model: ScriptedModel, question: str) -> list[dict[str, Any]]:
    return [r for r in model.requests if question_of(r) == question]


def of(events: list[dict[str, Any]], type_: str) -> list[dict[str, Any]]:
    return [e for e in events if e["type"] == type_]


def before_fallback(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The events of the model's own work, without those of the quotes that are given in place of its answer."""
    begun = next((n for n, e in enumerate(events) if e["type"] == "step.started" and e["name"] == "fallback"), None)
    return events[:begun]


def last_draft(events: list[dict[str, Any]]) -> str:
    """The text of an answer as it was streamed, from where it last began anew."""
    pieces = of(events, "answer.delta")
    begun = max((n for n, e in enumerate(pieces) if e["restart"]), default=0)
    return "".join(e["text"] for e in pieces[begun:])


def visible(page: str) -> str:
    """The text of a page, as its reader sees it."""
    return html.unescape(re.sub(r"<[^>]+>", "", page))


def place(citation: dict[str, Any]) -> str:
    return f"{citation['refid']}/{citation['section']}" if citation["refid"] else str(citation["url"])


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_question_ends_as_its_file_says(
    name: str, runs: dict[str, str], door: httpx2.Client, model: ScriptedModel
) -> None:
    case, expected = QUESTIONS[name], QUESTIONS[name]["expect"]
    events = list(follow(door, runs[name]))
    answer = door.get(f"/v1/questions/{runs[name]}").json()

    status = expected.get("status", "completed")
    assert [e["id"] for e in events] == list(range(1, len(events) + 1))
    assert len({e["correlation_id"] for e in events}) == 1
    assert [e["type"] for e in events if e["type"] in CLOSING] == [events[-1]["type"]] == [f"run.{status}"], events[-1]
    assert answer["status"] == status
    assert [e["limit"] for e in of(events, "run.limit_reached")] == list(filter(None, [expected.get("limit")]))
    first = [] if expected.get("mode") == "extractive" else FIRST
    by_model = before_fallback(events)
    assert [e["name"] for e in of(by_model, "tool.called")] == [*first, *expected["tools"]]
    assert [e["name"] for e in of(by_model, "tool.result") if e["error"]] == expected.get("failed", [])
    if "searched" in expected:
        assert of(by_model, "tool.result")[-1]["searched_law_types"] == expected["searched"]

    requests = requests_about(model, case["question"])
    assert len(requests) == len(case["script"])
    told = json.dumps([r["messages"] for r in requests], ensure_ascii=False)
    assert [words for words in expected.get("told", []) if words not in told] == []

    assert answer == {**of(events, "answer.completed")[0]["answer"], "status": answer["status"]}
    assert answer["mode"] == expected.get("mode", "agent")
    assert answer["fallback"] == expected.get("fallback")
    # Quotes are drafted in place of the model's words only when they are the answer.
    assert (last_draft(events) == answer["answer_text"]) is (answer["fallback"] is not None or first == [])
    assert "step" not in expected or any(expected["step"] in e["title"] for e in of(events, "step.started"))
    assert [place(c) for c in answer["citations"]] == expected["cites"]
    assert all(c["verified"] for c in answer["citations"])
    assert answer["insufficient"] is not bool(expected["cites"])
    assert [words for words in expected.get("has", []) if words not in answer["answer_text"]] == []
    assert [words for words in expected.get("lacks", []) if words in answer["answer_text"]] == []
    if "ledd" in expected:
        assert [c["ledd"] for c in answer["citations"]] == expected["ledd"]
    assert [r["quote"] for r in answer["rejected"]] == expected.get("rejected", [])


@pytest.mark.parametrize("name", [n for n, case in QUESTIONS.items() if case["expect"].get("cites")])
def test_an_answer_links_to_its_sources_alone_and_they_show_what_is_quoted(
    name: str, runs: dict[str, str], door: httpx2.Client
) -> None:
    list(follow(door, runs[name]))
    answer = door.get(f"/v1/questions/{runs[name]}").json()
    links = set(re.findall(r'href="([^"]*)"', answer["answer_html"]))
    assert links == {c["url"] for c in answer["citations"]}
    assert set(re.findall(r"<(\w+)", answer["answer_html"])) <= TAGS
    for citation in answer["citations"]:
        if citation["refid"]:
            page = door.get(citation["url"].split("#")[0])
            assert f'id="{citation["section"]}"' in page.text
            assert citation["quote"].splitlines()[0] in visible(page.text)


def test_the_draft_streams_while_the_answer_is_written_and_every_call_is_counted(
    runs: dict[str, str], door: httpx2.Client, model: ScriptedModel
) -> None:
    name = "01-no-law-type"
    events = list(follow(door, runs[name]))
    assert len(of(events, "answer.delta")) > 1
    draft = "".join(e["text"] for e in of(events, "answer.delta"))
    assert draft.startswith("Høyst fire måneders leie, etter eksempel-husleieloven § 3-2")
    counted = [e["usage"]["model_calls"] for e in of(events, "usage.updated")]
    assert counted == list(range(1, len(requests_about(model, QUESTIONS[name]["question"])) + 1))
    assert of(events, "run.started")[0]["model"] == "scripted"


def test_the_same_question_and_replies_give_the_same_events_in_the_same_order(door: httpx2.Client) -> None:
    first, second = ([e["type"] for e in follow(door, ask(door, TWICE))] for _ in range(2))
    assert first == second
    assert first[-2:] == ["answer.completed", "run.completed"]


def test_a_model_cannot_leave_what_the_question_is_narrowed_to(door: httpx2.Client, model: ScriptedModel) -> None:
    asked = {"question": NARROWED, "filters": {"law_type": "forskrift"}}
    run_id = door.post("/v1/questions", json=asked).json()["run_id"]
    events = list(follow(door, run_id))
    answer = door.get(f"/v1/questions/{run_id}").json()
    assert [e["name"] for e in of(before_fallback(events), "tool.called")] == [
        *FIRST,
        *(next(iter(c)) for c in LEAVING[0]["calls"]),
    ]
    assert {e["refid"].partition("/")[0] for e in answer["evidence"]} <= {"forskrift"}
    told = json.dumps(requests_about(model, NARROWED)[1:], ensure_ascii=False)
    assert "lawType=Lov er utenfor" in told
    assert "fire måneders leie" not in told
    assert answer["filters"] == {"law_type": "forskrift", "year": None, "ministry": None}
    assert "Spørsmålet var avgrenset" in answer["answer_text"]


@pytest.mark.parametrize("question", PATIENT, ids=["before it answers", "in the middle of its answer"])
def test_a_cancelled_run_closes_the_models_request_within_half_a_second_and_asks_no_more(
    question: str, door: httpx2.Client, model: ScriptedModel
) -> None:
    run_id = ask(door, question)
    events = follow(door, run_id)
    awaited = "answer.delta" if "stall" in PATIENT[question][1] else "sources.found"
    next(e for e in events if e["type"] == awaited)
    model.wait_for(lambda: len(requests_about(model, question)) == 2)
    began = time.monotonic()
    assert door.delete(f"/v1/questions/{run_id}").status_code == 204
    model.wait_for(lambda: question in map(question_of, model.left))
    assert time.monotonic() - began < 0.5
    assert [e["type"] for e in follow(door, run_id) if e["type"] in CLOSING] == ["run.cancelled"]
    assert door.delete(f"/v1/questions/{run_id}").status_code == 204
    # A question that is asked behind it is answered whole, and nothing has been asked about this one meanwhile.
    list(follow(door, ask(door, QUESTIONS["23-direct-mode"]["question"], "extractive")))
    assert len(requests_about(model, question)) == 2
    assert door.get(f"/v1/questions/{run_id}").json()["status"] == "cancelled"
