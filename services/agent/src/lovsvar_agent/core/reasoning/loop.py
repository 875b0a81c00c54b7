"""The two states, model and tools, and the limits that end them."""

import json
from collections.abc import Sequence

from lovsvar_agent.core.errors import LimitReached
from lovsvar_agent.core.ports import Request
from lovsvar_agent.core.reasoning import prompts
from lovsvar_agent.core.reasoning.conversation import Conversation, estimated_tokens
from lovsvar_agent.core.reasoning.final import Final, final_of, plain
from lovsvar_agent.core.reasoning.replies import Call, Reply
from lovsvar_agent.core.reasoning.speaking import Speaker
from lovsvar_agent.core.reasoning.toolkit import Toolkit
from lovsvar_agent.core.reasoning.tools import ANSWER_SCHEMA, SEARCH, TITLES, TOOLS
from lovsvar_agent.core.reasoning.turns import Accept, Progress, Push, UseTools
from lovsvar_agent.core.run import Run
from lovsvar_contracts.problems import ProblemError, ProblemType

LEAST_ROOM = 500
"""Tokens of a conversation that is not made shorter any more."""

TOOLS_TOKENS = estimated_tokens(json.dumps(TOOLS, ensure_ascii=False))


class Loop:
    """One conversation with a model about one question."""

    def __init__(self, run: Run, speaker: Speaker, toolkit: Toolkit, conversation: Conversation) -> None:
        self._run = run
        self._speaker = speaker
        self._toolkit = toolkit
        self._conversation = conversation
        self._progress = Progress()
        self._last: Reply | None = None
        self._room = run.limits.context_tokens

    async def investigate(self) -> Final:
        """Let the model search until it answers. Raises `LimitReached`, `ProblemError`."""
        must_call = False
        for _ in range(self._run.limits.rounds):
            self._speaker.check_budget()
            async with self._run.step("model", "Vurderer spørsmålet og kildene"):
                reply = await self._ask(tools=True, must_call=must_call, drafting=self._progress.searched)
            must_call = False
            match self._progress.next_turn(reply):
                case Accept(final):
                    self._last = reply
                    return final
                case Push(word, must_call):
                    self._conversation.exchange(_said(reply), word)
                case UseTools(calls):
                    await self._use(reply, calls)
        raise LimitReached("rounds")

    async def search_and_ask(self, question: str) -> Final:
        """Search once with the question as it is, and let the model answer from that. Raises as `investigate`."""
        call = Call(SEARCH, json.dumps({"query": question}, ensure_ascii=False))
        async with self._run.step("tools", TITLES[SEARCH]):
            used = await self._toolkit.use([call])
        self._conversation.say(prompts.found("\n".join(used.results)))
        self._speaker.check_budget()
        async with self._run.step("model", "Svarer ut fra kildene"):
            reply = await self._ask()
        self._last = reply
        return final_of(reply) or plain(reply)

    async def last_word(self) -> Final | None:
        """Ask for the best answer from what there is, behind a limit. Raises `ProblemError`."""
        self._conversation.say(prompts.LAST_WORD)
        async with self._run.step("model", "Svarer ut fra det som er funnet"):
            reply = await self._ask()
        return final_of(reply) or plain(reply)

    async def again(self, word: str) -> Final | None:
        """Send an answer back with `word`; return the new one, or None when none came. Raises `ProblemError`."""
        self._speaker.check_budget()
        self._conversation.exchange(_said(self._last) if self._last else "", word)
        async with self._run.step("model", "Retter sitatene"):
            reply = await self._ask()
        return final_of(reply)

    async def _use(self, reply: Reply, calls: Sequence[Call]) -> None:
        async with self._run.step("tools", TITLES.get(calls[0].name, "Bruker et verktøy")):
            used = await self._toolkit.use(calls)
        if used.calls:
            self._conversation.call(reply.text if reply.calls else "", used.calls)
            for result in used.results:
                self._conversation.result(result)
        self._progress.searched = self._progress.searched or used.searched
        if used.limit:
            raise LimitReached(used.limit)

    async def _ask(self, *, tools: bool = False, must_call: bool = False, drafting: bool = True) -> Reply:
        """Ask the model; what it finds too long is made shorter until it can read it. Raises `ProblemError`."""
        while True:
            try:
                return await self._speaker.ask(self._request(tools=tools, must_call=must_call), drafting=drafting)
            except ProblemError as exc:
                if exc.problem.type is not ProblemType.TOO_LARGE or self._room < LEAST_ROOM:
                    raise
                self._room = min(self._room, self._conversation.tokens + TOOLS_TOKENS) // 2

    def _request(self, *, tools: bool, must_call: bool) -> Request:
        limits = self._run.limits
        return Request(
            messages=self._conversation.fitted(self._room - (TOOLS_TOKENS if tools else 0)),
            tools=TOOLS if tools else (),
            schema=None if tools else ANSWER_SCHEMA,
            must_call=must_call,
            max_tokens=limits.output_tokens,
        )


def _said(reply: Reply) -> str:
    """Return a reply as text, also one that came as the call of the last tool."""
    return reply.text or "\n".join(c.arguments for c in reply.calls)
