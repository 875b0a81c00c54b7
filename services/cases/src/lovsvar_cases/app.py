"""Wiring of the cases service."""

from lovsvar_cases.adapters.keys import MasterKey
from lovsvar_cases.adapters.postgres_cases import PostgresCases
from lovsvar_cases.handlers import requests
from lovsvar_cases.manifest import MANIFEST, SCHEMA
from lovsvar_cases.settings import Settings
from lovsvar_chassis import service
from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.database import INTERACTIVE, Database
from lovsvar_chassis.migrations import Migrations
from lovsvar_chassis.sealing import SealedDesk
from lovsvar_chassis.service import Service


def build(settings: Settings) -> Service:
    """Return the service, not yet started. Without a master key it runs and answers that it is not configured."""
    broker = make_broker(settings, MANIFEST.name)
    key = settings.master_key()
    migrations = Migrations(settings.database_url, SCHEMA)
    database = Database(
        settings.database_url, settings.database_pool, {"search_path": SCHEMA.name}, limits=INTERACTIVE, min_size=0
    )
    store = PostgresCases(database, MasterKey(key), settings.monthly_credits)
    desk = None if key is None else SealedDesk(key)

    def not_ready() -> str:
        return "" if migrations.done else "Databasen gjøres klar."

    return Service(
        name=MANIFEST.name,
        settings=settings,
        broker=broker,
        requests=requests(store, desk),
        parts=(migrations, database),
        not_ready=not_ready,
        details=lambda: {"configured": {"master_key": key is not None}},
    )


def main() -> None:
    """Run the service until SIGTERM or SIGINT."""
    service.main(MANIFEST, Settings, build)
