"""`docs/asyncapi.json` is what the contracts say, and the services answer what it says."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from faststream.specification.asyncapi.v3_0_0.schema import ApplicationSchema

from lovsvar_agent import app as agent
from lovsvar_agent.settings import Settings as AgentSettings
from lovsvar_chassis.service import Service
from lovsvar_chassis.streams import STREAMS
from lovsvar_contracts import subjects
from lovsvar_contracts.asyncapi import document
from lovsvar_contracts.channels import CHANNELS
from lovsvar_practice import app as practice
from lovsvar_practice.settings import Settings as PracticeSettings
from lovsvar_search import app as search
from lovsvar_search.settings import Settings as SearchSettings

PAGE = Path(__file__).parents[2] / "docs" / "asyncapi.json"
DOCUMENT: dict[str, Any] = document()


def test_the_file_is_what_the_contracts_say_now() -> None:
    said = json.loads(PAGE.read_text(encoding="utf-8"))
    assert said == json.loads(json.dumps(DOCUMENT)), "run `just asyncapi`"


def test_it_is_an_asyncapi_document_whose_references_lead_somewhere() -> None:
    ApplicationSchema.model_validate(DOCUMENT)
    found = [node["$ref"] for node in nodes(DOCUMENT) if isinstance(node.get("$ref"), str)]
    for reference in found:
        target: Any = DOCUMENT
        for part in reference.removeprefix("#/").split("/"):
            target = target[part]
    assert len(found) > 100


def nodes(value: Any) -> list[dict[str, Any]]:
    if isinstance(value, dict):
        return [value, *(inner for v in value.values() for inner in nodes(v))]
    return [inner for v in value for inner in nodes(v)] if isinstance(value, list) else []


def test_every_subject_and_every_stream_has_its_channel() -> None:
    written = {channel.subject for channel in CHANNELS}
    for name, value in vars(subjects).items():
        if not isinstance(value, str) or not value.startswith("lovsvar.") or value == subjects.DOCUMENT_ANY:
            continue
        prefix = value.removesuffix("*")
        assert any(s == value or ("*" in value and s.startswith(prefix)) for s in written), name
    assert {c.stream for c in CHANNELS if c.stream} == {s.name for s in STREAMS} | {subjects.STREAM_AUDIT}


@pytest.mark.parametrize(
    "service",
    [agent.build(AgentSettings()), practice.build(PracticeSettings()), search.build(SearchSettings())],
    ids=["agent", "practice", "search"],
)
def test_a_service_takes_nothing_that_is_not_in_it(service: Service) -> None:
    taken = {re.sub(r"<\w+>", "*", channel.subject): channel.messages for channel in CHANNELS}
    for route in service.routes:
        assert taken[route.subject] == (route.model,)
    assert {subscriber.subject.broker_address for subscriber in service.broker.subscribers} <= taken.keys()


def test_every_request_that_is_in_it_is_answered_by_a_service() -> None:
    services = agent.build(AgentSettings()), practice.build(PracticeSettings()), search.build(SearchSettings())
    answered = {route.subject for service in services for route in service.routes}
    assert answered == {c.subject for c in CHANNELS if c.reply} - {subjects.health("<service>")}
