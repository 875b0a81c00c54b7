"""How a question is answered: by quotes, or with a language model."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from lovsvar_agent.core.casework.case_log import cut_calls
from lovsvar_agent.core.casework.case_run import CaseRun
from lovsvar_agent.core.casework.in_case import InCase
from lovsvar_agent.core.casework.reasoner import Reasoner
from lovsvar_agent.core.earlier_turns import Turn
from lovsvar_agent.core.evidence import EvidenceRegistry
from lovsvar_agent.core.extractive.answer import Extractive
from lovsvar_agent.core.guidance.library import NO_GUIDANCE, Guidance
from lovsvar_agent.core.lifecycle import Strategy, carry_out
from lovsvar_agent.core.ports import CaseDesk, EventSink, LanguageModel, LegalSearch, ProductSearch
from lovsvar_agent.core.reasoning.reasoned_answer import Reasoning
from lovsvar_agent.core.run import Limits, Run
from lovsvar_agent.core.takeover import Attempt
from lovsvar_agent.core.tools.law_access import LawAccess
from lovsvar_agent.core.tools.registry import OffersTools, ToolRegistry
from lovsvar_contracts.questions import Mode, QuestionAsked

CONSULTED_SHARE = 0.7
"""Share of a run's time after which the reasoner is asked no more; the rest is for the answer."""


@dataclass(frozen=True)
class Answerer:
    """Answers questions in the mode they ask for, or in `mode`. Without a model every mode is extractive.

    `tools` are what runs may use; `guidance` is what Lovsvar itself says beside the law; `products`
    are what may be recommended beside it. `chosen` returns a mode that was chosen since the start, which comes before
    `mode`. `case` is how the case of a message is reached, and `case_limits` how far its run may go; `reasoner` is the
    model that is consulted there, for at most `reasoner_seconds`, and `model` itself without it.
    """

    search: LegalSearch
    limits: Limits
    mode: Mode = Mode.EXTRACTIVE
    model: LanguageModel | None = None
    tools: OffersTools = field(default_factory=ToolRegistry)
    guidance: Guidance = NO_GUIDANCE
    products: ProductSearch | None = None
    chosen: Callable[[], Mode | None] = lambda: None
    case: CaseDesk | None = None
    case_limits: Limits | None = None
    reasoner: LanguageModel | None = None
    reasoner_seconds: float = 60.0

    def mode_of(self, asked: QuestionAsked) -> Mode:
        """Return the mode that a question is answered in when there is a model."""
        return asked.mode or self.chosen() or self.mode

    async def answer(
        self, asked: QuestionAsked, attempt: Attempt, sink: EventSink, earlier: Sequence[Turn] = ()
    ) -> None:
        """Answer `asked` and emit every step; `earlier` is what it follows up, the latest last.

        Raises `RunStopped` when the run is closed or taken meanwhile.
        """
        tools = await self.tools.offered_for(asked)
        evidence = EvidenceRegistry(attempt.known, tools.kinds)
        limits = self.case_limits if self.case_limits and _is_in_case(asked) else self.limits
        run = Run(asked, attempt.number, sink, limits, evidence, earlier, attempt.spent)
        model = None if self.mode_of(asked) is Mode.EXTRACTIVE else self.model
        case = self._case_of(run, attempt, tools, model)
        strategy = self._strategy(run, case.tools if case else tools, model, case)
        await carry_out(run, InCase(run, strategy, case, model) if case else strategy, self.search)

    def _strategy(self, run: Run, tools: ToolRegistry, model: LanguageModel | None, case: CaseRun | None) -> Strategy:
        if model is None:
            return Extractive(run, self.search, self.guidance, self.products)
        mode = self.mode_of(run.asked)
        reasoning = Reasoning(run, mode, self.search, model, tools, self.guidance, self.products)
        return reasoning.within(case) if case else reasoning

    def _case_of(self, run: Run, attempt: Attempt, tools: ToolRegistry, model: LanguageModel | None) -> CaseRun | None:
        """Return the work of a run in its case; None for a question that is in none."""
        asked, limits = run.asked, run.limits
        if self.case is None or not _is_in_case(asked):
            return None
        until = asyncio.get_running_loop().time() + CONSULTED_SHARE * limits.seconds
        reasoner = None
        if model is not None:
            law = LawAccess(self.search, run.evidence, replace(limits, patience=0.0), asked, until)
            reasoner = Reasoner(run, self.reasoner or model, self.case, law, self.reasoner_seconds, until)
        return CaseRun(run, self.case, reasoner, tools, attempt.log, cut_calls(attempt.before))


def _is_in_case(asked: QuestionAsked) -> bool:
    return asked.case_id is not None and asked.grant is not None
