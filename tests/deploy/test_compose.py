"""The compose file and the images it builds, without a container engine."""

import importlib
import re
from importlib.metadata import distribution
from pathlib import Path

import pytest
import yaml
from pydantic import AliasChoices
from pydantic_settings import BaseSettings

from lovsvar_testkit.servers import NATS_IMAGE, POSTGRES_IMAGE

ROOT = Path(__file__).parents[2]
COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
SERVICES = COMPOSE["services"]
HOUSES = {
    **{name: f"lovsvar_{name}.settings:Settings" for name in ("ingest", "search", "practice", "agent", "gateway")},
    "embedding": "lovsvar_ingest.embedding_settings:EmbeddingSettings",
}
OURS = tuple(HOUSES)
EACH = pytest.mark.parametrize("name", SERVICES)
EACH_OF_OURS = pytest.mark.parametrize("name", OURS)


def variables(settings: type[BaseSettings]) -> set[str]:
    """The environment variables that `settings` are read from."""
    prefix = settings.model_config.get("env_prefix", "")
    named = set()
    for name, field in settings.model_fields.items():
        alias = field.validation_alias
        assert not isinstance(alias, AliasChoices), "tell this test how to read it"
        named.add(str(alias or f"{prefix}{name}").upper())
    return named


def settings_of(name: str) -> type[BaseSettings]:
    """The settings of a service of the compose file."""
    module, _, attribute = HOUSES[name].partition(":")
    settings: type[BaseSettings] = getattr(importlib.import_module(module), attribute)
    return settings


def test_it_runs_the_five_services_the_embedding_worker_and_what_they_stand_on() -> None:
    assert set(SERVICES) == {*OURS, "nats", "postgres"}


@EACH
def test_every_container_has_an_image_a_health_check_and_time_to_stop(name: str) -> None:
    service = SERVICES[name]
    assert ("image" in service) != ("build" in service)
    assert service["healthcheck"]["test"][0] == "CMD"
    assert re.fullmatch(r"\d+s", service["stop_grace_period"])


def test_servers_are_the_ones_that_tests_run_against_with_a_fixed_tag() -> None:
    assert (SERVICES["nats"]["image"], SERVICES["postgres"]["image"]) == (NATS_IMAGE, POSTGRES_IMAGE)
    for image in (NATS_IMAGE, POSTGRES_IMAGE):
        assert re.search(r":\d", image)


@EACH_OF_OURS
def test_every_variable_is_a_setting_of_its_service(name: str) -> None:
    known = variables(settings_of(name)) | {"OTEL_EXPORTER_OTLP_ENDPOINT"}
    assert set(SERVICES[name]["environment"]) <= known


MODEL = {"OPENAI_API_KEY", "OPENAI_BASE_URL", "LOVSVAR_MODEL", "LOVSVAR_MODE"}
LIMITS = {f"LOVSVAR_AGENT_{name}" for name in ("ROUNDS", "TOOL_CALLS", "TOKENS", "COST", "SECONDS")}


def test_the_agent_is_told_of_its_model_and_its_limits_and_of_none_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    environment = SERVICES["agent"]["environment"]
    assert set(environment) >= MODEL | LIMITS
    for name, written in environment.items():
        monkeypatch.setenv(name, default_of(written))
    settings = settings_of("agent")()
    for name in (n for n in variables(type(settings)) if n in environment and n != "LOVSVAR_NATS_URL"):
        monkeypatch.delenv(name)
    plain = settings_of("agent")().model_dump()
    assert settings.model_dump() == {**plain, "nats_url": settings.nats_url}


def default_of(written: str) -> str:
    """What a variable of the compose file is when nobody sets it."""
    match = re.fullmatch(r"\$\{\w+:-(.*)\}", written)
    return match[1] if match else written


@EACH_OF_OURS
def test_every_service_is_told_where_its_servers_are(name: str) -> None:
    service = SERVICES[name]
    needed = {"LOVSVAR_NATS_URL", "LOVSVAR_DATABASE_URL"} & variables(settings_of(name))
    assert needed <= set(service["environment"])
    assert ("postgres" in service["depends_on"]) == ("LOVSVAR_DATABASE_URL" in needed)
    assert {condition["condition"] for condition in service["depends_on"].values()} == {"service_healthy"}


@EACH_OF_OURS
def test_a_health_check_asks_the_service_itself(name: str) -> None:
    assert SERVICES[name]["healthcheck"]["test"][1:] == ["python", "-m", "lovsvar_chassis.probe", name]


def test_the_embedding_worker_is_of_ingests_image_and_all_who_embed_do_so_by_one_model() -> None:
    worker, ingest, search = (SERVICES[name] for name in ("embedding", "ingest", "search"))
    assert worker["build"] == ingest["build"]
    assert worker["command"] == ["lovsvar-embed"]
    assert "lovsvar-embed" in distribution("lovsvar-ingest").entry_points.names
    for variable in ("LOVSVAR_EMBEDDING", "LOVSVAR_EMBEDDING_MODEL"):
        assert worker["environment"][variable] == ingest["environment"][variable] == search["environment"][variable]


@pytest.mark.parametrize("name", sorted({*OURS} - {"embedding"}))
def test_an_image_holds_its_service_alone_and_does_not_run_as_root(name: str) -> None:
    build = SERVICES[name]["build"]
    assert build == {"context": ".", "dockerfile": f"services/{name}/Dockerfile"}
    lines = (ROOT / build["dockerfile"]).read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if line.startswith("FROM")] == [
        "FROM python:3.11-slim AS build",
        "FROM python:3.11-slim",
    ]
    assert [line.split("--package ")[1] for line in lines if "uv sync" in line] == [f"lovsvar-{name}"]
    assert lines[-2:] == ["USER lovsvar", f'CMD ["lovsvar-{name}"]']


def test_the_one_open_door_is_the_gateway_on_this_machine() -> None:
    assert {name: service["ports"] for name, service in SERVICES.items() if "ports" in service} == {
        "gateway": ["127.0.0.1:8080:8080"]
    }


def test_the_gateway_takes_keys_from_a_folder_that_it_can_only_read(monkeypatch: pytest.MonkeyPatch) -> None:
    gateway = SERVICES["gateway"]
    assert gateway["volumes"] == ["./keys:/keys:ro"]
    for name, written in gateway["environment"].items():
        monkeypatch.setenv(name, default_of(written))
    settings = settings_of("gateway")().model_dump()
    assert (settings["without_keys"], settings["api_keys_file"], settings["cors_origins"]) == (True, None, ())
    assert (settings["audit"], settings["audit_days"], settings["audit_secret"]) == ("on", 90, None)


def test_what_is_stored_outlives_its_container() -> None:
    volumes = {volume.split(":")[0] for service in SERVICES.values() for volume in service.get("volumes", ())}
    mounted = volumes - {"./keys"}  # which people write, and the gateway only reads
    assert mounted == set(COMPOSE["volumes"]) == {"nats", "postgres"}
