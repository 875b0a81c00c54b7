"""The search page in a browser."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

Open = Callable[..., Page]
Keep = Callable[[Page, str], None]


def search(page: Page, words: str) -> None:
    page.get_by_label("Søkeord, spørsmål eller henvisning").fill(words)
    page.get_by_role("button", name="Søk").click()


def test_hits_show_where_their_words_stand_and_lead_there(open_page: Open, keep: Keep) -> None:
    page = open_page("/sok")
    search(page, "depositum")
    first = page.locator(".hits > li").first
    expect(first.locator("mark").first).to_have_text(re.compile("depositum", re.IGNORECASE))
    expect(first).to_contain_text("Eksempel-husleieloven")
    expect(first.locator(".badge").first).to_have_text("I kraft")
    keep(page, "search")
    first.get_by_role("link").first.click()
    expect(page.locator("article:target")).to_be_in_viewport()
    page.go_back()
    expect(page.get_by_label("Søkeord, spørsmål eller henvisning")).to_have_value("depositum")


def test_hits_are_narrowed_by_filters_and_stand_on_pages(open_page: Open) -> None:
    page = open_page("/sok?q=leie")
    expect(page.locator(".hits > li")).to_have_count(10)
    page.get_by_role("link", name="Neste").click()
    expect(page.locator(".pages")).to_contain_text("2 /")
    expect(page.locator(".hits")).to_have_attribute("start", "11")
    page.get_by_label("Type").select_option("forskrift")
    page.get_by_role("button", name="Søk").click()
    expect(page.locator(".hits > li").first).to_contain_text("Forskrift")
    expect(page.locator(".hits > li").filter(has_not_text="Forskrift")).to_have_count(0)


def test_names_of_acts_are_completed_and_keep_the_search_to_that_act(open_page: Open) -> None:
    page = open_page("/sok")
    page.get_by_label("I loven").press_sequentially("arbeids")
    option = page.locator("#acts option").first
    expect(option).to_have_attribute("value", "Eksempel-arbeidsloven")
    page.get_by_label("I loven").fill("Eksempel-arbeidsloven")
    search(page, "frist")
    expect(page.locator(".hits > li").first).to_contain_text("Eksempel-arbeidsloven")
    expect(page.locator(".hits > li").filter(has_not_text="Eksempel-arbeidsloven")).to_have_count(0)


def test_an_act_that_nobody_knows_is_told_of(open_page: Open) -> None:
    page = open_page("/sok?q=frist&act=tulleloven")
    expect(page.locator(".notice")).to_contain_text("Fant ingen lov som heter «tulleloven»")


def test_a_written_reference_leads_to_its_provision(open_page: Open) -> None:
    page = open_page("/sok?q=eks-husll § 3-2")
    page.locator(".named").get_by_role("link").first.click()
    expect(page.locator("article:target")).to_have_id("§3-2")


def test_words_that_nothing_has_are_answered_with_what_to_do(open_page: Open, keep: Keep) -> None:
    page = open_page("/sok?q=xylofonkvadrant")
    expect(page.locator("main")).to_contain_text("Ingen treff på «xylofonkvadrant»")
    keep(page, "search-nothing")
    page.get_by_role("link", name="Still det som spørsmål").click()
    expect(page.get_by_label("Spørsmålet ditt")).to_have_value("xylofonkvadrant")


def test_searching_works_without_scripts(open_page: Open) -> None:
    page = open_page("/sok", java_script_enabled=False)
    page.get_by_label("I loven").fill("eks-husll")
    search(page, "depositum")
    expect(page.locator(".hits mark").first).to_be_visible()
    expect(page.locator(".hits > li").filter(has_not_text="Eksempel-husleieloven")).to_have_count(0)
