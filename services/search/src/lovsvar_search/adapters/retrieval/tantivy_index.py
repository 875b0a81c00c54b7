"""The index in Tantivy: opened, changed, and made to last."""

import asyncio
import contextlib
import ctypes
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import tantivy

from lovsvar_search.adapters.retrieval.index_folder import IndexFolder, Stamp
from lovsvar_search.adapters.retrieval.tantivy_documents import INDEX_VERSION, document_of, new_index, register
from lovsvar_search.adapters.retrieval.tantivy_snapshot import TantivySnapshot
from lovsvar_search.core.errors import IndexUnusable
from lovsvar_search.core.retrieval.collection import Collection
from lovsvar_search.core.retrieval.corpus import ChangingIndex, CorpusState, Result
from lovsvar_search.core.retrieval.filters import GROUP

WRITER_HEAP = 120_000_000
"""Bytes; with half of it the corpus makes more segments, each of which is looked through by every query."""

WRITER_THREADS = 1
"""Each thread makes segments of its own. One is as fast, since Python prepares the texts."""


class TantivyIndex(ChangingIndex):
    """A collection's index, of one process."""

    def __init__(self, folder: IndexFolder, collection: Collection) -> None:
        self._folder = folder
        self._collection = collection
        self._layout = f"{INDEX_VERSION}/{collection.name}/{collection.version}"
        self._index: tantivy.Index | None = None
        self._writer: tantivy.IndexWriter | None = None
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="index")

    def run(self, work: Callable[..., Result], *arguments: object) -> "asyncio.Future[Result]":
        return asyncio.get_running_loop().run_in_executor(self._thread, work, *arguments)

    def open(self) -> CorpusState:
        self._folder.take()
        stamp = self._folder.read_stamp()
        if stamp is None or stamp.layout != self._layout:
            raise IndexUnusable("there is no index of this layout")
        with _damage():
            index = tantivy.Index.open(str(self._folder.path))
            register(index, self._collection)
            snapshot = TantivySnapshot(index, self._collection)
            if snapshot.items != stamp.items:
                raise IndexUnusable(f"{snapshot.items} items where {stamp.items} were stored")
            snapshot.probe()
        self._index = index
        return CorpusState(stamp.version, stamp.identity)

    def reset(self) -> None:
        self._writer = self._index = None
        self._folder.take()
        self._folder.clear()
        self._index = new_index(self._collection, str(self._folder.path))

    def remove(self, groups: Sequence[str]) -> None:
        with _damage():
            for group in groups:
                self._open_writer().delete_documents_by_term(GROUP, group)

    def add(self, batch: Sequence[Any]) -> None:
        with _damage():
            for one in batch:
                self._open_writer().add_document(document_of(self._collection.item(one), self._collection))

    def commit(self, identity: str, version: int) -> TantivySnapshot:
        index = self._opened()
        with _damage():
            if self._writer is not None:
                self._writer.commit()
                self._writer.wait_merging_threads()
                # It holds its whole heap; changes are rare.
                self._writer = None
                _give_back_memory()
            index.reload()
            snapshot = TantivySnapshot(index, self._collection)
            self._folder.write_stamp(Stamp(self._layout, identity, version, snapshot.items))
        return snapshot

    def discard(self) -> None:
        if self._writer is not None:
            with _damage():
                self._writer.rollback()
            self._writer = None

    def snapshot(self) -> TantivySnapshot:
        return TantivySnapshot(self._opened(), self._collection)

    def close(self) -> None:
        self._writer = self._index = None
        self._folder.release()
        self._thread.shutdown(wait=False)

    def _opened(self) -> tantivy.Index:
        if self._index is None:
            raise IndexUnusable("the index is used before it is opened")
        return self._index

    def _open_writer(self) -> tantivy.IndexWriter:
        if self._writer is None:
            self._writer = self._opened().writer(heap_size=WRITER_HEAP, num_threads=WRITER_THREADS)
        return self._writer


def _give_back_memory() -> None:
    """Give freed memory back to the system where the allocator can: glibc keeps a hundred MB of what indexing took."""
    if sys.platform == "linux" and (trim := getattr(ctypes.CDLL(None), "malloc_trim", None)):
        trim(0)


@contextlib.contextmanager
def _damage() -> Iterator[None]:
    """Turn what Tantivy raises on damaged files, and the system where they cannot be written, into `IndexUnusable`."""
    try:
        yield
    except (OSError, ValueError, RuntimeError) as exc:
        raise IndexUnusable(f"{type(exc).__name__}: {exc}") from exc
    except BaseException as exc:
        # A panic inside Tantivy arrives as a BaseException that no module exports.
        if type(exc).__name__ == "PanicException":
            raise IndexUnusable(f"panic: {exc}") from exc
        raise
