"""What each tool finds."""

import asyncio
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, zip_longest
from typing import Any

from lovsvar_agent.core.composing import did_you_mean
from lovsvar_agent.core.ports import LegalSearch, PracticeSearch
from lovsvar_agent.core.question_filters import NO_FILTERS, in_words, within
from lovsvar_agent.core.reasoning import arguments as read
from lovsvar_agent.core.reasoning.arguments import MAX_NAME, Misunderstood, Search
from lovsvar_agent.core.reasoning.conversation import shown_tokens
from lovsvar_agent.core.reasoning.prose import plain_line
from lovsvar_agent.core.reasoning.queries import is_asked_for, variants
from lovsvar_agent.core.reasoning.sources import Sources
from lovsvar_agent.core.reasoning.tools import MAX_BATCH, MAX_QUERIES
from lovsvar_agent.core.run import Limits
from lovsvar_agent.core.toolbox import patiently
from lovsvar_contracts.identifiers import LOVDATA, section_key
from lovsvar_contracts.law import LawType, Provision
from lovsvar_contracts.practice import FindPractice, PracticeHit
from lovsvar_contracts.problems import ProblemError
from lovsvar_contracts.questions import QuestionFilters
from lovsvar_contracts.search import (
    FindProvisions,
    Outline,
    OutlineEntry,
    OutlineNode,
    ProvisionHit,
    ProvisionHits,
    ProvisionRef,
    ReadOutline,
    ReadProvisions,
    Resolution,
    ResolveReference,
)

ROOM_FOR_WORDS = 200
"""Tokens of a result that a chapter's name and remarks may take."""

MAX_READ_TOKENS = 40_000
"""Size of one read: a reply of this many tokens stays well below the 1 MB of a NATS message."""

MAX_TITLE = 300
MAX_SNIPPET = 2_000
"""Characters that are used of what a search engine gives; it gives far fewer."""

UNTITLED = "Avgjørelse uten tittel"

_REFID = re.compile(r"^[a-zæøå]+(?:/[a-zæøå]+)?/\d{4}-\d{2}-\d{2}(?:-[\w-]+)?$")
_EVIDENCE = re.compile(r"^\[?(lovdata-\d+)\]?$")


@dataclass(frozen=True)
class Found:
    """What a tool found. `said` are Norwegian sentences for the model; `page` is the page of what can be paged.

    When not `paged`, the provisions are a page themselves, and `page` is no page of theirs.
    """

    hits: tuple[ProvisionHit, ...] = ()
    provisions: tuple[Provision, ...] = ()
    practice: tuple[PracticeHit, ...] = ()
    outline: Outline | None = None
    said: tuple[str, ...] = ()
    total: int = 0
    page: int = 1
    paged: bool = True
    searched_law_types: tuple[LawType, ...] = ()
    corpus_version: int = 0

    @property
    def count(self) -> int:
        """How many things were found."""
        return len(self.hits or self.provisions or self.practice) or int(self.outline is not None)


@dataclass(frozen=True)
class LawTools:
    """The tools of one run. Each raises `ProblemError` when it failed, `Misunderstood` when it was called wrongly.

    `filters` are the question's; a `search` that is narrowed to them finds and reads nothing else.
    `until` is the time of the event loop after which `fetch` and the checks of an answer wait no more.
    """

    search: LegalSearch
    practice: PracticeSearch | None
    sources: Sources
    limits: Limits
    question: str
    correlation_id: str
    filters: QuestionFilters = NO_FILTERS
    until: float | None = None

    async def find(self, given: Mapping[str, Any]) -> Found:
        """Search provisions within the question's filters.

        A filter of the model's own that the question does not name is dropped when it empties the result.
        """
        wished = read.read_search(given)
        asked = self._within(wished)
        hits = await self._find(asked)
        said = list(asked.ignored)
        if names := _filters(wished, asked):
            said.append(
                f"{names} er utenfor det spørsmålet er avgrenset til ({in_words(self.filters)}) og ble ikke brukt."
            )
        if not hits.hits and (grounded := self._without_invented(asked)) != asked:
            names = _filters(asked, grounded)
            said.append(f"{names} sto ikke i spørsmålet og ga ingen treff, så det ble søkt uten.")
            asked = replace(grounded, page=1)
            hits = await self._find(asked)
        if not hits.hits:
            said.append(_nothing_found(asked, hits))
        return Found(
            hits=hits.hits,
            provisions=await self._whole(hits.hits),
            said=tuple(said),
            total=hits.total,
            page=hits.page,
            searched_law_types=hits.searched_law_types,
            corpus_version=hits.corpus_version,
        )

    async def find_many(self, given: Mapping[str, Any]) -> Found:
        """Search with several queries at once; what more than one found is one hit."""
        question = read.text_of(given, "question") or self.question
        most = read.number_of(given, "num_queries", 3, MAX_QUERIES)
        queries = variants(question, read.texts_of(given, "queries"), most)
        searches = [Search(q, None, None, None, 1, 5) for q in queries]
        pages = await asyncio.gather(*(self._find(s) for s in searches))
        merged: dict[tuple[str, str], ProvisionHit] = {}
        for hit in chain.from_iterable(zip_longest(*(p.hits for p in pages))):
            if hit is not None:
                merged.setdefault((hit.refid, section_key(hit.section)), hit)
        hits = tuple(merged.values())
        said = ["Søkte med: " + ", ".join(f"«{q}»" for q in queries) + "."]
        if not hits:
            said.append(
                "Ingen av dem ga treff. Prøv andre ord, eller innholdsfortegnelse for en lov du kjenner navnet på."
            )
        return Found(
            hits=hits,
            provisions=await self._whole(hits),
            said=tuple(said),
            total=len(hits),
            searched_law_types=pages[0].searched_law_types,
            corpus_version=pages[0].corpus_version,
        )

    async def find_practice(self, given: Mapping[str, Any]) -> Found:
        """Search practice; what is not at lovdata.no is dropped, and addresses in foreign text are taken out."""
        query = read.required(given, "query")
        if self.practice is None:
            raise Misunderstood(
                "Praksissøk er ikke satt opp. Svar ut fra lovteksten alene, og si at praksis ikke er søkt."
            )
        request = FindPractice(
            query=query, num=read.number_of(given, "num", 10, 20), correlation_id=self.correlation_id
        )
        # Asked once: the practice service tries again itself, and every request counts against its budget.
        found = await self.practice.find(request)
        hits = tuple(
            PracticeHit(
                title=plain_line(h.title)[:MAX_TITLE] or UNTITLED,
                url=h.url,
                snippet=plain_line(h.snippet)[:MAX_SNIPPET],
            )
            for h in found.hits
            if h.url.startswith((f"{LOVDATA}/", "https://www.lovdata.no/"))
        )
        said = (
            ()
            if hits
            else (f"Praksissøket etter «{query}» ga ingen treff. Prøv andre ord, eller svar ut fra lovteksten.",)
        )
        return Found(practice=hits, said=said, total=len(hits))

    async def read(self, given: Mapping[str, Any]) -> Found:
        """Read provisions by name, one or many, or a chapter."""
        chapter = read.text_of(given, "chapter", MAX_NAME)
        wanted = _wanted(given)
        page = read.number_of(given, "page", 1, 1000)
        if chapter and not any(section for _, section in wanted):
            return await self._chapter(read.required(given, "document", MAX_NAME), chapter, page)
        resolved = await asyncio.gather(*(self._ref(document, section) for document, section in wanted))
        refs = tuple(dict.fromkeys(r for r in resolved if isinstance(r, ProvisionRef)))
        said = [s for s in resolved if isinstance(s, str)]
        if not refs:
            return Found(said=tuple(said))
        found = await patiently(self.limits, lambda: self.search.read(self._reading(refs)))
        filters = in_words(self.filters)
        where = f" innenfor det spørsmålet er avgrenset til: {filters}" if filters else ""
        said += [f"Fant ikke {m.section} i {m.refid}{where}. Se innholdsfortegnelse." for m in found.missing]
        return Found(
            provisions=found.provisions,
            said=tuple(said),
            total=len(found.provisions),
            page=page,
            corpus_version=found.corpus_version,
        )

    async def outline(self, given: Mapping[str, Any]) -> Found:
        """Read a document's table of contents."""
        refid = await self._document(read.required(given, "document", MAX_NAME))
        found = await patiently(self.limits, lambda: self.search.outline(self._outlining(refid)))
        return Found(outline=found, total=1, corpus_version=found.corpus_version)

    async def fetch(self, refs: Iterable[ProvisionRef]) -> None:
        """Read provisions into the sources, before their quotes are checked; a failure leaves them unread."""
        wanted = tuple(refs)
        for at in range(0, len(wanted), MAX_BATCH):
            batch = wanted[at : at + MAX_BATCH]
            try:
                async with asyncio.timeout_at(self.until):
                    found = await self.search.read(self._reading(batch))
            except (ProblemError, TimeoutError):
                continue
            self.sources.take(provisions=found.provisions)

    async def resolve(self, reference: str) -> Resolution:
        """Look up what a written reference names. Raises `ProblemError`."""
        request = ResolveReference(reference=reference[:500], correlation_id=self.correlation_id)
        return await patiently(self.limits, lambda: self.search.resolve(request))

    async def _find(self, asked: Search) -> ProvisionHits:
        request = FindProvisions(
            query=asked.query,
            law_type=asked.law_type,
            year=asked.year,
            ministry=asked.ministry,
            page=asked.page,
            page_size=asked.page_size,
            correlation_id=self.correlation_id,
        )
        return await patiently(self.limits, lambda: self.search.find(request))

    def _without_invented(self, asked: Search) -> Search:
        """Return `asked` without filters of the model's own that the question does not name."""
        own = self.filters
        return replace(
            asked,
            law_type=asked.law_type if asked.law_type and is_asked_for(asked.law_type, self.question) else own.law_type,
            year=asked.year if str(asked.year) in self.question else own.year,
            ministry=asked.ministry if asked.ministry and is_asked_for(asked.ministry, self.question) else own.ministry,
        )

    def _within(self, asked: Search) -> Search:
        """Return `asked` with the question's filters in place of those that would leave them."""
        wished = QuestionFilters(law_type=asked.law_type, year=asked.year, ministry=asked.ministry)
        held = within(self.filters, wished)
        return replace(asked, law_type=held.law_type, year=held.year, ministry=held.ministry)

    async def _whole(self, hits: Iterable[ProvisionHit]) -> tuple[Provision, ...]:
        """Read the first hits whole, as many as one result has room for; without them, hits are shown as snippets."""
        room = self.limits.result_tokens
        refs: list[ProvisionRef] = []
        for hit in hits:
            if refs and hit.tokens > room:
                break
            room -= hit.tokens
            if hit.tokens <= MAX_READ_TOKENS:
                refs.append(ProvisionRef(refid=hit.refid, section=hit.section))
        if not refs:
            return ()
        try:
            return (await self.search.read(self._reading(refs))).provisions
        except ProblemError:
            return ()

    async def _ref(self, document: str, section: str) -> ProvisionRef | str:
        """Return what a document and a section name, or a sentence that says why they name nothing."""
        if (evidence := self._evidence(document)) and not section:
            return evidence
        if evidence:
            document = evidence.refid
        if _REFID.match(document) and section:
            return ProvisionRef(refid=document, section=_section(section))
        written = (
            f"{document} § {section.lstrip('§ ')}"
            if section and section[:1] in "§0123456789"
            else f"{document} {section}"
        )
        found = await self.resolve(written.strip())
        if found.outcome == "one" and (section_name := found.matches[0].section):
            return ProvisionRef(refid=found.matches[0].refid, section=section_name)
        if found.outcome == "one":
            return f"{found.matches[0].act} er {found.matches[0].refid}. Oppgi section, eller se innholdsfortegnelse."
        if found.outcome == "several":
            return f"«{written}» kan bety flere ting: " + ", ".join(f"{m.act} ({m.refid})" for m in found.matches[:5])
        return f"Fant ikke «{written}». Søk etter den, eller se innholdsfortegnelse for loven."

    def _evidence(self, name: str) -> ProvisionRef | None:
        match = _EVIDENCE.match(name)
        known = self.sources.registry.named(match[1]) if match else None
        if known is None or known.refid is None or known.section is None:
            return None
        return ProvisionRef(refid=known.refid, section=known.section)

    async def _document(self, name: str) -> str:
        if _REFID.match(name):
            return name
        if evidence := self._evidence(name):
            return evidence.refid
        found = await self.resolve(name)
        if found.outcome != "one":
            known = ", ".join(f"{m.act} ({m.refid})" for m in found.matches[:5])
            raise Misunderstood(
                f"Fant ikke ett dokument som heter «{name}»." + (f" Mente du {known}?" if known else "")
            )
        return found.matches[0].refid

    async def _chapter(self, document: str, chapter: str, page: int) -> Found:
        refid = await self._document(document)
        found = await patiently(self.limits, lambda: self.search.outline(self._outlining(refid)))
        node = _chapter(found.children, chapter)
        if node is None:
            raise Misunderstood(f"Fant ikke kapittel «{chapter}» i {document}. Se innholdsfortegnelse.")
        refs = [ProvisionRef(refid=refid, section=e.section) for e in _entries(node)]
        pages: list[list[Provision]] = [[]]
        version = 0
        # The outline's counts only say about how long a text is, so that pages are made of the texts themselves.
        while refs and len(pages) <= page:
            batch, refs = tuple(refs[:MAX_BATCH]), refs[MAX_BATCH:]
            reading = await patiently(self.limits, partial(self.search.read, self._reading(batch)))
            version = reading.corpus_version
            _lay_out(reading.provisions, pages, self.limits.result_tokens - ROOM_FOR_WORDS)
        if not pages[0]:
            raise Misunderstood(f"Kapittel «{chapter}» i {document} har ingen bestemmelser.")
        number = min(page, len(pages))
        shown = tuple(pages[number - 1])
        more = number < len(pages) or refs
        said = [f"{node.title or node.name}, side {number}."]
        said += [f"Kapittelet fortsetter: kall på nytt med page={number + 1}."] if more else []
        return Found(provisions=shown, said=tuple(said), total=len(shown), page=1, paged=False, corpus_version=version)

    def _reading(self, refs: Iterable[ProvisionRef]) -> ReadProvisions:
        return ReadProvisions(refs=tuple(refs), correlation_id=self.correlation_id)

    def _outlining(self, refid: str) -> ReadOutline:
        return ReadOutline(refid=refid, correlation_id=self.correlation_id)


def _section(written: str) -> str:
    name = "".join(written.split()).rstrip(".,;:")
    return f"§{name}" if name[:1].isdigit() else name


def _wanted(given: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return (document, section) of each provision asked for. Raises `Misunderstood` when there is none."""
    batch = given.get("provisions")
    items = [item for item in batch if isinstance(item, Mapping)][:MAX_BATCH] if isinstance(batch, list) else []
    document = read.text_of(given, "document", MAX_NAME)
    wanted = [(read.text_of(i, "document", MAX_NAME) or document, read.text_of(i, "section", MAX_NAME)) for i in items]
    wanted = [w for w in wanted if w[0]]
    if not wanted:
        wanted = [(read.required(given, "document", MAX_NAME), read.text_of(given, "section", MAX_NAME))]
    return wanted


def _filters(asked: Search, grounded: Search) -> str:
    pairs: tuple[tuple[str, object, object], ...] = (
        ("lawType", _type_name(asked.law_type), _type_name(grounded.law_type)),
        ("year", asked.year, grounded.year),
        ("ministry", asked.ministry, grounded.ministry),
    )
    return " og ".join(f"{name}={was}" for name, was, kept in pairs if was and was != kept)


def _type_name(law_type: LawType | None) -> str | None:
    return law_type.value.capitalize() if law_type else None


def _nothing_found(asked: Search, hits: ProvisionHits) -> str:
    where = ", ".join(t.value.capitalize() for t in hits.searched_law_types)
    filters = [f"{n} {v}" for n, v in (("år", asked.year), ("departement", asked.ministry)) if v]
    also = f" Filter: {', '.join(filters)}." if filters else ""
    also += f" {did_you_mean(hits.did_you_mean)}" if hits.did_you_mean else ""
    return (
        f"Søket etter «{asked.query}» ga ingen treff på side {asked.page} (søkte i: {where}).{also} Prøv færre eller "
        "andre juridiske ord, en annen lawType, uten filter, med generer_sokestrenger, eller se "
        "innholdsfortegnelse for en lov."
    )


def _chapter(nodes: Iterable[OutlineNode], wanted: str) -> OutlineNode | None:
    key = section_key(wanted).removeprefix("kapittel").removeprefix("kap").strip(".")
    for node in nodes:
        name = section_key(node.name)
        if name in {section_key(wanted), f"kap{key}", f"kapittel{key}"} or re.match(
            rf"kap(?:ittel|\.)?\s*{re.escape(key)}(?![\w-])", node.title.casefold()
        ):
            return node
        if found := _chapter(node.children, wanted):
            return found
    return None


def _entries(node: OutlineNode) -> list[OutlineEntry]:
    return [*node.provisions, *(e for child in node.children for e in _entries(child))]


def _lay_out(provisions: Iterable[Provision], pages: list[list[Provision]], tokens: int) -> None:
    """Put `provisions` on `pages` of about `tokens`, the last of which may have room left."""
    for provision in provisions:
        used = sum(shown_tokens(p.text) for p in pages[-1])
        if pages[-1] and used + shown_tokens(provision.text) > tokens:
            pages.append([])
        pages[-1].append(provision)
