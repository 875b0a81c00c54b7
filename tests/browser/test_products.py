"""Offers in a browser: the page of them, and what stands beside an answer."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx2
import pytest
from playwright.sync_api import Page, expect

from lovsvar_testkit import sse
from lovsvar_testkit.processes import System, running_system

Open = Callable[..., Page]
Keep = Callable[[Page, str], None]

ARBEIDSHULP = Path(__file__).parents[2] / "examples" / "catalogues" / "arbeidshulp"
ASKED = "Welke interventies zijn er voor burn-out?"


@pytest.fixture(scope="module")
def system(tmp_path_factory: pytest.TempPathFactory) -> Iterator[System]:
    """All services with the sample corpus and a catalogue, without a model."""
    folder = tmp_path_factory.mktemp("products")
    with running_system(folder, {"LOVSVAR_CATALOGUES": str(ARBEIDSHULP)}) as system:
        with httpx2.Client(base_url=system.url, timeout=60) as client:
            for dataset in ("eksempel", "katalog-arbeidshulp"):
                sync = client.post("/v1/ingest", json={"dataset": dataset}).json()["syncs"][0]
                *_, last = sse.events(client, f"/v1/ingest/{sync['sync_id']}/events")
                assert last["type"] == "sync.completed", last
        system.wait_ready(path="/readyz")
        system.wait_until(lambda reply: bool(reply.json().get("catalogues")), "/v1/catalogues", 60)
        yield system


def test_offers_are_searched_by_keyboard_without_scripts_on_a_phone(
    open_page: Open, keep: Keep, barriers: Callable[[Page], list[str]]
) -> None:
    phone = {"java_script_enabled": False, "viewport": {"width": 360, "height": 740}}
    page = open_page("/tilbud", **phone)
    expect(page.get_by_label("Hva trenger du hjelp til?")).to_be_focused()
    expect(page.locator(".catalogues")).to_contain_text("Arbeidshulp")
    page.keyboard.type("burn-out begeleiding")
    page.keyboard.press("Enter")
    first = page.locator(".hits > li").first
    expect(first).to_have_attribute("lang", "nl")
    expect(first.locator(".badge")).to_have_text("oppdiktet eksempel")
    expect(first.get_by_role("link")).to_have_attribute("href", re.compile(r"https://www\.arbeidshulp\.example/"))
    expect(page.get_by_label("Hva trenger du hjelp til?")).to_have_value("burn-out begeleiding")
    keep(page, "offers-phone")


def test_the_page_of_offers_keeps_nobody_out_and_fits_a_phone(
    open_page: Open, keep: Keep, barriers: Callable[[Page], list[str]]
) -> None:
    for number, address in enumerate(("/tilbud", "/tilbud?q=burn-out", "/tilbud?q=xylofonkvadrant&lang=nn")):
        page = open_page(address, viewport={"width": 360, "height": 740})
        assert barriers(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
        keep(page, f"offers-{number}")


def test_filters_narrow_and_what_is_no_price_is_named(open_page: Open) -> None:
    page = open_page("/tilbud?q=burn-out")
    page.get_by_label("Katalog").select_option("arbeidshulp")
    page.get_by_label("Pris til").fill("300")
    page.get_by_role("button", name="Søk").click()
    expect(page).to_have_url(re.compile("catalogue=arbeidshulp"))
    found = page.locator(".hits > li").count()
    page.get_by_label("Pris til").fill("billig")
    page.get_by_role("button", name="Søk").click()
    expect(page.get_by_role("alert")).to_contain_text("«billig» er ikke en pris")
    assert page.locator(".hits > li").count() >= found


@pytest.mark.parametrize(("language", "title"), [("nn", "Tilbod som kan hjelpe"), ("en", "Services that may help")])
def test_the_page_of_offers_is_in_three_languages(open_page: Open, language: str, title: str) -> None:
    page = open_page(f"/tilbud?lang={language}")
    expect(page.get_by_role("heading", level=1)).to_have_text(title)


def test_what_is_recommended_stands_apart_from_the_answer(
    open_page: Open, keep: Keep, barriers: Callable[[Page], list[str]]
) -> None:
    page = open_page("/")
    page.get_by_role("textbox").first.fill(ASKED)
    page.keyboard.press("Control+Enter")
    offers = page.locator(".offers")
    expect(offers.locator("h3")).to_have_text("Aanbod dat kan helpen")
    expect(offers).to_have_attribute("lang", "nl")
    expect(offers).to_contain_text("Het hoort niet bij het juridische antwoord.")
    assert 1 <= offers.locator("li").count() <= 3
    expect(offers.locator("li").first.get_by_role("link")).to_have_attribute(
        "href", re.compile(r"https://www\.arbeidshulp\.example/")
    )
    expect(page.locator(".text .offers")).to_have_count(0)
    assert barriers(page) == []
    keep(page, "offers-answer")
