"""The AsyncAPI 3.0 document of what crosses NATS: FastStream's, from what the services' routers take and send.

FastStream's knows neither replies, nor headers, nor what a part of a subject that varies is; they are added here.
"""

import json
import re
from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import Any

from faststream.specification import AsyncAPI
from pydantic.json_schema import models_json_schema

from lovsvar_chassis.health import health_routers
from lovsvar_chassis.json_codec import channel_key
from lovsvar_chassis.manifest import stream_of
from lovsvar_chassis.publisher import Sent
from lovsvar_chassis.redelivery import WorkPolicy
from lovsvar_chassis.request_router import Answered
from lovsvar_chassis.service import Service
from lovsvar_contracts import subjects
from lovsvar_contracts.message import Message
from lovsvar_contracts.problems import Problem

DESCRIPTION = (
    "Questions about Norwegian law over NATS. Seen from Lovsvar: what it receives, others may send; what it sends, "
    "others may hear. Every request is answered by its result or a Problem, which differ by `kind`."
)

HEADERS: dict[str, Any] = {
    "type": "object",
    "properties": {
        "traceparent": {"type": "string", "description": "The trace that the message belongs to (W3C)."},
        "correlation_id": {"type": "string", "description": "The same as in the payload."},
        "Nats-Msg-Id": {"type": "string", "description": "On what is kept, but run events: the payload's event_id."},
    },
}

SCHEMAS = "#/components/schemas/{model}"

DEAD = "A message that nobody could handle, as it was; headers say why."


def document(services: Sequence[Service], version: str) -> dict[str, Any]:
    """Return the document of `services`, built and not started, ready for JSON."""
    health, _ = health_routers("{service}", version, str)
    services[0].broker.include_router(health)
    answered = list(health.answered)
    for service in services:
        answered += service.requests.answered if service.requests else ()
        for sent in service.sends:
            _declare(service, sent)
    worked_on = reduce(or_, (service.work.kind for service in services if service.work))
    _declare(services[0], Sent(subjects.dead("{stream}"), worked_on, DEAD))
    brokers = (service.broker for service in services)
    made = AsyncAPI(*brokers, title="Lovsvar", version=version, description=DESCRIPTION, license={"name": "MIT"})
    text = made.to_specification().to_json()
    for service in services:
        if service.work and service.work.policy.also:
            text = _rename(text, service.work.policy)
    found: dict[str, Any] = json.loads(text)
    del found["servers"]
    for channel in found["channels"].values():
        _complete(channel)
    for one in answered:
        _add_reply(found, one)
    for message in found["components"]["messages"].values():
        message |= {
            "contentType": "application/json",
            "headers": HEADERS,
            "correlationId": {"location": "$message.payload#/correlation_id"},
        }
    return found


def _declare(service: Service, sent: Sent) -> None:
    service.broker.publisher(
        sent.subject, schema=sent.schema, title=channel_key(sent.subject), description=sent.description
    )


def _rename(text: str, policy: WorkPolicy) -> str:
    """Name channels by their subjects; FastStream names those of a consumer of several `title:subject`."""
    title = channel_key(policy.subject)
    for subject in (*policy.also, policy.subject):
        name = channel_key(subject) + ("_by" if subject.endswith("*") else "")
        for given in (f"{title}:{subject}", f"{title}:{subject.replace('*', '%2A')}"):
            text = text.replace(f"{given}Subscribe", name).replace(given, name)
    return text


def _complete(channel: dict[str, Any]) -> None:
    del channel["servers"]
    address = channel["address"]
    if varying := re.findall(r"{(\w+)}", address):
        channel["parameters"] = {name: {"description": f"The {name} that the message concerns."} for name in varying}
    try:
        kept = f"Kept in the stream {stream_of(address)}."
    except KeyError:
        kept = "Not kept."
    channel["description"] = f"{channel.get('description', '')} {kept}".strip()


def _add_reply(found: dict[str, Any], answered: Answered) -> None:
    key = channel_key(answered.subject)
    messages, schemas = found["components"]["messages"], found["components"]["schemas"]
    replies: tuple[type[Message], ...] = (answered.reply, Problem)
    _, made = models_json_schema(
        [(model, "serialization") for model in replies], ref_template="#/components/schemas/{model}"
    )
    for name, schema in made["$defs"].items():
        schemas.setdefault(name, schema)
    for model in replies:
        payload = {"$ref": SCHEMAS.format(model=model.__name__)}
        messages.setdefault(model.__name__, {"title": model.__name__, "payload": payload})
    reply = f"{key}_reply"
    found["channels"][reply] = {
        "address": None,
        "messages": {model.__name__: {"$ref": f"#/components/messages/{model.__name__}"} for model in replies},
    }
    found["operations"][key]["reply"] = {
        "channel": {"$ref": f"#/channels/{reply}"},
        "messages": [{"$ref": f"#/channels/{reply}/messages/{model.__name__}"} for model in replies],
    }
