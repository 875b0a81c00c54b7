"""The pages of a gateway that wants a key: a browser asks its reader for it once, as a password."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from lovsvar_gateway.adapters.key_file import write_keys
from lovsvar_gateway.core.access import KeyRing, Limits, Scope, new_key
from lovsvar_testkit.processes import ServiceProcess, System, free_port

QUESTION = "Hvor mye kan utleier kreve i depositum?"


@pytest.fixture(scope="module")
def guarded(system: System, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, dict[str, str]]]:
    """A second gateway, which wants a key: its address, and the secrets of two keys by name."""
    system.wait_ready(path="/readyz")
    folder = tmp_path_factory.mktemp("guarded")
    made = {name: new_key(name, (Scope.ASK, Scope.READ), Limits()) for name in ("kari", "ola")}
    write_keys(folder / "keys.json", KeyRing(keys=tuple(key for _, key in made.values())))
    port = free_port()
    environment = {
        **system.services["gateway"].environment,
        "LOVSVAR_PORT": str(port),
        "LOVSVAR_API_KEYS_FILE": str(folder / "keys.json"),
    }
    gateway = ServiceProcess("gateway", environment, folder / "gateway.log")
    gateway.start()
    door = System(f"http://127.0.0.1:{port}", system.nats_url, system.database_url, {"gateway": gateway})
    try:
        door.wait_ready()
        yield door.url, {name: secret for name, (secret, _) in made.items()}
    finally:
        gateway.stop()


def test_with_a_key_one_asks_follows_and_reads_and_nobody_else_sees_it(
    browser: Browser, guarded: tuple[str, dict[str, str]]
) -> None:
    url, secrets = guarded
    page = browser.new_context(http_credentials={"username": "kari", "password": secrets["kari"]}).new_page()
    page.goto(url)
    page.get_by_label("Spørsmålet ditt").fill(QUESTION)
    page.keyboard.press("Enter")
    expect(page.locator(".answer a.cite").first).to_be_visible(timeout=20_000)
    expect(page.locator("#steps")).to_contain_text("Søkte i lover og forskrifter")
    page.locator("a.cite").first.click()
    expect(page.get_by_role("dialog").locator("mark")).to_be_visible()

    other = browser.new_context(http_credentials={"username": "ola", "password": secrets["ola"]}).new_page()
    answer = other.goto(page.url)
    assert answer is not None and answer.status == 404
    expect(other.get_by_role("alert")).to_contain_text("finnes ikke lenger")
    for context in browser.contexts:
        context.close()


def test_without_a_key_nothing_is_shown(browser: Browser, guarded: tuple[str, dict[str, str]]) -> None:
    url, _ = guarded
    page = browser.new_context(http_credentials={"username": "x", "password": "wrong"}).new_page()
    answer = page.goto(url)
    assert answer is not None and answer.status == 401
    expect(page.get_by_role("textbox")).to_have_count(0)
    page.context.close()
