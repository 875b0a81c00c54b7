"""A tool of the agent: what a model is offered, what it does, what it finds, and how that is shown."""

import hashlib
from collections.abc import Awaitable, Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from lovsvar_agent.core.evidence import EvidenceRegistry
from lovsvar_agent.core.source_kinds.kind import SourceKind
from lovsvar_agent.core.source_kinds.law import LAW
from lovsvar_agent.core.tools.law_access import LawAccess
from lovsvar_contracts.law import LawType
from lovsvar_contracts.message import new_id
from lovsvar_contracts.questions import QuestionAsked


@dataclass(frozen=True)
class Found:
    """What a tool found: `count` things. `said` are Norwegian sentences for the model.

    `result` is what the tool's `show` reads, and None when there is nothing to show. `sources` are what becomes
    evidence, by kind.
    """

    result: Any = None
    sources: tuple[tuple[SourceKind, Iterable[Any]], ...] = ()
    said: tuple[str, ...] = ()
    count: int = 0
    searched_law_types: tuple[LawType, ...] = ()
    corpus_version: int = 0


@dataclass(frozen=True)
class Tool:
    """One tool. `title` is what a reader sees while it works; `parameters` is a JSON schema.

    `call` raises `ProblemError` when the tool failed, `Misunderstood` when it was called wrongly. `show` returns a
    result in about so many tokens, and whether something of it did not fit; its sources are registered by then, and
    `more` says what to call for what did not fit. `finds` are the kinds of its sources. `asks` returns what a call
    really asks for: two calls that ask for the same are one. `offered` returns the tool as a run of a question is
    offered it, None where it is not; without it every run is offered the tool. One that `acts` may do more than find,
    or costs money: all events of the run are stored before it is called.
    """

    name: str
    title: str
    description: str
    parameters: Mapping[str, Any]
    call: Callable[[LawAccess, Mapping[str, Any]], Awaitable[Found]]
    show: Callable[[Any, EvidenceRegistry, int], tuple[str, bool]]
    finds: tuple[SourceKind, ...] = (LAW,)
    more: Callable[[Any], str] = lambda _: ""
    asks: Callable[[LawAccess, Mapping[str, Any]], Hashable] = lambda _, given: plainly(given)
    acts: bool = False
    offered: "Callable[[QuestionAsked], Awaitable[Tool | None]] | None" = None

    @property
    def definition(self) -> Mapping[str, Any]:
        """The tool as chat completions define one."""
        return definition(self.name, self.description, self.parameters)


def event_of_call(call: tuple[str, str]) -> str:
    """Return the id of the message that carries out a call, by its run and id: the same each time it is sent.

    A call without an id only reads.
    """
    return hashlib.sha256("/".join(call).encode()).hexdigest()[:32] if all(call) else new_id()


def definition(name: str, description: str, parameters: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a function that a model may call, as chat completions define one."""
    return {"type": "function", "function": {"name": name, "description": description, "parameters": parameters}}


def text(description: str, **more: Any) -> dict[str, Any]:
    """Return the schema of a text."""
    return {"type": "string", "description": description, **more}


def number(description: str, **more: Any) -> dict[str, Any]:
    """Return the schema of a whole number."""
    return {"type": "integer", "description": description, **more}


def parameters(required: tuple[str, ...], **properties: Any) -> dict[str, Any]:
    """Return the schema of a call's arguments; what a model adds to them is passed over."""
    return {"type": "object", "properties": properties, "required": list(required)}


def record(required: tuple[str, ...], **properties: Any) -> dict[str, Any]:
    """Return the schema of an object with these properties and no others."""
    return {**parameters(required, **properties), "additionalProperties": False}


def plainly(value: Any) -> Hashable:
    """Return arguments without what makes no difference: case, spaces, and whether a number is written as text."""
    match value:
        case Mapping():
            return frozenset((str(key), plainly(v)) for key, v in value.items())
        case list():
            return tuple(plainly(v) for v in value)
        case float() if value.is_integer():
            return str(int(value))
        case _:
            return " ".join(str(value).casefold().split())


DOCUMENT = text("Navn, forkortelse, refid, eller id-en til et treff.")
