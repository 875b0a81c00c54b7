"""The port of embedding models."""

from collections.abc import Sequence
from typing import Protocol

from lovsvar_embedder.similarity import SimilarityScales

Vector = Sequence[float]


class Embedder(Protocol):
    """Makes vectors of texts; texts of similar meaning get similar vectors. A component: start, stop.

    Vectors of different models cannot be compared. A model may embed questions and passages differently; a question is
    compared with passages or with other questions.
    """

    model: str
    """The name under which its vectors are stored."""

    scales: SimilarityScales
    """The meaning of its cosines."""

    async def start(self) -> None:
        """Become usable."""

    async def stop(self) -> None:
        """Release all resources."""

    async def embed_passages(self, texts: Sequence[str]) -> Sequence[Vector]:
        """Return a vector for each text, embedded as a passage. Raises `EmbedderUnavailable`, `TextRefused`."""

    async def embed_queries(self, texts: Sequence[str]) -> Sequence[Vector]:
        """Return a vector for each text, embedded as a question. Raises `EmbedderUnavailable`, `TextRefused`."""
