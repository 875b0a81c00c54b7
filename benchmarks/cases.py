"""How fast the service of cases answers while a hundred cases are worked on at once, and that no change is lost.

    uv run python benchmarks/cases.py [--cases 100] [--seconds 60] [--pause 2.0] [--json]

nats-server, PostgreSQL and the service start from a fresh data folder. Two writers work on every case. First all write
at once without a pause, each change replacing a counter by the version that was read, with a new try at each conflict:
every change must be there. Then each of them sends a request every `--pause` seconds (exponentially distributed), of
all kinds but those that make files, read documents by OCR or ask a model; times are those of the asker, sealing
included. One case has 500 changes from the start.
"""

import argparse
import asyncio
import base64
import json
import os
import random
import statistics
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any, TypeVar

import psutil

from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.requester import Requester
from lovsvar_chassis.sealing import SealedRequester
from lovsvar_chassis.settings import ServiceSettings
from lovsvar_contracts import case_accesses, case_credit, case_documents, case_drafts, cases, subjects
from lovsvar_contracts.cases import Actor, Case
from lovsvar_contracts.message import Message, new_id
from lovsvar_contracts.problems import ProblemError, ProblemType
from lovsvar_contracts.tools import CallTool, ToolReply
from lovsvar_local.embedded import NatsServer, PostgresServer

Reply = TypeVar("Reply", bound=Message)

PROGRAM = "from lovsvar_cases.app import main; main()"
LIMIT_MS = 100.0
LONG_HISTORY = 500
COUNTS = 5
"""How often each writer raises the counter of its case."""

STORY = "Utleieren vil ikke betale tilbake depositumet på 30 000 kr. Jeg flyttet ut 1. mai og har purret to ganger."
ACTOR = Actor(name="kari", organisation="huset")
OPERATOR = Actor(name="drift", operator=True)
WORDS = "Ola Nordmann ringte fra 98 76 54 32 og sa at depositumet blir holdt tilbake på grunn av skader på gulvet."


@dataclass
class Asker:
    """Asks the service as the gateway does, and notes how long each kind of request takes."""

    plain: Requester
    sealed: SealedRequester
    times: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    refused: Counter[str] = field(default_factory=Counter)

    async def __call__(self, subject: str, request: Message, reply: type[Reply]) -> Reply:
        """Return the reply."""
        began = time.perf_counter()
        try:
            return await self.sealed.ask(subject, request, reply)
        finally:
            self.times[subject.rpartition(".")[2]].append((time.perf_counter() - began) * 1e3)

    async def tool(self, name: str, grant: str, run_id: str, **arguments: Any) -> None:
        """Call a tool as the agent does."""
        began = time.perf_counter()
        request = CallTool(name=name, arguments=arguments, run_id=run_id, grant=grant)
        await self.plain.ask(subjects.tool_call("cases"), request, ToolReply)
        self.times[f"tool {name}"].append((time.perf_counter() - began) * 1e3)


async def opened(ask: Asker) -> str:
    """Open a case with two parties, and return its id."""
    case = await ask(subjects.CASES_OPEN, cases.OpenCase(actor=ACTOR, title="Depositum", description=STORY), Case)
    for role, first, last in (("leier", "Kari", "Hansen"), ("utleier", "Ola", "Nordmann")):
        fields: dict[str, str | None] = {"firstName": first, "lastName": last, "phone": "98765432", "city": "Ålesund"}
        party = cases.SetParty(actor=ACTOR, case_id=case.case_id, role=role, fields=fields)
        await ask(subjects.CASES_SET_PARTY, party, cases.Parties)
    return case.case_id


async def count_up(ask: Asker, case_id: str) -> int:
    """Raise the counter of a case, and return how often it was tried in vain: by a conflict, or under overload."""
    for tried in range(1_000):
        try:
            await try_to_count(ask, case_id)
        except ProblemError as exc:
            if exc.problem.type is not ProblemType.CONFLICT and not exc.problem.retryable:
                raise
            await asyncio.sleep(random.uniform(0.05, 0.3))
        else:
            return tried
    raise RuntimeError("a change never came through")


async def try_to_count(ask: Asker, case_id: str) -> None:
    """Read the counter of a case, and write one more."""
    case = await ask(subjects.CASES_READ, cases.ReadCase(actor=ACTOR, case_id=case_id), Case)
    counted = int(case.state.details.case_processing_state.data.get("count", 0)) + 1
    update = cases.UpdateCase(
        actor=ACTOR,
        case_id=case_id,
        expected_version=case.version,
        updates={"case_processing_state.data.count": counted, "facts": [{"fact": f"Telt til {counted}."}]},
    )
    await ask(subjects.CASES_UPDATE, update, Case)


async def check_counts(ask: Asker, ids: list[str]) -> dict[str, int]:
    """Have two writers count in every case at once, and fail for a case in which a change is lost or doubled."""

    async def write(case_id: str) -> int:
        return sum([await count_up(ask, case_id) for _ in range(COUNTS)])

    tried = await asyncio.gather(*(write(case_id) for case_id in ids for _ in range(2)))
    lost = 0
    for case_id in ids:
        case = await ask(subjects.CASES_READ, cases.ReadCase(actor=ACTOR, case_id=case_id), Case)
        details = case.state.details
        facts = [one.fact for one in details.facts]
        whole = facts == [f"Telt til {number}." for number in range(1, 2 * COUNTS + 1)]
        lost += not (whole and details.case_processing_state.data["count"] == 2 * COUNTS)
    return {"changes": len(ids) * 2 * COUNTS, "tries in vain": sum(tried), "cases with lost changes": lost}


class Worker:
    """Works on one case as a person and an assistant do, a request at a time."""

    def __init__(self, ask: Asker, case_id: str, document_id: str | None, draw: random.Random) -> None:
        self._ask, self._case_id, self._document_id, self._draw = ask, case_id, document_id, draw
        self._about: dict[str, Any] = {"actor": ACTOR, "case_id": case_id}
        self._work: tuple[tuple[int, Callable[[], Awaitable[object]]], ...] = (
            (16, self._read), (4, self._read_before), (12, self._append), (8, self._replace), (6, self._history),
            (6, self._parties), (3, self._party), (5, self._message), (5, self._show), (6, self._list),
            (3, self._tier), (4, self._quota), (2, self._ticket), (3, self._accesses), (2, self._templates),
            (3, self._drafts), (3, self._documents), (4, self._search), (3, self._quote), (8, self._tools),
            (2, self._move), (1, self._subscribe), (1, self._erase_another),
        )  # fmt: skip

    async def one(self) -> None:
        """Send one request, or a few that belong together. That somebody else was first, or too many, is counted."""
        (work,) = self._draw.choices([one for _, one in self._work], [weight for weight, _ in self._work])
        try:
            await work()
        except ProblemError as exc:
            if exc.problem.type is not ProblemType.CONFLICT and not exc.problem.retryable:
                raise
            self._ask.refused[str(exc.problem.type)] += 1

    async def _read(self) -> Case:
        return await self._ask(subjects.CASES_READ, cases.ReadCase(**self._about), Case)

    async def _read_before(self) -> None:
        await self._ask(subjects.CASES_READ, cases.ReadCase(**self._about, version=5), Case)

    async def _append(self) -> None:
        update = cases.UpdateCase(**self._about, updates={"facts": [{"fact": WORDS, "timestamp": "i mai"}]})
        await self._ask(subjects.CASES_UPDATE, update, Case)

    async def _replace(self) -> None:
        version = (await self._read()).version
        update = cases.UpdateCase(**self._about, expected_version=version, updates={"summary.current": STORY + WORDS})
        await self._ask(subjects.CASES_UPDATE, update, Case)

    async def _history(self) -> None:
        after = self._draw.choice((0, 5))
        await self._ask(subjects.CASES_HISTORY, cases.ReadHistory(**self._about, after=after), cases.History)

    async def _parties(self) -> None:
        await self._ask(subjects.CASES_PARTIES, cases.ReadParties(**self._about), cases.Parties)

    async def _party(self) -> None:
        party = cases.SetParty(**self._about, party_id="party0", fields={"address": f"Storgata {self._draw.random()}"})
        await self._ask(subjects.CASES_SET_PARTY, party, cases.Parties)

    async def _message(self) -> None:
        message = cases.SendMessage(**self._about, run_id=new_id(), message=WORDS)
        await self._ask(subjects.CASES_MESSAGE, message, cases.PreparedRun)

    async def _show(self) -> None:
        shown = cases.ShowData(**self._about, data={"text": "{{party1.lastName}} og {{telefon1}} " * 20})
        await self._ask(subjects.CASES_SHOW, shown, cases.ShownData)

    async def _list(self) -> None:
        await self._ask(subjects.CASES_LIST, cases.ListCases(actor=ACTOR), cases.Cases)

    async def _tier(self) -> None:
        await self._ask(subjects.CASES_SET_TIER, case_credit.SetTier(**self._about, tier=1), Case)

    async def _quota(self) -> None:
        await self._ask(subjects.CASES_QUOTA, case_credit.ReadQuota(actor=ACTOR, tier=2), case_credit.Quota)

    async def _ticket(self) -> None:
        request = cases.TicketRequest(**self._about, issue_description=WORDS)
        ticket = await self._ask(subjects.CASES_TICKET, request, cases.Ticket)
        await self._ask(subjects.CASES_TICKETS, cases.ListTickets(actor=OPERATOR), cases.Tickets)
        resolved = cases.ResolveTicket(actor=OPERATOR, ticket_id=ticket.ticket_id)
        await self._ask(subjects.CASES_RESOLVE, resolved, cases.Ticket)

    async def _accesses(self) -> None:
        request = case_accesses.ReadAccesses(**self._about)
        await self._ask(subjects.CASES_ACCESSES, request, case_accesses.Accesses)

    async def _templates(self) -> None:
        await self._ask(subjects.CASES_TEMPLATES, case_drafts.ReadTemplates(actor=ACTOR), case_drafts.Templates)

    async def _drafts(self) -> None:
        await self._ask(subjects.CASES_DRAFTS, case_drafts.ListDrafts(**self._about), case_drafts.Drafts)

    async def _documents(self) -> None:
        listed = case_documents.ListCaseDocuments(**self._about)
        await self._ask(subjects.CASES_DOCUMENTS, listed, case_documents.CaseDocuments)

    async def _search(self) -> None:
        search = case_documents.SearchDocuments(**self._about, query="depositum")
        await self._ask(subjects.CASES_SEARCH_DOCUMENTS, search, case_documents.DocumentHits)

    async def _quote(self) -> None:
        verify = case_documents.VerifyQuote(**self._about, quote="Leien er 12 500 kroner")
        await self._ask(subjects.CASES_VERIFY_QUOTE, verify, case_documents.VerifiedQuote)
        if self._document_id is not None:
            pages = case_documents.ReadPages(**self._about, document_id=self._document_id)
            await self._ask(subjects.CASES_READ_PAGES, pages, case_documents.DocumentPages)

    async def _tools(self) -> None:
        run_id = new_id()
        grant = await self._ask(subjects.CASES_GRANT, cases.GrantCase(**self._about, run_id=run_id), cases.CaseGrant)
        call, about = self._ask.tool, (grant.grant, run_id)
        await call("get_case_details", *about, case_id=self._case_id)
        await call("update_case_details", *about, case_id=self._case_id, updates={"internal_notes": [WORDS]})
        await call("get_party_id_by_name", *about, case_id=self._case_id, mentioned_name="Nordmann")
        await call("check_quota", *about, tier=1)
        await call("search_case_documents", *about, case_id=self._case_id, query="depositum")

    async def _move(self) -> None:
        await self._ask(subjects.CASES_MOVE, cases.MoveCase(**self._about, step="close"), Case)
        await self._ask(subjects.CASES_MOVE, cases.MoveCase(**self._about, step="reopen"), Case)

    async def _subscribe(self) -> None:
        given = case_credit.SetSubscription(
            actor=OPERATOR, account="key:kari", starts=date(2020, 1, 1), ends=date(2099, 1, 1), credits={"1": 1_000}
        )
        await self._ask(subjects.CASES_SUBSCRIBE, given, case_credit.Subscription)

    async def _erase_another(self) -> None:
        case_id = await opened(self._ask)
        await self._ask(subjects.CASES_ERASE, cases.EraseCase(actor=ACTOR, case_id=case_id), cases.Tombstone)


async def hand_in(ask: Asker, case_id: str) -> str:
    """Hand in a text of some pages, and wait until it is read."""
    content = "\f".join(f"Side {page}. Depositumet står på konto. Leien er 12 500 kroner. {WORDS}" for page in range(9))
    about: dict[str, Any] = {"actor": ACTOR, "case_id": case_id, "document_id": new_id()}
    part = case_documents.AddDocumentPart(**about, number=0, content=base64.b64encode(content.encode()).decode())
    await ask(subjects.CASES_ADD_DOCUMENT_PART, part, case_documents.PartAdded)
    finish = case_documents.FinishDocument(**about, name="Kontrakt.txt", parts=1)
    await ask(subjects.CASES_FINISH_DOCUMENT, finish, case_documents.DocumentReply)
    while True:
        read = case_documents.ReadCaseDocument(**about)
        found = await ask(subjects.CASES_READ_DOCUMENT, read, case_documents.DocumentReply)
        if found.document.state is not case_documents.DocumentState.READING:
            return str(about["document_id"])
        await asyncio.sleep(0.2)


async def measure(ask: Asker, given: argparse.Namespace) -> dict[str, Any]:
    """Do all of the work, and return the figures."""
    ids = [await opened(ask) for _ in range(given.cases)]
    counted = await check_counts(ask, ids)
    for number in range(LONG_HISTORY):
        update = cases.UpdateCase(actor=ACTOR, case_id=ids[0], updates={"internal_notes": [f"Notat {number}. {STORY}"]})
        await ask(subjects.CASES_UPDATE, update, Case)
    # Reading documents takes a process each: some cases have one, the others ask for what they have not.
    held = {case_id: await hand_in(ask, case_id) for case_id in ids[:: max(1, len(ids) // 5)]}
    ask.times.clear()
    until, draw = time.monotonic() + given.seconds, random.Random(23)  # work to measure by, not secrets

    async def work(case_id: str, seed: float) -> None:
        own = random.Random(seed)
        worker = Worker(ask, case_id, held.get(case_id), own)
        while time.monotonic() < until:
            await asyncio.sleep(own.expovariate(1 / given.pause))
            await worker.one()

    began = time.monotonic()
    await asyncio.gather(*(work(case_id, draw.random()) for case_id in ids for _ in range(2)))
    taken = time.monotonic() - began
    every = [one for times in ask.times.values() for one in times]
    return {
        **counted,
        "requests": len(every),
        "requests/s": round(len(every) / taken, 1),
        "refused": dict(ask.refused),
        "all": percentiles(every),
        "by request": {name: percentiles(times) for name, times in sorted(ask.times.items())},
    }


def percentiles(times: list[float]) -> dict[str, float]:
    """Return the median and the 99th percentile; of fewer than a hundred the longest."""
    ordered = sorted(times)
    return {
        "p50": round(statistics.median(ordered), 1),
        "p99": round(ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))], 1),
        "count": len(ordered),
    }


async def run(given: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """Start everything in `folder`, measure, and stop it."""
    nats, postgres = NatsServer(folder / "nats"), PostgresServer(folder / "postgres")
    nats_url, database_url = nats.start(), postgres.start()
    environment = {
        **os.environ,
        "LOVSVAR_NATS_URL": nats_url,
        "LOVSVAR_DATABASE_URL": database_url,
        "LOVSVAR_CASES_MASTER_KEY": base64.b64encode(os.urandom(32)).decode(),
    }
    with (folder / "cases.log").open("wb") as log:
        service = await asyncio.create_subprocess_exec(
            sys.executable, "-c", PROGRAM, env=environment, stdout=log, stderr=log
        )
    try:
        async with make_broker(ServiceSettings(nats_url=nats_url), "benchmark") as broker:
            requester = Requester(broker)
            ask = Asker(requester, SealedRequester(requester, subjects.CASES_SEALING_KEY))
            try:
                await until_answered(ask)
                found = await measure(ask, given)
            except (ProblemError, SystemExit):
                print((folder / "cases.log").read_text(encoding="utf-8")[-4_000:], file=sys.stderr)
                raise
        process = psutil.Process(service.pid)
        used = process.cpu_times()
        return {**found, "service CPU, s": round(used.user + used.system, 1), "load average": os.getloadavg()[0]}
    finally:
        with suppress(ProcessLookupError):
            service.terminate()
        await service.wait()
        postgres.stop()
        nats.stop()


async def until_answered(ask: Asker) -> None:
    """Wait until the service answers: it makes its schema first."""
    for _ in range(50):
        try:
            await ask(subjects.CASES_LIST, cases.ListCases(actor=ACTOR), cases.Cases)
        except ProblemError:
            await asyncio.sleep(0.2)
        else:
            return
    raise SystemExit("the service did not answer")


def main() -> None:
    """Measure, print, and fail for a lost change or a 99th percentile above the limit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--pause", type=float, default=2.0)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="lovsvar-cases-") as folder:
        found = asyncio.run(run(given, Path(folder)))
    slow = {name: one["p99"] for name, one in found["by request"].items() if one["p99"] > LIMIT_MS}
    if given.json:
        print(json.dumps(found))
    else:
        for name, figures in found["by request"].items():
            print(f"{name:28} p50 {figures['p50']:7.1f} ms  p99 {figures['p99']:7.1f} ms  {figures['count']:6}")
        for name in found.keys() - {"by request"}:
            print(f"{name}: {found[name]}")
    if found["cases with lost changes"] or found["all"]["p99"] > LIMIT_MS or slow:
        raise SystemExit(f"a change is lost, or the 99th percentile is above {LIMIT_MS:g} ms: {slow}")


if __name__ == "__main__":
    main()
