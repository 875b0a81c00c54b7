"""The tools by which a model works on a case, called as the agent calls them."""

import json
from typing import TYPE_CHECKING, Any

import pytest

from lovsvar_contracts import subjects
from lovsvar_contracts.case_details import Phase
from lovsvar_contracts.cases import Actor, Case, CaseGrant, GrantCase, Parties, ReadCase, SetParty
from lovsvar_contracts.problems import ProblemError
from lovsvar_contracts.tools import CallTool, ReadTools, ToolReply, Tools

if TYPE_CHECKING:
    from conftest import Asking

KARI = Actor(name="kari")
NAMES = {
    *("get_case_details", "update_case_details", "get_party_id_by_name", "check_quota", "create_support_ticket"),
    *("generate_draft_pdf", "query_law_sql"),
    *("read_case_document", "search_case_documents", "verify_document_quote"),
}


class Model:
    """Calls tools in a case, as a run does."""

    def __init__(self, ask: "Asking", case: Case, grant: str | None) -> None:
        self._ask = ask
        self.case = case
        self._grant = grant

    async def __call__(self, tool: str, **arguments: Any) -> dict[str, Any]:
        return await self.call(CallTool(name=tool, arguments=arguments, run_id="run1", grant=self._grant))

    async def call(self, request: CallTool) -> dict[str, Any]:
        reply = await self._ask.plain.ask(subjects.tool_call("cases"), request, ToolReply)
        result: dict[str, Any] = json.loads(reply.text)
        return result


async def model_in(
    ask: "Asking", description: str = "Utleier Ola Hansen holder depositumet, ring 41 23 45 67."
) -> Model:
    case = await ask.open(KARI, description=description)
    request = GrantCase(actor=KARI, case_id=case.case_id, run_id="run1")
    return Model(ask, case, (await ask(subjects.CASES_GRANT, request, CaseGrant)).grant)


async def test_the_tools_are_offered_by_the_names_that_a_lawyers_agent_knows(ask: "Asking") -> None:
    tools = (await ask.plain.ask(subjects.tool_list("cases"), ReadTools(), Tools)).tools
    assert {tool.name for tool in tools} == NAMES


async def test_a_model_sees_the_case_without_personal_data(ask: "Asking") -> None:
    model = await model_in(ask)
    case_id = model.case.case_id
    fields = {"firstName": "Ola", "lastName": "Hansen"}
    await ask(subjects.CASES_SET_PARTY, SetParty(actor=KARI, case_id=case_id, role="utleier", fields=fields), Parties)
    result = await model("get_case_details", case_id=case_id)
    assert result["status"] == "success"
    assert result["case_details"]["version"] == 2
    said = result["case_details"]["summary"]["current"]
    assert said == "Utleier {{party0.firstName}} {{party0.lastName}} holder depositumet, ring {{telefon1}}."
    again = await model("get_case_details", case_id=case_id)
    assert again["case_details"]["summary"]["current"] == said


async def test_of_a_long_case_a_model_sees_what_is_newest_and_how_much_is_left_out(ask: "Asking") -> None:
    model = await model_in(ask)
    case_id = model.case.case_id
    notes = [f"Notat {number}. " + "Utleieren har ikke svart. " * 10 for number in range(300)]
    await model("update_case_details", case_id=case_id, updates={"internal_notes": notes})
    result = await model("get_case_details", case_id=case_id)
    assert result["status"] == "success"
    shown = result["case_details"]["internal_notes"]
    assert shown[-1].startswith("Notat 299.")
    assert result["case_details"]["left_out"] == {"internal_notes": 300 - len(shown)}
    assert len(shown) > 50


async def test_a_model_appends_freely_and_replaces_what_it_has_read(ask: "Asking") -> None:
    model = await model_in(ask)
    case_id = model.case.case_id
    facts = [{"fact": "Flyttet ut 1. mai.", "timestamp": "2026-05-01"}]
    assert await model("update_case_details", case_id=case_id, updates={"facts": facts}) == {
        "status": "success",
        "version": 2,
    }
    replace = {"summary.current": "Om et depositum."}
    refused = await model("update_case_details", case_id=case_id, updates=replace)
    assert refused["status"] == "error"
    assert "expected_version" in refused["error_message"]
    stale = await model("update_case_details", case_id=case_id, updates=replace, expected_version=1)
    assert "versjon 2" in stale["error_message"]
    done = await model("update_case_details", case_id=case_id, updates=replace, expected_version=2)
    assert done == {"status": "success", "version": 3}
    wrong = await model("update_case_details", case_id=case_id, updates={"sumary": "x"}, expected_version=3)
    assert "summary, facts" in wrong["error_message"]
    now = await ask(subjects.CASES_READ, ReadCase(actor=KARI, case_id=case_id), Case)
    assert [fact.fact for fact in now.state.details.facts] == ["Flyttet ut 1. mai."]


async def test_a_call_that_is_delivered_twice_changes_once(ask: "Asking") -> None:
    model = await model_in(ask)
    arguments = {"case_id": model.case.case_id, "updates": {"internal_notes": ["Husk fristen."]}}
    call = CallTool(name="update_case_details", arguments=arguments, run_id="run1", grant=model._grant)
    assert [(await model.call(call))["version"] for _ in range(2)] == [2, 2]


@pytest.mark.parametrize(
    ("mentioned", "found"),
    [
        ("Ola", "party0"),
        ("ola hansen", "party0"),
        ("Hansens", "party0"),
        ("utleieren", "party0"),
        ("{{party1.lastName}}", "party1"),
        ("Nordlys Utleie AS", "party1"),
        ("firmaet", "party1"),
        ("Kari", None),
        ("", None),
    ],
)
async def test_parties_are_found_by_what_people_call_them(ask: "Asking", mentioned: str, found: str | None) -> None:
    model = await model_in(ask)
    about = {"actor": KARI, "case_id": model.case.case_id}
    for fields, kind, role in (
        ({"firstName": "Ola", "lastName": "Hansen"}, "person", "utleier"),
        ({"orgName": "Nordlys Utleie AS", "alias": "firmaet"}, "organisation", ""),
    ):
        await ask(subjects.CASES_SET_PARTY, SetParty(**about, party_kind=kind, role=role, fields=fields), Parties)
    result = await model("get_party_id_by_name", case_id=model.case.case_id, mentioned_name=mentioned)
    assert result.get("partyId") == found
    assert result["status"] == ("success" if found else "not_found")


async def test_quota_and_tickets(ask: "Asking") -> None:
    model = await model_in(ask)
    assert await model("check_quota", tier=2) == {"status": "success", "has_quota": True}
    arguments = {"case_id": model.case.case_id, "issue_description": "Ola Hansen finnes ikke."}
    ticket = await model("create_support_ticket", **arguments)
    assert ticket["status"] == "success"
    now = await ask(subjects.CASES_READ, ReadCase(actor=KARI, case_id=model.case.case_id), Case)
    assert now.state.phase is Phase.PAUSED_SUPPORT


async def test_a_run_reaches_no_case_but_its_own_and_none_without_a_grant(ask: "Asking") -> None:
    model = await model_in(ask)
    other = await ask.open(Actor(name="eva"), description="Hemmelig.")
    assert (await model("get_case_details", case_id=other.case_id))["status"] == "error"
    for grant in (None, "", "AAAA", model._grant[:-4] + "AAAA"):
        refused = await Model(ask, model.case, grant)("get_case_details", case_id=model.case.case_id)
        assert refused["status"] == "error"
    arguments = {"case_id": model.case.case_id}
    stolen = CallTool(name="get_case_details", arguments=arguments, run_id="run2", grant=model._grant)
    assert (await model.call(stolen))["status"] == "error"
    with pytest.raises(ProblemError, match="Fant ikke"):
        request = GrantCase(actor=Actor(name="eva"), case_id=model.case.case_id, run_id="run3")
        await ask(subjects.CASES_GRANT, request, CaseGrant)


async def test_a_model_asks_the_law_in_sql(ask: "Asking") -> None:
    model = await model_in(ask)
    refused = await model("query_law_sql", query_string="DELETE FROM legislation", table_name="legislation")
    assert refused == {"status": "error", "error_message": "Bare én SELECT om gangen er tillatt."}
    # Nothing is stored.
    asked = await model("query_law_sql", query_string="SELECT doc_id FROM legislation", table_name="legislation")
    assert asked["status"] == "not_found"
