"""Archives as they are, and as somebody hostile makes them."""

import bz2
import io
import tarfile
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from lovsvar_ingest.adapters.tar_stream import TarLimits, read_tar
from lovsvar_ingest.core.errors import SourceUnreadable

Member = tuple[tarfile.TarInfo, bytes]


def file(name: str, content: bytes = b"<x/>", **fields: object) -> Member:
    member = tarfile.TarInfo(name)
    member.size = len(content)
    for field, value in fields.items():
        setattr(member, field, value)
    return member, content


@pytest.fixture
def pack(tmp_path: Path) -> Callable[..., Path]:
    def pack(*members: Member) -> Path:
        path = tmp_path / "archive.tar.bz2"
        with tarfile.open(path, "w:bz2") as tar:
            for member, content in members:
                tar.addfile(member, io.BytesIO(content))
        return path

    return pack


def names(path: Path, limits: TarLimits | None = None) -> list[str]:
    return [file.name for file, _ in read_tar(path, limits or TarLimits())]


def test_xml_files_are_read_with_their_contents_and_days(pack: Callable[..., Path]) -> None:
    path = pack(file("nl/a.xml", b"<a/>", mtime=1_782_950_400), file("nl/b.xml", b"<b/>"), file("README"))
    read = list(read_tar(path, TarLimits()))
    assert [(f.name, f.content, str(day)) for f, day in read] == [
        ("nl/a.xml", b"<a/>", "2026-07-02"),
        ("nl/b.xml", b"<b/>", "1970-01-01"),
    ]


def test_links_folders_and_devices_are_not_read(pack: Callable[..., Path]) -> None:
    path = pack(
        file("link.xml", b"", type=tarfile.SYMTYPE, linkname="/etc/passwd"),
        file("hard.xml", b"", type=tarfile.LNKTYPE, linkname="nl/a.xml"),
        file("folder.xml", b"", type=tarfile.DIRTYPE),
        file("device.xml", b"", type=tarfile.CHRTYPE),
        file("nl/a.xml"),
    )
    assert names(path) == ["nl/a.xml"]


def test_paths_that_climb_are_names_and_write_nothing(pack: Callable[..., Path], tmp_path: Path) -> None:
    path = pack(file("../../evil.xml"), file("/tmp/evil.xml"))
    before = set(tmp_path.parent.rglob("*"))
    assert names(path) == ["../../evil.xml", "/tmp/evil.xml"]
    assert set(tmp_path.parent.rglob("*")) == before


@pytest.mark.parametrize("share", [0.0, 0.3, 0.9, 0.999])
def test_a_truncated_archive_is_unreadable(pack: Callable[..., Path], share: float) -> None:
    path = pack(*(file(f"{n}.xml", bytes(str(n) * 997, "ascii")) for n in range(200)))
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * share)])
    with pytest.raises(SourceUnreadable):
        names(path)


def test_an_archive_cut_between_two_files_before_it_was_packed_is_unreadable(pack: Callable[..., Path]) -> None:
    path = pack(file("a.xml", b"x" * 512), file("b.xml", b"x" * 512))
    path.write_bytes(bz2.compress(bz2.decompress(path.read_bytes())[:1024]))
    with pytest.raises(SourceUnreadable):
        names(path)


@pytest.mark.parametrize("content", [b"", b"<html>503</html>", bz2.compress(b""), bz2.compress(b"not tar" * 1000)])
def test_what_is_no_archive_is_unreadable(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "archive.tar.bz2"
    path.write_bytes(content)
    with pytest.raises(SourceUnreadable):
        names(path)


def test_a_damaged_archive_is_unreadable(pack: Callable[..., Path]) -> None:
    path = pack(*(file(f"{n}.xml", bytes(str(n) * 997, "ascii")) for n in range(200)))
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0xFF
    path.write_bytes(bytes(data))
    with pytest.raises(SourceUnreadable):
        names(path)


def test_a_decompression_bomb_is_stopped_at_its_limit(pack: Callable[..., Path]) -> None:
    path = pack(*(file(f"{n}.xml", b"\0" * 1_000_000) for n in range(20)))
    with pytest.raises(SourceUnreadable, match="større enn 5000000"):
        names(path, TarLimits(free_bytes=5_000_000))


def test_a_decompression_bomb_is_stopped_at_its_ratio(pack: Callable[..., Path]) -> None:
    path = pack(*(file(f"{n}.xml", b"\0" * 1_000_000) for n in range(20)))
    most = 100 * path.stat().st_size
    assert most < 20_000_000
    with pytest.raises(SourceUnreadable, match=f"større enn {most}"):
        names(path, TarLimits(free_bytes=1, ratio=100))


def test_more_files_than_allowed_are_refused(pack: Callable[..., Path]) -> None:
    path = pack(*(file(f"{n}.xml") for n in range(20)))
    with pytest.raises(SourceUnreadable, match="mer enn 10"):
        names(path, replace(TarLimits(), members=10))


def test_a_single_file_beyond_the_limit_is_refused_and_the_rest_is_read(
    pack: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lovsvar_ingest.adapters.tar_stream.LARGEST_DOCUMENT", 10_000_000)
    path = pack(file("big.xml", b" " * 10_000_001), file("small.xml"))
    read = [f for f, _ in read_tar(path, TarLimits())]
    assert [(f.name, bool(f.refused), len(f.content)) for f in read] == [("big.xml", True, 0), ("small.xml", False, 4)]


def test_names_that_are_no_unicode_are_read(pack: Callable[..., Path]) -> None:
    path = pack(file("nl/\udcff.xml"))
    assert names(path) == ["nl/?.xml"]


def test_leaving_early_ends_the_thread(pack: Callable[..., Path]) -> None:
    path = pack(*(file(f"{n}.xml") for n in range(500)))
    reading = read_tar(path, TarLimits())
    assert next(iter(reading))[0].name == "0.xml"
    reading.close()  # type: ignore[attr-defined]
    assert "decompress" not in {thread.name for thread in threading.enumerate()}
