"""SQL that fails: said once in the log with its reason, and to whoever asked in a sentence that is true."""

import time
from typing import Any

import pytest
from structlog.testing import capture_logs

from lovsvar_chassis.database import INTERACTIVE, Database
from lovsvar_contracts.problems import ProblemError, ProblemType
from lovsvar_testkit.waiting import until

TRIES = 5


async def refusal(asking: Any, provision: Any) -> Any:
    with pytest.raises(ProblemError) as refused:
        await asking.read(provision.refid, provision.section)
    return refused.value.problem


async def test_a_table_that_is_gone_is_logged_once_and_told_as_unavailable(
    sample: str, asking: Any, admin: Any, run_search: Any
) -> None:
    async with run_search():

        async def ready() -> bool:
            try:
                return bool((await asking.health()).ready)
            except ProblemError:
                return False

        await until(ready)
        provision = (await asking.find()).hits[0]
        await asking.read(provision.refid, provision.section)
        with capture_logs() as logs:
            await admin.execute("ALTER TABLE sections RENAME TO elsewhere")
            problems = [await refusal(asking, provision) for _ in range(TRIES)]
            await admin.execute("ALTER TABLE elsewhere RENAME TO sections")
        assert {problem.type for problem in problems} == {ProblemType.UNAVAILABLE}
        assert all("Databasen svarer ikke som den skal" in problem.detail for problem in problems)
        told = [line for line in logs if line["event"] == "a query failed"]
        assert [line["query"] for line in told] == ["read_provisions"]
        assert 'relation "sections" does not exist' in told[0]["reason"]
        assert (await asking.read(provision.refid, provision.section)).provisions


async def test_a_lock_that_somebody_holds_is_waited_for_no_longer_than_whoever_asked_waits(
    sample: str, asking: Any, admin: Any, run_search: Any
) -> None:
    async with run_search():

        async def ready() -> bool:
            try:
                return bool((await asking.health()).ready)
            except ProblemError:
                return False

        await until(ready)
        provision = (await asking.find()).hits[0]
        with capture_logs() as logs:
            async with admin.transaction():
                await admin.execute("LOCK TABLE sections IN ACCESS EXCLUSIVE MODE")
                began = time.monotonic()
                problem = await refusal(asking, provision)
        assert time.monotonic() - began < 9
        assert (problem.type, problem.retryable) == (ProblemType.UNAVAILABLE, True)
        assert "Databasen svarer ikke i tide" in problem.detail
        assert "LockNotAvailableError" in next(line["reason"] for line in logs if line["event"] == "a query failed")


async def test_sessions_end_by_themselves_when_nobody_speaks_in_them(database_url: str) -> None:
    database = Database(database_url, size=1, limits=INTERACTIVE)
    await database.start()
    try:
        wanted = {
            "statement_timeout": "5s",
            "lock_timeout": "2s",
            "idle_in_transaction_session_timeout": "1min",
            "idle_session_timeout": "15min",
            "client_connection_check_interval": "2s",
        }
        assert {name: await database.pool.fetchval(f"SHOW {name}") for name in wanted} == wanted
    finally:
        await database.stop()
