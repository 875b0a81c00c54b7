"""What an embedder promises."""

from collections.abc import Sequence
from typing import Protocol

from lovsvar_embedder.similarity import SimilarityScales

Vector = Sequence[float]


class Embedder(Protocol):
    """Makes vectors of texts, near each other when they mean alike. A part: start, stop.

    A vector is comparable with those of the same model alone. A question is compared with passages, or with other
    questions: models may embed the two kinds otherwise.
    """

    model: str
    """The name under which its vectors are kept."""

    scales: SimilarityScales
    """What its cosines mean."""

    async def start(self) -> None:
        """Become usable."""

    async def stop(self) -> None:
        """Let go of everything."""

    async def embed_passages(self, texts: Sequence[str]) -> Sequence[Vector]:
        """Return one vector for each text, as what answers. Raises `EmbedderUnavailable`, `TextRefused`."""

    async def embed_queries(self, texts: Sequence[str]) -> Sequence[Vector]:
        """Return one vector for each text, as what is asked. Raises `EmbedderUnavailable`, `TextRefused`."""
