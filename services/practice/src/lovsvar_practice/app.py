"""Wiring of the practice service."""

from lovsvar_chassis import service
from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.service import Service
from lovsvar_practice.adapters.serper import SerperIndex
from lovsvar_practice.handlers import PROBLEMS, routes
from lovsvar_practice.settings import Settings

NAME = "practice"


def build(settings: Settings) -> Service:
    """Return the service, not yet started. Without a key it runs and answers that it is not configured."""
    broker = make_broker(settings, NAME, PROBLEMS)
    paths = settings.practice_paths
    key = settings.serper_api_key
    index = SerperIndex(str(settings.serper_url), key, paths) if key else None
    broker.include_router(routes(index, paths))
    return Service(name=NAME, settings=settings, broker=broker, parts=(index,) if index else ())


def main() -> None:
    """Run the service until it is told to stop."""
    settings = Settings()
    service.main(NAME, settings, lambda: build(settings))
