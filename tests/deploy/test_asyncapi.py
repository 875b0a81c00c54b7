"""`docs/asyncapi.json` is what the services take and send."""

import json
from pathlib import Path
from typing import Any

import pytest
from faststream.specification.asyncapi.v3_0_0.schema import ApplicationSchema

from lovsvar_chassis.json_codec import channel_key
from lovsvar_contracts import subjects
from lovsvar_local.asyncapi import services, written

PAGE = Path(__file__).parents[2] / "docs" / "asyncapi.json"

PROMISED = {
    "search_provisions": ("lovsvar.search.provisions", "receive"),
    "search_read": ("lovsvar.search.read", "receive"),
    "search_outline": ("lovsvar.search.outline", "receive"),
    "search_document": ("lovsvar.search.document", "receive"),
    "search_documents": ("lovsvar.search.documents", "receive"),
    "search_resolve": ("lovsvar.search.resolve", "receive"),
    "search_status": ("lovsvar.search.status", "receive"),
    "practice_search": ("lovsvar.practice.search", "receive"),
    "agent_ask": ("lovsvar.agent.ask", "receive"),
    "health": ("lovsvar.health.{service}", "receive"),
    "question_cancel": ("lovsvar.question.cancel.{run_id}", "receive"),
    "answer": ("lovsvar.answer.{run_id}", "send"),
    "stored": ("lovsvar.stored.{run_id}", "send"),
    "ingest_requested": ("lovsvar.ingest.requested", "receive"),
    "ingest_progress": ("lovsvar.ingest.progress.{sync_id}", "send"),
    "document_added": ("lovsvar.document.added", "send"),
    "document_changed": ("lovsvar.document.changed", "send"),
    "document_removed": ("lovsvar.document.removed", "send"),
    "embedding_requested": ("lovsvar.embedding.requested", "receive"),
    "embedding_stored": ("lovsvar.embedding.stored", "send"),
    "audit": ("lovsvar.audit.{action}", "send"),
    "dead": ("lovsvar.dead.{stream}", "send"),
    "question_asked": ("lovsvar.question.asked", "receive"),
}
"""Channels that others may rely on."""


@pytest.fixture(scope="module")
def specification() -> str:
    """The document as it would be written now."""
    return written()


@pytest.fixture
def document(specification: str) -> Any:
    """What it says."""
    return json.loads(specification)


def test_the_file_is_what_the_services_say_now(specification: str) -> None:
    assert PAGE.read_text(encoding="utf-8") == specification, "run `just asyncapi`"


def test_it_is_an_asyncapi_document_whose_references_lead_somewhere(document: Any) -> None:
    ApplicationSchema.model_validate(document)
    found = [node["$ref"] for node in nodes(document) if isinstance(node.get("$ref"), str)]
    for reference in found:
        target: Any = document
        for part in reference.removeprefix("#/").split("/"):
            target = target[part.replace("%2A", "*")]
    assert len(found) > 100


def nodes(value: Any) -> list[dict[str, Any]]:
    if isinstance(value, dict):
        return [value, *(inner for v in value.values() for inner in nodes(v))]
    return [inner for v in value for inner in nodes(v)] if isinstance(value, list) else []


def test_a_channel_keeps_its_name_its_address_and_its_direction(document: Any) -> None:
    found = {
        key: (channel["address"], document["operations"][key]["action"])
        for key, channel in document["channels"].items()
        if key in document["operations"]
    }
    assert PROMISED.items() <= found.items()


def test_every_subject_has_its_channel_and_every_stream_is_named(document: Any) -> None:
    for name, value in vars(subjects).items():
        if isinstance(value, str) and value.startswith("lovsvar.") and value != subjects.DOCUMENT_ANY:
            assert channel_key(value) in document["channels"], name
    described = " ".join(channel.get("description", "") for channel in document["channels"].values())
    for stream in subjects.KEPT.values():
        assert f"Kept in the stream {stream}." in described


def test_every_request_is_answered_by_its_result_or_a_problem(document: Any) -> None:
    for service in services():
        for answered in service.requests.answered if service.requests else ():
            reply = document["operations"][channel_key(answered.subject)]["reply"]["messages"]
            assert [one["$ref"].rpartition("/")[2] for one in reply] == [answered.reply.__name__, "Problem"]


def test_a_service_takes_nothing_that_is_not_in_it(document: Any) -> None:
    known = {channel["address"] for channel in document["channels"].values()}
    for service in services():
        for subscriber in service.broker.subscribers:
            addresses = (subscriber.subject.template, *subscriber.filter_subjects)
            assert {address for address in addresses if address and not is_heard(address)} <= known


def is_heard(address: str) -> bool:
    """Whether it is a pattern by which a service hears what another sends."""
    return address.endswith("*") and address != subjects.QUESTION_ASKED_BY_ANY
