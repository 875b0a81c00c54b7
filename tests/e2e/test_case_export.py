"""A case as one archive: everything that is in it, sent as it is made, with a list to check it by."""

import hashlib
import io
import json
import time
import zipfile
from typing import TYPE_CHECKING, Any

import psutil

from lovsvar_testkit import made_documents

if TYPE_CHECKING:
    from conftest import House

MEGABYTES = 2**20
DOCUMENTS = 3
"""Of 17 megabytes each: together far more than a gateway may hold."""


def test_everything_in_a_case_is_in_its_archive_and_in_the_list_of_it(house: "House") -> None:
    with house.client("kari") as kari, house.client("eva") as eva:
        case_id = house.describe(kari)["case_id"]
        path = f"/v1/cases/{case_id}"
        for role, first, last in (("utleier", "Solveig", "Nordmann"), ("vitne", "Per", "Vik")):
            party = {"role": role, "fields": {"firstName": first, "lastName": last}}
            assert kari.post(f"{path}/parties", json=party).status_code == 201
        contract = made_documents.pdf(made_documents.CONTRACT)
        assert hand_in(kari, case_id, "../../etc/Kontrakt på leie.pdf", contract) == "ready"
        assert hand_in(kari, case_id, "låst.pdf", made_documents.encrypted_pdf()) == "refused"
        letter = {"name": "Purring", "markdown": "# Purring\n\nTil {{party0.name}}: svar meg."}
        draft = kari.post(f"{path}/drafts", json=letter).json()
        revisions = f"{path}/drafts/{draft['draft_id']}/revisions"
        again = kari.post(revisions, json={"markdown": "# Varsel\n\n{{party1.name}} så det."})
        assert again.status_code == 201, again.text
        assert kari.delete(f"{path}/parties/party1").status_code == 200
        assert eva.get(path).status_code == 404
        kari.put(f"{path}/tier", json={"tier": 1})
        run_id = kari.post(f"{path}/messages", json={"message": "Nordmann svarer ikke."}).json()["run_id"]
        kari.post(f"{path}/tickets", json={"issue_description": "Ring 41 23 45 67, sier Nordmann."})
        held, contents = exported(kari, case_id)

    place = f"utkast/{draft['draft_id']}"
    document_id = json.loads(held["dokumenter.json"])["documents"][0]["document_id"]
    assert set(held) == {
        *("sak.json", "parter.json", "historikk.jsonl", "innsyn.jsonl", "henvendelser.json", "dokumenter.json"),
        *(f"{place}/1.{kind}" for kind in ("json", "md", "pdf", "docx")),
        *(f"{place}/2.{kind}" for kind in ("json", "md")),
        *(f"dokumenter/{document_id}/__.._etc_Kontrakt på leie.pdf", f"dokumenter/{document_id}.sider.jsonl"),
        f"svar/{run_id}.json",
    }
    assert held[f"dokumenter/{document_id}/__.._etc_Kontrakt på leie.pdf"] == contract
    assert b"12 500 kroner" in held[f"dokumenter/{document_id}.sider.jsonl"]
    assert held[f"{place}/1.pdf"].startswith(b"%PDF")
    assert held[f"{place}/1.docx"].startswith(b"PK")
    assert "{{party0.name}}" in held[f"{place}/1.md"].decode()
    assert "Nordmann" in held["parter.json"].decode()
    assert "Ring 41 23 45 67, sier Nordmann." in held["henvendelser.json"].decode()
    changes = [json.loads(line) for line in held["historikk.jsonl"].splitlines()]
    assert [one["version"] for one in changes] == list(range(1, json.loads(held["sak.json"])["version"] + 1))
    assert ("eva", "refused") in [
        (one["by"], one["action"]) for one in map(json.loads, held["innsyn.jsonl"].splitlines())
    ]
    missing = {one["name"]: one["why"] for one in contents["missing"]}
    assert set(missing) == {f"{place}/2.pdf", f"{place}/2.docx", next(name for name in missing if "låst.pdf" in name)}
    assert "party1" in missing[f"{place}/2.pdf"]


def hand_in(client: Any, case_id: str, name: str, content: bytes) -> str:
    """Hand a document in, and return what came of reading it."""
    key, path = {"Idempotency-Key": name.encode().hex()}, f"/v1/cases/{case_id}/documents"

    def taken() -> bool:
        answer = client.post(path, params={"name": name}, content=content, headers=key)
        return bool(answer.status_code in {201, 422})

    def state() -> str:
        found = {one["name"]: one["state"] for one in client.get(path).json().get("documents", ())}
        return str(found.get(name, "reading"))

    deadline = time.monotonic() + 240
    while not taken():
        assert time.monotonic() < deadline, f"{name} was not taken"
        time.sleep(0.2)
    while (found := state()) == "reading":
        assert time.monotonic() < deadline, f"{name} was not read"
        time.sleep(0.1)
    return found


def exported(client: Any, case_id: str) -> tuple[dict[str, bytes], dict[str, Any]]:
    """Return the files of the archive, which are as its list says, and the list."""
    answer = client.get(f"/v1/cases/{case_id}/export")
    assert answer.status_code == 200, answer.text
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert archive.testzip() is None
        *names, last = archive.namelist()
        held = {name: archive.read(name) for name in names}
        contents = json.loads(archive.read(last))
    assert last == "innhold.json"
    assert {one["name"]: (one["bytes"], one["sha256"]) for one in contents["files"]} == {
        name: (len(content), hashlib.sha256(content).hexdigest()) for name, content in held.items()
    }
    return held, contents


def test_an_archive_of_many_megabytes_is_sent_in_pieces_and_held_by_nobody(house: "House") -> None:
    with house.client("kari") as kari:
        case_id = house.describe(kari)["case_id"]
        for number in range(DOCUMENTS):
            content = made_documents.pdf(made_documents.CONTRACT) + b"\n%" + bytes([number]) * (17 * MEGABYTES)
            assert hand_in(kari, case_id, f"{number}.pdf", content) == "ready"
        gateway = psutil.Process(house.system.services["gateway"].process.pid)
        before, most, size = gateway.memory_info().rss, 0, 0
        with kari.stream("GET", f"/v1/cases/{case_id}/export") as answer:
            for piece in answer.iter_bytes(MEGABYTES):
                size += len(piece)
                most = max(most, gateway.memory_info().rss)
    assert size > DOCUMENTS * 17 * MEGABYTES
    assert most - before < 30 * MEGABYTES
