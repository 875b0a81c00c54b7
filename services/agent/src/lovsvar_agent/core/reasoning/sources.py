"""The run's evidence together with its whole texts."""

from collections.abc import Iterable

from lovsvar_agent.core.evidence import EvidenceRegistry
from lovsvar_contracts.identifiers import section_key
from lovsvar_contracts.law import Provision
from lovsvar_contracts.practice import PracticeHit
from lovsvar_contracts.questions import Evidence
from lovsvar_contracts.search import ProvisionHit, ProvisionRef


class Sources:
    """What quotes are checked against: provisions as they are stored, and what a search for practice gave."""

    def __init__(self, registry: EvidenceRegistry) -> None:
        self.registry = registry
        self.corpus_version = 0
        self._provisions: dict[str, Provision] = {}

    def take(
        self,
        hits: Iterable[ProvisionHit] = (),
        provisions: Iterable[Provision] = (),
        practice: Iterable[PracticeHit] = (),
    ) -> tuple[Evidence, ...]:
        """Register what was found, and keep whole texts; return the evidence that is new."""
        read = tuple(provisions)
        new = (
            *self.registry.add_hits(hits),
            *self.registry.add_provisions(read),
            *self.registry.add_practice(practice),
        )
        for provision in read:
            self._provisions[self.registry.of(provision).evidence_id] = provision
        return new

    def provision(self, evidence_id: str) -> Provision | None:
        """Return the whole provision that an evidence is, if it was read."""
        return self._provisions.get(evidence_id)

    def unread(self, evidence_ids: Iterable[str]) -> tuple[ProvisionRef, ...]:
        """Return references to those of `evidence_ids` that are provisions whose text is not here."""
        wanted = (self.registry.named(i) for i in dict.fromkeys(evidence_ids) if i not in self._provisions)
        return tuple(ProvisionRef(refid=e.refid, section=e.section) for e in wanted if e and e.refid and e.section)

    def texts(self) -> tuple[str, ...]:
        """Return every text that may be quoted."""
        snippets = (e.snippet for e in self.registry.all if e.source == "serper")
        return (*(p.text for p in self._provisions.values()), *snippets)

    def acts(self) -> tuple[str, ...]:
        """Return the refids of the acts found, in the order found."""
        return tuple(dict.fromkeys(e.refid for e in self.registry.all if e.refid))

    def has(self, refid: str, section: str) -> bool:
        """Whether a provision is among the evidence."""
        return any(e.refid == refid and section_key(e.section or "") == section_key(section) for e in self.registry.all)
