"""What a sync counts while it reads an archive."""

from dataclasses import dataclass, field
from datetime import date

from lovsvar_contracts.ingest import SkippedDocument
from lovsvar_contracts.law import InForce
from lovsvar_ingest.core.corpus import Header
from lovsvar_ingest.core.superseded_acts import Standing
from lovsvar_ingest.core.sync_guard import Extent


@dataclass(slots=True)
class Tally:
    """What the report will say, and what becomes of documents that differ from what is stored.

    `rewritten` says how much law is left in those that change, `standing` whether what differs is in force.
    """

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


def standing_of(header: Header) -> Standing | None:
    """Return a document as one that is in force; None when it is not."""
    if header.in_force is not InForce.YES:
        return None
    return Standing(header.refid, header.short_title, header.in_force_note, bool(header.legal_areas))
