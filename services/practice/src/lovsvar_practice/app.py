"""Wiring of the practice service."""

from faststream.nats import NatsBroker
from opentelemetry.metrics import MeterProvider

from lovsvar_chassis import service
from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.service import Service
from lovsvar_practice.adapters.metrics import PracticeMetrics
from lovsvar_practice.adapters.nats_store import NatsBudget, NatsPracticeCache
from lovsvar_practice.adapters.serper import SerperIndex
from lovsvar_practice.core.breaker import Breaker
from lovsvar_practice.handlers import requests
from lovsvar_practice.manifest import MANIFEST
from lovsvar_practice.settings import Settings


def build(settings: Settings, meter_provider: MeterProvider | None = None) -> Service:
    """Return the service, not yet started. Without a key it runs and answers that it is not configured."""
    broker = make_broker(settings, MANIFEST.name)
    metrics = PracticeMetrics(meter_provider)
    cache = NatsPracticeCache(broker, metrics, settings.nats_replicas)
    index = make_index(settings, broker, metrics)
    return Service(
        name=MANIFEST.name,
        settings=settings,
        broker=broker,
        requests=requests(index, cache, settings.practice_paths, metrics),
        parts=(index,) if index else (),
        details=lambda: {"configured": {"serper": index is not None}},
    )


def make_index(settings: Settings, broker: NatsBroker, metrics: PracticeMetrics) -> SerperIndex | None:
    """Return the search provider with its budget and its breaker; None without a key."""
    if (key := settings.serper_api_key) is None:
        return None
    budget = NatsBudget(broker, settings.practice_daily_budget, settings.nats_replicas)
    breaker = Breaker(settings.practice_breaker_failures, settings.practice_breaker_seconds)
    metrics.watch(breaker=lambda: breaker.state, budget=lambda: budget.left)
    return SerperIndex(str(settings.serper_url), key, budget, breaker, metrics)


def main() -> None:
    """Run the service until SIGTERM or SIGINT."""
    service.main(MANIFEST, Settings, build)
