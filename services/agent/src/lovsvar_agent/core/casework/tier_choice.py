"""The tier of a case, by the assistant's word on its description; without one the cases service goes by its rules."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lovsvar_agent.core.casework import prompts
from lovsvar_agent.core.errors import LimitReached
from lovsvar_agent.core.ports import LanguageModel, Request
from lovsvar_agent.core.reasoning.arguments import read_objects
from lovsvar_agent.core.reasoning.model_call import Speaker
from lovsvar_agent.core.reasoning.prose import plain_excerpt
from lovsvar_agent.core.run import Run
from lovsvar_contracts.problems import ProblemError

SECONDS = 30.0
MAX_TOKENS = 400
MAX_WORDS = 500
TIERS = (1, 2, 3)


@dataclass(frozen=True)
class TierChoice:
    """A tier and why, or the one question that would decide it; neither leaves it to the rules."""

    tier: int | None = None
    reason: str = ""
    question: str = ""


async def choose_tier(run: Run, model: LanguageModel, description: str, tiers: Any) -> TierChoice:
    """Ask the model which tier a description is of. Whatever does not come in time or in form chooses nothing."""
    messages = [
        {"role": "system", "content": prompts.TIER},
        {"role": "user", "content": prompts.tier_question(description, tiers)},
    ]
    speaker = Speaker(run, model, drafts=False)
    seconds = min(SECONDS, run.limits.seconds / 4)
    try:
        async with asyncio.timeout(seconds):
            reply = await speaker.ask(Request(messages, schema=prompts.TIER_SCHEMA, max_tokens=MAX_TOKENS))
    except (TimeoutError, ProblemError, LimitReached):
        await speaker.settle()
        return TierChoice()
    return next(
        (choice for one in read_objects(reply.text) if (choice := read_choice(one)) != TierChoice()), TierChoice()
    )


def read_choice(given: Mapping[str, Any]) -> TierChoice:
    """Return what a model chose: a tier that there is, or else its question."""
    tier, reason, question = given.get("tier"), given.get("reason"), given.get("question")
    if isinstance(tier, str) and tier.strip().isdigit():
        tier = int(tier)
    if tier in TIERS and not isinstance(tier, bool):
        return TierChoice(int(tier), _words(reason))
    return TierChoice(question=_words(question))


def _words(said: Any) -> str:
    return plain_excerpt(said)[:MAX_WORDS] if isinstance(said, str) else ""
