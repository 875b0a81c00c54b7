"""Doing blocking work ahead of its consumer, in a thread."""

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Iterator
from typing import TypeVar

T = TypeVar("T")


@contextlib.asynccontextmanager
async def ahead(items: Iterator[T], size: int) -> AsyncIterator[AsyncIterator[T]]:
    """Give the items of a blocking iterator, which runs in a thread at most `size` items ahead.

    What the iterator raises is raised to the consumer. When the block is left, the thread has ended.
    """
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[tuple[T | None, BaseException | None]] = asyncio.Queue()
    room, stopping = threading.Semaphore(size), threading.Event()

    def send(item: T | None, error: BaseException | None) -> None:
        with contextlib.suppress(RuntimeError):  # the loop may be closed when the process stops
            loop.call_soon_threadsafe(queue.put_nowait, (item, error))

    def work() -> None:
        try:
            for item in items:
                room.acquire()
                if stopping.is_set():
                    return
                send(item, None)
            send(None, StopAsyncIteration())
        except BaseException as exc:
            send(None, exc)

    async def receive() -> AsyncIterator[T]:
        while True:
            item, error = await queue.get()
            if isinstance(error, StopAsyncIteration):
                return
            if error is not None:
                raise error
            room.release()
            yield item  # type: ignore[misc]

    thread = threading.Thread(target=work, name="ahead", daemon=True)
    thread.start()
    try:
        yield receive()
    finally:
        stopping.set()
        room.release()
        await asyncio.shield(asyncio.to_thread(thread.join))
