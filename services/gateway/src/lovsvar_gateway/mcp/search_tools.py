"""`sok`, `liste`, `definisjoner`, `finn_praksis`: finding what one does not know the name of."""

import asyncio
from typing import Annotated

from mcp.server import MCPServer
from mcp_types import CallToolResult
from pydantic import Field, StringConstraints

from lovsvar_contracts.law import LawType, Provision
from lovsvar_contracts.search import (
    MAX_PAGE_SIZE,
    FindProvisions,
    ListDocuments,
    ProvisionHit,
    ProvisionHits,
    ProvisionRef,
)
from lovsvar_gateway.core.mcp import result_text
from lovsvar_gateway.core.mcp.definitions import definitions_in
from lovsvar_gateway.core.mcp.results import Definitions, Hits, Listing, Practice
from lovsvar_gateway.core.phrases import Plain
from lovsvar_gateway.mcp import reference_arguments
from lovsvar_gateway.mcp.answers import READ_ONLY, Answer, answer
from lovsvar_gateway.mcp.arguments import ActName, DocType, Ministry, Query, Year
from lovsvar_gateway.mcp.law import Law

MAX_LIMIT = 60
LIST_PAGE = 50
LOOKED_AT = 40
"""Provisions that are read in search of definitions."""

MAX_DEFINITIONS = 12

NOT_OPEN_DATA = {"source": "lovdata.no, ved en søketjeneste", "licence": "ikke åpne data", "licence_url": ""}
"""What the stamp says of practice, which Lovdata does not publish openly."""

NOTHING = 'Ingen treff. Prøv færre eller andre ord, uten filtre, eller se liste(title="…").'

Term = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=2, max_length=100),
    Plain,
    Field(description="Begrepet i grunnform: «forbruker», «personopplysning»."),
]
Limit = Annotated[int, Field(ge=1, le=MAX_LIMIT, description="Hvor mange treff som vises.")]


def add(server: MCPServer, law: Law) -> None:
    """Add the tools to `server`."""

    @server.tool(title="Søk i lover og forskrifter", annotations=READ_ONLY)
    async def sok(
        query: Query,
        limit: Limit = 20,
        doc_type: DocType | None = None,
        ministry: Ministry | None = None,
        year: Year | None = None,
    ) -> Annotated[CallToolResult, Hits]:
        """Søk etter paragrafer med ord eller et helt spørsmål; best treff først, med utdrag rundt treffet.

        Lov, forskrift og andre typer fyller svaret i den rekkefølgen når `doc_type` ikke er oppgitt. Hent full tekst
        med `lov`, `forskrift` eller `hent_flere`.
        """
        return await search(
            law, query, limit, FindProvisions(query=query, law_type=doc_type, ministry=ministry, year=year)
        )

    @server.tool(title="List lover og forskrifter", annotations=READ_ONLY)
    async def liste(
        doc_type: DocType | None = None,
        ministry: Ministry | None = None,
        year: Year | None = None,
        title: Annotated[str, StringConstraints(max_length=200), Plain, Field(description="Del av tittelen.")]
        | None = None,
        page: Annotated[int, Field(ge=1, le=1_000)] = 1,
    ) -> Annotated[CallToolResult, Listing]:
        """List dokumentene i samlingen, 50 om gangen, med filtre."""
        asked = ListDocuments(
            law_type=doc_type, ministry=ministry, year=year, title=title, page=page, page_size=LIST_PAGE
        )
        return await list_documents(law, asked)

    @server.tool(title="Finn definisjoner", annotations=READ_ONLY)
    async def definisjoner(term: Term, lov_id: ActName | None = None) -> Annotated[CallToolResult, Definitions]:
        """Finn hvor et begrep er definert («med forbruker menes …»), i én lov eller i alle."""
        return await define(law, term, lov_id)

    @server.tool(title="Finn rettspraksis", annotations=READ_ONLY.model_copy(update={"open_world_hint": True}))
    async def finn_praksis(
        query: Query, limit: Annotated[int, Field(ge=1, le=20)] = 10
    ) -> Annotated[CallToolResult, Practice]:
        """Finn rettsavgjørelser og forvaltningspraksis på lovdata.no. Gir tittel og utdrag, ikke hele avgjørelsen."""
        return await find_practice(law, query, limit)


async def search(law: Law, query: str, limit: int, asked: FindProvisions) -> Answer:
    """Return the first `limit` hits. Raises `ProblemError`."""
    pages = -(-limit // MAX_PAGE_SIZE)
    size = min(limit, MAX_PAGE_SIZE)
    replies = await asyncio.gather(
        *(law.find(asked.model_copy(update={"page": page, "page_size": size})) for page in range(1, pages + 1))
    )
    first = replies[0]
    hits = _distinct(replies)[:limit]
    more = first.total > len(hits)
    rest = ""
    if more and limit < MAX_LIMIT:
        rest = f"Det er {first.total} treff i alt. Øk limit (høyst {MAX_LIMIT}), eller snevre inn med filtre."
    elif more:
        rest = f"Det er {first.total} treff i alt. Snevre inn med doc_type, ministry, year eller flere ord."
    stamp = await law.stamp(first.corpus_version, sample=any(hit.sample for hit in hits) or None)
    found = Hits(
        query=query,
        hits=hits,
        total=first.total,
        searched_law_types=first.searched_law_types,
        mode=first.mode,
        truncated=more,
        rest=rest,
        stamp=stamp,
    )
    meant = ", ".join(f"«{word}»" for word in first.did_you_mean)
    nothing = f"{NOTHING} Mente du {meant}?" if meant else NOTHING
    text = "\n\n".join(result_text.hit(number, hit) for number, hit in enumerate(hits, 1)) or nothing
    types = ", ".join(first.searched_law_types)
    head = f"{len(hits)} av {first.total} treff for «{query}»" + (f" (søkt i: {types})" if types else "")
    return answer("\n\n".join(part for part in (head, text, rest) if part), found)


def _distinct(replies: list[ProvisionHits]) -> tuple[ProvisionHit, ...]:
    found: dict[tuple[str, str], ProvisionHit] = {}
    for reply in replies:
        for hit in reply.hits:
            found.setdefault((hit.refid, hit.section), hit)
    return tuple(found.values())


async def list_documents(law: Law, asked: ListDocuments) -> Answer:
    """Return a page of documents. Raises `ProblemError`."""
    reply = await law.documents(asked)
    more = reply.page * reply.page_size < reply.total
    rest = f"Flere: page={reply.page + 1}, eller snevre inn med doc_type, ministry, year, title." if more else ""
    stamp = await law.stamp(reply.corpus_version)
    found = Listing(
        documents=reply.documents, total=reply.total, page=reply.page, truncated=more, rest=rest, stamp=stamp
    )
    pages = -(-reply.total // reply.page_size)
    nothing = f"Siste side er {pages}." if reply.total else "Ingen dokumenter passer. Prøv uten filtre."
    text = "\n".join(result_text.document(document) for document in reply.documents) or nothing
    head = f"{len(reply.documents)} av {reply.total} dokumenter (side {reply.page})"
    return answer("\n\n".join(part for part in (head, text, rest) if part), found)


async def define(law: Law, term: str, name: str | None) -> Answer:
    """Return where `term` is defined. Raises `Unanswerable`, `ProblemError`."""
    document = None
    if name is not None:
        meant = await reference_arguments.act(law, name)
        reference_arguments.must_be_one(meant)
        document = meant.matches[0].refid
    queries = (f'"med {term} menes"', f"definisjoner {term} menes")
    filters = {"document": document, "page_size": MAX_PAGE_SIZE}
    replies = await asyncio.gather(*(law.find(FindProvisions(query=q, **filters)) for q in queries))
    hits = _distinct(list(replies))[:LOOKED_AT]
    provisions: tuple[Provision, ...] = ()
    version = replies[0].corpus_version
    if hits:
        read = await law.read(tuple(ProvisionRef(refid=hit.refid, section=hit.section) for hit in hits))
        provisions, version = read.provisions, read.corpus_version
    defined = definitions_in(provisions, term)
    laws_first = sorted(defined, key=lambda one: not one.refid.startswith(LawType.LOV))[:MAX_DEFINITIONS]
    more = len(defined) - len(laws_first)
    rest = f"{more} til er funnet; spør om én lov med lov_id for å se dens." if more else ""
    stamp = await law.stamp(version, sample=any(one.sample for one in laws_first) or None)
    found = Definitions(
        term=term,
        definitions=tuple(laws_first),
        looked_at=len(provisions),
        truncated=bool(more),
        rest=rest,
        stamp=stamp,
    )
    rows = [
        f"- **{one.act} {one.heading}** ({result_text.IN_FORCE[one.in_force]}): {one.words} · {one.lovdata_url}"
        for one in laws_first
    ]
    nothing = (
        f'Fant ingen definisjon av «{term}» i de {len(provisions)} bestemmelsene som ligner mest. Prøv sok("{term}").'
    )
    return answer("\n".join([*rows, *([rest] if rest else [])]) or nothing, found)


async def find_practice(law: Law, query: str, limit: int) -> Answer:
    """Return court decisions. Raises `ProblemError`: also when no search provider is set up."""
    reply = await law.practice(query, limit)
    stamp = (await law.stamp()).model_copy(update=NOT_OPEN_DATA)
    found = Practice(query=query, hits=reply.hits, stamp=stamp)
    rows = [f"- **{hit.title}**: {hit.snippet} · {hit.url}" for hit in reply.hits]
    note = "Utdragene er fra en søketjeneste og er ikke kontrollert mot avgjørelsene."
    return answer("\n".join([*rows, "", note]) if rows else f"Fant ingen avgjørelser for «{query}».", found)
