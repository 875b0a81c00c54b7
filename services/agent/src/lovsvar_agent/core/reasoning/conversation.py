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
READ = "Jeg har lest resultatet."


def estimated_tokens(text: str) -> int:
    """Return about how many tokens a model reads `text` as, rather too many than too few."""
    return -(-len(text) // CHARACTERS_A_TOKEN)


KEPT = 2
"""Results that are left out last."""

LEAST = 40
"""Tokens that a message is not cut below."""

NAMES_SHARE = 5
"""One part of so many of a message that is cut is for the names of the sources that are left out."""

_NOT_IN_NAMES = re.compile(r"[^a-zA-Z0-9_-]")
_SOURCE = re.compile(r'<kilde id="([^"]+)" navn="([^"]*)"')


FENCE_TOKENS = 60
"""Tokens that a source's marks and names cost."""


class Conversation:
    """Messages in the chat-completions wire format.

    Calls get ids of our own, since servers' ids may be none, or alike. A message has one call, and roles take turns,
    since the templates of some models refuse anything else.
    """

    def __init__(self, system: str, question: str, context: str = "") -> None:
        """`context` comes before the question, and is left out when there is no room for it."""
        self._messages: list[dict[str, Any]] = [{"role": "system", "content": system}]
        self._context = {"role": "user", "content": context} if context else None
        self._messages += [self._context] if self._context else []
        self._messages.append({"role": "user", "content": question})
        self._calls = 0
        self._found: set[int] = set()
        self._sent: Sequence[Mapping[str, Any]] = ()

    def call(self, text: str, made: Call, arguments: Mapping[str, Any], result: str) -> None:
        """Add a call and its result, with arguments as they were understood, so that none is sent back broken."""
        self._calls += 1
        # Nine letters and digits: templates of Mistral's take no other ids.
        call_id = f"call{self._calls:05d}"
        # Servers refuse a name that could not be a tool's, also when it is only remembered.
        name = _NOT_IN_NAMES.sub("_", made.name)[:64]
        function = {"name": name, "arguments": json.dumps(arguments, ensure_ascii=False)}
        wire = [{"id": call_id, "type": "function", "function": function}]
        self._messages.append({"role": "assistant", "content": text or None, "tool_calls": wire})
        self._add_found({"role": "tool", "tool_call_id": call_id, "content": result})

    def exchange(self, reply: str, word: str) -> None:
        """Add a reply that was no call, and what is said to it."""
        self._reply(reply)
        self.say(word)

    def show(self, reply: str, found: str) -> None:
        """Add a reply that was no call, and what was found; like a call's result, it is cut when there is no room."""
        self._reply(reply)
        self._add_found({"role": "user", "content": found})

    def say(self, word: str) -> None:
        """Say something to the model."""
        self._messages.append({"role": "user", "content": word})

    def in_words(self) -> None:
        """Retell calls and results as plain messages, for a server that cannot read them."""
        for message in self._messages:
            if calls := message.pop("tool_calls", ()):
                message["content"] = message["content"] or json.dumps(calls[0]["function"], ensure_ascii=False)
            elif message.pop("tool_call_id", None):
                message["role"] = "user"

    def holds(self, text: str) -> bool:
        """Whether the model was sent `text` whole the last time."""
        return any(text in (message["content"] or "") for message in self._sent)

    @property
    def tokens(self) -> int:
        """About how many tokens everything that has been said is."""
        return sum(_size(m) for m in self._messages)

    def fitted(self, tokens: int) -> tuple[Mapping[str, Any], ...]:
        """Return the messages within about `tokens`.

        While they fit, they are those of the last time with more behind them, so that a server may keep what it has
        read. Of the oldest results the names of their sources are left alone, first. If that is not enough, what comes
        before the question goes, then the newest and the model's own words are cut. The instructions and the question
        stay as they are.
        """
        messages = [dict(m) for m in self._messages]
        results = [messages[at] for at in sorted(self._found)]
        own = [m for m in messages[2:] if m["role"] == "assistant" and m["content"]]
        for old in results[:-KEPT]:
            if _excess(messages, tokens) <= 0:
                break
            names = (f"{id_}: {name}" for id_, name in _SOURCE.findall(old["content"]))
            old["content"] = min("\n".join((ELIDED, *names)), old["content"], key=len)
        if self._context and _excess(messages, tokens) > 0:
            messages.pop(1)
        for long in (*results, *own):
            if (excess := _excess(messages, tokens)) <= 0:
                break
            long["content"] = _cut(long["content"], max(_size(long) - excess, LEAST))
        self._sent = tuple(_by_turns(messages))
        return self._sent

    def _reply(self, text: str) -> None:
        self._messages.append({"role": "assistant", "content": text or "(tomt svar)"})

    def _add_found(self, message: dict[str, Any]) -> None:
        self._found.add(len(self._messages))
        self._messages.append(message)


def shown_tokens(text: str) -> int:
    """Return about how many tokens a source costs when it is shown whole."""
    return estimated_tokens(text) + FENCE_TOKENS


def _size(message: Mapping[str, Any]) -> int:
    return estimated_tokens(str(message.get("content") or "")) + estimated_tokens(str(message.get("tool_calls") or ""))


def _excess(messages: Sequence[Mapping[str, Any]], tokens: int) -> int:
    return sum(_size(m) for m in messages) - tokens


def _cut(text: str, tokens: int) -> str:
    """Return the beginning of `text`, its last fence closed, and the names of the sources that are left out."""
    if estimated_tokens(text) <= tokens:
        return text
    names = _SOURCE.findall(text)
    brief = _beginning(text, tokens - tokens // NAMES_SHARE if names else tokens)
    for id_, name in names[len(_SOURCE.findall(brief)) :]:
        longer = f"{brief}\n{id_}: {name}"
        if estimated_tokens(longer) > tokens:
            break
        brief = longer
    return brief


def _beginning(text: str, tokens: int) -> str:
    kept = text[: max(tokens * CHARACTERS_A_TOKEN - len(CUT) - len("\n\n</kilde>"), 0)]
    open_ = kept.rfind("<kilde ")
    if open_ >= 0 and "\n" not in kept[open_:]:
        kept = kept[:open_]
    fence = "\n</kilde>" if kept.count("<kilde ") > kept.count("</kilde>") else ""
    return f"{kept.rstrip()}{fence}\n{CUT}"


def _by_turns(messages: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Join what the user says in a row, and let the model answer a result before the user speaks."""
    turns: list[dict[str, Any]] = []
    for message in messages:
        if turns and message["role"] == turns[-1]["role"] == "user":
            turns[-1] = {**message, "content": f"{turns[-1]['content']}\n\n{message['content']}"}
            continue
        if turns and message["role"] == "user" and turns[-1]["role"] == "tool":
            turns.append({"role": "assistant", "content": READ})
        turns.append(message)
    return turns
