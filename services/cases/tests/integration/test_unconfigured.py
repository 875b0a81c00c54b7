"""A service without a master key, one with another, and one that forgets."""

import base64
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from lovsvar_cases.adapters.keys import MasterKey
from lovsvar_cases.adapters.postgres_cases import PostgresCases
from lovsvar_cases.app import build
from lovsvar_cases.retention import Retention
from lovsvar_cases.settings import Settings
from lovsvar_chassis.database import Database
from lovsvar_contracts import subjects
from lovsvar_contracts.cases import Actor, Case, Cases, ListCases, MoveCase, ReadCase
from lovsvar_contracts.message import utc_now
from lovsvar_contracts.problems import ProblemError, ProblemType
from lovsvar_testkit.running import running
from lovsvar_testkit.waiting import until

if TYPE_CHECKING:
    from conftest import Asking

KARI = Actor(name="kari")


async def test_without_a_master_key_every_request_is_answered_with_not_configured(nats_url: str, ask_of: Any) -> None:
    async with running(build(Settings(nats_url=nats_url))), ask_of(nats_url) as ask:
        with pytest.raises(ProblemError) as caught:
            await ask.open(KARI)
    assert caught.value.problem.type is ProblemType.NOT_CONFIGURED
    assert "LOVSVAR_CASES_MASTER_KEY" in caught.value.problem.detail


async def test_what_was_stored_with_another_master_key_is_said_to_be_unreadable(
    settings: Settings, ask_of: Any
) -> None:
    async with running(build(settings)), ask_of(settings.nats_url) as ask:
        case = await ask.open(KARI, description="Mitt.")
    other = Settings.model_validate({**settings.model_dump(), "cases_master_key": base64.b64encode(b"2" * 32).decode()})
    async with running(build(other)), ask_of(settings.nats_url) as ask:
        with pytest.raises(ProblemError, match="annen hovednøkkel"):
            await ask(subjects.CASES_READ, ReadCase(actor=KARI, case_id=case.case_id), Case)


async def test_a_case_that_was_closed_long_ago_is_erased(ask: "Asking", settings: Settings) -> None:
    old, young = await ask.open(KARI, title="gammel"), await ask.open(KARI, title="åpen")
    await ask(subjects.CASES_MOVE, MoveCase(actor=KARI, case_id=old.case_id, step="close"), Case)
    key = settings.master_key()
    database = Database(settings.database_url, server_settings={"search_path": "cases"})
    await database.start()
    try:
        store = PostgresCases(database, MasterKey(key), now=lambda: utc_now() + timedelta(days=31))
        retention = Retention(store, 30)
        await retention.start()

        async def one_is_left() -> bool:
            return len((await ask(subjects.CASES_LIST, ListCases(actor=KARI), Cases)).cases) == 1

        await until(one_is_left, 10)
        await retention.stop()
    finally:
        await database.stop()
    left = await ask(subjects.CASES_LIST, ListCases(actor=KARI), Cases)
    assert [case.case_id for case in left.cases] == [young.case_id]
