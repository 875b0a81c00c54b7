"""Wiring of the search service."""

from importlib.resources import files

from lovsvar_chassis import service
from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.database import Database
from lovsvar_chassis.health import service_states
from lovsvar_chassis.requests import Requester
from lovsvar_chassis.service import Service
from lovsvar_search.adapters.index_folder import IndexFolder
from lovsvar_search.adapters.postgres import READ_ONLY, PostgresStore, become_reader
from lovsvar_search.adapters.postgres_corpus import PostgresCorpus
from lovsvar_search.adapters.tantivy_index import TantivyIndex
from lovsvar_search.core.aliases import Alias, parse_aliases
from lovsvar_search.core.following import CorpusFollower
from lovsvar_search.handlers import PROBLEMS, Handlers, routes
from lovsvar_search.settings import Settings

NAME = "search"


def build(settings: Settings) -> Service:
    """Return the service, not yet started."""
    broker = make_broker(settings, NAME, PROBLEMS)
    # No connection is made at start: a database that is down makes the service not ready, not dead.
    database = Database(settings.database_url, settings.database_pool, READ_ONLY, min_size=0, init=become_reader)
    index = TantivyIndex(IndexFolder(settings.index_dir))
    follower = CorpusFollower(PostgresCorpus(database, load_aliases()), index, settings.corpus_poll_seconds)
    requester = Requester(broker)
    handlers = Handlers(follower, PostgresStore(database), lambda: service_states(requester))
    broker.include_router(routes(handlers))
    return Service(
        name=NAME, settings=settings, broker=broker, parts=(database, follower), not_ready=follower.not_ready
    )


def load_aliases() -> tuple[Alias, ...]:
    """Return the everyday names that are shipped with this service. Raises `BadAliases`."""
    return parse_aliases(files("lovsvar_search").joinpath("data", "aliases.tsv").read_text(encoding="utf-8"))


def main() -> None:
    """Run the service until it is told to stop."""
    settings = Settings()
    service.main(NAME, settings, lambda: build(settings))
