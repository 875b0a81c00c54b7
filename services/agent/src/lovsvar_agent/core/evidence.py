"""The sources of a run, with stable ids."""

from collections.abc import Iterable
from datetime import date

from lovsvar_contracts.identifiers import section_key
from lovsvar_contracts.law import Provision
from lovsvar_contracts.practice import PracticeHit
from lovsvar_contracts.questions import Evidence
from lovsvar_contracts.search import ProvisionHit

_SNIPPET = 500


class EvidenceRegistry:
    """Counts provisions from `lovdata-1` and practice from `serper-1`.

    What is found twice keeps its id; ids never restart. `corpus_date` is put on provisions found from then on.
    """

    def __init__(self, known: Iterable[Evidence] = ()) -> None:
        """`known` is what an earlier attempt at the same run found."""
        self.corpus_date: date | None = None
        self._by_provision: dict[tuple[str, str], Evidence] = {}
        self._by_address: dict[str, Evidence] = {}
        for evidence in known:
            if evidence.refid and evidence.section:
                self._by_provision[_key(evidence.refid, evidence.section)] = evidence
            else:
                self._by_address[evidence.url] = evidence

    @property
    def all(self) -> tuple[Evidence, ...]:
        """Everything found so far: provisions in the order of their ids, then practice."""
        return (*self._by_provision.values(), *self._by_address.values())

    def named(self, evidence_id: str) -> Evidence | None:
        """Return the evidence of that id, if it is of this run."""
        return next((e for e in self.all if e.evidence_id == evidence_id), None)

    def add_hits(self, hits: Iterable[ProvisionHit]) -> tuple[Evidence, ...]:
        """Register provisions that a search found; return those that are new."""
        return tuple(
            e
            for h in hits
            if (
                e := self._add(
                    refid=h.refid,
                    section=h.section,
                    title=h.title,
                    act=h.act,
                    snippet=h.snippet,
                    ledd=h.ledd,
                    in_force=h.in_force,
                    url=h.url,
                    lovdata_url=h.lovdata_url,
                    sample=h.sample,
                )
            )
        )

    def add_provisions(self, provisions: Iterable[Provision]) -> tuple[Evidence, ...]:
        """Register provisions that were read; return those that are new."""
        return tuple(
            e
            for p in provisions
            if (
                e := self._add(
                    refid=p.refid,
                    section=p.section,
                    title=f"{p.value}. {p.title}" if p.title else p.value,
                    act=p.act,
                    snippet=p.text[:_SNIPPET],
                    in_force=p.in_force,
                    url=p.url,
                    lovdata_url=p.lovdata_url,
                    sample=p.sample,
                )
            )
        )

    def add_practice(self, hits: Iterable[PracticeHit]) -> tuple[Evidence, ...]:
        """Register decisions that a search for practice found; return those that are new."""
        new = []
        for hit in hits:
            if hit.url not in self._by_address:
                evidence = Evidence(
                    evidence_id=f"serper-{len(self._by_address) + 1}",
                    source="serper",
                    title=hit.title,
                    snippet=hit.snippet,
                    url=hit.url,
                    lovdata_url=hit.url,
                )
                self._by_address[hit.url] = evidence
                new.append(evidence)
        return tuple(new)

    def at(self, url: str) -> Evidence:
        """Return the registered practice at `url`. Raises `KeyError` when there is none."""
        return self._by_address[url]

    def of(self, provision: Provision) -> Evidence:
        """Return the evidence that a registered provision is. Raises `KeyError` when it is not registered."""
        return self.of_section(provision.refid, provision.section)

    def of_section(self, refid: str, section: str) -> Evidence:
        """Return the evidence that a registered section is. Raises `KeyError` when it is not registered."""
        return self._by_provision[_key(refid, section)]

    def _add(self, *, refid: str, section: str, **fields: object) -> Evidence | None:
        key = _key(refid, section)
        if key in self._by_provision:
            return None
        evidence = Evidence.model_validate(
            {
                "evidence_id": f"lovdata-{len(self._by_provision) + 1}",
                "refid": refid,
                "section": section,
                "corpus_date": self.corpus_date,
                **fields,
            }
        )
        self._by_provision[key] = evidence
        return evidence


def _key(refid: str, section: str) -> tuple[str, str]:
    return refid, section_key(section)
