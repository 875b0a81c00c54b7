"""Reading the law in a browser: the viewer's anchors, links and marks, and what it warns of."""

import re
from collections.abc import Callable

import httpx2
import pytest
from playwright.sync_api import Page, expect
from starlette.requests import Request

from lovsvar_contracts.law import Block, BlockKind, DocumentSummary, InForce, LawType, Provision
from lovsvar_contracts.search import Document
from lovsvar_gateway.routes import viewer
from lovsvar_testkit import sse
from lovsvar_testkit.processes import System

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
    page = open_page(f"{TENANCY}#§6-4", viewport={"width": 1300, "height": 640})
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


def test_the_bar_stays_and_says_where_the_reader_is(open_page: Open, keep: Keep) -> None:
    page = open_page(f"{TENANCY}#§6-4", viewport={"width": 1300, "height": 500})
    bar = page.get_by_role("region", name="Stedet du leser")
    expect(bar).to_be_in_viewport()
    expect(bar).to_contain_text("Eksempel-husleieloven § 6-4 Heving")
    expect(bar.get_by_role("link", name="Lovdata")).to_have_attribute("href", re.compile("/%C2%A76-4$"))
    before = bar.get_by_role("link", name="forrige bestemmelse")
    name = before.locator(".to").text_content()
    before.click()
    expect(bar.locator("#where")).to_contain_text(str(name))
    expect(page.locator("article:target h3")).to_be_in_viewport()
    bar.get_by_role("link", name="neste bestemmelse").click()
    expect(page.locator("article:target")).to_have_id("§6-4")
    keep(page, "viewer-bar")


def test_a_citation_is_copied_with_its_address(open_page: Open) -> None:
    page = open_page(f"{TENANCY}#§3-2", permissions=["clipboard-read", "clipboard-write"])
    expect(page.locator("#where")).to_contain_text("§ 3-2")
    page.get_by_role("button", name="Kopier henvisning").click()
    expect(page.get_by_text("Kopiert", exact=True)).to_be_visible()
    citation, address = page.evaluate("navigator.clipboard.readText()").split("\n")
    assert citation.startswith("lov 1. januar 2999 nr. 1 ")
    assert citation.endswith(" § 3-2")
    assert address.endswith(f"{TENANCY}/§3-2")
    page.goto(address)
    expect(page.locator("article:target")).to_have_id("§3-2")


def test_an_address_as_it_is_printed_leads_to_the_provision(open_page: Open) -> None:
    page = open_page(f"{TENANCY}/§ 6-4")
    expect(page.locator("article:target")).to_have_id("§6-4")
    expect(page.locator("article:target h3")).to_be_in_viewport()


def test_words_are_looked_for_in_the_document(open_page: Open) -> None:
    page = open_page(TENANCY, java_script_enabled=False)
    page.get_by_label("Søk i dette dokumentet").fill("depositum")
    page.locator("#finn").get_by_role("button", name="Søk").click()
    first = page.locator(".found .hits a").first
    expect(first).to_be_visible()
    first.click()
    expect(page.locator("article:target h3")).to_be_in_viewport()


def test_the_way_back_leads_to_the_answer(open_page: Open, system: System) -> None:
    with httpx2.Client(base_url=system.url, timeout=60) as client:
        question = {"question": "Hva er depositum?", "mode": "extractive"}
        run = client.post("/v1/questions", json=question).json()["run_id"]
        list(sse.events(client, f"/v1/questions/{run}/events"))
    page = open_page(f"/?run={run}")
    page.locator(".source a[href^='/lov/']").first.click()
    page.get_by_role("link", name="Tilbake til svaret").click()
    expect(page).to_have_url(re.compile(rf"\?run={run}"))


def test_acts_are_listed_and_found_by_letter(
    open_page: Open, keep: Keep, barriers: Callable[[Page], list[str]]
) -> None:
    page = open_page("/")
    page.get_by_role("link", name="Lover", exact=True).click()
    expect(page.get_by_role("link", name="Eksempel-husleieloven")).to_be_visible()
    assert barriers(page) == []
    keep(page, "browse")
    page.get_by_role("navigation", name="Forbokstav").get_by_role("link", name="E", exact=True).click()
    expect(page.get_by_role("link", name="Eksempel-husleieloven")).to_be_visible()
    page.get_by_role("link", name="Forskrifter").click()
    expect(page.get_by_role("link", name="Eksempelforskrift om leie av bolig")).to_be_visible()


def test_what_refers_to_a_provision_is_folded_under_it(open_page: Open) -> None:
    page = open_page(f"{TENANCY}#§6-2")
    cited = page.locator("article[id='§6-2'] .cited")
    cited.locator("summary").click()
    cited.get_by_role("link", name="§ 1-4").click()
    expect(page.locator("article:target")).to_have_id("§1-4")


LONG = "/lov/2999-12-31-9"
"""A document of many chapters, which the browser is given in place of the system's own."""


@pytest.fixture(scope="module")
def long_act() -> str:
    """The page of an act as long as the longest."""
    return page_of_long_act()


def page_of_long_act(provisions: int = 900) -> str:
    """Return the page of an act as long as the longest, in chapters of twenty provisions each."""
    text = "Leieren skal betale leien som er avtalt, og utleieren skal stille husrommet til rådighet for leieren. " * 6

    def provision(n: int) -> Provision:
        blocks = tuple(Block(kind=BlockKind.LEDD, ledd=ledd, text=f"{text}Se § {n}.") for ledd in (1, 2, 3))
        return Provision(
            refid=LONG[1:],
            section=f"§{n}",
            value=f"§ {n}",
            title=f"Leie nummer {n}",
            act="Den lange loven",
            document_title="Lov om det lange",
            law_type=LawType.LOV,
            path=(f"Kapittel {n // 20}",),
            position=n,
            text="\n".join(block.text for block in blocks),
            blocks=blocks,
            content_hash="",
            tokens=1,
            url=LONG,
            lovdata_url="https://lovdata.no",
            dataset="eksempel",
        )

    document = DocumentSummary(
        refid=LONG[1:],
        title="Lov om det lange",
        law_type=LawType.LOV,
        year=2999,
        in_force=InForce.YES,
        dataset="eksempel",
        url=LONG,
        lovdata_url="https://lovdata.no",
    )
    whole = Document(document=document, provisions=tuple(map(provision, range(provisions))), corpus_version=1)
    scope = {"type": "http", "method": "GET", "path": LONG, "query_string": b"", "headers": [], "server": ("x", 80)}
    page = viewer._page(Request({**scope, "scheme": "http"}), viewer.Read([whole], None, None))
    return bytes(page.body).decode()


WATCH = """
window.shifted = 0; window.blocked = [];
new PerformanceObserver((list) => list.getEntries().forEach((e) => { if (!e.hadRecentInput) shifted += e.value; }))
  .observe({ type: "layout-shift", buffered: true });
new PerformanceObserver((list) => list.getEntries().forEach((e) => blocked.push(e.duration)))
  .observe({ type: "longtask", buffered: true });
"""


@pytest.fixture
def long_page(open_page: Open, long_act: str) -> Callable[..., Page]:
    """Opens the long act at a place."""

    def long_page(place: str = "", **options: object) -> Page:
        page = open_page("/sok", **options)
        page.route(f"**{LONG}*", lambda route: route.fulfill(body=long_act, content_type="text/html; charset=utf-8"))
        page.add_init_script(WATCH)
        page.goto(f"{LONG}{place}")
        return page

    return long_page


def test_a_long_act_is_painted_as_it_is_read_and_does_not_jump(long_page: Callable[..., Page]) -> None:
    page = long_page(viewport={"width": 1300, "height": 800})
    page.wait_for_timeout(1_000)
    blocking = sum(duration - 50 for duration in page.evaluate("blocked"))
    assert blocking < 200, "milliseconds in which the reader could not have done anything"
    assert page.evaluate("shifted") < 0.02
    assert page.locator(".leaf").count() > 100
    laid_out = page.evaluate(
        "document.querySelector(`[id='§700'] .ledd`).checkVisibility({ contentVisibilityAuto: true })"
    )
    assert not laid_out


@pytest.mark.parametrize("place", ["#§700", "#§700/ledd/2", "#§899"])
def test_places_deep_in_a_long_act_are_gone_to(long_page: Callable[..., Page], place: str) -> None:
    page = long_page(place, viewport={"width": 1300, "height": 800})
    expect(page.locator(":target")).to_be_in_viewport()
    expect(page.locator("#where")).to_contain_text(place[1:].split("/", maxsplit=1)[0].replace("§", "§ "))
    page.wait_for_timeout(300)
    expect(page.locator(":target")).to_be_in_viewport()


def test_a_long_acts_contents_are_folded_and_found_words_are_reached(long_page: Callable[..., Page]) -> None:
    page = long_page(viewport={"width": 1300, "height": 800})
    contents = page.get_by_role("navigation", name="Innhold")
    expect(contents.get_by_role("link", name="Kapittel 12")).to_be_attached()
    expect(contents.get_by_role("link", name="§ 250 Leie nummer 250")).to_be_hidden()
    contents.get_by_text("§ 240–§ 259").click()
    contents.get_by_role("link", name="§ 250 Leie nummer 250").click()
    expect(page.locator("article:target h3")).to_be_in_viewport()
    expect(contents.locator("[aria-current]")).to_have_text("§ 250 Leie nummer 250")
    assert page.evaluate("find('Leie nummer 777')"), "the browser's own search finds what is not painted"


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
