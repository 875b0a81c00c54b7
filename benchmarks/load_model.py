"""A slow language model: the settings that an agent needs to use it, and its replies."""

import contextlib
from collections.abc import AsyncIterator
from typing import Any

from lovsvar_testkit.scripted_model import Reply, ScriptedModel

REPLIES = 2
"""Of one question: what to search for, then the answer."""

QUESTION = "Hvor mye kan utleieren kreve i depositum?"
SEARCH: Reply = {"calls": [{"search_lovdata_legal_documents": {"query": "depositum utleier", "pageSize": 1}}]}
ANSWER: Reply = {
    "final": {
        "answer": "Høyst fire måneders leie, etter eksempel-husleieloven § 3-2 [lovdata-1].",
        "citations": [["lovdata-1", "Utleieren kan kreve et depositum på høyst fire måneders leie."]],
    }
}


@contextlib.asynccontextmanager
async def answering_slowly(seconds: float | None) -> AsyncIterator[dict[str, str]]:
    """Yield an agent's settings: to ask a model that takes `seconds` for each reply, or by None to ask none."""
    if seconds is None:
        yield {"OPENAI_API_KEY": "", "OPENAI_BASE_URL": "", "LOVSVAR_MODE": "extractive"}
        return

    def reply(body: dict[str, Any], _: int) -> Reply:
        searched = any(message["role"] == "tool" for message in body["messages"])
        return {**(ANSWER if searched else SEARCH), "quiet": seconds}

    async with ScriptedModel(reply).serving() as model:
        yield {"OPENAI_API_KEY": "none", "OPENAI_BASE_URL": model.url, "LOVSVAR_MODE": "agent"}
