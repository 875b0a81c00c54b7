"""Asking in a browser: the steps, the draft, the answer and its quotes, and what may go wrong meanwhile."""

import re
import signal
import time
from collections.abc import Callable
from typing import Any

import httpx2
from playwright.sync_api import Browser, Page, expect

from lovsvar_testkit import sse
from lovsvar_testkit.processes import System
from lovsvar_testkit.proxy import wire_to
from lovsvar_testkit.scripted_model import ScriptedModel, question_of

ASKED = "Hvor mye kan utleier kreve i depositum?"
FOLLOW_UP = "Og hvor skal pengene stå?"
NARROWED = "Hvor mye kan kreves i depositum etter forskrift?"
HELD = "Hvor mye kan utleieren kreve når modellen nøler?"
OFFLINE = "Hvor mye kan utleieren kreve når forbindelsen er borte?"
FALLEN = "Hvor mye kan utleieren kreve når tjeneren faller?"
CUT = "Hvor mye kan utleieren kreve når ledningen er kuttet?"
RELOADED = "Hvor mye kan utleieren kreve når siden lastes på nytt?"
ENDLESS = "Hvor mye kan utleieren kreve når svaret aldri blir ferdig?"
DOUBTFUL = "Hvor lenge kan en arbeidstaker være midlertidig ansatt?"
UNKNOWN = "Hvem eier månens bakside?"
QUOTE = "kan kreve et depositum på høyst fire måneders leie"

Open = Callable[..., Page]
Keep = Callable[[Page, str], None]
Barriers = Callable[[Page], list[str]]


def ask(page: Page, question: str = ASKED) -> str:
    """Ask, and return the run's id."""
    page.get_by_label("Spørsmålet ditt").fill(question)
    page.get_by_role("button", name="Spør", exact=True).click()
    page.wait_for_url(re.compile(r"\?run="))
    return page.url.split("run=")[1]


def answered(page: Page) -> None:
    expect(page.locator(".answer")).to_be_visible()
    expect(page.locator("#run[data-working]")).to_have_count(0)


def drafting(page: Page) -> None:
    expect(page.locator("#draft-text")).to_contain_text("Utleieren kan kreve")


def events_of(system: System, run: str) -> list[dict[str, Any]]:
    with httpx2.Client(base_url=system.url, timeout=60) as client:
        return list(sse.events(client, f"/v1/questions/{run}/events"))


def shows_the_run_once(page: Page, events: list[dict[str, Any]]) -> None:
    """Each step of the run stands in the page, once and in order."""
    titles = [e["title"] for e in events if e["type"] == "step.started"]
    shown = page.locator("#step-list > li.step").all_text_contents()
    assert [s.startswith(t) for s, t in zip(shown, titles, strict=True)] == [True] * len(titles), shown


def test_a_question_is_asked_watched_and_read(page: Page, holding: ScriptedModel, keep: Keep) -> None:
    keep(page, "ask")
    ask(page, HELD)
    expect(page.locator("h1")).to_have_text(HELD)
    steps = page.locator("#steps")
    expect(steps).to_have_attribute("open", "")
    expect(steps).to_contain_text("Søkte i lover og forskrifter «kreve depositum av leieren» → 2 treff")
    expect(steps).to_contain_text("Eksempel-husleieloven § 3-2")
    drafting(page)
    expect(page.locator("#draft")).to_contain_text("ikke kontrollert ennå")
    expect(page.locator("#draft-text")).not_to_contain_text("[lovdata")
    expect(page.get_by_role("button", name="Stopp")).to_be_visible()
    keep(page, "working")

    holding.let_go()
    answered(page)
    expect(page.locator("#status")).to_have_text("Svaret er klart.")
    expect(page.locator("#draft")).to_be_hidden()
    expect(page.get_by_role("button", name="Stopp")).to_be_hidden()
    expect(steps).not_to_have_attribute("open", "")
    expect(steps).to_contain_text(re.compile(r"\d steg · .* · Språkmodell: scripted"))
    expect(page.locator(".answer .text a.cite").first).to_have_text("[1]")
    source = page.locator(".sources > li").first
    for words in ("Eksempel-husleieloven § 3-2", "lov/2999-01-01-1/§3-2", "I kraft", "Oppdiktet eksempel"):
        expect(source).to_contain_text(words)
    expect(page.locator(".answer")).to_contain_text("Skrevet av en språkmodell")
    expect(page.locator(".answer")).to_contain_text("Ikke juridisk råd")
    keep(page, "answer")


def test_a_tapped_citation_shows_its_words_in_their_provision_and_leads_to_them_and_back(
    page: Page, keep: Keep, barriers: Barriers
) -> None:
    ask(page)
    answered(page)
    cite = page.locator("a.cite").first
    cite.click()
    card = page.get_by_role("dialog")
    expect(card.locator("mark")).to_have_text(QUOTE)
    expect(card).to_contain_text("Depositumet er sikkerhet for ubetalt leie")
    assert barriers(page) == []
    page.screenshot(path="artefacts/browser/quote.png")
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    expect(cite).to_be_focused()

    cite.click()
    card.get_by_role("link", name="Åpne ved ordene").click()
    page.wait_for_url(re.compile(r"/lov/2999-01-01-1\?"))
    expect(page.locator("#sitert")).to_have_text(QUOTE)
    expect(page.locator("#sitert")).to_be_in_viewport()
    page.go_back()
    answered(page)
    expect(page.locator("a.cite").first).to_be_visible()
    shown = page.locator("#step-list > li.step")
    expect(shown).not_to_have_count(0)


def test_a_citation_under_the_pointer_shows_its_words_and_goes_with_it(page: Page) -> None:
    ask(page)
    answered(page)
    page.locator("a.cite").first.hover()
    card = page.get_by_role("dialog")
    expect(card.locator("mark")).to_have_text(QUOTE)
    page.mouse.move(5, 5)
    expect(card).to_be_hidden()


def test_a_source_unfolds_to_the_quote_in_its_provision(page: Page) -> None:
    ask(page)
    answered(page)
    quote = page.locator("details.quote").first
    quote.locator("summary").click()
    expect(quote.locator("mark")).to_have_text(QUOTE)


def test_a_page_reloaded_in_mid_stream_goes_on_where_the_run_is(
    page: Page, system: System, holding: ScriptedModel
) -> None:
    run = ask(page, RELOADED)
    drafting(page)
    page.reload()
    drafting(page)
    holding.let_go()
    answered(page)
    shows_the_run_once(page, events_of(system, run))


def test_a_page_that_was_offline_catches_up(
    open_page: Open, system: System, holding: ScriptedModel, keep: Keep
) -> None:
    page = open_page("/", troubled=True)
    run = ask(page, OFFLINE)
    drafting(page)
    page.context.set_offline(True)
    holding.let_go()
    events = events_of(system, run)
    assert events[-1]["type"] == "run.completed"
    page.context.set_offline(False)
    answered(page)
    shows_the_run_once(page, events)
    expect(page.locator("#status")).to_have_text("Svaret er klart.")


def test_nobody_notices_that_a_page_was_cut_off_for_five_seconds(
    open_page: Open, system: System, holding: ScriptedModel
) -> None:
    with wire_to(system.url) as wire:
        page = open_page("/", troubled=True, base_url=wire.url)
        run = ask(page, CUT)
        drafting(page)
        page.evaluate(
            """() => {
                const status = document.getElementById("status");
                window.told = [status.textContent];
                new MutationObserver(() => window.told.push(status.textContent)).observe(status, { childList: true });
            }"""
        )
        uncut = open_page(f"/?run={run}")
        drafting(uncut)

        wire.cut()
        mended = time.monotonic() + 5
        holding.let_go()
        answered(uncut)
        page.wait_for_timeout(max(0, mended - time.monotonic()) * 1_000)
        expect(page.locator("#run[data-working]")).to_have_count(1)
        wire.mend()

        answered(page)
        assert page.locator("#run").inner_text() == uncut.locator("#run").inner_text()
        for part in ("#step-list", ".answer .text", ".sources"):
            assert page.locator(part).inner_html() == uncut.locator(part).inner_html()
        assert page.evaluate("window.told.filter(told => told.includes('Ingen kontakt'))") == []
    shows_the_run_once(page, events_of(system, run))


def test_a_page_whose_server_falls_and_returns_shows_each_step_once(
    open_page: Open, system: System, holding: ScriptedModel
) -> None:
    page = open_page("/", troubled=True)
    run = ask(page, FALLEN)
    drafting(page)
    gateway = system.services["gateway"]
    gateway.kill()
    expect(page.locator("#status")).to_contain_text("Ingen kontakt")
    gateway.start()
    holding.let_go()
    answered(page)
    shows_the_run_once(page, events_of(system, run))
    expect(page.locator("#status")).to_have_text("Svaret er klart.")


def test_a_stopped_question_says_so_and_can_be_asked_again(page: Page, model: ScriptedModel, keep: Keep) -> None:
    ask(page, ENDLESS)
    drafting(page)
    page.get_by_role("button", name="Stopp").click()
    expect(page.locator(".answer")).to_contain_text("Du stoppet dette spørsmålet")
    expect(page.locator("#status")).to_have_text("Stoppet.")
    model.wait_for(lambda: ENDLESS in map(question_of, model.left))
    keep(page, "stopped")
    expect(page.get_by_role("button", name="Spør på nytt")).to_be_visible()


def test_a_question_asked_again_is_a_new_run(page: Page) -> None:
    first = ask(page)
    answered(page)
    page.get_by_role("button", name="Spør på nytt").click()
    page.wait_for_url(lambda url: "run=" in url and first not in url)
    answered(page)
    expect(page.locator("h1")).to_have_text(ASKED)


def test_a_shared_address_shows_the_answer_and_how_it_came_about_to_somebody_else(
    page: Page, open_page: Open, system: System
) -> None:
    run = ask(page)
    answered(page)
    other = open_page(f"/?run={run}")
    answered(other)
    assert other.locator(".answer .text").inner_text() == page.locator(".answer .text").inner_text()
    expect(other.locator("#steps")).to_be_visible()
    shows_the_run_once(other, events_of(system, run))


def test_what_was_rejected_and_what_was_not_found_is_explained(page: Page, keep: Keep) -> None:
    ask(page, DOUBTFUL)
    answered(page)
    rejected = page.locator("details.doubt").filter(has_text="Forkastede sitater")
    rejected.locator("summary").click()
    expect(rejected).to_contain_text("i inntil ti år")
    expect(rejected).to_contain_text("holdt ikke da det ble kontrollert")
    expect(page.locator(".answer")).to_contain_text("Henvisninger som ikke ble funnet (1)")
    expect(page.locator(".answer .text")).not_to_contain_text("ti år")
    keep(page, "doubts")


def test_a_question_that_the_law_does_not_answer_is_told_so(page: Page, keep: Keep) -> None:
    ask(page, UNKNOWN)
    answered(page)
    expect(page.locator(".answer")).to_contain_text("Kildene svarer ikke på dette.")
    expect(page.locator("a.cite")).to_have_count(0)
    keep(page, "unanswered")


def test_an_answer_is_copied_with_its_citations_and_addresses(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    run = ask(page)
    answered(page)
    page.get_by_role("button", name="Kopier med sitater").click()
    expect(page.locator("#copied")).to_have_text("Kopiert")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert f"Utleieren «{QUOTE}». https://lovdata.no/lov/2999-01-01-1/" in copied
    assert copied.endswith(f"?run={run}")
    assert copied.count(QUOTE) == 1
    page.get_by_role("button", name="Kopier adressen").click()
    page.wait_for_function("url => navigator.clipboard.readText().then(text => text === url)", arg=page.url)


def test_the_browser_alone_keeps_what_was_asked(page: Page, open_page: Open) -> None:
    run = ask(page)
    answered(page)
    page.goto("/")
    entry = page.locator("#history li").filter(has_text=ASKED)
    expect(entry.get_by_role("link")).to_have_attribute("href", f"/?run={run}")
    expect(open_page("/").locator("#history")).to_be_hidden()
    entry.get_by_role("link").click()
    answered(page)
    page.goto("/")
    page.get_by_role("button", name="Slett listen").click()
    expect(page.locator("#history")).to_be_hidden()
    page.reload()
    expect(page.locator("#history")).to_be_hidden()


def test_a_question_whose_answer_has_expired_can_be_asked_again_from_the_history(open_page: Open) -> None:
    page = open_page("/", troubled=True)
    page.evaluate(
        "([run, question]) => localStorage.setItem('lovsvar.questions', JSON.stringify([{run, question, at: 0}]))",
        ["0" * 32, ASKED],
    )
    answer = page.goto(f"/?run={'0' * 32}")
    assert answer is not None and answer.status == 404
    expect(page.get_by_role("alert")).to_contain_text("finnes ikke lenger")
    expect(page.get_by_label("Spørsmålet ditt")).to_have_value(ASKED)


def test_a_follow_up_takes_the_question_with_it(page: Page, model: ScriptedModel) -> None:
    ask(page)
    answered(page)
    first = page.url
    page.get_by_label("Still et oppfølgingsspørsmål").fill(FOLLOW_UP)
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text(FOLLOW_UP)
    expect(page.locator(".thread summary")).to_contain_text(ASKED)
    answered(page)
    asked = next(r for r in model.requests if question_of(r) == FOLLOW_UP)
    told = str(asked["messages"][1]["content"])
    assert ASKED in told and "høyst fire måneders leie" in told, "the model has the question and its answer at hand"
    # The address shows it again, with the answer that is followed, and leads back to it.
    page.reload()
    turn = page.locator(".thread details")
    turn.locator("summary").click()
    expect(turn.locator(".text")).to_contain_text("høyst fire måneders leie")
    turn.get_by_role("link", name="Åpne dette svaret for seg").click()
    expect(page).to_have_url(first)


def test_an_answer_is_saved_shared_and_deleted(page: Page, open_page: Open, keep: Keep, barriers: Barriers) -> None:
    ask(page)
    answered(page)
    page.get_by_role("button", name="Lagre svaret").click()
    page.wait_for_url(re.compile("/lagret/"))
    expect(page.locator(".kept")).to_contain_text("Svaret blir tatt vare på til")
    expect(page.locator(".sources")).to_contain_text("Samme tekst i dag")
    assert barriers(page) == []
    keep(page, "saved")
    page.locator("a.cite").first.click()
    expect(page.get_by_role("dialog").locator("mark")).to_have_text(QUOTE)
    page.keyboard.press("Escape")
    other = open_page(page.url, java_script_enabled=False)
    expect(other.locator("h1")).to_have_text(ASKED)
    page.get_by_role("button", name="Slett det lagrede svaret").click()
    expect(page.get_by_label("Spørsmålet ditt")).to_be_visible()


def test_the_browser_that_saved_an_answer_lists_it_until_it_is_deleted(page: Page, open_page: Open) -> None:
    ask(page)
    answered(page)
    page.get_by_role("button", name="Lagre svaret").click()
    page.wait_for_url(re.compile("/lagret/"))
    other = open_page(page.url)
    other.get_by_role("link", name="Lagrede svar").click()
    expect(other.locator("#none")).to_contain_text("ikke lagret noen svar")
    page.get_by_role("link", name="Lagrede svar").click()
    entry = page.locator("#saved li").get_by_role("link", name=ASKED)
    expect(page.locator("#none")).to_be_hidden()
    entry.click()
    page.get_by_role("button", name="Slett det lagrede svaret").click()
    expect(page.get_by_label("Spørsmålet ditt")).to_be_visible()
    page.goto("/lagret")
    expect(page.locator("#none")).to_be_visible()
    expect(page.locator("#saved")).to_be_hidden()


def test_filters_go_with_the_question(page: Page) -> None:
    page.get_by_text("Avgrens").click()
    page.get_by_label("Type").select_option("forskrift")
    page.get_by_label("År").fill("2999")
    run = ask(page, NARROWED)
    expect(page.locator("h1")).to_have_text(NARROWED)
    expect(page.locator(".addition")).to_have_text("Avgrenset til: forskrift, år 2999.")
    answered(page)
    answer = page.request.get(f"/v1/questions/{run}").json()
    assert answer["filters"] == {"law_type": "forskrift", "year": 2999, "ministry": None}
    assert all(e["refid"].startswith("forskrift/2999") for e in answer["evidence"])
    # They hold for a follow-up too, until somebody changes them.
    expect(page.get_by_label("Type")).to_have_value("forskrift")
    page.reload()
    expect(page.locator(".addition")).to_have_text("Avgrenset til: forskrift, år 2999.")
    page.get_by_role("button", name="Spør på nytt").click()
    expect(page).not_to_have_url(re.compile(run))
    expect(page.locator(".addition")).to_have_text("Avgrenset til: forskrift, år 2999.")


def test_the_page_speaks_the_language_that_was_chosen_and_remembers_it(page: Page, keep: Keep) -> None:
    page.get_by_role("link", name="EN").click()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page.get_by_role("heading", level=1)).to_have_text("Ask about Norwegian law")
    page.goto("/sok")
    expect(page.get_by_role("heading", level=1)).to_have_text("Search statutes and regulations")
    page.get_by_role("link", name="NN").click()
    page.goto("/")
    expect(page.locator("#question-hint")).to_contain_text("Enter spør")
    expect(page.locator(".lead")).to_contain_text("dine eigne ord")


def test_what_is_wrong_is_told_in_the_language_that_was_chosen(open_page: Open) -> None:
    page = open_page("/?lang=en", troubled=True)
    page.goto("/lov/2999-12-31-9")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page.get_by_role("heading", level=1)).to_have_text("Not found")
    page.get_by_role("link", name="NN").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Finst ikkje")


def test_everything_can_be_done_by_the_keyboard_alone(page: Page) -> None:
    expect(page.get_by_label("Spørsmålet ditt")).to_be_focused()
    page.keyboard.type(ASKED)
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"\?run="))
    answered(page)

    def tab_to(selector: str) -> None:
        for _ in range(60):
            page.keyboard.press("Tab")
            if page.evaluate("s => document.activeElement.matches(s)", selector):
                return
        raise AssertionError(f"{selector} is not reached by Tab")

    tab_to("a.skip")
    page.keyboard.press("Enter")
    tab_to("a.cite")
    page.keyboard.press("Enter")
    expect(page.locator("#quote-card mark")).to_have_text(QUOTE)
    tab_to("#quote-card-open")
    page.keyboard.press("Escape")
    expect(page.locator("a.cite").first).to_be_focused()
    tab_to("[data-copy=citable]")
    tab_to("details.quote summary")
    page.keyboard.press("Space")
    expect(page.locator("details.quote mark").first).to_be_visible()
    tab_to("#question")
    page.keyboard.type("Takk")
    page.keyboard.press("Shift+Enter")
    expect(page.locator("#question")).to_have_value("Takk\n")


def test_without_scripts_the_page_asks_waits_and_answers_by_itself(
    open_page: Open, system: System, holding: ScriptedModel, keep: Keep
) -> None:
    page = open_page("/", java_script_enabled=False)
    run = ask(page, "Hvor mye kan utleieren kreve uten skript?")
    expect(page.locator("noscript .notice")).to_be_visible()
    expect(page.locator("#steps")).to_contain_text(
        "Søkte i lover og forskrifter «kreve depositum av leieren» → 2 treff"
    )
    expect(page.locator("#step-list > li.step.open")).to_have_count(1)
    keep(page, "without-scripts-working")
    holding.let_go()
    expect(page.locator(".answer")).to_be_visible()
    assert page.url.endswith(run)
    expect(page.locator("#steps summary")).to_contain_text(re.compile(r"\d steg · .* · Språkmodell: scripted"))
    page.locator("#steps summary").click()
    shows_the_run_once(page, events_of(system, run))
    keep(page, "without-scripts")
    page.locator("a.cite").first.click()
    expect(page.locator("#sitat-1 blockquote strong")).to_have_text(QUOTE)
    page.locator(".sources").get_by_role("link", name="Eksempel-husleieloven § 3-2").first.click()
    expect(page.locator("#sitert")).to_have_text(QUOTE)


def test_without_scripts_a_question_can_be_stopped(open_page: Open) -> None:
    page = open_page("/", java_script_enabled=False)
    ask(page, "Hvor mye kan utleieren kreve når svaret aldri blir ferdig, uten skript?")
    page.get_by_role("button", name="Stopp").click()
    expect(page.locator(".answer")).to_contain_text("Du stoppet dette spørsmålet")


def test_the_page_says_what_it_is_and_is_not_though_search_stands_still(open_page: Open, system: System) -> None:
    search = system.services["search"]
    search.signal(signal.SIGSTOP)
    try:
        page = open_page("/")
        expect(page.locator(".about")).to_contain_text("ikke juridisk råd")
        expect(page.locator(".notice")).to_contain_text("ikke klar")
    finally:
        search.signal(signal.SIGCONT)
    page.reload()
    expect(page.locator(".about")).to_contain_text("9 dokumenter med")
    expect(page.locator(".notice")).to_contain_text("oppdiktede eksempellover")


def test_the_first_paint_takes_less_than_100_kb(browser: Browser, system: System) -> None:
    page = browser.new_page()
    sizes: list[int] = []
    page.on(
        "requestfinished",
        lambda request: sizes.append(sum(request.sizes()[k] for k in ("responseBodySize", "responseHeadersSize"))),
    )
    page.goto(system.url, wait_until="networkidle")
    page.close()
    assert len(sizes) > 5, "the page, its stylesheet and its modules"
    assert sum(sizes) < 100_000
