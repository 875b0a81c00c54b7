"""Logs and traces of a process, seen from outside it."""

import json
import os
import subprocess
import sys

PROGRAM = """
import logging
import structlog
from lovsvar_chassis import telemetry

log = structlog.get_logger()
provider = telemetry.configure("practice", "1.2.3", "INFO")
with provider.get_tracer("test").start_as_current_span("work") as span:
    print(f"{span.get_span_context().trace_id:032x} {span.get_span_context().span_id:016x}")
    log.info("fant § 3-5", hits=3)
    logging.getLogger("library").warning("says %s", "so")
    structlog.contextvars.bind_contextvars(correlation_id="c-1")
    log.info("bound")
    try:
        raise ValueError("broken")
    except ValueError:
        log.exception("failed")
    log.debug("hidden")
    print(telemetry.trace_headers()["traceparent"])
    inside = telemetry.trace_context(telemetry.trace_headers())
with provider.get_tracer("test").start_as_current_span("later", context=inside) as later:
    print(f"{later.get_span_context().trace_id:032x}")
structlog.contextvars.clear_contextvars()
log.info("outside")
"""


def run() -> tuple[list[str], list[dict]]:
    """What a process that is set up as a service prints, and its log lines."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("OTEL_")}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, check=True, timeout=60, env=environment, encoding="utf-8"
    )
    return done.stdout.splitlines(), [json.loads(line) for line in done.stderr.splitlines()]


def test_logs_are_json_lines_with_the_trace_they_belong_to() -> None:
    (ids, traceparent, later), lines = run()
    trace_id, span_id = ids.split()
    assert [line["event"] for line in lines] == ["fant § 3-5", "says so", "bound", "failed", "outside"]
    within, outside = lines[:4], lines[4]
    assert {(line["trace_id"], line["span_id"]) for line in within} == {(trace_id, span_id)}
    assert "trace_id" not in outside
    assert {line["service"] for line in lines} == {"practice"}
    assert lines[0]["hits"] == 3
    assert lines[2]["correlation_id"] == "c-1"
    assert "ValueError: broken" in lines[3]["exception"]
    assert {line["level"] for line in lines} == {"info", "warning", "error"}
    assert traceparent.split("-")[1:3] == [trace_id, span_id]
    assert later == trace_id
