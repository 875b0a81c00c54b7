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


def test_an_abbreviation_is_completed_in_the_search_field_and_finds_the_act_itself(open_page: Open) -> None:
    page = open_page("/sok")
    page.get_by_label("Søkeord, spørsmål eller henvisning").press_sequentially("eks-hus")
    option = page.locator("#names option").first
    expect(option).to_have_attribute("value", "Eksempel-husleieloven")
    search(page, "eks-husll")
    act = page.locator(".acts")
    expect(act.locator("h2")).to_have_text(re.compile("Eksempel-husleieloven"))
    expect(act.locator(".badge")).to_have_text("I kraft")
    act.get_by_role("link").first.click()
    expect(page).to_have_url(re.compile("/lov/2999-01-01-1$"))


def test_counts_narrow_the_search_to_what_they_say_and_are_removed_again(open_page: Open) -> None:
    page = open_page("/sok?q=leie", java_script_enabled=False)
    everything = page.get_by_role("status").inner_text()
    kind = page.locator(".facets a", has_text="Forskrift")
    count = kind.locator(".count").inner_text()
    kind.click()
    expect(page.get_by_role("status")).to_contain_text(re.compile(rf"\b{count}\b|Ett treff"))
    expect(page.get_by_role("status")).to_contain_text("Søkt bare i: forskrift")
    expect(page.locator(".hits > li").filter(has_not_text="Forskrift")).to_have_count(0)
    page.get_by_text("Departement", exact=True).last.click()
    page.locator(".facet[open] a").first.click()
    expect(page.locator(".chip")).to_have_count(2)
    for _ in range(2):
        page.locator(".chip").first.click()
    assert page.get_by_role("status").inner_text().partition(" treff")[0] == everything.partition(" treff")[0]


def test_a_page_after_the_last_leads_back(open_page: Open) -> None:
    page = open_page("/sok?q=leie&page=500")
    expect(page.get_by_role("status")).to_contain_text("Side 500 finnes ikke.")
    page.get_by_role("link", name="Til siste side").click()
    expect(page.locator(".hits > li").first).to_be_visible()
    expect(page.get_by_role("link", name="Neste")).to_have_count(0)


def test_a_filter_that_cannot_be_used_is_told_of(open_page: Open) -> None:
    page = open_page("/sok?q=leie&year=99")
    expect(page.get_by_role("alert")).to_contain_text("«99» er ikke et årstall")
    expect(page.locator(".hits > li").first).to_be_visible()


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
