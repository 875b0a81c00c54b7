"""The file of a backup: a tar of both stores' own dumps, and a manifest that describes each, with its hash."""

import hashlib
import os
import shutil
import tarfile
from collections.abc import Mapping
from datetime import date, datetime
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationError

from lovsvar_contracts.message import Frozen, utc_now
from lovsvar_local.errors import BadArgument

MANIFEST = "manifest.json"
DATABASE = "database.dump"
LARGEST_MANIFEST = 1_000_000


class File(Frozen):
    """A file of the backup."""

    sha256: str
    bytes: int = Field(ge=0)


class SavedStream(Frozen):
    """A stream of the backup: its configuration and state as NATS describes them, and its size."""

    messages: int
    last_sequence: int
    described: Mapping[str, Any]

    @property
    def name(self) -> str:
        """The name that the stream gets."""
        config = self.described.get("config")
        return str(config.get("name")) if isinstance(config, Mapping) else ""


class Manifest(Frozen):
    """What a backup holds, and what made it."""

    format: Literal[1] = 1
    made_at: datetime = Field(default_factory=utc_now)
    version: str
    postgres: str
    nats: str
    migrations: int
    corpus_version: int
    corpus_date: date | None
    streams: Mapping[str, SavedStream]
    files: Mapping[str, File] = {}


def stream_file(name: str) -> str:
    """Return the name of a stream's snapshot in the backup."""
    return f"stream-{name}.snapshot"


def pack(folder: Path, manifest: Manifest, target: Path) -> Manifest:
    """Write the files in `folder` and their manifest to `target`, whole or not at all.

    `folder` is on the file system of `target`, and closed to others. Raises `BadArgument` when `target` exists.
    """
    files = sorted(folder.iterdir())
    whole = manifest.model_copy(update={"files": {file.name: _described(file) for file in files}})
    (folder / MANIFEST).write_text(whole.model_dump_json(indent=1), encoding="utf-8")
    part = folder / "whole.part"
    with os.fdopen(_made(part), "wb") as out:
        with tarfile.open(fileobj=out, mode="w") as tar:
            for file in (folder / MANIFEST, *files):
                tar.add(file, arcname=file.name)
        out.flush()
        os.fsync(out.fileno())
    try:
        os.close(_made(target))
    except FileExistsError as exc:
        raise BadArgument(f"{target} finnes alt. Velg et annet navn.") from exc
    part.replace(target)
    return whole


def _made(file: Path) -> int:
    """Make `file`, which its owner alone can read: it holds what people asked. Follows no link."""
    return os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)


def unpack(file: Path, folder: Path) -> Manifest:
    """Put the files of the backup in `folder` and return its manifest. Raises `BadArgument` unless it is whole."""
    damaged = BadArgument(f"{file} er ingen hel sikkerhetskopi fra Lovsvar, eller er endret. Bruk en annen.")
    try:
        with tarfile.open(file, mode="r:") as tar:
            first = tar.next()
            if first is None or first.name != MANIFEST or first.size > LARGEST_MANIFEST or not _is_plain(first):
                raise damaged
            source = tar.extractfile(first)
            manifest = Manifest.model_validate_json(source.read() if source else b"")
            missing = dict(manifest.files)
            if missing.keys() != {DATABASE, *(stream_file(name) for name in manifest.streams)}:
                raise damaged
            # Nothing is packed: what is not sparse takes no more room here than in the file.
            if sum(said.bytes for said in missing.values()) > file.stat().st_size:
                raise damaged
            while (member := tar.next()) is not None:
                said, content = missing.pop(member.name), tar.extractfile(member)
                if content is None or not _is_plain(member) or member.size != said.bytes:
                    raise damaged
                with (folder / member.name).open("xb") as out:
                    shutil.copyfileobj(content, out)
                if _described(folder / member.name) != said:
                    raise damaged
    except (tarfile.TarError, ValidationError, KeyError, EOFError) as exc:
        raise damaged from exc
    except OSError as exc:
        raise BadArgument(f"Kan ikke lese {file}: {exc.strerror or exc}.") from exc
    if missing:
        raise damaged
    return manifest


def _is_plain(member: tarfile.TarInfo) -> bool:
    return member.isreg() and not member.issparse()


def _described(file: Path) -> File:
    with file.open("rb") as content:
        return File(sha256=hashlib.file_digest(content, "sha256").hexdigest(), bytes=file.stat().st_size)
