"""A collector that takes connections and never answers does not hold up the stop of a service."""

import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from lovsvar_testkit.processes import ServiceProcess

GENEROUS = 4.0
"""Two seconds are what a stop may wait for a collector; the rest is the interpreter's on a busy machine."""

START_SECONDS = 60.0

PROGRAM = """
import sys
from opentelemetry import metrics as api
from lovsvar_chassis import metrics, telemetry

provider = telemetry.configure("practice", "1", "INFO")
metrics.configure("practice", "1")
tracer, counter = provider.get_tracer("test"), api.get_meter("test").create_counter("lovsvar.test")

def work(times):
    for _ in range(times):
        tracer.start_span("work").end()
        counter.add(1)

work(int(sys.argv[1]))
print("working", flush=True)
sys.stdin.readline()
work(int(sys.argv[2]))
print("stopping", flush=True)
"""


class HangingCollector:
    """Accepts, reads what it is sent, and says nothing."""

    def __init__(self, listener: socket.socket) -> None:
        self._listener = listener
        self._open: list[socket.socket] = []
        self.reached = threading.Event()
        self.url = f"http://127.0.0.1:{listener.getsockname()[1]}"

    def take(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self._open.append(connection)
            self.reached.set()


@pytest.fixture
def collector() -> Iterator[HangingCollector]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        collector = HangingCollector(listener)
        taking = threading.Thread(target=collector.take)
        taking.start()
        yield collector
        listener.shutdown(socket.SHUT_RDWR)
    taking.join()


def sending_to(collector: HangingCollector) -> dict[str, str]:
    return {
        "OTEL_EXPORTER_OTLP_ENDPOINT": collector.url,
        "OTEL_BSP_SCHEDULE_DELAY": "100",
        "OTEL_METRIC_EXPORT_INTERVAL": "100",
    }


@pytest.mark.parametrize(("before", "after"), [(1, 1), (3_000, 3_000)])
def test_spans_and_metrics_that_cannot_be_sent_hold_up_no_end(
    collector: HangingCollector, before: int, after: int
) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(before), str(after)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=sending_to(collector),
        text=True,
    )
    with process:
        assert process.stdin and process.stdout
        assert process.stdout.readline() == "working\n"
        assert collector.reached.wait(20)
        process.stdin.write("go on\n")
        process.stdin.flush()
        assert process.stdout.readline() == "stopping\n"
        began = time.monotonic()
        assert process.wait(30) == 0
        assert time.monotonic() - began < GENEROUS


def test_a_service_stops_in_time_while_its_collector_hangs(
    collector: HangingCollector, nats_url: str, tmp_path: Path
) -> None:
    service = ServiceProcess(
        "practice", {"LOVSVAR_NATS_URL": nats_url, **sending_to(collector)}, tmp_path / "practice.log"
    )
    service.start()
    try:
        deadline = time.monotonic() + START_SECONDS
        while not (service.log.exists() and "started" in service.log.read_text()):
            assert service.process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.05)
        began = time.monotonic()
        assert service.stop() == 0
        assert time.monotonic() - began < GENEROUS
    finally:
        service.stop()
