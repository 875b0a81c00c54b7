"""What a sync would change: the documents of an archive compared with those that are stored.

Of a document it reads `refid`, `dataset`, `source_file`, `content_hash`, `reread`, `provisions`, `extent` and
`standing`, and nothing of its text.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from lovsvar_contracts.ingest import DATASET_SAMPLE, DocumentChange, SkippedDocument
from lovsvar_ingest.core.archive import Batch
from lovsvar_ingest.core.corpus import ParsedDocument
from lovsvar_ingest.core.errors import SampleNotWanted
from lovsvar_ingest.core.ports import KnownDocument
from lovsvar_ingest.core.superseded_acts import Standing
from lovsvar_ingest.core.sync_guard import Extent


@dataclass(slots=True)
class Comparison:
    """The counts of a sync, and the documents that differ from `known`, the stored documents by refid.

    `rewritten` is the new extent of each document that changes, `standing` whether a document that differs is in
    force. With `force` every document differs. `reread` is the first day on which the archive reads otherwise.
    """

    dataset: str
    known: Mapping[str, KnownDocument]
    force: bool = False
    added: int = 0
    changed: int = 0
    unchanged: int = 0
    provisions: int = 0
    superseded: int = 0
    xml_bytes: int = 0
    skipped: list[SkippedDocument] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)
    rewritten: dict[str, Extent] = field(default_factory=dict)
    standing: dict[str, Standing | None] = field(default_factory=dict)
    reread: date | None = None

    def refuse_unwanted_sample(self) -> None:
        """Raise `SampleNotWanted` for the sample data set where real law is stored."""
        if self.dataset == DATASET_SAMPLE and any(
            known.live and known.dataset != DATASET_SAMPLE for known in self.known.values()
        ):
            raise SampleNotWanted("Eksempelsamlingen brukes bare når ingen ordentlige lover er lagret.")

    def stored(self) -> Iterator[tuple[str, KnownDocument]]:
        """Yield the documents that the data set held before the sync, by refid."""
        return ((refid, known) for refid, known in self.known.items() if known.live and known.dataset == self.dataset)

    def count_stored(self) -> int:
        """Return how many documents the data set held before the sync."""
        return sum(1 for _ in self.stored())

    def add(self, batch: Batch) -> list[ParsedDocument]:
        """Count a batch, and return those of its documents that differ from what is stored."""
        self.xml_bytes += batch.xml_bytes
        self.skipped += batch.skipped
        documents = []
        for document in batch.documents:
            if reason := self._clash(document):
                self.skipped.append(SkippedDocument(file=document.source_file, reason=reason))
            else:
                documents.append(document)
        self.seen.update(document.refid for document in documents)
        days = [self.reread, *(document.reread for document in batch.documents)]
        self.reread = min((day for day in days if day), default=None)
        self.provisions += sum(document.provisions for document in documents)
        news = [document for document in documents if self._differs(document)]
        changed = [document for document in news if self.change(document.refid) is DocumentChange.CHANGED]
        self.unchanged += len(documents) - len(news)
        self.changed += len(changed)
        self.added += len(news) - len(changed)
        self.rewritten |= {document.refid: document.extent for document in changed}
        self.standing |= {document.refid: document.standing for document in news}
        return news

    def change(self, refid: str) -> DocumentChange:
        """Return what storing a document is: an addition, or a change."""
        known = self.known.get(refid)
        return DocumentChange.CHANGED if known and known.live else DocumentChange.ADDED

    def gone(self) -> list[str]:
        """Return the documents that left the archive; one whose file could not be read has not left."""
        unread = {skipped.file for skipped in self.skipped}
        return [r for r, known in self.stored() if r not in self.seen and known.source_file not in unread]

    def in_force_after(self, before: Sequence[Standing], gone: Sequence[str]) -> list[Standing]:
        """Return what is in force once the archive is stored, where `before` was and `gone` is removed."""
        removed = set(gone)
        left = {document.refid: document for document in before if document.refid not in removed}
        return [document for document in (left | self.standing).values() if document is not None]

    def _clash(self, document: ParsedDocument) -> str:
        """Return why another data set keeps a document from being stored, or ""; the sample gives way."""
        known = self.known.get(document.refid)
        if known and known.live and known.dataset not in {document.dataset, DATASET_SAMPLE}:
            return f"{document.refid} er allerede lagret fra datasettet {known.dataset}"
        return ""

    def _differs(self, document: ParsedDocument) -> bool:
        known = self.known.get(document.refid)
        if self.force or known is None or not known.live:
            return True
        return (known.content_hash, known.dataset) != (document.content_hash, document.dataset)
