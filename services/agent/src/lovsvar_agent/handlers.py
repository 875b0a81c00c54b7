"""Subjects → use cases."""

from faststream.nats import NatsRoute, NatsRouter

from lovsvar_agent.adapters.runs import Runs
from lovsvar_agent.core.errors import AskTimeout
from lovsvar_agent.settings import Settings
from lovsvar_chassis.answering import Route
from lovsvar_chassis.problems import ProblemTable
from lovsvar_chassis.work_queue import Handlers, WorkPolicy
from lovsvar_contracts import subjects
from lovsvar_contracts.problems import ProblemType
from lovsvar_contracts.questions import CancelQuestion, QuestionAsked

PROBLEMS: ProblemTable = {AskTimeout: ProblemType.TIMEOUT}

QUEUE = "agent"
ASKING_AT_ONCE = 64
"""Requests on `agent.ask` that wait at once; the work itself is done from the queue."""


def routes(runs: Runs) -> tuple[Route[QuestionAsked], ...]:
    """Return what this service answers. Replicas share requests."""
    return (Route(subjects.AGENT_ASK, QuestionAsked, runs.ask, QUEUE, ASKING_AT_ONCE),)


def listeners(runs: Runs) -> NatsRouter:
    """Return what this service hears. Every replica hears a cancellation, since only one of them has the run."""

    async def cancel(request: CancelQuestion) -> None:
        await runs.cancel(request.run_id)

    return NatsRouter(handlers=(NatsRoute(cancel, subjects.QUESTION_CANCEL_ANY, no_reply=True),))


def work_policy(settings: Settings) -> WorkPolicy:
    """Return how questions are taken: each by one worker of all replicas, given to another when it dies."""
    return WorkPolicy(
        stream=subjects.STREAM_QUESTIONS,
        subject=subjects.QUESTION_ASKED,
        durable=subjects.CONSUMER_QUESTIONS,
        workers=settings.agent_workers,
        max_tries=5,
        ack_wait=settings.agent_ack_wait,
        backoff=(1.0, 5.0, 15.0, 60.0),
        also=(subjects.QUESTION_ASKED_BY_ANY,),
    )


def work_handlers(runs: Runs) -> Handlers[QuestionAsked]:
    """Return what is done with a question, and with one that nobody could answer."""
    return Handlers(model=QuestionAsked, handle=runs.answer, give_up=runs.give_up)
