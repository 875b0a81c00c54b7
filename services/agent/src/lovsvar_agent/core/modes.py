"""How a question is answered: by quotes, or with a language model."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from lovsvar_agent.core.earlier_turns import Turn
from lovsvar_agent.core.evidence import EvidenceRegistry
from lovsvar_agent.core.extractive.answer import Extractive
from lovsvar_agent.core.guidance.library import NO_GUIDANCE, Guidance
from lovsvar_agent.core.lifecycle import Strategy, carry_out
from lovsvar_agent.core.ports import EventSink, LanguageModel, LegalSearch, ProductSearch
from lovsvar_agent.core.reasoning.reasoned_answer import Reasoning
from lovsvar_agent.core.run import Limits, Run
from lovsvar_agent.core.takeover import Attempt
from lovsvar_agent.core.tools.registry import ToolRegistry
from lovsvar_contracts.questions import Mode, QuestionAsked


@dataclass(frozen=True)
class Answerer:
    """Answers questions in the mode they ask for, or in `mode`. Without a model every mode is extractive.

    `tools` returns what a run that begins may use; `guidance` is what Lovsvar itself says beside the law; `products`
    are what may be recommended beside it. `chosen` returns a mode that was chosen since the start, which comes before
    `mode`.
    """

    search: LegalSearch
    limits: Limits
    mode: Mode = Mode.EXTRACTIVE
    model: LanguageModel | None = None
    tools: Callable[[], ToolRegistry] = ToolRegistry
    guidance: Guidance = NO_GUIDANCE
    products: ProductSearch | None = None
    chosen: Callable[[], Mode | None] = lambda: None

    def mode_of(self, asked: QuestionAsked) -> Mode:
        """Return the mode that a question is answered in when there is a model."""
        return asked.mode or self.chosen() or self.mode

    async def answer(
        self, asked: QuestionAsked, attempt: Attempt, sink: EventSink, earlier: Sequence[Turn] = ()
    ) -> None:
        """Answer `asked` and emit every step; `earlier` is what it follows up, the latest last.

        Raises `RunStopped` when the run is closed or taken meanwhile.
        """
        tools = await self.tools().offered_for(asked)
        evidence = EvidenceRegistry(attempt.known, tools.kinds)
        run = Run(asked, attempt.number, sink, self.limits, evidence, earlier, attempt.spent)
        mode = self.mode_of(asked)
        strategy: Strategy
        if self.model is None or mode is Mode.EXTRACTIVE:
            strategy = Extractive(run, self.search, self.guidance, self.products)
        else:
            strategy = Reasoning(run, mode, self.search, self.model, tools, self.guidance, self.products)
        await carry_out(run, strategy, self.search)
