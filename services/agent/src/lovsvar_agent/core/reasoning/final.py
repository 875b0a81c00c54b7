"""The answer a model gives, read from whatever form it came in, also while its JSON is still arriving."""

import json
import re
from collections.abc import Container, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import jiter

from lovsvar_agent.core.reasoning.arguments import read_object, read_objects
from lovsvar_agent.core.reasoning.prose import plain_draft
from lovsvar_agent.core.reasoning.replies import Call, Reply, ReplyBuilder
from lovsvar_agent.core.tools.answer_form import ANSWER

MAX_ANSWER = 20_000
MAX_CITATIONS = 30

_BEGINNING = re.compile(r'\{\s*"(?:citations|answer)"')
"""How an answer's object begins; the last in a text is the one that counts."""

PIECE = 16
"""Characters of a draft that are sent at once, at least."""


@dataclass(frozen=True)
class Claim:
    """A quote and the source that the model says it is from, not yet checked."""

    evidence_id: str
    quote: str


@dataclass(frozen=True)
class Final:
    """An answer as the model gave it. `missing` is what it says the sources lack."""

    answer: str
    claims: tuple[Claim, ...] = ()
    insufficient: bool = False
    missing: str = ""


class Draft:
    """What has been sent of one reply's answer; `sent` is its text so far.

    A draft is shown before anything is checked, so it is plain text, without tags and addresses, in whole words.
    """

    def __init__(self) -> None:
        self.sent = ""
        self._looked = 0

    def more(self, builder: ReplyBuilder, *, ended: bool = False) -> str:
        """Return what can be sent now and was not before."""
        if not ended and builder.size < self._looked + PIECE:
            return ""
        self._looked = builder.size
        written = next((c.arguments for c in builder.calls if c.name == ANSWER), "" if builder.calls else builder.text)
        answer = (_cut_off(written, "trailing-strings") or {}).get("answer")
        text = plain_draft(answer if isinstance(answer, str) else "", ended=ended)
        if not ended:
            text = text[: max(text.rfind(" "), text.rfind("\n")) + 1]
        if self.sent.startswith(text):
            return ""
        if not text.startswith(self.sent):
            # The model has begun anew, or what it said so far has turned out to be thoughts.
            self.sent = ""
        if len(text) - len(self.sent) < (1 if ended else PIECE):
            return ""
        new, self.sent = text[len(self.sent) :], text
        return new


def final_of(reply: Reply) -> Final | None:
    """Return the structured answer in a reply: as a call of the last tool, or as JSON in its text; else None.

    The last that is whole counts, since models draft and mend. One that was cut off in the middle is an answer with
    the citations that came whole, when there is no other.
    """
    return whole_final_of(reply) or next((final for text in _answers(reply) if (final := _final(_cut_off(text)))), None)


def whole_final_of(reply: Reply) -> Final | None:
    """Return the last structured answer in a reply that was not cut off."""
    found = [final for text in _answers(reply) for one in read_objects(text) if (final := _final(_unwrapped(one)))]
    return found[-1] if found else None


def calls_in_text(reply: Reply, tools: Container[str]) -> tuple[Call, ...]:
    """Return the first call of one of `tools` that a reply writes as text, when its server did not read it as one."""
    for found in read_objects(reply.text):
        if str(found.get("name")) in tools and (arguments := _arguments(found)) is not None:
            return (Call(str(found["name"]), json.dumps(arguments, ensure_ascii=False)),)
    return ()


def plain(reply: Reply) -> Final:
    """Return a reply that is no JSON as an answer without citations."""
    return Final(reply.text.strip()[:MAX_ANSWER])


def _answers(reply: Reply) -> list[str]:
    """Return the texts in which a reply may have its answer: calls of the last tool, else its words."""
    return [call.arguments for call in reply.calls if call.name == ANSWER] or [reply.text]


def _unwrapped(found: dict[str, Any]) -> dict[str, Any] | None:
    return _arguments(found) if found.get("name") == ANSWER else found


def _final(found: Mapping[str, Any] | None) -> Final | None:
    if found is None or not isinstance(found.get("answer"), str):
        return None
    given = found.get("citations")
    claims = tuple(c for item in given if (c := _claim(item))) if isinstance(given, list) else ()
    missing = found.get("missing")
    return Final(
        answer=found["answer"].strip()[:MAX_ANSWER],
        claims=tuple(dict.fromkeys(claims))[:MAX_CITATIONS],
        insufficient=found.get("insufficient") in (True, "true"),
        missing=missing.strip()[:1_000] if isinstance(missing, str) else "",
    )


def _cut_off(text: str, mode: Literal["on", "trailing-strings"] = "on") -> dict[str, Any] | None:
    """Return the fields of an object that ends in the middle; with "trailing-strings" also of its last string."""
    begun = [match.start() for match in _BEGINNING.finditer(text)]
    at = begun[-1] if begun else text.find("{")
    if at < 0:
        return None
    try:
        value = jiter.from_json(text[at:].encode(errors="replace"), partial_mode=mode)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _claim(item: object) -> Claim | None:
    if not isinstance(item, Mapping):
        return None
    evidence_id, quote = item.get("evidenceId", item.get("evidence_id")), item.get("quote")
    if not isinstance(evidence_id, str) or not isinstance(quote, str):
        return None
    return Claim(evidence_id.strip().strip("[]"), quote.strip())


def _arguments(found: Mapping[str, Any]) -> dict[str, Any] | None:
    arguments = found.get("arguments", found.get("parameters"))
    if isinstance(arguments, str):
        return read_object(arguments)
    return arguments if isinstance(arguments, dict) else None
