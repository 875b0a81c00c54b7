"""What goes through the system, channel by channel: kept in files as it comes, and looked through afterwards."""

import asyncio
import contextlib
import struct
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import asyncpg
import nats
from nats.aio.msg import Msg
from nats.js.errors import NotFoundError

from lovsvar_testkit.personal_data.sightings import Secret, Watch

_SIZE = struct.Struct("!I")


@dataclass
class Looked:
    """What came of looking through one channel. `found` has an example of an entry for each secret."""

    entries: int = 0
    size: int = 0
    found: dict[Secret, str] = field(default_factory=dict)


class Taps:
    """Keeps what it sees in `folder`, a file for each channel. Any thread may show it something."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self._folder = folder
        self._lock = threading.Lock()
        self.counts: Counter[str] = Counter()

    def see(self, channel: str, *parts: bytes | str) -> None:
        """Keep one entry of a channel; what is no text is a part of its own."""
        with self._lock, (self._folder / f"{channel}.seen").open("ab") as file:
            self.counts[channel] += 1
            for part in parts:
                written = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
                file.write(_SIZE.pack(len(written)) + written)

    def seen(self, channel: str) -> Iterator[bytes]:
        """Yield what was kept of a channel."""
        if not self.counts[channel]:
            return
        with (self._folder / f"{channel}.seen").open("rb") as file:
            while head := file.read(_SIZE.size):
                yield file.read(_SIZE.unpack(head)[0])

    def looked_through(self, channel: str, watch: Watch) -> Looked:
        """Look through what was kept of a channel."""
        looked = Looked(entries=self.counts[channel])
        for part in self.seen(channel):
            looked.size += len(part)
            for secret in watch.sightings(part) - looked.found.keys():
                looked.found[secret] = part.decode("utf-8", "replace")
        return looked


@contextlib.contextmanager
def listening(nats_url: str, taps: Taps) -> Iterator[None]:
    """Hear every message that is sent while the block runs, requests and replies and JetStream's own among them."""
    loop, ready, over = asyncio.new_event_loop(), threading.Event(), asyncio.Event()

    async def hear(message: Msg) -> None:
        headers = "\n".join(f"{name}: {value}" for name, value in (message.headers or {}).items())
        taps.see("NATS messages", f"{message.subject}\n{headers}", message.data)

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
                    taps.see(channel, f"{found.subject}\n{headers}", found.data or b"")
    finally:
        await connection.close()


async def see_rows(database_url: str, see: Callable[[Sequence[bytes | str]], object]) -> None:
    """Let `see` see every row of every table but PostgreSQL's own: its text, and each value that is bytes."""
    connection = await asyncpg.connect(database_url)
    try:
        tables = await connection.fetch(
            "SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables"
            " WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')"
        )
        for table in tables:
            async with connection.transaction():
                async for row in connection.cursor(f"SELECT * FROM {table['name']}"):  # noqa: S608
                    see(tuple(_parts(row)))
    finally:
        await connection.close()


def _parts(row: Any) -> Iterator[bytes | str]:
    yield "\n".join(str(value) for value in row.values() if not isinstance(value, bytes))
    yield from (value for value in row.values() if isinstance(value, bytes))


def see_logs(folder: Path, taps: Taps) -> None:
    """See every line that the services, the nats-server and PostgreSQL have written."""
    for log in sorted(folder.glob("*.log")):
        with log.open("rb") as lines:
            for line in lines:
                taps.see("logs", line)
