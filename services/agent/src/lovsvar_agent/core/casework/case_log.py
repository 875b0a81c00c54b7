"""What the log of a run says of its work in a case: rungs, calls, and what its answer has to tell."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from lovsvar_agent.core.casework.ladder import Ladder
from lovsvar_agent.core.casework.own_tools import ASK_USER, GENERATE_DRAFT, OWN_TOOLS, SET_TIER
from lovsvar_agent.core.reasoning.toolkit import EarlierCall, was_done_before
from lovsvar_agent.core.tools.law_search import LAW_SEARCH
from lovsvar_contracts.run_events import (
    ReasonerConsulted,
    RunEvent,
    RunFailed,
    RunLimitReached,
    RunStarted,
    TicketCreated,
    ToolCalled,
    ToolResult,
    UserAsked,
)


@dataclass
class CaseLog:
    """What happened so far; `hear` is told of every event, those of earlier attempts first."""

    ladder: Ladder = field(default_factory=Ladder)
    asked: UserAsked | None = None
    ticket: TicketCreated | None = None
    failed_consults: list[str] = field(default_factory=list)
    drafts: dict[str, int] = field(default_factory=dict)
    tier_set: bool = False
    _calls: dict[str, ToolCalled] = field(default_factory=dict)

    def hear(self, event: RunEvent) -> None:
        """Note what `event` says."""
        self.ladder = self.ladder.after(event)
        match event:
            case ToolCalled():
                self._calls[event.call_id] = event
                self.tier_set = self.tier_set or event.name == SET_TIER
            case ToolResult(call_id=call_id, name=name, error=None) if name == GENERATE_DRAFT:
                self._note_draft(self._calls.get(call_id))
            case UserAsked():
                self.asked = event
            case TicketCreated():
                self.ticket = event
            case ReasonerConsulted(status="error", error_message=why):
                self.failed_consults.append(why or "")

    def _note_draft(self, call: ToolCalled | None) -> None:
        given: Any = call.arguments if call else {}
        name, revision = given.get("draft_name"), given.get("revision")
        if isinstance(name, str):
            self.drafts[name] = revision if isinstance(revision, int) else 1

    @property
    def handed_over(self) -> bool:
        """Whether the run is over for the model, since it waits for the person or for the support."""
        return self.ticket is not None or (self.asked is not None and self.asked.about_tool is not None)

    @property
    def suffices(self) -> bool:
        """Whether there is something to tell without an answer about law."""
        return self.ticket is not None or self.asked is not None or bool(self.drafts)


def log_of(events: Iterable[RunEvent]) -> CaseLog:
    """Return what these events say."""
    log = CaseLog()
    for event in events:
        log.hear(event)
    return log


def calls_of(events: Sequence[RunEvent]) -> tuple[EarlierCall, ...]:
    """Return the calls of tools that a run has made, in order, with what came of each.

    The first search of each attempt is no model's: it is that for the question. A call that was cut off has no result.
    """
    made: dict[str, EarlierCall] = {}
    searched = False
    for event in events:
        match event:
            case RunStarted():
                searched = False
            case ToolCalled(name=name, call_id=call_id, arguments=arguments):
                if name == LAW_SEARCH.name and not searched:
                    searched = True
                else:
                    made[call_id] = EarlierCall(event.run_id, call_id, name, arguments)
            case ReasonerConsulted(call_id=call_id) if call_id in made:
                made[call_id].guidance = event
            case ToolResult(call_id=call_id, error=error) if call_id in made:
                if error and was_done_before(error):
                    del made[call_id]
                else:
                    made[call_id].ended, made[call_id].error = True, error
            case UserAsked(about_tool=None):
                for one in made.values():
                    one.asked = one.asked or one.name == ASK_USER
    return tuple(made.values())


def cut_calls(events: Sequence[RunEvent]) -> tuple[EarlierCall, ...]:
    """Return the calls of a run that a limit ended, or that failed; none of another run.

    One that was still out then may have been carried out: it is sent again as the same call, and counts as ended, since
    its run is closed. Of the agent's own tools, those alone are kept that came to an end.
    """
    if not events or not isinstance(events[-1], RunLimitReached | RunFailed):
        return ()
    calls = tuple(one for one in calls_of(events) if one.ended or one.name not in OWN_TOOLS)
    for one in calls:
        one.ended = True
    return calls
