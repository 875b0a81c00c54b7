"""The tools that a run may use, and the kinds of sources that they find."""

import json
from collections.abc import Iterable, Mapping
from typing import Protocol

from lovsvar_agent.core.ports import FindsPractice, ProductSearch
from lovsvar_agent.core.reasoning.conversation import estimated_tokens
from lovsvar_agent.core.source_kinds.kind import SourceKind
from lovsvar_agent.core.source_kinds.law import LAW
from lovsvar_agent.core.tools import answer_form
from lovsvar_agent.core.tools.law_reading import LAW_READING
from lovsvar_agent.core.tools.law_search import LAW_SEARCH, SEVERAL_SEARCHES
from lovsvar_agent.core.tools.outline import OUTLINE
from lovsvar_agent.core.tools.practice_search import practice_search
from lovsvar_agent.core.tools.product_search import product_search
from lovsvar_agent.core.tools.tool import Tool
from lovsvar_contracts.questions import QuestionAsked


def own_tools(find_practice: FindsPractice | None, products: ProductSearch | None = None) -> tuple[Tool, ...]:
    """Return the tools of this service, in the order in which a model is offered them. A new one has its line here."""
    return (
        LAW_SEARCH,
        practice_search(find_practice),
        LAW_READING,
        SEVERAL_SEARCHES,
        OUTLINE,
        product_search(products),
    )


class OffersTools(Protocol):
    """Knows what a run may use."""

    @property
    def names(self) -> frozenset[str]:
        """The names of all tools there are now, also those that not every run is offered."""

    async def offered_for(self, asked: QuestionAsked) -> "ToolRegistry":
        """Return what a run of that question may use."""


class ToolRegistry:
    """Tools by name, with what a model is offered: their definitions, and the form of its answer.

    `kinds` are the kinds of sources, law first. `tokens` is about how much the definitions take of a model's context.
    """

    def __init__(self, tools: Iterable[Tool] = (), known: Iterable[SourceKind] = ()) -> None:
        """`known` are kinds that earlier attempts at a run may have found by tools that it is not offered.

        Raises `ValueError` for two tools of one name, or two kinds of sources of one prefix.
        """
        offered = tuple(tools)
        self.tools: Mapping[str, Tool] = {tool.name: tool for tool in offered}
        self.kinds: tuple[SourceKind, ...] = tuple(
            dict.fromkeys((LAW, *known, *(k for tool in offered for k in tool.finds)))
        )
        self.names = frozenset({*self.tools, answer_form.ANSWER})
        self.definitions = (*(tool.definition for tool in offered if not tool.offered), answer_form.DEFINITION)
        self.tokens = estimated_tokens(json.dumps(self.definitions, ensure_ascii=False))
        if len(self.names) <= len(offered) or len({kind.prefix for kind in self.kinds}) < len(self.kinds):
            raise ValueError("two tools have one name, or two kinds of sources one prefix")

    async def offered_for(self, asked: QuestionAsked) -> "ToolRegistry":
        """Return the registry as a run of that question has it."""
        if not any(tool.offered for tool in self.tools.values()):
            return self
        offered = [await tool.offered(asked) if tool.offered else tool for tool in self.tools.values()]
        return ToolRegistry((tool for tool in offered if tool), self.kinds)

    def title(self, name: str) -> str:
        """Return what a reader sees while the tool of that name works."""
        return self.tools[name].title if name in self.tools else "Bruker et verktøy"
