"""What to do next and whom to call, in answers with and without a model."""

import pytest

from lovsvar_agent.adapters.guidance_files import read_guidance
from lovsvar_agent.adapters.memory_search import MemorySearch
from lovsvar_agent.adapters.memory_sink import MemorySink
from lovsvar_agent.core.guidance.library import Guidance
from lovsvar_agent.core.guidance.situations import parse_situations
from lovsvar_agent.core.modes import Answerer
from lovsvar_agent.core.run import Limits
from lovsvar_agent.core.takeover import Attempt
from lovsvar_contracts.blocks import Emergency, Situation
from lovsvar_contracts.questions import Answer, QuestionAsked
from lovsvar_contracts.run_events import AnswerCompleted, CitationVerified, ToolCalled

SITUATIONS = """
[[situation]]
id = "withheld"
title = {nb = "Pantet holdes igjen", nn = "Pantet blir halde att", en = "Your security is withheld"}
provisions = ["lov/2999-01-01-1/§3-2"]
words = ["pant"]
steps = {nb = ["Be om pantet."], nn = ["Be om pantet."], en = ["Ask for it."]}
deadline = {provision = "lov/2999-01-01-1/§4-1", ledd = 1, sentence = 1, nb = "Innen ti dager", nn = "Innan ti dagar", en = "Within ten days"}
body = {nb = "Båttilsynet", nn = "Båttilsynet", en = "Boat Authority", does = {nb = "Hjelper", nn = "Hjelper", en = "Helps"}, url = "https://www.example.no"}
checked = 2026-11-24
"""  # noqa: E501

QUESTION = "Hvor mye kan båteieren kreve i pant?"
PLEDGE = ["lovdata-1", "Båteieren kan kreve at låntakeren stiller pant."]


@pytest.fixture
def guidance() -> Guidance:
    return Guidance(situations=parse_situations(SITUATIONS))


async def ask(search: MemorySearch, guidance: Guidance, question: str, **limits: int) -> tuple[Answer, MemorySink]:
    sink = MemorySink()
    answerer = Answerer(search, Limits(**limits), guidance=guidance)
    await answerer.answer(QuestionAsked(question=question), Attempt(), sink)
    return next(e.answer for e in sink.events if isinstance(e, AnswerCompleted)), sink


def of(answer: Answer, kind: type) -> list:
    return [block for block in answer.blocks if isinstance(block, kind)]


async def test_quotes_are_followed_by_what_to_do_next_with_a_deadline_that_is_proven(corpus, guidance) -> None:
    answer, sink = await ask(MemorySearch(corpus, similar={"§3-2": (1.0, 1)}), guidance, QUESTION)
    (situation,) = of(answer, Situation)
    (number,) = situation.facts[0].words[0].citations
    proof = next(citation for citation in answer.citations if citation.number == number)
    assert (proof.section, proof.quote, proof.verified) == ("§4-1", corpus[2].text, True)
    assert proof in [e.citation for e in sink.events if isinstance(e, CitationVerified)]
    assert "Sist kontrollert 24.11.2026" in answer.answer_text


async def test_the_provision_of_the_deadline_is_read_when_it_was_not_found(corpus, guidance) -> None:
    search = MemorySearch(corpus, similar={"§3-2": (1.0, 1)})
    answer, sink = await ask(search, guidance, "Pant?")
    read = [
        call.arguments["provisions"]
        for call in sink.events
        if isinstance(call, ToolCalled)
        if "provisions" in call.arguments
    ]
    assert read[-1] == [{"document": "lov/2999-01-01-1", "section": "§4-1"}]
    assert any(citation.section == "§4-1" for citation in answer.citations)


async def test_without_a_call_left_the_deadline_names_its_provision(corpus, guidance) -> None:
    answer, _ = await ask(MemorySearch(corpus, similar={"§3-2": (1.0, 1)}), guidance, "Pant?", tool_calls=2)
    (situation,) = of(answer, Situation)
    assert situation.facts[0].words[0].text == "Innen ti dager (lov/2999-01-01-1 § 4-1)"


async def test_an_answer_that_belongs_to_no_situation_has_none(corpus, guidance) -> None:
    answer, _ = await ask(MemorySearch(corpus), guidance, "Når skal festen være slutt om natten?")
    assert of(answer, Situation) == []


async def test_danger_comes_first_without_a_model(corpus, guidance) -> None:
    answer, _ = await ask(MemorySearch(corpus), guidance, "Mannen min slår meg. Hvem får båten?")
    assert isinstance(answer.blocks[0], Emergency)
    assert answer.answer_text.index("112") < 150


async def test_a_model_reads_the_situation_and_its_answer_ends_with_it(reason, corpus, guidance) -> None:
    script = [
        {"calls": [{"search_lovdata_legal_documents": {"query": "pant båteier"}}]},
        {"final": {"answer": "Eieren kan kreve pant [lovdata-1].", "citations": [PLEDGE], "insufficient": False}},
    ]
    search = MemorySearch(corpus, similar={"§3-2": (1.0, 1)})
    done = await reason(script, "Mannen min slår meg. Kan båteieren kreve pant?", search=search, guidance=guidance)
    assert "<veiledning>\nPantet holdes igjen\n1. Be om pantet." in done.said(0)
    assert isinstance(done.answer.blocks[0], Emergency)
    last = done.answer.blocks[-1]
    assert isinstance(last, Situation)
    assert last.facts[0].words[0].citations == (2,)
    assert [(c.number, c.section) for c in done.answer.citations] == [(1, "§3-2"), (2, "§4-1")]


def test_the_packaged_files_are_read() -> None:
    guidance = read_guidance()
    found = guidance.situation("Jeg er sagt opp", [("lov/2005-06-17-62", "§15-7")])
    assert found is not None
    assert found.id == "dismissed"
