"""A tool of the agent: what a model is offered, what it does, what it finds, and how that is shown."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from lovsvar_agent.core.evidence import EvidenceRegistry
from lovsvar_agent.core.source_kinds.kind import SourceKind
from lovsvar_agent.core.source_kinds.law import LAW
from lovsvar_agent.core.tools.law_access import LawAccess
from lovsvar_contracts.law import LawType


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
    result in about so many tokens, and whether something of it did not fit; its sources are registered by then. `finds`
    are the kinds of its sources. `searches` is whether it looks for sources to answer from.
    """

    name: str
    title: str
    description: str
    parameters: Mapping[str, Any]
    call: Callable[[LawAccess, Mapping[str, Any]], Awaitable[Found]]
    show: Callable[[Any, EvidenceRegistry, int], tuple[str, bool]]
    finds: tuple[SourceKind, ...] = (LAW,)
    searches: bool = True
    needs_grant: bool = False
    """Whether only a run with a grant is offered it."""

    @property
    def definition(self) -> Mapping[str, Any]:
        """The tool as chat completions define one."""
        return definition(self.name, self.description, self.parameters)


def definition(name: str, description: str, parameters: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a function that a model may call, as chat completions define one."""
    return {"type": "function", "function": {"name": name, "description": description, "parameters": parameters}}


def text(description: str, **more: Any) -> dict[str, Any]:
    """Return the schema of a text."""
    return {"type": "string", "description": description, **more}


def number(description: str, **more: Any) -> dict[str, Any]:
    """Return the schema of a whole number."""
    return {"type": "integer", "description": description, **more}


def record(required: tuple[str, ...], **properties: Any) -> dict[str, Any]:
    """Return the schema of an object with these properties and no others."""
    return {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}


DOCUMENT = text("Lovens eller forskriftens navn, forkortelse eller refid, eller id-en til et treff («lovdata-1»).")
SECTION = text("Paragrafen, for eksempel «§ 3-5».")
