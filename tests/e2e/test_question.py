"""A question, from POST to the checked answer."""

import asyncio
import signal
from collections.abc import Iterator
from typing import Any

import httpx2
import nats
import pytest
from nats.aio.msg import Msg

from lovsvar_contracts import subjects
from lovsvar_contracts.run_events import CLOSING
from lovsvar_testkit import sse
from lovsvar_testkit.collector import Collector, SeenSpan
from lovsvar_testkit.processes import System

DEPOSIT = "Hvor mye kan utleier kreve i depositum?"


def ask(client: httpx2.Client, question: str = DEPOSIT, **more: Any) -> str:
    accepted = client.post("/v1/questions", json={"question": question, **more})
    assert accepted.status_code == 202, accepted.text
    return str(accepted.json()["run_id"])


def follow(client: httpx2.Client, run_id: str, after: int = 0) -> Iterator[dict[str, Any]]:
    return sse.events(client, f"/v1/questions/{run_id}/events", after=str(after or ""))


@pytest.fixture
def standing_search(system: System, client: httpx2.Client) -> Iterator[None]:
    """Search stands still, so that no run can end by itself."""
    search = system.services["search"]
    search.signal(signal.SIGSTOP)
    yield
    search.signal(signal.SIGCONT)


def test_a_question_is_answered_with_verified_quotes(client: httpx2.Client) -> None:
    run_id = ask(client)
    events = list(follow(client, run_id))

    types = [e["type"] for e in events]
    assert types[:2] == ["run.accepted", "run.started"]
    assert types[-2:] == ["answer.completed", "run.completed"]
    assert [e["id"] for e in events] == list(range(1, len(events) + 1))
    assert {e["run_id"] for e in events} == {run_id}

    answer = events[-2]["answer"]
    assert (answer["citations"][0]["refid"], answer["citations"][0]["section"]) == ("lov/2999-01-01-1", "§3-2")
    assert "fire måneders leie" in answer["citations"][0]["quote"]
    assert all(c["verified"] for c in answer["citations"])
    assert answer["sample"]
    assert "oppdikte" in answer["answer_text"]

    snapshot = client.get(f"/v1/questions/{run_id}").json()
    assert snapshot["status"] == "completed"
    assert snapshot["answer_html"] == answer["answer_html"]


async def test_neither_a_question_nor_a_view_of_the_page_asks_how_services_are(
    system: System, client: httpx2.Client
) -> None:
    def ask_and_look() -> None:
        list(follow(client, ask(client)))
        assert client.get("/").status_code == 200

    await asyncio.to_thread(ask_and_look)
    asked: list[str] = []
    connection = await nats.connect(system.nats_url)
    for subject in (subjects.health("*"), subjects.SEARCH_STATUS, subjects.SEARCH_PROVISIONS):

        async def note(message: Msg) -> None:
            asked.append(message.subject)

        await connection.subscribe(subject, cb=note)
    await connection.flush()
    await asyncio.to_thread(ask_and_look)
    await connection.drain()
    assert subjects.SEARCH_PROVISIONS in asked
    # The page asks for the date that it shows; a question knows it from the replies to the one before.
    assert asked.count(subjects.SEARCH_STATUS) == 1
    assert not [subject for subject in asked if ".health." in subject]


def test_a_questions_filters_hold_for_what_it_searches_and_are_shown_again(client: httpx2.Client) -> None:
    filters = {"law_type": "forskrift", "year": None, "ministry": None}
    run_id = ask(client, filters=filters)
    events = list(follow(client, run_id))
    assert events[0]["filters"] == filters
    searches = [e["arguments"] for e in events if e["type"] == "tool.called" and "query" in e["arguments"]]
    assert searches and all(s["lawType"] == "forskrift" for s in searches)
    found = [e for event in events if event["type"] == "sources.found" for e in event["evidence"]]
    assert {e["refid"].partition("/")[0] for e in found} <= {"forskrift"}
    answer = client.get(f"/v1/questions/{run_id}").json()
    assert answer["filters"] == filters
    assert not [c for c in answer["citations"] if c["refid"].startswith("lov/")]
    assert "Avgrenset til: forskrift." in client.get(f"/?run={run_id}").text


def test_a_follow_up_is_answered_with_what_it_follows(client: httpx2.Client) -> None:
    first = ask(client)
    list(follow(client, first))
    *events, completed, _ = follow(client, ask(client, "Og på hvilken konto?", follows=first))
    assert (events[0]["follows"], completed["answer"]["follows"]) == (first, first)
    cited = {(c["refid"], c["section"]) for c in completed["answer"]["citations"]}
    assert ("lov/2999-01-01-1", "§3-3") in cited
    assert "earlier" in [e.get("name") for e in events if e["type"] == "step.started"]
    unknown = client.post("/v1/questions", json={"question": "Og da?", "follows": "0" * 32})
    assert unknown.status_code == 404


def test_the_document_that_a_citation_links_to_shows_the_provision(client: httpx2.Client) -> None:
    *_, completed, _ = follow(client, ask(client))
    for citation in completed["answer"]["citations"]:
        page = client.get(citation["url"].split("#")[0])
        assert page.status_code == 200
        assert f'id="{citation["section"]}"' in page.text
        assert citation["quote"].splitlines()[0] in page.text


def test_what_the_law_does_not_answer_is_not_answered(client: httpx2.Client) -> None:
    *_, completed, _ = follow(client, ask(client, "Hvorfor er himmelen blå på planeten Mars?"))
    answer = completed["answer"]
    assert answer["insufficient"]
    assert answer["tier"] in {"related", "nothing"}
    assert "Svarer på spørsmålet" not in answer["answer_text"]
    if answer["citations"]:
        assert answer["answer_text"].count("Kan være relevant") == 1, "what is quoted is said to be no answer"


def test_a_stream_cut_at_any_event_and_taken_up_again_yields_each_event_once(client: httpx2.Client) -> None:
    run_id = ask(client)
    uncut = list(follow(client, run_id))
    for cut in range(1, len(uncut)):
        head = []
        for event in follow(client, run_id):
            head.append(event)
            if event["id"] == cut:
                break
        assert head + list(follow(client, run_id, after=cut)) == uncut


@pytest.mark.usefixtures("standing_search")
def test_a_run_survives_the_death_of_its_agent(system: System, client: httpx2.Client) -> None:
    agent, search = system.services["agent"], system.services["search"]
    run_id = ask(client)
    next(e for e in follow(client, run_id) if e["type"] == "run.started")
    agent.kill()
    agent.start()
    search.signal(signal.SIGCONT)
    events = list(follow(client, run_id))

    assert events[-1]["type"] == "run.completed"
    assert [e["id"] for e in events] == list(range(1, len(events) + 1))
    assert [e["attempt"] for e in events if e["type"] == "run.started"] == [1, 2]
    assert sum(e["type"] in CLOSING for e in events) == 1
    assert all(c["verified"] for c in events[-2]["answer"]["citations"])


@pytest.mark.usefixtures("standing_search")
def test_a_cancelled_run_ends_once_and_cancelling_again_changes_nothing(client: httpx2.Client) -> None:
    run_id = ask(client)
    for _ in range(2):
        assert client.delete(f"/v1/questions/{run_id}").status_code == 204
    assert [e["type"] for e in follow(client, run_id) if e["type"] in CLOSING] == ["run.cancelled"]
    assert client.get(f"/v1/questions/{run_id}").json()["status"] == "cancelled"


def test_one_trace_runs_from_the_http_request_over_nats_to_sql(client: httpx2.Client, collector: Collector) -> None:
    accepted = client.post("/v1/questions", json={"question": DEPOSIT})
    list(follow(client, accepted.json()["run_id"]))

    def is_whole(spans: list[SeenSpan]) -> bool:
        return {"lovsvar-gateway", "lovsvar-agent", "lovsvar-search"} <= {s.service for s in spans} and any(
            s.service == "lovsvar-search" and "SELECT" in s.name.upper() for s in spans
        )

    def has_root(spans: list[SeenSpan]) -> bool:
        return is_whole(spans) and any(not s.parent for s in spans)

    spans = collector.wait_for(accepted.headers["X-Trace-Id"], has_root)
    assert is_whole(spans), spans
    assert [s.service for s in spans if not s.parent] == ["lovsvar-gateway"]


def test_an_empty_question_and_a_long_one_are_refused_with_a_reason(client: httpx2.Client) -> None:
    for question, word in (("   ", "tomt"), ("å" * 20_000, "langt")):
        answer = client.post("/v1/questions", json={"question": question})
        assert answer.status_code == 422
        assert answer.headers["content-type"].startswith("application/problem+json")
        assert word in answer.json()["detail"]
