"""The MCP server on a real nats-server, with services behind it that answer by the book."""

import asyncio
import contextlib
from typing import Any

import pytest
from mcp import Client

from lovsvar_chassis.run_log import RunLog
from lovsvar_contracts import subjects
from lovsvar_contracts.law import InForce, LawType
from lovsvar_contracts.questions import QuestionAsked, QuestionFilters
from lovsvar_contracts.run_events import RunCancelled
from lovsvar_contracts.search import Resolution, ResolvedReference, ResolveReference
from lovsvar_gateway.adapters.nats_link import DOWN

REFID = "lov/2999-01-01-1"


@pytest.fixture
def gateway(own_gateway: Any) -> Any:
    """A gateway for each test, since it remembers what names lead to."""
    return own_gateway


def reference(refid: str, section: str | None = "§3-5", law_type: LawType = LawType.LOV) -> ResolvedReference:
    return ResolvedReference(
        refid=refid,
        section=section,
        act="Eksempelleieloven",
        title="§ 3-5. Depositum",
        law_type=law_type,
        in_force=InForce.YES,
        url=f"/{refid}",
        lovdata_url=f"https://lovdata.no/{refid}",
    )


def resolution(*matches: ResolvedReference, version: int = 1) -> Resolution:
    outcome = "none" if not matches else "one" if len(matches) == 1 else "several"
    return Resolution(reference="x", outcome=outcome, matches=matches, corpus_version=version)


async def test_a_name_that_fits_several_acts_is_answered_with_the_candidates(gateway: Any, behind: Any) -> None:
    regulation = reference("forskrift/2999-01-01-9", law_type=LawType.FORSKRIFT)
    behind.reply[subjects.SEARCH_RESOLVE] = resolution(reference(REFID), reference("lov/2998-01-01-1"))
    async with Client(f"{gateway.url}/mcp") as client:
        found = await client.call_tool("lov", {"lov_id": "leieloven", "paragraf": "3-5"})
        assert found.structured_content is not None
        assert [one["refid"] for one in found.structured_content["candidates"]] == [REFID, "lov/2998-01-01-1"]
        assert f'lov("{REFID}", "§3-5")' in found.content[0].text
        behind.reply[subjects.SEARCH_RESOLVE] = resolution(reference(REFID), regulation)
        found = await client.call_tool("lov", {"lov_id": "leielov eller forskrift", "paragraf": "3-5"})
        assert found.structured_content is not None
        assert [one["refid"] for one in found.structured_content["provisions"]] == [REFID]


async def test_a_name_is_resolved_once_until_the_corpus_changes(gateway: Any, behind: Any) -> None:
    behind.reply[subjects.SEARCH_RESOLVE] = resolution(reference(REFID))

    def asked() -> int:
        return sum(isinstance(one, ResolveReference) for one in behind.asked)

    async with Client(f"{gateway.url}/mcp") as client:
        for _ in range(3):
            await client.call_tool("lov", {"lov_id": "leieloven", "paragraf": "3-5"})
        assert asked() == 1
        behind.reply[subjects.SEARCH_RESOLVE] = resolution(reference(REFID), version=2)
        for _ in range(2):
            await client.call_tool("lov", {"lov_id": "en annen lov", "paragraf": "3-5"})
        assert asked() == 2
        await client.call_tool("lov", {"lov_id": "leieloven", "paragraf": "3-5"})
    assert asked() == 3


async def test_a_service_that_is_down_is_told_as_something_to_try_again(gateway: Any) -> None:
    async with Client(f"{gateway.url}/mcp") as client:
        result = await client.call_tool("status", {})
    assert result.is_error
    assert "Kan prøves igjen" in result.content[0].text
    assert DOWN not in result.content[0].text


async def test_a_follow_up_of_a_question_that_is_gone_is_told_as_such(gateway: Any, behind: Any) -> None:
    async with Client(f"{gateway.url}/mcp") as client:
        result = await client.call_tool("spor", {"sporsmal": "Og da?", "follows": "0" * 32})
    assert result.is_error
    assert "24 timer" in result.content[0].text


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_client_that_leaves_cancels_its_question(
    gateway: Any, behind: Any, js: Any, run_log: RunLog, mode: str
) -> None:
    asked = await js.subscribe(subjects.QUESTION_ASKED_BY_ANY, stream=subjects.STREAM_QUESTIONS)

    async def leave() -> None:
        async with Client(f"{gateway.url}/mcp", mode=mode) as client:
            await client.call_tool("spor", {"sporsmal": "Hvor mye?", "doc_type": "forskrift", "year": 2020})

    asking = asyncio.create_task(leave())
    question = QuestionAsked.model_validate_json((await asked.next_msg(timeout=15)).data)
    assert question.filters == QuestionFilters(law_type=LawType.FORSKRIFT, year=2020)
    asking.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await asking
    async with asyncio.timeout(15):
        async with contextlib.aclosing(run_log.follow(question.run_id, 0)) as events:
            seen = [event async for event in events]
    assert isinstance(seen[-1], RunCancelled)
