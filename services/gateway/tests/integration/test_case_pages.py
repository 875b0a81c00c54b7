"""The pages of cases by HTTP, with a cases service that answers by the book. How they move is tested in a browser."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from lovsvar_chassis.problems import problem
from lovsvar_contracts import case_credit, case_documents, case_drafts, cases, subjects
from lovsvar_contracts.case_details import CaseDetails, Fact, FoundText, LegalResearch, Phase
from lovsvar_contracts.problems import ProblemType
from lovsvar_gateway import case_examples
from lovsvar_gateway.adapters.key_file import write_keys
from lovsvar_gateway.core.access import KeyRing, Limits, Scope, new_key

ID = case_examples.ID
CASE = f"/saker/{ID}"
EVIL = "<script>alert(1)</script>"
VIEWS = {
    "/saker": "Depositum",
    CASE: "Samtale",
    f"{CASE}/opplysninger": "Jeg flyttet ut.",
    f"{CASE}/parter": "Nordmann",
    f"{CASE}/dokumenter": "Leiekontrakt.pdf",
    f"{CASE}/dokumenter/{ID}": case_examples.WORDS,
    f"{CASE}/rettskilder": "Ingenting er funnet ennå.",
    f"{CASE}/utkast": "Krav om tilbakebetaling av depositum",
    f"{CASE}/utkast/ny": "Teksten",
    f"{CASE}/utkast/ny?mal=krav-depositum": "Hvor stort er depositumet?",
    f"{CASE}/utkast/{ID}": "Jeg krever depositumet tilbake",
    f"{CASE}/historikk": "Versjon 2",
    f"{CASE}/historikk/2": "Slik var saken",
    f"{CASE}/mer": "3 igjen",
}
FORMS = ("", "/opplysninger", "/parter", "/dokumenter", "/dokumenter/ny", "/rettskilder", "/utkast/ny", "/mer")


@pytest.fixture
def behind(shared_behind: Any) -> Any:
    """The services behind, which all tests here use."""
    return shared_behind


def asked(behind: Any, kind: type) -> Any:
    return next(one for one in reversed(behind.asked) if isinstance(one, kind))


def changed(**more: Any) -> cases.Case:
    """The case of the examples with another state."""
    return case_examples.CASE.model_copy(update={"state": case_examples.STATE.model_copy(update=more)})


@pytest.mark.parametrize("language", ["nb", "nn", "en"])
async def test_every_view_is_shown_in_every_language_and_stored_nowhere(
    gateway: Any, behind: Any, language: str
) -> None:
    for path, words in VIEWS.items():
        await view(gateway, path, words, language)


async def view(gateway: Any, path: str, words: str, language: str) -> None:
    answer = await gateway.client.get(path, headers={"Cookie": f"lovsvar-language={language}"})
    assert answer.status_code == 200, answer.text
    assert answer.headers["Cache-Control"] == "no-store"
    assert "script-src 'self'" in answer.headers["Content-Security-Policy"]
    assert f'<html lang="{language}">' in answer.text
    assert '<a href="/saker" aria-current="page">' in answer.text
    if language == "nb":
        assert words in answer.text
    head = await gateway.client.head(path)
    assert (head.status_code, head.content) == (200, b"")


async def test_a_form_of_another_site_does_nothing(gateway: Any, behind: Any) -> None:
    form = {"do": "erase", "sure": "1", "message": "x", "firstName": "x"}
    for path in ("/saker", *(f"{CASE}{end}" for end in FORMS)):
        answer = await gateway.client.post(path, data=form, headers={"Sec-Fetch-Site": "cross-site"})
        assert (answer.status_code, behind.asked) == (403, []), path


async def test_what_a_case_says_is_text_and_a_link_leads_to_the_web_or_nowhere(gateway: Any, behind: Any) -> None:
    found = [
        FoundText(doc_id=EVIL, title=EVIL, url="javascript:alert(1)"),
        FoundText(doc_id="b", title="b", url="//evil.example.no"),
        FoundText(doc_id="c", title="c", url="https://lovdata.no/c"),
    ]
    details = CaseDetails(facts=(Fact(fact=EVIL, source=EVIL),), legal_research=LegalResearch(legislation=found))
    behind.reply[subjects.CASES_READ] = changed(title=EVIL, details=details)
    for path in (f"{CASE}/opplysninger", f"{CASE}/rettskilder", f"{CASE}/historikk/1"):
        text = (await gateway.client.get(path)).text
        assert EVIL not in text
        assert "&lt;script&gt;" in text
        assert "javascript:" not in text
        assert 'href="//' not in text
    assert 'href="https://lovdata.no/c"' in (await gateway.client.get(f"{CASE}/rettskilder")).text


async def test_a_form_is_the_request_that_its_route_makes(gateway: Any, behind: Any) -> None:
    form = {"do": "change", "list": "facts", "place": "0", "version": "3", "once": ID, "fact": "Jeg flyttet i mai."}
    answer = await gateway.client.post(f"{CASE}/opplysninger", data=form)
    assert answer.headers["Location"] == f"{CASE}/opplysninger?gjort=saved#gjort"
    update = asked(behind, cases.UpdateCase)
    assert (update.expected_version, update.updates["facts.0"]["fact"]) == (3, "Jeg flyttet i mai.")
    await gateway.client.post(f"{CASE}/opplysninger", data=form)
    assert asked(behind, cases.UpdateCase).request_id == update.request_id
    await gateway.client.post(f"{CASE}/opplysninger", data={**form, "fact": "Nei, i juni."})
    assert asked(behind, cases.UpdateCase).request_id != update.request_id
    await gateway.client.post(f"{CASE}/parter", data={"party_id": "party0", "kind": "person", "phone": ""})
    assert asked(behind, cases.SetParty).fields == {"phone": None}
    await gateway.client.post(f"{CASE}/mer", data={"do": "tier", "tier": "2", "reason": "Flere parter"})
    assert (asked(behind, case_credit.SetTier).tier, asked(behind, case_credit.SetTier).reason) == (2, "Flere parter")
    assert (await gateway.client.post(f"{CASE}/mer", data={"do": "erase"})).status_code == 422
    assert not [one for one in behind.asked if isinstance(one, cases.EraseCase)]


async def test_a_draft_of_a_template_takes_what_the_template_asks_for(gateway: Any, behind: Any) -> None:
    form = {
        "template": "krav-depositum",
        "value-belop": "30 000 kr",
        "sender": "party0",
        "place": "Oslo",
        "name": "Krav",
    }
    answer = await gateway.client.post(f"{CASE}/utkast/ny", data=form)
    assert answer.headers["Location"] == f"{CASE}/utkast/{ID}?gjort=draft#gjort"
    written = asked(behind, case_drafts.WriteDraft)
    assert (written.values, written.head.place, written.markdown) == ({"belop": "30 000 kr"}, "Oslo", None)
    detail = "Utkastet kan ikke fylles ut. {{belop}}: Hvor stort er depositumet?"
    behind.reply[subjects.CASES_WRITE_DRAFT] = problem(ProblemType.INVALID_REQUEST, detail)
    refused = await gateway.client.post(f"{CASE}/utkast/ny", data={**form, "value-belop": "mye"})
    assert refused.status_code == 422
    assert 'name="value-belop" rows="2" maxlength="4000" required aria-invalid="true" aria-describedby="feil"' in (
        refused.text
    )
    assert ">mye</textarea>" in refused.text


async def test_a_draft_may_have_as_many_words_as_its_contract_says(gateway: Any, behind: Any) -> None:
    words = "å" * 99_000
    answer = await gateway.client.post(f"{CASE}/utkast/{ID}", data={"markdown": words, "revision": "2"})
    assert answer.status_code == 303, answer.text[:500]
    assert (asked(behind, case_drafts.WriteDraft).markdown, asked(behind, case_drafts.WriteDraft).revision) == (
        words,
        2,
    )


async def test_a_file_of_a_form_is_handed_in_by_parts(gateway: Any, behind: Any) -> None:
    content = b"x" * (case_documents.PART_BYTES + 1)
    files = {"file": ("C:\\Leie\\kontrakt på leie.pdf", content, "application/pdf")}
    answer = await gateway.client.post(f"{CASE}/dokumenter/ny", data={"once": ID}, files=files)
    assert answer.headers["Location"] == f"{CASE}/dokumenter?gjort=document_added#gjort"
    handed_in = [one for one in behind.asked if isinstance(one, case_documents.AddDocumentPart)]
    assert [one.number for one in handed_in] == [0, 1]
    finished = asked(behind, case_documents.FinishDocument)
    assert (finished.name, finished.parts) == ("kontrakt på leie.pdf", 2)
    behind.reply[subjects.CASES_FINISH_DOCUMENT] = problem(ProblemType.INVALID_REQUEST, "Filtypen kan ikke leses.")
    refused = await gateway.client.post(f"{CASE}/dokumenter/ny", files=files)
    assert (refused.status_code, "Filtypen kan ikke leses." in refused.text) == (422, True)
    none = await gateway.client.post(f"{CASE}/dokumenter/ny", data={"once": ID})
    assert (none.status_code, "Last siden på nytt" in none.text) == (422, True)


async def test_words_that_are_searched_for_are_in_no_address(gateway: Any, behind: Any) -> None:
    answer = await gateway.client.post(f"{CASE}/dokumenter", data={"query": "hemmelig"})
    assert (answer.status_code, asked(behind, case_documents.SearchDocuments).query) == (200, "hemmelig")
    assert f'<a href="{CASE}/dokumenter/{ID}?side=2#side-2">Leiekontrakt.pdf, side 2</a>' in answer.text


async def test_a_message_begins_a_run_that_is_stopped_from_its_page_and_by_its_route(gateway: Any, behind: Any) -> None:
    working = changed(details=CaseDetails.model_validate({"case_processing_state": {"run_id": ID}}), phase=Phase.ACTIVE)
    behind.reply[subjects.CASES_READ] = working
    behind.reply[subjects.CASES_SHOW] = cases.ShownData(data={"events": []})
    answer = await gateway.client.post(CASE, data={"message": "Hva gjør jeg?", "once": ID})
    assert answer.headers["Location"] == f"{CASE}#siste"
    page = (await gateway.client.get(CASE)).text
    assert f'data-address="/v1/cases/{ID}/messages/{ID}"' in page
    assert f'<meta http-equiv="refresh" content="3; url={CASE}">' in page
    assert 'id="say"' not in page
    stopped = await gateway.client.post(CASE, data={"do": "stop", "run": ID})
    assert stopped.status_code == 303
    assert (await gateway.client.get(f"/v1/cases/{ID}/messages/{ID}")).json()["status"] == "cancelled"
    assert (await gateway.client.delete(f"/v1/cases/{ID}/messages/{ID}")).status_code == 204
    assert 'id="say"' in (await gateway.client.get(CASE)).text


@pytest.mark.parametrize("run_id", ["", "*", ">", "a.b"])
async def test_what_names_no_run_stops_none(gateway: Any, behind: Any, run_id: str) -> None:
    answer = await gateway.client.post(CASE, data={"do": "stop", "run": run_id})
    assert answer.status_code == 422


async def test_an_archive_is_whole_though_the_case_names_a_draft_that_there_is_not(gateway: Any, behind: Any) -> None:
    named = {"draft_status": [{"draft_id": "made-up", "name": "Brev", "revision": 10**9}]}
    behind.reply[subjects.CASES_READ] = changed(details=CaseDetails.model_validate(named))
    behind.reply[subjects.CASES_READ_DRAFT] = problem(ProblemType.NOT_FOUND, "Fant ikke utkastet.")
    answer = await gateway.client.get(f"/v1/cases/{ID}/export")
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        missing = json.loads(archive.read("innhold.json"))["missing"]
    assert [one["name"] for one in missing] == ["utkast/made-up/1.json"]


async def test_a_message_that_was_kept_before_a_payment_is_not_asked_for_again(gateway: Any, behind: Any) -> None:
    said = {"agent_interactions": {"log": [{"by": "person", "text": "Hva gjør jeg?", "run_id": ID}]}}
    behind.reply[subjects.CASES_READ] = changed(phase=Phase.PAYMENT, details=CaseDetails.model_validate(said))
    detail = "Meldingen er lagret. Saken venter på betaling, og arbeidet begynner først etter det."
    behind.reply[subjects.CASES_MESSAGE] = problem(ProblemType.CONFLICT, detail)
    answer = await gateway.client.post(CASE, data={"message": "Hva gjør jeg?"})
    assert (answer.status_code, detail in answer.text) == (409, True)
    assert ">Hva gjør jeg?</textarea>" not in answer.text
    assert "Her er det ingen betalingsside." in answer.text


async def test_a_key_without_the_scope_of_cases_sees_none(
    nats_url: str, behind: Any, start_gateway: Any, tmp_path: Path
) -> None:
    made = {name: new_key(name, [scope], Limits()) for name, scope in (("own", Scope.CASES), ("ask", Scope.ASK))}
    write_keys(tmp_path / "keys.json", KeyRing(keys=tuple(key for _, key in made.values())))
    async with start_gateway(nats_url, api_keys_file=tmp_path / "keys.json") as gateway:
        for name, status in (("own", 200), ("ask", 403)):
            headers = {"Authorization": f"Bearer {made[name][0]}", "Accept": "text/html"}
            assert (await gateway.client.get(CASE, headers=headers)).status_code == status
        assert (await gateway.client.get(CASE, headers={"Accept": "text/html"})).status_code == 401
