"""Ending tasks."""

import asyncio

import pytest
from structlog.testing import capture_logs

from lovsvar_chassis import tasks


async def test_a_task_that_loses_a_cancellation_is_ended_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "AGAIN_SECONDS", 0.01)
    lost = 0

    async def loses_two() -> None:
        nonlocal lost
        while True:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                if lost == 2:
                    raise
                lost += 1

    losing = asyncio.create_task(loses_two())
    await asyncio.sleep(0)
    await tasks.end(losing)
    assert (losing.cancelled(), lost) == (True, 2)


async def test_tasks_that_have_ended_are_no_matter() -> None:
    async def fails() -> None:
        raise ValueError

    failed = asyncio.create_task(fails())
    await asyncio.wait({failed})
    await tasks.end(failed)
    await tasks.end()
    assert isinstance(failed.exception(), ValueError)


class Failing(tasks.Background):
    async def _run(self) -> None:
        raise ValueError("a fault")


async def test_background_work_that_fails_says_so_while_its_part_still_runs() -> None:
    part = Failing()
    with capture_logs() as logs:
        await part.start()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
    assert [(line["event"], line["task"]) for line in logs] == [("work in the background has ended", "Failing")]
    await part.stop()
