"""Reading the law in a browser: the viewer's anchors, links and marks, and what it warns of."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

Open = Callable[..., Page]
Keep = Callable[[Page, str], None]

TENANCY = "/lov/2999-01-01-1"


def test_provisions_and_ledd_have_anchors_that_show_and_mark_them(open_page: Open) -> None:
    page = open_page(f"{TENANCY}#§6-4")
    provision = page.locator("article:target")
    expect(provision).to_have_id("§6-4")
    expect(provision).to_be_in_viewport()
    page.goto(f"{TENANCY}#§3-2/ledd/1")
    expect(page.locator(".ledd:target")).to_be_in_viewport()


def test_contents_stand_at_the_side_and_lead_to_their_provisions(open_page: Open, keep: Keep) -> None:
    page = open_page(TENANCY, viewport={"width": 1300, "height": 800})
    contents = page.get_by_role("navigation", name="Innhold")
    expect(contents.get_by_role("link", name="§ 6-4 Heving")).to_be_visible()
    left, right = contents.bounding_box(), page.locator(".law").bounding_box()
    assert left and right and left["x"] + left["width"] <= right["x"]
    contents.get_by_role("link", name="§ 6-4 Heving").click()
    expect(page.locator("article:target h3")).to_be_in_viewport()
    expect(contents).to_be_in_viewport()
    keep(page, "viewer")


def test_the_contents_follow_what_is_read_and_a_ledd_shows_its_address(open_page: Open) -> None:
    page = open_page(f"{TENANCY}#§6-4", viewport={"width": 1300, "height": 400})
    contents = page.get_by_role("navigation", name="Innhold")
    expect(contents.locator("[aria-current]")).to_have_text("§ 6-4 Heving")
    expect(contents.locator("[aria-current]")).to_be_in_viewport()
    expect(contents.locator("summary")).to_contain_text("Eksempel-husleieloven")
    page.evaluate("scrollTo(0, 0)")
    expect(contents.locator("[aria-current]")).to_contain_text("§ 1-1")
    expect(contents.locator("[aria-current]")).to_be_in_viewport()

    page.locator("[id='§1-1/ledd/1']").hover()
    page.get_by_role("link", name="ledd 1", exact=True).click()
    expect(page.locator(".ledd:target")).to_have_id("§1-1/ledd/1")


def test_the_contents_do_not_move_under_the_hand_that_is_about_to_press(open_page: Open) -> None:
    page = open_page(TENANCY, viewport={"width": 1300, "height": 400})
    contents = page.get_by_role("navigation", name="Innhold")
    contents.get_by_role("link", name="§ 1-2").hover()
    page.locator("article[id='§5-1']").evaluate("article => article.scrollIntoView()")
    expect(contents.locator("[aria-current]")).to_contain_text("§ 5-1")
    assert contents.evaluate("contents => contents.scrollTop") == 0
    page.locator("[id='§5-1/ledd/1']").hover()
    page.locator("article[id='§4-1']").evaluate("article => article.scrollIntoView()")
    expect(contents.locator("[aria-current]")).to_contain_text("§ 4-1")
    expect(contents.locator("[aria-current]")).to_be_in_viewport()


def test_on_a_narrow_screen_the_contents_are_at_hand_and_out_of_the_way(open_page: Open, keep: Keep) -> None:
    page = open_page(f"{TENANCY}#§6-4", viewport={"width": 360, "height": 740}, has_touch=True)
    summary = page.locator(".contents summary")
    expect(summary).to_have_text("Innhold Eksempel-husleieloven § 6-4")
    expect(summary).to_be_in_viewport()
    expect(page.locator("article:target h3")).to_be_in_viewport()
    heading, bar = page.locator("article:target h3").bounding_box(), summary.bounding_box()
    assert heading and bar and heading["y"] >= bar["y"] + bar["height"]
    summary.tap()
    link = page.locator(".contents").get_by_role("link", name="§ 3-2")
    keep(page, "narrow-contents")
    link.tap()
    expect(page.locator("article:target")).to_have_id("§3-2")
    expect(link).to_be_hidden()


def test_without_scripts_the_contents_lead_all_the_same(open_page: Open) -> None:
    page = open_page(TENANCY, java_script_enabled=False, viewport={"width": 1300, "height": 800})
    page.get_by_role("navigation", name="Innhold").get_by_role("link", name="§ 6-4 Heving").click()
    expect(page.locator("article:target h3")).to_be_in_viewport()


def test_a_mention_leads_to_the_provision_that_the_law_links(open_page: Open) -> None:
    page = open_page(TENANCY)
    page.locator("article[id='§1-4']").get_by_role("link", name="6-2", exact=True).click()
    expect(page.locator("article:target")).to_have_id("§6-2")
    page.locator("article[id='§1-4']").get_by_role("link", name="§ 5", exact=True).click()
    expect(page).to_have_title("Eksempelforskrift om leie av bolig – Lovsvar")
    expect(page.locator("article:target")).to_have_id("§5")


def test_amendment_notes_are_folded(open_page: Open) -> None:
    page = open_page(TENANCY)
    notes = page.locator("article details.note").first
    expect(notes.locator("p").first).to_be_hidden()
    notes.locator("summary").click()
    expect(notes.locator("p").first).to_be_visible()


def test_an_act_that_is_not_in_force_says_so_first(open_page: Open, keep: Keep) -> None:
    page = open_page("/lov/2999-05-05-5")
    expect(page.locator(".notice.warning")).to_contain_text("ikke trådt i kraft")
    expect(page.locator(".act .badge").first).to_contain_text("Ikke i kraft")
    keep(page, "not-in-force")


def test_a_repealed_provision_is_marked(open_page: Open) -> None:
    page = open_page("/lov/2999-03-03-3")
    expect(page.locator("article").filter(has_text="Opphevet").first.locator(".badge")).to_have_text("Opphevet")


def test_a_document_leads_to_lovdatas_own(open_page: Open) -> None:
    link = open_page(TENANCY).get_by_role("link", name="Les hos Lovdata")
    expect(link).to_have_attribute("href", "https://lovdata.no/lov/2999-01-01-1")


@pytest.mark.parametrize(
    "words", ["ord som ikke står der", "<script>document.title='x'</script>", "((((", "' onmouseover=x"]
)
def test_words_that_do_not_stand_there_are_told_of_and_do_nothing(open_page: Open, words: str) -> None:
    page = open_page("/")
    page.goto(f"{TENANCY}?paragraf=§3-2&sitat={words}#§3-2")
    expect(page.locator("[role=status]")).to_contain_text("står ikke i bestemmelsen")
    expect(page.locator("mark")).to_have_count(0)
    expect(page).to_have_title("Eksempel-husleieloven – Lovsvar")


def test_quoted_words_over_several_lines_are_all_marked(open_page: Open) -> None:
    page = open_page("/")
    quote = "a. noen skal vikariere for en navngitt person, b. arbeidet følger en sesong"
    page.goto(f"/lov/2999-02-02-2?paragraf=§1-4&sitat={quote}#§1-4")
    marks = " ".join(page.locator("mark").all_text_contents())
    assert marks == "noen skal vikariere for en navngitt person, arbeidet følger en sesong"
