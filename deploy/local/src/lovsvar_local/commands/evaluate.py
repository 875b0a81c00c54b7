"""`lovsvar eval`: how often search finds the provisions that answer a file of questions."""

from collections.abc import Sequence
from pathlib import Path

from lovsvar_contracts.search import ProvisionHits, SearchMode
from lovsvar_local import evaluation, exits
from lovsvar_local.commands.search import EMPTY
from lovsvar_local.commands.session import Where, open_session
from lovsvar_local.errors import BadQuestions, NotDone
from lovsvar_local.evaluation import Question, Split
from lovsvar_local.initial_corpus import served
from lovsvar_local.progress import Progress

SAMPLE_ONLY = "OBS: Bare det oppdiktede eksempelsettet er lagret, så tallene sier ikke noe om norsk rett."


async def evaluate(
    where: Where, progress: Progress, *, file: Path, mode: Sequence[str] | None, part: str, misses: bool
) -> int:
    """Search for the questions of `part` in `file` in each mode, print the measures, and return the exit code."""
    modes, split = [SearchMode(name) for name in dict.fromkeys(mode or SearchMode)], Split(part)
    questions = chosen_questions(file, split)
    async with open_session(where, "eval", progress) as session:
        status = await served(session.gateway)
        if not status.stored_version:
            raise NotDone(EMPTY)
        if status.sample:
            progress.say(SAMPLE_ONLY)

        async def find(question: str, mode: SearchMode) -> ProvisionHits:
            return await session.gateway.search(question, mode=mode, page_size=evaluation.TOP)

        done = []
        for one in modes:
            progress.doing(f"Søker etter svar på {len(questions)} spørsmål ({one}) …")
            done.append(await evaluation.ask_all(questions, one, find))
        report = evaluation.report(status, split, done)
        progress.result(report, evaluation.page(report, with_misses=misses))
    return exits.OK


def chosen_questions(file: Path, part: Split) -> tuple[Question, ...]:
    """Return the questions of `part` in `file`. Raises `BadQuestions` when there are none, or a line is wrong."""
    try:
        text = file.read_text(encoding="utf-8-sig")
    except OSError as exc:
        reason = "finnes ikke" if isinstance(exc, FileNotFoundError) else "kan ikke leses"
        raise BadQuestions(f"Fila {file} {reason}.") from exc
    except UnicodeDecodeError as exc:
        line = exc.object.count(b"\n", 0, exc.start) + 1
        raise BadQuestions(f"{file.name}, linje {line}: er ikke UTF-8.") from exc
    questions = evaluation.choose(evaluation.read_questions(text, file.name), part)
    if not questions:
        raise BadQuestions(f"{file.name} har ingen spørsmål i delen {part}.")
    return questions
