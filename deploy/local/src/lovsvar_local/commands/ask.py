"""`lovsvar ask`: from a question to a printed answer."""

import asyncio
from contextlib import aclosing, suppress
from dataclasses import dataclass

from pydantic import ValidationError

from lovsvar.client import Gateway
from lovsvar_contracts.law import LawType
from lovsvar_contracts.questions import MAX_QUESTION, Answer, Mode, QuestionFilters, RunStatus
from lovsvar_local import exits
from lovsvar_local.commands.session import Where, checked_source, open_session
from lovsvar_local.errors import FAILURES, BadArgument
from lovsvar_local.json_output import show_json
from lovsvar_local.progress import Progress
from lovsvar_local.wording import SAMPLE_NOTICE, describe_event

CANCEL_SECONDS = 1.0


@dataclass(frozen=True)
class Wish:
    """What is asked beside the words: how it is answered, what it is narrowed to, and the run that it follows up."""

    mode: Mode | None = None
    filters: QuestionFilters | None = None
    follows: str | None = None


async def ask(question: str, where: Where, progress: Progress, wish: Wish, *, as_json: bool) -> int:
    """Answer `question`, print the answer, and let what was begun in the background end. Returns the exit code."""
    question = checked_question(question)
    checked_source(where.source)
    async with open_session(where, "ask", progress) as session:
        await session.filler.something_to_answer_from()
        progress.doing("Finner svaret …")
        answer = await answer_question(session.gateway, question, progress, wish)
        progress.close()
        _print(answer, progress, as_json=as_json)
        if session.owned:
            with suppress(*FAILURES):  # the answer is given; what is missing is fetched next time
                await session.filler.the_rest()
    return exits.OK if answer.status in {RunStatus.COMPLETED, RunStatus.LIMIT_REACHED} else exits.PROBLEM


def checked_question(question: str) -> str:
    """Return the question without white space around it. Raises `BadArgument` when it cannot be asked."""
    question = question.strip()
    if not question:
        raise BadArgument("Spørsmålet er tomt. Skriv hva du lurer på i anførselstegn.")
    if len(question) > MAX_QUESTION:
        raise BadArgument(f"Spørsmålet er for langt: {len(question)} tegn. Det kan være høyst {MAX_QUESTION}.")
    return question


def checked_filters(law_type: str | None, year: int | None, ministry: str | None) -> QuestionFilters | None:
    """Return what a question is narrowed to. Raises `BadArgument` when it cannot be narrowed so."""
    given = {"law_type": law_type and law_type.lower(), "year": year, "ministry": ministry}
    if not any(given.values()):
        return None
    try:
        return QuestionFilters.model_validate(given)
    except ValidationError as exc:
        options = {"law_type": f"--law-type må være en av {', '.join(LawType)}."}
        options |= {"year": "--year må være et årstall.", "ministry": "--ministry er for langt: høyst 200 tegn."}
        wrong = dict.fromkeys(str(error["loc"][0]) for error in exc.errors())
        raise BadArgument(" ".join(options[name] for name in wrong)) from exc


async def answer_question(gateway: Gateway, question: str, progress: Progress, wish: Wish) -> Answer:
    """Ask, tell of the steps as they come, and return the answer. A run that nobody waits for any more is stopped."""
    run_id = await gateway.ask(question, wish.mode, filters=wish.filters, follows=wish.follows)
    try:
        async with aclosing(gateway.run_events(run_id)) as events:
            async for event in events:
                if line := describe_event(event):
                    progress.say(line)
        return await gateway.snapshot(run_id)
    except asyncio.CancelledError:
        with suppress(*FAILURES, TimeoutError):
            async with asyncio.timeout(CANCEL_SECONDS):
                await gateway.cancel(run_id)
        raise


def _print(answer: Answer, progress: Progress, *, as_json: bool) -> None:
    if as_json:
        if answer.sample:
            progress.say(SAMPLE_NOTICE)
        show_json(answer)
    elif answer.answer_text:
        from lovsvar_local.display import show_answer

        show_answer(answer)
