"""`lovsvar products`: find products and services of the catalogues."""

from lovsvar.client import Filter
from lovsvar_contracts.search import MAX_QUERY
from lovsvar_local import exits
from lovsvar_local.commands.session import Where, open_session
from lovsvar_local.errors import BadArgument
from lovsvar_local.initial_corpus import served
from lovsvar_local.progress import Progress

EMPTY = "Det er ikke lagt inn noen kataloger."
WORDS_ALONE = "Det finnes ingen vektorer å søke med ennå. Treffene er rangert etter ord alene."


async def products(where: Where, progress: Progress, *, query: str, **filters: Filter | float) -> int:
    """Print what fits `query` and return the exit code."""
    if not query.strip():
        raise BadArgument("Søket er tomt. Skriv hva du trenger hjelp til.")
    if len(query) > MAX_QUERY:
        raise BadArgument(f"Søket er for langt: {len(query)} tegn. Det kan være høyst {MAX_QUERY}.")
    async with open_session(where, "products", progress) as session:
        await served(session.gateway)
        hits = await session.gateway.products(query, **filters)
        if not hits.searched:
            progress.say(EMPTY)
        if hits.words_alone and hits.hits:
            progress.say(WORDS_ALONE)
        progress.result(hits)
    return exits.OK
