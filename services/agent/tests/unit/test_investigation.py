"""What is found for a question and said of it, by what search finds likely."""

from collections.abc import Callable

import pytest

from lovsvar_agent.adapters.memory_search import ANSWERS, MemorySearch
from lovsvar_agent.adapters.memory_sink import MemorySink
from lovsvar_agent.core.extractive.phrases import PHRASES
from lovsvar_agent.core.extractive.scopes import WORKING_ENVIRONMENT
from lovsvar_agent.core.extractive.selection import FURTHER, RELATED, SURE
from lovsvar_agent.core.modes import Answerer
from lovsvar_agent.core.run import Limits
from lovsvar_agent.core.takeover import Attempt
from lovsvar_contracts.blocks import Choices, Quote
from lovsvar_contracts.questions import Answer, QuestionAsked, Tier
from lovsvar_contracts.run_events import AnswerCompleted
from lovsvar_contracts.search import FindProvisions, ProvisionHits

LAY = "Jolla fikk en bulk. Hvor fort skal han få vite det?"
SAID = PHRASES["nb"]


async def ask(question: str, search: MemorySearch) -> Answer:
    sink = MemorySink()
    await Answerer(search, Limits()).answer(QuestionAsked(question=question), Attempt(), sink)
    (answer,) = [e.answer for e in sink.events if isinstance(e, AnswerCompleted)]
    return answer


# How sure an answer is


async def test_a_lay_question_is_answered_by_the_provision_that_means_the_same(corpus) -> None:
    answer = await ask(LAY, MemorySearch(corpus, similar={"§4-1": (SURE, 1)}))
    assert [(c.section, c.ledd) for c in answer.citations] == [("§4-1", 1)]
    assert (answer.tier, answer.insufficient) == (Tier.ANSWERS, False)
    assert (await ask(LAY, MemorySearch(corpus))).tier is Tier.NOTHING


async def test_what_is_not_likely_enough_is_quoted_as_what_may_be_relevant(corpus, under) -> None:
    assert (await ask(LAY, MemorySearch(corpus, similar={"§4-1": (ANSWERS, 1)}))).tier is Tier.ANSWERS
    answer = await ask(LAY, MemorySearch(corpus, similar={"§4-1": (ANSWERS - 0.01, 1)}))
    assert (answer.tier, answer.insufficient) == (Tier.RELATED, True)
    assert under(answer) == {SAID.tiers[Tier.RELATED]: ["§4-1"]}


async def test_what_is_hardly_likely_is_suggested_and_not_quoted(corpus) -> None:
    answer = await ask(LAY, MemorySearch(corpus, similar={"§4-1": (RELATED - 0.01, 1)}))
    assert (answer.tier, answer.citations) == (Tier.NOTHING, ())
    assert answer.suggestions[0].section == "§4-1"


async def test_what_comes_close_to_the_best_answers_with_it_and_the_rest_is_set_apart(corpus, under) -> None:
    similar = {"§4-1": (0.9, 1), "§7": (0.55, 1), "§1-1": (0.5, 1), "§3-2": (FURTHER - 0.001, 1)}
    assert under(await ask(LAY, MemorySearch(corpus, similar=similar))) == {
        SAID.tiers[Tier.ANSWERS]: ["§4-1", "§7"],
        SAID.also_related: ["§1-1"],
    }


@pytest.mark.parametrize("question", ["Hva sier dansk lov om pant?", "Hvor lenge kan en båt lånes i USA?"])
async def test_norwegian_law_does_not_answer_for_another_country(corpus, question: str) -> None:
    answer = await ask(question, MemorySearch(corpus, similar={"§3-2": (1.0, 1)}))
    assert (answer.tier, answer.citations) == (Tier.NOTHING, ())


async def test_a_provision_that_the_question_names_answers_for_another_country_too(corpus) -> None:
    answer = await ask("Gjelder båtleieloven § 4-1 i Danmark?", MemorySearch(corpus))
    assert [c.section for c in answer.citations] == ["§4-1"]


async def test_a_question_that_is_set_abroad_is_answered_by_what_is_sure(corpus, under) -> None:
    question = "Jeg fikk en bulk i jolla i Danmark. Hvor fort skal eieren få vite det?"
    sure = await ask(question, MemorySearch(corpus, similar={"§4-1": (SURE, 1)}))
    assert under(sure)[SAID.tiers[Tier.ANSWERS]] == ["§4-1"]
    unsure = await ask(question, MemorySearch(corpus, similar={"§4-1": (SURE - 0.01, 1)}))
    assert (unsure.tier, unsure.citations) == (Tier.NOTHING, ())


async def test_a_question_without_words_of_its_own_is_not_answered_by_what_is_likely(corpus) -> None:
    answer = await ask("Kan du hjelpe meg?", MemorySearch(corpus, similar={"§4-1": (SURE, 1)}))
    assert (answer.tier, answer.citations) == (Tier.NOTHING, ())


async def test_a_price_is_not_in_the_law_and_what_is_found_only_relevant(corpus) -> None:
    answer = await ask("Hva koster det å leie en jolle?", MemorySearch(corpus, similar={"§3-2": (SURE, 1)}))
    assert (answer.tier, [c.section for c in answer.citations]) == (Tier.RELATED, ["§3-2"])


STORY = "Jeg leide ei jolle på fjorden i fjor sommer, og det regnet hele uka. Kan båteieren kreve pant?"


async def test_what_asks_in_a_story_is_searched_too_and_never_surely_answers(corpus) -> None:
    answer = await ask(STORY, MemorySearch(corpus))
    assert (answer.tier, [c.section for c in answer.citations]) == (Tier.RELATED, ["§3-2"])
    assert (await ask(STORY.partition(". ")[2], MemorySearch(corpus))).tier is Tier.ANSWERS


# Whose ledd, and which words of it


async def test_an_english_question_is_answered_with_the_ledd_that_search_found(corpus, make_provision) -> None:
    long = make_provision(*(f"Ledd {n} har {'mange ord om båter ' * 40}." for n in range(1, 7)), section="§9-9")
    search = MemorySearch((*corpus, long), similar={"§9-9": (SURE, 5)})
    answer = await ask("Who keeps the security money while I rent a dinghy?", search)
    assert [(c.section, c.ledd) for c in answer.citations] == [("§9-9", 1), ("§9-9", 5)]
    assert answer.answer_text.startswith(PHRASES["en"].tiers[Tier.ANSWERS])


async def test_the_words_of_the_question_are_marked_in_its_quotes(corpus) -> None:
    answer = await ask("Hvor mye kan båteieren kreve i pant?", MemorySearch(corpus))
    (quote,) = [block for block in answer.blocks if isinstance(block, Quote)]
    marked = [answer.citations[0].quote[slice(*mark)] for mark in quote.marks]
    assert {"Båteieren", "kreve", "pant", "Pantet"} <= set(marked)
    assert "konto" not in marked


# What a question takes for granted


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("Hva har Høyesterett sagt om pant som båteieren kan kreve?", "nb"),
        ("Kva har Høgsterett sagt om pant som båteigaren kan krevje?", "nn"),
        ("Did the Supreme Court decide what the owner of a boat may keep?", "en"),
    ],
)
async def test_a_source_that_is_not_here_is_named_and_the_law_found_only_relevant(corpus, question, language) -> None:
    answer = await ask(question, MemorySearch(corpus, similar={"§3-2": (SURE, 1)}))
    phrases = PHRASES[language]
    kind = phrases.source_types[next(iter(phrases.source_types))]
    assert answer.answer_text.startswith(phrases.not_searched.format(kind=kind))
    assert (answer.tier, [c.section for c in answer.citations]) == (Tier.RELATED, ["§3-2"])


async def test_a_false_quotation_of_a_named_provision_is_said_and_its_words_shown(corpus) -> None:
    answer = await ask("Sier båtleieloven § 4-1 at «skader meldes innen tre uker»?", MemorySearch(corpus))
    said = SAID.quote_missing.format(quote="skader meldes innen tre uker", where="båtleieloven § 4-1")
    assert said in answer.answer_text
    assert [c.section for c in answer.citations] == ["§4-1"]


async def test_a_true_quotation_is_confirmed(corpus) -> None:
    answer = await ask("Sier båtleieloven § 4-1 at «skader på båten innen ti dager»?", MemorySearch(corpus))
    said = SAID.quote_found.format(quote="skader på båten innen ti dager", where="båtleieloven § 4-1")
    assert said in answer.answer_text
    assert "står ikke" not in answer.answer_text


async def test_a_quotation_that_is_nowhere_is_said_to_be_in_nothing_that_was_found(corpus) -> None:
    answer = await ask("Står det at «båteieren kan kreve ti ukers pant» i loven?", MemorySearch(corpus))
    said = SAID.quote_missing_everywhere.format(quote="båteieren kan kreve ti ukers pant")
    assert said in answer.answer_text


# Words that nothing has


class Misspelt(MemorySearch):
    """Finds nothing for a whole question, and says which word is near one of it."""

    async def find(self, request: FindProvisions) -> ProvisionHits:
        found = await super().find(request)
        if not request.query.endswith("?"):
            return found
        return found.model_copy(update={"hits": (), "total": 0, "answers": False, "did_you_mean": ("pant",)})


async def test_where_nothing_is_found_the_words_that_may_be_meant_are_named(corpus) -> None:
    answer = await ask("Hvor mye panntt kan bbåtteierenn krreve?", Misspelt(corpus))
    assert answer.tier is Tier.NOTHING
    assert "Mente du «pant»?" in answer.answer_text


async def test_they_are_named_in_the_questions_language(corpus) -> None:
    answer = await ask("Kor mykje panntt kan bbåtteigarenn krrevje?", Misspelt(corpus))
    assert "Meinte du «pant»?" in answer.answer_text


async def test_where_something_answers_nothing_else_is_said_to_be_meant(corpus, under) -> None:
    answer = await ask("Kan båteieren kreve pant, dekning, båtleie eller panntt?", Misspelt(corpus))
    assert under(answer)[SAID.tiers[Tier.ANSWERS]] == ["§3-2"]
    assert "Mente du" not in answer.answer_text


# Several of one name


async def test_what_may_be_several_is_said_and_offered_as_a_choice(corpus, make_provision) -> None:
    older = make_provision(
        "Båten skal gis tilbake.", refid="lov/1900-01-01-1", section="§4-1", act="Båtleieloven – båtl"
    )
    answer = await ask("Hva sier båtleieloven § 4-1?", MemorySearch((*corpus, older)))
    assert "båtleieloven § 4-1" in answer.answer_text and "kan være flere" in answer.answer_text
    (choices,) = [block for block in answer.blocks if isinstance(block, Choices)]
    assert choices.narrows and choices.title == SAID.which_one
    assert {c.question for c in choices.choices} == {f"Hva sier {r} § 4-1?" for r in ("lov/2999-01-01-1", older.refid)}
    assert {c.refid for c in answer.citations} == {"lov/2999-01-01-1", older.refid}


# A rule in another act, acts for some only, and what to ask next


async def test_where_the_rule_plainly_is_in_another_act_than_the_one_named_that_is_said(corpus, under) -> None:
    answer = await ask("Hva sier bygdefestloven om pant som båteieren kan kreve?", MemorySearch(corpus))
    assert SAID.not_in_act.format(named="bygdefestloven", found="båtleieloven § 3-2") in answer.answer_text
    assert next(iter(under(answer).values()))[0] == "§3-2"


async def test_where_the_rule_is_in_the_act_named_nothing_is_said_of_others(corpus) -> None:
    answer = await ask("Hva sier båtleieloven om pant som båteieren kan kreve?", MemorySearch(corpus))
    assert "ser ut til å stå i" not in answer.answer_text
    assert answer.citations[0].section == "§3-2"


async def test_a_regulation_is_no_other_act_since_it_may_be_made_under_the_one_named(corpus, make_provision) -> None:
    act = make_provision("Festen skal meldes.", refid="lov/1999-01-01-9", section="§1", act="Bygdefestloven")
    rule = make_provision(
        "Den som holder fest, betaler pant for telt.",
        refid="forskrift/2000-01-01-1",
        section="§2",
        act="Teltforskriften",
    )
    answer = await ask("Hva sier bygdefestloven om pant for telt?", MemorySearch((act, rule)))
    assert "ser ut til å stå i" not in answer.answer_text
    assert rule.refid in {c.refid for c in answer.citations}


NOTICE = "Oppsigelsesfristen er {} måneder."
STATE = "lov/2017-06-16-67"


@pytest.fixture
def make_notice(make_provision) -> Callable[..., MemorySearch]:
    """The notice of everybody, and that of those who work for the state, as likely as search finds them."""
    to, tre = NOTICE.format("to"), NOTICE.format("tre")
    acts = (
        make_provision(to, refid=WORKING_ENVIRONMENT, section="§15-3", act="Arbeidsmiljøloven"),
        make_provision(tre, refid=STATE, section="§22", act="Statsansatteloven"),
    )
    return lambda everybody, state: MemorySearch(acts, similar={"§15-3": (everybody, 1), "§22": (state, 1)})


@pytest.fixture
def notice(make_notice) -> MemorySearch:
    """The same, where search finds the second likelier."""
    return make_notice(everybody=0.7, state=0.9)


def choices_of(answer: Answer) -> dict[str, tuple[tuple[str, str], ...]]:
    """The label and the question of each choice, by the title of the choices."""
    return {
        block.title: tuple((one.label, one.question) for one in block.choices)
        for block in answer.blocks
        if isinstance(block, Choices)
    }


async def test_an_act_for_some_comes_after_the_general_one_with_its_scope_and_narrows_the_question(notice) -> None:
    question = "Hvor lang er oppsigelsesfristen?"
    answer = await ask(question, notice)
    assert [c.refid for c in answer.citations] == [WORKING_ENVIRONMENT, STATE]
    assert "Gjelder bare ansatte i staten" in answer.answer_text
    assert choices_of(answer) == {SAID.applies_to: (("Ansatte i staten", f"{question} (ansatte i staten)"),)}


async def test_the_narrowed_question_is_about_them_and_needs_no_choice(notice) -> None:
    answer = await ask("Hvor lang er oppsigelsesfristen? (ansatte i staten)", notice)
    assert [c.refid for c in answer.citations] == [STATE, WORKING_ENVIRONMENT]
    assert "Gjelder bare" not in answer.answer_text
    assert choices_of(answer) == {}


async def test_they_get_their_own_act_first_also_where_search_finds_the_general_one_far_likelier(make_notice) -> None:
    answer = await ask("Hvor lang er oppsigelsesfristen? (ansatte i staten)", make_notice(everybody=0.9, state=0.3))
    assert [c.refid for c in answer.citations] == [STATE, WORKING_ENVIRONMENT]
    assert answer.tier is Tier.ANSWERS


async def test_what_was_found_and_is_not_shown_can_be_asked_next(make_provision) -> None:
    provisions = [
        make_provision(f"Båten skal vaskes {n} ganger.", section=f"§{n}", title=f"Vask {n}") for n in range(1, 7)
    ]
    similar = {f"§{n}": (0.9 - n / 100, 1) for n in range(1, 7)}
    answer = await ask("Jolla er skitten. Må den vaskes?", MemorySearch(provisions, similar=similar))
    assert {c.section for c in answer.citations} == {"§1", "§2", "§3", "§4"}
    asked_next = choices_of(answer)[SAID.follow_ups]
    assert [question for _, question in asked_next] == [
        SAID.follow_up.format(provision=f"båtleieloven § {n}", topic=f"vask {n}") for n in (5, 6)
    ]
    again = await ask(asked_next[0][1], MemorySearch(provisions, similar=similar))
    assert [c.section for c in again.citations] == ["§5"], "what is offered is answered"


async def test_what_is_of_another_act_and_hardly_likely_is_not_offered_to_ask(make_provision) -> None:
    provisions = [
        *(make_provision(f"Båten skal vaskes {n} ganger.", section=f"§{n}", title=f"Vask {n}") for n in range(1, 5)),
        make_provision(
            "Gjerdet skal være hvitt.", refid="lov/1900-01-01-1", section="§9", title="Gjerder", act="Gjerdeloven"
        ),
    ]
    similar = {f"§{n}": (0.9 - n / 100, 1) for n in range(1, 5)} | {"§9": (0.05, 1)}
    answer = await ask("Jolla er skitten. Må den vaskes?", MemorySearch(provisions, similar=similar))
    assert SAID.follow_ups not in choices_of(answer)
