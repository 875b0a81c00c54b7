"""What a child is told, when a dead one is started again, and what becomes of its logs."""

from pathlib import Path

import pytest

from lovsvar_local.children import (
    FIRST_SIGN_SECONDS,
    LONGEST_DELAY,
    PATIENCE,
    STEADY_SECONDS,
    Watched,
    rotate,
    service_command,
)


class FakeChild:
    name = "agent"
    log = Path("agent.log")
    pid = None
    running = True

    def start(self) -> None:
        self.running = True

    def alive(self) -> bool:
        return self.running

    def terminate(self) -> None:
        self.running = False

    def kill(self) -> None:
        self.running = False


@pytest.mark.parametrize(("set_to", "worker", "search"), [(None, "1", None), ("3", "3", "3")])
def test_the_embedding_worker_takes_one_thread_and_leaves_others_theirs(
    monkeypatch: pytest.MonkeyPatch, set_to: str | None, worker: str, search: str | None
) -> None:
    monkeypatch.delenv("LOVSVAR_EMBED_THREADS", raising=False)
    if set_to is not None:
        monkeypatch.setenv("LOVSVAR_EMBED_THREADS", set_to)
    told = [service_command(name, {}, Path("log")).environment for name in ("embedding", "search")]
    assert [environment.get("LOVSVAR_EMBED_THREADS") for environment in told] == [worker, search]


def die_and_wait(watched: Watched, child: FakeChild, now: float) -> float:
    """Let the child die at `now`; start it again when it is due; return how long that took."""
    child.running = False
    began = now
    while not watched.look(now):
        now += 0.05
    child.start()
    watched.started(now)
    return now - began


def test_a_first_death_is_mended_at_once() -> None:
    child = FakeChild()
    assert die_and_wait(Watched(child), child, now=100.0) < 0.5


def test_the_delay_grows_with_each_quick_death_up_to_a_limit() -> None:
    child = FakeChild()
    watched = Watched(child)
    delays, told = [], []
    for _ in range(10):
        delays.append(die_and_wait(watched, child, now=0.0))
        told.append(watched.keeps_dying)
    assert delays == sorted(delays)
    assert delays[-1] <= LONGEST_DELAY + 0.1
    assert told.count(True) == 1


def test_after_a_steady_while_the_deaths_are_forgotten() -> None:
    child = FakeChild()
    watched = Watched(child)
    for _ in range(3):
        die_and_wait(watched, child, now=0.0)
    assert not watched.look(STEADY_SECONDS + 5.0)
    assert not watched.keeps_dying
    assert die_and_wait(watched, child, now=100.0) < 0.5


def test_a_child_hangs_when_its_sign_of_life_stays_the_same() -> None:
    watched = Watched(FakeChild())
    watched.started(0.0)
    hangs = [watched.hangs(float(now), min(now, 10)) for now in range(40)]
    assert hangs.index(True) == 10 + PATIENCE + 1
    assert all(hangs[hangs.index(True) :])


def test_a_child_that_never_shows_a_sign_of_life_hangs_after_a_generous_while() -> None:
    watched = Watched(FakeChild())
    watched.started(100.0)
    hangs = [watched.hangs(100.0 + now, None) for now in range(200)]
    assert hangs.index(True) == FIRST_SIGN_SECONDS + 1
    watched.started(300.0)
    assert not watched.hangs(301.0, None)


def test_after_the_launcher_itself_was_held_up_a_child_has_its_time_again() -> None:
    watched = Watched(FakeChild())
    watched.started(0.0)
    for now in range(10):
        watched.hangs(float(now), 1)
    assert not watched.hangs(3_600.0, 1)
    assert [watched.hangs(3_600.0 + more, 1) for more in (5.0, 10.0, 16.0)] == [False, False, True]


def test_a_child_that_was_started_again_is_not_taken_for_the_one_that_hung() -> None:
    watched = Watched(FakeChild())
    for now in range(30):
        watched.hangs(float(now), 1)
    watched.started(30.0)
    assert not watched.hangs(31.0, 1)


def test_logs_of_earlier_runs_are_set_aside_and_few_are_kept(tmp_path: Path) -> None:
    log = tmp_path / "agent.log"
    for run in range(6):
        log.write_text(f"run {run}")
        rotate(log)
    assert not log.exists()
    assert [file.read_text() for file in sorted(tmp_path.iterdir())] == ["run 5", "run 4", "run 3"]
