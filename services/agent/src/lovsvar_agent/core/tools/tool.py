"""A tool of the agent: what a model is offered, what it does, and what it finds."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from lovsvar_agent.core.tools.law_access import LawAccess
from lovsvar_contracts.law import LawType, Provision
from lovsvar_contracts.practice import PracticeHit
from lovsvar_contracts.search import Outline, ProvisionHit


@dataclass(frozen=True)
class Found:
    """What a tool found. `said` are Norwegian sentences for the model; `page` is the page of what can be paged.

    When not `paged`, the provisions are a page themselves, and `page` is no page of theirs.
    """

    hits: tuple[ProvisionHit, ...] = ()
    provisions: tuple[Provision, ...] = ()
    practice: tuple[PracticeHit, ...] = ()
    outline: Outline | None = None
    said: tuple[str, ...] = ()
    total: int = 0
    page: int = 1
    paged: bool = True
    searched_law_types: tuple[LawType, ...] = ()
    corpus_version: int = 0

    @property
    def count(self) -> int:
        """How many things were found."""
        return len(self.hits or self.provisions or self.practice) or int(self.outline is not None)


@dataclass(frozen=True)
class Tool:
    """One tool. `title` is what a reader sees while it works; `parameters` is a JSON schema.

    `call` raises `ProblemError` when the tool failed, `Misunderstood` when it was called wrongly. `searches` is whether
    it looks for sources to answer from.
    """

    name: str
    title: str
    description: str
    parameters: Mapping[str, Any]
    call: Callable[[LawAccess, Mapping[str, Any]], Awaitable[Found]]
    searches: bool = True

    @property
    def definition(self) -> Mapping[str, Any]:
        """The tool as chat completions define one."""
        return definition(self.name, self.description, self.parameters)


def definition(name: str, description: str, parameters: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a function that a model may call, as chat completions define one."""
    return {"type": "function", "function": {"name": name, "description": description, "parameters": parameters}}
