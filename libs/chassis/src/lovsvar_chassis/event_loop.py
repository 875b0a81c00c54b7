"""The event loop that services run on: uvloop's, and Python's own where there is no other."""

import asyncio
import gc
import sys
from collections.abc import Coroutine
from typing import Any, TypeVar

if sys.platform == "win32":
    new_event_loop = asyncio.new_event_loop
else:
    import uvloop

    new_event_loop = uvloop.new_event_loop

Result = TypeVar("Result")


def run(main: Coroutine[Any, Any, Result]) -> Result:
    """Run `main` to its end on a new event loop, and return its result.

    What is there by now is left out of every collection of garbage: modules, and what they made when imported. Looking
    through them takes a tenth of a second, in which a service answers nobody.
    """
    gc.freeze()
    with asyncio.Runner(loop_factory=new_event_loop) as runner:
        return runner.run(main)
