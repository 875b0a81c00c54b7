"""Archives from an address, from a folder, and the bundled sample."""

import asyncio
import contextlib
import hashlib
import tempfile
from collections.abc import AsyncIterator, Iterator
from datetime import date
from email.utils import parsedate_to_datetime
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from urllib.parse import unquote, urlsplit

import httpx2
import stamina

from lovsvar_contracts.ingest import DATASET_SAMPLE
from lovsvar_ingest.adapters.tar_reading import TarLimits, read_tar
from lovsvar_ingest.core.batches import ArchiveFile
from lovsvar_ingest.core.errors import SourceUnreachable, SourceUnreadable
from lovsvar_ingest.core.ports import OnBytes

SUFFIX = ".tar.bz2"
CHUNK = 256 * 1024
TIMEOUT = httpx2.Timeout(8.0, connect=2.5)
ATTEMPTS = 3
GIVE_UP_SECONDS = 8.0
"""After so long nothing is tried again."""


class TarArchive:
    """An archive that lies on disk as `tar.bz2`."""

    def __init__(self, path: Path, checksum: str, published: date | None, limits: TarLimits) -> None:
        self.checksum = checksum
        self.size = path.stat().st_size
        self._path = path
        self._published = published
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

    def __init__(self, source: str, limits: TarLimits | None = None) -> None:
        """`source` is used where a request names none."""
        self._source = source
        self._limits = limits or TarLimits()

    def describe(self, dataset: str, source: str | None) -> str:
        """Return the address that `dataset` is fetched from."""
        if dataset == DATASET_SAMPLE:
            return "eksempelsamlingen som følger med"
        base = source or self._source
        if _is_http(base):
            return f"{base.rstrip('/')}/{dataset}{SUFFIX}"
        return str(_folder(base) / f"{dataset}{SUFFIX}")

    @contextlib.asynccontextmanager
    async def fetch(
        self, dataset: str, source: str | None, on_bytes: OnBytes
    ) -> AsyncIterator[TarArchive | SampleArchive]:
        """Fetch the archive; a downloaded one is deleted when the block is left."""
        if dataset == DATASET_SAMPLE:
            yield await asyncio.to_thread(SampleArchive)
            return
        address = self.describe(dataset, source)
        if not _is_http(address):
            yield await asyncio.to_thread(self._open, Path(address))
            return
        with tempfile.TemporaryDirectory(prefix="lovsvar-ingest-", ignore_cleanup_errors=True) as folder:
            path = Path(folder) / "archive"
            published = await self._download(address, path, on_bytes)
            yield await asyncio.to_thread(self._open, path, published)

    def _open(self, path: Path, published: date | None = None) -> TarArchive:
        try:
            with path.open("rb") as file:
                checksum = hashlib.file_digest(file, "sha256").hexdigest()
            return TarArchive(path, checksum, published, self._limits)
        except OSError as exc:
            raise SourceUnreachable(f"Arkivet {path} kan ikke åpnes: {exc.strerror or exc}.") from exc

    async def _download(self, address: str, path: Path, on_bytes: OnBytes) -> date | None:
        try:
            async for attempt in stamina.retry_context(
                on=_may_pass, attempts=ATTEMPTS, timeout=GIVE_UP_SECONDS, wait_initial=0.2, wait_max=1.0
            ):
                with attempt:
                    published = await self._download_once(address, path, on_bytes)
        except httpx2.HTTPStatusError as exc:
            raise SourceUnreachable(f"{address} svarer med status {exc.response.status_code}.") from exc
        except (httpx2.HTTPError, httpx2.InvalidURL) as exc:
            raise SourceUnreachable(f"{address} kan ikke nås ({exc or type(exc).__name__}).") from exc
        except OSError as exc:
            raise SourceUnreachable(f"{address} kan ikke lagres midlertidig: {exc.strerror or exc}.") from exc
        return published

    async def _download_once(self, address: str, path: Path, on_bytes: OnBytes) -> date | None:
        async with (
            httpx2.AsyncClient(timeout=TIMEOUT, follow_redirects=True) as client,
            client.stream("GET", address) as response,
        ):
            response.raise_for_status()
            length = response.headers.get("Content-Length", "")
            total = int(length) if length.isdecimal() else None
            so_far = 0
            with path.open("wb") as file:
                async for chunk in response.aiter_bytes(CHUNK):
                    so_far += len(chunk)
                    if so_far > self._limits.archive_bytes:
                        raise SourceUnreadable(f"{address} er større enn {self._limits.archive_bytes} byte.")
                    file.write(chunk)
                    await on_bytes(so_far, total)
            return _day(response.headers.get("Last-Modified"))


def _may_pass(error: Exception) -> bool:
    """Whether the same request may succeed a moment later."""
    if isinstance(error, httpx2.HTTPStatusError):
        return error.response.status_code in {408, 429} or error.response.status_code >= 500
    return isinstance(error, httpx2.TransportError) and not isinstance(error, httpx2.UnsupportedProtocol)


def _day(header: str | None) -> date | None:
    try:
        return parsedate_to_datetime(header).date() if header else None
    except ValueError:
        return None


def _is_http(source: str) -> bool:
    return source.lower().startswith(("http://", "https://"))


def _folder(source: str) -> Path:
    if source.startswith("file://"):
        return Path(unquote(urlsplit(source).path))
    return Path(source).expanduser()


def _walk(folder: Traversable, prefix: str) -> Iterator[tuple[str, Traversable]]:
    for item in sorted(folder.iterdir(), key=lambda i: i.name):
        if item.is_dir():
            yield from _walk(item, f"{prefix}{item.name}/")
        elif item.name.endswith(".xml"):
            yield f"{prefix}{item.name}", item
