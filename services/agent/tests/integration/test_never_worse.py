"""When a model fails, the answer is what it would have been without one, and says that the model failed."""

import pytest

from lovsvar_agent.adapters.memory_search import MemorySearch
from lovsvar_contracts.blocks import Quote
from lovsvar_contracts.problems import Problem, ProblemError, ProblemType
from lovsvar_contracts.questions import Answer, Mode, QuestionAsked, Tier
from lovsvar_contracts.run_events import (
    AnswerDelta,
    CitationRejected,
    CitationVerified,
    RunFailed,
    RunLimitReached,
    SourcesFound,
    StepStarted,
    ToolCalled,
)

QUESTION = "Hvor mye kan båteieren kreve i pant?"
SEARCH = {"calls": [{"search_lovdata_legal_documents": {"query": "pant båteieren"}}]}
HOLDS = ["lovdata-1", "Pantet kan være på høyst fire ukers båtleie"]
NB = "Språkmodellen svarte ikke. Dette er hentet direkte fra loven."

DOWN = {"status": 500, "headers": {"retry-after": "0"}}
"""A server that is down, and asks for no pause."""


def quoted(answer: Answer) -> list[tuple[str | None, str]]:
    return [(c.section, c.quote) for c in answer.citations]


@pytest.mark.parametrize("mode", [Mode.AGENT, Mode.DIRECT])
@pytest.mark.parametrize(
    "failing",
    [
        {"status": 400, "message": "tools is not supported"},
        {"status": 401},
        {"status": 403},
        {"status": 404},
        {"status": 422},
        DOWN,
        {"text": "", "cut": 40},
        {"text": "{", "finish": None, "error": {"message": "overloaded"}},
        {"raw": []},
        {"text": ""},
        {"text": "Beklager, det kan jeg ikke svare på."},
        {"text": "<think>hm"},
        {"json": {"answer": "3039", "citations": []}},
        {"json": {"answer": "658", "citations": [HOLDS]}},
        {"json": {"answer": "Ja", "citations": [HOLDS]}},
        {"json": {"answer": "Nei.", "citations": []}},
        {"json": {"answer": "Pant er gratis.", "citations": [["lovdata-1", "pant er gratis"]]}},
        {"json": {"answer": "Følg lenken for å få svar.", "citations": [HOLDS]}},
    ],
    ids=lambda reply: str(reply.get("status") or reply.get("json", {}).get("answer") or next(iter(reply))),
)
async def test_a_model_that_gives_nothing_that_holds_leaves_the_answer_without_a_model(reason, failing, mode) -> None:
    without = await reason([], QUESTION, mode=Mode.EXTRACTIVE)
    done = await reason([{**failing, "repeat": True}], QUESTION, mode=mode, patience=0.1, pause=0.01)
    assert done.types[-1] in {"run.completed", "run.limit_reached"}
    assert done.answer.fallback in {"model_failed", "model_unverified"}
    assert done.answer.mode is mode
    assert quoted(done.answer) == quoted(without.answer)
    assert done.answer.tier is without.answer.tier is Tier.ANSWERS
    assert done.answer.insufficient is False
    assert "Språkmodellen" in done.answer.answer_text and "strekker ikke til" not in done.answer.answer_text
    assert done.answer.answer_text.split("\n")[0].startswith("Språkmodellen")


async def test_what_the_model_found_before_it_failed_keeps_its_ids(reason) -> None:
    done = await reason([SEARCH, {**DOWN, "repeat": True}], QUESTION, patience=0.1, pause=0.01)
    found = [e for event in done.of(SourcesFound) for e in event.evidence]
    assert len({e.evidence_id for e in found}) == len({(e.refid, e.section) for e in found}) == len(found)
    assert [c.evidence_id for c in done.answer.citations] == ["lovdata-1"]
    assert done.answer.answer_text.startswith(NB)


@pytest.mark.parametrize(
    ("locale", "words"),
    [
        ("nb", NB),
        ("nn", "Språkmodellen svarte ikkje. Dette er henta direkte frå lova."),
        ("en", "The language model did not answer. This is taken directly from the law."),
    ],
)
async def test_it_is_said_in_the_language_of_the_question(reason, locale: str, words: str) -> None:
    questions = {"nb": QUESTION, "nn": "Kor mykje pant kan båteigaren krevje?", "en": "How much båtleie is the pant?"}
    done = await reason([{"status": 401}], QuestionAsked(question=questions[locale]))
    assert done.answer.answer_text.startswith(words)


async def test_each_quote_is_verified_by_an_event_and_the_draft_begins_again(reason) -> None:
    lost = {
        "json": {"answer": "Pant er alltid helt gratis i Norge.", "citations": [["lovdata-1", "pant er gratis nå"]]}
    }
    done = await reason([SEARCH, {**lost, "repeat": True}], QUESTION)
    assert [e.citation for e in done.of(CitationVerified)] == list(done.answer.citations)
    assert "pant er gratis nå" in [e.quote for e in done.of(CitationRejected)]
    assert "pant er gratis nå" in [r.quote for r in done.answer.rejected]
    begun = [n for n, delta in enumerate(done.of(AnswerDelta)) if delta.restart]
    shown = "".join(delta.text for delta in done.of(AnswerDelta)[begun[-1] :])
    assert "gratis" not in shown and "fire ukers båtleie" in shown
    assert sum(isinstance(b, Quote) for b in done.answer.blocks) == len(done.answer.citations)


@pytest.mark.parametrize(
    "limit", [{"rounds": 1}, {"tokens": 100}, {"cost_usd": 0.0001, "price": 1000.0}, {"tool_calls": 2}]
)
async def test_at_a_limit_the_answer_is_the_best_there_is(reason, limit: dict) -> None:
    done = await reason([SEARCH, {**SEARCH, "repeat": True}], QUESTION, **limit)
    assert [len(done.of(RunLimitReached))] == [1]
    assert done.answer.fallback is not None
    assert [c.section for c in done.answer.citations] == ["§3-2"]
    assert "stanset ved en grense" in done.answer.answer_text


async def test_without_a_call_left_the_answer_is_made_of_what_was_found(reason) -> None:
    other = {"calls": [{"search_lovdata_legal_documents": {"query": "pant båt"}}]}
    done = await reason([SEARCH, {**other, "repeat": True}], QUESTION, tool_calls=1)
    assert len(done.of(ToolCalled)) == 1
    assert [c.section for c in done.answer.citations][:1] == ["§3-2"]
    assert done.answer.tier is Tier.RELATED and done.answer.insufficient


async def test_only_when_search_itself_fails_does_the_run_fail(reason, corpus) -> None:
    class Gone(MemorySearch):
        async def find(self, request):
            raise ProblemError(Problem(type=ProblemType.UNAVAILABLE, title="x", detail="Søket er nede."))

    done = await reason([{"status": 401}], QUESTION, search=Gone(corpus))
    (failed,) = done.of(RunFailed)
    assert failed.detail == "Søket er nede."
    assert done.types.count("step.started") == done.types.count("step.finished")


async def test_when_search_fails_late_what_was_found_is_quoted(reason, corpus) -> None:
    class Failing(MemorySearch):
        searches = 0

        async def find(self, request):
            self.searches += 1
            if self.searches > 1:
                raise ProblemError(Problem(type=ProblemType.UNAVAILABLE, title="x", detail="Søket er nede."))
            return await super().find(request)

    done = await reason([SEARCH, {"status": 401, "repeat": True}], QUESTION, search=Failing(corpus))
    assert done.types[-1] == "run.completed"
    assert "§3-2" in [c.section for c in done.answer.citations]
    assert done.answer.tier is Tier.RELATED


async def test_a_refused_key_is_tried_once_and_its_reason_is_a_step(reason) -> None:
    done = await reason([{"status": 401}], QUESTION)
    assert len(done.requests) == 1
    (step,) = [e for e in done.of(StepStarted) if e.name == "fallback"]
    assert "nøkkelen" in step.title


async def test_a_model_that_says_the_sources_do_not_answer_is_believed_but_the_law_found_is_shown(reason) -> None:
    unsure = {"final": {"answer": "Det vet jeg ikke.", "insufficient": True, "missing": "mer"}}
    done = await reason([SEARCH, {**unsure, "repeat": True}], QUESTION)
    assert done.answer.fallback == "model_abstained"
    assert done.answer.tier is Tier.RELATED and done.answer.insufficient
    assert [c.section for c in done.answer.citations] == ["§3-2"]
    assert "mente at kildene ikke svarer" in done.answer.answer_text


async def test_where_neither_finds_anything_the_answer_says_that_the_sources_do_not_answer(reason) -> None:
    unsure = {"final": {"answer": "Det vet jeg ikke.", "insufficient": True, "missing": "mer"}}
    nothing = {"calls": [{"search_lovdata_legal_documents": {"query": "xyzzy"}}]}
    done = await reason([nothing, {**unsure, "repeat": True}], "Xyzzy plugh?")
    assert done.answer.fallback is None and not done.answer.citations
    assert "strekker ikke til" in done.answer.answer_text


async def test_an_answer_that_holds_is_the_models_own(reason) -> None:
    holds = {"final": {"answer": "Pantet er høyst fire ukers båtleie [lovdata-1].", "citations": [HOLDS]}}
    done = await reason([SEARCH, holds], QUESTION)
    assert done.answer.fallback is None and done.answer.tier is None
    assert "Språkmodellen" not in done.answer.answer_text


async def test_an_excerpt_of_a_search_engine_is_labelled_and_proves_no_statement_of_law(reason) -> None:
    both = {"calls": [*SEARCH["calls"], {"search_lovdata_legal_practice": {"query": "pant båt"}}]}
    slep = ["serper-1", "pant også kan dekke slep av båten til land"]
    says = (
        "Pantet kan være på høyst fire ukers båtleie [lovdata-1]. "
        "Nemnda kom til at pant også kan dekke slep [serper-1]. "
        "Låntakeren skal alltid betale slep av båten til land [serper-1]."
    )
    done = await reason([both, {"final": {"answer": says, "citations": [HOLDS, slep]}, "repeat": True}], QUESTION)
    assert [c.excerpt for c in done.answer.citations] == [False, True]
    assert "Merk: Utdrag fra søkemotor, ikke kontrollert mot kilden: [2]." in done.answer.answer_text
    assert "Nemnda kom til at pant også kan dekke slep [2]." in done.answer.answer_text
    assert "alltid betale slep av båten til land [2]" not in done.answer.answer_text
