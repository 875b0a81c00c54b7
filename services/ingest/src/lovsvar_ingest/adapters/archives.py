"""Archives from an http(s) address, from a folder, and the bundled sample."""

import asyncio
import contextlib
import hashlib
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import AbstractContextManager
from datetime import date
from email.utils import parsedate_to_datetime
from functools import partial
from importlib.resources import files
from pathlib import Path

import httpx2

from lovsvar_chassis.addresses import shown
from lovsvar_contracts.ingest import DATASET_SAMPLE
from lovsvar_ingest.adapters.downloads import TIMEOUT, Download, no_room
from lovsvar_ingest.adapters.held_documents import hold_documents
from lovsvar_ingest.adapters.sources import SourceList, folder, is_http, make_client
from lovsvar_ingest.adapters.tar_stream import TarLimits, read_tar
from lovsvar_ingest.core.archive import ArchiveFile, Provenance, Validators
from lovsvar_ingest.core.errors import SourceUnreachable
from lovsvar_ingest.core.ports import Archive, ArchiveSource, HeldDocuments, OnBytes

SUFFIX = ".tar.bz2"


class TarArchive(Archive):
    """A `tar.bz2` file on disk."""

    def __init__(self, path: Path, checksum: str, validators: Validators, limits: TarLimits) -> None:
        self.checksum = checksum
        self.validators = validators
        self.size = path.stat().st_size
        self._path = path
        self._published = _day(validators.last_modified)
        self._newest: date | None = None
        self._limits = limits

    def files(self) -> Iterator[ArchiveFile]:
        """Yield the XML files; decompression runs ahead of the consumer in a thread."""
        for file, changed in read_tar(self._path, self._limits):
            self._newest = max(self._newest or changed, changed)
            yield file

    def published(self) -> date | None:
        """Return the source's date of the archive, else the date of the newest file."""
        return self._published or self._newest


class SampleArchive(Archive):
    """The bundled, invented documents."""

    def __init__(self) -> None:
        place = Path(str(files("lovsvar_ingest"))) / "sample"
        self._files = {path.relative_to(place).as_posix(): path.read_bytes() for path in sorted(place.rglob("*.xml"))}
        self.checksum = hashlib.sha256(b"".join(n.encode() + xml for n, xml in self._files.items())).hexdigest()
        self.validators = Validators()
        self.size = sum(map(len, self._files.values()))

    def files(self) -> Iterator[ArchiveFile]:
        offset = 0
        for name, content in self._files.items():
            offset += len(content)
            yield ArchiveFile(name, content, offset)

    def published(self) -> date | None:
        """Return None: invented law has no date."""
        return None


class Archives(ArchiveSource):
    """Fetches `<dataset>.tar.bz2` from an http(s) address or a folder; the data set `eksempel` is bundled."""

    def __init__(
        self,
        source: str,
        limits: TarLimits | None = None,
        timeout: httpx2.Timeout = TIMEOUT,
        others: Iterable[str] = (),
    ) -> None:
        """A request that names no source uses `source`; it may name one of `others`. `timeout` is that of one read."""
        self._sources = SourceList(source, others)
        self._timeout = timeout
        self._limits = limits or TarLimits()

    def describe(self, dataset: str, source: str | None) -> str:
        address = self._address(dataset, source)
        if dataset == DATASET_SAMPLE:
            return "eksempelsamlingen som følger med"
        return shown([address]) if is_http(address) else address

    def _address(self, dataset: str, source: str | None) -> str:
        base = self._sources.choose(source)
        if is_http(base):
            return f"{base.rstrip('/')}/{dataset}{SUFFIX}"
        return str(folder(base) / f"{dataset}{SUFFIX}")

    @contextlib.asynccontextmanager
    async def fetch(
        self, dataset: str, source: str | None, on_bytes: OnBytes, stored: Provenance | None = None
    ) -> AsyncIterator[TarArchive | SampleArchive | None]:
        """Fetch the archive, or None when its server answers that it is the `stored` one.

        An archive from a folder is copied, so that the bytes that were hashed are those that are read. Copies and
        downloads are deleted when the block is left.
        """
        address = self._address(dataset, source)
        if dataset == DATASET_SAMPLE:
            yield await asyncio.to_thread(SampleArchive)
            return
        with temporary_folder() as place:
            file, validators = place / "archive", Validators()
            if not is_http(address):
                await asyncio.to_thread(copy_file, Path(address), file)
            else:
                tls_alone = address.lower().startswith("https://")
                client = partial(make_client, self._sources.bases(), self._timeout, tls_alone=tls_alone)
                download = Download(address, file, self._limits.archive_bytes, on_bytes, client)
                same_source = stored is not None and stored.source == shown([address])
                if not await download.run(stored.validators if stored and same_source else validators):
                    yield None
                    return
                validators = download.validators
            yield await asyncio.to_thread(self._open, file, validators)

    def hold(self) -> AbstractContextManager[HeldDocuments]:
        return hold_documents()

    def _open(self, path: Path, validators: Validators) -> TarArchive:
        try:
            with path.open("rb") as file:
                checksum = hashlib.file_digest(file, "sha256").hexdigest()
            return TarArchive(path, checksum, validators, self._limits)
        except OSError as exc:
            raise SourceUnreachable(f"{path} kan ikke åpnes: {exc.strerror or exc}.") from exc


def copy_file(path: Path, copy: Path) -> None:
    """Copy a file. Raises `SourceUnreachable` when it cannot be opened, `NoRoom` when the copy cannot be written."""
    try:
        source = path.open("rb")
    except OSError as exc:
        raise SourceUnreachable(f"{path} kan ikke åpnes: {exc.strerror or exc}.") from exc
    try:
        with source, copy.open("wb") as target:
            shutil.copyfileobj(source, target)
    except OSError as exc:
        raise no_room(exc, copy.parent) from exc


@contextlib.contextmanager
def temporary_folder() -> Iterator[Path]:
    """Give a folder that is deleted when the block is left. Raises `NoRoom`."""
    try:
        place = tempfile.TemporaryDirectory(prefix="lovsvar-ingest-", ignore_cleanup_errors=True)
    except OSError as exc:
        raise no_room(exc, Path(tempfile.gettempdir())) from exc
    with place as name:
        yield Path(name)


def _day(header: str) -> date | None:
    try:
        return parsedate_to_datetime(header).date() if header else None
    except ValueError:
        return None
