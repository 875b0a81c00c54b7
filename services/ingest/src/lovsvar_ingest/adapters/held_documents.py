"""Documents that are held until an archive was read to its end: in memory when they are few, else on disk."""

import contextlib
import pickle
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

from lovsvar_ingest.adapters.downloads import no_room
from lovsvar_ingest.core.corpus import ParsedDocument
from lovsvar_ingest.core.ports import HeldDocuments

IN_MEMORY = 8_000_000
"""Bytes; more are written to an unnamed temporary file."""


class SpooledDocuments(HeldDocuments):
    """Batches of documents, pickled into one file."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def put(self, documents: Sequence[ParsedDocument]) -> None:
        with _writing():
            pickle.dump(documents, self._file)

    def take(self) -> Iterator[Sequence[ParsedDocument]]:
        with _writing():
            self._file.seek(0)
        with contextlib.suppress(EOFError):
            while True:
                yield pickle.load(self._file)  # noqa: S301 # what this process wrote, in a file that no other can open


@contextlib.contextmanager
def _writing() -> Iterator[None]:
    try:
        yield
    except OSError as exc:
        raise no_room(exc, Path(tempfile.gettempdir())) from exc


@contextlib.contextmanager
def hold_documents() -> Iterator[SpooledDocuments]:
    """Give an empty place for documents; it is deleted when the block is left."""
    with tempfile.SpooledTemporaryFile(max_size=IN_MEMORY, prefix="lovsvar-ingest-") as file:
        yield SpooledDocuments(file)
