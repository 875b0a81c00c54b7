"""What a question follows up, and how it is answered with that by quotes."""

import pytest

from lovsvar_agent.adapters.memory_search import MemorySearch
from lovsvar_agent.adapters.memory_sink import MemorySink
from lovsvar_agent.core.earlier_turns import MAX_ANSWER, MAX_QUESTION, Turn, topic_of, turn_of, with_topic
from lovsvar_agent.core.extractive.phrases import PHRASES
from lovsvar_agent.core.extractive.selection import SURE
from lovsvar_agent.core.modes import Answerer
from lovsvar_agent.core.reasoning.phrases import WORDINGS
from lovsvar_agent.core.run import Limits
from lovsvar_agent.core.takeover import Attempt
from lovsvar_contracts.blocks import Paragraph, Quote, Span
from lovsvar_contracts.law import LawType
from lovsvar_contracts.questions import Answer, Mode, QuestionAsked, QuestionFilters, RunStatus, Tier
from lovsvar_contracts.run_events import AnswerCompleted, StepStarted, ToolCalled
from lovsvar_contracts.search import Resolution, ResolveReference

ANSWERS = PHRASES["nb"].tiers[Tier.ANSWERS]
PAWN = Turn("Hvor mye kan båteieren kreve i pant?", "Høyst fire ukers båtleie.")


def answered(question: str, *said: Span) -> Answer:
    blocks = (Paragraph(words=said),)
    return Answer(run_id="r", status=RunStatus.COMPLETED, mode=Mode.AGENT, question=question, blocks=blocks)


async def run(question: str | QuestionAsked, search: MemorySearch, *earlier: Turn, **limits) -> list:
    asked = question if isinstance(question, QuestionAsked) else QuestionAsked(question=question, follows="run-1")
    sink = MemorySink()
    await Answerer(search, Limits(**limits)).answer(asked, Attempt(), sink, earlier)
    return sink.events


def answer_in(events: list) -> Answer:
    (answer,) = [e.answer for e in events if isinstance(e, AnswerCompleted)]
    return answer


def queries(events: list) -> list[str]:
    return [e.arguments["query"] for e in events if isinstance(e, ToolCalled) and "query" in e.arguments]


def marked(answer: Answer) -> set[str]:
    """The words that an answer marks in its quotes."""
    quotes = {c.number: c.quote for c in answer.citations}
    return {quotes[b.citation][slice(*mark)] for b in answer.blocks if isinstance(b, Quote) for mark in b.marks}


def test_what_is_kept_of_a_run_is_bounded_and_has_no_numbers_of_its_citations() -> None:
    said = (Span(text="Slik er det", citations=(1,)), Span(text=", og slik", citations=(2, 3)), Span(text="."))
    assert turn_of(answered("Hva?", *said)) == Turn("Hva?", "Slik er det, og slik.")
    long = turn_of(answered("hva " * 900, Span(text="ord " * 9_000)))
    assert len(long.question) <= MAX_QUESTION and len(long.answer) <= MAX_ANSWER
    assert long.answer.endswith("ord …")


def test_an_answer_that_was_stored_without_blocks_is_followed_up_by_its_text() -> None:
    assert turn_of(answered("Hva?").model_copy(update={"blocks": (), "answer_text": "Slik."})) == Turn("Hva?", "Slik.")


def test_the_topic_is_looked_for_back_to_the_question_that_names_it() -> None:
    assert topic_of([PAWN]) == PAWN.question
    assert topic_of([Turn("Hva er fest?"), PAWN, Turn("Og hvor?")]) == f"{PAWN.question}\nOg hvor?"
    assert topic_of([]) == ""


def test_sections_that_were_named_before_are_not_searched_for_again() -> None:
    assert with_topic("Og rentene?", [Turn("Hva sier båtleieloven § 3-2 om båteierens pant?")]) == (
        "Og rentene? Hva sier om båteierens pant?"
    )


async def test_a_follow_up_that_says_little_is_answered_by_what_it_follows(corpus) -> None:
    events = await run("På hvilken konto da?", MemorySearch(corpus), PAWN)
    answer = answer_in(events)
    assert [c.section for c in answer.citations] == ["§3-2"]
    assert "konto" in marked(answer), "the new question's words choose what is quoted"
    assert "pant" not in marked(answer)
    assert queries(events)[:2] == ["På hvilken konto da?", f"På hvilken konto da? {PAWN.question}"]
    assert answer.question == "På hvilken konto da?"
    assert answer.follows == "run-1"


async def test_of_a_long_provision_the_ledd_with_the_new_words_is_quoted(make_provision) -> None:
    filler = "og årene tørkes, og tauene kveiles, og lensen tømmes, og fendrene tas inn " * 14
    pant = make_provision(
        f"Båteieren kan kreve pant {filler}.",
        f"Pantet kan kreves av båteieren {filler}.",
        f"Det settes på konto {filler}.",
        f"Båteieren kan kreve dekning i pantet {filler}.",
        f"Pantet gis tilbake {filler}.",
        section="§3-2",
    )
    answer = answer_in(await run("På hvilken konto da?", MemorySearch([pant]), PAWN))
    quoted = " ".join(c.quote for c in answer.citations)
    assert {c.section for c in answer.citations} == {"§3-2"}
    assert "Det settes på konto" in quoted
    assert "Pantet gis tilbake" not in quoted


async def test_without_what_it_follows_the_same_question_is_about_nothing(corpus) -> None:
    assert answer_in(await run("Og hvorfor det?", MemorySearch(corpus))).insufficient


async def test_a_question_with_no_word_of_its_own_is_answered_by_the_earlier_ones(corpus) -> None:
    answer = answer_in(await run("Og hvorfor det?", MemorySearch(corpus), PAWN))
    assert {c.section for c in answer.citations} == {"§3-2"}


async def test_a_follow_up_that_names_a_topic_of_its_own_is_answered_by_that(corpus, under) -> None:
    events = await run("Hvor fort skal låntakeren melde skader på båten?", MemorySearch(corpus), PAWN)
    assert under(answer_in(events))[ANSWERS] == ["§4-1"]
    assert len(queries(events)) == 1


async def test_a_follow_up_of_few_words_stands_alone_where_it_is_sure(corpus) -> None:
    events = await run("Og bulker?", MemorySearch(corpus, similar={"§4-1": (SURE, 1)}), PAWN)
    assert [c.section for c in answer_in(events).citations] == ["§4-1"]
    assert queries(events) == ["Og bulker?"]
    less = await run("Og bulker?", MemorySearch(corpus, similar={"§4-1": (SURE - 0.01, 1)}), PAWN)
    assert queries(less) == ["Og bulker?", f"Og bulker? {PAWN.question}"]


async def test_where_both_together_find_nothing_the_question_counts_alone(corpus) -> None:
    events = await run("Hva med bygdefest?", MemorySearch(corpus), Turn("Hvor gammel må kongen av Atlantis være?"))
    assert {c.refid for c in answer_in(events).citations} <= {"lov/2999-02-02-2"}
    assert answer_in(events).citations


async def test_a_section_without_an_act_is_of_the_act_that_was_named_before(corpus) -> None:
    answer = answer_in(await run("Og § 4-1?", MemorySearch(corpus), Turn("Hva sier båtleieloven § 3-2?")))
    assert [c.section for c in answer.citations] == ["§4-1"]
    assert "uten å si i hvilken lov" not in answer.answer_text


async def test_what_is_not_kept_any_more_is_told_and_the_question_answered_by_itself(corpus) -> None:
    events = await run("Hvor mye kan båteieren kreve i pant?", MemorySearch(corpus))
    assert next(e.name for e in events if isinstance(e, StepStarted)) == "earlier_lost"
    assert WORDINGS["nb"].lost_earlier in answer_in(events).answer_text
    assert answer_in(events).citations


async def test_at_a_limit_what_was_found_alone_is_the_answer(corpus) -> None:
    events = await run("På hvilken konto da?", MemorySearch(corpus), PAWN, tool_calls=2)
    assert events[-1].type == "run.limit_reached"
    assert answer_in(events).status is RunStatus.LIMIT_REACHED


async def test_quotes_come_from_within_the_filters_alone(corpus) -> None:
    filters = QuestionFilters(law_type=LawType.LOV, year=2999)
    asked = QuestionAsked(question=PAWN.question, filters=filters)
    events = await run(asked, MemorySearch(corpus))
    assert answer_in(events).citations
    assert answer_in(events).filters == filters
    called = [e.arguments for e in events if isinstance(e, ToolCalled) and "query" in e.arguments]
    assert all((c["lawType"], c["year"]) == ("lov", 2999) for c in called)


@pytest.mark.parametrize("question", [PAWN.question, "Hva sier båtleieloven § 3-2?"], ids=["searched", "named"])
async def test_what_is_outside_the_filters_is_neither_quoted_nor_suggested_and_said(corpus, question: str) -> None:
    asked = QuestionAsked(question=question, filters=QuestionFilters(law_type=LawType.FORSKRIFT, year=1999))
    answer = answer_in(await run(asked, MemorySearch(corpus)))
    assert answer.insufficient
    assert answer.evidence == answer.suggestions == ()
    assert "forskrifter, år 1999" in answer.answer_text
    if "§" in question:
        said = PHRASES["nb"].outside_filters.format(name="lov/2999-01-01-1 §3-2", filters="forskrifter, år 1999")
        assert said in answer.answer_text


async def test_a_provision_that_holds_the_new_words_comes_before_the_one_that_answered_before(
    corpus, make_provision
) -> None:
    given_back = make_provision("Båteieren skal gi pantet tilbake.", section="§3-3", title="Oppgjør")
    answer = answer_in(await run("Og tilbake?", MemorySearch((*corpus, given_back)), PAWN))
    assert [c.section for c in answer.citations] == ["§3-3"]


async def test_a_follow_up_of_short_words_that_nothing_holds_stays_within_the_limit(corpus) -> None:
    events = await run("Gjelder xyz, abc, qqq og zzz i jul?", MemorySearch(corpus), Turn("Hva med www, vvv og uuu?"))
    assert events[-1].type == "run.completed"
    looked_up = [e.arguments["reference"] for e in events if isinstance(e, ToolCalled) and "reference" in e.arguments]
    assert len(looked_up) == len(set(looked_up)) <= 3


async def test_a_named_provision_answers_before_one_that_holds_the_new_words(corpus) -> None:
    search = MemorySearch(corpus, similar={"§4-1": (0.8, 1)})
    answer = answer_in(await run("Og å melde, § 3-2?", search, Turn("Hva sier båtleieloven § 1-1?")))
    assert {c.section for c in answer.citations} == {"§3-2"}


class AliasSearch(MemorySearch):
    """Knows an abbreviation that stands in no title."""

    async def resolve(self, request: ResolveReference) -> Resolution:
        known = {"fjl": "båtleieloven"}.get(request.reference, request.reference)
        return await super().resolve(request.model_copy(update={"reference": known}))


async def test_provisions_of_an_act_that_the_follow_up_abbreviates_come_before_others(corpus, make_provision) -> None:
    other = make_provision("Båteieren kan kreve pant.", refid="lov/2999-03-03-3", section="§5", act="Skipsleieloven")
    answer = answer_in(await run("Og etter fjl?", AliasSearch((other, *corpus)), PAWN))
    assert {c.refid for c in answer.citations} == {"lov/2999-01-01-1"}
