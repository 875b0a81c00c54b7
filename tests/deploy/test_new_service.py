"""A new service is its folder: what starts, restricts, documents and watches services finds it by its manifest."""

import json
import shutil
import sys
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from pydantic import ValidationError

from lovsvar_chassis.manifest import (
    AUDIT_BYTES,
    FILE,
    MB,
    STORAGE_MB,
    NameTaken,
    ServiceManifest,
    all_streams,
    kept_streams,
    manifests,
    processes,
    service_names,
    stream_of,
)
from lovsvar_chassis.streams import _whole_mb
from lovsvar_gateway.app import build
from lovsvar_gateway.settings import Settings as GatewaySettings
from lovsvar_local import asyncapi, services_file
from lovsvar_local.children import service_command
from lovsvar_local.commands.session import setup
from lovsvar_local.nats_permissions import configuration, users

FOLDER = Path(__file__).parent / "new_service"
ROOT = Path(__file__).parents[2]


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The notices service is installed beside the others."""
    monkeypatch.syspath_prepend(str(FOLDER))
    manifests.cache_clear()
    yield
    manifests.cache_clear()
    for name in [name for name in sys.modules if name.startswith("lovsvar_notices")]:
        del sys.modules[name]


def test_without_it_the_services_start_in_their_order() -> None:
    assert service_names() == ("ingest", "search", "practice", "cases", "agent", "gateway")
    assert tuple(processes()) == ("ingest", "embedding", "search", "practice", "cases", "agent", "gateway")


def test_the_command_is_installed_with_every_folder_of_services() -> None:
    folders = {file.parent.name for file in ROOT.glob("services/*/pyproject.toml")}
    required = {Requirement(line).name for line in distribution("lovsvar-local").requires or ()}
    assert {f"lovsvar-{folder}" for folder in folders} <= required
    assert folders == set(service_names())


@pytest.mark.usefixtures("installed")
def test_the_launcher_starts_it_before_the_gateway() -> None:
    assert setup("ask", None).services[-3:] == ("agent", "notices", "gateway")
    assert "from lovsvar_notices.app import main" in service_command("notices", {}, Path("log")).arguments[-1]


@pytest.mark.usefixtures("installed")
def test_its_stream_is_declared_with_the_others_which_give_room() -> None:
    assert "NOTICES" in {stream.name for stream in all_streams()}
    assert stream_of("lovsvar.notice.posted") == "NOTICES"
    whole = _whole_mb(all_streams())
    shares = [share * STORAGE_MB // whole for share in (AUDIT_BYTES, *(one.max_bytes for one in kept_streams()))]
    assert sum(shares) <= STORAGE_MB * MB


def test_the_shares_of_the_streams_add_up() -> None:
    assert (AUDIT_BYTES + sum(stream.max_bytes for stream in all_streams())) // MB == STORAGE_MB


def test_a_subject_that_no_stream_keeps_has_none() -> None:
    with pytest.raises(KeyError):
        stream_of("lovsvar.notice.posted")


@pytest.mark.usefixtures("installed")
def test_it_is_a_user_of_nats_who_may_do_what_its_manifest_says_and_ingest_declares_its_stream() -> None:
    permissions = {user.name: user for user in users()}
    assert set(permissions["notices"].publish) == {
        "lovsvar.notice.posted",
        "lovsvar.health.notices.*",
        "$JS.API.STREAM.MSG.GET.NOTICES",
        "$JS.API.DIRECT.GET.NOTICES",
        "$JS.API.DIRECT.GET.NOTICES.>",
    }
    assert set(permissions["notices"].subscribe) == {
        "lovsvar.notice.read",
        "lovsvar.health.notices",
        "lovsvar.health.notices.*",
        "_INBOX.notices.>",
    }
    declaring = {user.name for user in users() if "$JS.API.STREAM.UPDATE.NOTICES" in user.publish}
    assert declaring == {"ingest"}
    assert "nkey: $NKEY_NOTICES" in configuration()


@pytest.mark.usefixtures("installed")
def test_it_is_in_the_asyncapi_document() -> None:
    channels = json.loads(asyncapi.written())["channels"]
    assert channels["notice_posted"]["description"] == "A notice was posted. Kept in the stream NOTICES."
    assert channels["notice_read_reply"]["messages"].keys() == {"Notices", "Problem"}


@pytest.mark.usefixtures("installed")
def test_the_gateway_watches_it_by_the_file_where_it_is_not_installed_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "services.json"
    file.write_text(services_file.written(), encoding="utf-8")
    monkeypatch.setenv("LOVSVAR_SERVICES_FILE", str(file))
    sys.path.remove(str(FOLDER))
    manifests.cache_clear()
    assert "notices" not in service_names()
    _, parts = build(GatewaySettings())
    states = dict.fromkeys(("ingest", "search", "practice", "cases", "agent", "notices", "gateway"), "down")
    assert parts.services.missing(states) == ["search", "agent", "gateway"]
    assert list(parts.services.watched) == list(states)
    assert "NOTICES" in {stream.name for stream in all_streams(file)}


@pytest.mark.usefixtures("installed")
def test_two_of_one_name_are_refused_and_both_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "lovsvar_copy").mkdir()
    source = (FOLDER / "lovsvar_notices" / "manifest.py").read_text(encoding="utf-8")
    (tmp_path / "lovsvar_copy" / "manifest.py").write_text(source.replace('"lovsvar_notices"', '"lovsvar_copy"'))
    info = shutil.copytree(FOLDER / "lovsvar_notices-0.1.0.dist-info", tmp_path / "lovsvar_copy-0.1.0.dist-info")
    for name in ("METADATA", "entry_points.txt"):
        text = (info / name).read_text(encoding="utf-8").replace("lovsvar-notices", "lovsvar-copy")
        (info / name).write_text(text.replace("lovsvar_notices", "lovsvar_copy"), encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(NameTaken, match=r"'notices': of lovsvar_(copy|notices) and of lovsvar_(copy|notices)$"):
        manifests()


def test_the_file_for_containers_holds_what_the_manifests_say() -> None:
    file = ROOT / "deploy" / "services.json"
    assert file.read_text(encoding="utf-8") == services_file.written(), (
        "run `python -m lovsvar_local.services_file > deploy/services.json`"
    )
    assert FILE.validate_json(file.read_bytes()) == manifests() == manifests(file)
    for name in service_names():
        image = (ROOT / "services" / name / "Dockerfile").read_text(encoding="utf-8")
        assert "COPY deploy/services.json /etc/lovsvar/services.json" in image
        assert "LOVSVAR_SERVICES_FILE=/etc/lovsvar/services.json" in image


def test_a_field_that_a_manifest_does_not_have_is_an_error() -> None:
    with pytest.raises(ValidationError, match="publish"):
        ServiceManifest.model_validate({"name": "notices", "package": "lovsvar_notices", "publish": ["lovsvar.>"]})


def test_one_service_alone_may_declare_streams() -> None:
    assert [process.name for process in processes().values() if process.declares_streams] == ["ingest"]


def test_every_login_of_a_manifest_is_made() -> None:
    logins = {process.login for process in processes().values() if process.login}
    script = (ROOT / "deploy" / "postgres" / "logins.sql").read_text(encoding="utf-8")
    assert logins
    assert all(f"ALTER ROLE {login} LOGIN" in script for login in logins)
