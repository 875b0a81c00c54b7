"""How near the provisions that an answer cites are to the question, by search's own calibrated probability."""

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from lovsvar_agent.core.reasoning.arguments import Search
from lovsvar_agent.core.reasoning.contracts import is_of_other_contract
from lovsvar_agent.core.tools.law_access import LawAccess
from lovsvar_contracts.identifiers import section_key
from lovsvar_contracts.law import Provision
from lovsvar_contracts.problems import ProblemError
from lovsvar_contracts.questions import Evidence
from lovsvar_contracts.search import MAX_PAGE_SIZE, ProvisionHits

FAR = 0.01
"""Probability below which a provision is far from a question, unless a near one refers to it."""

Place = tuple[str, str]


@dataclass(frozen=True)
class Relevance:
    """The probability of each provision that a search with the question found; empty when that is not known."""

    found: Mapping[Place, float] = field(default_factory=dict)
    referred: frozenset[Place] = frozenset()
    sure: bool = False
    question: str = ""

    def of(self, evidence: Evidence) -> float | None:
        """Return the probability that a provision answers the question; None when search gave it none."""
        return self.found.get(_place(evidence.refid, evidence.section))

    def is_far(self, evidence: Evidence) -> bool:
        """Whether a provision is not among what was found, or hardly, and nothing near refers to it.

        So is what is about another kind of contract than the question, however near its words are.
        """
        if is_of_other_contract(self.question, evidence.refid):
            return True
        place = _place(evidence.refid, evidence.section)
        known = bool(evidence.refid and self.found and self.sure)
        return known and self.found.get(place, 0.0) < FAR and place not in self.referred


UNKNOWN = Relevance()
"""When search did not say."""


def relevance(page: ProvisionHits, near: Iterable[Provision], question: str = "") -> Relevance:
    """Return what a search with the question says of nearness; what the provisions that are `near` refer to is near.

    Where search is not sure that anything answers, nothing is far.
    """
    found = {_place(h.refid, h.section): h.probability for h in page.hits if h.probability is not None}
    referred = {_place(*parts) for p in near for ref in p.refs if (parts := _split(ref))}
    return Relevance(found, frozenset(referred), page.answers, question)


class RelevanceSearch:
    """Searches once for how near provisions are to a question; begun ahead, nobody waits for it."""

    def __init__(self, law: LawAccess, query: str) -> None:
        """`law` says how long an answer's checks may wait, and what the question is narrowed to."""
        self._law = law
        self._query = query
        self._searching: asyncio.Task[ProvisionHits | None] | None = None
        self._relevance: Relevance | None = None

    def begin(self) -> None:
        """Search while something else is waited for."""
        self._searching = self._searching or asyncio.create_task(self._hits(), name="relevance")

    async def relevance(self) -> Relevance:
        """Return how near provisions are; nothing is known when search does not reply in time."""
        if self._relevance is None:
            ahead = await self._searching if self._searching else None
            hits = ahead or await self._hits()
            sources = self._law.sources
            whole = filter(None, (sources.whole(e) for e in sources.all if e.refid))
            self._relevance = relevance(hits, whole, self._query) if hits else UNKNOWN
        return self._relevance

    def stop(self) -> None:
        """Search no more."""
        if self._searching:
            self._searching.cancel()

    async def _hits(self) -> ProvisionHits | None:
        try:
            async with asyncio.timeout_at(self._law.until):
                asked = Search(self._query, page_size=MAX_PAGE_SIZE, filters=self._law.filters)
                return await self._law.find(asked)
        except (ProblemError, TimeoutError):
            return None


def _split(ref: str) -> tuple[str, str] | None:
    refid, sign, section = ref.partition("/§")
    return (refid, f"§{section.split('/')[0]}") if sign else None


def _place(refid: str | None, section: str | None) -> Place:
    return refid or "", section_key(section or "")
