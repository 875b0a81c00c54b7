"""Changes of documents, stored with the corpus until their events are published."""

from dataclasses import dataclass
from uuid import NAMESPACE_URL, uuid5

from lovsvar_contracts.ingest import DocumentChange, DocumentChanged

SECTIONS_NAMED = 500
"""The most sections that an event names."""


@dataclass(frozen=True, slots=True)
class UnpublishedChange:
    """A change of a document in a corpus version whose event may not have been published."""

    id: int
    refid: str
    dataset: str
    change: DocumentChange
    sections: tuple[str, ...]
    corpus_version: int

    def event(self, correlation_id: str) -> DocumentChanged:
        """Return the event; its id is always the same, so that a consumer recognises a repeat."""
        return DocumentChanged(
            event_id=uuid5(NAMESPACE_URL, f"{self.refid}@{self.corpus_version}#{self.id}").hex,
            correlation_id=correlation_id,
            refid=self.refid,
            change=self.change,
            dataset=self.dataset,
            sections=self.sections,
            corpus_version=self.corpus_version,
        )
