"""The download of one archive to a file, resumed after a dropped connection.

The received part is kept between attempts. The rest is requested by `Range` with `If-Range` (RFC 9110, 13.1.5). A
server that sends the whole, because it has changed or because the server has no ranges, is read from the beginning.
"""

import asyncio
import errno
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import httpx2
import stamina

from lovsvar_chassis.addresses import shown
from lovsvar_ingest.core.archive import Validators
from lovsvar_ingest.core.errors import NoRoom, SourceUnreachable, SourceUnreadable
from lovsvar_ingest.core.ports import OnBytes

TIMEOUT = httpx2.Timeout(8.0, connect=2.5)
ATTEMPTS = 3
GIVE_UP_SECONDS = 8.0
"""The time of one round of attempts, after which it has no further attempt."""

ROUNDS = 20
"""Rounds of attempts; each must bring the download further than the rounds before."""

WHOLE_SECONDS = 600.0
"""The time of the whole download: a source that sends a byte now and then would never end it."""


class Dropped(Exception):
    """The response ended early, or was not the requested part. Remedy: request the rest."""


@dataclass
class Download:
    """A download to one file. `validators` and `received` are set once `run` has returned True.

    `largest` is in bytes; `client` makes the client of one attempt; all attempts together may take `seconds`.
    """

    address: str
    path: Path
    largest: int
    on_bytes: OnBytes
    client: Callable[[], httpx2.AsyncClient]
    seconds: float = WHOLE_SECONDS
    validators: Validators = field(default=Validators(), init=False)
    received: int = field(default=0, init=False)
    _total: int | None = field(default=None, init=False)
    _ranges: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        self._shown = shown([self.address])

    async def run(self, stored: Validators) -> bool:
        """Download the archive; return False, with nothing written, when it is the `stored` one still.

        Raises `SourceUnreachable`, `SourceRefused`, `SourceUnreadable`, `NoRoom`.
        """
        try:
            async with asyncio.timeout(self.seconds):
                return await self._insist(stored)
        except TimeoutError as exc:
            raise SourceUnreachable(
                f"{self.address} sender for langsomt: etter {self.seconds:.0f} sekunder var {self.received} byte "
                "kommet fram. Prøv igjen senere, eller hent arkivet på en annen måte."
            ) from exc
        except httpx2.HTTPStatusError as exc:
            raise SourceUnreachable(f"{self._shown} svarer med status {exc.response.status_code}.") from exc
        except (httpx2.HTTPError, httpx2.InvalidURL, Dropped) as exc:
            raise SourceUnreachable(f"{self._shown} kan ikke nås ({exc or type(exc).__name__}).") from exc
        except OSError as exc:
            raise no_room(exc, self.path.parent) from exc

    async def _insist(self, stored: Validators) -> bool:
        """Try in rounds, as long as each comes further than those before it."""
        furthest = 0
        for _ in range(ROUNDS):
            try:
                async for attempt in stamina.retry_context(
                    on=_may_pass, attempts=ATTEMPTS, timeout=GIVE_UP_SECONDS, wait_initial=0.2, wait_max=1.0
                ):
                    with attempt:
                        return await self._once(stored)
            except Exception as exc:
                if not _may_pass(exc) or self.received <= furthest:
                    raise
                furthest = self.received
        raise Dropped(f"forbindelsen ble brutt etter {self.received} byte")

    async def _once(self, stored: Validators) -> bool:
        async with (
            self.client() as client,
            client.stream("GET", self.address, headers=self._headers(stored)) as response,
        ):
            if response.status_code == httpx2.codes.NOT_MODIFIED and stored != Validators():
                return False
            if response.status_code == httpx2.codes.RANGE_NOT_SATISFIABLE:
                self._ranges = False
            response.raise_for_status()
            self._begin(response)
            await self._receive(response)
        if self._total not in {None, self.received}:
            raise Dropped(f"{self.received} av {self._total} byte kom fram")
        return True

    def _headers(self, stored: Validators) -> Mapping[str, str]:
        headers = {"Accept-Encoding": "identity"}
        if self.received and self._ranges:
            condition = self.validators.etag or self.validators.last_modified
            return headers | {"Range": f"bytes={self.received}-", "If-Range": condition}
        if stored.etag:
            headers["If-None-Match"] = stored.etag
        if stored.last_modified:
            headers["If-Modified-Since"] = stored.last_modified
        return headers

    def _begin(self, response: httpx2.Response) -> None:
        """Resume where the last attempt ended, or start again."""
        if response.status_code == httpx2.codes.PARTIAL_CONTENT:
            if not response.headers.get("Content-Range", "").startswith(f"bytes {self.received}-"):
                self._ranges = False
                raise Dropped("tjeneren sendte en annen del enn den som ble bedt om")
            return
        headers = response.headers
        self.received = 0
        self.validators = Validators(headers.get("ETag", ""), headers.get("Last-Modified", ""))
        encoded = headers.get("Content-Encoding", "identity") != "identity"
        length = headers.get("Content-Length", "")
        self._total = int(length) if length.isdecimal() and not encoded else None
        # A weak tag does not promise the same bytes.
        named = bool(self.validators.etag or self.validators.last_modified)
        self._ranges = named and not encoded and not self.validators.etag.startswith("W/")

    async def _receive(self, response: httpx2.Response) -> None:
        with self.path.open("r+b" if self.received else "wb") as file:
            file.seek(self.received)
            async for chunk in response.aiter_bytes():
                if self.received + len(chunk) > self.largest:
                    raise SourceUnreadable(f"{self._shown} er større enn {self.largest} byte.")
                file.write(chunk)
                self.received += len(chunk)
                await self.on_bytes(self.received, self._total)


def no_room(error: OSError, folder: Path) -> NoRoom:
    """Return the error of a sync for an `error` of writing to `folder`."""
    if error.errno in {errno.ENOSPC, errno.EDQUOT}:
        return NoRoom(f"Det er ikke plass til arkivet i {folder}. Frigjør diskplass, og prøv igjen.")
    return NoRoom(f"Arkivet kan ikke lagres midlertidig i {folder}: {error.strerror or error}.")


def _may_pass(error: Exception) -> bool:
    """Whether the same request may succeed a moment later."""
    if isinstance(error, httpx2.HTTPStatusError):
        status = error.response.status_code
        return status in {408, 416, 429} or status >= 500
    if isinstance(error, httpx2.UnsupportedProtocol):
        return False
    return isinstance(error, httpx2.TransportError | Dropped)
