"""How the pages look and whom they let in: narrow, wide, dark, on paper; axe-core finds nothing serious."""

from collections.abc import Callable
from typing import Literal

import httpx2
import pytest
from playwright.sync_api import Page, ViewportSize, expect

from lovsvar_testkit import sse
from lovsvar_testkit.processes import System

Open = Callable[..., Page]
Keep = Callable[[Page, str], None]
Barriers = Callable[[Page], list[str]]

DOUBTFUL = "Hvor lenge kan en arbeidstaker være midlertidig ansatt?"
NARROW: ViewportSize = {"width": 360, "height": 740}
LOOKS: dict[str, tuple[ViewportSize, Literal["light", "dark"]]] = {
    "narrowest": ({"width": 320, "height": 640}, "light"),
    "narrow": (NARROW, "light"),
    "wide": ({"width": 1920, "height": 1080}, "light"),
    "dark": ({"width": 1100, "height": 850}, "dark"),
    "narrow-dark": (NARROW, "dark"),
}
TRIED = ("narrow", "dark")
"""The looks in which pages are tried in turn: both layouts, both schemes of colours. The slow variant tries all."""
PAGES = {
    "ask": "/",
    "answer": "/?run={run}",
    "whole": "/?run={whole}",
    "gone": "/sok?q=a&act=tulleloven",
    "search": "/sok?q=depositum leie",
    "search-act": "/sok?q=eks-husll&in_force=1",
    "search-refused": "/sok?q=xylofonkvadrant&year=99&ministry=tull&page=9",
    "viewer": "/lov/2999-01-01-1?paragraf=§3-2&sitat=fire måneders leie#§3-2",
    "not-in-force": "/lov/2999-05-05-5",
    "table": "/forskrift/2999-02-01-2",
    "browse": "/lov",
    "citations": "/henvisninger?dokument=lov/2999-01-01-1",
    "english": "/?lang=en",
    "saved": "/lagret/{saved}",
    "saved-list": "/lagret",
    "search-form": "/sok",
    "search-years": "/sok?q=leie&year_from=2990&year_to=2999",
    "viewer-find": "/lov/2999-01-01-1?finn=depositum",
    "viewer-english": "/lov/2999-01-01-1?lang=en#§6-4",
    "regulations": "/forskrift?bokstav=E",
    "offers": "/tilbud",
    "thread": "/?run={follow_up}",
}
MAIN = ("ask", "answer", "whole", "saved", "search", "search-act", "viewer", "table", "browse", "citations")
"""The ten main views: their screenshots in every look are what somebody looks at before a release."""


@pytest.fixture(scope="module")
def run(system: System) -> str:
    """A run with everything that an answer may have."""
    system.wait_ready(path="/readyz")
    with httpx2.Client(base_url=system.url, timeout=60) as client:
        run = str(client.post("/v1/questions", json={"question": DOUBTFUL}).json()["run_id"])
        list(sse.events(client, f"/v1/questions/{run}/events"))
    return run


@pytest.fixture(scope="module")
def runs(system: System, run: str, whole: str) -> dict[str, str]:
    """The runs that addresses of `PAGES` name: answers, a saved one, and one that follows another up."""
    system.wait_ready(path="/readyz")
    with httpx2.Client(base_url=system.url, timeout=60) as client:
        assert client.post(f"/v1/questions/{whole}/saved").status_code == 201
        asked = {"question": DOUBTFUL, "follows": whole}
        follow_up = str(client.post("/v1/questions", json=asked).json()["run_id"])
        list(sse.events(client, f"/v1/questions/{follow_up}/events"))
    return {"run": run, "whole": whole, "saved": whole, "follow_up": follow_up}


def test_twenty_views_are_tried_and_ten_of_them_are_the_main_ones() -> None:
    assert len(set(PAGES.values())) >= 20
    assert len(set(MAIN)) == 10
    assert set(MAIN) <= set(PAGES)


@pytest.mark.parametrize(
    ("name", "tried"),
    [
        *((name, TRIED[number % 2 :][:1]) for number, name in enumerate(PAGES)),
        *(pytest.param(name, tuple(LOOKS), marks=pytest.mark.slow) for name in PAGES),
    ],
)
def test_a_page_fits_in_any_look_and_shuts_nobody_out(
    name: str, tried: tuple[str, ...], runs: dict[str, str], open_page: Open, keep: Keep, barriers: Barriers
) -> None:
    page = open_page(PAGES[name].format(**runs), viewport=NARROW, has_touch=True)
    if name == "answer":
        expect(page.locator("#steps")).to_be_visible()
        for summary in page.locator(".answer summary").all():
            if summary.locator("xpath=..").get_attribute("open") is None:
                summary.click()
        expect(page.locator("details.quote mark").first).to_be_visible()
    for look, (size, colours) in LOOKS.items():
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=colours)
        assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0, look
        if look in tried:
            assert barriers(page) == [], look
        if name in MAIN and look in tried:
            keep(page, f"{look}-{name}")


def test_a_quote_on_a_narrow_screen_stands_at_its_foot(run: str, open_page: Open, barriers: Barriers) -> None:
    page = open_page(f"/?run={run}", viewport=NARROW, has_touch=True)
    page.locator("a.cite").first.tap()
    card = page.get_by_role("dialog")
    expect(card.locator("mark")).to_be_in_viewport()
    box = card.bounding_box()
    assert box and box["x"] == 0 and box["width"] == 360
    assert round(box["y"] + box["height"]) == 740
    assert barriers(page) == []
    page.screenshot(path="artefacts/browser/narrow-quote.png")


def test_paper_has_the_answer_and_every_quote_and_nothing_to_press(run: str, open_page: Open, keep: Keep) -> None:
    page = open_page(f"/?run={run}")
    expect(page.locator("#steps")).to_be_visible()
    page.emulate_media(media="print")
    for hidden in ("#ask", ".menu", ".actions", "#steps", ".languages"):
        expect(page.locator(hidden).first).to_be_hidden()
    expect(page.locator("details.quote blockquote").first).to_be_visible()
    expect(page.locator("details.doubt").first).to_contain_text("i inntil ti år")
    expect(page.locator(".answer .text")).to_be_visible()
    keep(page, "print")
    page.pdf(path="artefacts/browser/answer.pdf", format="A4")


def test_an_answer_begins_with_danger_then_says_how_surely_it_answers_and_what_to_do(
    whole: str, open_page: Open
) -> None:
    page = open_page(f"/?run={whole}")
    expect(page.get_by_role("link", name="112 Politiet")).to_have_attribute("href", "tel:112")
    parts = (
        "Er du i fare nå?",
        "Svarer på spørsmålet",
        "et depositum på",
        "Hva nå?",
        "Kan også være relevant",
        "Kilder",
    )
    tops = [page.get_by_text(part).first.bounding_box() for part in parts]
    assert [box["y"] for box in tops if box] == sorted(box["y"] for box in tops if box)
    expect(page.locator(".quoted mark").first).to_have_text("depositum")
    expect(page.locator("blockquote")).to_have_count(2)
    expect(page.locator(".old")).to_contain_text("mer enn 30 dager gammel")
    page.locator(".situation a.cite").click()
    expect(page.get_by_role("dialog")).to_contain_text("[2]")
    page.keyboard.press("Escape")
    expect(page.get_by_role("link", name="www.htu.no")).to_have_attribute("href", "https://www.htu.no")


def test_a_choice_asks_its_question_as_a_follow_up(whole: str, open_page: Open) -> None:
    page = open_page(f"/?run={whole}", java_script_enabled=False)
    page.get_by_role("button", name="Bolig", exact=True).click()
    expect(page.locator("h1")).to_have_text("Hva om bolig?")
    expect(page.locator(".thread summary")).to_contain_text("Hvor mye kan utleier kreve i depositum?")
    page.get_by_role("button", name="Stopp").click()


def test_paper_has_each_quote_once_with_the_date_and_the_address(whole: str, open_page: Open, keep: Keep) -> None:
    page = open_page(f"/?run={whole}")
    expect(page.locator(".answer")).to_be_visible()
    page.emulate_media(media="print")
    for hidden in (".choices", ".actions", "#ask", "#steps"):
        expect(page.locator(hidden).first).to_be_hidden()
    expect(page.locator(".printed")).to_contain_text(f"?run={whole}")
    assert page.locator("main").inner_text().count("høyst fire måneders leie") == 1
    keep(page, "print-whole")
