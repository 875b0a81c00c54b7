"""`lovsvar status`: what is stored, and how the services are."""

from lovsvar_local import exits
from lovsvar_local.commands.session import Where, open_session
from lovsvar_local.filling import served
from lovsvar_local.json_output import show_json
from lovsvar_local.progress import Progress


async def status(where: Where, progress: Progress, *, as_json: bool) -> int:
    """Print the status and return the exit code."""
    async with open_session(where, "status", progress) as session:
        found = await served(session.gateway)
        progress.close()
        if as_json:
            show_json(found)
        else:
            from lovsvar_local.display import show_status

            show_status(found)
    return exits.OK
