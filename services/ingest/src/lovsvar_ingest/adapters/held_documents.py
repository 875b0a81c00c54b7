"""Documents that wait until all of an archive was read: in memory when they are few, else on disk."""

import contextlib
import pickle
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

from lovsvar_ingest.adapters.downloads import no_room
from lovsvar_ingest.core.corpus import ParsedDocument

IN_MEMORY = 8_000_000
"""Bytes; from here on the documents are written to a file that has no name."""


class HeldDocuments:
    """Batches of documents, given back in the order in which they came. Every method blocks."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def put(self, documents: Sequence[ParsedDocument]) -> None:
        """Keep a batch. Raises `NoRoom`."""
        try:
            pickle.dump(documents, self._file)
        except OSError as exc:
            raise no_room(exc, Path(tempfile.gettempdir())) from exc

    def take(self) -> Iterator[Sequence[ParsedDocument]]:
        """Yield the batches. Raises `NoRoom` when what was written did not reach the disk."""
        try:
            self._file.seek(0)
        except OSError as exc:
            raise no_room(exc, Path(tempfile.gettempdir())) from exc
        with contextlib.suppress(EOFError):
            while True:
                yield pickle.load(self._file)  # noqa: S301 # what this process wrote, in a file that no other can open


@contextlib.contextmanager
def hold_documents() -> Iterator[HeldDocuments]:
    """Give an empty place for documents, which is gone when the block is left."""
    with tempfile.SpooledTemporaryFile(max_size=IN_MEMORY, prefix="lovsvar-ingest-") as file:
        yield HeldDocuments(file)
