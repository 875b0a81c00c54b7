"""`sok`, `liste`, `definisjoner`, `finn_praksis`: search by words and filters."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Any

from mcp_types import CallToolResult
from pydantic import Field, StringConstraints

from lovsvar_contracts import listings, search
from lovsvar_contracts.law import LawType
from lovsvar_gateway.core.mcp import result_text
from lovsvar_gateway.core.mcp.results import Definition, Definitions, Hits, Listing, Practice
from lovsvar_gateway.core.mcp.token_budget import heading
from lovsvar_gateway.core.phrases import Plain
from lovsvar_gateway.mcp import arguments
from lovsvar_gateway.mcp.arguments import ActName, DocType, Ministry, Query, Year
from lovsvar_gateway.mcp.calls import answer
from lovsvar_gateway.mcp.law import CachedLaw
from lovsvar_legaltext.definitions import defining_words, definition_patterns

MAX_LIMIT = 60
LIST_PAGE = 50
LOOKED_AT = 40  # provisions that are read in search of definitions
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


@dataclass(frozen=True)
class SearchTools:
    """Tools that search. They raise `Unanswerable` and `ProblemError`."""

    law: CachedLaw

    async def sok(
        self,
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
        filters: dict[str, Any] = {"law_type": doc_type, "ministry": ministry, "year": year}
        filters["page_size"] = min(limit, search.MAX_PAGE_SIZE)
        pages = range(1, -(-limit // search.MAX_PAGE_SIZE) + 1)
        requests = (search.FindProvisions(query=query, page=page, **filters) for page in pages)
        replies = await asyncio.gather(*map(self.law.find, requests))
        first, hits = replies[0], _distinct(replies)[:limit]
        more = first.total > len(hits)
        rest = f"Det er {first.total} treff i alt. " if more else ""
        if more and limit < MAX_LIMIT:
            rest += f"Øk limit (høyst {MAX_LIMIT}), eller snevre inn med filtre."
        elif more:
            rest += "Snevre inn med doc_type, ministry, year eller flere ord."
        stamp = await self.law.stamp(first, sample=any(hit.sample for hit in hits) or None)
        found = Hits.of(first, query=query, hits=hits, truncated=more, rest=rest, stamp=stamp)
        meant = ", ".join(f"«{word}»" for word in first.did_you_mean)
        nothing = f"{NOTHING} Mente du {meant}?" if meant else NOTHING
        text = "\n\n".join(result_text.hit(number, hit) for number, hit in enumerate(hits, 1)) or nothing
        types = ", ".join(first.searched_law_types)
        head = f"{len(hits)} av {first.total} treff for «{query}»" + (f" (søkt i: {types})" if types else "")
        return answer("\n\n".join(part for part in (head, text, rest) if part), found)

    async def liste(
        self,
        doc_type: DocType | None = None,
        ministry: Ministry | None = None,
        year: Year | None = None,
        title: Annotated[str, StringConstraints(max_length=200), Plain, Field(description="Del av tittelen.")]
        | None = None,
        page: Annotated[int, Field(ge=1, le=1_000)] = 1,
    ) -> Annotated[CallToolResult, Listing]:
        """List dokumentene i samlingen, 50 om gangen, med filtre."""
        asked = listings.ListDocuments(
            law_type=doc_type, ministry=ministry, year=year, title=title, page=page, page_size=LIST_PAGE
        )
        reply = await self.law.documents(asked)
        more = reply.page * reply.page_size < reply.total
        rest = f"Flere: page={reply.page + 1}, eller snevre inn med doc_type, ministry, year, title." if more else ""
        found = Listing.of(reply, truncated=more, rest=rest, stamp=await self.law.stamp(reply))
        pages = -(-reply.total // reply.page_size)
        nothing = f"Siste side er {pages}." if reply.total else "Ingen dokumenter passer. Prøv uten filtre."
        text = "\n".join(map(result_text.document, reply.documents)) or nothing
        head = f"{len(reply.documents)} av {reply.total} dokumenter (side {reply.page})"
        return answer("\n\n".join(part for part in (head, text, rest) if part), found)

    async def definisjoner(self, term: Term, lov_id: ActName | None = None) -> Annotated[CallToolResult, Definitions]:
        """Finn hvor et begrep er definert («med forbruker menes …»), i én lov eller i alle."""
        document = None
        if lov_id is not None:
            document = arguments.must_be_one(await arguments.named(self.law, lov_id)).refid
        queries = (f'"med {term} menes"', f"definisjoner {term} menes")
        requests = (search.FindProvisions(query=q, document=document, page_size=search.MAX_PAGE_SIZE) for q in queries)
        replies = await asyncio.gather(*map(self.law.find, requests))
        refs = [search.ProvisionRef(refid=hit.refid, section=hit.section) for hit in _distinct(replies)[:LOOKED_AT]]
        read = await self.law.read(refs) if refs else None
        provisions, patterns = read.provisions if read else (), definition_patterns(term)
        defined = [
            Definition.of(one, heading=heading(one), words=words)
            for one in provisions
            if (words := defining_words(one.title, one.text, patterns))
        ]
        laws_first = sorted(defined, key=lambda one: not one.refid.startswith(LawType.LOV))[:MAX_DEFINITIONS]
        more = len(defined) - len(laws_first)
        rest = f"{more} til er funnet; spør om én lov med lov_id for å se dens." if more else ""
        found = Definitions(
            term=term,
            definitions=tuple(laws_first),
            looked_at=len(provisions),
            truncated=bool(more),
            rest=rest,
            stamp=await self.law.stamp(read or replies[0], sample=any(one.sample for one in laws_first) or None),
        )
        rows = [
            f"- **{one.act} {one.heading}** ({result_text.IN_FORCE[one.in_force]}): {one.words} · {one.lovdata_url}"
            for one in laws_first
        ]
        nothing = (
            f"Fant ingen definisjon av «{term}» i de {len(provisions)} bestemmelsene som ligner mest. "
            f'Prøv sok("{term}").'
        )
        return answer("\n".join(filter(None, [*rows, rest])) or nothing, found)

    async def finn_praksis(
        self, query: Query, limit: Annotated[int, Field(ge=1, le=20)] = 10
    ) -> Annotated[CallToolResult, Practice]:
        """Finn rettsavgjørelser og forvaltningspraksis på lovdata.no. Gir tittel og utdrag, ikke hele avgjørelsen."""
        reply = await self.law.practice(query, limit)
        stamp = (await self.law.stamp()).model_copy(update=NOT_OPEN_DATA)
        found = Practice(query=query, hits=reply.hits, stamp=stamp)
        rows = [f"- **{hit.title}**: {hit.snippet} · {hit.url}" for hit in reply.hits]
        note = "Utdragene er fra en søketjeneste og er ikke kontrollert mot avgjørelsene."
        return answer("\n".join([*rows, "", note]) if rows else f"Fant ingen avgjørelser for «{query}».", found)


def _distinct(replies: Iterable[search.ProvisionHits]) -> tuple[search.ProvisionHit, ...]:
    found: dict[tuple[str, str], search.ProvisionHit] = {}
    for reply in replies:
        for hit in reply.hits:
            found.setdefault((hit.refid, hit.section), hit)
    return tuple(found.values())
