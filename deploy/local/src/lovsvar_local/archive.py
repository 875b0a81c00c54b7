"""The file of a backup: a tar of both stores' own dumps, and a manifest of what each is and what it hashes to."""

import hashlib
import os
import re
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
    bytes: int


class SavedStream(Frozen):
    """A stream of the backup: how it was kept, and how much it held."""

    messages: int
    last_sequence: int
    described: Mapping[str, Any]


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
    """Write the files in `folder` and their manifest to `target`, which is there whole or not at all."""
    files = sorted(folder.iterdir())
    whole = manifest.model_copy(update={"files": {file.name: _described(file) for file in files}})
    (folder / MANIFEST).write_text(whole.model_dump_json(indent=1), encoding="utf-8")
    part = target.with_name(f".{target.name}.part")
    # Its owner alone can read it: it holds what people asked.
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as out:
        with tarfile.open(fileobj=out, mode="w") as tar:
            for file in (folder / MANIFEST, *files):
                tar.add(file, arcname=file.name)
        out.flush()
        os.fsync(out.fileno())
    part.replace(target)
    return whole


def unpack(file: Path, folder: Path) -> Manifest:
    """Put the files of the backup in `folder` and return its manifest.

    Raises `BadArgument` when it is no backup, or any of it is missing or was changed.
    """
    damaged = BadArgument(f"{file} er ingen hel sikkerhetskopi fra Lovsvar, eller er endret. Bruk en annen.")
    try:
        with tarfile.open(file, mode="r:") as tar:
            first = tar.next()
            if first is None or first.name != MANIFEST or first.size > LARGEST_MANIFEST:
                raise damaged
            source = tar.extractfile(first)
            manifest = Manifest.model_validate_json(source.read() if source else b"")
            for name, said in manifest.files.items():
                member = tar.extractfile(name) if re.fullmatch(r"[\w.-]+", name) else None
                if member is None:
                    raise damaged
                with (folder / name).open("wb") as out:
                    shutil.copyfileobj(member, out)
                if _described(folder / name) != said:
                    raise damaged
    except (tarfile.TarError, ValidationError, KeyError, EOFError) as exc:
        raise damaged from exc
    except OSError as exc:
        raise BadArgument(f"Kan ikke lese {file}: {exc.strerror or exc}.") from exc
    if {DATABASE, *(stream_file(name) for name in manifest.streams)} - manifest.files.keys():
        raise damaged
    return manifest


def _described(file: Path) -> File:
    with file.open("rb") as content:
        return File(sha256=hashlib.file_digest(content, "sha256").hexdigest(), bytes=file.stat().st_size)
