"""What goes through the system, channel by channel: kept in files as it comes, and looked through afterwards."""

import asyncio
import contextlib
import functools
import hashlib
import itertools
import multiprocessing
import os
import struct
import threading
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import asyncpg
import nats
from nats.aio.msg import Msg
from nats.js.errors import NotFoundError

from lovsvar_testkit.personal_data.made_cases import MARK, number_of
from lovsvar_testkit.personal_data.sightings import Secret, Watch

_SIZE = struct.Struct("!I")
APART = b"\n;\n"
"""What stands between texts that have nothing to do with one another, so that no name is read across."""

ROWS = 200
"""Rows that are seen at once."""


MUCH = 64_000_000
"""Bytes from which on it is worth while to start processes that look through them."""

Row = Sequence[bytes | str]


@dataclass
class Looked:
    """What came of looking through a channel: `found` has an example of an entry for each secret.

    `read` are the marks of texts that it held, `of_cases` what was found in the entries of each case, by its number.
    """

    size: int = 0
    found: dict[Secret, str] = field(default_factory=dict)
    read: set[str] = field(default_factory=set)
    of_cases: dict[int, set[Secret]] = field(default_factory=dict)

    def look(self, part: bytes, watch: Watch) -> None:
        """Look through one more part of an entry."""
        self.size += len(part)
        seen, text = watch.sightings(part), part.decode("utf-8", "replace")
        self.found |= dict.fromkeys(seen - self.found.keys(), text)
        marks = list(MARK.finditer(text))
        self.read.update(mark[0] for mark in marks)
        for number in {number_of(mark[1]) for mark in marks}:
            self.of_cases.setdefault(number, set()).update(seen)

    def add(self, other: "Looked") -> None:
        """Add what another has looked through."""
        self.size += other.size
        self.found = other.found | self.found
        self.read |= other.read
        for number, seen in other.of_cases.items():
            self.of_cases.setdefault(number, set()).update(seen)


class Taps:
    """Keeps what it sees in `folder`, a file for each channel. Any thread may show it something.

    Nothing is looked through twice: what is sent or stored again and again is kept once, and each look goes on where
    the one before ended.
    """

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self._folder = folder
        self._lock = threading.Lock()
        self._kept: defaultdict[str, set[bytes]] = defaultdict(set)
        self._looked: defaultdict[str, Looked] = defaultdict(Looked)
        self._ends: Counter[str] = Counter()
        self.entries: Counter[str] = Counter()

    def see(self, channel: str, *entries: Sequence[bytes | str]) -> None:
        """Keep entries of a channel, each in parts; what is no text is looked through by itself."""
        texts: list[bytes] = []
        others: list[bytes] = []
        for part in itertools.chain(*entries):
            written = part.encode("utf-8", "replace") if isinstance(part, str) else part
            (texts if _is_text(written) else others).append(written)
        with self._lock, self._file(channel).open("ab") as file:
            self.entries[channel] += len(entries)
            for written in (APART.join(texts), *others):
                file.write(_SIZE.pack(len(written)) + written)

    def see_once(self, channel: str, *entries: Sequence[bytes | str]) -> None:
        """Keep entries of a channel that often has the same again: of their parts those that it has not had before."""
        self.see(channel, *[self._new(channel, entry) for entry in entries])

    def leave_out(self, channel: str, *entries: Sequence[bytes | str]) -> None:
        """Let `see_once` keep nothing of these entries: they were there before anything that is looked for."""
        for entry in entries:
            self._new(channel, entry)

    def _new(self, channel: str, entry: Sequence[bytes | str]) -> list[bytes | str]:
        """Return the parts of an entry that the channel has not had before, and note that it has had them."""
        digests = {_digest(part): part for part in entry}
        with self._lock:
            new = digests.keys() - self._kept[channel]
            self._kept[channel] |= new
        return [part for digest, part in digests.items() if digest in new]

    def looked_through(self, channels: Sequence[str], watch: Watch) -> dict[str, Looked]:
        """Look through what was kept of these channels, by all processors if it is much, and return what came of each.

        What was looked through before is not again: `watch` is the same each time.
        """
        kept = {channel: self._file(channel) for channel in channels if self.entries[channel]}
        much = sum(file.stat().st_size - self._ends[channel] for channel, file in kept.items()) > MUCH
        workers = (os.cpu_count() or 1) if much else 1
        pool = ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn")) if much else None
        with pool or contextlib.nullcontext():
            over = pool.map if pool else map
            for channel, file in kept.items():
                look = functools.partial(_look_through, file, self._ends[channel], watch, workers)
                for looked, self._ends[channel] in over(look, range(workers)):
                    self._looked[channel].add(looked)
        return {channel: self._looked[channel] for channel in channels}

    def _file(self, channel: str) -> Path:
        return self._folder / f"{channel}.seen"


def _digest(part: bytes | str) -> bytes:
    written = part.encode("utf-8", "replace") if isinstance(part, str) else part
    return hashlib.blake2b(written, digest_size=16).digest()


def _is_text(written: bytes) -> bool:
    try:
        written.decode()
    except UnicodeDecodeError:
        return False
    return True


def _look_through(file: Path, start: int, watch: Watch, workers: int, worker: int) -> tuple[Looked, int]:
    """Look through the share of one of so many workers from `start` on; return where the file ended, too."""
    looked, number = Looked(), 0
    with file.open("rb") as parts:
        parts.seek(start)
        while head := parts.read(_SIZE.size):
            (size,) = _SIZE.unpack(head)
            if number % workers == worker:
                looked.look(parts.read(size), watch)
            else:
                parts.seek(size, os.SEEK_CUR)
            number += 1
        return looked, parts.tell()


@contextlib.contextmanager
def listening(nats_url: str, taps: Taps) -> Iterator[None]:
    """Hear every message that is sent while the block runs, requests and replies and JetStream's own among them."""
    loop, ready, over = asyncio.new_event_loop(), threading.Event(), asyncio.Event()

    async def hear(message: Msg) -> None:
        headers = "\n".join(f"{name}: {value}" for name, value in (message.headers or {}).items())
        taps.see_once("NATS messages", (f"{message.subject}\n{headers}", message.data))

    async def listen() -> None:
        connection = await nats.connect(nats_url)
        await connection.subscribe(">", cb=hear, pending_msgs_limit=-1, pending_bytes_limit=-1)
        await connection.flush()
        ready.set()
        await over.wait()
        await connection.drain()

    thread = threading.Thread(target=loop.run_until_complete, args=(listen(),), daemon=True)
    thread.start()
    if not ready.wait(30):
        raise TimeoutError("nothing can be heard of NATS")
    try:
        yield
    finally:
        loop.call_soon_threadsafe(over.set)
        thread.join()
        loop.close()


async def see_streams(nats_url: str, taps: Taps) -> None:
    """See every message that is stored in any stream; those of the audit are a channel of their own."""
    connection = await nats.connect(nats_url)
    try:
        jetstream = connection.jetstream()
        for stream in await jetstream.streams_info():
            name = stream.config.name or ""
            channel = "audit" if name == "AUDIT" else "stored messages"
            for sequence in range(max(1, stream.state.first_seq), stream.state.last_seq + 1):
                with contextlib.suppress(NotFoundError):
                    found = await jetstream.get_msg(name, sequence)
                    headers = "\n".join(f"{key}: {value}" for key, value in (found.headers or {}).items())
                    taps.see_once(channel, (f"{found.subject}\n{headers}", found.data or b""))
    finally:
        await connection.close()


async def rows_of(database_url: str) -> AsyncIterator[list[Row]]:
    """Yield every row of every table but PostgreSQL's own, many at a time: its text, and each value that is bytes."""
    connection = await asyncpg.connect(database_url)
    try:
        tables = await connection.fetch(
            "SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables"
            " WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')"
        )
        for table in tables:
            async with connection.transaction():
                cursor = await connection.cursor(f"SELECT * FROM {table['name']}")  # noqa: S608
                while rows := await cursor.fetch(ROWS):
                    yield [tuple(_parts(row)) for row in rows]
    finally:
        await connection.close()


async def see_rows(database_url: str, taps: Taps) -> None:
    """See every row that is stored."""
    async for rows in rows_of(database_url):
        taps.see_once("database rows", *rows)


def _parts(row: Any) -> Iterator[bytes | str]:
    yield "\n".join(str(value) for value in row.values() if not isinstance(value, bytes))
    yield from (value for value in row.values() if isinstance(value, bytes))


def see_logs(folder: Path, taps: Taps) -> None:
    """See every line that the services, the nats-server and PostgreSQL have written."""
    for log in sorted(folder.glob("*.log")):
        with log.open("rb") as lines:
            taps.see_once("logs", *((line,) for line in lines))
