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
from lovsvar_local.json_output import show_json
from lovsvar_local.progress import Progress

SAMPLE_ONLY = "OBS: Bare det oppdiktede eksempelsettet er lagret, så tallene sier ikke noe om norsk rett."


async def evaluate(
    file: Path,
    modes: Sequence[SearchMode],
    part: Split,
    where: Where,
    progress: Progress,
    *,
    misses: bool,
    as_json: bool,
) -> int:
    """Search for the questions of `part` in `file` in each of `modes`, print the measures; return the exit code."""
    questions = chosen_questions(file, part)
    async with open_session(where, "eval", progress) as session:
        status = await served(session.gateway)
        if not status.stored_version:
            raise NotDone(EMPTY)
        if status.sample:
            progress.say(SAMPLE_ONLY)

        async def find(question: str, mode: SearchMode) -> ProvisionHits:
            return await session.gateway.search(question, mode=mode, page_size=evaluation.TOP)

        done = []
        for mode in modes:
            progress.doing(f"Søker etter svar på {len(questions)} spørsmål ({mode}) …")
            done.append(await evaluation.ask_all(questions, mode, find))
        report = evaluation.report(status, part, done)
        progress.close()
        if as_json:
            show_json(report)
        else:
            from lovsvar_local.display import show_evaluation

            show_evaluation(report, misses=misses)
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
