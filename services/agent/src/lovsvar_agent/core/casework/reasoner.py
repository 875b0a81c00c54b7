"""The second model of a case: consulted with a summary and a question, it answers with advice."""

import asyncio
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lovsvar_agent.core.casework import prompts
from lovsvar_agent.core.casework.advice_check import checked_advice
from lovsvar_agent.core.casework.own_tools import GET_DETAILS, UPDATE_DETAILS
from lovsvar_agent.core.errors import LimitReached
from lovsvar_agent.core.ports import CaseDesk, LanguageModel, Request
from lovsvar_agent.core.reasoning.model_call import Speaker
from lovsvar_agent.core.reasoning.prose import plain_excerpt
from lovsvar_agent.core.reasoning.untrusted_text import fenced
from lovsvar_agent.core.run import Run, elapsed_ms, patiently
from lovsvar_agent.core.tools.law_access import LawAccess
from lovsvar_contracts.message import utc_now
from lovsvar_contracts.problems import ProblemError
from lovsvar_contracts.run_events import ReasonerConsulted

MAX_KEPT = 7_500
"""Characters of advice that are kept in the case."""

LIMITS = {"tokens": "kjøringen har brukt opp ordene sine", "cost": "kjøringen har brukt opp pengene sine"}
NO_TIME = "den svarte ikke i tide"
EMPTY = "svaret var tomt"
NOT_KEPT = "rådet kan ikke lagres i saken"


class NoAdvice(Exception):
    """There is no advice. Its words say why, in Norwegian."""


@dataclass
class Reasoner:
    """Consults a model in one run, counted in the run's usage. Advice is kept in the case.

    `law` is what advice is checked with; `seconds` is how long one consult may take, and `until` the time of the event
    loop after which none is made.
    """

    run: Run
    model: LanguageModel
    desk: CaseDesk
    law: LawAccess
    seconds: float
    until: float

    async def consult(
        self, call_id: str, summary: str, question: str, about_tool: str | None = None
    ) -> ReasonerConsulted:
        """Ask for advice, and tell of it in the run, also of a consult that fails."""
        began = time.perf_counter()
        fields = {"call_id": call_id, "question": question, "model": self.model.name, "about_tool": about_tool}
        told: dict[str, Any]
        try:
            advice, unsourced = await self._advice(summary, question)
            await self._keep(call_id, advice)
        except NoAdvice as exc:
            told = {"status": "error", "error_message": str(exc)}
        else:
            told = {"status": "success", "response": advice, "unsourced": unsourced}
        event = {**fields, **told, "ms": elapsed_ms(began)}
        await self.run.emit(ReasonerConsulted, **event)
        # Whoever takes the run over has the advice that was paid for, and that the case has kept.
        await self.run.settle()
        return ReasonerConsulted(run_id=self.run.asked.run_id, **event)

    async def _advice(self, summary: str, question: str) -> tuple[str, tuple[str, ...]]:
        loop = asyncio.get_running_loop()
        clock = asyncio.timeout_at(min(loop.time() + self.seconds, self.until))
        try:
            async with clock:
                details = await self._details()
                words = prompts.reasoner_question(details, self._sources(), summary, question)
                messages = [{"role": "system", "content": prompts.REASONER}, {"role": "user", "content": words}]
                # One for each consult: it says once what the run has spent before.
                speaker = Speaker(self.run, self.model, drafts=False)
                reply = await speaker.ask(Request(messages, max_tokens=self.run.limits.output_tokens))
                text = "\n".join(plain_excerpt(line) for line in reply.text.splitlines()).strip()
                if not text:
                    raise NoAdvice(EMPTY)
                return await checked_advice(text, self.law)
        except TimeoutError as exc:
            if not clock.expired():
                raise
            raise NoAdvice(NO_TIME) from exc
        except LimitReached as exc:
            raise NoAdvice(LIMITS.get(exc.limit, exc.limit)) from exc
        except ProblemError as exc:
            raise NoAdvice(exc.problem.detail) from exc

    async def _details(self) -> object:
        asked = self.run.asked
        result = await self.desk.call(asked, GET_DETAILS, {"case_id": asked.case_id}, "")
        if result.get("status") != "success":
            raise NoAdvice(str(result.get("error_message", "saken kan ikke leses")))
        return result["case_details"]

    def _sources(self) -> Iterator[str]:
        for evidence in self.run.evidence.all:
            text = self.run.evidence.text(evidence) or evidence.snippet
            yield fenced(text, id=evidence.evidence_id, navn=evidence.title)

    async def _keep(self, call_id: str, advice: str) -> None:
        """Keep advice in the case's log, once, as a version of its own."""
        asked = self.run.asked
        said = {
            "by": "reasoner",
            "text": advice[:MAX_KEPT],
            "timestamp": utc_now().isoformat(),
            "run_id": asked.run_id,
        }
        given = {"case_id": asked.case_id, "updates": {"agent_interactions.log": [said]}}
        try:
            result = await patiently(
                self.run.limits, lambda: self.desk.call(asked, UPDATE_DETAILS, given, f"{call_id}-advice")
            )
        except ProblemError as exc:
            raise NoAdvice(exc.problem.detail) from exc
        if result.get("status") != "success":
            raise NoAdvice(str(result.get("error_message", NOT_KEPT)))
