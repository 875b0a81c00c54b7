"""Archives over HTTP: cut off, taken up again, changed midway, and not sent when nothing changed."""

import asyncio
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx2
import pytest
import stamina

from lovsvar_contracts.ingest import SyncCompleted
from lovsvar_ingest.adapters.archives import Archives
from lovsvar_ingest.adapters.downloads import ATTEMPTS, WHOLE_SECONDS, Download
from lovsvar_ingest.adapters.sources import SourceList, make_client
from lovsvar_ingest.core.archive import Provenance, Validators
from lovsvar_ingest.core.errors import NoRoom, SourceRefused, SourceUnreachable

DATA = bytes(range(256)) * 8_000
OTHER = bytes(reversed(range(256))) * 8_000
LIMIT = 10_000_000


@dataclass
class Server:
    """A server of one archive; each request is answered by the next of `cuts`, the later ones whole.

    A cut is after how many bytes the connection is dropped, or a status that is answered.
    """

    data: bytes = DATA
    etag: str = '"en"'
    last_modified: str = ""
    ranges: bool = True
    wrong_part: bool = False
    cuts: list[int | str] = field(default_factory=list)
    asked: list[Mapping[str, str]] = field(default_factory=list)
    after: Callable[[], None] = lambda: None
    stalled: threading.Event = field(default_factory=threading.Event)
    stall: bool = False
    drip: bool = False
    address: str = ""

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        asked = dict(request.headers)
        self.asked.append(asked)
        cut = self.cuts.pop(0) if self.cuts else len(self.data)
        if isinstance(cut, str):
            self.send(request, int(cut), b"")
        elif self.etag and asked.get("If-None-Match") == self.etag:
            self.send(request, 304, b"")
        elif self.ranges and "Range" in asked and asked.get("If-Range") in {self.etag, self.last_modified}:
            start = int(asked["Range"].removeprefix("bytes=").removesuffix("-"))
            told = start - 1 if self.wrong_part else start
            self.send(request, 206, self.data[start:], cut, f"bytes {told}-{len(self.data) - 1}/{len(self.data)}")
        else:
            self.send(request, 200, self.data, cut)
        self.after()

    def send(
        self, request: BaseHTTPRequestHandler, status: int, body: bytes, cut: int | None = None, part: str = ""
    ) -> None:
        request.send_response(status)
        headers = {"ETag": self.etag, "Last-Modified": self.last_modified, "Content-Range": part}
        for name, value in headers.items():
            if value:
                request.send_header(name, value)
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        if self.drip:
            for byte in body:
                request.wfile.write(bytes([byte]))
                if self.stalled.wait(0.05):
                    break
        request.wfile.write(body[:cut])
        request.wfile.flush()
        if self.stall and cut is not None and cut < len(body):
            self.stalled.wait(20)
        request.close_connection = True

    def ranges_asked(self) -> list[str]:
        return [asked.get("Range", "") for asked in self.asked]


@pytest.fixture
def server() -> Iterator[Server]:
    told = Server()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            told.answer(self)

        def log_message(self, *_: Any) -> None:
            pass

    listening = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    told.address = f"http://127.0.0.1:{listening.server_port}"
    threading.Thread(target=listening.serve_forever, args=(0.01,), daemon=True).start()
    yield told
    told.stalled.set()
    listening.shutdown()
    listening.server_close()


@pytest.fixture(autouse=True)
def without_pauses() -> Iterator[None]:
    """Try again at once, as often as ever."""
    with stamina.set_testing(True, attempts=ATTEMPTS, cap=True):
        yield


async def nothing(so_far: int, total: int | None) -> None:
    """Hear of progress and say nothing."""


def download(
    server: Server, folder: Path, read_seconds: float = 8.0, name: str = "archive", whole_seconds: float = WHOLE_SECONDS
) -> tuple[Download, Path]:
    path = folder / name
    client = partial(make_client, SourceList(server.address).bases(), httpx2.Timeout(read_seconds))
    return Download(server.address, path, LIMIT, nothing, client, whole_seconds), path


@pytest.mark.parametrize("validators", [('"en"', ""), ("", "Sat, 04 Jul 2026 03:00:00 GMT")])
async def test_a_dropped_download_goes_on_where_it_was(
    server: Server, tmp_path: Path, validators: tuple[str, str]
) -> None:
    server.etag, server.last_modified = validators
    server.cuts = [1_000_000, 500_000]
    fetch, path = download(server, tmp_path)
    assert await fetch.run(Validators())
    assert path.read_bytes() == DATA
    assert server.ranges_asked() == ["", "bytes=1000000-", "bytes=1500000-"]
    assert fetch.validators == Validators(*validators)


@pytest.mark.parametrize("change", [{"ranges": False}, {"etag": 'W/"en"'}, {"etag": ""}, {"wrong_part": True}])
async def test_without_ranges_that_can_be_trusted_a_dropped_download_begins_anew(
    server: Server, tmp_path: Path, change: Mapping[str, Any]
) -> None:
    for name, value in change.items():
        setattr(server, name, value)
    server.cuts = [1_000_000]
    fetch, path = download(server, tmp_path)
    assert await fetch.run(Validators())
    assert path.read_bytes() == DATA


async def test_an_archive_that_changes_midway_is_fetched_as_it_is_now(server: Server, tmp_path: Path) -> None:
    server.cuts = [1_000_000]

    def change() -> None:
        server.data, server.etag = OTHER[:1_500_000], '"to"'

    server.after = change
    fetch, path = download(server, tmp_path)
    assert await fetch.run(Validators())
    assert path.read_bytes() == OTHER[:1_500_000]
    assert fetch.validators.etag == '"to"'


async def test_an_archive_that_became_shorter_than_what_was_received_is_fetched_anew(
    server: Server, tmp_path: Path
) -> None:
    server.cuts = [1_000_000, "416"]
    fetch, path = download(server, tmp_path)
    assert await fetch.run(Validators())
    assert path.read_bytes() == DATA
    assert server.ranges_asked() == ["", "bytes=1000000-", ""]


async def test_a_download_that_gets_further_each_time_is_not_given_up(server: Server, tmp_path: Path) -> None:
    server.cuts = [300_000] * 4
    fetch, path = download(server, tmp_path)
    assert await fetch.run(Validators())
    assert path.read_bytes() == DATA
    assert len(server.asked) == 5


async def test_a_download_that_is_always_cut_at_the_same_byte_is_given_up(server: Server, tmp_path: Path) -> None:
    server.ranges, server.cuts = False, [300_000] * 100
    fetch, _ = download(server, tmp_path)
    with pytest.raises(SourceUnreachable, match="kan ikke nås"):
        await fetch.run(Validators())
    assert len(server.asked) < 10


async def test_a_server_that_falls_silent_is_asked_for_the_rest(server: Server, tmp_path: Path) -> None:
    server.cuts, server.stall = [1_000_000], True
    fetch, path = download(server, tmp_path, read_seconds=0.5)
    assert await fetch.run(Validators())
    assert path.read_bytes() == DATA
    assert server.ranges_asked() == ["", "bytes=1000000-"]


async def test_a_server_that_drips_is_given_up_though_it_is_never_silent(server: Server, tmp_path: Path) -> None:
    server.drip = True
    fetch, _ = download(server, tmp_path, read_seconds=0.5, whole_seconds=2.0)
    async with asyncio.timeout(15):
        with pytest.raises(SourceUnreachable, match=r"sender for langsomt: etter 2 sekunder var [1-9]"):
            await fetch.run(Validators())
    assert len(server.asked) == 1


async def test_an_error_between_two_parts_does_not_lose_the_first(server: Server, tmp_path: Path) -> None:
    server.cuts = [1_000_000, "500"]
    fetch, path = download(server, tmp_path)
    assert await fetch.run(Validators())
    assert path.read_bytes() == DATA
    assert server.ranges_asked() == ["", "bytes=1000000-", "bytes=1000000-"]


async def test_what_did_not_change_is_not_sent(server: Server, tmp_path: Path) -> None:
    fetch, path = download(server, tmp_path)
    assert not await fetch.run(Validators('"en"', "Sat, 04 Jul 2026 03:00:00 GMT"))
    assert not path.exists()
    assert server.asked[0]["If-Modified-Since"] == "Sat, 04 Jul 2026 03:00:00 GMT"


async def test_an_unchanged_that_nobody_asked_for_is_no_answer(server: Server, tmp_path: Path) -> None:
    server.cuts = ["304"]
    fetch, _ = download(server, tmp_path)
    with pytest.raises(SourceUnreachable, match="304"):
        await fetch.run(Validators())


async def test_a_login_is_sent_to_the_source_and_shown_to_nobody(server: Server, tmp_path: Path) -> None:
    server.cuts = ["404"]
    listed = server.address.replace("://", "://kari:hemmelig@")
    archives = Archives(listed)
    assert archives.describe("gjeldende-lover", None) == f"{server.address}/gjeldende-lover.tar.bz2"
    with pytest.raises(SourceUnreachable) as failed:
        async with archives.fetch("gjeldende-lover", None, nothing):
            pass
    assert f"{server.address}/gjeldende-lover.tar.bz2 svarer med status 404" in str(failed.value)
    assert server.asked[0]["Authorization"].startswith("Basic ")
    stored = Provenance("0" * 64, 1, f"{server.address}/gjeldende-lover.tar.bz2", Validators('"en"'))
    async with archives.fetch("gjeldende-lover", None, nothing, stored) as unchanged:
        assert unchanged is None
    with pytest.raises(SourceRefused) as refused:
        archives.describe("gjeldende-lover", "https://kari:hemmelig@annet.example/")
    assert "hemmelig" not in str(failed.value) + str(refused.value)


async def test_a_full_disk_is_said_to_be_full(server: Server) -> None:
    with pytest.raises(NoRoom, match="ikke plass"):
        await download(server, Path("/dev"), name="full")[0].run(Validators())
    assert len(server.asked) == 1


async def test_a_sync_asks_only_for_what_changed(
    server: Server, ingest: Any, client: Any, put_archive: Any, make_law: Any, database: Any
) -> None:
    folder = put_archive({f"nl/{n}.xml": make_law(n) for n in range(1, 4)})
    server.data = (folder / "gjeldende-lover.tar.bz2").read_bytes()
    rows = "SELECT xmin::text, * FROM archives"
    async with ingest(source=server.address, sources=server.address + "/speil"):
        first = await client.sync()
        before = await database.fetch(rows)
        began = time.monotonic()
        again = await client.sync()
        assert time.monotonic() - began < 2
        assert await database.fetch(rows) == before
        forced = await client.sync(force=True)
        await database.execute("UPDATE archives SET reading = reading - 1")
        await client.sync()
        await database.execute("UPDATE archives SET reread = current_date")
        await client.sync()
        elsewhere = await client.sync(source=server.address + "/speil")
    assert isinstance(again, SyncCompleted)
    assert isinstance(forced, SyncCompleted)
    assert (first.report.added, again.report.unchanged, again.report.archive_bytes) == (3, 3, 0)
    assert (again.corpus_version, again.corpus_date, forced.report.changed) == (1, first.corpus_date, 3)
    assert isinstance(elsewhere, SyncCompleted)
    assert ["If-None-Match" in asked for asked in server.asked] == [False, True, False, False, False, False]
