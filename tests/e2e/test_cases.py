"""Cases, by the gateway's door: with keys, over real servers, with a service that is killed."""

import asyncio
import base64
import io
import json
import re
import time
import zipfile
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any

import httpx2
import nats
import pytest_asyncio
from standardwebhooks import Webhook

from lovsvar_testkit import made_documents

if TYPE_CHECKING:
    from conftest import House

SECRETS = ("Nordmann", "15108695088", "Hemmelighet", "Solveig")


@pytest_asyncio.fixture
async def tapped(house: "House") -> AsyncIterator["House"]:
    """The house, with everything that crosses NATS noted."""
    connection = await nats.connect(house.system.nats_url)

    async def note(message: Any) -> None:
        house.seen.append(message.data)

    await connection.subscribe(">", cb=note)
    await connection.flush()
    yield house
    await connection.close()


def story(house: "House") -> None:
    with house.client("siri") as siri, house.client("drift") as drift:
        credit = {"starts": "2026-01-01", "ends": "2099-12-31", "credits": {"1": 0, "2": 1}}
        assert drift.put("/v1/subscriptions/key:siri", json=credit).status_code == 200
        assert siri.put("/v1/subscriptions/key:siri", json=credit).status_code == 403
        case = house.describe(siri)
        path = f"/v1/cases/{case['case_id']}"
        fields = {"firstName": "Solveig", "lastName": "Nordmann", "birthNumber": "15108695088"}
        answer = siri.post(f"{path}/parties", json={"kind": "person", "role": "utleier", "fields": fields})
        assert answer.status_code == 201, answer.text
        waiting = siri.put(f"{path}/tier", json={}).json()
        assert (waiting["state"]["tier"], waiting["state"]["phase"]) == (1, "payment")
        assert siri.get("/v1/quota", params={"tier": 2}).json()["has_quota"] is True

        house.system.services["cases"].kill()
        house.system.services["cases"].start()
        house.wait_until_answered()

        assert pay(house, case, "msg_1").json()["status"] == "accepted"
        forged = pay(house, case, "msg_2", secret="whsec_" + base64.b64encode(b"another secret").decode())
        assert forged.status_code == 422
        active = siri.get(path).json()
        assert active["state"]["phase"] == "active"

        version = active["version"]
        update = {"expected_version": version, "updates": {"summary.current": "Kravet er 30 000 kr."}}
        assert siri.patch(path, json=update).json()["version"] == version + 1
        late = siri.patch(path, json=update)
        assert (late.status_code, late.json()["type"]) == (409, "urn:lovsvar:problem:conflict")
        again = [
            siri.patch(path, json={"updates": {"facts": [{"fact": "Én gang."}]}}, headers={"Idempotency-Key": "f"})
            for _ in range(2)
        ]
        assert [one.json()["version"] for one in again] == [version + 2] * 2
        assert siri.get(path, params={"version": 1}).json()["state"]["details"]["summary"]["current"] == house.story
        actions = [one["action"] for one in siri.get(f"{path}/history").json()["changes"]]
        assert actions == [
            "case_opened", "party_set", "tier_set", "payment_awaited", "payment_received", "details_updated",
            "details_updated",
        ]  # fmt: skip

        with zipfile.ZipFile(io.BytesIO(siri.get(f"{path}/export").content)) as archive:
            held = {name: archive.read(name).decode() for name in archive.namelist()}
        assert "Nordmann" in held["parter.json"]
        assert "Hemmelighet" in held["historikk.jsonl"]

        assert siri.post(f"{path}/close", json={"reason": "Forlik"}).json()["state"]["phase"] == "closed"
        assert siri.delete(path).json()["kind"] == "tombstone"
        assert siri.get(path).status_code == 404
        assert siri.get("/v1/cases").json()["cases"] == []


def pay(house: "House", case: dict[str, Any], name: str, secret: str | None = None) -> httpx2.Response:
    now = datetime.now(UTC)
    body = json.dumps({"type": "payment.succeeded", "data": {"case_id": case["case_id"], "tier": 1}})
    headers = {
        "webhook-id": name,
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": Webhook(secret or house.webhook_secret).sign(name, now, body),
        "content-type": "application/json",
    }
    return httpx2.post(f"{house.system.url}/v1/payments/webhook", content=body, headers=headers)


async def test_a_case_from_its_description_to_its_end_and_nobody_between_sees_it(tapped: "House") -> None:
    await asyncio.to_thread(story, tapped)
    assert len(tapped.seen) > 30
    logs = [file.read_bytes() for file in tapped.folder.glob("*.log")]
    assert all(logs)
    for secret in SECRETS:
        assert not [data for data in (*tapped.seen, *logs) if secret.encode() in data], secret


def test_a_draft_is_written_by_route_and_command_and_only_its_owner_gets_the_files(house: "House") -> None:
    text = house.folder / "brev.md"
    text.write_text("# Purring\n\nTil {{party0.name}}: jeg venter på svar.\n", encoding="utf-8")
    with house.client("kari") as kari, house.client("eva") as eva:
        case_id = house.describe(kari)["case_id"]
        path = f"/v1/cases/{case_id}"
        empty = kari.post(f"{path}/drafts", json={"markdown": text.read_text()})
        assert (empty.status_code, "party0 er ingen part" in empty.json()["detail"]) == (422, True)
        kari.post(f"{path}/parties", json={"fields": {"firstName": "Solveig", "lastName": "Nordmann"}})
        pdf = house.folder / "brev.pdf"
        done = house.command("draft", case_id, "--text", str(text), "--name", "Purring", "--pdf", str(pdf))
        assert "Purring, revisjon 1" in done.stdout, done.stderr
        assert (pdf.read_bytes()[:5], pdf.stat().st_mode & 0o777) == (b"%PDF-", 0o600)
        draft = kari.get(f"{path}/drafts").json()["drafts"][0]
        revisions = f"{path}/drafts/{draft['draft_id']}/revisions"
        again = kari.post(revisions, json={"markdown": "Siste varsel.", "revision": 2})
        assert (again.status_code, again.json()["name"]) == (201, "Purring")
        assert kari.post(revisions, json={"markdown": "Siste varsel.", "revision": 2}).status_code == 409
        assert "jeg venter" in kari.get(f"{revisions}/1").json()["markdown"]
        for kind, begins in (("pdf", b"%PDF-"), ("docx", b"PK")):
            assert kari.get(f"{revisions}/1/{kind}").content.startswith(begins)
            assert eva.get(f"{revisions}/1/{kind}").status_code == 404
        held = zipfile.ZipFile(io.BytesIO(kari.get(f"{path}/export").content)).namelist()
        assert [name for name in held if name.startswith("utkast/")]
        withdrawn = kari.get("/v1/templates/fullmakt").json()
        assert withdrawn["status"] in {"unverified", "withdrawn"}
    assert "krav-depositum" in house.command("templates").stdout


def test_a_case_is_worked_on_by_the_command(house: "House") -> None:
    command = partial(house.command, key="nils")
    case_id = json.loads(command("new", house.story, "--title", "Depositum", "--json").stdout)["case_id"]
    assert case_id in command("list").stdout
    assert "Jeg purret." in command("tell", case_id, "Jeg purret.", "--when", "i mai").stdout
    assert "lastName: Nordmann" in command("party", case_id, "lastName=Nordmann", "--role", "utleier").stdout
    assert "Nivå 1" in command("tier", case_id).stdout
    assert "tier_set" in command("show", case_id, "--history").stdout
    changed = command("set", case_id, "objectives=Pengene tilbake", 'internal_notes=["Ring Ola"]')
    assert "Mål: Pengene tilbake" in changed.stdout, changed.stderr
    stale = command("set", case_id, "summary.current=Kort.", "--version", "1")
    assert (stale.returncode, "Saken er endret siden" in stale.stderr) == (1, True)
    assert "closed" in command("close", case_id, "--reason", "Forlik").stdout
    assert "active" in command("reopen", case_id).stdout
    assert "history" in command("accesses", case_id).stdout
    file = house.folder / "sak.zip"
    assert command("export", case_id, str(file)).returncode == 0
    assert zipfile.is_zipfile(file)
    assert file.stat().st_mode & 0o777 == 0o600
    assert command("delete", case_id).returncode != 0
    assert "slettet" in command("delete", case_id, "--yes").stdout
    assert "Ingen saker." in command("list").stdout
    assert "Fant ikke saken" in command("show", case_id).stderr


def test_credit_help_and_the_master_key_are_handled_by_the_command(house: "House") -> None:
    command = partial(house.command, key="ida")
    others = cases_with_their_keys_packed(house)
    case_id = json.loads(command("new", house.story, "--json").stdout)["case_id"]
    assert "Enkel sak" in command("tiers").stdout
    assert "Welcome" in command("tiers", "--locale", "en").stdout
    period = ("--from", "2026-01-01", "--to", "2099-12-31")
    refused = command("subscribe", "key:ida", "1=2", *period)
    assert (refused.returncode, "«operate»" in refused.stderr) == (1, True)
    assert "2 av nivå 1" in house.command("subscribe", "key:ida", "1=2", *period, key="drift").stdout
    assert "2 igjen" in command("quota", "1").stdout
    assert house.command("subscribe", "key:ida", "x", *period, key="drift").returncode == 2
    asked = json.loads(command("ticket", case_id, "Fristen er uklar.", "--json").stdout)
    assert "Fristen er uklar." in command("tickets", case_id).stdout
    assert asked["ticket_id"] in house.command("tickets", key="drift").stdout
    assert "løst" in house.command("resolve", asked["ticket_id"], key="drift").stdout
    assert "Ingen henvendelser." in house.command("tickets", key="drift").stdout
    assert cases_with_their_keys_packed(house) == others + 1
    assert command("rotate-key").returncode == 1


def cases_with_their_keys_packed(house: "House") -> int:
    """Pack the keys of all cases with the master key, which has not changed, and return how many can be opened."""
    rotated = house.command("rotate-key", key="drift")
    counted = re.search(r"0 av (\d+) saker fikk nøkkelen sin pakket om. Alle kan åpnes.", rotated.stdout)
    assert counted, rotated
    return int(counted[1])


def test_a_scanned_contract_is_handed_in_and_quoted_and_no_other_tenant_finds_it(house: "House") -> None:
    with house.client("kari") as kari, house.client("eva") as eva:
        case = kari.post("/v1/cases", json={"title": "Depositum"}).json()["case_id"]
        path = f"/v1/cases/{case}/documents"
        content = made_documents.scanned("Utleier skal betale tilbake", "depositumet på kontoen.")
        content += b"\n%" + bytes(500_000)
        added = kari.post(path, params={"name": "Kontrakt på leie.pdf"}, content=content)
        assert added.status_code == 201, added.text
        where = added.headers["Location"]
        until = time.monotonic() + 60
        while (found := kari.get(where).json()["document"])["state"] == "reading" and time.monotonic() < until:
            time.sleep(0.2)
        assert (found["state"], found["kind"], found["pages"]) == ("ready", "pdf", 1)
        quote = {"quote": "depositumet på kontoen"}
        verified = kari.post(f"{path}:verify", json=quote).json()
        assert [(one["page"], one["source"]) for one in verified["places"]] == [(1, "ocr")]
        assert len(kari.post(f"{path}:search", json={"query": "depositum"}).json()["hits"]) == 1
        downloaded = kari.get(f"{where}/content")
        assert downloaded.content == content
        assert "attachment" in downloaded.headers["Content-Disposition"]
        refused = kari.post(path, params={"name": "x.pdf"}, content=made_documents.encrypted_pdf())
        assert (refused.status_code, "kryptert" in refused.json()["detail"]) == (422, True)
        for method, address, body in (
            ("GET", path, None),
            ("GET", where, None),
            ("GET", f"{where}/pages", None),
            ("GET", f"{where}/content", None),
            ("DELETE", where, None),
            ("POST", f"{path}:verify", quote),
            ("POST", f"{path}:search", {"query": "depositum"}),
            ("POST", f"{path}?name=x", None),
        ):
            assert eva.request(method, address, json=body).status_code == 404, address
        assert [one["state"] for one in kari.delete(where).json()["documents"]] == ["refused"]
