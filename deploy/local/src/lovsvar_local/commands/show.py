"""`lovsvar show`: a provision, or a document's table of contents, by a written reference."""

from lovsvar.client import Gateway
from lovsvar_contracts.law import Provision
from lovsvar_contracts.search import Outline, ResolvedReference
from lovsvar_local import exits
from lovsvar_local.commands.search import EMPTY
from lovsvar_local.commands.session import Where, open_session
from lovsvar_local.errors import BadArgument
from lovsvar_local.initial_corpus import served
from lovsvar_local.progress import Progress


async def show(where: Where, progress: Progress, *, reference: str) -> int:
    """Print what `reference` names, or what it may name. Returns the exit code: a problem when it names nothing."""
    if not reference.strip():
        raise BadArgument("Henvisningen er tom. Skriv for eksempel «husleieloven § 3-5».")
    async with open_session(where, "show", progress) as session:
        if not (await served(session.gateway)).documents:
            progress.say(EMPTY)
        resolution = await session.gateway.resolve(reference)
        progress.close()
        if resolution.outcome == "one":
            progress.result(await _read(session.gateway, resolution.matches[0]))
        elif progress.as_json or resolution.outcome == "several":
            progress.result(resolution)
        else:
            progress.say(resolution.detail or f"Fant ikke noe som heter «{reference}».")
    return exits.PROBLEM if resolution.outcome == "none" else exits.OK


async def _read(gateway: Gateway, match: ResolvedReference) -> Outline | Provision:
    if match.section is None:
        return await gateway.outline(match.refid)
    return await gateway.read(match.refid, match.section)
