"""A message in a case, answered: what it leads to in each phase is decided here, and by no model."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

from lovsvar_agent.core.answer_parts import completed, remark
from lovsvar_agent.core.casework.case_run import CaseRun
from lovsvar_agent.core.casework.own_tools import SET_TIER
from lovsvar_agent.core.casework.phrases import WORDINGS, CaseWording
from lovsvar_agent.core.casework.tier_choice import TierChoice, choose_tier
from lovsvar_agent.core.lifecycle import Strategy
from lovsvar_agent.core.ports import LanguageModel
from lovsvar_agent.core.run import Run, patiently
from lovsvar_contracts.blocks import AnswerBlock
from lovsvar_contracts.case_details import Phase
from lovsvar_contracts.problems import Problem, ProblemError, ProblemType
from lovsvar_contracts.questions import Answer
from lovsvar_contracts.run_events import ToolCalled, ToolResult
from lovsvar_legaltext.language import language_of
from lovsvar_rendering.html import HtmlRenderer
from lovsvar_rendering.text import TextRenderer

UNREADABLE = "Saken kan ikke leses"


class Stage(StrEnum):
    """What a message leads to."""

    TIER = "tier"
    WORK = "work"
    PAYMENT = "payment"
    QUOTA = "quota"
    PAUSED = "paused"
    CLOSED = "closed"


STAGES: Mapping[Phase, Stage] = {
    Phase.DESCRIBING: Stage.TIER,
    Phase.TIER: Stage.TIER,
    Phase.QUOTA: Stage.QUOTA,
    Phase.PAYMENT: Stage.PAYMENT,
    Phase.ACTIVE: Stage.WORK,
    # The person was asked in this very run, before it was cut off.
    Phase.WAITING: Stage.WORK,
    Phase.CLOSED: Stage.CLOSED,
    Phase.PAUSED_SUPPORT: Stage.PAUSED,
}


class InCase:
    """Answers a message in a case: decides on the tier where there is none, and lets `work` answer where it may begin.

    Without a model, `work` answers by quotes, and the tier is decided by rules.
    """

    def __init__(self, run: Run, work: Strategy, case: CaseRun, model: LanguageModel | None) -> None:
        self.mode = work.mode
        self.model = work.model
        self.limits = work.limits
        self._run = run
        self._work = work
        self._case = case
        self._model = model
        self._wording: CaseWording = WORDINGS[language_of(run.asked.question, run.asked.locale)]

    async def answer(self) -> tuple[Answer, str | None]:
        """Return the checked answer, and the limit that ended the search for it. Raises `ProblemError`."""
        where = await self._ask_case("read_case_work", {}, "")
        tier_was_set = self._case.log.tier_set
        if STAGES[Phase(where["phase"])] is Stage.TIER:
            where = await self._set_tier(where)
            tier_was_set = True
        stage = STAGES[Phase(where["phase"])]
        self._case.enter(where["tier"], where["obstacle"])
        paused_here = stage is Stage.PAUSED and self._case.owes_ticket
        if not (stage is Stage.WORK or self._case.log.handed_over or paused_here):
            return await self._message(where, stage), None
        answer, limit = await self._work.answer()
        if limit and not self._case.log.asked:
            await self._case.note_cut()
        before, after = self._case.notes(limit)
        told = [remark(self._tier_words(self._wording.entitled, where))] if tier_was_set else []
        return _with(answer, [*told, *before], after), limit

    async def _set_tier(self, where: Mapping[str, Any]) -> Mapping[str, Any]:
        """Have the tier decided, and return where the case is then."""
        async with self._run.step("tier", "Bestemmer nivået på saken"):
            choice = TierChoice()
            if self._model is not None:
                choice = await choose_tier(self._run, self._model, where["description"], where["tiers"])
            if choice.question:
                return {**where, "question": choice.question}
            given = {"tier": choice.tier, "reason": choice.reason} if choice.tier else {}
            call_id = self._run.count_tool_call()
            await self._run.emit(ToolCalled, call_id=call_id, name=SET_TIER, arguments=given)
            await self._run.settle()
            where = await self._ask_case(SET_TIER, given, SET_TIER)
            await self._run.emit(ToolResult, call_id=call_id, name=SET_TIER, hits=int(bool(where["tier"])))
        return where

    async def _ask_case(self, name: str, given: Mapping[str, Any], call_id: str) -> Mapping[str, Any]:
        """Return a result of the case's. Raises `ProblemError`, also for one that is an error."""
        run = self._run
        result = await patiently(run.limits, lambda: self._case.desk.call(run.asked, name, given, call_id))
        if result.get("status") != "success":
            detail = str(result.get("error_message", f"{UNREADABLE}."))
            raise ProblemError(Problem(type=ProblemType.CONFLICT, title=UNREADABLE, detail=detail))
        return result

    async def _message(self, where: Mapping[str, Any], stage: Stage) -> Answer:
        """Return the answer of a run in which no work may begin: what the case waits for."""
        wording = self._wording
        if stage is Stage.TIER:
            await self._case.ask_about_tier(where.get("question", ""))
        said = {
            Stage.TIER: where.get("question", ""),
            Stage.PAYMENT: self._tier_words(wording.payment, where),
            Stage.QUOTA: wording.quota,
            Stage.PAUSED: wording.paused,
            Stage.CLOSED: wording.closed,
        }[stage]
        return completed(self._run, self.mode, None, [remark(said)], insufficient=True, citations=())

    def _tier_words(self, words: str, where: Mapping[str, Any]) -> str:
        return " ".join(words.format(tier=where["tier"], reason=where["tier_reason"] or "").split())


def _with(answer: Answer, before: Sequence[AnswerBlock], after: Sequence[AnswerBlock]) -> Answer:
    """Return an answer that tells more, before and after what it says."""
    if not (before or after):
        return answer
    blocks = (*before, *answer.blocks, *after)
    return answer.model_copy(
        update={
            "blocks": blocks,
            "answer_html": HtmlRenderer(answer.citations, answer.evidence).render(blocks),
            "answer_text": TextRenderer(answer.citations, answer.evidence).render(blocks),
        }
    )
