"""The pages of cases where a key is wanted: the browser asks for it, and another key finds nothing."""

import base64
import os
from collections.abc import Iterator

import httpx2
import pytest
from playwright.sync_api import Browser, expect

from lovsvar_gateway.adapters.key_file import write_keys
from lovsvar_gateway.core.access import KeyRing, Limits, Scope, new_key
from lovsvar_testkit.processes import System, running_system

PAGES = ("", "/opplysninger", "/parter", "/dokumenter", "/rettskilder", "/utkast", "/utkast/ny", "/historikk", "/mer")
READ_ALONE = ("/utkast", "/historikk")
SCOPES = {"kari": [Scope.CASES], "eva": [Scope.CASES], "ola": [Scope.ASK, Scope.READ]}


@pytest.fixture(scope="module")
def secrets(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[System, dict[str, str]]]:
    """A system that wants keys, and their secrets: two that may work on cases, one that may not."""
    folder = tmp_path_factory.mktemp("case-keys")
    made = {name: new_key(name, scopes, Limits(per_minute=10_000)) for name, scopes in SCOPES.items()}
    write_keys(folder / "keys.json", KeyRing(keys=tuple(key for _, key in made.values())))
    environment = {
        "LOVSVAR_API_KEYS_FILE": str(folder / "keys.json"),
        "LOVSVAR_CASES_MASTER_KEY": base64.b64encode(os.urandom(32)).decode(),
    }
    with running_system(folder, environment) as system:
        yield system, {name: secret for name, (secret, _) in made.items()}


def test_a_case_is_opened_with_a_key_and_another_key_finds_no_page_of_it(
    browser: Browser, secrets: tuple[System, dict[str, str]]
) -> None:
    system, keys = secrets
    context = browser.new_context(
        base_url=system.url, http_credentials={"username": "x", "password": keys["kari"]}, locale="nb-NO"
    )
    context.set_default_timeout(30_000)
    page = context.new_page()
    page.goto("/saker")
    page.get_by_label("Tittel").fill("Hemmelig depositum")
    page.get_by_role("button", name="Opprett sak").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Hemmelig depositum")
    case = page.url.removeprefix(system.url).partition("#")[0]
    page.goto(f"{case}/mer")
    expect(page.get_by_role("row").nth(1)).to_contain_text("kari")
    context.close()
    with httpx2.Client(base_url=system.url, headers={"Accept": "text/html"}, timeout=60) as client:
        for name, status in (("eva", 404), ("ola", 403), ("", 401)):
            auth = {"Authorization": f"Bearer {keys[name]}"} if name else {}
            for path in PAGES:
                for method in ("GET", "POST"):
                    if method == "POST" and path in READ_ALONE:
                        continue
                    answer = client.request(method, f"{case}{path}", headers=auth, data={"do": "add", "message": "x"})
                    assert answer.status_code == status, (name, method, path, answer.text)
                    assert "Hemmelig" not in answer.text
        assert "Hemmelig" not in client.get("/saker", headers={"Authorization": f"Bearer {keys['eva']}"}).text
