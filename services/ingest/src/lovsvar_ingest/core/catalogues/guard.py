"""The guard against files that would empty a catalogue."""

from lovsvar_contracts.catalogues import dataset_of
from lovsvar_ingest.core.catalogues.ports import Differences
from lovsvar_ingest.core.errors import ArchiveImplausible

FEW = 5
"""Fewer items than these never stop a sync, unless they are all."""

SHARE = 0.25
"""The share of its items that a sync may remove or empty, by default."""


def refuse_losses(differences: Differences, share: float, catalogue: str, checksum: str) -> None:
    """Raise `ArchiveImplausible`, with the counts and how to accept them, when much would be lost."""
    lost = differences.removed + differences.emptied
    all_gone = 0 < differences.stored == differences.removed
    if not all_gone and (lost < FEW or lost <= share * differences.stored):
        return
    dataset = dataset_of(catalogue)
    raise ArchiveImplausible(
        f"Filen ville fjerne {differences.removed} av {differences.stored} tilbud i katalogen og tømme "
        f"{differences.emptied} for tekst, mer enn det som er rimelig. Ingenting er endret. Er filen riktig, godtas "
        f"akkurat denne (SHA-256 {checksum}) med «lovsvar ingest --catalogue {catalogue} --accept {checksum}» "
        f'eller POST /v1/ingest {{"dataset": "{dataset}", "accept": "{checksum}"}}.'
    )
