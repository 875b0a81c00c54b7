"""The OpenAPI document: what FastAPI makes of the routes, with keys, problems, event streams and examples."""

from collections.abc import Iterator, Mapping
from typing import Any

from fastapi import FastAPI
from pydantic import BaseModel, TypeAdapter

from lovsvar_contracts.case_events import CaseStreamEvent
from lovsvar_contracts.ingest import SyncEvent
from lovsvar_contracts.questions import Answer
from lovsvar_contracts.run_events import RunEvent
from lovsvar_gateway import examples
from lovsvar_gateway.access import OPEN
from lovsvar_gateway.problems import MEDIA_TYPE, SLUGS, ProblemDocument
from lovsvar_gateway.sse import MEDIA_TYPE as STREAM

SCHEMAS = "#/components/schemas/{model}"

SECURITY: list[dict[str, list[str]]] = [{"key": []}, {"browser": []}, {}]
"""A key in one of two ways; or none, where the gateway is set up so."""

RESPONSES: dict[int | str, dict[str, Any]] = {
    status: {
        "description": description,
        "content": {MEDIA_TYPE: {"schema": {"$ref": SCHEMAS.format(model=ProblemDocument.__name__)}}},
    }
    for status, (description, *_) in examples.PROBLEMS.items()
}
"""The problems that any route may answer with, as FastAPI takes them."""

DESCRIPTION = """Svar på spørsmål om norsk rett, der hvert sitat er kontrollert mot loven.

Ask with `POST /v1/questions`, follow the run's server-sent events, read the answer. A stream that breaks is resumed
with `Last-Event-ID`. Errors are RFC 9457 problem documents, whose `type` is `urn:lovsvar:problem:<slug>`;
their words are Norwegian.
"""

FOLLOWED: Mapping[str, str] = {"follow_sync": "SyncEvent", "follow_case": "CaseStreamEvent"}
"""What the data of an operation's events is; that of all others is a `RunEvent`."""

FILES: Mapping[str, str] = {
    "application/zip": "PK…",
    "application/octet-stream": "%PDF-1.7…",
    "application/pdf": "%PDF-1.7…",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "PK…",
}
"""How files of each media type begin, as their examples."""


def complete(app: FastAPI) -> None:
    """Make `app` serve the whole document at `/openapi.json`."""
    of_routes = app.openapi
    made: dict[str, Any] = {}

    def openapi() -> dict[str, Any]:
        if not made:
            made.update(of_routes())
            _add_components(made["components"])
            for path, _, operation in operations(made):
                _complete_operation(operation, path)
        return made

    app.openapi = openapi  # type: ignore[method-assign]


def operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield path, method and operation of everything in `document`."""
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation


def _add_components(components: dict[str, Any]) -> None:
    schemas: dict[str, Any] = components["schemas"]
    models: dict[str, Any] = {
        "RunEvent": RunEvent,
        "SyncEvent": SyncEvent,
        "CaseStreamEvent": CaseStreamEvent,
        "Answer": Answer,
        "ProblemDocument": ProblemDocument,
    }
    for name, model in models.items():
        schema = TypeAdapter[Any](model).json_schema(ref_template=SCHEMAS, mode="serialization")
        for inner, its in schema.pop("$defs", {}).items():
            schemas.setdefault(inner, its)
        schemas[name] = schema
    schemas["ProblemDocument"]["properties"]["type"]["enum"] = [f"urn:lovsvar:problem:{slug}" for slug in SLUGS]
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    components["securitySchemes"] = {
        "key": {"type": "http", "scheme": "bearer", "description": "A key that `lovsvar keys add` made."},
        "browser": {"type": "http", "scheme": "basic", "description": "The same key as the password; any name."},
    }
    components["headers"] = {
        "X-Trace-Id": {"schema": {"type": "string"}, "description": "Finds the request in logs and traces."},
        "RateLimit": {
            "schema": {"type": "string"},
            "description": 'What is left: `"requests";r=9;t=1`, and of questions where they have a limit of their own.',
        },
        "RateLimit-Policy": {"schema": {"type": "string"}, "description": 'The allowance: `"requests";q=120;w=60`.'},
        "Retry-After": {"schema": {"type": "integer"}, "description": "Seconds until the same request may succeed."},
    }  # fmt: skip


def _complete_operation(operation: dict[str, Any], path: str) -> None:
    if path not in OPEN:
        operation["security"] = SECURITY
    for parameter in operation.get("parameters", []):
        if parameter["name"] in examples.PARAMETERS and "examples" not in parameter["schema"]:
            parameter["example"] = examples.PARAMETERS[parameter["name"]]
    if content := operation.get("requestBody", {}).get("content", {}).get("application/json"):
        content["example"] = _plain(examples.BODIES[operation["operationId"]])
    elif body := operation.get("requestBody"):
        for content in body["content"].values():
            content["example"] = "%PDF-1.7…"
    for status, response in operation["responses"].items():
        headers = ["X-Trace-Id"] + (["RateLimit", "RateLimit-Policy"] if path not in OPEN else [])
        if status in {"429", "503"}:
            headers.append("Retry-After")
        response["headers"] = {name: {"$ref": f"#/components/headers/{name}"} for name in headers}
        for media_type, content in response.get("content", {}).items():
            _complete_content(operation["operationId"], int(status), media_type, content)
    never = set() if "requestBody" in operation else {400, 413}
    if path in OPEN:
        # Health is asked for by nobody in particular; what is signed is not limited by a key.
        never |= {401, 403, 429} if "requestBody" in operation else set(examples.PROBLEMS) - {408, 413, 500, 503}
    for status in never:
        operation["responses"].pop(str(status), None)


def _complete_content(operation: str, status: int, media_type: str, content: dict[str, Any]) -> None:
    if media_type == MEDIA_TYPE:
        content["example"] = _plain(examples.problem(status))
    elif media_type == STREAM:
        event = FOLLOWED.get(operation, "RunEvent")
        content["schema"] = {
            "type": "string",
            "contentMediaType": STREAM,
            "description": f"Events whose `data` is a {event}, each with its `id`; `heartbeat`, `snapshot` (an Answer) "
            "and `dropped` (with its `reason`) have none.",
            "x-event-data": {"$ref": SCHEMAS.format(model=event)},
        }
        content["example"] = examples.STREAMS[event]
    elif media_type in FILES:
        content["example"] = FILES[media_type]
    elif media_type == "application/json":
        content["example"] = _plain(examples.REPLIES[operation])


def _plain(example: BaseModel | dict[str, Any]) -> Any:
    return example.model_dump(mode="json", exclude_none=True) if isinstance(example, BaseModel) else example
