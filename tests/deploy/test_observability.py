"""The configuration of Prometheus and Grafana, without a container engine: every metric in it is emitted."""

import json
import re
from pathlib import Path
from typing import Any

import yaml

from lovsvar_chassis import metrics
from lovsvar_chassis.manifest import processes, service_names
from lovsvar_contracts import subjects

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "deploy" / "observability"
COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
PROMETHEUS = yaml.safe_load((FOLDER / "prometheus.yml").read_text(encoding="utf-8"))
RULES = yaml.safe_load((FOLDER / "alerts.yml").read_text(encoding="utf-8"))["groups"][0]["rules"]
DASHBOARD = json.loads((FOLDER / "grafana" / "dashboards" / "lovsvar.json").read_text(encoding="utf-8"))

SERIES = re.compile(r"\b(?:lovsvar|http)_\w+")
PORT = 9464
OF_PROMETHEUS = {"service", "instance", "job"}
OF_HTTP = {
    "http_server_request_duration_seconds": {"http_route", "http_response_status_code", "http_request_method"},
}
"""What FastAPI itself emits by OpenTelemetry's conventions, with what we use of its labels."""


def emitted() -> dict[str, set[str]]:
    """Every series of the catalogue with its labels."""
    found: dict[str, set[str]] = {}
    for metric in metrics.CATALOGUE:
        name, labels = metrics.prometheus_name(metric), set(metric.labels)
        found[name] = labels
        if isinstance(metric, metrics.Histogram):
            del found[name]
            found |= {f"{name}_bucket": labels | {"le"}, f"{name}_count": labels, f"{name}_sum": labels}
    for name, labels in OF_HTTP.items():
        found |= {f"{name}_bucket": labels | {"le"}, f"{name}_count": labels, f"{name}_sum": labels}
    return found


def expressions() -> list[str]:
    """Every query of the alerts and of the dashboard."""
    return [rule["expr"] for rule in RULES] + [t["expr"] for panel in DASHBOARD["panels"] for t in panel["targets"]]


def test_every_series_that_is_asked_for_is_emitted() -> None:
    asked = {name for expression in expressions() for name in SERIES.findall(expression)} - {"http_route"}
    named = {name for name in asked if not name.startswith("http_") or name.startswith("http_server")}
    assert named
    assert named <= emitted().keys()


def test_every_label_that_is_asked_for_is_one_of_its_series() -> None:
    for expression in expressions():
        labels = set().union(
            OF_PROMETHEUS, *(emitted()[name] for name in SERIES.findall(expression) if name in emitted())
        )
        grouped = [word.strip() for by in re.findall(r"by \(([^)]*)\)", expression) for word in by.split(",")]
        matched = re.findall(r"(\w+)(?:=~|!=|!~|=)\"", expression)
        assert {*grouped, *matched} <= labels, expression


def test_streams_that_alerts_name_are_there() -> None:
    matched = [names for expression in expressions() for names in re.findall(r'stream=~?"([\w|]+)"', expression)]
    named = {name for names in matched for name in names.split("|")}
    assert named <= {value for name, value in vars(subjects).items() if name.startswith("STREAM_")}


def test_everything_in_the_catalogue_is_shown_or_alerted_of() -> None:
    text = " ".join(expressions())
    shown = {metric.name for metric in metrics.CATALOGUE if metrics.prometheus_name(metric) in text}
    assert {metric.name for metric in metrics.CATALOGUE} == shown


def test_each_service_that_is_gone_is_alerted_of_by_its_name() -> None:
    (rule,) = [rule for rule in RULES if rule["alert"] == "LovsvarServiceGone"]
    absent = re.findall(r'absent\(up\{job="lovsvar", service="(\w+)"\}\)', rule["expr"])
    assert set(absent) == set(service_names()) - {"practice"}


def test_dead_letters_are_alerted_of_when_they_are_new() -> None:
    (rule,) = [rule for rule in RULES if rule["alert"] == "LovsvarDeadLetters"]
    assert "- (max by (stream) (lovsvar_dead_letters offset 1h) or 0 * " in rule["expr"]


def test_prometheus_reads_every_service_on_the_port_that_the_readme_names() -> None:
    (job,) = PROMETHEUS["scrape_configs"]
    (discovered,) = job["dns_sd_configs"]
    assert set(discovered["names"]) == set(processes())
    assert discovered["port"] == PORT
    assert f"LOVSVAR_METRICS_PORT={PORT}" in (ROOT / "deploy" / "README.md").read_text(encoding="utf-8")
    for name in discovered["names"]:
        service = COMPOSE["services"][name]
        assert service["environment"]["LOVSVAR_METRICS_PORT"] == "${LOVSVAR_METRICS_PORT:-}"
        assert set(COMPOSE["services"]["prometheus"]["networks"]) & set(service["networks"])


def test_what_is_mounted_is_there_and_can_only_be_read() -> None:
    for name in ("prometheus", "grafana"):
        for volume in (v for v in COMPOSE["services"][name]["volumes"] if v.startswith("./")):
            path, _, mode = volume.split(":")
            assert (ROOT / path).exists()
            assert mode == "ro"


def test_panels_have_a_source_that_is_provisioned() -> None:
    sources: dict[str, Any] = yaml.safe_load(
        (FOLDER / "grafana" / "provisioning" / "datasources" / "prometheus.yml").read_text(encoding="utf-8")
    )
    known = {source["uid"] for source in sources["datasources"]}
    assert {panel["datasource"]["uid"] for panel in DASHBOARD["panels"]} == known
    assert len({panel["id"] for panel in DASHBOARD["panels"]}) == len(DASHBOARD["panels"])
