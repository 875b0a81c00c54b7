"""Subjects → use cases."""

from lovsvar_agent.adapters.nats_products import NatsProducts
from lovsvar_agent.adapters.runs import Runs
from lovsvar_agent.core.errors import AskTimeout
from lovsvar_agent.settings import Settings
from lovsvar_chassis.event_router import EventRouter
from lovsvar_chassis.problems import ProblemTable
from lovsvar_chassis.progress import Note
from lovsvar_chassis.publisher import Sent
from lovsvar_chassis.redelivery import WorkPolicy, attempt
from lovsvar_chassis.request_router import RequestRouter
from lovsvar_chassis.work_router import WorkRouter
from lovsvar_contracts import subjects
from lovsvar_contracts.problems import ProblemType
from lovsvar_contracts.questions import CancelQuestion, QuestionAsked
from lovsvar_contracts.run_events import RunEvent

PROBLEMS: ProblemTable = {AskTimeout: ProblemType.TIMEOUT}

QUEUE = "agent"

SENDS = (
    Sent(subjects.answer("{run_id}"), RunEvent, "The events of a run, in order."),
    Sent(subjects.answer_stored("{run_id}"), RunEvent, "The same events, sent again once they are stored."),
)

ASKING_AT_ONCE = 64
"""Requests on `agent.ask` that wait at once; the work itself is done from the queue."""


def requests(runs: Runs) -> RequestRouter:
    """Return what this service answers. Replicas share requests."""
    return RequestRouter(QUEUE, PROBLEMS).answer(subjects.AGENT_ASK, runs.ask, ASKING_AT_ONCE)


def events(runs: Runs, products: NatsProducts) -> EventRouter:
    """Return what this service hears. Every replica hears a cancellation, since only one of them has the run."""

    async def cancel(request: CancelQuestion) -> None:
        """Stop a run at once."""
        await runs.cancel(request.run_id)

    router = EventRouter()
    router.hear(subjects.question_cancel("{run_id}"), cancel)
    router.hear(subjects.CATALOGUE_CHANGED, products.changed)
    return router


def work(settings: Settings, runs: Runs, note: Note) -> WorkRouter:
    """Return what is done with a question, and with one that no agent could answer.

    Each question is taken by one worker of all replicas, and given to another when that one dies.
    """
    policy = WorkPolicy(
        stream=subjects.STREAM_QUESTIONS,
        subject=subjects.QUESTION_ASKED,
        durable=subjects.CONSUMER_QUESTIONS,
        workers=settings.agent_workers,
        max_tries=5,
        ack_wait=settings.agent_ack_wait,
        backoff=(1.0, 5.0, 15.0, 60.0),
        also=(subjects.QUESTION_ASKED_BY_ANY,),
    )

    async def answer(asked: QuestionAsked) -> None:
        """Answer a question; the run's events say how it goes on."""
        await runs.answer(asked, attempt())

    return WorkRouter(policy, note).work(answer, runs.give_up)
