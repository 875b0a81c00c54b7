"""Wiring of the agent service."""

from functools import partial
from typing import TYPE_CHECKING

from pydantic import SecretStr

from lovsvar_agent.adapters.guidance_files import read_guidance
from lovsvar_agent.adapters.metrics import MeasuredAnswerer, MeasuredModel
from lovsvar_agent.adapters.mode_choice import ModeChoice
from lovsvar_agent.adapters.nats_case import NatsCase
from lovsvar_agent.adapters.nats_products import NatsProducts
from lovsvar_agent.adapters.nats_search import NatsSearch
from lovsvar_agent.adapters.oversight import Oversight
from lovsvar_agent.adapters.runs import Runs
from lovsvar_agent.core.tools.registry import ToolRegistry, own_tools
from lovsvar_agent.handlers import SENDS, events, requests, work
from lovsvar_agent.manifest import MANIFEST
from lovsvar_agent.settings import Settings
from lovsvar_chassis import service
from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.progress import Progress
from lovsvar_chassis.publisher import EventPublisher
from lovsvar_chassis.requester import Requester
from lovsvar_chassis.service import Service
from lovsvar_contracts import subjects
from lovsvar_contracts.practice import PracticeHits

if TYPE_CHECKING:
    from lovsvar_agent.adapters.http_model import HttpModel
    from lovsvar_agent.adapters.remote_tools import RemoteTools

QUEUE_STILL = 60.0
"""Seconds that taking questions may be silent; it notes each request for work, and each heartbeat of a run."""


def build(settings: Settings) -> Service:
    """Return the service, not yet started."""
    broker = make_broker(settings, MANIFEST.name)
    publisher = EventPublisher(broker)
    requester = Requester(broker)
    find_practice = partial(requester.ask, subjects.PRACTICE_SEARCH, reply=PracticeHits)
    products = NatsProducts(requester)
    own = ToolRegistry(own_tools(find_practice, products))
    remote = remote_tools(requester, settings, own)
    model = make_model(settings) if settings.has_model else None
    measured = MeasuredModel(model, model.provider.value) if model else None
    reasoner = make_reasoner(settings) if settings.has_reasoner else None
    choice = ModeChoice(measured) if measured and settings.mode == "auto" else None
    answerer = MeasuredAnswerer(
        NatsSearch(requester),
        settings.limits,
        settings.default_mode,
        measured,
        tools=remote or own,
        guidance=read_guidance(),
        products=products,
        chosen=lambda: choice.mode if choice else None,
        case=NatsCase(requester),
        case_limits=settings.case_limits,
        reasoner=MeasuredModel(reasoner, reasoner.provider.value) if reasoner else None,
        reasoner_seconds=settings.reasoner_seconds,
    )
    runs = Runs(publisher, answerer, ack_wait=settings.agent_ack_wait, ask_timeout=settings.agent_ask_timeout)
    progress = Progress()
    return Service(
        name=MANIFEST.name,
        settings=settings,
        broker=broker,
        requests=requests(runs),
        events=events(runs, products),
        sends=SENDS,
        parts=[part for part in (model, reasoner, choice, remote) if part],
        work=work(settings, runs, progress.component("question queue", QUEUE_STILL)),
        workers=(Oversight(publisher, settings.agent_oversight),),
        progress=progress,
        details=lambda: {
            "configured": {"model": settings.has_model, "reasoner": settings.has_reasoner},
            "mode": choice.mode if choice else settings.default_mode,
        },
    )


def remote_tools(requester: Requester, settings: Settings, own: ToolRegistry) -> "RemoteTools | None":
    """Return the tools of the services that `settings` name together with `own`, not yet started."""
    if not settings.agent_tool_services:
        return None
    # The validator of schemas takes a tenth of a second to import, which an agent without such tools need not spend.
    from lovsvar_agent.adapters.remote_tools import RemoteTools

    return RemoteTools(requester, settings.agent_tool_services, own)


def make_model(settings: Settings) -> "HttpModel":
    """Return the language model that `settings` name, not yet started."""
    # The client takes time to import, which an agent without a model need not spend.
    from lovsvar_agent.adapters.http_model import HttpModel, Price
    from lovsvar_agent.adapters.providers import Sampling

    return HttpModel(
        settings.model,
        settings.openai_api_key or SecretStr("none"),
        settings.openai_base_url,
        provider=settings.provider,
        sampling=Sampling(settings.model_temperature, settings.model_seed),
        stall=settings.agent_stall,
        price=Price(settings.agent_input_price, settings.agent_output_price),
    )


def make_reasoner(settings: Settings) -> "HttpModel":
    """Return the model that is consulted in cases, not yet started; what is not set for it is the model's."""
    from lovsvar_agent.adapters.http_model import HttpModel, Price
    from lovsvar_agent.adapters.providers import Sampling

    elsewhere = settings.reasoner_base_url
    # A key is shown to the server that it is of, and to no other.
    key = settings.reasoner_api_key or (None if elsewhere else settings.openai_api_key)
    return HttpModel(
        settings.reasoner_model or settings.model,
        key or SecretStr("none"),
        elsewhere or settings.openai_base_url,
        provider=settings.reasoner_provider or (None if elsewhere else settings.provider),
        sampling=Sampling(settings.reasoner_temperature, None),
        stall=settings.agent_stall,
        price=Price(settings.reasoner_input_price, settings.reasoner_output_price),
    )


def main() -> None:
    """Run the service until SIGTERM or SIGINT."""
    service.main(MANIFEST, Settings, build)
