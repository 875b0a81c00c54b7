"""The replies of a scripted model, in the chat-completions wire format."""

import json
import re
from collections.abc import Mapping
from typing import Any

ANSWER = "sammenstill_svar"
Reply = dict[str, Any]


def chunks_of(reply: Reply) -> list[dict[str, Any]]:
    """Return the chunks of a reply, usage last."""
    if "raw" in reply:
        return list(reply["raw"])
    size = reply.get("size", 12)
    chunks = [chunk({"role": "assistant", "content": part}) for part in cut(text_of(reply), size)]
    calls = calls_of(reply)
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
        chunks.append(chunk({"tool_calls": [{**place, "function": {"name": name, "arguments": ""}}]}))
        again = {k: v for k, v in place.items() if k == "index"}
        chunks += [chunk({"tool_calls": [{**again, "function": {"arguments": p}}]}) for p in cut(arguments, size)]
    chunks.append(chunk({}, reply.get("finish", "tool_calls" if calls else "stop")))
    usage = reply.get("usage", [100, 20])
    if usage != "none":
        counted = {"prompt_tokens": usage[0], "completion_tokens": usage[1], "total_tokens": sum(usage)}
        chunks.append({**chunk({}), "choices": [], "usage": counted})
    return chunks


def final_json(final: dict[str, Any]) -> str:
    """Return the structured answer that a script writes in short."""
    citations = [{"evidenceId": i, "quote": q} for i, q in final.get("citations", [])]
    insufficient = final.get("insufficient", False)
    value = {"answer": final["answer"], "citations": citations, "insufficient": insufficient}
    return json.dumps({**value, "missing": final.get("missing", "")}, ensure_ascii=False)


def text_of(reply: Reply) -> str:
    """Return what a reply says in words."""
    text = str(reply.get("before", ""))
    if "json" in reply:
        text += final_json(reply["json"])
    return text + str(reply.get("text", ""))


def calls_of(reply: Reply) -> list[tuple[str, str]]:
    """Return the names and the arguments of a reply's calls."""
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


def cut(text: str, size: int) -> list[str]:
    """Return `text` in pieces of `size` characters."""
    return [text[at : at + size] for at in range(0, len(text), size)]


def chunk(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
    """Return a chunk of one delta."""
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return {"id": "x", "object": "chat.completion.chunk", "created": 0, "model": "scripted", "choices": [choice]}


def read_by_model(reply: Reply, asked: Mapping[str, Any]) -> Reply:
    """Return a reply whose ids are those of the sources that hold its quotes, as a model that reads them has it."""
    form = next((name for name in ("final", "json") if name in reply), None)
    if form is None:
        return reply
    shown = "\n".join(str(m.get("content") or "") for m in asked["messages"])
    texts = dict(re.findall(r'<kilde id="([^"]+)"[^\n]*>\n(.*?)\n</kilde>', shown, re.DOTALL))
    right: dict[str, str] = {}
    for id_, quote in reply[form].get("citations", []):
        if quote not in texts.get(id_, ""):
            right[id_] = next((holder for holder, text in texts.items() if quote in text), id_)
    final = reply[form]
    answer = re.sub(r"(?<=\[)[a-z]+-\d+(?=\])", lambda m: right.get(m[0], m[0]), final["answer"])
    citations = [[right.get(id_, id_), quote] for id_, quote in final.get("citations", [])]
    return {**reply, form: {**final, "answer": answer, "citations": citations}}
