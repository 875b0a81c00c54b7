"""`search_products`: products and services of the catalogues that are served, which an answer may recommend."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from lovsvar_agent.core.evidence import EvidenceRegistry
from lovsvar_agent.core.ports import ProductSearch
from lovsvar_agent.core.products.catalogue_access import CatalogueAccess, access_of
from lovsvar_agent.core.products.item_text import address_of, name_of, price_of
from lovsvar_agent.core.products.offers import NAME
from lovsvar_agent.core.reasoning import arguments as read
from lovsvar_agent.core.reasoning.arguments import Misunderstood
from lovsvar_agent.core.reasoning.prose import plain_line
from lovsvar_agent.core.reasoning.tool_results import DATA_NOTE, fill
from lovsvar_agent.core.source_kinds.product import PRODUCT
from lovsvar_agent.core.tools.law_access import LawAccess
from lovsvar_agent.core.tools.tool import Found, Tool, number, record, text
from lovsvar_contracts.catalogues import MAX_DESCRIPTION, MAX_PRODUCTS, Catalogue, ProductHit
from lovsvar_contracts.questions import QuestionAsked

DEFAULT_LIMIT = 5
MAX_OFFER = 300
"""Characters that are used of what a catalogue says of when to search it."""

DESCRIPTION = """\
Søk etter produkter og tjenester i katalogene under, når spørsmålet også gjelder hvem som kan hjelpe. Skriv query på
katalogens språk. Tilbud er aldri kilder: siter dem ikke. Vil du anbefale noen av dem (to eller tre, høyst fem), så
skriv bare id-ene deres i klammer til slutt i answer, slik: [product-1] [product-2]. Navn, pris og lenke settes inn av
systemet; skriv dem ikke selv, og nevn ingen tilbud som ikke er funnet her. Passer ingen, så nevn ingen."""

NOTHING = "Ingen tilbud passer til «{query}». Anbefal ingenting som ikke er funnet."
LANGUAGES: Mapping[str, str] = {
    "nb": "bokmål",
    "nn": "nynorsk",
    "en": "engelsk",
    "nl": "nederlandsk",
    "de": "tysk",
    "fr": "fransk",
    "sv": "svensk",
    "da": "dansk",
}


def product_search(search: ProductSearch | None) -> Tool:
    """Return the tool that searches products by `search`; a run is offered it where the asker may see a catalogue."""

    async def offered(asked: QuestionAsked) -> Tool | None:
        access = await access_of(asked, search)
        return searching(tool, access) if access and any(one.offer for one in access.catalogues) else None

    async def unused(law: LawAccess, given: Mapping[str, Any]) -> Found:
        raise Misunderstood("Det finnes ingen kataloger.")

    tool = Tool(
        name=NAME,
        title="Ser etter tilbud som kan hjelpe",
        description=DESCRIPTION,
        parameters=record((), query=text("Søkeordene.")),
        call=unused,
        show=show_products,
        finds=(PRODUCT,),
        offered=offered,
    )
    return tool


def searching(tool: Tool, access: CatalogueAccess) -> Tool:
    """Return the tool as it searches these catalogues, those that say when among them."""
    catalogues = tuple(one for one in access.catalogues if one.offer)
    narrowed = replace(access, catalogues=catalogues)

    async def find(_: LawAccess, given: Mapping[str, Any]) -> Found:
        query = read.required(given, "query")
        limit = read.number_of(given, "limit", DEFAULT_LIMIT, MAX_PRODUCTS)
        wished = read.text_of(given, "catalogue", 40)
        among = (wished,) if narrowed.named(wished) else ()
        hits = await narrowed.find(query, among, limit)
        said = () if hits else (NOTHING.format(query=query[:100]),)
        return Found(result=hits or None, sources=((PRODUCT, hits),), said=said, count=len(hits))

    examples = f" ({', '.join(sorted({LANGUAGES[one.language] for one in catalogues}))})"
    return replace(
        tool,
        offered=None,
        description="\n".join((DESCRIPTION, *map(_described, catalogues))),
        parameters=record(
            ("query",),
            query=text(f"Søkeordene, på katalogens språk{examples}: hva det trengs hjelp til."),
            limit=number(
                f"Antall treff, høyst {MAX_PRODUCTS}.", minimum=1, maximum=MAX_PRODUCTS, default=DEFAULT_LIMIT
            ),
            catalogue=text("Bare denne katalogen.", enum=[one.catalogue for one in catalogues]),
        ),
        call=find,
    )


def product_results(hits: Iterable[ProductHit]) -> list[dict[str, Any]]:
    """Return products as a model reads them."""
    return [
        {
            "product_id": hit.product_id,
            "name": name_of(hit.name, hit.url),
            "description": shortened(plain_line(hit.description)),
            "price": price_of(hit.price),
            "url": address_of(hit.url),
            "category": plain_line(hit.category),
            "similarity": round(hit.similarity, 2),
            "problem_mappings": [plain_line(problem) for problem in hit.problem_mappings],
        }
        for hit in hits
    ]


def shortened(description: str) -> str:
    """Return a description cut at 200 characters, with '...' where it was longer."""
    return description if len(description) <= MAX_DESCRIPTION else f"{description[:MAX_DESCRIPTION]}..."


def show_products(hits: Iterable[ProductHit], sources: EvidenceRegistry, tokens: int) -> tuple[str, bool]:
    """Return products, each as data under its id."""
    kept = tuple(hits)
    fences = (
        PRODUCT.fence(sources.of(PRODUCT, hit), json.dumps(result, ensure_ascii=False))
        for hit, result in zip(kept, product_results(kept), strict=True)
    )
    body, cut = fill(fences, tokens)
    return f"{DATA_NOTE}\n{body}", cut


def _described(catalogue: Catalogue) -> str:
    """Return what a catalogue is and when it is searched; whoever set the service up wrote both."""
    invented = ", oppdiktet" if catalogue.invented else ""
    offer = plain_line(catalogue.offer)[:MAX_OFFER]
    language = LANGUAGES[catalogue.language]
    return f"- {catalogue.catalogue}: {plain_line(catalogue.name)[:100]} ({language}{invented}). {offer}"
