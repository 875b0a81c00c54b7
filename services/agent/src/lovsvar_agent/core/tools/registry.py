"""The tools that there are. A new one is a module and its line here."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from lovsvar_agent.core.tools import answer_form
from lovsvar_agent.core.tools.law_reading import LAW_READING
from lovsvar_agent.core.tools.law_search import LAW_SEARCH
from lovsvar_agent.core.tools.outline import OUTLINE
from lovsvar_agent.core.tools.practice_search import PRACTICE_SEARCH
from lovsvar_agent.core.tools.several_searches import SEVERAL_SEARCHES
from lovsvar_agent.core.tools.tool import Tool

TOOLS: Mapping[str, Tool] = MappingProxyType(
    {tool.name: tool for tool in (LAW_SEARCH, PRACTICE_SEARCH, LAW_READING, SEVERAL_SEARCHES, OUTLINE)}
)
"""By name, in the order in which a model is offered them."""

DEFINITIONS: tuple[Mapping[str, Any], ...] = (*(tool.definition for tool in TOOLS.values()), answer_form.DEFINITION)
"""What a model is offered: the tools, and the form of its answer."""

NAMES = frozenset({*TOOLS, answer_form.ANSWER})


def title(name: str) -> str:
    """Return what a reader sees while the tool of that name works."""
    return TOOLS[name].title if name in TOOLS else "Bruker et verktøy"
