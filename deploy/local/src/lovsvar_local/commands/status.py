"""`lovsvar status`: what is stored, and how the services are."""

import asyncio
import time

from lovsvar.client import Gateway
from lovsvar_contracts.search import CorpusStatus
from lovsvar_local import exits
from lovsvar_local.commands.session import Where, open_session
from lovsvar_local.initial_corpus import served
from lovsvar_local.progress import Progress

SETTLE_SECONDS = 10.0
POLL = 0.1


async def status(where: Where, progress: Progress) -> int:
    """Print the status and return the exit code."""
    async with open_session(where, "status", progress) as session:
        found = await (settled(session.gateway) if session.owned else served(session.gateway))
        progress.result(found)
    return exits.OK


async def settled(gateway: Gateway) -> CorpusStatus:
    """Return the status of a system that was just started, once every service has come up or has had the time to."""
    deadline = time.monotonic() + SETTLE_SECONDS
    while True:
        found = await served(gateway)
        if "down" not in found.services.values() or time.monotonic() > deadline:
            return found
        await asyncio.sleep(POLL)
