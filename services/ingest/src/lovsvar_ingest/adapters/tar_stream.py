"""Reading `tar.bz2` as a stream: bounded, a thread ahead, and nothing is written to disk.

Only regular files whose name ends in `.xml` are read. Folders, links, devices and paths with `..` do no harm, since
nothing is extracted.
"""

import bz2
import io
import tarfile
from collections import deque
from collections.abc import Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import BinaryIO

from lovsvar_ingest.core.archive import ArchiveFile
from lovsvar_ingest.core.errors import SourceUnreadable
from lovsvar_ingest.core.lovdata_reader import LARGEST_DOCUMENT

FILES_AHEAD = 16
NAME_LENGTH = 300


@dataclass(frozen=True, slots=True)
class TarLimits:
    """How large an archive may be. It may grow to `ratio` times its size when unpacked, and always to `free_bytes`."""

    archive_bytes: int = 2_000_000_000
    total_bytes: int = 8_000_000_000
    ratio: int = 100
    free_bytes: int = 64_000_000
    members: int = 200_000

    def unpacked(self, packed: int) -> int:
        """Return how many bytes an archive of `packed` bytes may hold."""
        return min(self.total_bytes, max(self.free_bytes, packed * self.ratio))


def read_tar(path: Path, limits: TarLimits) -> Iterator[tuple[ArchiveFile, date]]:
    """Yield each XML file with the day it was changed, decompressed a few files ahead. Raises `SourceUnreadable`."""
    files = _read(path, limits)
    thread = ThreadPoolExecutor(1, "tar stream")
    coming = deque(thread.submit(next, files, None) for _ in range(FILES_AHEAD))
    try:
        while (file := coming.popleft().result()) is not None:
            coming.append(thread.submit(next, files, None))
            yield file
    finally:
        thread.shutdown(cancel_futures=True)
        files.close()


def _read(path: Path, limits: TarLimits) -> Generator[tuple[ArchiveFile, date], None, None]:
    try:
        with path.open("rb") as packed, bz2.open(packed) as plain:
            stream = _Bounded(plain, limits.unpacked(path.stat().st_size))
            with tarfile.open(fileobj=stream, mode="r:") as tar:
                for number, member in enumerate(tar):
                    if number >= limits.members:
                        raise SourceUnreadable(f"Arkivet har mer enn {limits.members} filer.")
                    tar.members = []  # type: ignore[attr-defined]  # else it remembers every file of the archive
                    if member.isreg() and member.name.endswith(".xml"):
                        yield _file(tar, member, packed.tell()), _day(member.mtime)
            stream.read_to_end()
    except (tarfile.TarError, EOFError, OSError, ValueError, OverflowError) as exc:
        raise SourceUnreadable(f"Arkivet er ødelagt eller avkortet ({exc}). Ingenting er fjernet.") from exc


def _file(tar: tarfile.TarFile, member: tarfile.TarInfo, offset: int) -> ArchiveFile:
    name = member.name.encode("utf-8", "replace").decode()[-NAME_LENGTH:]
    if member.size > LARGEST_DOCUMENT:
        refused = f"filen er på {member.size} byte, mer enn de {LARGEST_DOCUMENT} som leses"
        return ArchiveFile(name, b"", offset, refused)
    content = tar.extractfile(member)
    data = content.read() if content else b""
    if len(data) != member.size:
        raise EOFError(f"{name} slutter for tidlig")
    return ArchiveFile(name, data, offset)


def _day(mtime: float) -> date:
    """Return the day of `mtime`; one that no calendar has counts as the first."""
    try:
        return datetime.fromtimestamp(mtime, UTC).date()
    except (ValueError, OverflowError, OSError):
        return date(1970, 1, 1)


class _Bounded(io.RawIOBase):
    """A readable stream that ends in an error beyond its limit, and seeks only forward by reading."""

    def __init__(self, stream: BinaryIO | bz2.BZ2File, limit: int) -> None:
        self._stream = stream
        self._limit = limit
        self._position = 0
        self._tail = b""

    def read(self, size: int = -1) -> bytes:
        if size > LARGEST_DOCUMENT or size < 0:
            raise ValueError("en del av arkivet er for stor")
        data = self._stream.read(size)
        self._position += len(data)
        if data:
            self._tail = (self._tail + data[-tarfile.BLOCKSIZE :])[-tarfile.BLOCKSIZE :]
        if self._position > self._limit:
            raise ValueError(f"innholdet er større enn {self._limit} byte")
        return data

    def tell(self) -> int:
        return self._position

    def seek(self, position: int, whence: int = io.SEEK_SET) -> int:
        while self._position < position:
            if not self.read(min(position - self._position, 1 << 20)):
                raise EOFError("arkivet slutter for tidlig")
        if position < self._position:
            raise ValueError("arkivet peker bakover")
        return self._position

    def read_to_end(self) -> None:
        """Read on to the end, which checks the checksums. Raises `EOFError` if the archive lacks its end mark."""
        while self.read(1 << 20):
            pass
        if self._tail.strip(b"\0"):
            raise EOFError("arkivet slutter for tidlig")
