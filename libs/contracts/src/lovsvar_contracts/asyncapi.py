"""The AsyncAPI 3.0 document of what crosses NATS.

python -m lovsvar_contracts.asyncapi > docs/asyncapi.json
"""

import json
import re
import sys
from typing import Any

from pydantic.json_schema import models_json_schema

from lovsvar_contracts.channels import CHANNELS, Channel
from lovsvar_contracts.message import Message
from lovsvar_contracts.problems import Problem

SCHEMAS = "#/components/schemas/{model}"

HEADERS: dict[str, Any] = {
    "type": "object",
    "properties": {
        "traceparent": {"type": "string", "description": "The trace that the message belongs to (W3C)."},
        "correlation_id": {"type": "string", "description": "On requests: the same as in the payload."},
        "Nats-Msg-Id": {"type": "string", "description": "On what is kept, but run events: the payload's event_id."},
    },
}


def document() -> dict[str, Any]:
    """Return the document, ready for JSON."""
    channels: dict[str, Any] = {}
    operations: dict[str, Any] = {}
    for channel in CHANNELS:
        name = key(channel.subject)
        channels[name] = _channel(channel)
        operations[name] = {
            "action": channel.direction,
            "summary": channel.summary,
            "channel": {"$ref": f"#/channels/{name}"},
            "messages": [_of_channel(name, message) for message in channel.messages],
        }
        if channel.reply:
            replies = (channel.reply, Problem)
            channels[f"{name}_reply"] = {"address": None, "messages": _messages(replies)}
            operations[name]["reply"] = {
                "channel": {"$ref": f"#/channels/{name}_reply"},
                "messages": [_of_channel(f"{name}_reply", message) for message in replies],
            }
    used = sorted(_used(), key=lambda model: model.__name__)
    _, schemas = models_json_schema([(model, "serialization") for model in used], ref_template=SCHEMAS)
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Lovsvar",
            "version": "0.1.0",
            "description": "Questions about Norwegian law over NATS. Seen from Lovsvar: what it receives, others may "
            "send; what it sends, others may hear. Every request is answered by its result or a Problem, told apart "
            "by `kind`.",
            "license": {"name": "MIT"},
        },
        "defaultContentType": "application/json",
        "channels": channels,
        "operations": operations,
        "components": {
            "messages": {model.__name__: _message(model) for model in used},
            "schemas": schemas["$defs"],
        },
    }


def key(subject: str) -> str:
    """Return the name of a subject's channel: its own, without what varies and without the prefix."""
    return re.sub(r"\.<\w+>", "", subject).removeprefix("lovsvar.").replace(".", "_")


def _channel(channel: Channel) -> dict[str, Any]:
    varying = re.findall(r"<(\w+)>", channel.subject)
    kept = f"Kept in the stream {channel.stream}." if channel.stream else "Not kept."
    described: dict[str, Any] = {
        "address": channel.subject.replace("<", "{").replace(">", "}"),
        "description": f"{channel.summary} {kept}",
        "messages": _messages(channel.messages),
    }
    if varying:
        described["parameters"] = {name: {"description": f"The {name} that the message concerns."} for name in varying}
    return described


def _messages(models: tuple[type[Message], ...]) -> dict[str, Any]:
    return {model.__name__: {"$ref": f"#/components/messages/{model.__name__}"} for model in models}


def _of_channel(name: str, model: type[Message]) -> dict[str, str]:
    return {"$ref": f"#/channels/{name}/messages/{model.__name__}"}


def _message(model: type[Message]) -> dict[str, Any]:
    return {
        "name": model.__name__,
        "summary": (model.__doc__ or "").strip().splitlines()[0],
        "contentType": "application/json",
        "headers": HEADERS,
        "correlationId": {"location": "$message.payload#/correlation_id"},
        "payload": {"$ref": SCHEMAS.format(model=model.__name__)},
    }


def _used() -> set[type[Message]]:
    replies = {channel.reply for channel in CHANNELS if channel.reply}
    return {message for channel in CHANNELS for message in channel.messages} | replies | {Problem}


if __name__ == "__main__":
    sys.stdout.write(json.dumps(document(), ensure_ascii=False, indent=1) + "\n")
