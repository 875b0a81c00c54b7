"""An answer made of quotes, by words and by meaning."""

import pytest

from lovsvar_agent.adapters.memory_search import MemorySearch
from lovsvar_agent.adapters.memory_sink import MemorySink
from lovsvar_agent.core.answering import answer_question
from lovsvar_agent.core.deciding import LIKELY, SURE
from lovsvar_agent.core.run import Limits
from lovsvar_contracts.questions import Answer, QuestionAsked
from lovsvar_contracts.run_events import AnswerCompleted

LAY = "Jolla fikk en bulk. Hvor fort skal han få vite det?"


async def ask(question: str, search: MemorySearch) -> Answer:
    sink = MemorySink()
    await answer_question(QuestionAsked(question=question), 1, search=search, sink=sink, limits=Limits())
    (answer,) = [e.answer for e in sink.events if isinstance(e, AnswerCompleted)]
    return answer


async def test_a_lay_question_is_answered_by_the_provision_that_means_the_same(corpus) -> None:
    answer = await ask(LAY, MemorySearch(corpus, similar={"§4-1": (SURE, 1)}))
    assert [(c.section, c.ledd) for c in answer.citations] == [("§4-1", 1)]
    assert (await ask(LAY, MemorySearch(corpus))).insufficient


async def test_an_english_question_is_answered_with_the_ledd_that_search_found(corpus) -> None:
    search = MemorySearch(corpus, similar={"§3-2": (SURE, 2)})
    answer = await ask("Who keeps the security money while I rent a dinghy?", search)
    assert [(c.section, c.ledd) for c in answer.citations] == [("§3-2", 2)]


async def test_what_is_merely_near_is_suggested_and_not_quoted(corpus) -> None:
    answer = await ask(LAY, MemorySearch(corpus, similar={"§4-1": (LIKELY - 0.01, 1)}))
    assert answer.insufficient
    assert answer.suggestions[0].section == "§4-1"


@pytest.mark.parametrize("question", ["Hva sier dansk lov om pant?", "Hvor lenge kan en båt lånes i USA?"])
async def test_norwegian_law_does_not_answer_for_another_country(corpus, question: str) -> None:
    assert (await ask(question, MemorySearch(corpus, similar={"§3-2": (SURE, 1)}))).insufficient


async def test_a_provision_that_the_question_names_answers_for_another_country_too(corpus) -> None:
    answer = await ask("Gjelder båtleieloven § 4-1 i Danmark?", MemorySearch(corpus))
    assert [c.section for c in answer.citations] == ["§4-1"]
