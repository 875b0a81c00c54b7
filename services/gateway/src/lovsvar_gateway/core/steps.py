"""The steps of a run as a reader follows them, from its events. `static/steps.js` does the same for an open run."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, get_args

from lovsvar_contracts import run_events
from lovsvar_contracts.questions import Evidence

MAX_ASKED = 300  # characters that are shown of what a tool was called with

EVENT_TYPES: tuple[str, ...] = tuple(
    get_args(event.model_fields["type"].annotation)[0] for event in get_args(get_args(run_events.RunEvent)[0])
)
"""The type of every event of a run, which is its name in a stream."""

UNTOLD = frozenset({"run.accepted", "answer.delta", "usage.updated", *run_events.CLOSING})
"""Events that are no line of a step."""

_SUBTITLE = re.compile(r" [–-] ")


@dataclass(frozen=True)
class Line:
    """An event of a step. A tool call has its arguments in words, its result; an unknown one its own words."""

    event: run_events.RunEvent
    asked: str = ""
    said: str = ""
    result: run_events.ToolResult | None = None


@dataclass(frozen=True)
class Step:
    """A step; `ms` is None while it goes on. One without a name says that another agent began again."""

    number: int
    name: str
    title: str
    ms: float | None = None
    lines: tuple[Line, ...] = ()


def tell(events: Iterable[run_events.RunEvent]) -> "Story":
    """Return the story of a run's `events`, which may end anywhere."""
    story = Story()
    for event in events:
        story.hear(event)
    return story


def name_of(evidence: Evidence) -> str:
    """Return what a source is called in a line: its act and its number."""
    if not evidence.section:
        return evidence.title
    return f"{_SUBTITLE.split(evidence.act)[0]} {evidence.title.split('. ')[0]}"


class Story:
    """The steps so far, their time in milliseconds, and the model; "extractive" is none."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.model = ""
        self.ms = 0.0
        self._began: float | None = None
        self._names: dict[tuple[str, str], str] = {}

    @property
    def count(self) -> int:
        """How many steps there are; a repeated one counts once."""
        return len({step.number for step in self.steps if step.name})

    def hear(self, event: run_events.RunEvent) -> None:
        """Add what `event` says."""
        match event:
            case run_events.RunStarted():
                self.model = event.model
                self._began = self._began or event.ts.timestamp()
                if event.attempt > 1:
                    self.steps = [replace(s, ms=s.ms or 0.0) for s in self.steps]
                    self.steps.append(Step(0, "", "", 0.0))
            case run_events.StepStarted():
                self.steps.append(Step(event.step, event.name, event.title))
            case run_events.StepFinished():
                self._finish(event)
                self._count_to(event)
            case run_events.SourcesFound():
                self._names |= {(e.refid, e.section): name_of(e) for e in event.evidence if e.refid and e.section}
                self._add(Line(event))
            case run_events.ToolCalled():
                self._add(Line(event, asked=self._asked(event.arguments)))
            case run_events.ToolResult():
                self._answer(event)
            case run_events.CitationVerified() | run_events.CitationRejected():
                self._add(Line(event))
            case run_events.AnswerCompleted():
                self._count_to(event)
            case _ if event.type not in UNTOLD:
                self._add(Line(event, said=getattr(event, "text", "") or event.type))

    def _add(self, line: Line) -> None:
        if self.steps:
            self.steps[-1] = replace(self.steps[-1], lines=(*self.steps[-1].lines, line))

    def _answer(self, result: run_events.ToolResult) -> None:
        def answered(line: Line) -> Line:
            called = isinstance(line.event, run_events.ToolCalled) and line.event.call_id == result.call_id
            return replace(line, result=result) if called else line

        self.steps = [replace(step, lines=tuple(map(answered, step.lines))) for step in self.steps]

    def _finish(self, finished: run_events.StepFinished) -> None:
        for at, step in reversed(list(enumerate(self.steps))):
            if step.number == finished.step:
                self.steps[at] = replace(step, ms=finished.ms)
                return

    def _count_to(self, event: run_events.RunEvent) -> None:
        if self._began is not None:
            self.ms = max(0.0, (event.ts.timestamp() - self._began) * 1000)

    def _asked(self, arguments: Mapping[str, Any]) -> str:
        said: list[str] = []
        for name, value in arguments.items():
            if name in ("query", "reference"):
                said.append(f"«{value}»")
            elif name == "provisions" and isinstance(value, list):
                said.append(", ".join(self._name(given) for given in value))
            elif name in ("document", "section", "chapter"):
                said.append(str(value))
            elif name not in ("page", "pageSize") and not isinstance(value, list | dict) and value is not None:
                said.append(f"({name}: {value})")
        words = " ".join(said)
        return words if len(words) <= MAX_ASKED else f"{words[:MAX_ASKED]}…"

    def _name(self, given: object) -> str:
        if not isinstance(given, Mapping):
            return str(given)
        document, section = str(given.get("document", "")), str(given.get("section", ""))
        return self._names.get((document, section)) or f"{document} {section}".strip()
