"""One call of the model: streamed, counted, tried again."""

import contextlib
from functools import partial

from lovsvar_agent.core.errors import LimitReached
from lovsvar_agent.core.ports import LanguageModel, Request
from lovsvar_agent.core.reasoning.conversation import CHARACTERS_A_TOKEN, estimated_tokens
from lovsvar_agent.core.reasoning.final import Draft
from lovsvar_agent.core.reasoning.replies import Reply, ReplyBuilder, Spent
from lovsvar_agent.core.run import Run, patiently
from lovsvar_contracts.problems import Problem, ProblemError, ProblemType
from lovsvar_contracts.run_events import AnswerDelta, UsageUpdated

TRIES = 2
"""How often a call is made whose stream broke; servers that are busy are tried again below this."""


class Speaker:
    """Asks one model for one run, sends the draft of its answer, and counts what it costs."""

    def __init__(self, run: Run, model: LanguageModel, *, drafts: bool = True) -> None:
        """Without `drafts` nothing of a reply is shown: it is no answer to the person."""
        self._run = run
        self._drafts = drafts
        self._model = model
        self._drafted = False
        self._unsent = False
        self._spent_before = self.spent

    @property
    def spent(self) -> str | None:
        """The limit that the run has come to by what it asked the model, if it has."""
        usage, limits = self._run.usage, self._run.limits
        if usage.input_tokens + usage.output_tokens >= limits.tokens:
            return "tokens"
        return "cost" if usage.cost_usd >= limits.cost_usd else None

    def check_budget(self) -> None:
        """Raise `LimitReached` when the run has used its tokens or its money."""
        if self.spent:
            raise LimitReached(self.spent)

    async def ask(self, request: Request) -> Reply:
        """Return the model's reply; an answer in it is sent as a draft while it comes.

        Every call is counted and sent as `usage.updated`, also one that fails. A server that is not ready, since it
        loads its model, is waited for within the run's patience. Raises `ProblemError`, and `LimitReached` when earlier
        attempts at the run have used its tokens or its money: then not even a last word is asked for.
        """
        if self._spent_before:
            raise LimitReached(self._spent_before)
        for left in reversed(range(TRIES)):
            builder = ReplyBuilder()
            try:
                await patiently(self._run.limits, partial(self._stream, request, builder), _is_not_ready)
            except ProblemError as exc:
                waited = _is_not_ready(exc.problem)
                self._add(request, builder, refused=waited or not exc.problem.retryable)
                await self.settle()
                if not builder.finish and (waited or not (left and exc.problem.retryable)):
                    raise
                if not builder.finish:
                    continue
            except BaseException:
                self._add(request, builder)
                raise
            else:
                self._add(request, builder)
                await self.settle()
            return builder.build()
        raise AssertionError("unreachable")

    async def settle(self) -> None:
        """Send what calls have cost that was not sent yet, such as that of one that the clock stopped."""
        if self._unsent:
            self._unsent = False
            await self._run.emit(UsageUpdated, usage=self._run.usage)

    async def _stream(self, request: Request, builder: ReplyBuilder) -> None:
        draft = Draft()
        # A run that was stopped or taken over meanwhile pays for no more.
        await self._run.confirm()
        async with contextlib.aclosing(self._model.reply(request)) as chunks:
            async for chunk in chunks:
                builder.add(chunk)
                await self._send(draft, draft.more(builder))
                if builder.size > 2 * request.max_tokens * CHARACTERS_A_TOKEN:
                    builder.finish = "length"
                    break
        await self._send(draft, draft.more(builder, ended=True))

    async def _send(self, draft: Draft, text: str) -> None:
        # A draft is shown before anything is checked; one that may name products is shown when it is.
        if self._drafts and text and not any(evidence.catalogue for evidence in self._run.evidence.all):
            restart = self._drafted and draft.sent == text
            self._drafted = True
            await self._run.emit(AnswerDelta, text=text, restart=restart)

    def _add(self, request: Request, builder: ReplyBuilder, *, refused: bool = False) -> None:
        self._unsent = True
        usage = self._run.usage
        # A server that refuses a request has read nothing of it.
        spent = builder.spent or (Spent(0, 0) if refused and not builder.size else _estimate(request, builder))
        self._run.usage = usage.model_copy(
            update={
                "model_calls": usage.model_calls + 1,
                "input_tokens": usage.input_tokens + spent.input_tokens,
                "output_tokens": usage.output_tokens + spent.output_tokens,
                "cost_usd": round(usage.cost_usd + self._model.cost(spent.input_tokens, spent.output_tokens), 6),
                "estimated": usage.estimated or (builder.spent is None and spent != Spent(0, 0)),
            }
        )


def _is_not_ready(problem: Problem) -> bool:
    return problem.type is ProblemType.NOT_READY


def _estimate(request: Request, builder: ReplyBuilder) -> Spent:
    sent = sum(estimated_tokens(str(part)) for part in (*request.messages, *request.tools))
    return Spent(sent, -(-builder.size // CHARACTERS_A_TOKEN))
