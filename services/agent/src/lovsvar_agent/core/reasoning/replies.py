"""A reply put together from its pieces, whatever its server left out.

Pieces are chunks of the chat-completions wire format. Servers differ: choices may be empty, calls may come without
an id or an index or all with the same, arguments may be an object instead of its text, and usage may never come.
What a model thinks before it speaks is no part of its reply, in a field of its own or between marks.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from lovsvar_agent.core.reasoning.arguments import whole_characters

_THOUGHTS = ("think", "thinking", "thought", "reasoning")
_MARK = re.compile(rf"[<\[](/?)(?:{'|'.join(_THOUGHTS)})[>\]]", re.IGNORECASE)
"""What thoughts stand between; some servers give the marks of their model's template on as text."""


@dataclass(frozen=True)
class Call:
    """A tool that the model wants called. `arguments` is JSON as the model wrote it, which may be broken."""

    name: str
    arguments: str


@dataclass(frozen=True)
class Spent:
    """Tokens of one call, as its server counted them."""

    input_tokens: int
    output_tokens: int


@dataclass(frozen=True)
class Reply:
    """What a model said. `finish` is the server's reason for ending, empty when it gave none."""

    text: str
    calls: tuple[Call, ...] = ()
    finish: str = ""
    spent: Spent | None = None


@dataclass
class _Begun:
    id: str = ""
    index: int | None = None
    name: str = ""
    arguments: str = ""


@dataclass
class ReplyBuilder:
    """Takes chunks in order. What it has so far can be read at any time."""

    written: str = ""
    thought: int = 0
    finish: str = ""
    spent: Spent | None = None
    _begun: list[_Begun] = field(default_factory=list)

    @property
    def size(self) -> int:
        """Characters that the model has written, thoughts among them."""
        return self.thought + len(self.written) + sum(len(c.arguments) for c in self._begun)

    @property
    def text(self) -> str:
        """What the model has said so far, without its thoughts."""
        return without_thoughts(self.written)

    @property
    def calls(self) -> tuple[Call, ...]:
        """The calls so far; the last may be unfinished."""
        return tuple(Call(c.name.strip(), c.arguments) for c in self._begun if c.name.strip())

    def add(self, chunk: Mapping[str, Any]) -> None:
        """Take the next chunk; what it has in no known form is passed over."""
        self.spent = _spent(chunk.get("usage")) or self.spent
        choices = chunk.get("choices")
        if not isinstance(choices, list) or not choices or not isinstance(choices[0], Mapping):
            return
        self.finish = str(choices[0].get("finish_reason") or self.finish)
        delta = choices[0].get("delta") or choices[0].get("message")
        if not isinstance(delta, Mapping):
            return
        self.written += _words(delta.get("content"))
        self.thought += len(_words(delta.get("reasoning")))
        parts = delta.get("tool_calls")
        for part in parts if isinstance(parts, list) else ():
            if isinstance(part, Mapping):
                self._add_call(part)

    def build(self) -> Reply:
        """Return the reply."""
        calls = tuple(Call(whole_characters(c.name), whole_characters(c.arguments)) for c in self.calls)
        return Reply(whole_characters(self.text), calls, self.finish, self.spent)

    def _add_call(self, part: Mapping[str, Any]) -> None:
        function = part.get("function")
        function = function if isinstance(function, Mapping) else {}
        call = self._place(part, str(function.get("name") or ""))
        call.id = call.id or str(part.get("id") or "")
        name = str(function.get("name") or "")
        if name != call.name:
            call.name += name
        arguments = function.get("arguments")
        if isinstance(arguments, str):
            call.arguments += arguments
        elif arguments is not None:
            call.arguments = json.dumps(arguments, ensure_ascii=False)

    def _place(self, part: Mapping[str, Any], name: str) -> _Begun:
        """Return the call that `part` belongs to, begun here when it is new."""
        index, given = part.get("index"), str(part.get("id") or "")
        for call in reversed(self._begun):
            same_place = index is not None and call.index == index
            # Some servers number every call 0, and distinguish them by id alone.
            another = bool(given and call.id and given != call.id and name)
            if (same_place and not another) or (index is None and given and call.id == given and not name):
                return call
        if index is None and not name and self._begun:
            return self._begun[-1]
        self._begun.append(_Begun(index=index if isinstance(index, int) else None))
        return self._begun[-1]


def without_thoughts(text: str) -> str:
    """Return `text` without what stands between marks of thoughts, and without what an end mark alone ends.

    Templates often write the first mark themselves, so that a reply begins with thoughts and has their end alone.
    """
    said, thinking, at = "", False, 0
    for mark in _MARK.finditer(text):
        ends = bool(mark[1])
        # Behind an end that nothing began, what came before it was thought too.
        said = said + text[at : mark.start()] if not thinking and not ends else said if thinking else ""
        thinking, at = not ends, mark.end()
    return said if thinking else said + text[at:]


def _words(content: object) -> str:
    """Return what a delta says; some servers give it in parts, thoughts among them."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else ()
    return "".join(str(p["text"]) for p in parts if isinstance(p, Mapping) and isinstance(p.get("text"), str))


def _spent(usage: object) -> Spent | None:
    if not isinstance(usage, Mapping):
        return None
    counts = [usage.get("prompt_tokens"), usage.get("completion_tokens")]
    read, written = (c if isinstance(c, int) and c >= 0 else 0 for c in counts)
    return Spent(read, written) if read or written else None
