"""What is counted of requests, and what is logged of those that got no reply."""

import asyncio
import sys
from urllib.request import urlopen

import pytest
from faststream.nats import NatsBroker
from structlog.testing import capture_logs

from lovsvar_chassis import metrics
from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.request_router import RequestRouter
from lovsvar_chassis.requester import Requester
from lovsvar_chassis.service import Service
from lovsvar_chassis.settings import ServiceSettings
from lovsvar_contracts.message import new_id
from lovsvar_contracts.practice import FindPractice, PracticeHits
from lovsvar_contracts.problems import ProblemError
from lovsvar_testkit.measured import Measured
from lovsvar_testkit.processes import free_port
from lovsvar_testkit.running import answering, running
from lovsvar_testkit.waiting import until

SUBJECT = "lovsvar.test.measured"


async def found(request: FindPractice) -> PracticeHits:
    if request.query == "feil":
        raise RuntimeError("in the handler")
    return PracticeHits(correlation_id=request.correlation_id, hits=(), took_ms=1.0)


async def ask(broker: NatsBroker, query: str, subject: str = SUBJECT, timeout: float = 10.0) -> None:
    await Requester(broker).ask(subject, FindPractice(query=query), PracticeHits, timeout=timeout)


async def test_a_request_is_counted_by_subject_and_outcome_where_it_is_asked_and_where_it_is_answered(
    nats_url: str, broker: NatsBroker, measured: Measured
) -> None:
    async with answering(nats_url, RequestRouter().answer(SUBJECT, found)):
        await ask(broker, "depositum")
        await ask(broker, "depositum")
        with pytest.raises(ProblemError):
            await ask(broker, "feil")
    for metric in (metrics.ANSWERED, metrics.ASKED):
        assert measured.value(metric, subject=SUBJECT, outcome="ok") == 2
        assert measured.value(metric, subject=SUBJECT, outcome="internal") == 1


async def test_what_names_a_host_or_replica_is_no_part_of_a_label(
    nats_url: str, broker: NatsBroker, measured: Measured
) -> None:
    async with answering(nats_url, RequestRouter().answer(f"{SUBJECT}.host-1", found)):
        await ask(broker, "depositum", f"{SUBJECT}.host-1")
    assert measured.labels(metrics.ANSWERED) == [{"subject": SUBJECT, "outcome": "ok"}]


async def test_requests_that_get_no_reply_are_counted_and_logged_once_with_subject_and_correlation_id(
    broker: NatsBroker, measured: Measured
) -> None:
    subject = f"lovsvar.test.{new_id()}"
    with capture_logs() as logs:
        for _ in range(3):
            with pytest.raises(ProblemError):
                await ask(broker, "depositum", subject)
    assert measured.value(metrics.ASKED, subject=subject, outcome="unavailable") == 3
    told = [entry for entry in logs if entry["event"] == "a request got no reply"]
    assert [(entry["subject"], entry["problem"], entry["error"]) for entry in told] == [
        (subject, "unavailable", "NoRespondersError()")
    ]
    assert told[0]["correlation_id"]


async def test_a_problem_that_is_the_reply_is_not_logged_by_whoever_asked(nats_url: str, broker: NatsBroker) -> None:
    async with answering(nats_url, RequestRouter().answer(SUBJECT, found)):
        with capture_logs() as logs, pytest.raises(ProblemError):
            await ask(broker, "feil")
    assert "a request got no reply" not in [entry["event"] for entry in logs]


async def test_a_service_shows_its_readiness_its_connection_and_how_late_its_event_loop_wakes(
    nats_url: str, measured: Measured
) -> None:
    reason = ""
    settings = ServiceSettings(nats_url=nats_url)
    service = Service("gateway", settings, make_broker(settings, "test"), not_ready=lambda: reason)
    async with running(service):
        assert measured.value(metrics.READY) == 1
        assert measured.value(metrics.NATS_CONNECTED) == 1
        reason = "Databasen gjøres klar."
        assert measured.value(metrics.READY) == 0
        await until(lambda: asyncio.sleep(0, measured.value(metrics.EVENT_LOOP_LAG) > 0))


async def test_on_its_port_a_process_serves_every_metric_by_the_name_that_the_catalogue_gives_it() -> None:
    port = free_port()
    code = f"""
from lovsvar_chassis import metrics
metrics.configure("test", "1", {port})
for metric in metrics.CATALOGUE:
    labels = dict.fromkeys(metric.labels, "x")
    if isinstance(metric, metrics.Gauge):
        metric.watch(lambda labels=labels: [(1.0, labels)])
    elif isinstance(metric, metrics.Histogram):
        metric.record(0.1, **labels)
    else:
        metric.add(1, **labels)
print("serving", flush=True)
input()
"""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", code, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    try:
        assert await process.stdout.readline() == b"serving\n"
        text = await asyncio.to_thread(lambda: urlopen(f"http://127.0.0.1:{port}/metrics").read().decode())
    finally:
        process.stdin.close()
        await process.wait()
    served = {line.split()[2] for line in text.splitlines() if line.startswith("# TYPE ")}
    assert {metrics.prometheus_name(metric) for metric in metrics.CATALOGUE} <= served
