"""What a client is told when something is wrong."""

import json
from typing import Any

import httpx2
import pytest


def problem_of(answer: httpx2.Response, status: int, slug: str) -> dict[str, Any]:
    assert answer.status_code == status, answer.text
    assert answer.headers["Content-Type"] == "application/problem+json"
    document: dict[str, Any] = answer.json()
    assert (document["status"], document["type"]) == (status, f"urn:lovsvar:problem:{slug}")
    assert document["title"]
    assert document["detail"]
    assert document["correlation_id"] == answer.headers["X-Trace-Id"]
    return document


@pytest.mark.parametrize(
    ("question", "detail"),
    [
        ("", "Spørsmålet er tomt."),
        (" \n\t ", "Spørsmålet er tomt."),
        ("å" * 20_000, "Spørsmålet er for langt: 20000 tegn, høyst 4000."),
        ("a\x00b", "Teksten har styretegn eller ugyldige tegn, som ikke kan brukes."),
    ],
)
async def test_a_question_outside_the_limits_is_refused_in_a_clear_sentence(
    gateway: Any, question: str, detail: str
) -> None:
    answer = await gateway.client.post("/v1/questions", json={"question": question})
    document = problem_of(answer, 422, "invalid-request")
    assert document["detail"] == detail
    assert document["errors"] == [{"field": "question", "detail": detail}]
    assert document["instance"] == "/v1/questions"


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("/v1/search", ["q"]),
        ("/v1/search?q=+", ["q"]),
        ("/v1/search?q=a&page_size=21&law_type=ukjent&year=x", ["law_type", "year", "page_size"]),
        ("/v1/search?q=a&mode=magic&explain=kanskje", ["mode", "explain"]),
        ("/v1/search?q=a&in_force_on=2026-02-30", ["in_force_on"]),
        ("/v1/search?q=a&in_force_on=86400", ["in_force_on"]),
        ("/v1/search?q=a&document=x&dataset=%00", ["dataset", "document"]),
        (f"/v1/search?q=a&legal_area={'a' * 201}&dataset={'a' * 101}", ["legal_area", "dataset"]),
        ("/v1/resolve", ["ref"]),
        ("/v1/documents/lov%00", ["refid"]),
        ("/v1/questions/a.b", ["run_id"]),
        ("/v1/questions/abc/events?after=-1", ["after"]),
    ],
)
async def test_wrong_parameters_are_named(gateway: Any, path: str, fields: list[str]) -> None:
    document = problem_of(await gateway.client.get(path), 422, "invalid-request")
    assert [e["field"] for e in document["errors"]] == fields


async def test_a_day_that_does_not_exist_is_told_with_one_that_does(gateway: Any) -> None:
    document = problem_of(await gateway.client.get("/v1/search?q=a&in_force_on=i+fjor"), 422, "invalid-request")
    assert document["detail"] == "in_force_on må være en dato, som 2026-01-31."


async def test_a_wrong_last_event_id_is_named(gateway: Any) -> None:
    answer = await gateway.client.get("/v1/questions/abc/events", headers={"Last-Event-ID": "fem"})
    assert problem_of(answer, 422, "invalid-request")["errors"][0]["field"] == "Last-Event-ID"


@pytest.mark.parametrize("body", [b'{"question":', b"\xff\xfe", b"[" * 20_000])
async def test_a_body_that_is_no_json_is_malformed(gateway: Any, body: bytes) -> None:
    answer = await gateway.client.post("/v1/questions", content=body, headers={"Content-Type": "application/json"})
    problem_of(answer, 400, "malformed-request")


@pytest.mark.parametrize("body", [b"[]", b"3", b"null", b'{"question": 3}', b'{"question": "\\ud800"}', b"{}"])
async def test_a_body_of_another_shape_is_invalid(gateway: Any, body: bytes) -> None:
    answer = await gateway.client.post("/v1/questions", content=body, headers={"Content-Type": "application/json"})
    problem_of(answer, 422, "invalid-request")


async def test_a_body_over_the_limit_is_refused_whether_it_says_its_size_or_not(gateway: Any) -> None:
    body = json.dumps({"question": "a" * 500_000}).encode()

    async def chunks() -> Any:
        for start in range(0, len(body), 10_000):
            yield body[start : start + 10_000]

    headers = {"Content-Type": "application/json"}
    problem_of(await gateway.client.post("/v1/questions", content=body, headers=headers), 413, "too-large")
    problem_of(await gateway.client.post("/v1/questions", content=chunks(), headers=headers), 413, "too-large")


async def test_unknown_addresses_and_methods_are_problems_too(gateway: Any) -> None:
    problem_of(await gateway.client.get("/v1/nothing"), 404, "not-found")
    problem_of(await gateway.client.get("/static/nothing.css"), 404, "not-found")
    refused = await gateway.client.put("/v1/search")
    problem_of(refused, 405, "method-not-allowed")
    assert refused.headers["Allow"] == "GET"


async def test_an_unforeseen_error_is_told_without_its_words(gateway: Any, behind: Any, monkeypatch: Any) -> None:
    async def broken(*_: Any) -> None:
        raise RuntimeError("a secret")

    monkeypatch.setattr("lovsvar_gateway.adapters.services.Services.ask", broken)
    answer = await gateway.client.get("/v1/search?q=a")
    problem_of(answer, 500, "internal")
    assert "secret" not in answer.text
    assert "Traceback" not in answer.text


async def test_a_service_that_nobody_runs_is_a_problem_at_once(gateway: Any) -> None:
    answer = await gateway.client.get("/v1/search?q=a")
    assert problem_of(answer, 503, "unavailable")["retryable"]
    assert int(answer.headers["Retry-After"]) > 0
    assert answer.elapsed.total_seconds() < 2


async def test_the_openapi_document_names_the_routes_and_the_problems(gateway: Any) -> None:
    document = (await gateway.client.get("/openapi.json")).json()
    assert document["openapi"].startswith("3.1")
    assert "ProblemDocument" in document["components"]["schemas"]
    for path in ("/v1/questions", "/v1/questions/{run_id}/events", "/v1/provisions:batch", "/v1/ingest"):
        for operation in document["paths"][path].values():
            assert "application/problem+json" in operation["responses"]["422"]["content"]


async def test_the_openapi_document_describes_what_a_search_can_be_kept_to(gateway: Any) -> None:
    document = (await gateway.client.get("/openapi.json")).json()
    parameters = {p["name"]: p for p in document["paths"]["/v1/search"]["get"]["parameters"]}
    for name in ("q", "ministry", "legal_area", "dataset", "document", "in_force_on", "mode", "explain"):
        assert parameters[name]["description"], name
    assert {"type": "string", "format": "date"} in parameters["in_force_on"]["schema"]["anyOf"]
    assert document["components"]["schemas"]["SearchMode"]["enum"] == ["lexical", "vector", "hybrid"]
