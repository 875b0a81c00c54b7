"""The vectors of a catalogue's items, taken in as they come to be."""

import asyncio
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np

from lovsvar_contracts.catalogues import CatalogueId
from lovsvar_search.core.retrieval.memory_vectors import NO_VECTORS, MemoryVectors, Passage, Vectors, unit

LOOK_SECONDS = 3.0
"""How often missing vectors are looked for, at most: while many are made, each batch of them is announced."""


class PassageStore(Protocol):
    """What is embedded of catalogues' items. Methods raise `StoreUnavailable`."""

    async def passages(self, catalogue: CatalogueId) -> Sequence[Passage]:
        """Return what is embedded of a catalogue's items."""

    async def vectors(self, model: str, texts: Sequence[str]) -> Mapping[str, Vectors]:
        """Return the vectors that there are of texts, by their hashes."""


class ProductVectors:
    """Keeps the vectors of one catalogue, as far as there are any. A text that stays the same is read once."""

    def __init__(self, catalogue: CatalogueId, store: PassageStore, memory: MemoryVectors) -> None:
        self.memory = memory
        self.embedded = 0
        """Items of which every text has a vector."""
        self._catalogue = catalogue
        self._store = store
        self._version = 0
        self._passages: Sequence[Passage] = ()
        self._missing: Sequence[str] = ()
        self._texts: dict[str, int] = {}
        self._vectors = NO_VECTORS
        self._looked_at = -LOOK_SECONDS

    async def renew(self, version: int) -> None:
        """Take in the passages of a version that is new, and vectors that were missing. Raises `StoreUnavailable`."""
        changed = version != self._version
        if not changed and (not self._missing or time.monotonic() - self._looked_at < LOOK_SECONDS):
            return
        self._looked_at = time.monotonic()
        passages = await self._store.passages(self._catalogue) if changed else self._passages
        wanted = dict.fromkeys(passage.text for passage in passages)
        missing = [text for text in wanted if text not in self._texts]
        found = await self._store.vectors(self.memory.model, missing) if missing else {}
        if changed or found:
            await asyncio.to_thread(self._take_in, passages, wanted, found)
        self._missing = [text for text in missing if text not in found]
        self._passages, self._version = passages, version

    def _take_in(self, passages: Sequence[Passage], wanted: Mapping[str, None], found: Mapping[str, Vectors]) -> None:
        kept = {text: row for text, row in self._texts.items() if text in wanted}
        some = [self._vectors[list(kept.values())]] if kept else []
        some += [np.stack([unit(vector) for vector in found.values()])] if found else []
        self._vectors = np.concatenate(some) if some else NO_VECTORS
        self._texts = {text: row for row, text in enumerate((*kept, *found))}
        self.memory.hold(passages, self._texts, self._vectors)
        whole: defaultdict[int, bool] = defaultdict(lambda: True)
        for passage in passages:
            whole[passage.number] &= passage.text in self._texts
        self.embedded = sum(whole.values())
