"""Another tenant learns of no case, by any subject and by any tool that there is."""

import base64
import json
from collections.abc import Mapping
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest

from lovsvar_cases.handlers import SERVED
from lovsvar_contracts import case_credit, case_documents, case_drafts, case_keys, cases, subjects
from lovsvar_contracts.cases import Actor, Case
from lovsvar_contracts.message import Message, new_id
from lovsvar_contracts.problems import ProblemError, ProblemType
from lovsvar_contracts.tools import CallTool, ReadTools, ToolReply, Tools

if TYPE_CHECKING:
    from conftest import Asking

KARI = Actor(name="kari", organisation="huset")
STRANGERS = (
    Actor(name="eva", organisation="andre"),
    Actor(name="eva"),
    Actor(name="drift", operator=True),
    Actor(name="Kari"),
    Actor(name="huset", organisation="kari"),
)
SECRET = "Hemmeligheten"

FIELDS: Mapping[type[Message], Mapping[str, Any]] = {
    cases.UpdateCase: {"updates": {"facts": [{"fact": "Noe."}]}},
    cases.MoveCase: {"step": "close"},
    cases.SetParty: {"fields": {"lastName": "Hansen"}},
    cases.RemoveParty: {"party_id": "party0"},
    cases.TicketRequest: {"issue_description": "Noe er galt."},
    cases.GrantCase: {"run_id": "run1"},
    cases.SendMessage: {"run_id": "run1", "message": "Hei."},
    cases.ShowData: {"data": {"text": "{{party0.lastName}}"}},
    cases.UseTool: {"name": "get_case_details"},
    case_credit.SetTier: {"tier": 1},
    case_drafts.WriteDraft: {"markdown": "Hei."},
    case_drafts.RenderDraft: {"format": "pdf"},
    case_documents.AddDocumentPart: {"number": 0, "content": base64.b64encode(b"Hei.").decode()},
    case_documents.FinishDocument: {"name": "Hei.txt", "parts": 1},
    case_documents.ReadDocumentPart: {"number": 0},
    case_documents.SearchDocuments: {"query": SECRET},
    case_documents.VerifyQuote: {"quote": f"{SECRET} er her."},
}
"""What requests need besides the ids of what they are about."""

OF_NO_CASE = {
    *(subjects.CASES_OPEN, subjects.CASES_LIST, subjects.CASES_QUOTA, subjects.CASES_TEXTS, subjects.CASES_TEMPLATES),
    *(subjects.CASES_SUBSCRIBE, subjects.CASES_RESOLVE, subjects.CASES_ROTATE_KEYS, subjects.CASES_PAYMENT),
}


async def furnished(ask: "Asking") -> dict[str, str]:
    """Open a case with a party, a document and a draft, and return the ids."""
    case = await ask.open(KARI, title=SECRET, description=f"{SECRET} er dette.")
    about: dict[str, Any] = {"actor": KARI, "case_id": case.case_id}
    await ask(subjects.CASES_SET_PARTY, cases.SetParty(**about, fields={"lastName": SECRET}), cases.Parties)
    written = case_drafts.WriteDraft(**about, markdown=f"# {SECRET}\n\nHei.")
    draft = await ask(subjects.CASES_WRITE_DRAFT, written, case_drafts.Draft)
    document = {**about, "document_id": new_id()}
    content = base64.b64encode(f"{SECRET} er her.".encode()).decode()
    part = case_documents.AddDocumentPart(**document, number=0, content=content)
    await ask(subjects.CASES_ADD_DOCUMENT_PART, part, case_documents.PartAdded)
    finish = case_documents.FinishDocument(**document, name=f"{SECRET}.txt", parts=1)
    await ask(subjects.CASES_FINISH_DOCUMENT, finish, case_documents.DocumentReply)
    ids = {"case_id": case.case_id, "draft_id": draft.draft_id, "document_id": str(document["document_id"])}
    return {**ids, "party_id": "party0"}


def request(kind: type[Message], actor: Actor, ids: Mapping[str, str]) -> Message:
    """A request of that kind, about what has these ids."""
    named = {name: value for name, value in ids.items() if name in kind.model_fields}
    numbered = {"revision": 1} if kind in {case_drafts.ReadDraft, case_drafts.RenderDraft} else {}
    return kind.model_validate({"actor": actor, **named, **numbered, **FIELDS.get(kind, {})})


async def refusal(ask: "Asking", subject: str, asked: Message) -> tuple[ProblemType, str] | None:
    """Return why a request is refused, None for one that is answered."""
    try:
        reply = await ask(subject, asked, ToolReply if subject == subjects.CASES_USE_TOOL else Message)
    except ProblemError as exc:
        return exc.problem.type, exc.problem.detail
    # What a tool is refused is a result that a model reads.
    result = json.loads(reply.text) if isinstance(reply, ToolReply) else {}
    return (ProblemType.NOT_FOUND, result["error_message"]) if result.get("status") == "error" else None


async def test_by_no_subject_does_a_stranger_see_or_change_a_case(ask: "Asking") -> None:
    ids = await furnished(ask)
    read = cases.ReadCase(actor=KARI, case_id=ids["case_id"])
    version = (await ask(subjects.CASES_READ, read, Case)).version
    tried = 0
    for subject, kind, _ in SERVED:
        assert ("case_id" in kind.model_fields) or subject in OF_NO_CASE, f"{subject} must be tried by a stranger"
        if subject in OF_NO_CASE:
            continue
        for stranger in STRANGERS:
            found = await refusal(ask, subject, request(kind, stranger, ids))
            assert found == (ProblemType.NOT_FOUND, f"Fant ikke saken {ids['case_id']}."), (subject, stranger)
            tried += 1
    assert tried >= 25 * len(STRANGERS)
    assert (await ask(subjects.CASES_READ, read, Case)).version == version
    for stranger in STRANGERS:
        listed = await ask(subjects.CASES_LIST, cases.ListCases(actor=stranger), cases.Cases)
        assert listed.cases == ()


async def test_the_same_requests_are_answered_to_the_owner(ask: "Asking") -> None:
    ids = await furnished(ask)
    last = (subjects.CASES_REMOVE_PARTY, subjects.CASES_REMOVE_DOCUMENT, subjects.CASES_ERASE)
    served = [one for one in SERVED if one[0] not in OF_NO_CASE]
    for subject, kind, _ in sorted(served, key=lambda one: last.index(one[0]) + 1 if one[0] in last else 0):
        try:
            await ask(subject, request(kind, KARI, ids), Message)
        except ProblemError as exc:
            assert exc.problem.type is ProblemType.CONFLICT, (subject, exc)


async def test_only_an_operator_does_what_is_of_operators(ask: "Asking") -> None:
    for subject, asked in (
        (subjects.CASES_TICKETS, cases.ListTickets(actor=KARI)),
        (subjects.CASES_RESOLVE, cases.ResolveTicket(actor=KARI, ticket_id="t")),
        (subjects.CASES_ROTATE_KEYS, case_keys.RotateKeys(actor=KARI)),
        (
            subjects.CASES_SUBSCRIBE,
            case_credit.SetSubscription(
                actor=KARI, account="key:kari", starts=date(2026, 1, 1), ends=date(2026, 2, 1), credits={"1": 9}
            ),
        ),
    ):
        with pytest.raises(ProblemError, match="driftsansvarlig"):
            await ask(subject, asked, Message)


async def test_by_no_tool_does_a_run_of_another_case_or_none_see_a_case(ask: "Asking") -> None:
    ids = await furnished(ask)
    eva = STRANGERS[0]
    other = await ask.open(eva)
    grants = {
        "of another case": (eva, other.case_id, "run1"),
        "of another run": (KARI, ids["case_id"], "run2"),
    }
    made = {}
    for name, (actor, case_id, run_id) in grants.items():
        asked = cases.GrantCase(actor=actor, case_id=case_id, run_id=run_id)
        made[name] = (await ask(subjects.CASES_GRANT, asked, cases.CaseGrant)).grant
    own = cases.GrantCase(actor=KARI, case_id=ids["case_id"], run_id="run1")
    good = (await ask(subjects.CASES_GRANT, own, cases.CaseGrant)).grant
    made |= {"none": "", "forged": good[:-8] + "AAAAAAA="}
    offered = (await ask.plain.ask(subjects.tool_list("cases"), ReadTools(), Tools)).tools
    assert len(offered) >= 10
    for one in offered:
        properties = one.parameters["properties"]
        named = {name: value for name, value in ids.items() if name in properties}
        words = {name: SECRET for name, schema in properties.items() if schema.get("type") == "string"}
        numbers = {name: 1 for name, schema in properties.items() if schema.get("type") == "integer"}
        for name, grant in made.items():
            call = CallTool(name=one.name, arguments={**words, **numbers, **named}, run_id="run1", grant=grant)
            if "case_id" not in named:
                call = call.model_copy(update={"arguments": {**call.arguments, "case_id": ids["case_id"]}})
            reply = await ask.plain.ask(subjects.tool_call("cases"), call, ToolReply)
            result = json.loads(reply.text)
            assert result["status"] == "error", (one.name, name, reply.text)
            assert SECRET not in reply.text, (one.name, name)
    mine = CallTool(name="get_case_details", arguments={"case_id": ids["case_id"]}, run_id="run1", grant=good)
    shown = await ask.plain.ask(subjects.tool_call("cases"), mine, ToolReply)
    assert json.loads(shown.text)["status"] == "success"
