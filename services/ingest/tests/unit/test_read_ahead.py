"""Blocking work ahead of its consumer."""

import threading
from collections.abc import Iterator

import pytest

from lovsvar_ingest.core.read_ahead import read_ahead


async def test_items_arrive_in_order() -> None:
    async with read_ahead(iter(range(100)), 3) as items:
        assert [item async for item in items] == list(range(100))


async def test_an_error_of_the_iterator_is_raised_to_the_consumer() -> None:
    def broken() -> Iterator[int]:
        yield 1
        raise ValueError("ødelagt")

    with pytest.raises(ValueError, match="ødelagt"):
        async with read_ahead(broken(), 3) as items:
            async for _ in items:
                pass


async def test_the_iterator_never_runs_further_ahead_than_allowed() -> None:
    made = 0

    def count() -> Iterator[int]:
        nonlocal made
        for number in range(1_000):
            made += 1
            yield number

    async with read_ahead(count(), 2) as items:
        async for number in items:
            assert made <= number + 4


async def test_the_thread_has_ended_when_the_consumer_leaves_early() -> None:
    before = threading.active_count()
    async with read_ahead(iter(range(1_000_000)), 2) as items:
        async for _ in items:
            break
    assert threading.active_count() <= before + 1  # asyncio keeps one of its own
