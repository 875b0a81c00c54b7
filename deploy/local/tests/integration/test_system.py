"""Several commands on one data folder."""

import asyncio

import pytest

from lovsvar_local.errors import AlreadyRunning
from lovsvar_local.folder import DataFolder
from lovsvar_local.progress import Progress
from lovsvar_local.state import read_state
from lovsvar_local.system import own_system, use_system


async def test_two_that_begin_at_once_share_one_system_and_the_owner_waits_for_the_other(folder, scripted) -> None:
    both_in, other_may_go = asyncio.Barrier(2), asyncio.Event()
    order: list[str] = []

    async def use(name: str) -> tuple[bool, str]:
        async with use_system(folder, scripted(), Progress()) as system:
            await both_in.wait()
            if not system.owned:
                await other_may_go.wait()
                assert_running(folder)
                order.append("user done")
            else:
                other_may_go.set()
        if system.owned:
            order.append("owner stopped")
        return system.owned, system.url

    async with asyncio.timeout(60):
        results = await asyncio.gather(use("a"), use("b"))
    assert sorted(owned for owned, _ in results) == [False, True]
    assert len({url for _, url in results}) == 1
    assert order[-2:] == ["user done", "owner stopped"]
    assert read_state(folder.state) is None


async def test_a_second_owner_is_told_who_runs_it(folder, scripted) -> None:
    async with own_system(folder, scripted(), Progress()) as system:
        state = read_state(folder.state)
        assert state is not None
        with pytest.raises(AlreadyRunning) as caught:
            async with own_system(folder, scripted(), Progress()):
                pass
    assert str(state.launcher.pid) in str(caught.value)
    assert system.url in str(caught.value)


async def test_an_owner_that_fails_to_start_gives_the_folder_back(folder, scripted) -> None:
    with pytest.raises(Exception, match="det mangler en nøkkel"):
        async with use_system(folder, scripted(gateway="dying"), Progress()):
            pass
    async with use_system(folder, scripted(), Progress()) as system:
        assert system.owned


def assert_running(folder: DataFolder) -> None:
    state = read_state(folder.state)
    assert state is not None
    assert state.phase == "ready"
