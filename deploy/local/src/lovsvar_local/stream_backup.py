"""JetStream's own snapshots of streams in use, with their sequences, times and consumers."""

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nats.aio.client import Client
from nats.errors import Error as NatsError
from nats.js.errors import NotFoundError

from lovsvar_local.errors import NotDone

CHUNK = 128 * 1024
SILENCE_SECONDS = 30.0
"""How long the server may send nothing, or not answer."""

Description = Mapping[str, Any]
"""A stream's configuration and state, as the server writes them."""


async def save_stream(connection: Client, name: str, file: Path) -> Description | None:
    """Write a snapshot of the stream to `file` and return its description, None if there is none. Raises `NotDone`."""
    inbox = connection.new_inbox()
    subscription = await connection.subscribe(inbox, pending_msgs_limit=-1, pending_bytes_limit=-1)
    try:
        wish = {"deliver_subject": inbox, "no_consumers": False, "chunk_size": CHUNK, "jsck": True}
        described = await _ask(connection, f"$JS.API.STREAM.SNAPSHOT.{name}", wish)
        if described.get("error", {}).get("code") == 404:
            return None
        _checked(described, name)
        with file.open("wb") as out:
            while (message := await subscription.next_msg(timeout=SILENCE_SECONDS)).data:
                await asyncio.to_thread(out.write, message.data)
                if message.reply:
                    await connection.publish(message.reply, b"")
        # The empty message says whether this is the end, or the server broke off.
        if (status := (message.headers or {}).get("Status", "204")) not in {"204", "200"}:
            raise NotDone(f"Strømmen {name} kunne ikke kopieres: NATS avbrøt med {status}.")
    except (NatsError, OSError, TimeoutError) as exc:
        raise NotDone(f"Strømmen {name} kunne ikke kopieres: {exc!r}.") from exc
    finally:
        await subscription.unsubscribe()
    return {"config": described["config"], "state": described["state"]}


async def restore_stream(connection: Client, name: str, described: Description, file: Path) -> int:
    """Make the stream, which must not exist, from its snapshot; return how many messages it has. Raises `NotDone`."""
    try:
        begun = _checked(await _ask(connection, f"$JS.API.STREAM.RESTORE.{name}", described), name)
        target = begun["deliver_subject"]
        with file.open("rb") as source:
            while chunk := await asyncio.to_thread(source.read, CHUNK):
                answer = await connection.request(target, chunk, timeout=SILENCE_SECONDS)
                _checked(json.loads(answer.data or b"{}"), name)
        done = await connection.request(target, b"", timeout=SILENCE_SECONDS)
        return int(_checked(json.loads(done.data), name)["state"]["messages"])
    except (NatsError, OSError, TimeoutError, KeyError, ValueError) as exc:
        raise NotDone(f"Strømmen {name} kunne ikke gjenopprettes: {exc!r}.") from exc


async def messages_in(connection: Client, name: str) -> int | None:
    """Return how many messages the stream has; None when there is no such stream."""
    try:
        return (await connection.jetstream().stream_info(name)).state.messages
    except NotFoundError:
        return None


async def _ask(connection: Client, subject: str, request: Mapping[str, Any]) -> dict[str, Any]:
    answer = await connection.request(subject, json.dumps(request).encode(), timeout=SILENCE_SECONDS)
    return dict(json.loads(answer.data))


def _checked(answered: dict[str, Any], name: str) -> dict[str, Any]:
    if error := answered.get("error"):
        raise NotDone(f"NATS svarte om strømmen {name}: {error.get('description', error)}.")
    return answered
