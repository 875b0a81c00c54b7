"""One run's work in a case: its tools, what is done when one fails, and what its answer tells besides the law."""

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from lovsvar_agent.core.answer_parts import remark
from lovsvar_agent.core.casework import prompts
from lovsvar_agent.core.casework.case_log import CaseLog, calls_of, log_of
from lovsvar_agent.core.casework.case_tools import ask_tool, consult_tool
from lovsvar_agent.core.casework.ladder import Rung
from lovsvar_agent.core.casework.own_tools import ASK_USER, CREATE_TICKET
from lovsvar_agent.core.casework.phrases import WORDINGS
from lovsvar_agent.core.casework.reasoner import Reasoner
from lovsvar_agent.core.errors import HandedOver
from lovsvar_agent.core.ports import CaseDesk
from lovsvar_agent.core.reasoning.arguments import Misunderstood
from lovsvar_agent.core.reasoning.toolkit import CallWatch, EarlierCall
from lovsvar_agent.core.run import Run, patiently
from lovsvar_agent.core.tools.registry import ToolRegistry
from lovsvar_contracts.blocks import AnswerBlock
from lovsvar_contracts.problems import ProblemError
from lovsvar_contracts.run_events import ReasonerConsulted, RunEvent, TicketCreated, ToolRetried, UserAsked
from lovsvar_legaltext.language import language_of

MAX_ERROR = 300
NOTED = (
    "Spørsmålet er stilt, og vises under svaret. Gi nå svaret med det kildene sier så langt; er det ikke mer å si, "
    "la answer være tom."
)
ONE_QUESTION = "Du har alt stilt et spørsmål: «{question}». Still ett om gangen."

_MESSAGE = re.compile(r'"(?:error_message|message)"\s*:\s*"((?:[^"\\]|\\.)*)"?')


class CaseRun(CallWatch):
    """The work of one run in a case. What it has come to is read from the run's log, so that another can go on."""

    def __init__(
        self,
        run: Run,
        desk: CaseDesk,
        reasoner: Reasoner | None,
        tools: ToolRegistry,
        log: Sequence[RunEvent] = (),
        cut: Sequence[EarlierCall] = (),
    ) -> None:
        """`log` are the run's events so far, `cut` the calls of the run before it, which a limit ended."""
        self.desk = desk
        self.log: CaseLog = log_of(log)
        self.earlier_calls = (*cut, *calls_of(log))
        self.tier: int | None = None
        self._no_ticket = False
        self._run = run
        self._reasoner = reasoner
        self._wording = WORDINGS[language_of(run.asked.question, run.asked.locale)]
        self._advice: dict[str, ReasonerConsulted] = {
            one.call_id: one.guidance for one in self.earlier_calls if one.guidance is not None
        }
        self._asked = {one.call_id for one in self.earlier_calls if one.asked}
        own = (consult_tool(self._consult), ask_tool(self._ask)) if reasoner else ()
        self.tools = ToolRegistry((*tools.tools.values(), *own), tools.kinds)
        self._titles = {name: tool.title for name, tool in self.tools.tools.items()}
        run.hear = self.log.hear

    def enter(self, tier: int | None, obstacle: str | None) -> None:
        """Begin the work: on a case of a tier, where the message before asked about a tool, the `obstacle`."""
        self.tier = tier
        self.log.ladder = replace(self.log.ladder, obstacle=obstacle)

    @property
    def owes_ticket(self) -> bool:
        """Whether the support is asked for help next, or was by an attempt that died before it could say so."""
        ladder = self.log.ladder
        return self.log.ticket is None and any(ladder.rung(name) is Rung.TICKET for name in ladder.troubles)

    @property
    def instructions(self) -> str:
        """What is added to the instructions of the assistant."""
        return prompts.assistant(self._run.asked.case_id or "", self.tier)

    async def calling(self, name: str, call_id: str) -> None:
        """Tell of a call that is a retry."""
        if number := self.log.ladder.retry(name):
            error = self._error(name)
            await self._run.emit(ToolRetried, call_id=call_id, name=name, attempt=number, error=error)

    async def called(self, name: str) -> str:
        """Take the next rung for a tool that failed; return what the assistant is told. Raises `HandedOver`."""
        said = ""
        while not self.log.handed_over:
            match self.log.ladder.rung(name):
                case None:
                    return said
                case Rung.RETRY:
                    return prompts.retry(self.log.ladder.troubles[name].failures)
                case Rung.CONSULT:
                    said = await self._consult_about(name)
                case Rung.ASK:
                    await self._ask_about(name)
                case Rung.TICKET:
                    await self._create_ticket(name)
        raise HandedOver

    async def catch_up(self) -> str:
        """Take the rungs that an attempt before left before it could; return what the assistant is told."""
        if self.log.handed_over:
            raise HandedOver
        said = [await self.called(name) for name in tuple(self.log.ladder.troubles)]
        return "\n".join(filter(None, said))

    async def _consult(self, call_id: str, summary: str, question: str) -> ReasonerConsulted:
        """Return advice; what an earlier attempt got is not asked for again."""
        if (known := self._advice.get(call_id)) is not None:
            return known
        if self._reasoner is None:
            raise Misunderstood("Det er ingen fagmodell å spørre.")
        return await self._reasoner.consult(call_id, summary, question)

    async def _consult_about(self, name: str) -> str:
        """Consult about a tool that fails. A run without a reasoner tells that, too."""
        title, error = self._titles.get(name, name), self._error(name)
        summary, question = prompts.about_failure(title, error)
        call_id = f"{name}-failed"
        if self._reasoner is None:
            fields = {"status": "error", "error_message": "den er ikke satt opp", "model": "", "about_tool": name}
            await self._run.emit(ReasonerConsulted, call_id=call_id, question=question, **fields)
            return ""
        found = await self._reasoner.consult(call_id, summary, question, about_tool=name)
        return prompts.advised(found.response) if found.status == "success" else ""

    async def _ask(self, call_id: str, question: str) -> str:
        """Ask the person, once in a run; return what the assistant is told."""
        if self.log.asked is not None and call_id not in self._asked:
            raise Misunderstood(ONE_QUESTION.format(question=self.log.asked.question))
        if self.log.asked is None:
            await self._note(f"{ASK_USER}-waits", step="waiting", waiting_for=question)
            await self._run.emit(UserAsked, question=question)
        return NOTED

    async def _ask_about(self, name: str) -> None:
        question = self._wording.stuck.format(title=self._titles.get(name, name), error=self._error(name))
        with_tool = {"step": "waiting", "waiting_for": question, "about_tool": name}
        await self._note(f"{name}-waits", **with_tool)
        await self._run.emit(UserAsked, question=question, about_tool=name)

    async def _create_ticket(self, name: str) -> None:
        asked, title = self._run.asked, self._titles.get(name, name)
        issue = (
            f"«{title}» ({name}) feiler i saken. Forsøkt: to nye forsøk, råd fra fagmodellen, spørsmål til brukeren. "
            f"Siste feil: {self._error(name)}"
        )
        snapshot = {"run_id": asked.run_id, "tool": name, "failures": self.log.ladder.troubles[name].failures}
        given = {"case_id": asked.case_id, "issue_description": issue, "agent_state_snapshot": snapshot}
        await self._run.settle()
        try:
            result = await patiently(
                self._run.limits, lambda: self.desk.call(asked, CREATE_TICKET, given, f"{name}-ticket")
            )
        except ProblemError:
            result = {}
        if "ticket_id" not in result:
            self._no_ticket = True
            raise HandedOver
        await self._run.emit(TicketCreated, ticket_id=result["ticket_id"], about_tool=name)

    async def ask_about_tier(self, question: str) -> None:
        """Ask the person what decides the tier, once."""
        if self.log.asked is None:
            await self._note("tier-waits", step="tier", waiting_for=question)
            await self._run.emit(UserAsked, question=question)

    async def note_cut(self) -> None:
        """Note in the case that a limit ended the work, which the next message goes on with."""
        await self._note("cut", step="cut")

    async def _note(self, call_id: str, **given: Any) -> None:
        asked = self._run.asked
        await self._run.settle()
        try:
            await patiently(self._run.limits, lambda: self.desk.call(asked, "note_case_work", given, call_id))
        except ProblemError:
            # The question itself is in the run's log and in its answer.
            return

    def _error(self, name: str) -> str:
        """Return a tool's last error in words, also one that came as JSON."""
        error = self.log.ladder.troubles[name].error
        if found := _MESSAGE.search(error):
            try:
                error = str(json.loads(f'"{found[1]}"'))
            except ValueError:
                error = found[1]
        return error[:MAX_ERROR]

    def notes(self, limit: str | None) -> tuple[list[AnswerBlock], list[AnswerBlock]]:
        """Return what the answer tells before and after what it says of the law."""
        log, wording = self.log, self._wording
        before: list[AnswerBlock] = [remark(wording.no_advice.format(why=why)) for why in log.failed_consults[:1]]
        after: list[AnswerBlock] = [
            remark(wording.draft.format(name=name, revision=revision)) for name, revision in log.drafts.items()
        ]
        if log.asked is not None:
            after.append(remark(log.asked.question))
        if log.ticket is not None:
            after.append(remark(wording.ticket.format(ticket=log.ticket.ticket_id)))
        after += [remark(wording.no_ticket)] if self._no_ticket else []
        after += [remark(wording.go_on)] if limit else []
        return before, after
