"""The run's evidence together with its whole texts."""

from collections.abc import Iterable
from typing import Any

from lovsvar_agent.core.evidence import EvidenceRegistry
from lovsvar_agent.core.proof import Proof, Rejection
from lovsvar_agent.core.source_kinds.kind import SourceKind
from lovsvar_contracts.questions import Evidence
from lovsvar_contracts.search import ProvisionRef


class Sources:
    """What quotes are checked against: provisions as they are stored, and excerpts that searches gave."""

    def __init__(self, registry: EvidenceRegistry) -> None:
        self.registry = registry
        self.corpus_version = 0
        self._whole: dict[str, Any] = {}

    def take(self, kind: SourceKind, found: Iterable[Any]) -> tuple[Evidence, ...]:
        """Register what was found of a kind, and keep whole texts; return the evidence that is new."""
        found = tuple(found)
        new = self.registry.add(kind, found)
        self._whole |= {self.registry.of(kind, one).evidence_id: one for one in found if kind.is_whole(one)}
        return new

    def whole(self, evidence: Evidence) -> Any:
        """Return the whole source that an evidence is, if it was read: of law, its `Provision`."""
        return self._whole.get(evidence.evidence_id)

    def text(self, evidence: Evidence) -> str | None:
        """Return the text of a source that may be quoted; None when it was not read."""
        return self.registry.kind(evidence).text(evidence, self.whole(evidence))

    def texts(self) -> tuple[str, ...]:
        """Return every text that may be quoted."""
        return tuple(text for e in self.registry.all if (text := self.text(e)) is not None)

    def verify(self, quote: str, evidence: Evidence) -> Proof | Rejection:
        """Return where `quote` is in a source, word for word, or why it is not."""
        return self.registry.kind(evidence).verify(quote, evidence, self.whole(evidence))

    def proves_law(self, evidence_id: str) -> bool:
        """Whether the text of a source of this run is law."""
        evidence = self.registry.named(evidence_id)
        return evidence is not None and self.registry.kind(evidence).proves_law

    def unread(self, evidence_ids: Iterable[str]) -> tuple[ProvisionRef, ...]:
        """Return references to those of `evidence_ids` that are provisions whose text is not here."""
        wanted = (self.registry.named(i) for i in dict.fromkeys(evidence_ids) if i not in self._whole)
        return tuple(ProvisionRef(refid=e.refid, section=e.section) for e in wanted if e and e.refid and e.section)

    def acts(self) -> tuple[str, ...]:
        """Return the refids of the acts found, in the order found."""
        return tuple(dict.fromkeys(e.refid for e in self.registry.all if e.refid))
