"""`innholdsfortegnelse`: what a document holds."""

from collections.abc import Mapping
from typing import Any

from lovsvar_agent.core.reasoning import arguments as read
from lovsvar_agent.core.reasoning.arguments import MAX_NAME
from lovsvar_agent.core.retries import patiently
from lovsvar_agent.core.tools.law_access import LawAccess
from lovsvar_agent.core.tools.schemas import DOCUMENT, record
from lovsvar_agent.core.tools.tool import Found, Tool

DESCRIPTION = """\
Vis innholdsfortegnelsen til en lov eller forskrift: kapitler og paragrafer med overskrift og omtrentlig lengde i
tokens. Bruk denne for å finne riktig kapittel eller paragraf, og hent ordlyden med hent_lovtekst etterpå."""


async def read_outline(law: LawAccess, given: Mapping[str, Any]) -> Found:
    """Read a document's table of contents."""
    refid = await law.document(read.required(given, "document", MAX_NAME))
    found = await patiently(law.limits, lambda: law.search.outline(law.outlining(refid)))
    return Found(outline=found, total=1, corpus_version=found.corpus_version)


OUTLINE = Tool(
    name="innholdsfortegnelse",
    title="Leser innholdsfortegnelsen",
    description=DESCRIPTION,
    parameters=record(("document",), document=DOCUMENT),
    call=read_outline,
    searches=False,
)
