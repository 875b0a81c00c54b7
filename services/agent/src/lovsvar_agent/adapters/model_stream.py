"""Reading what a model's server sends, within bounds.

A server is as foreign as its model: what it sends may be no stream of events but one object, hold bytes that are no
text, a line without an end, or gzip that grows a thousandfold. What can be read is; what is too much is never held.
"""

import asyncio
import contextlib
import json
import zlib
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx2

MB = 1024 * 1024

MAX_BYTES = 32 * MB
"""Of one reply, decompressed; a reply of some thousand tokens takes about one."""

MAX_LINE = 1 * MB
"""Of one line, or of an object in place of a stream."""

PIECE = 64 * 1024
"""Bytes that are decompressed at once."""

REST_SECONDS = 0.1
"""How long the end of a reply is waited for after its last event."""

_WINDOWS = {"gzip": 31, "x-gzip": 31, "deflate": 15}
"""How zlib reads what a server may have compressed; only these are asked for."""

ACCEPTED = "gzip, deflate"

_NO_JSON = object()


class TooMuch(Exception):
    """A server sent more than any reply may be. Remedy: none; it is not read on."""


class Unreadable(Exception):
    """What a server sent is no JSON, or compressed in a way that was not asked for. Remedy: ask in another way."""


async def objects(response: httpx2.Response) -> AsyncIterator[Any]:
    """Yield the data of each event of a stream, or the one object that stands in its place.

    What is no text is replaced. Raises `TooMuch`, `Unreadable`, and what httpx2 raises.
    """
    pending, other, found = "", "", False
    lines = _lines(response)
    async for line in lines:
        field, _, value = line.partition(":")
        if field == "data" and value.strip() == "[DONE]":
            await _read_rest(lines)
            return
        if field == "data":
            pending = f"{pending}\n{value}" if pending else value
            if (one := _parsed(pending)) is not _NO_JSON:
                yield one
                pending, found = "", True
        elif pending and not line:
            raise Unreadable
        elif line.strip() and field not in ("event", "id", "retry", ""):
            other += line
        if len(pending) + len(other) > MAX_LINE:
            raise TooMuch
    if not found and other.strip():
        if (one := _parsed(other)) is _NO_JSON:
            raise Unreadable
        yield one
    elif pending.strip():
        raise Unreadable


async def beginning(response: httpx2.Response, most: int = PIECE) -> str:
    """Return the first `most` bytes of a response as text. Raises what httpx2 raises."""
    read = b""
    try:
        async for piece in _pieces(response):
            read += piece
            if len(read) >= most:
                break
    except Unreadable:
        pass
    return read[:most].decode(errors="replace")


async def _read_rest(lines: AsyncIterator[str]) -> None:
    """Read to the end, so that the connection serves the next request too; one that does not end soon is given up."""
    with contextlib.suppress(TimeoutError, httpx2.TransportError, TooMuch, Unreadable):
        async with asyncio.timeout(REST_SECONDS):
            async for _ in lines:
                pass


async def _lines(response: httpx2.Response) -> AsyncIterator[str]:
    buffer, total = bytearray(), 0
    async for piece in _pieces(response):
        total += len(piece)
        buffer += piece
        *whole, rest = buffer.split(b"\n")
        for line in whole:
            yield line.decode(errors="replace").rstrip("\r")
        buffer = rest
        if len(buffer) > MAX_LINE or total > MAX_BYTES:
            raise TooMuch
    yield buffer.decode(errors="replace")


async def _pieces(response: httpx2.Response) -> AsyncIterator[bytes]:
    coding = response.headers.get("content-encoding", "identity").strip().lower()
    if coding not in ("identity", "", *_WINDOWS):
        raise Unreadable
    decoder = zlib.decompressobj(_WINDOWS[coding]) if coding in _WINDOWS else None
    async for raw in response.aiter_raw():
        if decoder is None:
            yield raw
            continue
        for piece in _decompressed(decoder, raw):
            yield piece


def _decompressed(decoder: Any, raw: bytes) -> Iterator[bytes]:
    try:
        while raw and not decoder.eof:
            if piece := decoder.decompress(raw, PIECE):
                yield piece
            raw = decoder.unconsumed_tail
    except zlib.error as exc:
        raise Unreadable from exc


def _parsed(text: str) -> Any:
    """Return the value that `text` is JSON of."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return _NO_JSON
