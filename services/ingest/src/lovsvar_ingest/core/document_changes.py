"""What happened to documents, kept with the corpus until its event is sent."""

from dataclasses import dataclass
from uuid import NAMESPACE_URL, uuid5

from lovsvar_contracts.ingest import DocumentChange, DocumentChanged

SECTIONS_NAMED = 500
"""Changed sections that an event names at most."""


@dataclass(frozen=True, slots=True)
class UnpublishedChange:
    """What happened to a document in a corpus version, and whose event may not have been sent."""

    id: int
    refid: str
    dataset: str
    change: DocumentChange
    sections: tuple[str, ...]
    corpus_version: int

    def event(self, correlation_id: str) -> DocumentChanged:
        """Return the event; it has the same id whenever it is sent, so that who sees it twice knows."""
        return DocumentChanged(
            event_id=uuid5(NAMESPACE_URL, f"{self.refid}@{self.corpus_version}#{self.id}").hex,
            correlation_id=correlation_id,
            refid=self.refid,
            change=self.change,
            dataset=self.dataset,
            sections=self.sections,
            corpus_version=self.corpus_version,
        )
