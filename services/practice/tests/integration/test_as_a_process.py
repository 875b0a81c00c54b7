"""The practice service as it runs in production, and what leaves it."""

from pathlib import Path

import pytest
from faststream.nats import NatsBroker

from lovsvar_chassis.requester import Requester
from lovsvar_contracts import subjects
from lovsvar_contracts.health import ReadHealth, ServiceHealth
from lovsvar_contracts.practice import FindPractice, PracticeHits
from lovsvar_contracts.problems import ProblemError
from lovsvar_testkit.collector import collecting_traces
from lovsvar_testkit.processes import ServiceProcess
from lovsvar_testkit.serper import Serper
from lovsvar_testkit.waiting import until

KEY = "n0kkel-som-ingen-skal-se"


@pytest.mark.parametrize("level", ["INFO", "DEBUG"])
async def test_metrics_leave_by_otlp_and_the_key_leaves_for_the_provider_alone(
    nats_url: str, broker: NatsBroker, serper: Serper, tmp_path: Path, level: str
) -> None:
    serper.says(500, KEY.encode())
    serper.finds()
    requester = Requester(broker, timeout=30)

    async def ready() -> bool:
        try:
            return (await requester.ask(subjects.health("practice"), ReadHealth(), ServiceHealth)).ready
        except ProblemError:
            return False

    with collecting_traces() as collector:
        environment = {
            "LOVSVAR_NATS_URL": nats_url,
            "LOVSVAR_SERPER_URL": serper.url,
            "LOVSVAR_LOG_LEVEL": level,
            "SERPER_API_KEY": KEY,
            "OTEL_EXPORTER_OTLP_ENDPOINT": collector.url,
        }
        service = ServiceProcess("practice", environment, tmp_path / "log")
        service.start()
        try:
            await until(ready, 60)
            await requester.ask(subjects.PRACTICE_SEARCH, FindPractice(query="depositum"), PracticeHits)
        finally:
            code = service.stop(30)
        # What has not left yet leaves when the process ends.
        wanted = {"requests", "retries", "cache", "breaker.state", "budget.left", "search.duration"}
        wanted = {f"lovsvar.practice.{name}" for name in wanted}
        assert wanted <= collector.wait_for_metrics("lovsvar-practice", wanted)
    assert code == 0
    assert [request.key for request in serper.requests] == [KEY, KEY]
    log = (tmp_path / "log").read_text()
    assert "stopping" in log
    assert KEY not in log
