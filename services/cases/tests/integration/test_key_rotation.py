"""Another master key: while it takes the place of the old one, the service serves, and nothing is lost."""

import asyncio
import base64
from typing import TYPE_CHECKING

import asyncpg
import pytest

from lovsvar_cases.adapters.keys import MasterKey
from lovsvar_cases.adapters.postgres_keys import PostgresKeys
from lovsvar_cases.settings import Settings
from lovsvar_chassis.database import Database
from lovsvar_contracts import subjects
from lovsvar_contracts.case_keys import KeyRotation, RotateKeys
from lovsvar_contracts.cases import Actor, Case, EraseCase, ReadCase, Tombstone, UpdateCase
from lovsvar_contracts.problems import ProblemError, ProblemType

if TYPE_CHECKING:
    from conftest import Asking, Serve

KARI = Actor(name="kari")
OPERATOR = Actor(name="drift", operator=True)
OLD, NEW = b"o" * 32, b"n" * 32


def holding(settings: Settings, key: bytes, other: bytes | None = None) -> Settings:
    """The settings with a master key, and another that opens what it wrapped."""
    written = [one and base64.b64encode(one).decode() for one in (key, other)]
    given = {"cases_master_key": written[0], "cases_other_master_keys": written[1]}
    return Settings.model_validate({**settings.model_dump(), **given})


async def read(ask: "Asking", case_id: str) -> Case:
    return await ask(subjects.CASES_READ, ReadCase(actor=KARI, case_id=case_id), Case)


async def test_cases_are_worked_on_while_their_keys_are_wrapped_anew(settings: Settings, serve: "Serve") -> None:
    async with serve(holding(settings, OLD)) as ask:
        ids = [(await ask.open(KARI, description="Om et depositum.")).case_id for _ in range(4)]
        await ask(subjects.CASES_ERASE, EraseCase(actor=KARI, case_id=ids[3]), Tombstone)

    async with serve(holding(settings, NEW, OLD)) as ask:

        async def write(number: int) -> None:
            update = UpdateCase(actor=KARI, case_id=ids[0], updates={"facts": [{"fact": f"Nummer {number}"}]})
            await ask(subjects.CASES_UPDATE, update, Case)

        rotate = RotateKeys(actor=OPERATOR)
        with pytest.raises(ProblemError) as refused:
            await ask(subjects.CASES_ROTATE_KEYS, RotateKeys(actor=KARI), KeyRotation)
        assert refused.value.problem.type is ProblemType.INVALID_REQUEST
        writing = [write(number) for number in range(10)]
        first, *_ = await asyncio.gather(ask(subjects.CASES_ROTATE_KEYS, rotate, KeyRotation), *writing)
        assert (first.read, first.rewrapped, first.unreadable, first.next) == (3, 3, 0, None)
        again = await ask(subjects.CASES_ROTATE_KEYS, rotate, KeyRotation)
        assert (again.read, again.rewrapped) == (3, 0)
        assert len((await read(ask, ids[0])).state.details.facts) == 10

    async with serve(holding(settings, NEW)) as ask:
        assert (await read(ask, ids[1])).state.details.summary.current == "Om et depositum."
    async with serve(holding(settings, OLD)) as ask:
        with pytest.raises(ProblemError, match="en annen hovednøkkel"):
            await read(ask, ids[1])


async def test_a_rotation_goes_page_by_page_counts_what_nobody_can_open_and_takes_up_where_it_was_cut(
    settings: Settings, serve: "Serve"
) -> None:
    async with serve(holding(settings, OLD)) as ask:
        for _ in range(5):
            await ask.open(KARI)
    connection = await asyncpg.connect(settings.database_url)
    await connection.execute(
        "UPDATE cases.cases SET wrapped_key = $1 WHERE case_id = (SELECT min(case_id) FROM cases.cases)", bytes(60)
    )
    await connection.close()
    database = Database(settings.database_url, 2, {"search_path": "cases"})
    await database.start()
    keys = PostgresKeys(database, MasterKey(NEW, OLD))
    first = await keys.rewrap(None, 2)
    assert (first.read, first.rewrapped, first.unreadable) == (2, 1, 1)
    # Cut here: whoever begins again passes over what was done.
    found = await keys.rewrap(None, 2)
    assert (found.rewrapped, found.unreadable) == (0, 1)
    rewrapped = 0
    while found.next is not None:
        found = await keys.rewrap(found.next, 2)
        rewrapped += found.rewrapped
    await database.stop()
    assert rewrapped == 3
