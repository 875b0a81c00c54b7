"""What a question follows up: the questions and answers before it, clipped to what they may cost.

They were written by others, an answer partly by a model out of foreign text: they are material, and never instruction.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from lovsvar_agent.core.references import take_apart
from lovsvar_agent.core.words import content_words
from lovsvar_contracts.questions import Answer

MAX_TURNS = 3
"""How many questions back a follow-up reaches."""

MAX_QUESTION = 500
MAX_ANSWER = 1_500
"""Characters of an earlier question and of its answer; three of both are about 2,000 tokens."""

NAMES_ITS_TOPIC = 3
"""Words from which a question names its topic. With fewer it is a follow-up itself: 'Og hvem får rentene?'"""

_NUMBER = re.compile(r"\s*\[\d{1,3}\]")


@dataclass(frozen=True)
class Turn:
    """An earlier question and what was answered; no answer when there was none yet."""

    question: str
    answer: str = ""


def turn_of(answer: Answer) -> Turn:
    """Return what a run asked and answered. Numbers of citations go, since they mean nothing in another run."""
    return Turn(_clipped(answer.question, MAX_QUESTION), _clipped(_NUMBER.sub("", answer.answer_text), MAX_ANSWER))


def topic_of(earlier: Sequence[Turn]) -> str:
    """Return the earlier questions that say what is talked of: the last one, back to one that names its topic."""
    asked: list[str] = []
    for turn in reversed(earlier):
        asked.append(turn.question)
        if len(content_words(turn.question)) >= NAMES_ITS_TOPIC:
            break
    return "\n".join(reversed(asked))


def beside(question: str, earlier: Sequence[Turn]) -> str:
    """Return what to search for: `question`, and the words of what it follows up.

    Sections that were named before are left out, since they were answered then.
    """
    return f"{question} {take_apart(topic_of(earlier)).rest}".strip()


def _clipped(text: str, most: int) -> str:
    text = text.strip()
    if len(text) <= most:
        return text
    return text[: max(text.rfind(" ", 0, most - 2), most // 2)].rstrip() + " …"
