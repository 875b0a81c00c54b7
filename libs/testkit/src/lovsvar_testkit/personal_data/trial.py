"""All cases walked through the whole system, and what was seen of them in which channel."""

import asyncio
import base64
import contextlib
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2

from lovsvar_testkit import sse
from lovsvar_testkit.collector import collecting_traces
from lovsvar_testkit.deposit_law import DepositLaw
from lovsvar_testkit.model_replies import Reply
from lovsvar_testkit.personal_data.made_cases import MadeCase, made_cases
from lovsvar_testkit.personal_data.models import Assistant, reasoner
from lovsvar_testkit.personal_data.sightings import Kind, Secret, Watch, around, words
from lovsvar_testkit.personal_data.taps import Looked, Taps, listening, rows_of, see_logs, see_rows, see_streams
from lovsvar_testkit.personal_data.walk import Walk, WalkFailed, ask
from lovsvar_testkit.processes import System, running_system
from lovsvar_testkit.scripted_model import standing_in_for_model
from lovsvar_testkit.serper import SerperReply, SerperRequest, found, standing_in_for_serper

MODELS = ("assistant", "reasoner", "assistants elsewhere")
"""The channels that lead to language models."""

CHANNELS = (
    *(*MODELS, "practice searches", "NATS messages", "stored messages", "audit", "run events", "tickets"),
    *("traces", "metrics", "logs", "database rows"),
)
LEAST_MASKED = 0.95
"""The share of the words of other names that no model may be shown."""

BLAND = "Hvor mye kan utleieren kreve i depositum?"


class Unsound(Exception):
    """The trial would say nothing. The words say why."""


@dataclass(frozen=True)
class Outcome:
    """What came of a trial. `missing` is what finished letters lack, `unread` the marks of texts no model was shown."""

    entries: Mapping[str, int]
    looked: Mapping[str, Looked]
    secrets: int
    others: int
    others_seen: Sequence[str]
    wanted: int
    missing: Sequence[str]
    unread: Sequence[str]
    failures: Sequence[str]

    @property
    def leaks(self) -> dict[str, dict[str, str]]:
        """The identifiers and registered names that were seen, by channel, each with where it was seen."""
        return {name: certain for name, looked in self.looked.items() if (certain := _certain(looked))}

    @property
    def masked(self) -> float:
        """The share of the words of other names that no model was shown."""
        return 1 - len(self.others_seen) / max(1, self.others)

    @property
    def holds(self) -> bool:
        """Whether nothing got out that may not, letters hold all, and the trial says so of every text."""
        wrong = (self.leaks, self.missing, self.unread, self.failures)
        return self.masked >= LEAST_MASKED and not any(wrong)


def _certain(looked: Looked) -> dict[str, str]:
    seen = {secret: text for secret, text in looked.found.items() if secret.kind is not Kind.OTHER}
    return {secret.value: around(secret, text) for secret, text in seen.items()}


@dataclass(frozen=True)
class Trial:
    """Walks `count` cases, `at_once` of them at the same time, and keeps what it sees in `folder`."""

    folder: Path
    law: DepositLaw
    count: int
    scanned_every: int
    at_once: int = 2
    tell: Callable[[str], None] = lambda _: None

    def run(self) -> Outcome:
        """Do all of it. Raises `Unsound`."""
        taps = Taps(self.folder / "seen")
        with _tapped_system(self.folder, self.law, taps) as system:
            made = made_cases(self.count, self.scanned_every, asyncio.run(_words_of(system, taps)))
            watch = Watch(secret for case in made for secret in case.secrets)
            self._check_the_house(system, taps, watch)
            with listening(system.nats_url, taps), ThreadPoolExecutor(self.at_once) as pool:
                done = list(pool.map(lambda case: self._walked(case, system, taps), made))
            _see_what_is_left(self.folder, system, taps)
        return _outcome(done, taps, watch)

    def _check_the_house(self, system: System, taps: Taps, watch: Watch) -> None:
        """Raise `Unsound` when something that is looked for is seen while there is but a case without personal data."""
        with httpx2.Client(base_url=system.url, timeout=600) as client, listening(system.nats_url, taps):
            case = client.post("/v1/cases", json={"title": "Depositum", "description": BLAND}).raise_for_status().json()
            ask(client, f"/v1/cases/{case['case_id']}", BLAND, taps)
        _see_what_is_left(self.folder, system, taps)
        for channel, looked in taps.looked_through(CHANNELS, watch).items():
            if looked.found:
                words = {secret.value: around(secret, seen) for secret, seen in looked.found.items()}
                raise Unsound(f"{channel}: {words} is there without any case")

    def _walked(self, made: MadeCase, system: System, taps: Taps) -> Walk | str:
        """Return a case that was walked to its end, or why it was not."""
        walk = Walk(made, system, taps)
        try:
            walk.go()
        except (WalkFailed, httpx2.HTTPError, AssertionError, TimeoutError) as exc:
            return str(exc)
        finally:
            self.tell(f"case {made.number} of {self.count}")
        return walk


@contextlib.contextmanager
def _tapped_system(folder: Path, law: DepositLaw, taps: Taps) -> Iterator[System]:
    """Run the whole system with the law stored, and with all that leaves it and goes through it seen."""
    with (
        standing_in_for_model(_seen("assistant", taps, Assistant(law))) as assistant,
        standing_in_for_model(_seen("reasoner", taps, reasoner)) as adviser,
        standing_in_for_serper() as serper,
        collecting_traces() as collector,
    ):
        collector.hear = lambda channel, export: taps.see(channel, (export,))
        serper.answers_by(lambda request: _practice(request, taps))
        environment = {
            "OPENAI_API_KEY": "sk-scripted",
            "OPENAI_BASE_URL": assistant.url,
            "LOVSVAR_MODEL": "scripted",
            "LOVSVAR_REASONER_BASE_URL": adviser.url,
            "LOVSVAR_REASONER_MODEL": "adviser",
            "SERPER_API_KEY": "serper-key",
            "LOVSVAR_SERPER_URL": serper.url,
            "LOVSVAR_AGENT_TOOL_SERVICES": "cases",
            "LOVSVAR_CASES_MASTER_KEY": base64.b64encode(os.urandom(32)).decode(),
            "LOVSVAR_SOURCES": law.source,
            "LOVSVAR_LOG_LEVEL": "DEBUG",
            "OTEL_EXPORTER_OTLP_ENDPOINT": collector.url,
            "OTEL_METRIC_EXPORT_INTERVAL": "10000",
            "OTEL_BSP_SCHEDULE_DELAY": "200",
        }
        with running_system(folder, environment) as system:
            with httpx2.Client(base_url=system.url, timeout=600) as client:
                body = {"dataset": law.dataset, **({"source": law.source} if law.source else {})}
                sync = client.post("/v1/ingest", json=body).raise_for_status().json()["syncs"][0]
                *_, last = sse.events(client, f"/v1/ingest/{sync['sync_id']}/events", timeout=600)
                system.wait_version(last["corpus_version"], timeout=180)
            system.wait_ready(path="/readyz")
            yield system
            for model, channel in ((assistant, "assistant"), (adviser, "reasoner")):
                taps.see(channel, *((str(headers),) for headers in model.headers))


def _seen(channel: str, taps: Taps, script: Callable[[Any, int], Reply]) -> Callable[[Any, int], Reply]:
    """Return `script`, with every request to it seen."""

    def choose(body: Any, number: int) -> Reply:
        taps.see(channel, (json.dumps(body, ensure_ascii=False),))
        return script(body, number)

    return choose


def _practice(request: SerperRequest, taps: Taps) -> SerperReply:
    taps.see("practice searches", (json.dumps(request.body, ensure_ascii=False), str(dict(request.headers))))
    return found()


async def _words_of(system: System, taps: Taps) -> frozenset[str]:
    """Return the words that are stored before there is any case: the law's. These rows are not looked through."""
    kept: set[str] = set()
    async for rows in rows_of(system.database_url):
        taps.leave_out("database rows", *rows)
        kept.update(*(words(part) for row in rows for part in row if isinstance(part, str)))
    return frozenset(kept)


def _see_what_is_left(folder: Path, system: System, taps: Taps) -> None:
    """See what is stored and written, and what an operator is shown."""
    with httpx2.Client(base_url=system.url, timeout=600) as client:
        for ticket in client.get("/v1/tickets").raise_for_status().json()["tickets"]:
            taps.see("tickets", (json.dumps(ticket, ensure_ascii=False),))
        taps.see("metrics", (client.get("/metrics").raise_for_status().text,))
    asyncio.run(see_streams(system.nats_url, taps))
    asyncio.run(see_rows(system.database_url, taps))
    see_logs(folder, taps)


def _outcome(done: Sequence[Walk | str], taps: Taps, watch: Watch) -> Outcome:
    walks = {one.made.number: one for one in done if isinstance(one, Walk)}
    looked = taps.looked_through(CHANNELS, watch)
    models = [looked[channel] for channel in MODELS]
    shown = {number: set[Secret]().union(*(one.of_cases.get(number, ()) for one in models)) for number in walks}
    read = set[str]().union(*(one.read for one in models))
    others = [(one, secret) for one in walks.values() for secret in one.made.wanted if secret.kind is Kind.OTHER]
    return Outcome(
        entries=taps.entries,
        looked=looked,
        secrets=len(watch.secrets),
        others=len(others),
        others_seen=[secret.value for walk, secret in others if secret in shown[walk.made.number]],
        wanted=sum(len(walk.made.wanted) * len(walk.files) for walk in walks.values()),
        missing=[f"case {number}, {one}" for number, walk in walks.items() for one in walk.missing(shown[number])],
        unread=[mark for walk in walks.values() for mark in walk.made.marks if mark not in read],
        failures=[one for one in done if isinstance(one, str)],
    )
