"""How often quotes answer what the law answers, and what it does not.

    uv run python benchmarks/extractive.py --source FOLDER
    uv run python benchmarks/extractive.py --database-url URL

Asks the questions of `benchmarks/questions` of an agent without a language model, over a real search service. A
question is answered when its answer says so, and answered rightly when one of its provisions is quoted as an answer.
What only may be relevant counts as neither.
What is answered is decided by the probability that search gives its best hit, whose bound `train_ranker.py` chooses on
other questions: by none of these anything is chosen.
A freshly ingested corpus has the vectors of everyday questions and none of passages.
"""

import argparse
import asyncio
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from search import add_corpus_arguments, corpus, search_process

from lovsvar_agent.adapters.memory_sink import MemorySink
from lovsvar_agent.adapters.nats_search import NatsSearch
from lovsvar_agent.core.modes import Answerer
from lovsvar_agent.core.run import Limits
from lovsvar_agent.core.takeover import Attempt
from lovsvar_contracts.blocks import Heading, Quote
from lovsvar_contracts.questions import Answer, QuestionAsked, Tier
from lovsvar_contracts.run_events import AnswerCompleted

QUESTIONS = Path(__file__).parent / "questions"
ANSWERED_BY_LAW = "paraphrases.tsv"
UNANSWERED = ("unanswered.tsv", "unanswered_later.tsv", "unanswered_held_out.tsv")


class Row(NamedTuple):
    """A question with the provisions that answer it, `refid/section`; none when the law does not."""

    targets: frozenset[str]
    question: str


def rows(name: str) -> Iterator[Row]:
    """Yield the questions of a file."""
    for line in (QUESTIONS / name).read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            _, *targets, question = line.split("\t")
            yield Row(frozenset(" ".join(targets).split()), question)


async def ask(question: str, law: NatsSearch) -> Answer:
    """Return the agent's answer by quotes."""
    sink = MemorySink()
    await Answerer(law, Limits()).answer(QuestionAsked(question=question), Attempt(), sink)
    return next(event.answer for event in sink.events if isinstance(event, AnswerCompleted))


def answering(answer: Answer) -> set[str]:
    """Return the provisions that an answer quotes as answering, `refid/section`: those under its first heading."""
    if answer.tier is not Tier.ANSWERS:
        return set()
    headings = [place for place, block in enumerate(answer.blocks) if isinstance(block, Heading)]
    numbers = {b.citation for b in answer.blocks[: headings[1] if headings[1:] else None] if isinstance(b, Quote)}
    return {f"{c.refid}/{c.section}" for c in answer.citations if c.number in numbers}


async def measure(law: NatsSearch, name: str) -> dict[str, object]:
    """Return how many of a file's questions are answered, and rightly, and which ones."""
    asked, right, answered = 0, 0, []
    for row in rows(name):
        cited = answering(await ask(row.question, law))
        asked += 1
        right += bool(cited & row.targets)
        if cited:
            answered.append(row.question)
    return {"asked": asked, "answered": len(answered), "right": right, "questions": answered}


async def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_corpus_arguments(parser)
    arguments = parser.parse_args()
    async with corpus(arguments) as (nats_url, database_url):
        with tempfile.TemporaryDirectory(prefix="lovsvar-bench-index-") as index:
            async with search_process(nats_url, database_url, Path(index)) as (_, requester):
                law = NatsSearch(requester)
                report = {name: await measure(law, name) for name in (ANSWERED_BY_LAW, *UNANSWERED)}
    if arguments.json:
        print(json.dumps(report, ensure_ascii=False))
        return
    print(f"{'questions':28} {'asked':>6} {'answered':>9} {'rightly':>8}")
    for name, found in report.items():
        print(f"{name:28} {found['asked']:6} {found['answered']:9} {found['right']:8}")
        if name in UNANSWERED:
            for question in found["questions"]:
                print(f"    {question}")


if __name__ == "__main__":
    asyncio.run(main())
