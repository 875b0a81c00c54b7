"""The two states, model and tools, and the limits that end them."""

import json
from collections.abc import Callable, Sequence

from lovsvar_agent.core.casework.case_run import CaseRun
from lovsvar_agent.core.errors import HandedOver, LimitReached
from lovsvar_agent.core.ports import Request
from lovsvar_agent.core.reasoning import prompts
from lovsvar_agent.core.reasoning.conversation import Conversation
from lovsvar_agent.core.reasoning.final import Final, final_of, plain
from lovsvar_agent.core.reasoning.model_call import Speaker
from lovsvar_agent.core.reasoning.replies import Call, Reply
from lovsvar_agent.core.reasoning.toolkit import Toolkit
from lovsvar_agent.core.reasoning.turns import Accept, Progress, Push, UseTools
from lovsvar_agent.core.run import Run
from lovsvar_agent.core.tools.answer_form import ANSWER_SCHEMA
from lovsvar_agent.core.tools.law_search import LAW_SEARCH
from lovsvar_contracts.problems import ProblemError, ProblemType

LEAST_ROOM = 500
"""Tokens of a conversation that is not made shorter any more."""

MAX_CUT_OFF = 2
"""How often a reply is asked for again that was cut off since the model's context was full."""


class Loop:
    """One conversation with a model about one question.

    It begins with a search for the question as it is, so that the model never has to be asked for one, and what it
    answers rests on something found.
    """

    def __init__(
        self,
        run: Run,
        speaker: Speaker,
        toolkit: Toolkit,
        conversation: Conversation,
        case: CaseRun | None = None,
        on_searched: Callable[[], None] = lambda: None,
    ) -> None:
        """`on_searched` is called when the question was searched for, before the model is asked."""
        self._run = run
        self._speaker = speaker
        self._toolkit = toolkit
        self._conversation = conversation
        self._tools = toolkit.registry
        self._case = case
        self._on_searched = on_searched
        self._progress = Progress(self._tools.tools, lambda: case is not None and case.log.suffices)
        self._last: Reply | None = None
        self._room = run.limits.context_tokens
        self._offers = False
        self.searched = False
        """Whether the question was searched for, found or not."""

    async def investigate(self, question: str) -> Final:
        """Search, and let the model search on until it answers. Raises `LimitReached`, `ProblemError`.

        In a case that waits for a person the model is asked no more, and has said nothing.
        """
        self._offers = True
        try:
            return await self._investigate(question)
        except HandedOver:
            await self._run.close_step()
            return Final("")

    async def _investigate(self, question: str) -> Final:
        await self.search(question)
        if self._case:
            await self._go_on(self._case)
        for _ in range(self._run.limits.rounds):
            self._speaker.check_budget()
            async with self._run.step("model", "Vurderer spørsmålet og kildene"):
                reply = await self._ask(calls=True)
            match self._progress.next_turn(reply):
                case Accept(final):
                    self._last = reply
                    return final
                case Push(word):
                    self._conversation.exchange(_said(reply), word)
                case UseTools(calls):
                    await self._use(reply, calls)
        raise LimitReached("rounds")

    async def _go_on(self, case: CaseRun) -> None:
        """Bring the conversation to where the work on a case was cut off: calls are not made by the model again."""
        if case.earlier_calls:
            async with self._run.step("resumed", "Går videre der arbeidet ble avbrutt"):
                for one in case.earlier_calls:
                    if one.name in self._tools.tools:
                        call, result = await self._toolkit.again(one)
                        self._conversation.call("", call, one.arguments, result)
        if said := await case.catch_up():
            self._conversation.say(said)

    async def search_and_ask(self, question: str) -> Final:
        """Search once, and let the model answer from that, if there is anything. Raises as `investigate`."""
        await self.search(question)
        if not self._run.evidence.all:
            return Final("", insufficient=True)
        self._speaker.check_budget()
        return await self._answer("Svarer ut fra kildene")

    async def search(self, question: str) -> None:
        """Search with the question as it is, once. Raises `LimitReached`."""
        if self.searched:
            return
        if self._run.tool_calls_left <= 0:
            raise LimitReached("tool_calls")
        call = Call(LAW_SEARCH.name, json.dumps({"query": question}, ensure_ascii=False))
        async with self._run.step("tools", LAW_SEARCH.title):
            used = await self._toolkit.use([call], hints=self._offers)
        self._conversation.show(prompts.SEARCHING, prompts.found("\n".join(used.results)))
        self._conversation.say(prompts.asked_again(question, may_search=self._offers))
        self.searched = True
        self._on_searched()

    async def last_word(self) -> Final:
        """Ask for the best answer from what there is, after a limit. Raises `LimitReached`, `ProblemError`."""
        self._conversation.say(prompts.LAST_WORD)
        return await self._answer("Svarer ut fra det som er funnet")

    async def without_tools(self) -> Final:
        """Ask for an answer from what there is when the server cannot read calls or results. Raises as `last_word`."""
        self._offers = False
        self._conversation.in_words()
        self._conversation.say(prompts.WITHOUT_TOOLS)
        return await self._answer("Svarer ut fra det som er funnet")

    async def again(self, word: str) -> Final | None:
        """Send an answer back with `word`; return the new one, or None when none came. Raises as `last_word`."""
        self._speaker.check_budget()
        self._conversation.exchange(_said(self._last) if self._last else "", word)
        async with self._run.step("model", "Retter sitatene"):
            reply = await self._ask()
        return final_of(reply)

    async def _answer(self, title: str) -> Final:
        async with self._run.step("model", title):
            reply = await self._ask()
        self._last = reply
        return final_of(reply) or plain(reply)

    async def _use(self, reply: Reply, calls: Sequence[Call]) -> None:
        async with self._run.step("tools", self._tools.title(calls[0].name)):
            used = await self._toolkit.use(calls, in_view=self._conversation.holds)
        if used.calls and not reply.calls:
            # The server did not read the call as one: the model's template may know neither calls nor results.
            self._conversation.show(_said(reply), "\n".join(used.results))
        elif used.calls:
            words = (reply.text, *("" for _ in used.calls[1:]))
            for text, (made, arguments), result in zip(words, used.calls, used.results, strict=True):
                self._conversation.call(text, made, arguments, result)
        if used.limit:
            raise LimitReached(used.limit)

    async def _ask(self, *, calls: bool = False) -> Reply:
        """Ask the model; what it finds too long to read or to answer is made shorter.

        Raises `LimitReached`, `ProblemError`.
        """
        left = MAX_CUT_OFF
        while True:
            try:
                reply = await self._speaker.ask(self._request(calls=calls))
            except ProblemError as exc:
                if exc.problem.type is not ProblemType.TOO_LARGE or self._room < LEAST_ROOM:
                    raise
            else:
                if not left or not self._was_full(reply) or self._room < LEAST_ROOM or self._speaker.spent:
                    return reply
                left -= 1
            self._room = min(self._room, self._conversation.tokens + self._tools.tokens) // 2

    def _was_full(self, reply: Reply) -> bool:
        """Return whether a reply was cut off well before its own bound, since the model's context was full."""
        return (
            reply.finish == "length"
            and reply.spent is not None
            and reply.spent.output_tokens < self._run.limits.output_tokens // 2
        )

    def _request(self, *, calls: bool) -> Request:
        limits = self._run.limits
        return Request(
            messages=self._conversation.fitted(self._room - (self._tools.tokens if self._offers else 0)),
            tools=self._tools.definitions if self._offers else (),
            schema=None if calls else ANSWER_SCHEMA,
            calls=calls,
            max_tokens=limits.output_tokens,
        )


def _said(reply: Reply) -> str:
    """Return a reply as text, also one that came as the call of the last tool."""
    return reply.text or "\n".join(c.arguments for c in reply.calls)
