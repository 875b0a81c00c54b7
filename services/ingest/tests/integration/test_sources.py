"""Where archives are fetched from."""

import hashlib
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
import stamina

from lovsvar_contracts.ingest import SyncCompleted, SyncFailed
from lovsvar_contracts.problems import ProblemType
from lovsvar_ingest.adapters.archives import Archives
from lovsvar_ingest.adapters.downloads import ATTEMPTS
from lovsvar_ingest.adapters.tar_stream import TarLimits
from lovsvar_ingest.core.errors import SourceUnreachable, SourceUnreadable


@pytest.fixture
def without_pauses() -> Iterator[None]:
    """Try again at once, as often as ever."""
    with stamina.set_testing(True, attempts=ATTEMPTS, cap=True):
        yield


async def nothing(so_far: int, total: int | None) -> None:
    """Hear of progress and say nothing."""


def send(handler: BaseHTTPRequestHandler, body: bytes, status: int = 200, length: int | None = None) -> None:
    handler.send_response(status)
    handler.send_header("Content-Length", str(len(body) if length is None else length))
    handler.send_header("Last-Modified", "Sat, 04 Jul 2026 03:00:00 GMT")
    handler.end_headers()
    handler.wfile.write(body)


async def test_an_archive_is_fetched_over_http_and_dated_by_its_header(
    ingest: Any, client: Any, put_archive: Any, make_law: Any, serve: Any
) -> None:
    folder = put_archive({"nl/1.xml": make_law(1)})
    asked = []

    def answer(handler: BaseHTTPRequestHandler, number: int) -> None:
        asked.append(handler.path)
        send(handler, (folder / "gjeldende-lover.tar.bz2").read_bytes())

    async with ingest(source=serve(answer)):
        end = await client.sync()
    assert isinstance(end, SyncCompleted)
    assert (end.report.added, str(end.corpus_date)) == (1, "2026-07-04")
    assert asked == ["/publicData/get/gjeldende-lover.tar.bz2"]


async def test_a_request_may_name_a_source_that_is_listed_and_no_other(
    ingest: Any, client: Any, put_archive: Any, make_law: Any, tmp_path: Path
) -> None:
    folder = put_archive({"nl/1.xml": make_law(1)})
    async with ingest(source="http://127.0.0.1:9/", sources=f"http://127.0.0.1:8/, {folder}"):
        for source in (str(folder), folder.as_uri(), f"{folder}/../source/"):
            assert isinstance(await client.sync(source=source), SyncCompleted)
        for source in (str(tmp_path), "http://127.0.0.1:7/", "http://127.0.0.1:8/annet", "http://a@127.0.0.1:8"):
            end = await client.sync(source=source)
            assert isinstance(end, SyncFailed)
            shown = source.replace("a@", "")
            assert (end.problem, f"ikke fra {shown}:" in end.detail) == (ProblemType.INVALID_REQUEST, True)


async def test_an_archive_that_is_replaced_after_it_was_hashed_is_read_as_it_was(
    put_archive: Any, make_law: Any
) -> None:
    folder = put_archive({"nl/1.xml": make_law(1)})
    before = hashlib.sha256((folder / "gjeldende-lover.tar.bz2").read_bytes()).hexdigest()
    async with Archives(str(folder)).fetch("gjeldende-lover", None, nothing) as archive:
        assert put_archive({"nl/2.xml": make_law(2)}) == folder
        assert archive is not None
        assert (archive.checksum, [file.name for file in archive.files()]) == (before, ["nl/1.xml"])


async def test_a_proxy_of_the_environment_is_not_used(
    put_archive: Any, make_law: Any, serve: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = (put_archive({"nl/1.xml": make_law(1)}) / "gjeldende-lover.tar.bz2").read_bytes()
    asked: list[str] = []
    proxy = serve(lambda handler, number: asked.append(handler.path))
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, proxy)
    async with Archives(serve(lambda handler, number: send(handler, data))).fetch(
        "gjeldende-lover", None, nothing
    ) as it:
        assert [file.name for file in it.files()] == ["nl/1.xml"]
    assert asked == []


@pytest.mark.usefixtures("without_pauses")
async def test_a_server_that_stumbles_is_asked_again(put_archive: Any, make_law: Any, serve: Any) -> None:
    data = (put_archive({"nl/1.xml": make_law(1)}) / "gjeldende-lover.tar.bz2").read_bytes()

    def answer(handler: BaseHTTPRequestHandler, number: int) -> None:
        if number == 1:
            send(handler, b"", 503)
        elif number == 2:
            send(handler, data[:100], length=len(data))
        else:
            send(handler, data)

    async with Archives(serve(answer)).fetch("gjeldende-lover", None, nothing) as archive:
        assert [file.name for file in archive.files()] == ["nl/1.xml"]


async def test_a_server_that_stays_down_is_unreachable_within_ten_seconds(ingest: Any, client: Any, serve: Any) -> None:
    began = time.monotonic()
    async with ingest(source=serve(lambda handler, number: send(handler, b"", 503))):
        end = await client.sync()
    assert isinstance(end, SyncFailed)
    assert (end.problem, "503" in end.detail) == (ProblemType.SOURCE_UNREACHABLE, True)
    assert time.monotonic() - began < 10


@pytest.mark.usefixtures("without_pauses")
@pytest.mark.parametrize(
    ("source", "shown"),
    [
        *((source, source) for source in ("http://127.0.0.1:9", "http://finnes-ikke.invalid", "https://127.0.0.1:9")),
        ("http://[::bad", "en adresse som ikke kan leses"),
    ],
)
async def test_an_address_where_nobody_answers_is_unreachable(source: str, shown: str) -> None:
    began = time.monotonic()
    with pytest.raises(SourceUnreachable) as caught:
        async with Archives(source).fetch("gjeldende-lover", None, nothing):
            pass
    assert shown in str(caught.value)
    assert time.monotonic() - began < 10


async def test_an_archive_that_the_server_does_not_have_is_asked_for_once(serve: Any) -> None:
    asked = []

    def answer(handler: BaseHTTPRequestHandler, number: int) -> None:
        asked.append(number)
        send(handler, b"", 404)

    with pytest.raises(SourceUnreachable, match="404"):
        async with Archives(serve(answer)).fetch("gjeldende-lover", None, nothing):
            pass
    assert asked == [1]


async def test_a_download_without_end_is_stopped_and_leaves_no_file(
    serve: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    address = serve(lambda handler, number: send(handler, b"x" * 3_000_000))
    with pytest.raises(SourceUnreadable, match="større enn"):
        async with Archives(address, TarLimits(archive_bytes=1_000_000)).fetch("gjeldende-lover", None, nothing):
            pass
    assert list(tmp_path.iterdir()) == []  # noqa: ASYNC240
