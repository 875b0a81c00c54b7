"""Wiring of the agent service."""

from typing import TYPE_CHECKING

from pydantic import SecretStr

from lovsvar_agent.adapters.metrics import MeasuredAnswerer, MeasuredModel
from lovsvar_agent.adapters.nats_practice import NatsPractice
from lovsvar_agent.adapters.nats_search import NatsSearch
from lovsvar_agent.adapters.oversight import Oversight
from lovsvar_agent.adapters.runs import Runs
from lovsvar_agent.core.ports import Law
from lovsvar_agent.handlers import SENDS, events, requests, work
from lovsvar_agent.manifest import MANIFEST
from lovsvar_agent.settings import Settings
from lovsvar_chassis import service
from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.progress import Progress
from lovsvar_chassis.publisher import EventPublisher
from lovsvar_chassis.requester import Requester
from lovsvar_chassis.service import Service

if TYPE_CHECKING:
    from lovsvar_agent.adapters.openai_model import OpenAIModel

QUEUE_STILL = 60.0
"""Seconds that taking questions may be silent; it notes each request for work, and each heartbeat of a run."""


def build(settings: Settings) -> Service:
    """Return the service, not yet started."""
    broker = make_broker(settings, MANIFEST.name)
    publisher = EventPublisher(broker)
    requester = Requester(broker)
    law = Law(NatsSearch(requester), NatsPractice(requester))
    model = make_model(settings) if settings.has_model else None
    measured = MeasuredModel(model) if model else None
    answerer = MeasuredAnswerer(law, settings.limits, settings.default_mode, measured)
    runs = Runs(publisher, answerer, ack_wait=settings.agent_ack_wait, ask_timeout=settings.agent_ask_timeout)
    progress = Progress()
    parts = (model,) if model else ()
    return Service(
        name=MANIFEST.name,
        settings=settings,
        broker=broker,
        requests=requests(runs),
        events=events(runs),
        sends=SENDS,
        parts=parts,
        work=work(settings, runs, progress.component("question queue", QUEUE_STILL)),
        workers=(Oversight(publisher, settings.agent_oversight),),
        progress=progress,
        details=lambda: {"configured": {"model": settings.has_model}},
    )


def make_model(settings: Settings) -> "OpenAIModel":
    """Return the language model that `settings` name, not yet started."""
    # The package takes a second to import, which an agent without a model need not spend.
    from lovsvar_agent.adapters.openai_model import OpenAIModel, Price

    return OpenAIModel(
        settings.model,
        settings.openai_api_key or SecretStr("none"),
        settings.openai_base_url,
        stall=settings.agent_stall,
        price=Price(settings.agent_input_price, settings.agent_output_price),
    )


def main() -> None:
    """Run the service until SIGTERM or SIGINT."""
    service.main(MANIFEST, Settings, build)
