"""The law in memory: the fake of `nats_search`.

It finds by shared words or a given similarity, filters by law type, year and ministry, and resolves by act name or
abbreviation and section or chapter: enough to drive the core. Chapter 3 is what has sections 3-1, 3-2 and so on.
"""

import re
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from lovsvar_agent.core.ports import LegalSearch
from lovsvar_contracts.identifiers import section_key, viewer_path
from lovsvar_contracts.law import LAW_TYPE_ORDER, DocumentSummary, LawType, Provision
from lovsvar_contracts.problems import Problem, ProblemError, ProblemType
from lovsvar_contracts.search import (
    CorpusStatus,
    FindProvisions,
    Outline,
    OutlineEntry,
    ProvisionHit,
    ProvisionHits,
    Provisions,
    ReadOutline,
    ReadProvisions,
    ReadStatus,
    Resolution,
    ResolvedReference,
    ResolveReference,
    SearchMode,
)
from lovsvar_legaltext.words import Matcher, words

VERSION = 7
DATE = date(2024, 3, 1)
ANSWERS = 0.5
"""Probability from which the best hit answers."""

BY_WORDS = 0.8
"""The greatest probability that words alone give."""

_SECTION = re.compile(r"§\s*(\S+)")
_CHAPTER = re.compile(r"kapittel (\w+)")


class MemorySearch(LegalSearch):
    """A few provisions."""

    def __init__(
        self,
        provisions: Iterable[Provision],
        ministries: Mapping[str, str] | None = None,
        similar: Mapping[str, tuple[float, int | None]] | None = None,
    ) -> None:
        """`ministries` are by refid; `similar` is, by section, every query's similarity and the nearest ledd."""
        self._provisions = tuple(provisions)
        self._ministries = ministries or {}
        self._similar = similar or {}

    async def find(self, request: FindProvisions) -> ProvisionHits:
        """Return the provisions that share most words with the query or are near it.

        A hit's probability is its given similarity or, where that is more, the square of the share of the query's
        content words that it holds, up to `BY_WORDS`.
        """
        matcher = Matcher(request.query)
        hits = [self._hit(p, matcher) for p in self._provisions if self._fits(p, request)]
        found = sorted((h for h in hits if h.score), key=lambda h: -h.score)
        first = (request.page - 1) * request.page_size
        best = max((h.probability or 0.0 for h in found), default=None)
        return ProvisionHits(
            correlation_id=request.correlation_id,
            hits=tuple(found[first : first + request.page_size]),
            total=len(found),
            page=request.page,
            page_size=request.page_size,
            searched_law_types=LAW_TYPE_ORDER,
            prioritized=request.law_type is None,
            mode=SearchMode.HYBRID if self._similar else SearchMode.LEXICAL,
            corpus_version=VERSION,
            corpus_date=DATE,
            took_ms=0.0,
            probability=best,
            answers=best is not None and best >= ANSWERS,
        )

    async def read(self, request: ReadProvisions) -> Provisions:
        known = {(p.refid, section_key(p.section)): p for p in self._provisions}
        keys = [(r, (r.refid, section_key(r.section))) for r in request.refs]
        return Provisions(
            correlation_id=request.correlation_id,
            provisions=tuple(known[key] for _, key in keys if key in known),
            missing=tuple(ref for ref, key in keys if key not in known),
            corpus_version=VERSION,
            corpus_date=DATE,
        )

    async def resolve(self, request: ResolveReference) -> Resolution:
        """Return the provision or chapter, or the act when none is named, whose act's name begins the reference."""
        reference = request.reference.casefold()
        number, chapter = _SECTION.search(reference), _CHAPTER.search(reference)
        acts = {p.refid: p for p in self._provisions if reference.startswith((*p.act.casefold().split(" – "), p.refid))}
        named = [
            p for p in self._provisions if number and p.refid in acts and section_key(p.section) == f"§{number[1]}"
        ]
        matches = tuple(
            ResolvedReference(section=p.section if number else None, **_fields(p, "title"))
            for p in (named if number else acts.values())
        )
        if chapter:
            there = {p.refid for p in self._provisions if p.section.startswith(f"§{chapter[1]}-")}
            matches = tuple(m.model_copy(update={"chapter": f"kap{chapter[1]}"}) for m in matches if m.refid in there)
        return Resolution(
            correlation_id=request.correlation_id,
            reference=request.reference,
            outcome="none" if not matches else "one" if len(matches) == 1 else "several",
            matches=matches,
            corpus_version=VERSION,
            corpus_date=DATE,
        )

    async def outline(self, request: ReadOutline) -> Outline:
        """Return the act's provisions as a flat table of contents."""
        found = [p for p in self._provisions if p.refid == request.refid]
        if not found:
            detail = f"Fant ikke {request.refid}."
            raise ProblemError(Problem(type=ProblemType.NOT_FOUND, title="Ikke funnet", detail=detail))
        return Outline(
            correlation_id=request.correlation_id,
            document=_summary(found[0], self._ministries.get(request.refid)),
            provisions=tuple(
                OutlineEntry(section=p.section, value=p.value, title=p.title, tokens=p.tokens) for p in found
            ),
            tokens=sum(p.tokens for p in found),
            corpus_version=VERSION,
            corpus_date=DATE,
        )

    async def status(self, request: ReadStatus) -> CorpusStatus:
        return CorpusStatus(
            correlation_id=request.correlation_id,
            documents=len({p.refid for p in self._provisions}),
            provisions=len(self._provisions),
            embedded=0,
            corpus_version=VERSION,
            stored_version=VERSION,
            corpus_date=DATE,
            by_law_type={LawType.LOV: len(self._provisions)},
            sample=any(p.sample for p in self._provisions),
            indexed_provisions=len(self._provisions),
            ready=True,
        )

    def _hit(self, provision: Provision, matcher: Matcher) -> ProvisionHit:
        similarity, ledd = self._similar.get(provision.section, (None, None))
        held = matcher.match(words(f"{provision.act} {provision.title} {provision.text}"))
        share = sum(held.values()) / len(matcher.stems) if matcher.stems else 0.0
        return ProvisionHit(
            title=f"{provision.value}. {provision.title}" if provision.title else provision.value,
            snippet=provision.text[:200],
            ledd=ledd,
            score=max(share, similarity or 0.0),
            similarity=similarity,
            probability=max(min(share**2, BY_WORDS), similarity or 0.0),
            **_fields(provision, "section", "path", "tokens", "sample"),
        )

    def _fits(self, provision: Provision, request: FindProvisions) -> bool:
        return (
            request.law_type in (None, provision.law_type)
            and request.year in (None, _year(provision))
            and (request.ministry or "").casefold() in self._ministries.get(provision.refid, "").casefold()
        )


def _year(provision: Provision) -> int:
    return int(provision.refid.split("/")[1][:4])


def _fields(provision: Provision, *more: str) -> dict[str, Any]:
    names = ("refid", "act", "law_type", "in_force", "url", "lovdata_url", *more)
    return {name: getattr(provision, name) for name in names}


def _summary(provision: Provision, ministry: str | None) -> DocumentSummary:
    return DocumentSummary(
        refid=provision.refid,
        title=provision.document_title,
        short_title=provision.act,
        law_type=provision.law_type,
        year=_year(provision),
        ministries=(ministry,) if ministry else (),
        dataset=provision.dataset,
        url=viewer_path(provision.refid),
        lovdata_url=provision.lovdata_url,
    )
