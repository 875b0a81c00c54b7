"""Archives from an address, from a folder, and the bundled sample."""

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
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import BinaryIO

import httpx2

from lovsvar_chassis.addresses import shown
from lovsvar_contracts.ingest import DATASET_SAMPLE
from lovsvar_ingest.adapters.downloads import TIMEOUT, Download, no_room
from lovsvar_ingest.adapters.held_documents import HeldDocuments, hold_documents
from lovsvar_ingest.adapters.public_addresses import make_client
from lovsvar_ingest.adapters.source_list import SourceList, folder, is_http
from lovsvar_ingest.adapters.tar_stream import TarLimits, read_tar
from lovsvar_ingest.core.batches import ArchiveFile
from lovsvar_ingest.core.errors import SourceUnreachable
from lovsvar_ingest.core.ports import OnBytes
from lovsvar_ingest.core.provenance import Provenance, Validators

SUFFIX = ".tar.bz2"


class TarArchive:
    """An archive that lies on disk as `tar.bz2`."""

    def __init__(self, path: Path, checksum: str, validators: Validators, limits: TarLimits) -> None:
        self.checksum = checksum
        self.validators = validators
        self.size = path.stat().st_size
        self._path = path
        self._published = _day(validators.last_modified)
        self._newest: date | None = None
        self._limits = limits

    def files(self) -> Iterator[ArchiveFile]:
        """Yield the XML files; decompression runs in a thread ahead of the consumer."""
        for file, changed in read_tar(self._path, self._limits):
            self._newest = max(self._newest or changed, changed)
            yield file

    def published(self) -> date | None:
        """Return the day the source gives, else that of the newest file."""
        return self._published or self._newest


class SampleArchive:
    """The bundled, invented documents."""

    def __init__(self) -> None:
        self._files = list(_walk(files("lovsvar_ingest").joinpath("sample"), ""))
        digest = hashlib.sha256()
        for name, file in self._files:
            digest.update(name.encode() + file.read_bytes())
        self.checksum = digest.hexdigest()
        self.validators = Validators()
        self.size = sum(len(file.read_bytes()) for _, file in self._files)

    def files(self) -> Iterator[ArchiveFile]:
        """Yield the files by name."""
        offset = 0
        for name, file in self._files:
            content = file.read_bytes()
            offset += len(content)
            yield ArchiveFile(name, content, offset)

    def published(self) -> date | None:
        """Return None: invented law has no date."""
        return None


class Archives:
    """Fetches `<dataset>.tar.bz2` from an http(s) address or a folder; the data set `eksempel` is bundled."""

    def __init__(
        self,
        source: str,
        limits: TarLimits | None = None,
        timeout: httpx2.Timeout = TIMEOUT,
        others: Iterable[str] = (),
    ) -> None:
        """`source` is used where a request names none, and it may name one of `others`.

        `timeout` is that of one read, and of connecting.
        """
        self._sources = SourceList(source, others)
        self._timeout = timeout
        self._limits = limits or TarLimits()

    def describe(self, dataset: str, source: str | None) -> str:
        """Return the address that `dataset` is fetched from, without a login. Raises `SourceRefused`."""
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
        """Fetch the archive, or None when its server says that it is `stored` still.

        One from a folder is copied, so that what was hashed is what is read whatever becomes of the file meanwhile.
        Copies and downloads are deleted when the block is left.
        """
        address = self._address(dataset, source)
        if dataset == DATASET_SAMPLE:
            yield await asyncio.to_thread(SampleArchive)
            return
        if not is_http(address):
            with _temporary_folder() as place:
                await asyncio.to_thread(_copy, Path(address), place / "archive")
                yield await asyncio.to_thread(self._open, place / "archive", Validators())
            return
        with _temporary_folder() as place:
            tls_alone = address.lower().startswith("https://")
            client = partial(make_client, self._sources.bases(), self._timeout, tls_alone=tls_alone)
            download = Download(address, place / "archive", self._limits.archive_bytes, on_bytes, client)
            validators = stored.validators if stored and stored.source == shown([address]) else Validators()
            changed = await download.run(validators)
            yield await asyncio.to_thread(self._open, place / "archive", download.validators) if changed else None

    def hold(self) -> AbstractContextManager[HeldDocuments]:
        """Give a place for documents that wait until all of an archive was read."""
        return hold_documents()

    def _open(self, path: Path, validators: Validators) -> TarArchive:
        try:
            with path.open("rb") as file:
                checksum = hashlib.file_digest(file, "sha256").hexdigest()
            return TarArchive(path, checksum, validators, self._limits)
        except OSError as exc:
            raise SourceUnreachable(f"Arkivet {path} kan ikke åpnes: {exc.strerror or exc}.") from exc


def _copy(path: Path, copy: Path) -> None:
    try:
        with path.open("rb") as source:
            _write(source, copy)
    except OSError as exc:
        raise SourceUnreachable(f"Arkivet {path} kan ikke åpnes: {exc.strerror or exc}.") from exc


def _write(source: BinaryIO, copy: Path) -> None:
    try:
        with copy.open("wb") as target:
            shutil.copyfileobj(source, target)
    except OSError as exc:
        raise no_room(exc, copy.parent) from exc


@contextlib.contextmanager
def _temporary_folder() -> Iterator[Path]:
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


def _walk(folder: Traversable, prefix: str) -> Iterator[tuple[str, Traversable]]:
    for item in sorted(folder.iterdir(), key=lambda i: i.name):
        if item.is_dir():
            yield from _walk(item, f"{prefix}{item.name}/")
        elif item.name.endswith(".xml"):
            yield f"{prefix}{item.name}", item
