"""The OpenAPI document is whole, and the gateway does what it says."""

import asyncio
import contextlib
import json
from functools import cache
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from jsonschema_rs import validator_for
from schemathesis.core.result import Ok
from schemathesis.specs.openapi import checks

from lovsvar_contracts import subjects
from lovsvar_contracts.practice import PracticeHits
from lovsvar_gateway import examples
from lovsvar_gateway.access import OPEN
from lovsvar_gateway.app import create_app
from lovsvar_gateway.openapi import operations
from lovsvar_gateway.settings import Settings

DOCUMENT: dict[str, Any] = create_app(Settings()).openapi()
OPERATIONS = {operation["operationId"]: (path, method, operation) for path, method, operation in operations(DOCUMENT)}
EACH = pytest.mark.parametrize("name", OPERATIONS)
EXAMPLES = 3
MANY_EXAMPLES = 25
CHECKS = [
    schemathesis.checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
    checks.response_headers_conformance,
]


@pytest.fixture
def behind(shared_behind: Any) -> Any:
    """The services behind, which all tests here use."""
    return shared_behind


def checked(schema: dict[str, Any], value: Any) -> None:
    """Raise where `value` is not what `schema`, a part of the document, says."""
    validator(json.dumps(schema)).validate(value)


@cache
def validator(schema: str) -> Any:
    """Return what validates by `schema`, JSON of a part of the document."""
    return validator_for({**json.loads(schema), "components": DOCUMENT["components"]})


def test_operations_are_named_once_by_what_they_do() -> None:
    assert len(OPERATIONS) == sum(len(methods) for methods in DOCUMENT["paths"].values())
    assert DOCUMENT["openapi"].startswith("3.1")


@EACH
def test_an_operation_says_who_may_call_it_and_shows_what_it_takes_and_gives(name: str) -> None:
    path, _, operation = OPERATIONS[name]
    assert operation["summary"]
    assert operation["description"]
    assert bool(operation.get("security")) == (path not in OPEN)
    if body := operation.get("requestBody"):
        (content,) = body["content"].values()
        checked(content["schema"], content["example"])
    for status, response in operation["responses"].items():
        assert "X-Trace-Id" in response["headers"]
        for media_type, content in response.get("content", {}).items():
            assert content["example"], (status, media_type)
            checked(content["schema"], content["example"])


def test_parameters_have_examples_that_they_take() -> None:
    for name, (_, _, operation) in OPERATIONS.items():
        for parameter in operation.get("parameters", []):
            shown = parameter.get("example", parameter["schema"].get("examples", [None])[0])
            if shown is not None:
                checked(parameter["schema"], shown)
            assert shown is not None or "default" in parameter["schema"] or not parameter["required"], (
                name,
                parameter["name"],
            )


def check_events(schema: dict[str, Any], text: str) -> None:
    """Raise where the data of a numbered event in `text` is not what the document says of it."""
    for event in text.split("\n\n"):
        lines = dict(line.split(": ", 1) for line in event.splitlines() if ": " in line)
        if "id" in lines:
            checked(schema["schema"]["x-event-data"], json.loads(lines["data"]))


def test_examples_of_streams_are_events_of_the_document() -> None:
    for model, text in examples.STREAMS.items():
        check_events({"schema": {"x-event-data": {"$ref": f"#/components/schemas/{model}"}}}, text)


@EACH
@pytest.mark.parametrize("examples", [EXAMPLES, pytest.param(MANY_EXAMPLES, marks=pytest.mark.slow)])
async def test_what_it_answers_is_what_the_document_says(gateway: Any, behind: Any, name: str, examples: int) -> None:
    behind.reply[subjects.PRACTICE_SEARCH] = PracticeHits(hits=(), took_ms=1)
    await asyncio.to_thread(try_operation, name, gateway.url, examples)


@cache
def operations_to_call() -> dict[str, Any]:
    """Return the operations as schemathesis reads them, by name."""
    found = schemathesis.openapi.from_dict(DOCUMENT).get_all_operations()
    return {one.ok().definition.raw["operationId"]: one.ok() for one in found if isinstance(one, Ok)}


def try_operation(name: str, url: str, examples: int) -> None:
    """Call an operation with whatever the document allows, and what it does not."""
    operation = operations_to_call()[name]
    wanted = operation.as_strategy()
    with contextlib.suppress(Unsatisfiable):
        wanted |= operation.as_strategy(generation_mode=schemathesis.GenerationMode.NEGATIVE)

    @given(case=wanted)
    @settings(max_examples=examples, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    def call(case: schemathesis.Case) -> None:
        response = case.call(base_url=url, timeout=20)
        left_out = set()
        if response.headers["content-type"][0].startswith("text/event-stream"):
            # The schema is of the text of a stream, and would be taken for that of each event.
            left_out.add(checks.response_schema_conformance)
            check_events(operation.definition.raw["responses"]["200"]["content"]["text/event-stream"], response.text)
        if response.status_code == 503 and response.json()["type"].endswith(":queue-full"):
            # As many questions as are asked here may well fill the queue, and no agent empties it.
            left_out.add(schemathesis.checks.not_a_server_error)
        case.validate_response(response, checks=[one for one in CHECKS if one not in left_out])

    call()
