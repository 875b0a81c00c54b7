"""Nobody sees a byte of another's case: every route that there is, every tool and the list, with the wrong keys."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import httpx2

from lovsvar_gateway.mcp.calls import CASE_TOOLS

if TYPE_CHECKING:
    from conftest import House

SECRETS = ("Nordmann", "Hemmelighet", "Depositum", "Leiekontrakt", "hemmeligheter", "Purring")
OF_OPERATORS = {"list_tickets", "resolve_ticket", "set_subscription", "rotate_case_keys"}
UNSIGNED = {"receive_payment"}
NOT_OF_ONE_CASE = {"open_case", "list_cases", "read_quota", "read_case_texts", "list_templates", "read_template"}
ORDER = ("get", "post", "put", "patch", "delete")


@dataclass(frozen=True)
class Route:
    """A route of the OpenAPI document, with its own example as the request."""

    name: str
    method: str
    path: str
    query: dict[str, Any]
    body: dict[str, Any]

    def send(self, client: httpx2.Client, ids: dict[str, str]) -> tuple[int, str]:
        """Send the example with `ids` in its path; of a stream of events the status alone is read."""
        path = re.sub(r"\{(\w+)\}", lambda found: ids[found[1]], self.path)
        with client.stream(self.method, path, params=self.query, **self.body) as answer:
            if answer.headers.get("content-type", "").startswith("text/event-stream"):
                return answer.status_code, ""
            return answer.status_code, answer.read().decode(errors="replace")


def routes(client: httpx2.Client) -> list[Route]:
    """Every route about cases, those that read first and those that delete the most last."""
    found = []
    for path, methods in client.get("/openapi.json").json()["paths"].items():
        for method, told in methods.items():
            if "cases" not in told.get("tags", ()):
                continue
            query = {
                one["name"]: one["example"]
                for one in told.get("parameters", ())
                if one["in"] == "query" and "example" in one and one["name"] not in {"version", "phase"}
            }
            body: dict[str, Any] = {}
            for kind, content in told.get("requestBody", {}).get("content", {}).items():
                body = {"json": content["example"]} if kind == "application/json" else {"content": b"Et notat."}
            found.append(Route(told["operationId"], method, path, query, body))
    return sorted(found, key=lambda route: (ORDER.index(route.method), -len(route.path)))


def furnished(house: "House", client: httpx2.Client, **more: Any) -> dict[str, str]:
    """Open a case that has something of everything, and return the ids of it."""
    case_id = house.describe(client, **more)["case_id"]
    path = f"/v1/cases/{case_id}"
    party = {"kind": "person", "role": "leier", "fields": {"firstName": "Solveig", "lastName": "Nordmann"}}
    assert client.post(f"{path}/parties", json=party).status_code == 201
    handed = client.post(f"{path}/documents", params={"name": "Leiekontrakt.txt"}, content=b"Her er hemmeligheter.")
    assert handed.status_code == 201, handed.text
    draft = client.post(f"{path}/drafts", json={"name": "Purring", "markdown": "# Purring\n\nHemmelighet."})
    assert draft.status_code == 201, draft.text
    assert client.put(f"{path}/tier", json={"tier": 1}).json()["state"]["phase"] == "active"
    run = client.post(f"{path}/messages", json={"message": "Hemmelighet, Nordmann."})
    assert run.status_code == 202, run.text
    return {
        "case_id": case_id,
        "party_id": "party0",
        "document_id": handed.json()["document"]["document_id"],
        "draft_id": draft.json()["draft_id"],
        "revision": "1",
        "run_id": run.json()["run_id"],
        "template_id": "fullmakt",
        "ticket_id": "0" * 32,
        "account": "key:kari",
    }


def test_every_route_of_cases_refuses_every_wrong_key_and_shows_nothing(house: "House") -> None:
    with house.client("kari") as kari:
        own, shared = furnished(house, kari), furnished(house, kari, for_organisation=True)
        found = routes(kari)
    names = {route.name for route in found}
    assert len(names) == len(found) >= 40
    for route in found:
        if route.name in UNSIGNED:
            continue
        with httpx2.Client(base_url=house.system.url, timeout=30) as nobody:
            assert route.send(nobody, own)[0] == 401, route
        # A key of the same organisation that is for other things.
        with house.client("leser") as reader:
            status, text = route.send(reader, shared)
        assert (status, shown(text)) == (403, []), route
        for name in ("eva", "drift"):
            if "{case_id}" in route.path:
                for ids in (own, shared):
                    with house.client(name) as stranger:
                        status, text = route.send(stranger, ids)
                    assert (status, shown(text)) == (404, []), (name, route, text)
                    assert f"Fant ikke saken {ids['case_id']}" in text, (name, route, text)
            elif route.name in OF_OPERATORS and name == "eva":
                with house.client(name) as stranger:
                    assert route.send(stranger, own)[0] == 403, route
            else:
                assert route.name in NOT_OF_ONE_CASE | OF_OPERATORS, f"{route} must be tried with a wrong key"
    check_lists_and_log(house, own, shared)
    check_owner_is_answered(house, found, own)


def shown(text: str) -> list[str]:
    return [secret for secret in SECRETS if secret in text]


def check_lists_and_log(house: "House", own: dict[str, str], shared: dict[str, str]) -> None:
    for name in ("eva", "drift"):
        with house.client(name) as stranger:
            cases = stranger.get("/v1/cases").json()["cases"]
        assert not {one["case_id"] for one in cases} & {own["case_id"], shared["case_id"]}
    with house.client("ola") as ola:
        assert [one["case_id"] for one in ola.get("/v1/cases").json()["cases"]] == [shared["case_id"]]
        assert ola.get(f"/v1/cases/{own['case_id']}").status_code == 404
        assert ola.get(f"/v1/cases/{shared['case_id']}").status_code == 200
    with house.client("kari") as kari:
        accesses = kari.get(f"/v1/cases/{own['case_id']}/accesses").json()["accesses"]
    assert {one["by"] for one in accesses if one["action"] == "refused"} == {"eva", "drift", "ola"}


def check_owner_is_answered(house: "House", found: list[Route], own: dict[str, str]) -> None:
    """The very same requests are answered to who may: a stranger was not refused for what was asked."""
    with house.client("kari") as kari:
        for route in found:
            if "{case_id}" in route.path:
                status, text = route.send(kari, own)
                assert status not in {401, 403, 404}, (route, text)
        assert kari.get(f"/v1/cases/{own['case_id']}").status_code == 404


ARGUMENTS: dict[str, dict[str, Any]] = {
    "update_case_details": {"updates": {"facts": [{"fact": "Noe."}]}},
    "get_party_id_by_name": {"mentioned_name": "Nordmann"},
    "check_quota": {"tier": 1},
    "create_support_ticket": {"issue_description": "Noe er galt."},
    "search_case_documents": {"query": "hemmeligheter"},
    "verify_document_quote": {"quote": "Her er hemmeligheter."},
    "write_draft_by_template": {"template_id": "fullmakt", "values": {}},
    "generate_draft_pdf": {"markdown_content": "Hei.", "draft_name": "Hei"},
}


async def test_every_tool_of_cases_refuses_every_wrong_key_and_shows_nothing(house: "House") -> None:
    with house.client("kari") as kari:
        ids = furnished(house, kari)
    offered: set[str] = set()
    for name in ("eva", "drift", "leser"):
        async with house.assistant(name) as client:
            tools = {tool.name: tool for tool in (await client.list_tools()).tools}
            offered |= {one for one, tool in tools.items() if "case_id" in tool.input_schema.get("properties", {})}
            for one in CASE_TOOLS:
                takes = tools[one].input_schema.get("properties", {})
                given = {key: value for key, value in ids.items() if key in takes} | ARGUMENTS.get(one, {})
                found = await client.call_tool(one, given)
                text = found.content[0].text
                assert not shown(text + str(found.structured_content)), (name, one, text)
                if "case_id" in takes:
                    assert found.is_error, (name, one, text)
                    assert ("rettigheten «cases»" if name == "leser" else "Fant ikke saken") in text, (name, one, text)
    assert offered <= set(CASE_TOOLS)
