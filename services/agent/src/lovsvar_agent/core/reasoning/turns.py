"""What follows from a reply: tools, an answer, or a word to the model."""

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass

from lovsvar_agent.core.reasoning import prompts
from lovsvar_agent.core.reasoning.final import Final, calls_in_text, final_of, plain, whole_final_of
from lovsvar_agent.core.reasoning.replies import Call, Reply
from lovsvar_agent.core.tools.answer_form import ANSWER

MAX_PUSHES = 2
"""How often an answer that the sources do not suffice is sent back for more searches."""


@dataclass(frozen=True)
class UseTools:
    """The model wants tools."""

    calls: Sequence[Call]


@dataclass(frozen=True)
class Accept:
    """The model has answered."""

    final: Final


@dataclass(frozen=True)
class Push:
    """The reply is not taken: `word` is said to the model."""

    word: str


Turn = UseTools | Accept | Push


@dataclass
class Progress:
    """What the conversation has come to. `tools` are the names of those that may be called.

    `suffices` says whether there is something to tell without an answer about law; then none is asked for again.
    """

    tools: Container[str]
    suffices: Callable[[], bool] = lambda: False
    pushes: int = 0
    insists: bool = False

    def next_turn(self, reply: Reply) -> Turn:
        """Return what follows from `reply`, and note it.

        A complete answer beside calls is taken: it rests on what was found before. An answer that the sources do not
        suffice leads to more searches, twice at most; a model that gives it again without another call means it.
        """
        calls = [c for c in reply.calls if c.name != ANSWER] or list(calls_in_text(reply, self.tools))
        if calls and (whole := whole_final_of(reply)) and _is_complete(whole):
            return Accept(whole)
        if calls:
            self.insists = False
            return UseTools(calls)
        final = final_of(reply)
        if final is None and not reply.text.strip() and not self.suffices():
            return Push(prompts.NOTHING_SAID)
        final = final or plain(reply)
        if final.insufficient and not (self.insists or self.suffices()) and self.pushes < MAX_PUSHES:
            self.pushes += 1
            self.insists = True
            return Push(prompts.search_more(final.missing))
        return Accept(final)


def _is_complete(final: Final) -> bool:
    return bool(final.answer and final.claims and not final.insufficient)
