"""The stream of events of a case, by the gateway's door: it outlives the service of cases, and resumes anywhere."""

import asyncio
import contextlib
import itertools
import queue
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import httpx2
import pytest

from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.publisher import EventPublisher
from lovsvar_chassis.run_log import RunLog
from lovsvar_chassis.settings import ServiceSettings
from lovsvar_contracts.run_events import AnswerDelta, RunCompleted, RunEvent, StepStarted, ToolCalled
from lovsvar_testkit import sse
from lovsvar_testkit.sse import ServerSentEvent

if TYPE_CHECKING:
    from conftest import House

PATIENCE = 120.0
"""Seconds that anything may take on a machine that does much else."""

END = ServerSentEvent("", "end", {"type": "end"})


class Reader:
    """Reads a case's stream in a thread, from its beginning."""

    def __init__(self, house: "House", path: str) -> None:
        self._arrived: queue.Queue[ServerSentEvent] = queue.Queue()
        self.seen: list[ServerSentEvent] = []
        threading.Thread(target=self._read, args=(house, f"{path}/events"), daemon=True).start()

    def _read(self, house: "House", path: str) -> None:
        try:
            with house.client("kari") as client:
                for event in sse.stream(client, path, timeout=10 * PATIENCE):
                    self._arrived.put(event)
            self._arrived.put(END)
        except (httpx2.HTTPError, AssertionError) as exc:
            self._arrived.put(ServerSentEvent("", "broken", {"type": str(exc)}))

    def until(self, wanted: Callable[[ServerSentEvent], bool]) -> ServerSentEvent:
        """Return the first event that is wanted from now on; heartbeats are not kept."""
        while True:
            event = self._arrived.get(timeout=PATIENCE)
            if event.event != "heartbeat":
                self.seen.append(event)
            if wanted(event):
                return event
            assert event.event not in {"end", "broken", "dropped"}, event

    def until_version(self, version: int) -> None:
        while version not in told(self.seen).get("case", []):
            self.until(lambda _: True)


def read_on(house: "House", path: str, after: str, count: int) -> list[ServerSentEvent]:
    """Return the next events behind one, and leave."""
    with house.client("kari") as client:
        events = sse.stream(client, f"{path}/events", timeout=PATIENCE, **{"Last-Event-ID": after})
        with contextlib.closing(events):
            return list(itertools.islice((event for event in events if event.event != "heartbeat"), count))


def told(events: Sequence[ServerSentEvent]) -> dict[str, list[int]]:
    """What was told, by where it is from: the versions of the case, and the ids of each run's events, in order."""
    found: dict[str, list[int]] = {}
    for event in events:
        source = event.data.get("run_id", "case")
        found.setdefault(source, []).append(event.data["version"] if source == "case" else event.data["id"])
    return found


def closed(events: Sequence[ServerSentEvent]) -> set[str]:
    return {event.data["run_id"] for event in events if event.event == "run.completed"}


def note(house: "House", path: str, fact: str) -> None:
    with house.client("kari") as kari:
        answer = kari.patch(path, json={"updates": {"facts": [{"fact": fact}]}})
        assert answer.status_code == 200, answer.text


def run_begun(house: "House", path: str) -> str:
    """Say something in the case; nobody answers but who writes into the log."""
    with house.client("kari") as kari:
        kari.put(f"{path}/tier", json={"tier": 1})
        answer = kari.post(f"{path}/messages", json={"message": "Hva nå?"})
        assert answer.status_code == 202, answer.text
        run_id: str = answer.json()["run_id"]
        return run_id


def work(house: "House", *events: RunEvent) -> None:
    """Append to the log of a run, as an agent does."""

    async def append() -> None:
        async with make_broker(ServiceSettings(nats_url=house.system.nats_url), "test") as broker:
            log = RunLog(EventPublisher(broker))
            _, end = await log.end(events[0].run_id)
            for event in events:
                _, end = await log.append(event, end)

    asyncio.run(append())


def followed_from_a_run(house: "House", path: str) -> tuple[str, "Reader"]:
    """Return a run that has begun in a case, and a reader that has seen so."""
    run_id = run_begun(house, path)
    reader = Reader(house, path)
    reader.until(lambda event: event.event == "run.accepted")
    return run_id, reader


@pytest.fixture
def path(house: "House") -> str:
    """A case with a party, by its path."""
    with house.client("kari") as kari:
        path = f"/v1/cases/{house.describe(kari)['case_id']}"
        party = {"kind": "person", "role": "utleier", "fields": {"firstName": "Solveig", "lastName": "Nordmann"}}
        assert kari.post(f"{path}/parties", json=party).status_code == 201
    return path


def test_a_stream_stays_open_while_the_service_of_cases_is_away_and_goes_on_when_it_is_back(
    house: "House", path: str
) -> None:
    run_id, reader = followed_from_a_run(house, path)
    house.system.services["cases"].kill()
    named = {"query": "{{party0.lastName}}"}
    work(house, ToolCalled(run_id=run_id, call_id="call-1-1", name="søk", arguments=named))
    for _ in range(2):
        reader.until(lambda event: event.event == "heartbeat")
    assert reader.seen[-1].event == "run.accepted", "what a placeholder stands for is not known yet"
    house.system.services["cases"].start()
    called = reader.until(lambda event: event.event == "tool.called")
    assert called.data["arguments"] == {"query": "Nordmann"}
    house.wait_until_answered()
    note(house, path, "Den er tilbake.")
    work(house, RunCompleted(run_id=run_id))
    reader.until(lambda event: event.event == "run.completed")
    with house.client("kari") as kari:
        case = kari.get(path).json()
    assert [fact["fact"] for fact in case["state"]["details"]["facts"]] == ["Den er tilbake."]
    reader.until_version(case["version"])
    assert told(reader.seen) == {"case": list(range(1, case["version"] + 1)), run_id: [1, 2, 3]}


def test_a_reader_that_comes_back_with_any_events_id_misses_nothing_and_sees_nothing_twice(
    house: "House", path: str
) -> None:
    reader = Reader(house, path)
    first, second = run_begun(house, path), run_begun(house, path)
    for run_id in (first, second):
        work(house, AnswerDelta(run_id=run_id, text="Etter"), AnswerDelta(run_id=run_id, text=" loven"))
    note(house, path, "Midt i.")
    work(house, AnswerDelta(run_id=second, text=" er"), RunCompleted(run_id=second))
    work(house, RunCompleted(run_id=first))
    note(house, path, "Til slutt.")
    reader.until(lambda _: closed(reader.seen) == {first, second})
    with house.client("kari") as kari:
        version = kari.get(path).json()["version"]
    reader.until_version(version)
    whole = told(reader.seen)
    assert {source: list(range(1, len(ids) + 1)) for source, ids in whole.items()} == whole
    assert set(whole) == {"case", first, second}
    assert len({event.id for event in reader.seen}) == len(reader.seen)
    for at, event in enumerate(reader.seen[:-1], start=1):
        rest = read_on(house, path, event.id, len(reader.seen) - at)
        assert told((*reader.seen[:at], *rest)) == whole, event.id
    with house.client("kari") as kari:
        assert kari.delete(path).status_code == 200
    assert reader.until(lambda event: event.event == "case.erased").id == str(version)


def test_a_key_of_another_gets_404_wherever_it_says_it_was_and_the_owner_sees_that_it_tried(
    house: "House", path: str
) -> None:
    run_id = run_begun(house, path)
    for key in ("eva", "ola", "drift"):
        with house.client(key) as stranger:
            for after in ({}, {"Last-Event-ID": "1"}, {"Last-Event-ID": f"3.{run_id}:0"}):
                answer = stranger.get(f"{path}/events", headers=after)
                assert (answer.status_code, answer.json()["status"]) == (404, 404), key
                assert answer.headers["content-type"] == "application/problem+json"
    with house.client("kari") as kari:
        accesses = kari.get(f"{path}/accesses").json()["accesses"]
        assert kari.get(f"{path}/events", headers={"Last-Event-ID": "one.two"}).status_code == 422
    assert {one["by"] for one in accesses if one["action"] == "refused"} == {"eva", "ola", "drift"}


def test_the_stream_of_a_case_that_is_erased_says_so_and_ends_and_is_not_there_any_more(
    house: "House", path: str
) -> None:
    run_id, reader = followed_from_a_run(house, path)
    with house.client("kari") as kari:
        assert kari.delete(path).status_code == 200
        erased = reader.until(lambda event: event.event == "case.erased")
        assert erased.data == {"type": "case.erased", "case_id": path.rpartition("/")[2]}
        reader.until(lambda event: event.event == "end")
        for after in ({}, {"Last-Event-ID": f"4.{run_id}:1"}):
            assert kari.get(f"{path}/events", headers=after).status_code == 404


def test_the_command_shows_what_happens_in_a_case_until_it_is_erased(house: "House", path: str) -> None:
    with house.started("follow", path.rpartition("/")[2], "--after", "0") as process:
        assert process.stdout is not None
        lines = iter(process.stdout)
        assert "case_opened" in next(lines)
        assert "party_set" in next(lines)
        note(house, path, "Midt i.")
        assert "details_updated  facts" in next(lines)
        run_id = run_begun(house, path)
        work(house, StepStarted(run_id=run_id, step=1, name="search", title="Søker i loven"))
        assert "Søker i loven\n" in lines
        with house.client("kari") as kari:
            assert kari.delete(path).status_code == 200
        *_, last = lines
        assert (last, process.wait(PATIENCE)) == ("Saken er slettet.\n", 0)
