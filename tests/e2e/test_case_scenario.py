"""A tenant's case from the first word to the finished letter, in one stream of events, while processes are killed.

The assistant and the reasoner are scripted; law, cases, documents and drafts are real. With `LOVSVAR_ARCHIVES` the
law is Norway's, else the sample.
"""

import base64
import io
import json
import os
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import docx
import httpx2
import pypdfium2 as pdfium
import pytest

from lovsvar_contracts.run_events import CLOSING
from lovsvar_testkit import made_documents, sse
from lovsvar_testkit.plugin import ARCHIVES
from lovsvar_testkit.processes import System, running_system
from lovsvar_testkit.scripted_model import ScriptedModel, standing_in_for_model

FIRST = "Utleieren min, Solveig Nordmann, betaler ikke tilbake depositumet på 30 000 kr. Ring henne på 41 23 45 67."
SECOND = "Jeg flyttet ut 1. mai, og kontrakten har jeg lastet opp nå. Lag et krav til utleieren."
QUESTION = "Når flyttet du ut, og har du en skriftlig kontrakt?"
ADVICE = "Krev tilbakebetaling etter [lovdata-1]. Se også HR-2019-1234-A og [lovdata-99]. Mangler: dato for utflytting."
FACT = "Depositumet til {{party1.lastName}} er ikke betalt tilbake."
PATIENCE = 300.0
"""Seconds that anything may take on a machine that does much else."""

STARTED = '"event": "started"'

SECRETS = ("Nordmann", "Solveig", "41 23 45 67", "Storgata")
CONTRACT = ("Leiekontrakt for bolig", "Depositum er 30 000 kroner.", "Det settes inn i banken.")


@dataclass(frozen=True)
class Law:
    """The provision that the case rests on."""

    dataset: str
    refid: str
    section: str
    quote: str
    source: str = ""


SAMPLE = Law("eksempel", "lov/2999-01-01-1", "§ 3-2", "Utleieren kan kreve et depositum på høyst fire måneders leie.")
REAL = Law(
    "gjeldende-lover",
    "lov/1999-03-26-17",
    "§ 3-5",
    "Det deponerte beløp skal settes på særskilt konto i leierens navn med vanlige rentevilkår",
    os.environ.get(ARCHIVES, ""),
)
LAW = REAL if REAL.source else SAMPLE


def draft(quote: str) -> str:
    """The letter, with names by placeholders and the law word for word."""
    return (
        "# Krav om depositum\n\n{{party0.name}} krever at {{party1.name}} betaler tilbake depositumet på 30 000 kr.\n\n"
        f"Loven sier: «{quote}» [{LAW.refid}/{LAW.section.replace(' ', '')}].\n"
    )


def assistant(body: dict[str, Any], _: int) -> dict[str, Any]:
    """Do the next thing, by what the conversation has come to: so it does, too, whoever took the run over."""
    messages = body["messages"]
    if "hvilket nivå en sak hører til" in str(messages[0]["content"]):
        return {"text": json.dumps({"tier": 1, "reason": "Ett krav mot utleieren.", "question": ""})}
    case_id = str(messages[0]["content"]).partition("i saken ")[2][:32]
    said = json.dumps(messages, ensure_ascii=False)
    done = sum(bool(message.get("tool_calls")) for message in messages)
    read = {"hent_lovtekst": {"document": LAW.refid, "section": LAW.section}}
    source = _source(said)
    final = {
        "final": {
            "answer": f"Loven sier dette om depositum: «{LAW.quote}» [{source}].",
            "citations": [[source, LAW.quote]],
        }
    }
    if "lastet opp nå" in said:
        case, name = {"case_id": case_id}, "Krav om depositum"
        letter = {**case, "draft_name": name, "revision": 1, "sender": "party0", "recipient": "party1"}
        steps: list[dict[str, Any]] = [
            {"get_case_details": case},
            {"search_case_documents": {**case, "query": "depositum"}},
            read,
            {"generate_draft_pdf": {**letter, "markdown_content": draft("Utleieren kan beholde alt.")}},
            {"generate_draft_pdf": {**letter, "markdown_content": draft(LAW.quote)}},
        ]
        held = {"hold": 40} if done == 4 else {}
    else:
        case = {"case_id": case_id}
        steps = [
            {"get_case_details": case},
            {"update_case_details": {**case, "updates": {"facts": [{"fact": FACT}]}}},
            read,
            {
                "consult_reasoner": {
                    **case,
                    "context_summary": "Depositum holdt tilbake.",
                    "specific_question": "Hva nå?",
                }
            },
            {"ask_user": {"question": QUESTION}},
        ]
        held = {}
    return {"calls": [steps[done]], **held} if done < len(steps) else final


def _source(said: str) -> str:
    """The id of the provision in the conversation."""
    at = said.find(LAW.quote[:40])
    before = said[:at]
    return f"lovdata-{before.rpartition('lovdata-')[2].partition(chr(92))[0]}" if at >= 0 else "lovdata-1"


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with standing_in_for_model(assistant) as model:
        yield model


@pytest.fixture
def reasoner() -> Iterator[ScriptedModel]:
    with standing_in_for_model([{"text": ADVICE, "hold": 40}, {"text": ADVICE, "repeat": True}]) as reasoner:
        yield reasoner


@pytest.fixture
def system(tmp_path_factory: pytest.TempPathFactory, model: ScriptedModel, reasoner: ScriptedModel) -> Iterator[System]:
    environment = {
        "OPENAI_API_KEY": "sk-scripted",
        "OPENAI_BASE_URL": model.url,
        "LOVSVAR_MODEL": "scripted",
        "LOVSVAR_REASONER_BASE_URL": reasoner.url,
        "LOVSVAR_REASONER_MODEL": "advokat",
        "LOVSVAR_AGENT_TOOL_SERVICES": "cases",
        "LOVSVAR_AGENT_ACK_WAIT": "2",
        "LOVSVAR_AGENT_PATIENCE": "200",
        "LOVSVAR_CASES_MASTER_KEY": base64.b64encode(os.urandom(32)).decode(),
        "LOVSVAR_CASES_CREDITS": "1,1,1",
        "LOVSVAR_SOURCES": LAW.source,
    }
    with running_system(tmp_path_factory.mktemp("scenario"), environment) as system:
        with httpx2.Client(base_url=system.url, timeout=600) as client:
            body = {"dataset": LAW.dataset, **({"source": LAW.source} if LAW.source else {})}
            sync = client.post("/v1/ingest", json=body).json()["syncs"][0]
            *_, last = sse.events(client, f"/v1/ingest/{sync['sync_id']}/events", timeout=600)
            system.wait_version(last["corpus_version"], timeout=180)
        system.wait_ready(path="/readyz")
        yield system


@dataclass
class Follower:
    """Reads a case's stream of events in a thread, and comes back where it was when it is cut off."""

    url: str
    path: str
    events: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    ended: threading.Event = field(default_factory=threading.Event)
    changed: threading.Condition = field(default_factory=threading.Condition)

    def run(self) -> None:
        with httpx2.Client(base_url=self.url, timeout=60) as client:
            while not self.ended.is_set():
                last = self.events[-1][0] if self.events else ""
                headers = {"Last-Event-ID": last} if last else {}
                try:
                    for event in sse.stream(client, self.path, timeout=600, **headers):
                        if event.id:
                            with self.changed:
                                self.events.append((event.id, event.data))
                                self.changed.notify_all()
                        if self.ended.is_set():
                            return
                except (httpx2.HTTPError, AssertionError, TimeoutError):
                    self.ended.wait(0.2)

    def wait_for(self, run_id: str, *types: str, timeout: float = PATIENCE) -> dict[str, Any]:
        """Return the first event of a run that has one of these types."""

        self.wait_until(lambda: bool(self.of(run_id, *types)), timeout)
        return self.of(run_id, *types)[0]

    def wait_until(self, wanted: Callable[[], bool], timeout: float = PATIENCE) -> None:
        with self.changed:
            assert self.changed.wait_for(wanted, timeout), [data["type"] for _, data in self.events]

    def of(self, run_id: str, *types: str) -> list[dict[str, Any]]:
        return [data for _, data in self.events if data.get("run_id") == run_id and data["type"] in types]

    @property
    def changes(self) -> list[dict[str, Any]]:
        return [data for _, data in self.events if data["type"] == "case.changed"]


@pytest.fixture
def client(system: System) -> Iterator[httpx2.Client]:
    with httpx2.Client(base_url=system.url, timeout=120) as client:
        yield client


def start_again(system: System, name: str) -> None:
    """Start a service that was killed, as a supervisor does: again when it does not get up."""
    service = system.services[name]
    before = service.log.read_text().count(STARTED)
    service.start()

    def up(_: httpx2.Response) -> bool:
        if service.process.poll() is not None:
            service.start()
        return service.log.read_text().count(STARTED) > before

    system.wait_until(up, "/healthz", PATIENCE)


def opened(client: httpx2.Client) -> str:
    """A case with its two parties."""
    case = client.post("/v1/cases", json={"title": "Depositum"}).json()
    assert case["state"]["phase"] == "describing"
    assert "Velkommen" in case["state"]["details"]["agent_interactions"]["log"][0]["text"]
    path = f"/v1/cases/{case['case_id']}"
    for role, first, last in (("leietaker", "Kari", "Berg"), ("utleier", "Solveig", "Nordmann")):
        address = {"address": "Storgata 1", "postalCode": "0155", "city": "Oslo"}
        party = {"kind": "person", "role": role, "fields": {"firstName": first, "lastName": last, **address}}
        answer = client.post(f"{path}/parties", json=party)
        assert answer.status_code == 201, answer.text
    return path


def sent(client: httpx2.Client, path: str, message: str) -> str:
    answer = client.post(f"{path}/messages", json={"message": message})
    assert answer.status_code == 202, answer.text
    run_id: str = answer.json()["run_id"]
    return run_id


@pytest.mark.slow
def test_a_tenant_gets_a_letter_and_nothing_is_lost_or_doubled(
    system: System, client: httpx2.Client, model: ScriptedModel, reasoner: ScriptedModel
) -> None:
    path = opened(client)
    follower = Follower(system.url, f"{path}/events")
    thread = threading.Thread(target=follower.run, daemon=True)
    thread.start()

    first = sent(client, path, FIRST)
    reasoner.wait_for(lambda: len(reasoner.requests) == 1, timeout=PATIENCE)
    system.services["agent"].kill()
    start_again(system, "agent")
    reasoner.wait_for(lambda: len(reasoner.requests) == 2, timeout=PATIENCE)
    assert follower.wait_for(first, *CLOSING)["type"] == "run.completed", follower.of(first, "run.failed")
    told = client.get(f"{path}/messages/{first}").json()
    assert QUESTION in told["answer_text"], told["answer_text"]
    assert "nivå 1" in told["answer_text"]
    # The real law has more to quote of that section: the deadline of the situation.
    assert {one["section"].replace(" ", "") for one in told["citations"]} == {LAW.section.replace(" ", "")}
    assert [one["attempt"] for one in follower.of(first, "run.started")] == [1, 2]
    (consulted,) = follower.of(first, "reasoner.consulted")
    assert consulted["unsourced"] == ["lovdata-99", "HR-2019-1234-A"]
    assert "HR-2019-1234-A (ikke i kildene)" in consulted["response"]
    assert [one["question"] for one in follower.of(first, "user.asked")] == [QUESTION]
    assert told["usage"]["model_calls"] >= 8
    waiting = client.get(path).json()["state"]
    assert (waiting["phase"], waiting["tier"], waiting["entitled"]) == ("waiting", 1, True)
    assert [one["fact"] for one in waiting["details"]["facts"]] == [FACT.replace("{{party1.lastName}}", "Nordmann")]
    assert client.get("/v1/quota", params={"tier": 1}).json()["left"] == 0

    content = made_documents.scanned(*CONTRACT)
    added = client.post(f"{path}/documents", params={"name": "kontrakt.pdf"}, content=content)
    assert added.status_code == 201, added.text
    follower.wait_until(lambda: "document_read" in [one["action"] for one in follower.changes])

    second = sent(client, path, SECOND)
    model.wait_for(
        lambda: any("Utleieren kan beholde alt" in json.dumps(r, ensure_ascii=False) for r in model.requests)
    )
    system.services["cases"].kill()
    model.let_go()
    start_again(system, "cases")
    assert follower.wait_for(second, *CLOSING)["type"] == "run.completed", follower.of(second, "run.failed")
    told = client.get(f"{path}/messages/{second}").json()
    assert "Krav om depositum" in told["answer_text"], told["answer_text"]
    (retried,) = follower.of(second, "tool.retried")
    assert (retried["name"], retried["attempt"]) == ("generate_draft_pdf", 1)
    errors = [one["error"] for one in follower.of(second, "tool.result") if one["name"] == "generate_draft_pdf"]
    assert errors[0]
    assert errors[1:] == [None]

    check_letter(client, path)
    check_case(client, path, first, second)
    follower.ended.set()
    check_stream(follower, first, second)
    asked = json.dumps([*model.requests, *reasoner.requests], ensure_ascii=False)
    assert [secret for secret in SECRETS if secret in asked] == []


def check_letter(client: httpx2.Client, path: str) -> None:
    """There is one draft, and its files hold the names and the law."""
    drafts = client.get(f"{path}/drafts").json()["drafts"]
    assert [(one["name"], one["revision"]) for one in drafts] == [("Krav om depositum", 1)]
    place = f"{path}/drafts/{drafts[0]['draft_id']}/revisions/1"
    pdf, word = (client.get(f"{place}/{kind}").content for kind in ("pdf", "docx"))
    pages = [page.get_textpage().get_text_bounded() for page in pdfium.PdfDocument(pdf)]
    paragraphs = [one.text for one in docx.Document(io.BytesIO(word)).paragraphs]
    for text in (" ".join(" ".join(pages).split()), " ".join(" ".join(paragraphs).split())):
        assert "Solveig Nordmann" in text
        assert LAW.quote[:60] in text.replace("- ", ""), text


def check_case(client: httpx2.Client, path: str, first: str, second: str) -> None:
    """What was said and found is in the case once."""
    state = client.get(path).json()["state"]
    assert state["phase"] == "active"
    assert len(state["details"]["facts"]) == 1
    assert [(one["name"], one["pages"]) for one in state["details"]["documents"]] == [("kontrakt.pdf", 1)]
    said = [(one["by"], one["run_id"]) for one in state["details"]["agent_interactions"]["log"]]
    assert said.count(("reasoner", first)) == 1
    assert [who for who in said if who[0] == "assistant"] == [
        ("assistant", None), ("assistant", first), ("assistant", second),
    ]  # fmt: skip
    assert client.get("/v1/quota", params={"tier": 1}).json()["left"] == 0


def check_stream(follower: Follower, first: str, second: str) -> None:
    """One stream has every change once and in order, and every event of both runs once and in order."""
    versions = [one["version"] for one in follower.changes]
    assert versions == list(range(1, len(versions) + 1))
    actions = [one["action"] for one in follower.changes]
    expected = {
        *("case_opened", "party_set", "message_received", "tier_set", "credit_used", "document_added"),
        *("document_read", "draft_written", "phase_changed"),
    }
    assert expected <= set(actions), actions
    assert actions.count("credit_used") == actions.count("draft_written") == actions.count("tier_set") == 1
    for run_id in (first, second):
        ids = [data["id"] for _, data in follower.events if data.get("run_id") == run_id]
        assert ids == list(range(1, len(ids) + 1))
    places = [place for place, _ in follower.events]
    assert len(places) == len(set(places))
