"""`lovsvar ask`: from a question to a printed answer."""

import asyncio
from contextlib import aclosing, suppress

from pydantic import ValidationError

from lovsvar.client import Gateway
from lovsvar_contracts.law import LawType
from lovsvar_contracts.questions import MAX_QUESTION, Answer, Mode, QuestionFilters, RunStatus
from lovsvar_local import exits
from lovsvar_local.commands.session import Where, checked_source, open_session
from lovsvar_local.errors import FAILURES, BadArgument
from lovsvar_local.phrases import SAMPLE_NOTICE, describe_event
from lovsvar_local.progress import Progress

CANCEL_SECONDS = 1.0


async def ask(
    where: Where,
    progress: Progress,
    *,
    question: str,
    mode: str | None,
    follows: str | None,
    **limits: str | int | None,
) -> int:
    """Answer `question`, print the answer, and wait for what runs in the background. Returns the exit code."""
    filters, question = checked_filters(**limits), checked_question(question)
    checked_source(where.source)
    async with open_session(where, "ask", progress) as session:
        await session.filler.something_to_answer_from()
        progress.doing("Finner svaret …")
        run_id = await session.gateway.ask(question, Mode(mode) if mode else None, filters=filters, follows=follows)
        answer = await answer_of(session.gateway, run_id, progress)
        if progress.as_json and answer.sample:
            progress.say(SAMPLE_NOTICE)
        if progress.as_json or answer.answer_text:
            progress.result(answer)
        progress.close()
        if session.owned:
            with suppress(*FAILURES):  # the answer is given; what is missing is fetched next time
                await session.filler.the_rest()
    return exits.OK if answer.status in {RunStatus.COMPLETED, RunStatus.LIMIT_REACHED} else exits.PROBLEM


def checked_filters(**limits: str | int | None) -> QuestionFilters | None:
    """Return what a question is limited to. Raises `BadArgument` when it cannot be limited so."""
    if not any(limits.values()):
        return None
    if law_type := limits["law_type"]:
        limits["law_type"] = str(law_type).lower()
    try:
        return QuestionFilters.model_validate(limits)
    except ValidationError as exc:
        rules = {"law_type": f"--law-type må være en av {', '.join(LawType)}."}
        rules |= {"year": "--year må være et årstall.", "ministry": "--ministry er for langt: høyst 200 tegn."}
        wrong = dict.fromkeys(str(error["loc"][0]) for error in exc.errors())
        raise BadArgument(" ".join(rules[name] for name in wrong)) from exc


def checked_question(question: str) -> str:
    """Return the question without white space around it. Raises `BadArgument` when it cannot be asked."""
    question = question.strip()
    if not question:
        raise BadArgument("Spørsmålet er tomt. Skriv hva du lurer på i anførselstegn.")
    if len(question) > MAX_QUESTION:
        raise BadArgument(f"Spørsmålet er for langt: {len(question)} tegn. Det kan være høyst {MAX_QUESTION}.")
    return question


async def answer_of(gateway: Gateway, run_id: str, progress: Progress) -> Answer:
    """Show the steps of a run as they come, and return its answer. Cancels the run when it is itself cancelled."""
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
