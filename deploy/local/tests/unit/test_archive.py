"""The file of a backup: made for its owner alone, and read only when it is what a backup is."""

import hashlib
import io
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from lovsvar_local.archive import DATABASE, File, Manifest, SavedStream, pack, stream_file, unpack
from lovsvar_local.commands import restore as restoring
from lovsvar_local.commands.session import Where
from lovsvar_local.errors import BadArgument
from lovsvar_local.progress import Progress

DUMP = b"PGDMP" + bytes(2_000)
SNAPSHOT = b"audit"


def manifest(name: str = "AUDIT", config: object = None) -> Manifest:
    config = {"name": name} if config is None else config
    stream = SavedStream(messages=1, last_sequence=1, described={"config": config, "state": {}})
    return Manifest(
        version="0", postgres="", nats="", migrations=1, corpus_version=1, corpus_date=None, streams={name: stream}
    )


def packed(folder: Path, target: Path, said: Manifest) -> Path:
    folder.mkdir()
    (folder / DATABASE).write_bytes(DUMP)
    for name in said.streams:
        (folder / stream_file(name)).write_bytes(SNAPSHOT)
    pack(folder, said, target)
    return target


def test_a_backup_is_read_as_it_was_made_by_its_owner_alone(tmp_path: Path) -> None:
    file = packed(tmp_path / "made", tmp_path / "a.tar", manifest())
    assert file.stat().st_mode & 0o777 == 0o600
    (tmp_path / "read").mkdir()
    assert unpack(file, tmp_path / "read").streams == manifest().streams
    assert (tmp_path / "read" / DATABASE).read_bytes() == DUMP


@pytest.mark.parametrize("link", [False, True])
def test_a_file_that_was_made_meanwhile_is_kept(tmp_path: Path, link: bool) -> None:
    other = tmp_path / ("other" if link else "a.tar")
    other.write_bytes(b"kept")
    if link:
        (tmp_path / "a.tar").symlink_to(other)
    with pytest.raises(BadArgument, match="finnes alt"):
        packed(tmp_path / "made", tmp_path / "a.tar", manifest())
    assert other.read_bytes() == b"kept"
    assert {path.name for path in tmp_path.iterdir()} == {"made", "a.tar", other.name}


def forged(file: Path, change: Callable[[tarfile.TarInfo], object], **said: File) -> Path:
    """Write a backup in which `change` was made to the dump's entry, and `said` to the manifest."""
    contents = {DATABASE: DUMP, stream_file("AUDIT"): SNAPSHOT}
    files = {name: File(sha256=hashlib.sha256(c).hexdigest(), bytes=len(c)) for name, c in contents.items()}
    whole = manifest().model_copy(update={"files": {**files, **said}})
    with tarfile.open(file, "w") as tar:
        for name, content in {"manifest.json": whole.model_dump_json().encode(), **contents}.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            if name == DATABASE:
                change(entry)
            tar.addfile(entry, io.BytesIO(content) if entry.isreg() else None)
    return file


def linked(entry: tarfile.TarInfo) -> None:
    entry.type, entry.linkname, entry.size = tarfile.LNKTYPE, "manifest.json", 0


def sparse(entry: tarfile.TarInfo) -> None:
    entry.pax_headers = {"GNU.sparse.map": f"0,{len(DUMP)}", "GNU.sparse.size": str(1 << 40)}


def renamed(entry: tarfile.TarInfo) -> None:
    entry.name = "../outside"


@pytest.mark.parametrize("change", [linked, sparse, renamed])
def test_an_entry_that_no_backup_has_is_refused_before_it_is_written(
    tmp_path: Path, change: Callable[[tarfile.TarInfo], object]
) -> None:
    (tmp_path / "read").mkdir()
    unpack(forged(tmp_path / "whole.tar", lambda _: None), tmp_path / "read")
    (tmp_path / "again").mkdir()
    with pytest.raises(BadArgument, match="er ingen hel sikkerhetskopi"):
        unpack(forged(tmp_path / "a.tar", change), tmp_path / "again")
    assert list((tmp_path / "again").iterdir()) == []


@pytest.mark.parametrize("said", [{DATABASE: 1 << 40}, {DATABASE: len(DUMP) - 1}, {DATABASE: -1}, {"more": 1}])
def test_a_manifest_that_says_otherwise_than_the_file_is_refused(tmp_path: Path, said: dict[str, int]) -> None:
    files = {name: File.model_construct(sha256=hashlib.sha256(DUMP).hexdigest(), bytes=n) for name, n in said.items()}
    (tmp_path / "read").mkdir()
    with pytest.raises(BadArgument, match="er ingen hel sikkerhetskopi"):
        unpack(forged(tmp_path / "a.tar", lambda _: None, **files), tmp_path / "read")
    assert list((tmp_path / "read").iterdir()) == []


@pytest.mark.parametrize("said", [manifest("INGEST"), manifest(config={"name": "INGEST"}), manifest(config="AUDIT")])
async def test_streams_that_no_backup_holds_are_refused(
    tmp_path: Path, said: Manifest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(restoring, "open_stores")
    file = packed(tmp_path / "made", tmp_path / "a.tar", said)
    with pytest.raises(BadArgument, match="andre strømmer"):
        await restoring.restore(Where(tmp_path / "data"), Progress(as_json=True), file=file, force=True)
