"""Blocking work one item ahead of its consumer."""

import time
from collections.abc import Iterator
from contextlib import aclosing

import pytest

from lovsvar_ingest.core.dataset_sync import one_ahead


async def test_items_arrive_in_order() -> None:
    async with aclosing(one_ahead(iter(range(100)))) as items:
        assert [item async for item in items] == list(range(100))


async def test_an_error_of_the_iterator_is_raised_to_the_consumer() -> None:
    def broken() -> Iterator[int]:
        yield 1
        raise ValueError("ødelagt")

    with pytest.raises(ValueError, match="ødelagt"):
        async with aclosing(one_ahead(broken())) as items:
            async for _ in items:
                pass


async def test_the_iterator_never_runs_further_ahead_than_one_item() -> None:
    made = 0

    def count() -> Iterator[int]:
        nonlocal made
        for number in range(1_000):
            made += 1
            yield number

    async with aclosing(one_ahead(count())) as items:
        async for number in items:
            assert made <= number + 2


async def test_the_iterator_does_not_run_any_more_when_the_consumer_leaves_early() -> None:
    running = False

    def count() -> Iterator[int]:
        nonlocal running
        for number in range(1_000_000):
            running = True
            time.sleep(0.05)
            running = False
            yield number

    async with aclosing(one_ahead(count())) as items:
        async for _ in items:
            break
    assert not running
