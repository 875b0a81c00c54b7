"""What a question follows up: the questions and answers before it, clipped to what they may cost.

They are untrusted text, an answer partly written by a model from foreign text: material, never instructions.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from lovsvar_contracts.questions import Answer
from lovsvar_legaltext.words import content_words
from lovsvar_legaltext.written_references import take_apart
from lovsvar_rendering.selection import blocks_of, without
from lovsvar_rendering.text import TextRenderer

MAX_TURNS = 3
"""How many questions back a follow-up reaches."""

MAX_QUESTION = 500
MAX_ANSWER = 1_500
"""Characters of an earlier question and of its answer; three of both are about 2,000 tokens."""

NAMES_ITS_TOPIC = 3
"""Words from which a question names its topic. With fewer it is a follow-up itself: 'Og hvem får rentene?'"""


@dataclass(frozen=True)
class Turn:
    """An earlier question and what was answered; no answer when there was none yet."""

    question: str
    answer: str = ""


def turn_of(answer: Answer) -> Turn:
    """Return what a run asked and answered, without numbers of citations, which mean nothing in another run."""
    said = TextRenderer(answer.citations, answer.evidence, numbers=False).render(
        without(blocks_of(answer), "recommendations")
    )
    return Turn(_clipped(answer.question, MAX_QUESTION), _clipped(said, MAX_ANSWER))


def topic_of(earlier: Sequence[Turn]) -> str:
    """Return the earlier questions that name the topic: the last one, and those before it, back to one that does."""
    asked: list[str] = []
    for turn in reversed(earlier):
        asked.append(turn.question)
        if len(content_words(turn.question)) >= NAMES_ITS_TOPIC:
            break
    return "\n".join(reversed(asked))


def with_topic(question: str, earlier: Sequence[Turn]) -> str:
    """Return what to search for: `question`, and the words of what it follows up, without the sections named there."""
    return f"{question} {take_apart(topic_of(earlier)).rest}".strip()


def _clipped(text: str, most: int) -> str:
    text = text.strip()
    if len(text) <= most:
        return text
    return text[: max(text.rfind(" ", 0, most - 2), most // 2)].rstrip() + " …"
