"""`search_lovdata_legal_documents` and `generer_sokestrenger`: finding provisions by one search or several."""

import asyncio
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import replace
from itertools import chain, zip_longest
from typing import Any

from lovsvar_agent.core.answer_parts import did_you_mean
from lovsvar_agent.core.evidence import EvidenceRegistry
from lovsvar_agent.core.question_filters import in_words, within
from lovsvar_agent.core.reasoning import arguments as read
from lovsvar_agent.core.reasoning.arguments import Misunderstood, Search
from lovsvar_agent.core.reasoning.conversation import estimated_tokens
from lovsvar_agent.core.reasoning.queries import is_asked_for, variants
from lovsvar_agent.core.reasoning.tool_results import DATA_NOTE
from lovsvar_agent.core.reasoning.untrusted_text import defused
from lovsvar_agent.core.source_kinds.kind import full_name
from lovsvar_agent.core.source_kinds.law import LAW
from lovsvar_agent.core.tools.law_access import LawAccess
from lovsvar_agent.core.tools.tool import Found, Tool, number, parameters, plainly, text
from lovsvar_contracts.identifiers import section_key
from lovsvar_contracts.law import LAW_TYPE_ORDER
from lovsvar_contracts.questions import QuestionFilters
from lovsvar_contracts.search import ProvisionHit, ProvisionHits
from lovsvar_legaltext.words import words

LAW_TYPES = [law_type.value.capitalize() for law_type in LAW_TYPE_ORDER]

DESCRIPTION = """\
Søk i lover, forskrifter osv., uten lawType i den rekkefølgen som står der. lawType, year og ministry bare når
spørsmålet nevner dem."""

MAX_QUERIES = 5
SHOWN_ABOVE = " (vist over)"

SEVERAL_DESCRIPTION = "Søk med flere søkestrenger samtidig, når spørsmålet er sammensatt. Like treff slås sammen."


async def find_law(law: LawAccess, given: Mapping[str, Any]) -> Found:
    """Search provisions within the question's filters, without filters of the model's own that it does not name."""
    wished = read.read_search(given)
    grounded = _without_invented(law, wished.filters)
    asked = replace(wished, filters=within(law.filters, grounded))
    hits = await law.find(asked)
    said = list(asked.ignored)
    if names := _dropped(wished.filters, grounded):
        said.append(f"{names} sto ikke i spørsmålet og ble ikke brukt.")
    if names := _dropped(grounded, asked.filters):
        said.append(f"{names} er utenfor det spørsmålet er avgrenset til ({in_words(law.filters)}) og ble ikke brukt.")
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
    merged_page = pages[0].model_copy(update={"hits": hits, "total": len(hits), "page": 1, "page_size": len(hits) or 1})
    return await found_hits(law, merged_page, said)


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
    """Return hits by rank: whole while there is room, then as excerpts, then by name; none whole a second time."""
    left, cut = [], _goes_on(page)
    known = [(hit, sources.of(LAW, hit)) for hit in page.hits]
    lines = [f"{evidence.evidence_id}: {defused(full_name(evidence))}" for _, evidence in known]
    room = tokens - sum(map(estimated_tokens, lines))
    for at, (_, evidence) in enumerate(known):
        provision = sources.whole(evidence)
        whole = LAW.fence(evidence, provision.text) if provision else ""
        if evidence.evidence_id in sources.shown:
            lines[at] += SHOWN_ABOVE
        elif whole and estimated_tokens(whole) <= room + estimated_tokens(lines[at]):
            room += estimated_tokens(lines[at]) - estimated_tokens(whole)
            lines[at] = whole
            sources.shown.add(evidence.evidence_id)
        else:
            left.append(at)
    for at in left:
        brief = LAW.fence(known[at][1], known[at][0].snippet, excerpt=True)
        if estimated_tokens(brief) <= room + estimated_tokens(lines[at]):
            room += estimated_tokens(lines[at]) - estimated_tokens(brief)
            lines[at] = brief
        else:
            lines[at] += " (ikke vist)"
    head = f"{page.total} treff, side {page.page}. {DATA_NOTE}"
    return "\n".join((head, *lines)), cut or bool(left)


def more_hits(page: ProvisionHits) -> str:
    """Return what to call for what a page of hits does not show."""
    rest = f" Flere treff: page={page.page + 1}." if _goes_on(page) else ""
    return f"Hent det som ikke er vist helt, med hent_lovtekst.{rest}"


def _goes_on(page: ProvisionHits) -> bool:
    return page.total > page.page * page.page_size


def _really_asked(law: LawAccess, given: Mapping[str, Any]) -> Hashable:
    """Return the words, the filters that hold, and the page of a search."""
    try:
        wished = read.read_search(given)
    except Misunderstood:
        return plainly(given)
    filters = within(law.filters, _without_invented(law, wished.filters))
    return frozenset(words(wished.query)), filters, wished.page, wished.page_size


def _without_invented(law: LawAccess, asked: QuestionFilters) -> QuestionFilters:
    """Return filters without those that neither the question names nor its own filters bound."""
    own, question = law.filters, law.asked.question
    named = {
        "law_type": asked.law_type and (own.law_type or is_asked_for(asked.law_type, question)),
        "year": asked.year and (own.year or str(asked.year) in words(question)),
        "ministry": asked.ministry and (own.ministry or is_asked_for(asked.ministry, question)),
    }
    return asked.model_copy(update={name: None for name, kept in named.items() if not kept})


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
        "andre juridiske ord, med generer_sokestrenger, eller se innholdsfortegnelse for en lov."
    )


LAW_SEARCH = Tool(
    name="search_lovdata_legal_documents",
    title="Søker i lover og forskrifter",
    description=DESCRIPTION,
    parameters=parameters(
        ("query",),
        query=text("Juridiske uttrykk."),
        lawType=text("Dokumenttype.", enum=LAW_TYPES),
        year=number("Dokumentets år."),
        ministry=text("Departement."),
        page=number("Side."),
    ),
    call=find_law,
    show=show_hits,
    more=more_hits,
    asks=_really_asked,
)

SEVERAL_SEARCHES = Tool(
    name="generer_sokestrenger",
    title="Søker med flere søkestrenger",
    description=SEVERAL_DESCRIPTION,
    parameters=parameters(
        ("queries",),
        queries={"type": "array", "items": {"type": "string"}, "description": f"Søkestrenger, høyst {MAX_QUERIES}."},
    ),
    call=find_many,
    show=show_hits,
    more=more_hits,
)
