"""What has been said, kept small enough to send."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from lovsvar_agent.core.reasoning.replies import Call

CHARACTERS_A_TOKEN = 3
"""Norwegian costs a token for every three to four characters; a little too many is counted rather than too few."""

ELIDED = "(Ordlyden er utelatt her for å spare plass. Hent den med hent_lovtekst og id-en som document.)"
CUT = "… (forkortet for å spare plass)"
STOPPED = "Kallet ble stanset før det ga noe resultat."


def estimated_tokens(text: str) -> int:
    """Return about how many tokens a model reads `text` as, rather too many than too few."""
    return -(-len(text) // CHARACTERS_A_TOKEN)


KEPT = 2
"""Results that are left out last."""

LEAST = 40
"""Tokens that a message is not cut below."""

_NOT_IN_NAMES = re.compile(r"[^a-zA-Z0-9_-]")
_SOURCE = re.compile(r'<kilde id="([^"]+)" navn="([^"]*)"')


FENCE_TOKENS = 60
"""Tokens that a source's marks and names cost."""


class Conversation:
    """Messages in the chat-completions wire format.

    Calls get ids of our own, since servers' ids may be none, or alike.
    """

    def __init__(self, system: str, question: str) -> None:
        self._messages: list[dict[str, Any]] = [
            {"role": "system", "content": system},
            {"role": "user", "content": question},
        ]
        self._calls = 0
        self._open: list[str] = []

    def call(self, text: str, calls: Sequence[tuple[Call, Mapping[str, Any]]]) -> None:
        """Add a reply that calls tools, with arguments as they were understood, so that none is sent back broken."""
        wire = []
        for made, arguments in calls:
            self._calls += 1
            self._open.append(f"call_{self._calls}")
            # Servers refuse a name that could not be a tool's, also when it is only remembered.
            name = _NOT_IN_NAMES.sub("_", made.name)[:64]
            function = {"name": name, "arguments": json.dumps(arguments, ensure_ascii=False)}
            wire.append({"id": self._open[-1], "type": "function", "function": function})
        self._messages.append({"role": "assistant", "content": text or None, "tool_calls": wire})

    def result(self, text: str) -> None:
        """Add the result of the first call that has none."""
        self._messages.append({"role": "tool", "tool_call_id": self._open.pop(0), "content": text})

    def exchange(self, reply: str, word: str) -> None:
        """Add a reply that was no call, and what is said to it."""
        self._messages.append({"role": "assistant", "content": reply or "(tomt svar)"})
        self.say(word)

    def say(self, word: str) -> None:
        """Say something to the model; calls that were stopped are answered first."""
        while self._open:
            self.result(STOPPED)
        self._messages.append({"role": "user", "content": word})

    @property
    def tokens(self) -> int:
        """About how many tokens everything that has been said is."""
        return sum(_size(m) for m in self._messages)

    def fitted(self, tokens: int) -> tuple[Mapping[str, Any], ...]:
        """Return the messages within about `tokens`.

        Of the oldest results the names of their sources are left alone, first. If that is not enough, the newest
        and the model's own words are cut. What the model is told to do, and the question, stay as they are.
        """
        messages = [dict(m) for m in self._messages]
        results = [m for m in messages if m["role"] == "tool"]
        own = [m for m in messages[2:] if m["role"] == "assistant" and m["content"]]
        for old in results[:-KEPT]:
            if _excess(messages, tokens) <= 0:
                break
            old["content"] = min(_elided(old["content"]), old["content"], key=len)
        for long in (*results, *own):
            if (excess := _excess(messages, tokens)) <= 0:
                break
            long["content"] = _cut(long["content"], max(_size(long) - excess, LEAST))
        return tuple(messages)


def shown_tokens(text: str) -> int:
    """Return about how many tokens a source costs when it is shown whole."""
    return estimated_tokens(text) + FENCE_TOKENS


def _size(message: Mapping[str, Any]) -> int:
    return estimated_tokens(str(message.get("content") or "")) + estimated_tokens(str(message.get("tool_calls") or ""))


def _excess(messages: Sequence[Mapping[str, Any]], tokens: int) -> int:
    return sum(_size(m) for m in messages) - tokens


def _elided(result: str) -> str:
    return "\n".join((ELIDED, *(f"{id_}: {name}" for id_, name in _SOURCE.findall(result))))


def _cut(text: str, tokens: int) -> str:
    """Return the beginning of `text`, its last fence closed."""
    if estimated_tokens(text) <= tokens:
        return text
    kept = text[: max(tokens * CHARACTERS_A_TOKEN - len(CUT) - len("\n\n</kilde>"), 0)]
    open_ = kept.rfind("<kilde ")
    if open_ >= 0 and "\n" not in kept[open_:]:
        kept = kept[:open_]
    fence = "\n</kilde>" if kept.count("<kilde ") > kept.count("</kilde>") else ""
    return f"{kept.rstrip()}{fence}\n{CUT}"
