"""The pages of cases in a browser: worked on by hand and with a model, by keyboard, on a phone, without scripts."""

import base64
import json
import os
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx2
import pytest
from playwright.sync_api import Locator, Page, expect

from lovsvar_testkit import made_documents, sse
from lovsvar_testkit.processes import System, running_system
from lovsvar_testkit.scripted_model import ScriptedModel, standing_in_for_model

Open = Callable[..., Page]
Keep = Callable[[Page, str], None]
Barriers = Callable[[Page], list[str]]

STORY = "Utleieren betaler ikke tilbake depositumet på 30 000 kr, og svarer ikke."
ASKED = "Nordmann svarer ikke. Hvor mye kunne hun kreve i depositum?"
HELD = "Hvor mye kunne hun kreve når modellen nøler?"
WORDS = "Utleieren kan kreve et depositum på høyst fire måneders leie"
WIDE = {"viewport": {"width": 1100, "height": 850}}
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True}
VIEWS = ("", "/opplysninger", "/parter", "/dokumenter", "/rettskilder", "/utkast", "/utkast/ny", "/historikk", "/mer")


def work(body: dict[str, Any], _: int) -> dict[str, Any]:
    """Note a fact, search, and answer; hesitate before the answer when asked to."""
    said = json.dumps(body["messages"], ensure_ascii=False)
    case_id = (re.findall(r"i saken (\w{32})", said) or ["none"])[0]
    source = (re.findall(r"lovdata-\d+", said.partition("fire måneders leie")[0]) or ["lovdata-1"])[-1]
    fact = {"fact": "{{party0.lastName}} svarer ikke.", "timestamp": "i mai"}
    replies: list[dict[str, Any]] = [
        {"calls": [{"update_case_details": {"case_id": case_id, "updates": {"facts": [fact]}}}]},
        {"calls": [{"search_lovdata_legal_documents": {"query": "depositum", "pageSize": 1}}]},
        {"final": {"answer": f"{WORDS} [{source}].", "citations": [[source, WORDS]]}},
    ]
    done = sum(one.get("role") == "tool" for one in body["messages"])
    held = {"hold": 60} if done >= 2 and "modellen nøler" in said else {}
    return {**replies[min(done, 2)], **held}


@pytest.fixture(scope="module")
def model() -> Iterator[ScriptedModel]:
    with standing_in_for_model(work) as model:
        yield model


@pytest.fixture(scope="module")
def system(tmp_path_factory: pytest.TempPathFactory, model: ScriptedModel) -> Iterator[System]:
    """All services with the sample corpus and the model; two simple cases a month are free."""
    environment = {
        "OPENAI_API_KEY": "sk-scripted",
        "OPENAI_BASE_URL": model.url,
        "LOVSVAR_MODEL": "scripted",
        "LOVSVAR_AGENT_TOOL_SERVICES": "cases",
        "LOVSVAR_CASES_MASTER_KEY": base64.b64encode(os.urandom(32)).decode(),
        "LOVSVAR_CASES_CREDITS": "100,0,0",
        "LOVSVAR_PAYMENT_PAGE": "https://betal.example.no/{case_id}?niva={tier}",
    }
    with running_system(tmp_path_factory.mktemp("cases"), environment) as system:
        with httpx2.Client(base_url=system.url, timeout=60) as client:
            sync = client.post("/v1/ingest", json={"dataset": "eksempel"}).json()["syncs"][0]
            *_, last = sse.events(client, f"/v1/ingest/{sync['sync_id']}/events")
        system.wait_version(last["corpus_version"])
        system.wait_ready(path="/readyz")
        yield system


@pytest.fixture
def door(system: System) -> Iterator[httpx2.Client]:
    with httpx2.Client(base_url=system.url, timeout=60) as client:
        yield client


@pytest.fixture
def case(door: httpx2.Client) -> str:
    """A case with a party, by its path."""
    case_id = door.post("/v1/cases", json={"title": "Depositum i Storgata", "description": STORY}).json()["case_id"]
    fields = {"firstName": "Solveig", "lastName": "Nordmann", "address": "Storgata 1"}
    party = {"kind": "person", "role": "utleier", "fields": fields}
    assert door.post(f"/v1/cases/{case_id}/parties", json=party).status_code == 201
    return f"/saker/{case_id}"


def fits(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"))


def refuse(page: Page, press: Callable[[], None]) -> None:
    """Press what the server refuses, and see that its words have the focus."""
    press()
    expect(page.get_by_role("alert")).to_be_focused()


def test_a_case_is_opened_and_told_and_its_answer_is_followed_live(
    open_page: Open, keep: Keep, barriers: Barriers, holding: ScriptedModel
) -> None:
    page = open_page("/saker", **WIDE)
    if page.get_by_label("Tittel").is_hidden():
        page.get_by_text("Ny sak", exact=True).click()
    page.get_by_label("Tittel").fill("Depositum <i> Storgata")
    page.get_by_label("Hva har skjedd?").fill(STORY)
    page.get_by_role("button", name="Opprett sak").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Depositum <i> Storgata")
    expect(page.locator("#standing")).to_contain_text("Venter på nivå")
    page.wait_for_load_state()  # The shortcut is the script's.
    page.get_by_label("Ny melding").fill(HELD)
    page.keyboard.press("Control+Enter")
    expect(page.locator("#steps")).to_contain_text("Søkte i lover og forskrifter")
    expect(page.locator(".by-person").last).to_contain_text(HELD)
    keep(page, "case-working")
    page.reload()
    expect(page.locator("#steps")).to_contain_text("Søkte i lover og forskrifter")
    holding.let_go()
    answer = page.locator(".by-assistant")
    expect(answer.locator("a.cite")).to_have_attribute("href", re.compile(r"^/lov/2999-01-01-1"))
    expect(page.locator("#siste")).to_be_focused()
    expect(page.locator("#run")).to_have_count(0)
    expect(page.locator("#standing")).to_contain_text("I arbeid")
    answer.get_by_text("Kilder (1)").click()
    expect(answer.locator("blockquote")).to_contain_text(WORDS)
    assert barriers(page) == []
    keep(page, "case-answered")


def test_the_answer_has_the_names_back_that_the_model_never_saw(
    case: str, open_page: Open, model: ScriptedModel
) -> None:
    page = open_page(case, **WIDE)
    page.get_by_label("Ny melding").fill(ASKED)
    page.get_by_role("button", name="Send").click()
    expect(page.locator(".by-assistant")).to_contain_text(WORDS)
    page.get_by_role("link", name="Opplysninger").click()
    expect(page.locator("main")).to_contain_text("Nordmann svarer ikke.")
    assert "Nordmann" not in json.dumps(model.requests, ensure_ascii=False)


def test_facts_are_added_and_changed_and_two_writers_lose_no_word(
    case: str, open_page: Open, keep: Keep, barriers: Barriers
) -> None:
    page = open_page(f"{case}/opplysninger", troubled=True, **WIDE)
    page.get_by_text("Legg til en hendelse").click()
    page.get_by_label("Hva skjedde?").fill("Jeg flyttet ut.")
    page.get_by_label("Når").fill("1. mai 2026")
    page.get_by_role("button", name="Legg til").click()
    expect(page.locator("#gjort")).to_be_focused()
    other = open_page(f"{case}/opplysninger", troubled=True, **WIDE)
    for writer, words in ((page, "Jeg flyttet ut i mai."), (other, "Jeg vasket og flyttet ut.")):
        writer.locator("summary", has_text="Endre").click()
        writer.locator("details[open]").get_by_label("Hva skjedde?").fill(words)
        writer.locator("details[open]").get_by_role("button", name="Lagre").click()
    expect(other.get_by_role("alert")).to_contain_text("Noen andre har endret saken")
    expect(other.get_by_role("alert")).to_be_focused()
    expect(other.locator("details[open]").get_by_label("Hva skjedde?")).to_have_value("Jeg vasket og flyttet ut.")
    expect(other.locator(".items .written").first).to_have_text("Jeg flyttet ut i mai.")
    assert barriers(other) == []
    keep(other, "case-conflict")
    other.locator("details[open]").get_by_role("button", name="Lagre").click()
    expect(other.locator(".items .written").first).to_have_text("Jeg vasket og flyttet ut.")
    other.get_by_role("link", name="Historikk").click()
    expect(other.locator(".changes li").first).to_contain_text("Hva som har skjedd")
    other.get_by_role("link", name="Versjon 4", exact=True).click()
    expect(other.locator("main")).to_contain_text("Jeg flyttet ut i mai.")
    expect(other.locator("main")).not_to_contain_text("vasket")


def test_what_is_wrong_with_a_party_is_tied_to_its_field(
    case: str, open_page: Open, keep: Keep, barriers: Barriers
) -> None:
    page = open_page(f"{case}/parter", troubled=True, **WIDE)
    page.get_by_text("Legg til en person").click()
    added = page.locator("details.add[open]")
    added.get_by_label("Fornavn").fill("Kari")
    added.get_by_label("Fødselsnummer").fill("12345678901")
    refuse(page, added.get_by_role("button", name="Legg til").click)
    field = page.locator("details.add[open]").get_by_label("Fødselsnummer")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_accessible_description("Feltet «Fødselsnummer» har en verdi som ikke er gyldig.")
    assert barriers(page) == []
    keep(page, "case-party-refused")
    field.fill("15108695088")
    page.locator("details.add[open]").get_by_role("button", name="Legg til").click()
    expect(page.get_by_role("heading", name="Kari")).to_be_visible()
    page.locator(".card", has_text="Nordmann").locator("summary").click()
    page.locator(".card", has_text="Nordmann").get_by_role("button", name="Glem parten").click()
    expect(page.locator(".card")).to_have_count(1)
    expect(page.locator("main")).not_to_contain_text("Nordmann")


def test_documents_are_handed_in_searched_read_and_removed(
    case: str, open_page: Open, keep: Keep, barriers: Barriers
) -> None:
    page = open_page(f"{case}/dokumenter", troubled=True, **WIDE)
    contract = made_documents.pdf(made_documents.CONTRACT, ["Om depositumet på konto."])
    files = [("Kontrakt <b>.pdf", contract), ("låst.pdf", made_documents.encrypted_pdf())]
    sent = [{"name": name, "mimeType": "application/pdf", "buffer": content} for name, content in files]
    page.locator("input[type=file]").set_input_files(sent)  # type: ignore[arg-type]
    page.get_by_role("button", name="Legg til dokument").click()
    # Reading begins with a process for each, which takes its time on a busy machine.
    expect(page.locator(".state-ready")).to_have_count(1, timeout=120_000)
    expect(page.locator(".state-refused")).to_have_count(1, timeout=120_000)
    expect(page.locator("#documents .failed")).to_contain_text("kryptert")
    assert barriers(page) == []
    page.get_by_role("searchbox").fill("depositumet")
    page.keyboard.press("Enter")
    expect(page.locator("#treff")).to_be_focused()
    assert "depositumet" not in page.url
    keep(page, "case-documents")
    page.get_by_role("link", name="Kontrakt <b>.pdf, side 2").click()
    expect(page.locator("#side-2")).to_be_in_viewport()
    expect(page.locator("#side-2")).to_contain_text("Om depositumet på konto.")
    page.get_by_role("link", name="← Dokumenter").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Last ned Kontrakt <b>.pdf").click()
    assert Path(download.value.path()).read_bytes() == contract
    page.locator("#documents summary").first.click()
    page.get_by_role("button", name="Ja, fjern").first.click()
    expect(page.locator("#gjort")).to_have_text("Dokumentet er fjernet.")
    expect(page.locator("#documents li")).to_have_count(1)


def _follow(page: Page, link: Locator, url: re.Pattern[str]) -> None:
    """Follow a link. Chromium's viewer of PDFs swallows a click that comes while it sets itself up."""
    for _ in range(10):
        link.click()
        with suppress(AssertionError):
            expect(page).to_have_url(url, timeout=2000)
            return
    pytest.fail(f"no click led to {url.pattern}: {page.url}")


def test_a_draft_names_what_it_lacks_and_is_previewed_downloaded_and_revised(
    case: str, open_page: Open, keep: Keep, barriers: Barriers
) -> None:
    page = open_page(f"{case}/utkast", troubled=True, **WIDE)
    page.get_by_role("link", name="Skriv fra bunnen av").click()
    page.get_by_label("Utkastets navn").fill("Krav om depositum")
    text = page.get_by_label("Teksten")
    text.fill("# Krav\n\nTil {{party0.email}}: betal depositumet.\n")
    refuse(page, page.get_by_role("button", name="Lag utkastet").click)
    expect(page.get_by_role("alert")).to_contain_text("{{party0.email}}: feltet email er tomt")
    expect(text).to_have_accessible_description(re.compile("party0.email"))
    expect(text).to_have_value("# Krav\n\nTil {{party0.email}}: betal depositumet.\n")
    text.fill("# Krav\n\nTil ")
    page.get_by_role("button", name="Solveig Nordmann").click()
    page.keyboard.type(": betal depositumet.")
    expect(text).to_have_value("# Krav\n\nTil {{party0.name}}: betal depositumet.")
    page.get_by_role("button", name="Lag utkastet").click()
    expect(page.locator("#gjort")).to_be_focused()
    preview = page.locator("iframe")
    expect(preview).to_have_attribute("title", "Forhåndsvisning: Krav om depositum")
    shown = page.request.get(str(preview.get_attribute("src")).partition("#")[0])
    assert shown.headers["content-disposition"].startswith("inline")
    for kind, begins in (("PDF", b"%PDF-"), ("DOCX", b"PK")):
        with page.expect_download() as download:
            page.get_by_role("link", name=f"Last ned {kind}").click()
        content = Path(download.value.path()).read_bytes()
        assert content.startswith(begins)
        assert kind == "DOCX" or content == shown.body()
    text.fill("# Krav\n\nTil {{party0.name}}: siste varsel.")
    page.get_by_role("button", name="Lagre som revisjon 2").click()
    expect(page.locator(".revisions li")).to_have_count(2)
    keep(page, "case-draft")
    _follow(page, page.get_by_role("link", name="revisjon 1: Krav om depositum"), re.compile(r"revisjon=1$"))
    expect(text).to_have_value(re.compile("betal depositumet"))
    assert barriers(page) == []


def test_a_case_without_credit_leads_to_its_payment(case: str, open_page: Open, keep: Keep, barriers: Barriers) -> None:
    page = open_page(case, **WIDE)
    page.get_by_label("Krevende sak").check()
    page.get_by_role("button", name="Bestem nivået").click()
    pay = page.get_by_role("link", name="Betal saken")
    expect(pay).to_have_attribute("href", f"https://betal.example.no/{case.rpartition('/')[2]}?niva=3")
    expect(page.locator("#standing")).to_contain_text("Venter på betaling")
    assert barriers(page) == []
    keep(page, "case-payment")
    page.get_by_role("link", name="Mer").click()
    page.get_by_text("Rett nivået").click()
    page.get_by_label("Enkel sak").check()
    page.get_by_role("button", name="Bestem nivået").click()
    expect(page.locator("#standing")).to_contain_text("I arbeid")


def test_a_case_is_closed_opened_again_exported_and_erased_only_when_one_is_sure(case: str, open_page: Open) -> None:
    page = open_page(f"{case}/mer", **WIDE)
    page.get_by_role("button", name="Avslutt saken").click()
    expect(page.locator("#gjort")).to_have_text("Saken er avsluttet.")
    expect(page.get_by_label("Ny melding")).to_have_count(0)
    page.get_by_role("link", name="Åpne saken igjen").click()
    page.get_by_role("button", name="Åpne saken igjen").click()
    page.get_by_role("link", name="Mer").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Last ned saken").click()
    assert Path(download.value.path()).read_bytes().startswith(b"PK")
    page.get_by_text("Slett saken for godt").click()
    page.get_by_role("button", name="Slett", exact=True).click()
    expect(page.get_by_label("Jeg er sikker på at saken skal slettes")).to_be_visible()
    page.get_by_label("Jeg er sikker på at saken skal slettes").check()
    page.get_by_role("button", name="Slett", exact=True).click()
    expect(page.locator("#gjort")).to_have_text("Saken er slettet for godt.")
    assert page.request.get(case).status == 404


@pytest.mark.parametrize(
    ("language", "menu"),
    [
        ("nb", "Samtale Opplysninger Parter Dokumenter Rettskilder Utkast Historikk Mer"),
        ("nn", "Samtale Opplysningar Partar Dokument Rettskjelder Utkast Historikk Meir"),
        ("en", "Conversation Details Parties Documents Law Drafts History More"),
    ],
)
def test_the_pages_are_in_three_languages(case: str, open_page: Open, language: str, menu: str) -> None:
    page = open_page(f"{case}?lang={language}", **WIDE)
    for name in menu.split():
        page.locator(".tabs").get_by_role("link", name=name, exact=True).click()
        expect(page.locator(".tabs [aria-current]")).to_have_text(name)
        expect(page.locator("html")).to_have_attribute("lang", language)


def test_a_case_is_worked_on_by_keyboard_alone(case: str, open_page: Open) -> None:
    page = open_page(f"{case}/opplysninger", **WIDE)

    def tab_to(words: str) -> None:
        for _ in range(60):
            page.keyboard.press("Tab")
            if words in str(page.evaluate("document.activeElement.innerText || document.activeElement.name")):
                return
        raise AssertionError(f"the keyboard does not reach {words}")

    tab_to("Legg til et mål")
    page.keyboard.press("Enter")
    tab_to("words")
    page.keyboard.type("Få depositumet tilbake")
    tab_to("Legg til")
    page.keyboard.press("Enter")
    expect(page.locator("#gjort")).to_be_focused()
    expect(page.locator("main")).to_contain_text("Få depositumet tilbake")


def test_on_a_phone_without_scripts_everything_is_done_by_forms(open_page: Open, keep: Keep) -> None:
    page = open_page("/saker", java_script_enabled=False, **PHONE)
    if page.get_by_label("Tittel").is_hidden():
        page.get_by_text("Ny sak", exact=True).click()
    page.get_by_label("Tittel").fill("Uten skript")
    page.get_by_label("Hva har skjedd?").fill(STORY)
    page.get_by_role("button", name="Opprett sak").click()
    page.get_by_label("Ny melding").fill(ASKED)
    page.get_by_role("button", name="Send").click()
    expect(page.locator(".by-assistant")).to_contain_text(WORDS)
    keep(page, "case-plain")
    page.get_by_role("link", name="Dokumenter").click()
    content = b"Kvittering for depositumet.\n" * 40_000
    page.locator("input[type=file]").set_input_files(
        {"name": "kvittering på leie.txt", "mimeType": "text/plain", "buffer": content}
    )
    page.get_by_role("button", name="Legg til dokument").click()
    expect(page.locator(".state-ready")).to_have_count(1, timeout=120_000)
    expect(page.locator("#documents h3")).to_have_text("kvittering på leie.txt")
    page.get_by_role("link", name="Utkast").click()
    page.get_by_role("link", name="Skriv fra bunnen av").click()
    page.get_by_label("Teksten").fill("Jeg venter på svar.")
    page.get_by_role("button", name="Lag utkastet").click()
    expect(page.locator("#gjort")).to_have_text("Utkastet er lagret som en ny revisjon.")


@pytest.mark.parametrize(
    "look",
    [
        pytest.param({**PHONE, "color_scheme": "dark", "reduced_motion": "reduce"}, id="phone-dark"),
        pytest.param(WIDE, id="wide", marks=pytest.mark.slow),
        pytest.param(PHONE, id="phone", marks=pytest.mark.slow),
    ],
)
def test_every_view_fits_and_shuts_nobody_out(
    case: str, open_page: Open, keep: Keep, barriers: Barriers, look: dict[str, Any], request: pytest.FixtureRequest
) -> None:
    page = open_page("/saker", **look)
    for view in ("/saker", *(f"{case}{end}" for end in VIEWS), f"{case}/historikk/1"):
        page.goto(view)
        page.evaluate("document.querySelectorAll('main details').forEach((one) => { one.open = true; })")
        assert barriers(page) == [], view
        assert fits(page), view
        keep(page, f"{request.node.callspec.id}-case{view.removeprefix(case).replace('/', '-')}")
