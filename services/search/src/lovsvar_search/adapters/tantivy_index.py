"""The index in Tantivy: opened, changed, and made to last."""

import contextlib
import ctypes
import sys
from collections.abc import Iterator, Sequence

import tantivy

from lovsvar_search.adapters.index_folder import IndexFolder, Stamp
from lovsvar_search.adapters.tantivy_documents import ANALYZER, LAYOUT, document_of, norwegian, schema
from lovsvar_search.adapters.tantivy_snapshot import TantivySnapshot
from lovsvar_search.core.corpus import IndexedSection
from lovsvar_search.core.errors import IndexUnusable

WRITER_HEAP = 120_000_000
"""Bytes; with half of it the corpus makes more segments, each of which is looked through by every query."""

WRITER_THREADS = 1
"""Each thread makes segments of its own. One is as fast, since Python prepares the texts."""


class TantivyIndex:
    """The index of one process. One thread at a time may change it; snapshots may be used by any."""

    def __init__(self, folder: IndexFolder) -> None:
        self._folder = folder
        self._index: tantivy.Index | None = None
        self._writer: tantivy.IndexWriter | None = None

    def open(self) -> Stamp:
        """Open what is on disk. Raises `IndexUnusable` when there is nothing that this code can serve."""
        self._folder.take()
        stamp = self._folder.read_stamp()
        if stamp is None or stamp.layout != LAYOUT:
            raise IndexUnusable("there is no index of this layout")
        with _damage():
            index = tantivy.Index.open(str(self._folder.path))
            index.register_tokenizer(ANALYZER, norwegian())
            snapshot = TantivySnapshot(index)
            if snapshot.sections != stamp.sections:
                raise IndexUnusable(f"{snapshot.sections} sections where {stamp.sections} were stored")
            snapshot.probe()
        self._index = index
        return stamp

    def reset(self) -> None:
        """Begin with an empty index."""
        self._writer = self._index = None
        self._folder.take()
        self._folder.clear()
        self._index = tantivy.Index(schema(), path=str(self._folder.path))
        self._index.register_tokenizer(ANALYZER, norwegian())

    def remove(self, refids: Sequence[str]) -> None:
        """Take every section of these documents out, at the next commit."""
        with _damage():
            for refid in refids:
                self._open_writer().delete_documents_by_term("refid", refid)

    def add(self, sections: Sequence[IndexedSection]) -> None:
        """Put sections in, at the next commit."""
        with _damage():
            for section in sections:
                self._open_writer().add_document(document_of(section))

    def commit(self, identity: str, version: int) -> "TantivySnapshot":
        """Make the changes last and return the index as it now is."""
        index = self._opened()
        with _damage():
            if self._writer is not None:
                self._writer.commit()
                self._writer.wait_merging_threads()
                # It holds its whole heap; changes are rare.
                self._writer = None
                _give_back_memory()
            index.reload()
            snapshot = TantivySnapshot(index)
            self._folder.write_stamp(Stamp(LAYOUT, identity, version, snapshot.sections))
        return snapshot

    def discard(self) -> None:
        """Forget changes that were not committed."""
        if self._writer is not None:
            with _damage():
                self._writer.rollback()
            self._writer = None

    def snapshot(self) -> "TantivySnapshot":
        """Return the index as it was last committed."""
        return TantivySnapshot(self._opened())

    def close(self) -> None:
        """Let go of the files and the folder."""
        self._writer = self._index = None
        self._folder.release()

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
