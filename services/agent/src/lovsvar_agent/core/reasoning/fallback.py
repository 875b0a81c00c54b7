"""The answer by quotes that a run ends with when its model gave none that holds: never worse than without a model."""

import asyncio
from dataclasses import replace
from enum import StrEnum

from lovsvar_agent.core.extractive.answer import Extractive, InPlaceOfModel
from lovsvar_agent.core.guidance.library import Guidance
from lovsvar_agent.core.ports import LegalSearch
from lovsvar_agent.core.reasoning.final import Final
from lovsvar_agent.core.run import Run
from lovsvar_contracts.problems import Problem
from lovsvar_contracts.questions import Answer, Tier

LEAST_SECONDS = 1.0
"""Seconds that there always are to search the question, which takes some hundredths, also when the time is up."""

TITLE = "Svarer med sitater fra loven"


class Why(StrEnum):
    """Why a model's answer is not given, as the answer's `fallback` has it."""

    FAILED = "model_failed"
    UNVERIFIED = "model_unverified"
    ABSTAINED = "model_abstained"


def why(final: Final, failure: Problem | None) -> Why:
    """Return why an answer without a citation that holds is not given."""
    if failure is not None or not (final.answer or final.claims or final.insufficient):
        return Why.FAILED
    return Why.ABSTAINED if final.insufficient else Why.UNVERIFIED


async def by_quotes(
    run: Run, search: LegalSearch, guidance: Guidance, instead: InPlaceOfModel, failure: Problem | None
) -> Answer | None:
    """Return the answer by quotes to a run's question, made of its own evidence and of a search for the question.

    None when the model said that the sources do not answer, and search finds nothing that may be relevant either.
    `failure` is what the model's server said; the step that begins here names it. Raises `ProblemError` when search
    itself fails and nothing was found before.
    """
    if instead.only_related and not run.evidence.all:
        return None
    async with run.step("fallback", f"{failure.detail} {TITLE}" if failure else TITLE):
        pass
    soon = asyncio.get_running_loop().time() + LEAST_SECONDS
    instead = replace(instead, until=max(instead.until, soon))
    answer, _ = await Extractive(run, search, guidance, instead=instead).answer()
    return None if instead.only_related and answer.tier is Tier.NOTHING else answer
