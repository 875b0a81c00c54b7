"""`lovsvar up`: the whole system in the foreground, until Ctrl-C."""

import asyncio
import os

from lovsvar.client import Gateway
from lovsvar_contracts.message import Frozen
from lovsvar_local.commands.session import Where, api_key, checked_source, setup
from lovsvar_local.errors import FAILURES
from lovsvar_local.folder import default_path, open_folder
from lovsvar_local.initial_corpus import Filler, RequestedSyncs
from lovsvar_local.json_output import show_json
from lovsvar_local.progress import Progress
from lovsvar_local.system import own_system


class Running(Frozen):
    """What `lovsvar up --json` prints once the gateway answers."""

    url: str
    data_dir: str
    pid: int


async def up(where: Where, progress: Progress, *, port: int) -> int:
    """Run the system until this task is cancelled. Fills an empty store in the background."""
    source = checked_source(where.source)
    folder = open_folder(where.data_dir or default_path())
    async with (
        own_system(folder, setup("up", source, port, embed_corpus=True), progress) as system,
        Gateway(system.url, key=api_key()) as gateway,
    ):
        progress.say(f"Lovsvar er klart på {system.url} (Ctrl-C stopper).")
        if progress.as_json:
            show_json(Running(url=system.url, data_dir=str(folder.path), pid=os.getpid()))
        filler = Filler(gateway, RequestedSyncs(folder), source, progress)
        try:
            await filler.something_to_answer_from()
            await filler.the_rest()
        except FAILURES as error:
            progress.say(str(error))
        cancelled: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        return await cancelled
