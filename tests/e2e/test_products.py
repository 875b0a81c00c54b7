"""A question that ends in who helps: the law's answer, and what a catalogue has beside it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from lovsvar_testkit import sse
from lovsvar_testkit.processes import System, running_system

ARBEIDSHULP = Path(__file__).parents[2] / "examples" / "catalogues" / "arbeidshulp"
HOST = "https://www.arbeidshulp.example/"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[System]:
    """All services with the sample corpus and a catalogue."""
    with running_system(tmp_path_factory.mktemp("products"), {"LOVSVAR_CATALOGUES": str(ARBEIDSHULP)}) as system:
        with httpx2.Client(base_url=system.url, timeout=60) as client:
            for dataset in ("eksempel", "katalog-arbeidshulp"):
                sync = client.post("/v1/ingest", json={"dataset": dataset}).json()["syncs"][0]
                *_, last = sse.events(client, f"/v1/ingest/{sync['sync_id']}/events")
                assert last["type"] == "sync.completed", last
        system.wait_ready(path="/readyz")
        system.wait_until(lambda reply: bool(reply.json().get("catalogues")), "/v1/catalogues", 60)
        yield system


def asked(client: httpx2.Client, question: str) -> tuple[dict[str, Any], list[str]]:
    """The answer, and the tools that were called for it."""
    run_id = client.post("/v1/questions", json={"question": question}).json()["run_id"]
    events = list(sse.events(client, f"/v1/questions/{run_id}/events"))
    return events[-2]["answer"], [e["name"] for e in events if e["type"] == "tool.called"]


def recommended(answer: dict[str, Any]) -> list[dict[str, Any]]:
    return [item for block in answer["blocks"] if block["kind"] == "recommendations" for item in block["items"]]


def test_interventions_are_recommended_from_the_catalogue_and_nothing_beside_a_question_of_law(served: System) -> None:
    with httpx2.Client(base_url=served.url, timeout=60) as client:
        found = client.get("/v1/products", params={"q": "burn-out", "limit": 10}).json()["hits"]
        answer, called = asked(client, "Welke interventies zijn er voor burn-out?")
        of_law, _ = asked(client, "Hvor mye kan utleier kreve i depositum?")
    assert called[-1] == "search_products"
    items = recommended(answer)
    known = {(hit["name"], hit["price"], hit["url"]) for hit in found}
    assert items and {(item["name"], item["price"], item["url"]) for item in items} <= known
    assert all(item["url"].startswith(HOST) and item["invented"] for item in items)
    assert of_law["citations"] and not recommended(of_law)
