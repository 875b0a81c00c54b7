"""Anthropic's Messages API, as chat completions have it: requests one way, replies the other.

It knows no system message, takes calls and results as blocks of what the two sides say by turns, has no JSON of a
schema but a tool that must be called, and names everything otherwise. What has been said is marked to be kept in the
server's cache, so that the next request reads the new part alone.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lovsvar_agent.adapters.providers import Sampling, Traits, Ways, finish
from lovsvar_agent.core.ports import Request
from lovsvar_agent.core.tools.answer_form import ANSWER, DEFINITION

KEPT: Mapping[str, Any] = {"type": "ephemeral"}

Block = dict[str, Any]


def ways(traits: Traits, model: str, request: Request, sampling: Sampling) -> Ways:
    """Return how a reply is asked for, the fullest request first."""
    system = "\n\n".join(str(m["content"]) for m in request.messages if m["role"] == "system")
    body: dict[str, Any] = {
        "model": model,
        "system": [{"type": "text", "text": system, "cache_control": KEPT}],
        "messages": _turns(m for m in request.messages if m["role"] != "system"),
        "max_tokens": request.max_tokens,
        "stream": True,
        **_tools(request),
    }
    if sampling.temperature is not None:
        full = {**body, "temperature": min(sampling.temperature, traits.temperature)}
        return [(0, full), (1, body)]
    return [(0, body)]


class MessageReader:
    """Reads the events of one reply, or the whole of it, as chunks of chat completions."""

    def __init__(self, traits: Traits) -> None:
        self._traits = traits
        self._read = 0

    def read(self, event: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the chunk that an event is; an empty one when it says nothing."""
        match event.get("type"):
            case "message_start":
                return self._counted(event.get("message"))
            case "content_block_start":
                return self._begun(event.get("index"), event.get("content_block"))
            case "content_block_delta":
                return self._more(event.get("index"), event.get("delta"))
            case "message_delta":
                delta = event.get("delta")
                reason = delta.get("stop_reason") if isinstance(delta, Mapping) else None
                return {**_chunk({}, finish(self._traits, reason)), **self._counted(event)}
            case "message":
                return self._whole(event)
        return {}

    def _whole(self, message: Mapping[str, Any]) -> Mapping[str, Any]:
        blocks = [b for b in message.get("content") or () if isinstance(b, Mapping)]
        text = "".join(str(b.get("text") or "") for b in blocks if b.get("type") == "text")
        thoughts = "".join(str(b.get("thinking") or "") for b in blocks if b.get("type") == "thinking")
        calls = [_call(at, b, b.get("input")) for at, b in enumerate(blocks) if b.get("type") == "tool_use"]
        delta = {"content": text, "reasoning": thoughts, "tool_calls": calls}
        return {**_chunk(delta, finish(self._traits, message.get("stop_reason"))), **self._counted(message)}

    def _begun(self, index: Any, block: Any) -> Mapping[str, Any]:
        if not isinstance(block, Mapping):
            return {}
        if block.get("type") == "tool_use":
            return _chunk({"tool_calls": [_call(index, block, "")]})
        return _chunk({"content": block.get("text") or ""}) if block.get("type") == "text" else {}

    def _more(self, index: Any, delta: Any) -> Mapping[str, Any]:
        if not isinstance(delta, Mapping):
            return {}
        match delta.get("type"):
            case "text_delta":
                return _chunk({"content": delta.get("text")})
            case "thinking_delta":
                return _chunk({"reasoning": delta.get("thinking")})
            case "input_json_delta":
                more = {"index": index, "function": {"arguments": delta.get("partial_json") or ""}}
                return _chunk({"tool_calls": [more]})
        return {}

    def _counted(self, of: Any) -> Mapping[str, Any]:
        """Return what was read and written so far; what was read in the cache counts as read."""
        usage = of.get("usage") if isinstance(of, Mapping) else None
        if not isinstance(usage, Mapping):
            return {}
        names = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
        self._read = sum(n for name in names if isinstance(n := usage.get(name), int)) or self._read
        return {"usage": {"prompt_tokens": self._read, "completion_tokens": usage.get("output_tokens")}}


def _tools(request: Request) -> dict[str, Any]:
    definitions = request.tools
    if request.schema is not None and not definitions:
        definitions = (DEFINITION,)
    if not definitions:
        return {}
    functions = [definition["function"] for definition in definitions]
    tools = [{"name": f["name"], "description": f["description"], "input_schema": f["parameters"]} for f in functions]
    choice: dict[str, Any] = {"type": "none"}
    if request.calls:
        choice = {"type": "auto"}
    elif request.schema is not None:
        choice = {"type": "tool", "name": ANSWER}
    return {"tools": tools, "tool_choice": choice}


def _turns(messages: Iterator[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return what the two sides say by turns; results are said by the user."""
    turns: list[dict[str, Any]] = []
    for message in messages:
        role = "assistant" if message["role"] == "assistant" else "user"
        if turns and turns[-1]["role"] == role:
            turns[-1]["content"] += _blocks(message)
        else:
            turns.append({"role": role, "content": _blocks(message)})
    if turns:
        turns[-1]["content"][-1] = {**turns[-1]["content"][-1], "cache_control": KEPT}
    return turns


def _blocks(message: Mapping[str, Any]) -> list[Block]:
    if message["role"] == "tool":
        return [{"type": "tool_result", "tool_use_id": message["tool_call_id"], "content": message["content"]}]
    said: list[Block] = [{"type": "text", "text": message["content"]}] if message["content"] else []
    calls: Sequence[Mapping[str, Any]] = message.get("tool_calls") or ()
    return said + [
        {
            "type": "tool_use",
            "id": call["id"],
            "name": call["function"]["name"],
            "input": json.loads(call["function"]["arguments"]),
        }
        for call in calls
    ]


def _call(index: Any, block: Mapping[str, Any], arguments: Any) -> dict[str, Any]:
    return {"index": index, "id": block.get("id"), "function": {"name": block.get("name"), "arguments": arguments}}


def _chunk(delta: Mapping[str, Any], reason: object = None) -> dict[str, Any]:
    return {"choices": [{"delta": delta, "finish_reason": reason}]}
