"""How often search finds the provision that answers a question, by NATS and on any database.

    uv run python benchmarks/retrieval.py --database-url URL                                   # every kind of question
    uv run python benchmarks/retrieval.py --source FOLDER --part tune --most 100 --json
    uv run python benchmarks/retrieval.py QUESTIONS.jsonl --database-url URL --mode hybrid --part held-out --misses

Without a file, all kinds of `question_sets.py` are asked and reported side by side, with plain BM25 (`plain_bm25.py`)
on the same questions as a column: no kind may fall below it. A file is measured as `lovsvar eval` measures it. A
freshly ingested corpus has the vectors of everyday questions and none of passages, so that only an embedded
database measures all vectors.
"""

import argparse
import asyncio
import tempfile
from pathlib import Path

from kinds import measure_kinds, show_kinds
from search import add_corpus_arguments, corpus, search_process

from lovsvar_chassis.requester import Requester
from lovsvar_contracts import subjects
from lovsvar_contracts.search import CorpusStatus, FindProvisions, ProvisionHits, ReadStatus, SearchMode
from lovsvar_local import evaluation
from lovsvar_local.commands.evaluate import chosen_questions
from lovsvar_local.errors import BadQuestions
from lovsvar_local.evaluation import EvaluationReport, Question, Split
from lovsvar_local.json_output import show_json


async def measure(
    requester: Requester, questions: tuple[Question, ...], modes: list[SearchMode], part: Split
) -> EvaluationReport:
    """Search for every question in each mode."""

    async def find(question: str, mode: SearchMode) -> ProvisionHits:
        request = FindProvisions(query=question, mode=mode, page_size=evaluation.TOP)
        return await requester.ask(subjects.SEARCH_PROVISIONS, request, ProvisionHits)

    done = [await evaluation.ask_all(questions, mode, find) for mode in modes]
    return evaluation.report(await requester.ask(subjects.SEARCH_STATUS, ReadStatus(), CorpusStatus), part, done)


async def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("questions", type=Path, nargs="?", help="a file of questions; every kind if not given")
    add_corpus_arguments(parser)
    parser.add_argument(
        "--mode", action="append", choices=[*map(str, SearchMode)], help="may be repeated; else all three"
    )
    parser.add_argument("--part", choices=[*map(str, Split)], default="all", help="which of the questions")
    parser.add_argument("--misses", action="store_true", help="also print what was found instead")
    parser.add_argument("--most", type=int, default=200, help="questions of a kind, where every kind is asked")
    parser.add_argument("--kind", action="append", help="ask these kinds alone; may be repeated")
    parser.add_argument(
        "--without-floor", action="store_true", help="leave plain BM25 out, which takes most of the time"
    )
    arguments = parser.parse_args()
    part, modes = Split(arguments.part), [SearchMode(mode) for mode in arguments.mode or SearchMode]
    questions: tuple[Question, ...] = ()
    if arguments.questions:
        try:
            questions = chosen_questions(arguments.questions, part)
        except BadQuestions as error:
            raise SystemExit(str(error)) from error
    async with corpus(arguments) as (nats_url, database_url):
        with tempfile.TemporaryDirectory(prefix="lovsvar-bench-index-") as index:
            async with search_process(nats_url, database_url, Path(index)) as (_, requester):
                if not questions:
                    mode = modes[0] if arguments.mode else SearchMode.HYBRID
                    show_kinds(await measure_kinds(requester, database_url, arguments, mode), as_json=arguments.json)
                    return
                report = await measure(requester, questions, modes, part)
    if arguments.json:
        show_json(report)
    else:
        print(evaluation.page(report, with_misses=arguments.misses))


if __name__ == "__main__":
    asyncio.run(main())
