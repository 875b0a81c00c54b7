"""A server that speaks the chat-completions wire format from a script: replies in order, one for each request.

A script is a list of replies in YAML. Each is one of:

    calls: [{search_lovdata_legal_documents: {query: pant}}]    tools are called, in parallel
    final: {answer: "…", citations: [[lovdata-1, "…"]]}         the last tool is called
    json:  {answer: "…", citations: [[lovdata-1, "…"]]}         the same as text
    text:  "…"                                                  plain words
    raw:   [{…}, …]                                             chunks as they stand
    status: 429                                                 an HTTP error, with `headers` if there are any

and may have, besides: `split: 1` (bytes to a write), `size: 4` (characters to a delta), `usage: [100, 20]` or
`usage: none`, `ids: none|same`, `index: none|zero`, `finish: length`, `before: "words"` (said before JSON or calls),
`cut: 120` (bytes of body after which the connection is cut), `stall: 120` (bytes after which nothing more comes),
`hold: 120` (bytes after which it waits for `let_go()`), `quiet: 0.5` (seconds before the reply),
`error: {message: …}` (an error object in the stream, after the content).
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

ANSWER = "sammenstill_svar"
Reply = dict[str, Any]
Choose = Callable[[dict[str, Any], int], Reply]


class ScriptedModel:
    """The server. `script` is a list of replies, or a function of the request and its number from 0."""

    def __init__(self, script: list[Reply] | Choose) -> None:
        self.requests: list[dict[str, Any]] = []
        self.left: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.seconds = 0.0
        self.overrun = 0
        self.gone = asyncio.Event()
        self.asked = asyncio.Event()
        self.url = ""
        self._script = script
        self._open: dict[asyncio.StreamWriter, asyncio.Task[None] | None] = {}
        self._changed = threading.Condition()
        self._free = threading.Event()

    @contextlib.asynccontextmanager
    async def serving(self) -> AsyncIterator["ScriptedModel"]:
        """Serve on a free port of this machine while the block runs."""
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
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
        try:
            return await self._reply(reader, writer, body)
        finally:
            self.seconds += time.perf_counter() - began

    async def _reply(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, body: dict[str, Any]) -> bool:
        reply = self._next(body)
        await self._quietly(reader, float(reply.get("quiet", 0)), body)
        if "status" in reply:
            return await self._refuse(writer, reply)
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
        return await self._stream(reader, writer, reply, body)

    def _next(self, body: dict[str, Any]) -> Reply:
        number = len(self.requests) - 1
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
        body = "".join(f"data: {json.dumps(c, ensure_ascii=False)}\n\n" for c in chunks_of(reply))
        if "error" in reply:
            body += f"data: {json.dumps({'error': reply['error']})}\n\n"
        data = (body + "data: [DONE]\n\n").encode()
        end = min(int(reply.get("cut") or reply.get("stall") or len(data)), len(data))
        held = min(int(reply.get("hold", end)), end)
        step = int(reply.get("split", 0)) or len(data)
        for begin, stop in ((0, held), (held, end)):
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
    """A script for each question: a request gets the next reply of the one that its conversation is about."""

    def __init__(self, scripts: Mapping[str, list[Reply]]) -> None:
        self._scripts = scripts
        self._given: Counter[str] = Counter()

    def __call__(self, body: dict[str, Any], _: int) -> Reply:
        """Return the next reply; beyond the script's end it is an error, unless the last one repeats."""
        question = question_of(body)
        script, number = self._scripts.get(question, []), self._given[question]
        self._given[question] += 1
        if number < len(script):
            return script[number]
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


def chunks_of(reply: Reply) -> list[dict[str, Any]]:
    """Return the chunks of a reply, usage last."""
    if "raw" in reply:
        return list(reply["raw"])
    size = reply.get("size", 12)
    chunks = [_chunk({"role": "assistant", "content": part}) for part in _cut(_text_of(reply), size)]
    calls = _calls_of(reply)
    for index, (name, arguments) in enumerate(calls):
        place: dict[str, Any] = {"index": index, "id": f"id-{index}", "type": "function"}
        if reply.get("ids") in ("none", "same"):
            place.pop("id")
        if reply.get("ids") == "same":
            place["id"] = "same"
        if reply.get("index") == "none":
            place.pop("index")
        if reply.get("index") == "zero":
            place["index"] = 0
        chunks.append(_chunk({"tool_calls": [{**place, "function": {"name": name, "arguments": ""}}]}))
        again = {k: v for k, v in place.items() if k == "index"}
        chunks += [_chunk({"tool_calls": [{**again, "function": {"arguments": p}}]}) for p in _cut(arguments, size)]
    chunks.append(_chunk({}, reply.get("finish", "tool_calls" if calls else "stop")))
    usage = reply.get("usage", [100, 20])
    if usage != "none":
        counted = {"prompt_tokens": usage[0], "completion_tokens": usage[1], "total_tokens": sum(usage)}
        chunks.append({**_chunk({}), "choices": [], "usage": counted})
    return chunks


def final_json(final: dict[str, Any]) -> str:
    """Return the structured answer that a script writes in short."""
    citations = [{"evidenceId": i, "quote": q} for i, q in final.get("citations", [])]
    insufficient = final.get("insufficient", False)
    value = {"answer": final["answer"], "citations": citations, "insufficient": insufficient}
    return json.dumps({**value, "missing": final.get("missing", "")}, ensure_ascii=False)


def _text_of(reply: Reply) -> str:
    text = str(reply.get("before", ""))
    if "json" in reply:
        text += final_json(reply["json"])
    return text + str(reply.get("text", ""))


def _calls_of(reply: Reply) -> list[tuple[str, str]]:
    if "final" in reply:
        return [(ANSWER, final_json(reply["final"]))]
    calls = []
    for call in reply.get("calls", []):
        if "name" in call:
            calls.append((call["name"], call["arguments"]))
        else:
            ((name, arguments),) = call.items()
            calls.append((name, json.dumps(arguments, ensure_ascii=False)))
    return calls


def _cut(text: str, size: int) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]


def _chunk(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return {"id": "x", "object": "chat.completion.chunk", "created": 0, "model": "scripted", "choices": [choice]}
