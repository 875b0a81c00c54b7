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
from lovsvar_local.phrases import SAMPLE_NOTICE, describe_event
from lovsvar_local.progress import Progress

CANCEL_SECONDS = 1.0


@dataclass(frozen=True)
class AskOptions:
    """How a question is answered, what it is limited to, and the run that it follows up."""

    mode: Mode | None = None
    law_type: str | None = None
    year: int | None = None
    ministry: str | None = None
    follows: str | None = None

    def filters(self) -> QuestionFilters | None:
        """Return what the question is limited to. Raises `BadArgument` when it cannot be limited so."""
        given = {"law_type": self.law_type and self.law_type.lower(), "year": self.year, "ministry": self.ministry}
        if not any(given.values()):
            return None
        try:
            return QuestionFilters.model_validate(given)
        except ValidationError as exc:
            rules = {"law_type": f"--law-type må være en av {', '.join(LawType)}."}
            rules |= {"year": "--year må være et årstall.", "ministry": "--ministry er for langt: høyst 200 tegn."}
            wrong = dict.fromkeys(str(error["loc"][0]) for error in exc.errors())
            raise BadArgument(" ".join(rules[name] for name in wrong)) from exc


async def ask(question: str, options: AskOptions, where: Where, progress: Progress, *, as_json: bool) -> int:
    """Answer `question`, print the answer, and wait for what runs in the background. Returns the exit code."""
    filters, question = options.filters(), checked_question(question)
    checked_source(where.source)
    async with open_session(where, "ask", progress) as session:
        await session.filler.something_to_answer_from()
        progress.doing("Finner svaret …")
        answer = await answer_question(session.gateway, question, options, filters, progress)
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


async def answer_question(
    gateway: Gateway, question: str, options: AskOptions, filters: QuestionFilters | None, progress: Progress
) -> Answer:
    """Ask, show the steps as they come, and return the answer. Cancels the run when it is itself cancelled."""
    run_id = await gateway.ask(question, options.mode, filters=filters, follows=options.follows)
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
