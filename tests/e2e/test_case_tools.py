"""An assistant elsewhere works on a case by the tools for language models, and learns no names."""

from typing import TYPE_CHECKING, Any

from mcp import Client

if TYPE_CHECKING:
    from conftest import House

SECRETS = ("Nordmann", "Solveig", "41234567", "solveig@example.no")
LETTER = "# Purring\n\nTil {{party0.name}}: jeg venter fortsatt på svar.\n"


async def call(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    found = await client.call_tool(tool, arguments)
    text = found.content[0].text
    assert not found.is_error, text
    assert found.structured_content is not None
    for secret in SECRETS:
        assert secret not in text + str(found.structured_content), (tool, secret)
    return dict(found.structured_content["data"])


async def test_an_assistant_works_on_a_case_from_its_opening_to_a_letter_without_a_name(house: "House") -> None:
    async with house.assistant("kari") as client:
        story = "Solveig Nordmann svarer ikke på 41 23 45 67 eller solveig@example.no."
        case_id = (await call(client, "open_case", title="Nordmann og depositumet", description=story))["case_id"]
        with house.client("kari") as kari:
            party = {"role": "utleier", "fields": {"firstName": "Solveig", "lastName": "Nordmann"}}
            assert kari.post(f"/v1/cases/{case_id}/parties", json=party).status_code == 201
            letter = b"Leieavtale med Solveig Nordmann. Depositumet er 30 000 kroner."
            document = kari.post(f"/v1/cases/{case_id}/documents", params={"name": "Nordmann.txt"}, content=letter)
            assert document.status_code == 201, document.text
        (listed,) = (await call(client, "list_cases"))["cases"]
        assert listed["case_id"] == case_id
        assert "{{party0.lastName}}" in listed["title"]
        details = (await call(client, "get_case_details", case_id=case_id))["case_details"]
        assert "{{party0.lastName}} svarer ikke" in details["summary"]["current"]
        assert (await call(client, "get_party_id_by_name", case_id=case_id, mentioned_name="Nordmann")) == {
            "partyId": "party0"
        }
        summary = {"summary.current": "Kravet er 30 000 kr mot Nordmann."}
        late = await client.call_tool("update_case_details", {"case_id": case_id, "updates": summary})
        assert late.is_error
        assert "expected_version" in late.content[0].text
        about = {"case_id": case_id, "updates": summary, "expected_version": details["version"]}
        assert (await call(client, "update_case_details", **about))["version"] == details["version"] + 1

        hits = (await call(client, "search_case_documents", case_id=case_id, query="depositumet"))["hits"]
        assert "{{party0" in hits[0]["text"]
        document_id = hits[0]["document_id"]
        assert (await call(client, "read_case_document", case_id=case_id, document_id=document_id))["pages"]
        quote = {"case_id": case_id, "quote": "Depositumet er 30 000 kroner."}
        assert (await call(client, "verify_document_quote", **quote))["places"][0]["page"] == 1
        assert (await call(client, "check_quota", case_id=case_id, tier=2))["has_quota"] is True
        assert len((await call(client, "list_draft_templates"))["templates"]) >= 25
        (template,) = (await call(client, "list_draft_templates", template_id="fullmakt"))["templates"]
        assert template["markdown"]

        made = await call(client, "generate_draft_pdf", case_id=case_id, markdown_content=LETTER, draft_name="Purring")
        await call(client, "create_support_ticket", case_id=case_id, issue_description="Nordmann finnes ikke.")
    with house.client("kari") as kari:
        assert kari.get(made["pdf_path"]).content.startswith(b"%PDF")
        history = kari.get(f"/v1/cases/{case_id}/history").json()["changes"]
        by_agent = {one["action"] for one in history if one["by_kind"] == "agent"}
        assert by_agent == {"case_opened", "details_updated", "draft_written", "ticket_created"}
        assert {one["by"] for one in history if one["by_kind"] == "agent"} == {"kari"}
        (ticket,) = kari.get(f"/v1/cases/{case_id}/tickets").json()["tickets"]
        assert ticket["issue_description"] == "Nordmann finnes ikke."
        assert kari.get(f"/v1/cases/{case_id}").json()["state"]["phase"] == "paused_support"
