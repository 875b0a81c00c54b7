"""Answers that are saved, read by their address, compared with the law of today and deleted; threads of follow-ups."""

import json
from datetime import date
from typing import Any

import pytest

from lovsvar_chassis.problems import problem
from lovsvar_chassis.run_log import Cursor
from lovsvar_contracts import subjects
from lovsvar_contracts.blocks import Quote
from lovsvar_contracts.message import new_id
from lovsvar_contracts.problems import ProblemType
from lovsvar_contracts.questions import Answer, Mode
from lovsvar_contracts.run_events import AnswerCompleted, RunAccepted, RunCompleted
from lovsvar_testkit.answers import make_answer, make_citation, make_evidence

QUESTION = "Hvor mye <leie>?"
BROWSER = {"Accept": "text/html"}


@pytest.fixture
def behind(shared_behind: Any) -> Any:
    """The services behind, which all tests here use."""
    return shared_behind


def answer_of(run_id: str, follows: str | None = None, question: str = QUESTION) -> Answer:
    source = make_evidence(5)
    cited = make_citation(1, "Første ledd.", source)
    return make_answer(
        Quote(citation=1),
        run_id=run_id,
        question=question,
        follows=follows,
        answer_text="x",
        mode=Mode.EXTRACTIVE,
        citations=(cited,),
        evidence=(source,),
        corpus_date=date(2026, 1, 31),
    )


@pytest.fixture
def answered(run_log: Any) -> Any:
    """Stores a run that has ended with an answer, and returns its id."""

    async def answered(question: str = QUESTION, follows: str | None = None, owner: str | None = None) -> str:
        run_id = new_id()
        accepted = RunAccepted(run_id=run_id, question=question, follows=follows, owner=owner)
        _, end = await run_log.append(accepted, Cursor())
        _, end = await run_log.append(AnswerCompleted(run_id=run_id, answer=answer_of(run_id, follows, question)), end)
        await run_log.append(RunCompleted(run_id=run_id), end)
        return run_id

    return answered


async def test_an_answer_is_saved_with_the_versions_it_cites_and_read_when_its_run_is_gone(
    gateway: Any, behind: Any, answered: Any, js: Any
) -> None:
    run_id = await answered()
    first = await gateway.client.post(f"/v1/questions/{run_id}/saved")
    assert (first.status_code, first.headers["Location"]) == (201, f"/v1/saved/{run_id}")
    again = await gateway.client.post(f"/v1/questions/{run_id}/saved")
    assert again.json()["event_id"] == first.json()["event_id"], "saved once"
    await js.purge_stream(subjects.STREAM_ANSWERS, subject=subjects.answer(run_id))
    kept = (await gateway.client.get(f"/v1/saved/{run_id}")).json()
    assert kept["answer"]["question"] == QUESTION
    (version,) = kept["versions"]
    assert (version["refid"], version["section"], version["content_hash"]) == ("lov/2999-01-01-1", "§3-5", "0")
    assert kept["expires_at"] > kept["occurred_at"]
    assert (await gateway.client.delete(f"/v1/saved/{run_id}")).status_code == 204
    assert (await gateway.client.get(f"/v1/saved/{run_id}")).status_code == 404
    assert (await gateway.client.delete(f"/v1/saved/{run_id}")).status_code == 404


async def test_what_is_deleted_can_be_saved_again(gateway: Any, behind: Any, answered: Any) -> None:
    run_id = await answered()
    await gateway.client.post(f"/v1/questions/{run_id}/saved")
    await gateway.client.delete(f"/v1/saved/{run_id}")
    assert (await gateway.client.post(f"/v1/questions/{run_id}/saved")).status_code == 201
    assert (await gateway.client.get(f"/v1/saved/{run_id}")).status_code == 200


async def test_a_run_that_goes_on_has_nothing_to_save(gateway: Any, behind: Any, run_log: Any) -> None:
    run_id = new_id()
    await run_log.append(RunAccepted(run_id=run_id, question=QUESTION), Cursor())
    assert (await gateway.client.post(f"/v1/questions/{run_id}/saved")).status_code == 422
    assert (await gateway.client.post(f"/v1/questions/{'0' * 32}/saved")).status_code == 404


async def test_the_page_saves_shows_and_deletes(gateway: Any, behind: Any, answered: Any) -> None:
    run_id = await answered()
    page = await gateway.client.get(f"/?run={run_id}")
    assert "Lagre svaret" in page.text
    saved = await gateway.client.post("/lagre", data={"run": run_id})
    assert (saved.status_code, saved.headers["Location"]) == (303, f"/lagret/{run_id}")
    shown = await gateway.client.get(saved.headers["Location"])
    assert "Hvor mye &lt;leie&gt;?" in shown.text
    assert "Samme tekst i dag" in shown.text
    assert 'name="robots" content="noindex"' in shown.text
    assert f"/lagret/{run_id}</p>" in shown.text, "printed with its own address"
    assert "Lagre svaret" not in shown.text
    deleted = await gateway.client.post("/lagret/slett", data={"run": run_id})
    assert deleted.headers["Location"] == "/"
    assert (await gateway.client.get(f"/lagret/{run_id}", headers=BROWSER)).status_code == 404


@pytest.mark.parametrize(("section", "state"), [("§3-5", "Teksten er endret"), ("§3-9", "Finnes ikke lenger her")])
async def test_a_saved_answer_says_where_the_law_has_changed_since(
    gateway: Any, behind: Any, answered: Any, js: Any, section: str, state: str
) -> None:
    run_id = await answered()
    kept = (await gateway.client.post(f"/v1/questions/{run_id}/saved")).json()
    assert "Loven er endret" not in (await gateway.client.get(f"/lagret/{run_id}")).text
    kept["versions"][0] |= {"content_hash": "other", "section": section}
    kept["answer"]["citations"][0]["section"] = section
    kept["answer"]["evidence"][0]["section"] = section
    await gateway.client.delete(f"/v1/saved/{run_id}")
    await js.publish(subjects.saved(run_id), json.dumps(kept).encode())
    page = (await gateway.client.get(f"/lagret/{run_id}")).text
    assert state in page
    assert "Loven er endret etter at svaret ble lagret" in page


async def test_a_saved_answer_is_shown_while_search_does_not_answer(gateway: Any, answered: Any, behind: Any) -> None:
    run_id = await answered()
    await gateway.client.post(f"/v1/questions/{run_id}/saved")
    behind.not_read = problem(ProblemType.NOT_READY, "Indeksen bygges.")
    page = await gateway.client.get(f"/lagret/{run_id}")
    assert page.status_code == 200
    assert "Kunne ikke sammenlignes nå" in page.text


@pytest.mark.parametrize("pattern", ["*", ">", "*.>", "", "a b"])
async def test_no_pattern_saves_or_deletes(gateway: Any, behind: Any, answered: Any, pattern: str) -> None:
    run_id = await answered()
    await gateway.client.post(f"/v1/questions/{run_id}/saved")
    assert (await gateway.client.post("/lagre", data={"run": pattern})).status_code == 404
    assert (await gateway.client.post("/lagret/slett", data={"run": pattern})).status_code == 404
    assert (await gateway.client.get(f"/v1/saved/{run_id}")).status_code == 200


async def test_another_site_cannot_save_or_delete(gateway: Any, behind: Any, answered: Any) -> None:
    run_id, foreign = await answered(), {"Sec-Fetch-Site": "cross-site"}
    await gateway.client.post("/lagre", data={"run": run_id}, headers=foreign)
    assert (await gateway.client.get(f"/v1/saved/{run_id}")).status_code == 404
    await gateway.client.post("/lagre", data={"run": run_id})
    await gateway.client.post("/lagret/slett", data={"run": run_id}, headers=foreign)
    assert (await gateway.client.get(f"/v1/saved/{run_id}")).status_code == 200


async def test_the_questions_and_answers_before_are_on_the_page(
    gateway: Any, behind: Any, answered: Any, js: Any
) -> None:
    first = await answered("Hva <først>?")
    second = await answered("Hva så?", first)
    third = await answered("Og nå?", second)
    thread = (await gateway.client.get(f"/v1/questions/{third}/thread")).json()
    assert [a["question"] for a in thread["answers"]] == ["Hva <først>?", "Hva så?"]
    assert (thread["lost"], thread["more"]) == (False, None)
    page = (await gateway.client.get(f"/?run={third}")).text
    assert page.index("Hva &lt;først&gt;?") < page.index('<span class="asked">Hva så?') < page.index("<h1")
    assert page.count("<blockquote") == 3
    assert page.count('id="sitat-1"') == 1
    await js.purge_stream(subjects.STREAM_ANSWERS, subject=subjects.answer(first))
    assert (await gateway.client.get(f"/v1/questions/{third}/thread")).json()["lost"] is True
    page = (await gateway.client.get(f"/?run={third}")).text
    assert "Følger opp et spørsmål som ikke er her lenger." in page
    assert "Hva så?" in page


async def test_a_long_thread_leads_on_to_what_came_before(gateway: Any, behind: Any, answered: Any) -> None:
    runs: list[str] = []
    for number in range(11):
        runs.append(await answered(f"Hva er {number}?", runs[-1] if runs else None))
    thread = (await gateway.client.get(f"/v1/questions/{runs[-1]}/thread")).json()
    assert [a["question"] for a in thread["answers"]] == [f"Hva er {n}?" for n in range(2, 10)]
    assert thread["more"] == runs[1]
    assert f'href="/?run={runs[1]}"' in (await gateway.client.get(f"/?run={runs[-1]}")).text


async def test_a_long_question_is_folded(gateway: Any, behind: Any, answered: Any) -> None:
    page = (await gateway.client.get(f"/?run={await answered('Jeg har en lang historie. ' * 20)}")).text
    assert '<h1 class="question long">Jeg har en lang historie.' in page
    assert " …</h1>" in page
    assert "Vis hele spørsmålet" in page
