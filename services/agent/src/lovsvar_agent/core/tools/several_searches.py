"""`generer_sokestrenger`: several searches at once."""

import asyncio
from collections.abc import Mapping
from itertools import chain, zip_longest
from typing import Any

from lovsvar_agent.core.reasoning import arguments as read
from lovsvar_agent.core.reasoning.arguments import Search
from lovsvar_agent.core.reasoning.queries import variants
from lovsvar_agent.core.tools.law_access import LawAccess
from lovsvar_agent.core.tools.law_search import found_hits, show_hits
from lovsvar_agent.core.tools.tool import Found, Tool, number, record, text
from lovsvar_contracts.identifiers import section_key
from lovsvar_contracts.search import ProvisionHit

MAX_QUERIES = 5

DESCRIPTION = """\
Del et sammensatt eller uklart juridisk spørsmål i flere ulike søkestrenger, og søk med alle samtidig. Like treff slås
sammen. Bruk denne når ett søk ikke dekker alle sider av spørsmålet. Skriv gjerne dine egne søkestrenger i queries."""


async def find_many(law: LawAccess, given: Mapping[str, Any]) -> Found:
    """Search with several queries at once; what more than one found is one hit."""
    question = read.text_of(given, "question") or law.asked.question
    most = read.number_of(given, "num_queries", 3, MAX_QUERIES)
    queries = variants(question, read.texts_of(given, "queries"), most)
    pages = await asyncio.gather(*(law.find(Search(q, page_size=5)) for q in queries))
    merged: dict[tuple[str, str], ProvisionHit] = {}
    for hit in chain.from_iterable(zip_longest(*(p.hits for p in pages))):
        if hit is not None:
            merged.setdefault((hit.refid, section_key(hit.section)), hit)
    hits = tuple(merged.values())
    said = ["Søkte med: " + ", ".join(f"«{q}»" for q in queries) + "."]
    if not hits:
        said.append("Ingen av dem ga treff. Prøv andre ord, eller innholdsfortegnelse for en lov du kjenner navnet på.")
    return await found_hits(law, pages[0].model_copy(update={"hits": hits, "total": len(hits), "page": 1}), said)


SEVERAL_SEARCHES = Tool(
    name="generer_sokestrenger",
    title="Søker med flere søkestrenger",
    description=DESCRIPTION,
    parameters=record(
        ("question",),
        question=text("Spørsmålet som skal deles opp."),
        num_queries=number(f"Antall søkestrenger, høyst {MAX_QUERIES}.", minimum=1, maximum=MAX_QUERIES),
        queries={"type": "array", "items": {"type": "string"}, "description": "Egne søkestrenger."},
    ),
    call=find_many,
    show=show_hits,
)
