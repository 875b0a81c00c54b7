"""The compose file and the images it builds, without a container engine."""

import re
from importlib.metadata import distribution
from pathlib import Path

import pytest
import yaml
from pydantic import AliasChoices
from pydantic_settings import BaseSettings

from lovsvar_chassis.manifest import processes
from lovsvar_chassis.settings import SECRETS_DIR
from lovsvar_local.commands.setup import make_secrets
from lovsvar_local.nats_permissions import configuration, users
from lovsvar_testkit.servers import NATS_IMAGE, POSTGRES_IMAGE

ROOT = Path(__file__).parents[2]
COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
SERVICES = COMPOSE["services"]
PROCESSES = processes()
OURS = tuple(PROCESSES)
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
    settings: type[BaseSettings] = PROCESSES[name].load_settings()
    return settings


def test_it_runs_the_services_the_embedding_worker_and_what_they_stand_on() -> None:
    assert {name for name, service in SERVICES.items() if "profiles" not in service} == {*OURS, "nats", "postgres"}
    assert {name: service["profiles"] for name, service in SERVICES.items() if "profiles" in service} == {
        "operator": ["operator"],
        "prometheus": ["observability"],
        "grafana": ["observability"],
    }


@EACH
def test_every_container_has_an_image_a_health_check_and_time_to_stop(name: str) -> None:
    service = SERVICES[name]
    assert ("image" in service) != ("build" in service)
    assert "profiles" in service or service["healthcheck"]["test"][0] == "CMD"
    assert re.fullmatch(r"\d+s", service["stop_grace_period"])


def test_servers_are_the_ones_that_tests_run_against_with_a_fixed_tag() -> None:
    assert SERVICES["postgres"]["image"] == POSTGRES_IMAGE
    assert f"FROM {NATS_IMAGE}\n" in (ROOT / "deploy" / "nats" / "Dockerfile").read_text(encoding="utf-8")
    for image in (NATS_IMAGE, POSTGRES_IMAGE):
        assert re.search(r":\d", image)


@EACH_OF_OURS
def test_every_variable_is_a_setting_of_its_service(name: str) -> None:
    known = variables(settings_of(name)) | {"OTEL_EXPORTER_OTLP_ENDPOINT", SECRETS_DIR}
    assert set(SERVICES[name]["environment"]) <= known


MODEL = {"OPENAI_API_KEY", "OPENAI_BASE_URL", "LOVSVAR_MODEL", "LOVSVAR_MODE"}
LIMITS = {f"LOVSVAR_AGENT_{name}" for name in ("ROUNDS", "TOOL_CALLS", "TOKENS", "COST", "SECONDS")}


def test_the_agent_is_told_of_its_model_and_its_limits_and_of_none_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    environment = SERVICES["agent"]["environment"]
    assert set(environment) | targets("agent") >= MODEL | LIMITS
    settings = as_written("agent", monkeypatch)
    for name in (n for n in variables(type(settings)) if n in environment and n != "LOVSVAR_NATS_URL"):
        monkeypatch.delenv(name)
    plain = settings_of("agent")().model_dump()
    told = {"nats_url": settings.nats_url, "declare_streams": False, "metrics_host": "0.0.0.0"}
    told["agent_tool_services"] = ("cases",)
    assert settings.model_dump() == {**plain, **told}


def as_written(name: str, monkeypatch: pytest.MonkeyPatch) -> BaseSettings:
    """The settings of a service when nobody sets a variable and no secret is there."""
    for variable, written in SERVICES[name]["environment"].items():
        monkeypatch.setenv(variable, default_of(str(written)))
    monkeypatch.delenv(SECRETS_DIR)
    return settings_of(name)()


def targets(name: str) -> set[str]:
    """The names under which a container sees its secrets."""
    return {secret["target"] if isinstance(secret, dict) else secret for secret in SERVICES[name]["secrets"]}


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
    installed = [line for line in lines if "uv pip install" in line]
    assert [line.split()[-1] for line in installed] == [f"./services/{name}"]
    assert lines[-2:] == ["USER lovsvar", f'CMD ["lovsvar-{name}"]']


def test_the_open_doors_are_the_gateway_and_grafana_on_this_machine() -> None:
    assert {name: service["ports"] for name, service in SERVICES.items() if "ports" in service} == {
        "gateway": ["${LOVSVAR_PUBLISH:-127.0.0.1:8080}:8080"],
        "grafana": ["${LOVSVAR_GRAFANA_PUBLISH:-127.0.0.1:3000}:3000"],
    }


def test_the_gateway_starts_with_keys_from_a_folder_that_it_can_only_read(monkeypatch: pytest.MonkeyPatch) -> None:
    gateway = SERVICES["gateway"]
    assert gateway["volumes"] == ["${LOVSVAR_SECRETS:-./secrets}/keys:/keys:ro"]
    settings = as_written("gateway", monkeypatch).model_dump()
    assert (settings["without_keys"], settings["api_keys_file"], settings["cors_origins"]) == (
        False,
        Path("/keys/keys.json"),
        (),
    )
    assert (settings["audit"], settings["audit_days"], settings["audit_secret"]) == ("on", 90, None)
    assert "LOVSVAR_AUDIT_SECRET" in targets("gateway")


WRITTEN_BY_PEOPLE = re.compile(r"(\$\{LOVSVAR_\w+:-)?\./")


def test_what_is_stored_outlives_its_container() -> None:
    volumes = {volume for service in SERVICES.values() for volume in service.get("volumes", ())}
    mounted = {volume.split(":")[0] for volume in volumes if not WRITTEN_BY_PEOPLE.match(volume)}
    assert mounted == set(COMPOSE["volumes"]) == {"nats", "postgres", "index", "prometheus", "grafana"}


@EACH
def test_a_container_has_no_rights_but_a_plain_process_own(name: str) -> None:
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert "cap_add" not in service
    assert "privileged" not in service
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert not any("docker.sock" in volume for volume in service.get("volumes", ()))


@EACH
def test_a_container_has_its_limits(name: str) -> None:
    service = SERVICES[name]
    assert re.fullmatch(r"\d+[mg]", service["mem_limit"])
    assert 0 < service["cpus"] <= 2
    assert 0 < service["pids_limit"] <= 256
    assert service["logging"]["options"].keys() == {"max-size", "max-file"}
    assert all("size=" in mount for mount in service.get("tmpfs", ()))


@EACH
def test_no_container_runs_as_root(name: str) -> None:
    service = SERVICES[name]
    if "build" not in service:
        assert service["user"] in {"postgres", "65534:65534", "472:0"}
        return
    build = service["build"]
    dockerfile = ROOT / build["context"] / build.get("dockerfile", "Dockerfile")
    users = [line for line in dockerfile.read_text(encoding="utf-8").splitlines() if line.startswith("USER ")]
    assert users in (["USER lovsvar"], ["USER 10001:10001"])


def test_every_folder_that_is_copied_into_an_image_of_the_servers_holds_no_secret() -> None:
    dockerfile = (ROOT / "deploy" / "nats" / "Dockerfile").read_text(encoding="utf-8")
    assert [line for line in dockerfile.splitlines() if line.startswith("COPY")] == [
        "COPY nats.conf /etc/nats/nats.conf"
    ]


def test_what_nats_allows_is_what_the_table_says() -> None:
    said = (ROOT / "deploy" / "nats" / "nats.conf").read_text(encoding="utf-8")
    assert said == configuration(), "run `python -m lovsvar_local.nats_permissions > deploy/nats/nats.conf`"


def test_there_is_no_password_in_it_and_no_default_one() -> None:
    text = (ROOT / "docker-compose.yml").read_text(encoding="utf-8")
    assert not re.search(r"://[^/@\s]+:[^/@\s]+@", text)
    for service in SERVICES.values():
        for name, value in service.get("environment", {}).items():
            secret = re.search(r"PASSWORD|SECRET|(?<!MODEL_)SEED|API_KEY$", name)
            assert not secret or name.endswith(("_FILE", "_DIR")), value


def test_every_secret_is_made_by_setup_and_given_to_those_alone_who_use_it(tmp_path: Path) -> None:
    make_secrets(tmp_path)
    used: dict[str, set[str]] = {}
    for name, service in SERVICES.items():
        for secret in service.get("secrets", ()):
            used.setdefault(secret["source"] if isinstance(secret, dict) else secret, set()).add(name)
    files = {name: secret["file"].rpartition("/")[2] for name, secret in COMPOSE["secrets"].items()}
    assert used.keys() == files.keys()
    assert all((tmp_path / file).is_file() for file in files.values())
    elsewhere = {"audit": "gateway", "audit_operator": "operator"}
    for user in (user.name for user in users() if user.name != "client"):
        assert used[f"nats_{user}"] == {elsewhere.get(user, user)}
    assert used["postgres_ingest"] == {"postgres", "ingest", "embedding"}
    assert used["postgres_search"] == {"postgres", "search"}
    assert used["postgres_cases"] == used["postgres_sql"] == {"postgres", "cases"}
    assert used["cases_master_key"] == used["cases_webhook_secret"] == {"cases"}
    assert used["postgres_superuser"] == {"postgres", "operator"}
    assert used["grafana_admin"] == {"grafana"}
    assert used["openai_api_key"] == {"embedding", "search", "agent"}
    assert used["serper_api_key"] == {"practice"}


@EACH_OF_OURS
def test_a_secret_is_a_setting_of_its_service(name: str) -> None:
    assert targets(name) - {"ca.pem"} <= variables(settings_of(name))
    assert SERVICES[name]["environment"][SECRETS_DIR] == "/run/secrets"


@EACH_OF_OURS
def test_ingest_alone_makes_streams(name: str) -> None:
    assert SERVICES[name]["environment"]["LOVSVAR_DECLARE_STREAMS"] == str(name == "ingest").lower()


def test_who_needs_no_internet_has_none() -> None:
    networks = COMPOSE["networks"]
    internal = {name for name, network in networks.items() if network and network.get("internal")}
    assert internal == {"messages", "data", "watching"}
    reached = {name: set(service["networks"]) for name, service in SERVICES.items()}
    assert {name for name, of in reached.items() if "internet" in of} == {"ingest", "practice", "agent"}
    assert {name for name, of in reached.items() if "front" in of} == {"gateway", "grafana"}
    assert {name for name, of in reached.items() if "data" in of} == {
        "postgres", "ingest", "embedding", "search", "cases", "operator",
    }  # fmt: skip
    assert reached["nats"] == {"messages"}
    assert reached["postgres"] == {"data"}


def test_those_who_embed_by_another_model_reach_it() -> None:
    over = yaml.safe_load((ROOT / "deploy" / "openai-embedding.yml").read_text(encoding="utf-8"))["services"]
    assert {name: set(service["networks"]) for name, service in over.items()} == {
        name: {*SERVICES[name]["networks"], "internet"} for name in ("embedding", "search")
    }


def test_the_law_is_brought_up_to_date_every_night(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = as_written("ingest", monkeypatch)
    assert settings.model_dump()["sync_at"] == "03:30"


def test_how_many_of_each_run_can_be_said() -> None:
    replicas = {name: service["deploy"]["replicas"] for name, service in SERVICES.items() if "deploy" in service}
    assert replicas == {
        "embedding": "${LOVSVAR_EMBEDDING_REPLICAS:-1}",
        "search": "${LOVSVAR_SEARCH_REPLICAS:-2}",
        "practice": "${LOVSVAR_PRACTICE_REPLICAS:-1}",
        "cases": "${LOVSVAR_CASES_REPLICAS:-1}",
        "agent": "${LOVSVAR_AGENT_REPLICAS:-1}",
    }


def test_the_logins_are_made_by_the_image_of_postgresql() -> None:
    volumes = SERVICES["postgres"]["volumes"]
    assert "./deploy/postgres/logins.sql:/docker-entrypoint-initdb.d/10-logins.sql:ro" in volumes
    script = (ROOT / "deploy" / "postgres" / "logins.sql").read_text(encoding="utf-8")
    for variable in re.findall(r"\$(\w+_FILE)", script):
        assert Path(SERVICES["postgres"]["environment"][variable]).name in SERVICES["postgres"]["secrets"]
