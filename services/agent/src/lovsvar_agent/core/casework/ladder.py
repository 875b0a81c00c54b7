"""What is done when a tool fails in a case: again, with corrected arguments; a consult; the person; the support.

Where a run is on the ladder follows from its log alone, so that whoever takes it over goes on at the same rung.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from lovsvar_agent.core.casework.own_tools import OWN_TOOLS
from lovsvar_agent.core.reasoning.toolkit import was_done_before
from lovsvar_contracts.run_events import ReasonerConsulted, RunEvent, StepStarted, ToolResult

RETRIES = 2
"""How often a tool that failed is called again before the reasoner is asked."""


class Rung(StrEnum):
    """What is to be done about a tool that failed."""

    RETRY = "retry"
    CONSULT = "consult"
    ASK = "ask"
    TICKET = "ticket"


@dataclass(frozen=True)
class Trouble:
    """How often a tool has failed in a row, with what words, and at which failure the reasoner was asked.

    Calls of one reply that fail together are one failure. `advised` is whether the reasoner answered.
    """

    failures: int = 0
    error: str = ""
    step: int = 0
    consulted_at: int | None = None
    advised: bool = False


@dataclass(frozen=True)
class Ladder:
    """The tools that fail in a run. `obstacle` is the one that the person was asked about in the message before."""

    obstacle: str | None = None
    troubles: Mapping[str, Trouble] = field(default_factory=dict)
    step: int = 0

    def after(self, event: RunEvent) -> "Ladder":
        """Return the ladder after an event of the run."""
        match event:
            case StepStarted():
                return replace(self, step=self.step + 1)
            case ToolResult(name=name) if name in OWN_TOOLS:
                return self
            case ToolResult(name=name, error=None):
                return replace(self, troubles={tool: one for tool, one in self.troubles.items() if tool != name})
            case ToolResult(name=name, error=str() as error) if not was_done_before(error):
                return self._failed(name, error)
            case ReasonerConsulted(about_tool=str() as tool, status=status):
                trouble = self.troubles.get(tool, Trouble())
                advised = replace(trouble, consulted_at=trouble.failures, advised=status == "success")
                return replace(self, troubles={**self.troubles, tool: advised})
        return self

    def _failed(self, tool: str, error: str) -> "Ladder":
        trouble = self.troubles.get(tool, Trouble())
        again = 0 if trouble.failures and trouble.step == self.step else 1
        failed = replace(trouble, failures=trouble.failures + again, error=error, step=self.step)
        return replace(self, troubles={**self.troubles, tool: failed})

    def rung(self, tool: str) -> Rung | None:
        """Return what is to be done about `tool` now; None when it works, or follows advice."""
        trouble = self.troubles.get(tool, Trouble())
        if not trouble.failures:
            return None
        if trouble.consulted_at is None:
            return Rung.RETRY if trouble.failures <= RETRIES else Rung.CONSULT
        if trouble.advised and trouble.failures == trouble.consulted_at:
            return None
        return Rung.TICKET if self.obstacle == tool else Rung.ASK

    def retry(self, tool: str) -> int | None:
        """Return the number of the retry that a call of `tool` is now; None for one that is none."""
        trouble = self.troubles.get(tool, Trouble())
        return trouble.failures if self.rung(tool) is Rung.RETRY else None
