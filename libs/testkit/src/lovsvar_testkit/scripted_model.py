"""A server that speaks the chat-completions wire format from a script: replies in order, one for each request.

A script is a list of replies in YAML. Each is one of:

    calls: [{search_lovdata_legal_documents: {query: pant}}]    tools are called, in parallel
    final: {answer: "…", citations: [[lovdata-1, "…"]]}         the last tool is called
    json:  {answer: "…", citations: [[lovdata-1, "…"]]}         the same as text
    text:  "…"                                                  plain words
    bytes: b"…"                                                 a body as it stands, many times with `times`
    raw:   [{…}, …]                                             chunks as they stand
    status: 429                                                 an HTTP error, with `headers` if there are any

and may have, besides: `split: 1` (bytes to a write), `size: 4` (characters to a delta), `usage: [100, 20]` or
`usage: none`, `ids: none|same`, `index: none|zero`, `finish: length`, `before: "words"` (said before JSON or calls),
`cut: 120` (bytes of body after which the connection is cut), `stall: 120` (bytes after which nothing more comes),
`hold: 120` (bytes after which it waits for `let_go()`), `quiet: 0.5` (seconds before the reply),
`error: {message: …}` (an error object in the stream, after the content), `refusal: "Nei"` (in place of an answer),
`thoughts: "…"` (what the model thinks, in the field of its server), `whole: true` (one object in place of a stream),
`invalid: true` (bytes that are no text, in the middle of a word).
`arguments: "…"` beside a call's name gives arguments as they stand: `calls: [{name: x, arguments: "{brok"}]`.

When the script has ended, its last reply is given again if it has `repeat: true`; else the request is an error, which
`ScriptedModel.overrun` counts. Requests are kept in `requests`, and in `left` those whose client left before the end;
`seconds` is how long all replies took, from a request's arrival to the last byte.
"""

import asyncio
import contextlib
import json
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from typing import Any

from lovsvar_testkit.model_replies import Reply, read_by_model
from lovsvar_testkit.provider_styles import PLAIN, Style

Choose = Callable[[dict[str, Any], int], Reply]


class ScriptedModel:
    """The server. `script` is a list of replies, or a function of the request and its number from 0.

    `style` is whose server it imitates: what that refuses, and how it writes the replies.
    """

    def __init__(self, script: list[Reply] | Choose, style: Style = PLAIN) -> None:
        self.requests: list[dict[str, Any]] = []
        self.left: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.seconds = 0.0
        self.overrun = 0
        self.connections = 0
        self.gone = asyncio.Event()
        self.asked = asyncio.Event()
        self.url = ""
        self._script = script
        self._style = style
        self._given = 0
        self._open: dict[asyncio.StreamWriter, asyncio.Task[None] | None] = {}
        self._changed = threading.Condition()
        self._free = threading.Event()

    @contextlib.asynccontextmanager
    async def serving(self) -> AsyncIterator["ScriptedModel"]:
        """Serve on a free port of this machine while the block runs."""
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}{self._style.base}"
        try:
            yield self
        finally:
            self.let_go()
            server.close()
            tasks = [task for task in self._open.values() if task]
            for writer in self._open:
                writer.transport.abort()
            await asyncio.gather(*tasks, return_exceptions=True)

    def wait_for(self, wanted: Callable[[], bool], timeout: float = 20.0) -> None:
        """Return when requests or departures bring what is `wanted`; from another thread. Raises `TimeoutError`."""
        with self._changed:
            if not self._changed.wait_for(wanted, timeout):
                raise TimeoutError(f"did not happen with {len(self.requests)} requests, {len(self.left)} of them left")

    def hold_on(self) -> None:
        """Make replies with `hold` wait from now on."""
        self._free.clear()

    def let_go(self) -> None:
        """Let replies with `hold` go on, those that wait and those to come. Call it in any thread."""
        self._free.set()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open[writer] = asyncio.current_task()
        self.connections += 1
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            while await self._answer(reader, writer):
                pass
        writer.close()
        del self._open[writer]

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        headers = {k.lower(): v for k, _, v in (line.partition(": ") for line in head.split("\r\n")[1:])}
        body = json.loads(await reader.readexactly(int(headers.get("content-length", 0))))
        self.headers.append(headers)
        with self._changed:
            self.requests.append(body)
            self._changed.notify_all()
        self.asked.set()
        began = time.perf_counter()
        path = head.split(" ")[1]
        try:
            if message := self._style.fault(path, headers, body):
                return await self._refuse(writer, {"status": self._style.fault_status, "message": message})
            return await self._reply(reader, writer, body)
        finally:
            self.seconds += time.perf_counter() - began

    async def _reply(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, body: dict[str, Any]) -> bool:
        reply = self._next(body)
        await self._quietly(reader, float(reply.get("quiet", 0)), body)
        if "status" in reply:
            return await self._refuse(writer, reply)
        kind = "application/json" if reply.get("whole") else "text/event-stream"
        more = "".join(f"{k}: {v}\r\n" for k, v in reply.get("headers", {}).items())
        writer.write(f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nTransfer-Encoding: chunked\r\n{more}\r\n".encode())
        return await self._stream(reader, writer, reply, body)

    def _next(self, body: dict[str, Any]) -> Reply:
        number, self._given = self._given, self._given + 1
        if callable(self._script):
            return self._script(body, number)
        if number < len(self._script):
            return self._script[number]
        if self._script and self._script[-1].get("repeat"):
            return self._script[-1]
        self.overrun += 1
        return {"status": 418}

    async def _refuse(self, writer: asyncio.StreamWriter, reply: Reply) -> bool:
        message = reply.get("message", "no")
        body = json.dumps({"error": {"message": message, "type": "x"}}).encode()
        more = "".join(f"{k}: {v}\r\n" for k, v in reply.get("headers", {}).items())
        fixed = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        writer.write(f"HTTP/1.1 {reply['status']} X\r\n{fixed}{more}\r\n".encode() + body)
        await writer.drain()
        return True

    async def _stream(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, reply: Reply, asked: dict[str, Any]
    ) -> bool:
        data = reply.get("bytes") or self._style.body(reply, asked)
        end = min(int(reply.get("cut") or reply.get("stall") or len(data)), len(data))
        held = min(int(reply.get("hold", end)), end)
        step = int(reply.get("split", 0)) or len(data)
        for begin, stop in ((0, held), (held, end)) * int(reply.get("times", 1)):
            if begin < stop and begin:
                await asyncio.to_thread(self._free.wait)
            for at in range(begin, stop, step):
                piece = data[at : min(at + step, stop)]
                writer.write(b"%x\r\n%s\r\n" % (len(piece), piece))
                await writer.drain()
        if "stall" in reply:
            await self._quietly(reader, 3600, asked)
        if "cut" in reply:
            writer.transport.abort()
            return False
        writer.write(b"0\r\n\r\n")
        await writer.drain()
        return True

    async def _quietly(self, reader: asyncio.StreamReader, seconds: float, asked: dict[str, Any]) -> None:
        """Be silent for `seconds`, and notice a client that leaves meanwhile."""
        if not seconds:
            return
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                if not await reader.read(1):
                    with self._changed:
                        self.left.append(asked)
                        self._changed.notify_all()
                    self.gone.set()
                    raise ConnectionResetError


class ByQuestion:
    """A script for each question: a request gets the next reply of the one that its conversation is about.

    Its quotes get the ids that their sources have in the conversation.
    """

    def __init__(self, scripts: Mapping[str, list[Reply]]) -> None:
        self._scripts = scripts
        self._given: Counter[str] = Counter()

    def __call__(self, body: dict[str, Any], _: int) -> Reply:
        """Return the next reply; beyond the script's end it is an error, unless the last one repeats."""
        question = question_of(body)
        script, number = self._scripts.get(question, []), self._given[question]
        self._given[question] += 1
        if number < len(script):
            return read_by_model(script[number], body)
        return script[-1] if script and script[-1].get("repeat") else {"status": 418}


def question_of(body: dict[str, Any]) -> str:
    """Return what the user asked in a request, without the context that may stand before it."""
    first = str(next(m["content"] for m in body["messages"] if m["role"] == "user"))
    return first.rpartition("Spørsmålet er:\n\n")[2]


@contextlib.contextmanager
def standing_in_for_model(script: list[Reply] | Choose) -> Iterator[ScriptedModel]:
    """Run the server in a thread of its own, for tests without an event loop."""
    model = ScriptedModel(script)
    ready = threading.Event()
    ended = asyncio.Event()
    loop = asyncio.new_event_loop()

    async def serve() -> None:
        async with model.serving():
            ready.set()
            await ended.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),), daemon=True)
    thread.start()
    ready.wait()
    try:
        yield model
    finally:
        loop.call_soon_threadsafe(ended.set)
        thread.join()
        loop.close()
