"""What a run asks of its case itself, what a message leads to in each phase, and what of it is announced."""

import json
from typing import TYPE_CHECKING, Any

import nats
import pytest

from lovsvar_cases.app import build
from lovsvar_cases.settings import Settings
from lovsvar_contracts import subjects
from lovsvar_contracts.case_accesses import Accesses, ReadAccesses
from lovsvar_contracts.case_details import Phase
from lovsvar_contracts.case_events import CaseChanged
from lovsvar_contracts.cases import (
    Actor,
    Case,
    CaseAction,
    EraseCase,
    History,
    MoveCase,
    PreparedRun,
    ReadCase,
    ReadHistory,
    SendMessage,
    Tombstone,
    UpdateCase,
)
from lovsvar_contracts.problems import ProblemError
from lovsvar_contracts.tools import CallTool, ToolReply
from lovsvar_testkit.running import running

if TYPE_CHECKING:
    from conftest import Asking

KARI = Actor(name="kari")
DEPOSIT = "Utleieren Ola Hansen betaler ikke tilbake depositumet på 30 000 kr."


async def message(ask: "Asking", case: Case, words: str, run_id: str = "run1") -> PreparedRun:
    request = SendMessage(actor=KARI, case_id=case.case_id, run_id=run_id, request_id=f"m-{run_id}", message=words)
    return await ask(subjects.CASES_MESSAGE, request, PreparedRun)


async def now(ask: "Asking", case: Case) -> Case:
    return await ask(subjects.CASES_READ, ReadCase(actor=KARI, case_id=case.case_id), Case)


class Agent:
    """Calls what the agent itself may call in a run."""

    def __init__(self, ask: "Asking", prepared: PreparedRun) -> None:
        self._ask = ask
        self._prepared = prepared

    async def __call__(self, name: str, event_id: str = "once", **arguments: Any) -> dict[str, Any]:
        run = self._prepared
        request = CallTool(name=name, arguments=arguments, run_id=run.run_id, grant=run.grant, event_id=event_id)
        reply = await self._ask.plain.ask(subjects.tool_call("cases"), request, ToolReply)
        result: dict[str, Any] = json.loads(reply.text)
        assert reply.status == result["status"]
        return result


async def test_a_case_that_is_not_described_begins_with_a_greeting(ask: "Asking") -> None:
    case = await ask.open(KARI)
    (said,) = case.state.details.agent_interactions.log
    assert (said.by, case.state.phase) == ("assistant", Phase.DESCRIBING)
    assert "Beskriv situasjonen din kort" in said.text
    described = await ask.open(KARI, description=DEPOSIT)
    assert [one.by for one in described.state.details.agent_interactions.log] == ["person"]


async def test_a_first_message_describes_the_case_and_leaves_its_tier_to_the_run(ask: "Asking") -> None:
    case = await ask.open(KARI)
    prepared = await message(ask, case, DEPOSIT)
    assert (await now(ask, case)).state.phase is Phase.TIER
    agent = Agent(ask, prepared)
    where = await agent("read_case_work")
    assert (where["phase"], where["tier"]) == ("tier", None)
    assert [one["tier"] for one in where["tiers"]] == [1, 2, 3]
    assert "depositumet" in where["description"]
    assert "Hansen" not in where["description"]
    decided = [await agent("set_case_tier", tier=1, reason="Ett krav mot Ola Hansen.") for _ in range(2)]
    assert decided[0] == decided[1]
    assert (decided[0]["phase"], decided[0]["tier"]) == ("active", 1)
    assert "Hansen" not in decided[0]["tier_reason"]
    again = await agent("set_case_tier", "another", tier=3, reason="x")
    assert again["tier"] == 1, "a person may correct a tier, a run may not"


async def test_without_a_tier_of_a_model_the_rules_decide_or_ask(ask: "Asking") -> None:
    vague = await ask.open(KARI)
    agent = Agent(ask, await message(ask, vague, "Noe er galt."))
    asked = await agent("set_case_tier")
    assert (asked["phase"], asked["tier"]) == ("tier", None)
    assert "domstol" in asked["question"]
    agent = Agent(ask, await message(ask, vague, DEPOSIT, "run2"))
    assert (await agent("set_case_tier", "second"))["tier"] == 1


async def test_a_question_to_the_person_has_the_case_wait_until_the_next_message(ask: "Asking") -> None:
    case = await ask.open(KARI)
    agent = Agent(ask, await message(ask, case, DEPOSIT))
    await agent("set_case_tier", tier=1)
    noted = {"step": "waiting", "waiting_for": "Når flyttet du ut?", "about_tool": "generate_draft_pdf"}
    kept = await now(ask, case)
    await agent(
        "update_case_details",
        "notes",
        updates={"case_processing_state.data.plan": "Kravbrev"},
        expected_version=kept.version,
    )
    for _ in range(2):
        assert (await agent("note_case_work", "waits", **noted))["phase"] == "waiting"
    waiting = await now(ask, case)
    assert waiting.state.details.case_processing_state.waiting_for == "Når flyttet du ut?"
    agent = Agent(ask, await message(ask, case, "1. mai.", "run2"))
    where = await agent("read_case_work")
    assert (where["phase"], where["obstacle"]) == ("active", "generate_draft_pdf")
    agent = Agent(ask, await message(ask, case, "Noe annet.", "run3"))
    assert (await agent("read_case_work"))["obstacle"] is None
    assert (await now(ask, case)).state.details.case_processing_state.data["plan"] == "Kravbrev"


@pytest.mark.parametrize("step", ["close", "payment"])
async def test_where_no_work_may_begin_no_run_is_prepared(settings: Settings, ask_of: Any, step: str) -> None:
    unpaid = {"cases_credits": "0,0,0"}
    async with running(build(settings.model_copy(update=unpaid))), ask_of(settings.nats_url) as ask:
        case = await ask.open(KARI)
        agent = Agent(ask, await message(ask, case, DEPOSIT))
        assert (await agent("set_case_tier", tier=1))["phase"] == "payment"
        if step == "close":
            await ask(subjects.CASES_MOVE, MoveCase(actor=KARI, case_id=case.case_id, step="close"), Case)
        before = await now(ask, case)
        with pytest.raises(ProblemError, match="avsluttet" if step == "close" else "Meldingen er lagret"):
            await message(ask, case, "Hallo?", "run2")
        kept = len((await now(ask, case)).state.details.agent_interactions.log)
        assert kept - len(before.state.details.agent_interactions.log) == (0 if step == "close" else 1)


async def test_no_model_is_offered_what_the_agent_itself_calls(ask: "Asking") -> None:
    case = await ask.open(KARI, description=DEPOSIT)
    other = await message(ask, case, "Hei.")
    forged = other.model_copy(update={"grant": "AAAA"})
    for name in ("read_case_work", "set_case_tier", "note_case_work"):
        assert (await Agent(ask, forged)(name))["status"] == "error"


async def test_every_new_version_is_announced_without_a_word_of_it(ask: "Asking", settings: Settings) -> None:
    case = await ask.open(KARI, description=DEPOSIT)
    connection = await nats.connect(settings.nats_url)
    heard = await connection.subscribe(subjects.case_changed(case.case_id))
    await connection.flush()
    facts = {"facts": [{"fact": "Hemmelig."}]}
    await ask(subjects.CASES_UPDATE, UpdateCase(actor=KARI, case_id=case.case_id, updates=facts), Case)
    announced = await heard.next_msg(timeout=10)
    assert CaseChanged.model_validate_json(announced.data).version == 2
    assert b"Hemmelig" not in announced.data
    await ask(subjects.CASES_ERASE, EraseCase(actor=KARI, case_id=case.case_id), Tombstone)
    assert CaseChanged.model_validate_json((await heard.next_msg(timeout=10)).data).version == 0
    await connection.close()


async def test_who_follows_a_case_is_in_its_access_log_once(ask: "Asking") -> None:
    case = await ask.open(KARI, description=DEPOSIT)
    about = {"actor": KARI, "case_id": case.case_id}
    await ask(subjects.CASES_HISTORY, ReadHistory(**about), History)
    for _ in range(3):
        page = await ask(subjects.CASES_HISTORY, ReadHistory(**about, following=True), History)
    assert [one.action for one in page.changes] == [CaseAction.CASE_OPENED]
    with pytest.raises(ProblemError, match="Fant ikke"):
        eva = ReadHistory(actor=Actor(name="eva"), case_id=case.case_id, following=True)
        await ask(subjects.CASES_HISTORY, eva, History)
    found = await ask(subjects.CASES_ACCESSES, ReadAccesses(**about), Accesses)
    assert sorted(one.action for one in found.accesses) == ["history", "refused"]


async def test_what_a_run_keeps_in_a_case_has_the_runs_id_whatever_digits_are_in_it(ask: "Asking") -> None:
    case = await ask.open(KARI, description=DEPOSIT)
    run_id = "85b8c87499264fd099d1390923e5cf4f"
    prepared = await message(ask, case, "Ring meg på 41 23 45 67.", run_id)
    advice = {"by": "reasoner", "text": "Ring 41 23 45 67.", "timestamp": "2026-11-28T07:45:39+00:00", "run_id": run_id}
    agent = Agent(ask, prepared)
    kept = await agent("update_case_details", case_id=case.case_id, updates={"agent_interactions.log": [advice]})
    assert kept["status"] == "success"
    said = (await agent("get_case_details"))["case_details"]["agent_interactions"]["log"][-1]
    assert (said["run_id"], said["text"]) == (run_id, "Ring {{telefon1}}.")
