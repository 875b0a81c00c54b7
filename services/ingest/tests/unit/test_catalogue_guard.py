"""What a sync of a catalogue may lose unasked."""

import pytest

from lovsvar_ingest.core.catalogues.guard import SHARE, refuse_losses
from lovsvar_ingest.core.catalogues.ports import Differences
from lovsvar_ingest.core.errors import ArchiveImplausible


@pytest.mark.parametrize(
    "differences",
    [
        Differences(),
        Differences(added=100),
        Differences(stored=100, changed=100),
        Differences(stored=100, removed=25),
        Differences(stored=6, removed=4),
        Differences(stored=100, removed=10, emptied=15),
    ],
)
def test_what_is_ordinary_passes(differences: Differences) -> None:
    refuse_losses(differences, SHARE, "hjelp", "a" * 64)


@pytest.mark.parametrize(
    "differences",
    [
        Differences(stored=1, removed=1),
        Differences(stored=3, removed=3, added=50),
        Differences(stored=100, removed=26),
        Differences(stored=100, changed=30, emptied=30),
        Differences(stored=8, removed=5),
    ],
)
def test_what_would_empty_a_catalogue_is_refused_with_how_to_accept_it(differences: Differences) -> None:
    with pytest.raises(ArchiveImplausible) as caught:
        refuse_losses(differences, SHARE, "hjelp", "a" * 64)
    assert f"{differences.removed} av {differences.stored} tilbud" in str(caught.value)
    assert f"lovsvar ingest --catalogue hjelp --accept {'a' * 64}" in str(caught.value)
    assert f'"dataset": "katalog-hjelp", "accept": "{"a" * 64}"' in str(caught.value)
