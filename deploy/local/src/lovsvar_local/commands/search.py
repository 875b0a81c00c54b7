"""`lovsvar search`: find provisions by words and by meaning."""

from lovsvar.client import Filter
from lovsvar_contracts.search import MAX_QUERY, SearchMode
from lovsvar_local import exits
from lovsvar_local.commands.session import Where, open_session
from lovsvar_local.errors import BadArgument
from lovsvar_local.initial_corpus import served
from lovsvar_local.progress import Progress

EMPTY = "Det er ikke lagret noe regelverk ennå. Kjør «lovsvar ingest» først."
NO_VECTORS = "Det finnes ingen vektorer å søke med ennå. Treffene er rangert etter ord alene."


async def search(where: Where, progress: Progress, *, query: str, explain: bool, **filters: Filter) -> int:
    """Print the hits of `query` and return the exit code."""
    if not query.strip():
        raise BadArgument("Søket er tomt. Skriv hva du leter etter.")
    if len(query) > MAX_QUERY:
        raise BadArgument(f"Søket er for langt: {len(query)} tegn. Det kan være høyst {MAX_QUERY}.")
    async with open_session(where, "search", progress) as session:
        status = await served(session.gateway)
        if not status.documents:
            progress.say(EMPTY)
        hits = await session.gateway.search(query, explain=explain or None, **filters)
        if hits.mode is SearchMode.LEXICAL and filters.get("mode") not in {None, SearchMode.LEXICAL}:
            progress.say(NO_VECTORS)
        progress.result(hits)
    return exits.OK
