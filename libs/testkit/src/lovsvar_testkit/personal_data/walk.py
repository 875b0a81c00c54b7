"""One case from its opening to the finished letter, by the gateway's door."""

import asyncio
import io
import re
import time
from dataclasses import dataclass, field
from typing import Any

import docx
import httpx2
import pypdfium2 as pdfium
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from lovsvar_contracts.run_events import CLOSING
from lovsvar_testkit import sse
from lovsvar_testkit.personal_data.made_cases import MadeCase
from lovsvar_testkit.personal_data.sightings import Kind, Secret, squeezed
from lovsvar_testkit.personal_data.taps import Taps
from lovsvar_testkit.processes import System

PATIENCE = 240.0
"""Seconds that one answer, or the reading of one document, may take on a machine that does much else."""

LOOK = 0.1

_FOOT = re.compile(r"\s*Vår ref\.\s+\S+\s+Side \d+ av \d+\s*$")
"""What stands at the foot of each page of a letter."""


class WalkFailed(Exception):
    """A case did not come to its end. The words say where it stopped."""


@dataclass
class Walk:
    """A case on its way. `files` are the finished letters as text, without spaces and signs."""

    made: MadeCase
    system: System
    taps: Taps
    files: dict[str, str] = field(default_factory=dict)
    path: str = ""

    def go(self) -> "Walk":
        """Do all of it. Raises `WalkFailed`."""
        with httpx2.Client(base_url=self.system.url, timeout=PATIENCE) as client:
            self._client = client
            self._describe()
            self._hand_in()
            self._ask(self.made.message)
            run_id = self._ask(self.made.second)
            self._read_letters(run_id)
            self._go_wrong()
            asyncio.run(self._work_elsewhere())
            self._send("POST", "/tickets", 201, json={"issue_description": self.made.issue})
        return self

    def _send(self, method: str, path: str, status: int, **more: Any) -> httpx2.Response:
        answer = self._client.request(method, self.path + path, **more)
        if answer.status_code != status:
            raise WalkFailed(f"case {self.made.number}, {method} {path}: {answer.status_code} {answer.text[:500]}")
        return answer

    def _describe(self) -> None:
        made = self.made
        opened = {"title": made.title, "description": made.description}
        self.path = f"/v1/cases/{self._send('POST', '/v1/cases', 201, json=opened).json()['case_id']}"
        for party, role in zip(made.parties, made.roles, strict=True):
            given = {"kind": str(party.kind), "role": role, "fields": dict(party.fields)}
            self._send("POST", "/parties", 201, json=given)
        note = {"internal_notes": [made.issue], "case_processing_state.data": {made.title: made.issue}}
        version = self._send("GET", "", 200).json()["version"]
        self._send("PATCH", "", 200, json={"updates": note, "expected_version": version})

    def _hand_in(self) -> None:
        for one in self.made.documents:
            added = self._send("POST", "/documents", 201, params={"name": one.name}, content=one.content).json()
            place, until = f"/documents/{added['document']['document_id']}", time.monotonic() + PATIENCE
            while (state := self._send("GET", place, 200).json()["document"]["state"]) == "reading":
                if time.monotonic() > until:
                    raise WalkFailed(f"case {self.made.number}: {one.name} is not read")
                time.sleep(LOOK)
            if state != "ready":
                raise WalkFailed(f"case {self.made.number}: {one.name} is {state}")
        self._send("POST", "/documents:search", 200, json={"query": self.made.fields(1)["lastName"]})
        self._send("POST", "/documents:verify", 200, json={"quote": self.made.fields(1)["lastName"]})

    def _ask(self, message: str) -> str:
        return ask(self._client, self.path, message, self.taps)

    def _read_letters(self, run_id: str) -> None:
        drafts = self._send("GET", "/drafts", 200).json()["drafts"]
        if not drafts:
            told = self._send("GET", f"/messages/{run_id}", 200).json()["answer_text"]
            raise WalkFailed(f"case {self.made.number}: no draft was written: {told[:500]}")
        place = f"/drafts/{drafts[0]['draft_id']}/revisions/1"
        pages = pdfium.PdfDocument(self._send("GET", f"{place}/pdf", 200).content)
        texts = (page.get_textpage().get_text_bounded() for page in pages)
        # What goes on on the next page is read as one.
        self.files["PDF"] = squeezed(" ".join(_FOOT.sub("", text) for text in texts))
        word = docx.Document(io.BytesIO(self._send("GET", f"{place}/docx", 200).content))
        rows = (cell.text for table in word.tables for row in table.rows for cell in row.cells)
        self.files["DOCX"] = squeezed(" ".join((*(one.text for one in word.paragraphs), *rows)))
        self._send("GET", "/export", 200)

    def _go_wrong(self) -> None:
        """Send what is refused: what refuses it may not repeat it where others read."""
        made = self.made
        wrong = {"birthNumber": made.fields(0)["birthNumber"][::-1], "email": f"{made.title} {made.issue}"[:900]}
        self._send("PATCH", "/parties/party0", 422, json={"fields": wrong})
        self._send("POST", "/drafts", 422, json={"name": made.title, "markdown": f"{made.issue} {{{{party9.name}}}}"})
        stale = {"updates": {"summary.current": made.issue}, "expected_version": 1}
        self._send("PATCH", "", 409, json=stale)
        self._send("PATCH", "", 422, json={"updates": {made.title: made.issue}})
        self._client.get("/v1/cases", params={"after": made.title})
        self._client.get(f"{self.path}/documents", params={"name": made.title})

    async def _work_elsewhere(self) -> None:
        """Let an assistant elsewhere read the case by the tools for language models."""
        case = {"case_id": self.path.rpartition("/")[2]}
        async with (
            httpx2.AsyncClient(timeout=PATIENCE) as http,
            Client(streamable_http_client(f"{self.system.url}/mcp", http_client=http)) as client,
        ):

            async def call(tool: str, **given: Any) -> str:
                answer = await client.call_tool(tool, {**case, **given})
                written = f"{answer.content}\n{answer.structured_content}"
                self.taps.see("assistants elsewhere", (written,))
                return written

            said = await call("get_case_details")
            for document in dict.fromkeys(re.findall(r"'document_id': '(\w+)'", said)):
                await call("read_case_document", document_id=document)
            await call("search_case_documents", query="depositum")
            # Names that it has from elsewhere are taken out of what it writes.
            await call("update_case_details", updates={"facts": [{"fact": self.made.issue}]})
            await call("get_party_id_by_name", mentioned_name=self.made.fields(1)["lastName"])

    def missing(self, leaked: set[Secret]) -> set[str]:
        """Return what a letter lacks that it must hold; what was `leaked` to the model had no placeholder."""
        wanted = self.made.wanted - leaked
        return {f"{kind}: {one.value}" for kind, text in self.files.items() for one in wanted if not held(one, text)}


def ask(client: httpx2.Client, path: str, message: str, taps: Taps) -> str:
    """Say something in the case at `path`, follow the answer to its end, and return the id of the run.

    What the run says to who may not see names is seen. Raises `WalkFailed`.
    """
    answer = client.post(f"{path}/messages", json={"message": message})
    if answer.is_error:
        raise WalkFailed(f"{path}: {answer.status_code} {answer.text[:500]}")
    links, run_id = answer.json()["links"], answer.json()["run_id"]
    *_, last = sse.events(client, links["events"], timeout=PATIENCE)
    if last["type"] not in CLOSING - {"run.failed", "run.cancelled"}:
        raise WalkFailed(f"{path}: {last}")
    client.get(links["self"]).raise_for_status()
    events = sse.stream(client, f"/v1/questions/{run_id}/events", timeout=PATIENCE)
    taps.see("run events", *((str(event.data),) for event in events), (client.get(f"/v1/questions/{run_id}").text,))
    return str(run_id)


def held(secret: Secret, text: str) -> bool:
    """Whether a text without spaces and signs holds a value."""
    value = squeezed(secret.value)
    return value in text or (secret.kind is Kind.MAIL and value.replace("at", "", 1) in text)
