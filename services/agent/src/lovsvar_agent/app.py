"""Wiring of the agent service."""

from lovsvar_agent.adapters.nats_search import NatsSearch
from lovsvar_agent.adapters.runs import Runs
from lovsvar_agent.handlers import PROBLEMS, routes, work_handlers, work_policy
from lovsvar_agent.settings import Settings
from lovsvar_chassis import service
from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.events import EventPublisher
from lovsvar_chassis.requests import Requester
from lovsvar_chassis.service import Service
from lovsvar_chassis.work_queue import WorkQueue

NAME = "agent"


def build(settings: Settings) -> Service:
    """Return the service, not yet started."""
    broker = make_broker(settings, NAME, PROBLEMS)
    events = EventPublisher(broker)
    runs = Runs(
        events,
        NatsSearch(Requester(broker)),
        settings.limits,
        ack_wait=settings.agent_ack_wait,
        ask_timeout=settings.agent_ask_timeout,
    )
    broker.include_router(routes(runs))
    questions = WorkQueue(work_policy(settings), work_handlers(runs), events)
    return Service(name=NAME, settings=settings, broker=broker, workers=(questions,))


def main() -> None:
    """Run the service until it is told to stop."""
    settings = Settings()
    service.main(NAME, settings, lambda: build(settings))
