"""`search_lovdata_legal_documents` and `generer_sokestrenger`: finding provisions by one search or several."""

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import chain, zip_longest
from typing import Any

from lovsvar_agent.core.answer_parts import did_you_mean
from lovsvar_agent.core.evidence import EvidenceRegistry
from lovsvar_agent.core.question_filters import in_words, within
from lovsvar_agent.core.reasoning import arguments as read
from lovsvar_agent.core.reasoning.arguments import Search
from lovsvar_agent.core.reasoning.conversation import estimated_tokens
from lovsvar_agent.core.reasoning.queries import is_asked_for, variants
from lovsvar_agent.core.reasoning.tool_results import DATA_NOTE
from lovsvar_agent.core.reasoning.untrusted_text import defused
from lovsvar_agent.core.source_kinds.kind import full_name
from lovsvar_agent.core.source_kinds.law import LAW
from lovsvar_agent.core.tools.law_access import LawAccess
from lovsvar_agent.core.tools.tool import Found, Tool, number, record, text
from lovsvar_contracts.identifiers import section_key
from lovsvar_contracts.law import LAW_TYPE_ORDER
from lovsvar_contracts.questions import QuestionFilters
from lovsvar_contracts.search import ProvisionHit, ProvisionHits

LAW_TYPES = [law_type.value.capitalize() for law_type in LAW_TYPE_ORDER]

DESCRIPTION = """\
Søk i Lovdatas lover, forskrifter og andre dokumenter. Bruk denne for å finne bestemmelsene som svarer på spørsmålet.
Søkeordene er juridiske uttrykk hentet ut av spørsmålet, ikke hele spørsmålet.

Uten lawType søkes det i prioritert rekkefølge: 1. Lov, 2. Forskrift, 3. Vedtak, 4. Instruks, 5. Reglement, 6. Vedlegg.
La lawType, year og ministry stå tomme når spørsmålet ikke selv nevner dem. Gir et søk for lite, så prøv andre ord
eller en annen dokumenttype. Treffene har id-er (lovdata-1 …) som svaret viser til."""

MAX_QUERIES = 5

SEVERAL_DESCRIPTION = """\
Del et sammensatt eller uklart juridisk spørsmål i flere ulike søkestrenger, og søk med alle samtidig. Like treff slås
sammen. Bruk denne når ett søk ikke dekker alle sider av spørsmålet. Skriv gjerne dine egne søkestrenger i queries."""


async def find_law(law: LawAccess, given: Mapping[str, Any]) -> Found:
    """Search provisions within the question's filters.

    A filter of the model's own that the question does not name is dropped when it empties the result.
    """
    wished = read.read_search(given)
    asked = replace(wished, filters=within(law.filters, wished.filters))
    hits = await law.find(asked)
    said = list(asked.ignored)
    if names := _dropped(wished.filters, asked.filters):
        said.append(f"{names} er utenfor det spørsmålet er avgrenset til ({in_words(law.filters)}) og ble ikke brukt.")
    if not hits.hits and (grounded := replace(asked, filters=_without_invented(law, asked.filters))) != asked:
        names = _dropped(asked.filters, grounded.filters)
        said.append(f"{names} sto ikke i spørsmålet og ga ingen treff, så det ble søkt uten.")
        asked = replace(grounded, page=1)
        hits = await law.find(asked)
    if not hits.hits:
        said.append(_nothing_found(asked, hits))
    return await found_hits(law, hits, said)


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


async def found_hits(law: LawAccess, page: ProvisionHits, said: Iterable[str]) -> Found:
    """Return a page of hits as what a tool found, the first of them read whole."""
    return Found(
        result=page if page.hits else None,
        sources=((LAW, page.hits), (LAW, await law.whole(page.hits))),
        said=tuple(said),
        count=len(page.hits),
        searched_law_types=page.searched_law_types,
        corpus_version=page.corpus_version,
    )


def show_hits(page: ProvisionHits, sources: EvidenceRegistry, tokens: int) -> tuple[str, bool]:
    """Return hits whole while there is room, then as excerpts, then by name."""
    shown, cut = [], False
    beyond = page.total > page.page * len(page.hits)
    known = ((hit, sources.of(LAW, hit)) for hit in page.hits)
    named = [
        (hit, evidence, f"{evidence.evidence_id}: {defused(full_name(evidence))} (ikke vist, hent med hent_lovtekst)")
        for hit, evidence in known
    ]
    room = tokens - sum(estimated_tokens(name) for _, _, name in named)
    for hit, evidence, name in named:
        room += estimated_tokens(name)
        provision = sources.whole(evidence)
        whole = LAW.fence(evidence, provision.text) if provision else ""
        brief = LAW.fence(evidence, hit.snippet, excerpt=True)
        if whole and estimated_tokens(whole) <= room:
            shown.append(whole)
        else:
            shown.append(brief if estimated_tokens(brief) <= room else name)
            cut = True
        room -= estimated_tokens(shown[-1])
    head = f"{page.total} treff, side {page.page}. {DATA_NOTE}"
    tail = [f"Flere treff: kall på nytt med page={page.page + 1}."] if beyond else []
    return "\n".join((head, *shown, *tail)), cut or beyond


def _without_invented(law: LawAccess, asked: QuestionFilters) -> QuestionFilters:
    """Return filters without those of the model's own that the question does not name."""
    own, question = law.filters, law.asked.question
    return QuestionFilters(
        law_type=asked.law_type if asked.law_type and is_asked_for(asked.law_type, question) else own.law_type,
        year=asked.year if str(asked.year) in question else own.year,
        ministry=asked.ministry if asked.ministry and is_asked_for(asked.ministry, question) else own.ministry,
    )


def _dropped(wished: QuestionFilters, used: QuestionFilters) -> str:
    """Return the filters of `wished` that are not in `used`, as the model knows them."""
    law_type = wished.law_type and wished.law_type.value.capitalize()
    pairs: tuple[tuple[str, object, bool], ...] = (
        ("lawType", law_type, wished.law_type == used.law_type),
        ("year", wished.year, wished.year == used.year),
        ("ministry", wished.ministry, wished.ministry == used.ministry),
    )
    return " og ".join(f"{name}={value}" for name, value, kept in pairs if value and not kept)


def _nothing_found(asked: Search, hits: ProvisionHits) -> str:
    where = ", ".join(t.value.capitalize() for t in hits.searched_law_types)
    filters = [f"{n} {v}" for n, v in (("år", asked.filters.year), ("departement", asked.filters.ministry)) if v]
    also = f" Filter: {', '.join(filters)}." if filters else ""
    also += f" {did_you_mean(hits.did_you_mean)}" if hits.did_you_mean else ""
    return (
        f"Søket etter «{asked.query}» ga ingen treff på side {asked.page} (søkte i: {where}).{also} Prøv færre eller "
        "andre juridiske ord, en annen lawType, uten filter, med generer_sokestrenger, eller se "
        "innholdsfortegnelse for en lov."
    )


LAW_SEARCH = Tool(
    name="search_lovdata_legal_documents",
    title="Søker i lover og forskrifter",
    description=DESCRIPTION,
    parameters=record(
        ("query",),
        query=text("Søkeordene: relevante juridiske uttrykk fra spørsmålet."),
        lawType=text("Dokumenttype, bare hvis spørsmålet nevner den.", enum=LAW_TYPES),
        year=number("Dokumentets år, bare hvis spørsmålet nevner det («fra 2020»)."),
        ministry=text("Departement, bare hvis spørsmålet nevner det."),
        page=number("Sidenummer, fra 1.", minimum=1, default=1),
        pageSize=number("Antall treff på siden, høyst 20.", minimum=1, maximum=20, default=10),
    ),
    call=find_law,
    show=show_hits,
)

SEVERAL_SEARCHES = Tool(
    name="generer_sokestrenger",
    title="Søker med flere søkestrenger",
    description=SEVERAL_DESCRIPTION,
    parameters=record(
        ("question",),
        question=text("Spørsmålet som skal deles opp."),
        num_queries=number(f"Antall søkestrenger, høyst {MAX_QUERIES}.", minimum=1, maximum=MAX_QUERIES),
        queries={"type": "array", "items": {"type": "string"}, "description": "Egne søkestrenger."},
    ),
    call=find_many,
    show=show_hits,
)
