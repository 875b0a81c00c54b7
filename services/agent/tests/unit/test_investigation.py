"""An answer made of quotes, by what search finds likely."""

import pytest

from lovsvar_agent.adapters.memory_search import ANSWERS, MemorySearch
from lovsvar_agent.adapters.memory_sink import MemorySink
from lovsvar_agent.core.answerability import SURE
from lovsvar_agent.core.modes import Answerer
from lovsvar_agent.core.run import Limits
from lovsvar_agent.core.takeover import Attempt
from lovsvar_contracts.questions import Answer, QuestionAsked
from lovsvar_contracts.run_events import AnswerCompleted
from lovsvar_contracts.search import FindProvisions, ProvisionHits

LAY = "Jolla fikk en bulk. Hvor fort skal han få vite det?"


async def ask(question: str, search: MemorySearch) -> Answer:
    sink = MemorySink()
    await Answerer(search, Limits()).answer(QuestionAsked(question=question), Attempt(), sink)
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


async def test_what_is_not_likely_enough_is_suggested_and_not_quoted(corpus) -> None:
    assert not (await ask(LAY, MemorySearch(corpus, similar={"§4-1": (ANSWERS, 1)}))).insufficient
    answer = await ask(LAY, MemorySearch(corpus, similar={"§4-1": (ANSWERS - 0.01, 1)}))
    assert answer.insufficient
    assert answer.suggestions[0].section == "§4-1"


@pytest.mark.parametrize("question", ["Hva sier dansk lov om pant?", "Hvor lenge kan en båt lånes i USA?"])
async def test_norwegian_law_does_not_answer_for_another_country(corpus, question: str) -> None:
    assert (await ask(question, MemorySearch(corpus, similar={"§3-2": (1.0, 1)}))).insufficient


async def test_a_provision_that_the_question_names_answers_for_another_country_too(corpus) -> None:
    answer = await ask("Gjelder båtleieloven § 4-1 i Danmark?", MemorySearch(corpus))
    assert [c.section for c in answer.citations] == ["§4-1"]


async def test_a_question_that_is_set_abroad_is_answered_by_what_is_sure(corpus) -> None:
    question = "Jeg fikk en bulk i jolla i Danmark. Hvor fort skal eieren få vite det?"
    answer = await ask(question, MemorySearch(corpus, similar={"§4-1": (SURE, 1)}))
    assert [c.section for c in answer.citations] == ["§4-1"]
    assert (await ask(question, MemorySearch(corpus, similar={"§4-1": (SURE - 0.01, 1)}))).insufficient


async def test_what_comes_close_to_the_best_is_quoted_beside_it(corpus) -> None:
    answer = await ask(LAY, MemorySearch(corpus, similar={"§4-1": (0.9, 1), "§7": (0.55, 1), "§1-1": (0.5, 1)}))
    assert [c.section for c in answer.citations] == ["§4-1", "§7"]


async def test_a_question_without_words_of_its_own_is_not_answered_by_what_is_likely(corpus) -> None:
    assert (await ask("Kan du hjelpe meg?", MemorySearch(corpus, similar={"§4-1": (SURE, 1)}))).insufficient


class Misspelt(MemorySearch):
    """Finds nothing for a whole question, and says which word is near one of it."""

    async def find(self, request: FindProvisions) -> ProvisionHits:
        found = await super().find(request)
        if not request.query.endswith("?"):
            return found
        return found.model_copy(update={"hits": (), "total": 0, "answers": False, "did_you_mean": ("pant",)})


async def test_where_nothing_answers_the_words_that_may_be_meant_are_named(corpus) -> None:
    answer = await ask("Hvor mye panntt kan båteieren kreve?", Misspelt(corpus))
    assert answer.insufficient
    assert answer.suggestions, "the second search found something near"
    assert "Mente du «pant»?" in answer.answer_text


async def test_where_something_answers_nothing_else_is_said_to_be_meant(corpus) -> None:
    answer = await ask("Kan båteieren kreve pant, dekning, båtleie eller panntt?", Misspelt(corpus))
    assert [c.section for c in answer.citations] == ["§3-2"]
    assert "Mente du" not in answer.answer_text
