"""The answer's text while its JSON is still arriving.

The draft is shown before anything is checked, so it is plain text: tags and addresses are taken out, and it is
sent in whole words.
"""

import jiter

from lovsvar_agent.core.reasoning.prose import plain_draft
from lovsvar_agent.core.reasoning.replies import ReplyBuilder
from lovsvar_agent.core.tools.answer_form import ANSWER

PIECE = 16
"""Characters that are sent at once, at least."""


class Draft:
    """What has been sent of one reply's answer. `sent` is its text so far."""

    def __init__(self) -> None:
        self.sent = ""
        self._looked = 0

    def more(self, builder: ReplyBuilder, *, ended: bool = False) -> str:
        """Return what can be sent now and was not before."""
        written = _json_in(builder)
        if not ended and len(written) < self._looked + PIECE:
            return ""
        self._looked = len(written)
        text = plain_draft(_answer_in(written))
        if not ended:
            text = text[: max(text.rfind(" "), text.rfind("\n")) + 1]
        if not text.startswith(self.sent) or len(text) - len(self.sent) < (1 if ended else PIECE):
            return ""
        new, self.sent = text[len(self.sent) :], text
        return new


def _json_in(builder: ReplyBuilder) -> str:
    for call in builder.calls:
        if call.name == ANSWER:
            return call.arguments
    if builder.calls:
        return ""
    at = builder.text.find("{")
    return builder.text[at:] if at >= 0 else ""


def _answer_in(text: str) -> str:
    if not text:
        return ""
    try:
        value = jiter.from_json(text.encode(errors="replace"), partial_mode="trailing-strings")
    except ValueError:
        return ""
    if isinstance(value, dict) and isinstance(value.get("answer"), str):
        return str(value["answer"])
    return ""
