"""The sources of a run, with stable ids."""

from collections.abc import Iterable

from lovsvar_contracts.identifiers import section_key
from lovsvar_contracts.law import Provision
from lovsvar_contracts.questions import Evidence
from lovsvar_contracts.search import ProvisionHit

_SNIPPET = 500


class EvidenceRegistry:
    """Counts sources from `lovdata-1`. A provision found twice keeps its id; ids never restart."""

    def __init__(self, known: Iterable[Evidence] = ()) -> None:
        """`known` is what an earlier attempt at the same run found."""
        self._by_provision: dict[tuple[str, str], Evidence] = {}
        for evidence in known:
            if evidence.refid and evidence.section:
                self._by_provision[_key(evidence.refid, evidence.section)] = evidence

    @property
    def all(self) -> tuple[Evidence, ...]:
        """Everything found so far, in the order of its ids."""
        return tuple(self._by_provision.values())

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

    def of(self, provision: Provision) -> Evidence:
        """Return the evidence that a registered provision is. Raises `KeyError` when it is not registered."""
        return self._by_provision[_key(provision.refid, provision.section)]

    def _add(self, *, refid: str, section: str, **fields: object) -> Evidence | None:
        key = _key(refid, section)
        if key in self._by_provision:
            return None
        evidence = Evidence.model_validate(
            {"evidence_id": f"lovdata-{len(self._by_provision) + 1}", "refid": refid, "section": section, **fields}
        )
        self._by_provision[key] = evidence
        return evidence


def _key(refid: str, section: str) -> tuple[str, str]:
    return refid, section_key(section)
