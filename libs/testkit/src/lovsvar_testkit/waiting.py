"""Waiting in a test for what no event announces."""

import asyncio
from collections.abc import Awaitable, Callable


async def until(condition: Callable[[], Awaitable[bool]], seconds: float = 15.0) -> None:
    """Return as soon as `condition` holds. Raises `TimeoutError` when it does not within `seconds`."""
    async with asyncio.timeout(seconds):
        while not await condition():  # noqa: ASYNC110
            await asyncio.sleep(0.02)
