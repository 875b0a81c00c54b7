"""The use case: a question in, a run's events out."""

import asyncio

import pytest

from lovsvar_agent.adapters.memory_search import DATE, VERSION, MemorySearch
from lovsvar_agent.adapters.memory_sink import MemorySink
from lovsvar_agent.core.extractive import answer as extractive_answer
from lovsvar_agent.core.extractive.phrases import PHRASES
from lovsvar_agent.core.guidance.library import NO_GUIDANCE, Guidance
from lovsvar_agent.core.modes import Answerer
from lovsvar_agent.core.proof import Rejection, verify
from lovsvar_agent.core.reasoning.phrases import WORDINGS
from lovsvar_agent.core.run import Limits
from lovsvar_agent.core.takeover import Attempt
from lovsvar_contracts.problems import Problem, ProblemError, ProblemType
from lovsvar_contracts.questions import Answer, Mode, QuestionAsked, RunStatus, Tier
from lovsvar_contracts.run_events import (
    AnswerCompleted,
    AnswerDelta,
    CitationRejected,
    RunFailed,
    RunLimitReached,
    RunStarted,
    ToolCalled,
)
from lovsvar_contracts.search import (
    FindProvisions,
    ProvisionHits,
    Provisions,
    ReadProvisions,
    ReadStatus,
    Resolution,
    ResolveReference,
)
from lovsvar_legaltext import explanations
from lovsvar_legaltext.explanations import ledd_texts, text_hash

ASKED = "Hvor mye kan båteieren kreve i pant?"
STEP = ["step.started", "tool.called", "tool.result", "step.finished"]


async def run(question: str | QuestionAsked, search: MemorySearch, **fields) -> list:
    asked = question if isinstance(question, QuestionAsked) else QuestionAsked(question=question)
    sink = MemorySink()
    attempt, guidance = fields.pop("attempt", 1), fields.pop("guidance", NO_GUIDANCE)
    await Answerer(search, Limits(**fields), guidance=guidance).answer(asked, Attempt(attempt), sink)
    return sink.events


def answer_in(events: list) -> Answer:
    (answer,) = [e.answer for e in events if isinstance(e, AnswerCompleted)]
    return answer


async def ask(question: str | QuestionAsked, search: MemorySearch, **fields) -> Answer:
    return answer_in(await run(question, search, **fields))


async def test_a_run_tells_every_step_in_order(asked, corpus, types) -> None:
    events = await run(asked, MemorySearch(corpus))
    assert types(events) == [
        "run.started",
        *["step.started", "tool.called", "tool.result", "sources.found", "step.finished"],
        *STEP,
        *["step.started", "citation.verified", "answer.delta", "step.finished"],
        "usage.updated",
        "answer.completed",
        "run.completed",
    ]
    assert {e.correlation_id for e in events} == {"who-asked"}
    assert {e.run_id for e in events} == {asked.run_id}
    assert answer_in(events).correlation_id == "who-asked"


async def test_the_same_question_gives_the_same_events(asked, corpus, types) -> None:
    search = MemorySearch(corpus)
    assert types(await run(asked, search)) == types(await run(asked, search))


async def test_the_answer_quotes_the_provision_that_answers(asked, corpus) -> None:
    answer = await ask(asked, MemorySearch(corpus))
    (citation,) = answer.citations
    assert (citation.refid, citation.section, citation.ledd) == ("lov/2999-01-01-1", "§3-2", 1)
    assert citation.verified
    assert "Pantet kan være på høyst fire ukers båtleie, jf. § 1-1." in citation.quote
    assert citation.quote in answer.answer_text
    assert citation.evidence_id in {e.evidence_id for e in answer.evidence}
    assert (answer.tier, answer.insufficient, answer.suggestions) == (Tier.ANSWERS, False, ())
    assert (answer.status, answer.mode) == (RunStatus.COMPLETED, Mode.EXTRACTIVE)
    assert (answer.corpus_date, answer.corpus_version) == (DATE, VERSION)


async def test_an_answer_by_quotes_is_shown_once_when_its_quotes_are_checked(asked, corpus) -> None:
    events = await run(asked, MemorySearch(corpus))
    assert [e.text for e in events if isinstance(e, AnswerDelta)] == [answer_in(events).answer_text]


@pytest.mark.parametrize("question", ["Hva er meningen med livet på Mars?", "xq zzv bårb", "???", "Hva?"])
def test_what_the_law_does_not_answer_is_said_to_be_unanswered(question: str, corpus) -> None:
    answer = asyncio.run(ask(question, MemorySearch(corpus)))
    assert (answer.tier, answer.insufficient, answer.citations) == (Tier.NOTHING, True, ())
    assert PHRASES["nb"].tiers[Tier.NOTHING] in answer.answer_text
    assert PHRASES["nb"].nothing_hint in answer.answer_text
    assert answer.status is RunStatus.COMPLETED


LOTTERY = "Kan låntakeren få erstatning for tapt lottokupong i båten?"


async def test_what_may_be_relevant_is_quoted_as_such_when_nothing_surely_answers(corpus, under) -> None:
    answer = await ask(LOTTERY, MemorySearch(corpus))
    assert (answer.tier, answer.insufficient) == (Tier.RELATED, True)
    assert under(answer) == {
        PHRASES["nb"].tiers[Tier.RELATED]: list(dict.fromkeys(c.section for c in answer.citations))
    }
    assert all(c.verified for c in answer.citations)


async def test_the_nearest_provisions_that_are_not_quoted_are_suggested_when_nothing_surely_answers(
    corpus, make_provision
) -> None:
    more = [make_provision(f"Låntakeren skal tørke åre nummer {n}.", section=f"§5-{n}") for n in range(6)]
    for known in (corpus, corpus[:3], (*corpus, *more)):
        answer = await ask(LOTTERY, MemorySearch(known))
        assert answer.tier is Tier.RELATED
        suggested = {e.evidence_id for e in answer.suggestions}
        assert suggested <= {e.evidence_id for e in answer.evidence}
        assert not suggested & {c.evidence_id for c in answer.citations}
    assert answer.suggestions


async def test_the_nearest_provisions_are_named_when_nothing_is_quoted(corpus) -> None:
    answer = await ask("xq zzv pant bårb qqr vvs", MemorySearch(corpus))
    assert (answer.tier, answer.citations) == (Tier.NOTHING, ())
    assert PHRASES["nb"].nearest in answer.answer_text
    assert {e.evidence_id for e in answer.suggestions} <= {e.evidence_id for e in answer.evidence}


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("Kor mykje kan båteigaren krevje i pant av meg?", "nn"),
        ("How much may the owner of the boat claim as a pawn?", "en"),
    ],
)
async def test_the_answers_own_words_are_in_the_questions_language(corpus, question: str, language) -> None:
    for search in (MemorySearch(corpus, similar={"§3-2": (0.9, 1)}), MemorySearch(())):
        answer = await ask(question, search)
        assert answer.answer_text.startswith(PHRASES[language].tiers[answer.tier])
        assert answer.answer_text.endswith(PHRASES[language].quotes_only)


PAWN = "Pantet er ikke på mer enn fire uker."


def explained(provision, *ledd: int) -> Guidance:
    texts = ledd_texts(provision.blocks)
    hashed = text_hash(texts[number] for number in ledd)
    return Guidance([explanations.Explanation(provision.refid, provision.section, ledd, hashed, {"nb": PAWN})])


async def test_a_provision_is_explained_after_its_quote_while_its_text_is_the_one_explained(
    corpus, make_provision
) -> None:
    guidance = explained(corpus[1], 1)
    (shown,) = [
        b for b in (await ask(ASKED, MemorySearch(corpus), guidance=guidance)).blocks if b.kind == "explanation"
    ]
    assert (shown.words[0].text, shown.ledd) == (PAWN, (1,))
    changed = corpus[1].model_copy(
        update={"text": "Båteieren kan kreve pant.", "blocks": make_provision("Båteieren kan kreve pant.").blocks}
    )
    renewed = await ask(ASKED, MemorySearch((changed,)), guidance=guidance)
    assert [c.section for c in renewed.citations] == ["§3-2"]
    assert not [block for block in renewed.blocks if block.kind == "explanation"]


async def test_an_explanation_is_no_citation_and_its_words_are_in_the_text(corpus) -> None:
    answer = await ask(ASKED, MemorySearch(corpus), guidance=explained(corpus[1], 1))
    assert PAWN in answer.answer_text and PAWN in answer.answer_html
    assert all(PAWN not in c.quote for c in answer.citations)


async def test_a_provision_that_the_question_names_is_quoted_without_a_search(corpus) -> None:
    events = await run("Hva sier båtleieloven § 4-1?", MemorySearch(corpus))
    calls = [e.name for e in events if isinstance(e, ToolCalled)]
    assert calls == ["hent_lovtekst", "hent_lovtekst"]
    assert [c.section for c in answer_in(events).citations] == ["§4-1"]


async def test_a_reference_to_nothing_is_said_and_the_rest_answered(corpus, under) -> None:
    answer = await ask("Hva sier § 99-99 i bygdefestloven om rydding av plassen?", MemorySearch(corpus))
    assert "Fant ikke § 99-99 i bygdefestloven." in answer.answer_text
    assert under(answer)[PHRASES["nb"].tiers[Tier.ANSWERS]] == ["§8"]
    assert "har ikke trådt i kraft" in answer.answer_text


async def test_a_reference_to_nothing_alone_is_no_answer(corpus) -> None:
    answer = await ask("Hva sier § 99-99 i bygdefestloven?", MemorySearch(corpus))
    assert "Fant ikke § 99-99 i bygdefestloven." in answer.answer_text
    assert answer.insufficient


async def test_a_section_of_no_act_is_not_guessed(corpus) -> None:
    events = await run("Hva sier § 4-1?", MemorySearch(corpus))
    assert "uten å si i hvilken lov" in answer_in(events).answer_text
    assert all("reference" not in e.arguments for e in events if isinstance(e, ToolCalled))


async def test_an_answer_from_the_sample_corpus_begins_by_saying_so(asked, corpus) -> None:
    answer = await ask(asked, MemorySearch(p.model_copy(update={"sample": True}) for p in corpus))
    assert answer.sample
    assert answer.answer_text.startswith(WORDINGS["nb"].sample)
    assert all(c.sample for c in answer.citations)


@pytest.mark.parametrize("mode", [Mode.AGENT, Mode.DIRECT])
async def test_a_mode_that_needs_a_model_is_answered_by_quotes_and_says_so(mode: Mode, corpus) -> None:
    asked = QuestionAsked(question=ASKED, mode=mode)
    answer = await ask(asked, MemorySearch(corpus))
    assert answer.mode is Mode.EXTRACTIVE
    assert "Det er ikke satt opp noen språkmodell" in answer.answer_text


async def test_a_quote_that_does_not_hold_is_rejected_and_left_out(asked, corpus, monkeypatch) -> None:
    def doubt(quote: str, provision):
        return Rejection("Sitatet står ikke ordrett i bestemmelsen.") if "høyst" in quote else verify(quote, provision)

    monkeypatch.setattr(extractive_answer, "verify", doubt)
    events = await run(asked, MemorySearch(corpus))
    answer = answer_in(events)
    assert [e.reason for e in events if isinstance(e, CitationRejected)] == [answer.rejected[0].reason]
    assert answer.insufficient
    assert "høyst" not in answer.answer_text


class SlowSearch(MemorySearch):
    """Finds, and then never finishes reading."""

    async def read(self, request: ReadProvisions) -> Provisions:
        await asyncio.Event().wait()
        raise AssertionError("unreachable")


async def test_at_the_wall_limit_the_run_ends_with_what_it_has(asked, corpus, types) -> None:
    events = await run(asked, SlowSearch(corpus), seconds=0.05)
    assert types(events)[-2:] == ["answer.completed", "run.limit_reached"]
    assert isinstance(events[-1], RunLimitReached)
    assert events[-1].limit == "seconds"
    assert types(events).count("step.started") == types(events).count("step.finished")
    answer = answer_in(events)
    assert answer.status is RunStatus.LIMIT_REACHED
    assert answer.evidence
    assert answer.suggestions == answer.evidence[:3]
    assert "stanset ved en grense" in answer.answer_text


async def test_at_the_limit_of_tool_calls_the_run_ends_with_what_it_has(asked, corpus) -> None:
    events = await run(asked, MemorySearch(corpus), tool_calls=1)
    assert isinstance(events[-1], RunLimitReached)
    assert events[-1].limit == "tool_calls"


class BrokenSearch(MemorySearch):
    """Answers everything with a problem."""

    async def find(self, request: FindProvisions) -> ProvisionHits:
        detail = "Søkeindeksen kan ikke leses."
        raise ProblemError(Problem(type=ProblemType.INTERNAL, title="x", detail=detail))

    async def status(self, request: ReadStatus):
        raise ProblemError(Problem(type=ProblemType.NOT_READY, title="x", detail="x", retryable=True))


async def test_a_tool_that_fails_for_good_ends_the_run_with_its_reason(asked, corpus, types) -> None:
    events = await run(asked, BrokenSearch(corpus))
    assert isinstance(events[-1], RunFailed)
    assert (events[-1].problem, events[-1].detail) == (ProblemType.INTERNAL, "Søkeindeksen kan ikke leses.")
    assert types(events).count("step.started") == types(events).count("step.finished")
    assert "answer.completed" not in types(events)


async def test_a_run_is_begun_though_the_corpus_cannot_tell_its_date(asked, corpus) -> None:
    (started, *_) = await run(asked, BrokenSearch(corpus))
    assert isinstance(started, RunStarted)
    assert started.corpus_date is None


async def test_a_second_search_by_content_words_is_tried_when_the_first_does_not_answer(corpus) -> None:
    events = await run("Kan låntakeren få erstatning for lottokupong?", MemorySearch(corpus))
    queries = [e.arguments["query"] for e in events if isinstance(e, ToolCalled) and "query" in e.arguments]
    assert queries == ["Kan låntakeren få erstatning for lottokupong?", "låntakeren erstatning lottokupong"]


class AliasSearch(MemorySearch):
    """Knows an abbreviation that stands in no title."""

    async def resolve(self, request: ResolveReference) -> Resolution:
        known = {"fjl": "båtleieloven"}.get(request.reference, request.reference)
        return await super().resolve(request.model_copy(update={"reference": known}))


async def test_an_act_that_is_named_by_its_abbreviation_alone_is_recognised(corpus, under) -> None:
    events = await run("fjl pant", AliasSearch(corpus))
    references = [e.arguments["reference"] for e in events if isinstance(e, ToolCalled) and "reference" in e.arguments]
    assert references == ["fjl"]
    assert [e.arguments["query"] for e in events if isinstance(e, ToolCalled) and "query" in e.arguments] == [
        "fjl pant",
        "Båtleieloven pant",
    ]
    assert under(answer_in(events))[PHRASES["nb"].tiers[Tier.ANSWERS]] == ["§3-2"]


async def test_a_short_word_that_names_no_act_changes_nothing(corpus) -> None:
    answer = await ask("xyz pant", AliasSearch(corpus))
    assert answer.insufficient
    assert "Fant ikke" not in answer.answer_text


async def test_a_failing_sink_is_no_limit(asked, corpus) -> None:
    class FailingSink(MemorySink):
        async def emit(self, event) -> None:
            if event.type == "tool.called":
                raise TimeoutError("the log does not answer")
            await super().emit(event)

    with pytest.raises(TimeoutError):
        await Answerer(MemorySearch(corpus), Limits()).answer(asked, Attempt(), FailingSink())
