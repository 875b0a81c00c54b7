"""How the servers of language models differ, as a scripted model imitates them.

A style refuses what its server refuses, and writes a reply as its server does. Written from the providers' own
documentation, not from the code that is tested against it.
"""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from lovsvar_testkit.model_replies import Reply, calls_of, chunk, chunks_of, cut, text_of

Body = Mapping[str, Any]


class Style:
    """A server that takes everything and speaks plain chat completions. `base` is the path of its base URL."""

    base = "/v1"
    path = "/v1/chat/completions"
    key = ("authorization", "Bearer k")
    fault_status = 400
    thoughts = "reasoning_content"
    unknown: frozenset[str] = frozenset()
    finishes: Mapping[str, str] = {}

    def fault(self, path: str, headers: Mapping[str, str], body: Body) -> str:
        """Return what the server says to a request that it does not take; nothing when it does."""
        return ""

    def body(self, reply: Reply, asked: Body) -> bytes:
        """Return the bytes of a reply."""
        if reply.get("whole"):
            return json.dumps(self.whole(reply, asked), ensure_ascii=False, indent=1).encode()
        text = "".join(f"data: {json.dumps(c, ensure_ascii=False)}\n\n" for c in self.chunks(reply, asked))
        if "error" in reply:
            text += f"data: {json.dumps({'error': reply['error']})}\n\n"
        data = (text + "data: [DONE]\n\n").encode()
        return data.replace("å".encode(), b"\xc3") if reply.get("invalid") else data

    def chunks(self, reply: Reply, asked: Body) -> list[dict[str, Any]]:
        """Return the chunks of a reply in this style."""
        made = chunks_of(reply)
        if reply.get("thoughts"):
            made = [chunk({self.thoughts: part}) for part in cut(reply["thoughts"], 12)] + made
        if reply.get("refusal"):
            made.insert(0, chunk({"role": "assistant", "refusal": reply["refusal"]}))
        for one in made:
            for choice in one.get("choices", ()):
                choice["finish_reason"] = self.finishes.get(choice["finish_reason"], choice["finish_reason"])
        return made

    def whole(self, reply: Reply, asked: Body) -> dict[str, Any]:
        """Return a reply as one object."""
        calls = [
            {"id": f"id-{n}", "type": "function", "function": {"name": name, "arguments": arguments}}
            for n, (name, arguments) in enumerate(calls_of(reply))
        ]
        message = {"role": "assistant", "content": text_of(reply) or None, "refusal": reply.get("refusal")}
        message |= {"tool_calls": calls} if calls else {}
        message |= {self.thoughts: reply["thoughts"]} if reply.get("thoughts") else {}
        reason = str(reply.get("finish", "tool_calls" if calls else "stop"))
        read, written = reply.get("usage", [100, 20])
        return {
            "object": "chat.completion",
            "choices": [{"index": 0, "message": message, "finish_reason": self.finishes.get(reason, reason)}],
            "usage": {"prompt_tokens": read, "completion_tokens": written},
        }


PLAIN = Style()


class Strict(Style):
    """What the styles below share: the address, the key, and fields that they know or not."""

    def fault(self, path: str, headers: Mapping[str, str], body: Body) -> str:
        """Refuse a wrong address, a wrong key, and unknown fields."""
        name, value = self.key
        if path != self.path:
            return f"no such path: {path}"
        if headers.get(name) != value:
            return "no key"
        if unknown := self.unknown & body.keys():
            return f"Unsupported parameter: {', '.join(sorted(unknown))}"
        if "tool_choice" in body and not body.get("tools"):
            return "'tool_choice' is only allowed when 'tools' are specified"
        return self.own_fault(body)

    def own_fault(self, body: Body) -> str:
        """Refuse what this server alone refuses."""
        return ""

    def chunks(self, reply: Reply, asked: Body) -> list[dict[str, Any]]:
        """Count tokens when the request asks for it."""
        made = super().chunks(reply, asked)
        wanted = (asked.get("stream_options") or {}).get("include_usage")
        return made if wanted else [c for c in made if "usage" not in c]


class OpenAI(Strict):
    """api.openai.com: strict schemas must be closed and require every field."""

    unknown = frozenset({"max_tokens", "random_seed"})

    def own_fault(self, body: Body) -> str:
        """Refuse a strict schema that is open."""
        wanted = body.get("response_format") or {}
        schema = (wanted.get("json_schema") or {}).get("schema") or {}
        if (wanted.get("json_schema") or {}).get("strict") and any(not _is_closed(s) for s in _objects(schema)):
            return "Invalid schema for response_format: 'additionalProperties' is required to be false"
        return ""


class Azure(OpenAI):
    """A deployment at Azure: an address of its own, a filter that speaks first and may end a reply."""

    base = ""
    path = "/openai/deployments/m/chat/completions?api-version=2024-10-21"
    key = ("api-key", "k")

    def chunks(self, reply: Reply, asked: Body) -> list[dict[str, Any]]:
        """Begin with what the filter found; a refusal is its finish reason."""
        first: dict[str, Any] = {"choices": [], "prompt_filter_results": [{"prompt_index": 0}]}
        if reply.get("refusal"):
            return [first, chunk({}, "content_filter")]
        return [first, *super().chunks(reply, asked)]

    def whole(self, reply: Reply, asked: Body) -> dict[str, Any]:
        """Return a reply as one object; a refusal is its finish reason."""
        made = super().whole(reply, asked)
        if reply.get("refusal"):
            made["choices"] = [{"index": 0, "message": {"role": "assistant"}, "finish_reason": "content_filter"}]
        return made


class Mistral(Strict):
    """api.mistral.ai: unknown fields are refused, ids have nine letters and digits, thoughts are parts of content."""

    fault_status = 422
    unknown = frozenset({"stream_options", "max_completion_tokens", "seed"})
    finishes: Mapping[str, str] = {"length": "model_length"}

    def own_fault(self, body: Body) -> str:
        """Refuse ids of another form."""
        ids = [m["tool_call_id"] for m in body["messages"] if m["role"] == "tool"]
        return (
            "" if all(re.fullmatch("[a-zA-Z0-9]{9}", i) for i in ids) else "Tool call id must be a-z, A-Z, 0-9, 9 long"
        )

    def chunks(self, reply: Reply, asked: Body) -> list[dict[str, Any]]:
        """Count tokens always; thoughts are a part of the content."""
        made = Style.chunks(self, {k: v for k, v in reply.items() if k != "thoughts"}, asked)
        if thoughts := reply.get("thoughts"):
            part = {"type": "thinking", "thinking": [{"type": "text", "text": thoughts}]}
            made.insert(0, chunk({"role": "assistant", "content": [part]}))
        return made


class Ollama(Strict):
    """Ollama: calls come whole, every one numbered 0; a choice of tools is not known and not refused."""

    thoughts = "reasoning"
    unknown = frozenset()

    def chunks(self, reply: Reply, asked: Body) -> list[dict[str, Any]]:
        """Write each call in one chunk."""
        return super().chunks({"index": "zero", "size": 10_000, **reply}, asked)


class LlamaCpp(Strict):
    """llama.cpp's server: tools and a schema exclude each other, and a history of calls may not be readable at all."""

    def own_fault(self, body: Body) -> str:
        """Refuse tools together with a schema."""
        if body.get("tools") and body.get("response_format"):
            return "Cannot use custom grammar constraints with tools."
        return ""


class VLLM(Strict):
    """vLLM's server."""

    thoughts = "reasoning"


class NeedsTools(Strict):
    """A server, as some gateways to other models are, that refuses a history of calls without the tools."""

    def own_fault(self, body: Body) -> str:
        """Refuse results of tools that the request does not name, and a schema."""
        if any(m["role"] == "tool" for m in body["messages"]) and not body.get("tools"):
            return "Requests which include tool results must define tools"
        return "response_format is not supported" if "response_format" in body else ""


class Anthropic(Style):
    """api.anthropic.com/v1/messages: another wire format altogether."""

    base = ""
    path = "/v1/messages"
    key = ("x-api-key", "k")
    known = frozenset({"model", "messages", "system", "max_tokens", "stream", "tools", "tool_choice", "temperature"})
    finishes: Mapping[str, str] = {"stop": "end_turn", "length": "max_tokens", "tool_calls": "tool_use"}

    def fault(self, path: str, headers: Mapping[str, str], body: Body) -> str:
        """Refuse what the API refuses: sides that do not take turns, results without their calls, no tools."""
        if path != self.path or headers.get("x-api-key") != "k" or "anthropic-version" not in headers:
            return "no such path, no key or no version"
        if unknown := body.keys() - self.known:
            return f"{', '.join(sorted(unknown))}: Extra inputs are not permitted"
        if "max_tokens" not in body:
            return "max_tokens: Field required"
        roles = [m["role"] for m in body["messages"]]
        if roles != (["user", "assistant"] * len(roles))[: len(roles)]:
            return "messages: roles must alternate, beginning with user"
        return _tool_fault(body)

    def body(self, reply: Reply, asked: Body) -> bytes:
        """Return the bytes of a reply: named events, or one message."""
        if reply.get("whole"):
            return json.dumps(self.message(reply), ensure_ascii=False).encode()
        events = self.events(reply)
        if "error" in reply:
            events.append({"type": "error", "error": reply["error"]})
        return "".join(f"event: {e['type']}\ndata: {json.dumps(e, ensure_ascii=False)}\n\n" for e in events).encode()

    def message(self, reply: Reply) -> dict[str, Any]:
        """Return a reply as one message."""
        blocks = self._blocks(reply)
        read, written = reply.get("usage", [100, 20])
        usage = {"input_tokens": read - 10, "cache_read_input_tokens": 10, "output_tokens": written}
        return {
            "type": "message",
            "role": "assistant",
            "content": blocks,
            "stop_reason": self._reason(reply),
            "usage": usage,
        }

    def events(self, reply: Reply) -> list[dict[str, Any]]:
        """Return a reply as events."""
        read, written = reply.get("usage", [100, 20])
        usage = {"input_tokens": read - 10, "cache_read_input_tokens": 10, "output_tokens": 1}
        events: list[dict[str, Any]] = [{"type": "message_start", "message": {"usage": usage}}, {"type": "ping"}]
        for index, block in enumerate(self._blocks(reply)):
            events += _block_events(index, block)
        delta = {"stop_reason": self._reason(reply)}
        ended = {"type": "message_delta", "delta": delta, "usage": {"output_tokens": written}}
        return [*events, ended, {"type": "message_stop"}]

    def _reason(self, reply: Reply) -> str:
        if reply.get("refusal"):
            return "refusal"
        reason = str(reply.get("finish", "tool_calls" if calls_of(reply) else "stop"))
        return self.finishes.get(reason, reason)

    def _blocks(self, reply: Reply) -> list[dict[str, Any]]:
        blocks = [{"type": "thinking", "thinking": reply["thoughts"]}] if reply.get("thoughts") else []
        blocks += [{"type": "text", "text": text}] if (text := text_of(reply)) else []
        return blocks + [
            {"type": "tool_use", "id": f"toolu_{n}", "name": name, "input": json.loads(arguments)}
            for n, (name, arguments) in enumerate(calls_of(reply))
        ]


STYLES: Mapping[str, Style] = {
    "openai": OpenAI(),
    "azure": Azure(),
    "anthropic": Anthropic(),
    "mistral": Mistral(),
    "ollama": Ollama(),
    "llama.cpp": LlamaCpp(),
    "vllm": VLLM(),
    "needs tools": NeedsTools(),
}


def _block_events(index: int, block: dict[str, Any]) -> Iterable[dict[str, Any]]:
    def more(**delta: str) -> dict[str, Any]:
        return {"type": "content_block_delta", "index": index, "delta": delta}

    if block["type"] == "tool_use":
        yield {"type": "content_block_start", "index": index, "content_block": {**block, "input": {}}}
        for part in cut(json.dumps(block["input"], ensure_ascii=False), 7):
            yield more(type="input_json_delta", partial_json=part)
    elif block["type"] == "text":
        yield {"type": "content_block_start", "index": index, "content_block": {"type": "text", "text": ""}}
        for part in cut(block["text"], 7):
            yield more(type="text_delta", text=part)
    else:
        yield {"type": "content_block_start", "index": index, "content_block": {"type": "thinking", "thinking": ""}}
        yield more(type="thinking_delta", thinking=block["thinking"])
        yield more(type="signature_delta", signature="x")
    yield {"type": "content_block_stop", "index": index}


def _tool_fault(body: Body) -> str:
    """Return what is wrong with the calls and results of Anthropic messages."""
    called: set[str] = set()
    for message in body["messages"]:
        results = {b["tool_use_id"] for b in message["content"] if b["type"] == "tool_result"}
        if results != called:
            return "tool_use ids were found without tool_result blocks immediately after"
        called = {b["id"] for b in message["content"] if b["type"] == "tool_use"}
        if (called or results) and not body.get("tools"):
            return "Requests which include `tool_use` or `tool_result` blocks must define tools"
    choice = body.get("tool_choice") or {}
    if choice.get("type") == "tool" and choice["name"] not in {t["name"] for t in body["tools"]}:
        return "tool_choice: no such tool"
    return ""


def _objects(schema: Any) -> Iterable[Mapping[str, Any]]:
    if isinstance(schema, Mapping):
        if schema.get("type") == "object":
            yield schema
        for inner in schema.values():
            yield from _objects(inner)


def _is_closed(schema: Mapping[str, Any]) -> bool:
    return schema.get("additionalProperties") is False and set(schema["required"]) == set(schema["properties"])
