"""`innholdsfortegnelse`: what a document holds."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lovsvar_agent.core.evidence import EvidenceRegistry
from lovsvar_agent.core.reasoning import arguments as read
from lovsvar_agent.core.reasoning.arguments import MAX_NAME
from lovsvar_agent.core.reasoning.tool_results import fill
from lovsvar_agent.core.reasoning.untrusted_text import defused
from lovsvar_agent.core.tools.law_access import LawAccess
from lovsvar_agent.core.tools.tool import DOCUMENT, Found, Tool, parameters
from lovsvar_contracts.search import Outline, OutlineEntry, OutlineNode

DESCRIPTION = """\
Vis kapitler og paragrafer i en lov eller forskrift, med overskrift og lengde: det hent_lovtekst kan hente."""


async def read_outline(law: LawAccess, given: Mapping[str, Any]) -> Found:
    """Read a document's table of contents."""
    refid = await law.document(read.required(given, "document", MAX_NAME))
    found = await law.outline(refid)
    return Found(result=found, count=1, corpus_version=found.corpus_version)


def show_outline(outline: Outline, _: EvidenceRegistry, tokens: int) -> tuple[str, bool]:
    """Return a document's chapters and sections, a line each."""
    name = outline.document.short_title or outline.document.title
    head = f"{name} ({outline.document.refid}), omtrent {outline.tokens} tokens"
    lines = [*_entries(outline.provisions, 0), *_nodes(outline.children, 0)]
    body, cut = fill([head, *lines], tokens)
    return defused(body) + ("\n… forkortet: hent et kapittel med hent_lovtekst og chapter." if cut else ""), cut


def _nodes(nodes: Sequence[OutlineNode], depth: int) -> Iterator[str]:
    for node in nodes:
        yield f"{'  ' * depth}{node.name}: {node.title} ({node.tokens})"
        yield from _entries(node.provisions, depth + 1)
        yield from _nodes(node.children, depth + 1)


def _entries(entries: Sequence[OutlineEntry], depth: int) -> Iterator[str]:
    for entry in entries:
        yield f"{'  ' * depth}{entry.value} {entry.title} ({entry.tokens})"


OUTLINE = Tool(
    name="innholdsfortegnelse",
    title="Leser innholdsfortegnelsen",
    description=DESCRIPTION,
    parameters=parameters(("document",), document=DOCUMENT),
    call=read_outline,
    show=show_outline,
    finds=(),
)
