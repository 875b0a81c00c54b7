"""Wiring of the practice service."""

from lovsvar_chassis import service
from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.service import Service
from lovsvar_practice.handlers import PROBLEMS, routes
from lovsvar_practice.settings import Settings

NAME = "practice"


def build(settings: Settings) -> Service:
    """Return the service, not yet started."""
    broker = make_broker(settings, NAME, PROBLEMS)
    broker.include_router(routes(index=None))
    return Service(name=NAME, settings=settings, broker=broker)


def main() -> None:
    """Run the service until it is told to stop."""
    settings = Settings()
    service.main(NAME, settings, lambda: build(settings))
