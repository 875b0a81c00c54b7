"""Runs of questions with a model, recorded so that they can be answered again without the model and without search.

A record holds what the model replied and what search found, in order. Played back, the agent's own code of today reads
the same replies and checks them against the same law, so that a change of the checks is measured on the same answers.
"""

import json
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lovsvar_agent.adapters.memory_sink import MemorySink
from lovsvar_agent.core.errors import Misread
from lovsvar_agent.core.guidance.library import Guidance
from lovsvar_agent.core.modes import Answerer
from lovsvar_agent.core.ports import LanguageModel, LegalSearch, Request
from lovsvar_agent.core.reasoning.replies import ReplyBuilder
from lovsvar_agent.core.run import Limits
from lovsvar_agent.core.takeover import Attempt
from lovsvar_agent.core.tools.registry import ToolRegistry, own_tools
from lovsvar_contracts.message import Message
from lovsvar_contracts.problems import Problem, ProblemError, ProblemType
from lovsvar_contracts.questions import Answer, Mode, QuestionAsked
from lovsvar_contracts.run_events import AnswerCompleted, RunFailed
from lovsvar_contracts.search import CorpusStatus, Outline, ProvisionHits, Provisions, Resolution

REPLIES: Mapping[str, type[Message]] = {
    "find": ProvisionHits,
    "read": Provisions,
    "resolve": Resolution,
    "outline": Outline,
    "status": CorpusStatus,
}
ENVELOPE = {"event_id", "occurred_at", "correlation_id"}

Said = dict[str, Any]
"""A model's reply, or its failure."""


@dataclass
class RecordingModel(LanguageModel):
    """A model whose replies are kept in `said`."""

    model: LanguageModel
    said: list[Said] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The model's name."""
        return self.model.name

    def cost(self, input_tokens: int, output_tokens: int) -> float:
        """Return what the model costs."""
        return self.model.cost(input_tokens, output_tokens)

    async def reply(self, request: Request) -> AsyncGenerator[Mapping[str, Any], None]:
        """Yield what the model does."""
        builder = ReplyBuilder()
        try:
            async for chunk in self.model.reply(request):
                builder.add(chunk)
                yield chunk
        except ProblemError as exc:
            problem = exc.problem.model_dump(mode="json")
            self.said.append({"problem": problem, "misread": isinstance(exc, Misread)})
            raise
        reply = builder.build()
        spent = reply.spent
        self.said.append(
            {
                "text": builder.written,
                "calls": [[call.name, call.arguments] for call in reply.calls],
                "finish": reply.finish,
                "spent": [spent.input_tokens, spent.output_tokens] if spent else None,
            }
        )


@dataclass
class RecordedModel:
    """A model that says again what was recorded."""

    name: str
    said: Sequence[Said]
    at: int = 0

    def cost(self, input_tokens: int, output_tokens: int) -> float:
        """Return nothing: it was paid before."""
        return 0.0

    async def reply(self, request: Request) -> AsyncGenerator[Mapping[str, Any], None]:
        """Yield the next reply. Raises `ProblemError`, also when there is no more."""
        said = self.said[self.at] if self.at < len(self.said) else {"problem": NO_MORE.model_dump(), "misread": False}
        self.at += 1
        if "problem" in said:
            problem = Problem.model_validate(said["problem"])
            raise Misread(problem) if said["misread"] else ProblemError(problem)
        calls = [
            {"index": n, "id": f"id-{n}", "function": {"name": name, "arguments": arguments}}
            for n, (name, arguments) in enumerate(said["calls"])
        ]
        delta = {"content": said["text"], "tool_calls": calls}
        chunk: dict[str, Any] = {"choices": [{"delta": delta, "finish_reason": said["finish"]}]}
        if said["spent"]:
            chunk["usage"] = {"prompt_tokens": said["spent"][0], "completion_tokens": said["spent"][1]}
        yield chunk


NO_MORE = Problem(type=ProblemType.UNAVAILABLE, title="No more", detail="Mer ble ikke spilt inn.", retryable=False)


@dataclass
class RecordingSearch:
    """`LegalSearch` whose replies are kept in `found`, by what was asked."""

    law: LegalSearch
    found: dict[str, Any] = field(default_factory=dict)

    def __getattr__(self, name: str) -> Any:
        if name not in REPLIES:
            raise AttributeError(name)

        async def ask(request: Message) -> Message:
            reply: Message = await getattr(self.law, name)(request)
            self.found[_key(name, _asked(request))] = reply.model_dump(mode="json")
            return reply

        return ask


@dataclass
class RecordedSearch:
    """`LegalSearch` that finds again what was recorded; what was never asked is asked of `law`, or not there."""

    found: Mapping[str, Any]
    law: LegalSearch | None = None

    def __post_init__(self) -> None:
        parts = ((*key.partition(" "), reply) for key, reply in self.found.items())
        self.found = {_key(name, json.loads(asked)): reply for name, _, asked, reply in parts}

    def __getattr__(self, name: str) -> Any:
        if name not in REPLIES:
            raise AttributeError(name)

        async def ask(request: Message) -> Message:
            reply = self.found.get(_key(name, _asked(request)))
            if reply is None and self.law is not None:
                asked_now: Message = await getattr(self.law, name)(request)
                return asked_now
            if reply is None:
                raise ProblemError(NO_MORE)
            return REPLIES[name].model_validate(reply)

        return ask


@dataclass(frozen=True)
class Recorded:
    """One question with its labels, how it was answered, and what was said and found."""

    row: Mapping[str, Any]
    mode: Mode
    model: str
    seconds: float
    cost_usd: float
    said: Sequence[Said]
    found: Mapping[str, Any]

    def line(self) -> str:
        """Return the record as a line of JSON."""
        return json.dumps({**self.__dict__, "mode": self.mode.value}, ensure_ascii=False)

    @staticmethod
    def read(path: Path) -> "list[Recorded]":
        """Return the records of a file; a line that was cut off is passed over."""
        records = []
        for line in path.read_text(encoding="utf-8").splitlines():
            try:
                fields = json.loads(line)
            except ValueError:
                continue
            records.append(Recorded(**{**fields, "mode": Mode(fields["mode"])}))
        return records


async def answered(
    question: str, mode: Mode, search: LegalSearch, model: LanguageModel, guidance: Guidance, limits: Limits
) -> Answer | str:
    """Return the agent's answer, or why the run failed."""
    sink = MemorySink()
    tools = ToolRegistry(own_tools(None))
    answerer = Answerer(search, limits, mode=mode, model=model, tools=tools, guidance=guidance)
    await answerer.answer(QuestionAsked(question=question), Attempt(), sink)
    failure = next((e.detail for e in sink.events if isinstance(e, RunFailed)), "")
    return next((e.answer for e in sink.events if isinstance(e, AnswerCompleted)), failure)


async def played(record: Recorded, guidance: Guidance, limits: Limits, law: LegalSearch | None = None) -> Answer | str:
    """Answer a recorded question again, by today's code. What it searches for and was not recorded, `law` finds."""
    model = RecordedModel(record.model, record.said)
    search: Any = RecordedSearch(record.found, law)
    return await answered(record.row["question"], record.mode, search, model, guidance, limits)


def _asked(request: Message) -> Mapping[str, Any]:
    return request.model_dump(mode="json", exclude=ENVELOPE)


def _key(name: str, asked: Mapping[str, Any]) -> str:
    """Return what was asked without what asks for nothing, so that a demand added to a request spoils no record."""
    demands = {field: value for field, value in asked.items() if value not in (None, False, "", [])}
    return f"{name} {json.dumps(demands, sort_keys=True, ensure_ascii=False)}"
