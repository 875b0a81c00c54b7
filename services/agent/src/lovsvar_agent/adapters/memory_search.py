"""The law in memory: the fake of `nats_search`.

It finds by counting shared stems and resolves by act name or abbreviation and section, enough to drive the core.
"""

import re
from collections.abc import Iterable
from datetime import date

from lovsvar_agent.core.words import stem, words
from lovsvar_contracts.identifiers import section_key
from lovsvar_contracts.law import LAW_TYPE_ORDER, LawType, Provision
from lovsvar_contracts.search import (
    CorpusStatus,
    FindProvisions,
    ProvisionHit,
    ProvisionHits,
    Provisions,
    ReadProvisions,
    ReadStatus,
    Resolution,
    ResolvedReference,
    ResolveReference,
)

VERSION = 7
DATE = date(2024, 3, 1)
_SECTION = re.compile(r"§\s*(\S+)")


class MemorySearch:
    """`LegalSearch` over a few provisions."""

    def __init__(self, provisions: Iterable[Provision]) -> None:
        self._provisions = tuple(provisions)

    async def find(self, request: FindProvisions) -> ProvisionHits:
        """Return the provisions that share most words with the query."""
        wanted = {stem(w) for w in words(request.query) if len(w) > 3}
        scored = [(len(wanted & _stems(p)), p) for p in self._provisions]
        found = sorted((s for s in scored if s[0]), key=lambda s: -s[0])
        return ProvisionHits(
            correlation_id=request.correlation_id,
            hits=tuple(_hit(p, score) for score, p in found[: request.page_size]),
            total=len(found),
            page=request.page,
            page_size=request.page_size,
            searched_law_types=LAW_TYPE_ORDER,
            prioritized=request.law_type is None,
            corpus_version=VERSION,
            took_ms=0.0,
        )

    async def read(self, request: ReadProvisions) -> Provisions:
        """Return the provisions asked for, in that order."""
        known = {(p.refid, section_key(p.section)): p for p in self._provisions}
        keys = [(r, (r.refid, section_key(r.section))) for r in request.refs]
        return Provisions(
            correlation_id=request.correlation_id,
            provisions=tuple(known[key] for _, key in keys if key in known),
            missing=tuple(ref for ref, key in keys if key not in known),
            corpus_version=VERSION,
        )

    async def resolve(self, request: ResolveReference) -> Resolution:
        """Return the provision, or the act when no section is named, whose act's name begins the reference."""
        reference = request.reference.casefold()
        number = _SECTION.search(reference)
        acts = {p.refid: p for p in self._provisions if reference.startswith((*_names(p), p.refid))}
        if number is None:
            matches = tuple(_resolved(p, None) for p in acts.values())
        else:
            matches = tuple(
                _resolved(p, p.section)
                for p in self._provisions
                if p.refid in acts and section_key(p.section) == f"§{number[1]}"
            )
        return Resolution(
            correlation_id=request.correlation_id,
            reference=request.reference,
            outcome="none" if not matches else "one" if len(matches) == 1 else "several",
            matches=matches,
            corpus_version=VERSION,
        )

    async def status(self, request: ReadStatus) -> CorpusStatus:
        """Return counts of what there is."""
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


def _names(provision: Provision) -> tuple[str, ...]:
    """Return an act's name and, if it has one, its abbreviation."""
    return tuple(provision.act.casefold().split(" – "))


def _stems(provision: Provision) -> set[str]:
    return {stem(w) for w in words(f"{provision.act} {provision.title} {provision.text}")}


def _hit(provision: Provision, score: int) -> ProvisionHit:
    return ProvisionHit(
        refid=provision.refid,
        section=provision.section,
        act=provision.act,
        title=f"{provision.value}. {provision.title}" if provision.title else provision.value,
        law_type=provision.law_type,
        path=provision.path,
        snippet=provision.text[:200],
        score=float(score),
        in_force=provision.in_force,
        url=provision.url,
        lovdata_url=provision.lovdata_url,
        tokens=provision.tokens,
        sample=provision.sample,
    )


def _resolved(provision: Provision, section: str | None) -> ResolvedReference:
    return ResolvedReference(
        refid=provision.refid,
        section=section,
        act=provision.act,
        title=provision.title,
        law_type=provision.law_type,
        in_force=provision.in_force,
        url=provision.url,
        lovdata_url=provision.lovdata_url,
    )
