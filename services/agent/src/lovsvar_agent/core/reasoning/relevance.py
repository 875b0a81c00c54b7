"""How near the provisions that an answer cites are to the question, by search's own calibrated probability."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from lovsvar_agent.core.reasoning.contracts import is_of_other_contract
from lovsvar_contracts.identifiers import section_key
from lovsvar_contracts.law import Provision
from lovsvar_contracts.questions import Evidence
from lovsvar_contracts.search import ProvisionHits

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


def _split(ref: str) -> tuple[str, str] | None:
    refid, sign, section = ref.partition("/§")
    return (refid, f"§{section.split('/')[0]}") if sign else None


def _place(refid: str | None, section: str | None) -> Place:
    return refid or "", section_key(section or "")
