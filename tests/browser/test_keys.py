"""The pages of a gateway that wants a key: a browser asks its reader for it once, as a password."""

from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from playwright.sync_api import Browser, expect

from lovsvar_gateway.adapters.key_file import read_keys, write_keys
from lovsvar_gateway.core.access import KeyRing, Limits, Scope, new_key
from lovsvar_testkit.processes import ServiceProcess, System, free_port

Guarded = tuple[str, dict[str, str], Path]

QUESTION = "Hvor mye kan utleier kreve i depositum?"


@pytest.fixture(scope="module")
def guarded(system: System, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guarded]:
    """A second gateway, which wants a key: its address, the secrets of its keys by name, and their file."""
    system.wait_ready(path="/readyz")
    folder = tmp_path_factory.mktemp("guarded")
    made = {name: new_key(name, (Scope.ASK, Scope.READ), Limits()) for name in ("kari", "ola", "siri")}
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
        yield door.url, {name: secret for name, (secret, _) in made.items()}, folder / "keys.json"
    finally:
        gateway.stop()


def test_with_a_key_one_asks_follows_and_reads_and_nobody_else_sees_it(browser: Browser, guarded: Guarded) -> None:
    url, secrets, _ = guarded
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


def test_without_a_key_nothing_is_shown(browser: Browser, guarded: Guarded) -> None:
    url, *_ = guarded
    page = browser.new_context(http_credentials={"username": "x", "password": "wrong"}).new_page()
    answer = page.goto(url)
    assert answer is not None and answer.status == 401
    expect(page.get_by_role("textbox")).to_have_count(0)
    page.context.close()


def test_a_key_that_is_taken_back_while_its_question_is_answered_is_asked_for_again(
    browser: Browser, guarded: Guarded, system: System
) -> None:
    url, secrets, file = guarded
    page = browser.new_context(http_credentials={"username": "siri", "password": secrets["siri"]}).new_page()
    page.goto(url)
    page.get_by_label("Spørsmålet ditt").fill("Hvor mye kan utleieren kreve når nøkkelen blir tatt tilbake?")
    page.keyboard.press("Enter")
    expect(page.locator("#draft-text")).to_contain_text("Utleieren kan kreve")
    write_keys(file, KeyRing(keys=tuple(key for key in read_keys(file).keys if key.name != "siri")))
    expect(page.get_by_role("heading", level=1)).to_have_text("Nøkkel kreves")
    expect(page.locator("#run")).to_have_count(0)
    httpx2.delete(f"{system.url}/v1/questions/{page.url.rpartition('=')[2]}").raise_for_status()
    page.context.close()
