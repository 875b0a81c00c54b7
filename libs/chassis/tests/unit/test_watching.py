"""Noting progress, counting repeated failures, showing addresses, and proof of life."""

import asyncio
import os
import time
from pathlib import Path

import pytest

from lovsvar_chassis.addresses import shown
from lovsvar_chassis.liveness import EXIT_HUNG, is_alive, liveness
from lovsvar_chassis.probe import main as probe
from lovsvar_chassis.progress import Progress
from lovsvar_chassis.repeats import KEPT, Repeats
from lovsvar_chassis.settings import ServiceSettings


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_component_is_silent_when_it_notes_nothing_for_longer_than_it_may() -> None:
    clock = Clock()
    progress = Progress(clock)
    note = progress.component("follower", 30.0)
    assert progress.components() == ()
    note()
    clock.now = 30.0
    assert progress.silent() == ""
    clock.now = 31.0
    assert progress.silent() == "«follower» har stått stille i 31 sekunder"
    note()
    assert progress.silent() == ""
    assert progress.components()[0].silent_seconds == 0.0


def test_a_failure_that_repeats_is_logged_once_a_minute_with_how_often_it_was_met() -> None:
    clock = Clock()
    repeats = Repeats(clock)
    assert [repeats.count("slow") for _ in range(4)] == [1, 0, 0, 0]
    assert repeats.count("gone") == 1
    clock.now = 60.0
    assert repeats.count("slow") == 4


def test_of_countless_reasons_few_are_kept() -> None:
    repeats = Repeats()
    for number in range(2 * KEPT):
        repeats.count(number)
    assert len(repeats._logged) == KEPT


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("nats://user:secret@broker:4222", "nats://broker:4222"),
        ("nats://s3cr@t@broker:4222", "nats://broker:4222"),
        ("postgresql://u:secret@one:5432,two:5432/law?password=secret", "postgresql://one:5432,two:5432/law"),
        ("postgresql://u@/law?host=/run/db&password=secret", "postgresql:///run/db/law"),
        ("nats://[broken", "en adresse som ikke kan leses"),
    ],
)
def test_an_address_is_shown_without_what_opens_it(url: str, expected: str) -> None:
    assert shown([url]) == expected


def test_nats_may_have_several_addresses() -> None:
    settings = ServiceSettings(nats_url="nats://a:4222, nats://b:4222,")
    assert settings.nats_servers == ["nats://a:4222", "nats://b:4222"]


async def test_the_loop_touches_its_file_while_it_turns(tmp_path: Path) -> None:
    file = tmp_path / "alive"
    async with liveness(file):
        while not file.exists():  # noqa: ASYNC110 the file is what is tested
            await asyncio.sleep(0)
        assert is_alive(file)
    os.utime(file, (time.time() - 60, time.time() - 60))
    assert not is_alive(file)


async def test_a_loop_that_stands_still_ends_the_process_and_one_that_turns_does_not() -> None:
    left: list[int] = []
    async with liveness(None, hung_seconds=2.0, leave=left.append):
        time.sleep(0.5)  # noqa: ASYNC251 what is tested
        await asyncio.sleep(0)
        assert left == []
        while not left:
            time.sleep(0.05)  # noqa: ASYNC251
    assert left == [EXIT_HUNG]


@pytest.mark.parametrize(("age", "code"), [(0, 0), (60, 1), (None, 1)])
def test_a_probe_of_life_looks_at_the_file_alone(
    age: int | None, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "alive"
    if age is not None:
        file.touch()
        os.utime(file, (time.time() - age, time.time() - age))
    monkeypatch.setenv("LOVSVAR_LIVENESS_FILE", str(file))
    monkeypatch.setattr("sys.argv", ["probe", "search", "--alive"])
    assert probe() == code
