"""Blocking work in a thread, ahead of its consumer."""

import asyncio
import contextlib
import queue
import threading
from collections.abc import AsyncIterator, Iterator
from typing import Generic, TypeVar

T = TypeVar("T")


class ReadAhead(Generic[T]):
    """The items of a blocking iterator, which runs in a thread at most `size` items ahead. Closed by `close`."""

    def __init__(self, items: Iterator[T], size: int) -> None:
        self._items = items
        self._queue: queue.SimpleQueue[tuple[T | None, BaseException | None]] = queue.SimpleQueue()
        self._room = threading.Semaphore(size)
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._work, name="read ahead", daemon=True)
        self._thread.start()

    def __iter__(self) -> Iterator[T]:
        """Yield the items, blocking. Raises what the iterator raises."""
        while (batch := self.take()) is not None:
            yield batch

    def take(self) -> T | None:
        """Return the next item, blocking; None at the end. Raises what the iterator raises."""
        item, error = self._queue.get()
        self._room.release()
        if error is not None:
            raise error
        return item

    def close(self) -> None:
        """Stop, and wait until the thread has ended."""
        self._closed.set()
        self._room.release()
        self._thread.join()

    def _work(self) -> None:
        error: BaseException | None = None
        try:
            for item in self._items:
                self._room.acquire()
                if self._closed.is_set():
                    break
                self._queue.put((item, None))
        except BaseException as exc:
            error = exc
        # Also when closed: a consumer that was cancelled may still wait in another thread.
        self._queue.put((None, error))


@contextlib.asynccontextmanager
async def read_ahead(items: Iterator[T], size: int) -> AsyncIterator[AsyncIterator[T]]:
    """Give the items of a blocking iterator, which runs in a thread at most `size` items ahead.

    What the iterator raises is raised to the consumer. When the block is left, the thread has ended.
    """
    ahead = ReadAhead(items, size)

    async def receive() -> AsyncIterator[T]:
        while (item := await asyncio.to_thread(ahead.take)) is not None:
            yield item

    try:
        yield receive()
    finally:
        await asyncio.shield(asyncio.to_thread(ahead.close))
