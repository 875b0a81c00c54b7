"""Which of the provisions found are shown, in which order, and how surely they answer."""

import math

import pytest

from lovsvar_agent.adapters.memory_search import MemorySearch
from lovsvar_agent.core.extractive.excerpts import read
from lovsvar_agent.core.extractive.scopes import TENANCY, WORKING_ENVIRONMENT, is_about, special_act
from lovsvar_agent.core.extractive.selection import (
    ASKED_OFTEN,
    BESIDE,
    FURTHER,
    MAX_ANSWERING,
    MAX_SHOWN,
    OF_THE_SITUATION,
    RELATED,
    SURE,
    Candidate,
    Selection,
    likely_enough,
    select,
)
from lovsvar_contracts.law import InForce
from lovsvar_contracts.questions import Tier
from lovsvar_contracts.search import FindProvisions, ProvisionHits
from lovsvar_legaltext.words import Matcher


@pytest.fixture
def make_candidate(make_provision):
    """Make a candidate of section §`number` that search finds likely enough."""

    def make(
        number: int,
        probability: float,
        *ledd: str,
        in_force: InForce = InForce.YES,
        refid: str = "lov/2999-01-01-1",
        **fields: object,
    ) -> Candidate:
        provision = make_provision(
            *(ledd or ("Båteieren kan kreve pant.",)), section=f"§{number}", in_force=in_force, refid=refid
        )
        return Candidate(read(provision, Matcher("pant")), probability, **{"answers": True, **fields})  # type: ignore[arg-type]

    return make


def sections(candidates: tuple[Candidate, ...]) -> list[str]:
    return [c.reading.provision.section for c in candidates]


def answering(selection: Selection) -> list[str]:
    return sections(selection.answering)


def related(selection: Selection) -> list[str]:
    return sections(selection.related)


def test_of_an_act_that_is_named_something_is_shown(make_candidate) -> None:
    others = [make_candidate(n, 0.5 - n / 100, answers=False) for n in range(1, MAX_SHOWN + 2)]
    of_act = make_candidate(9, FURTHER, answers=False, of_named_act=True, refid="lov/2999-01-01-2")
    assert related(select([*others, of_act])) == ["§1", "§2", "§3", "§9"]
    hardly = make_candidate(9, FURTHER / 2, answers=False, of_named_act=True)
    assert related(select([*others, hardly])) == ["§1", "§2", "§3", "§4"]


def test_where_an_act_that_is_named_answers_no_other_of_it_is_shown_for_its_name(make_candidate) -> None:
    named = make_candidate(1, 0.9, of_named_act=True)
    others = [make_candidate(n, 0.5 - n / 100, answers=False) for n in range(2, MAX_SHOWN + 1)]
    more = make_candidate(9, FURTHER, answers=False, of_named_act=True)
    assert related(select([named, *others, more])) == ["§2", "§3", "§4"]


def nearest(selection: Selection) -> list[str]:
    return sections(selection.nearest)


# Tiers


def test_what_search_finds_likely_enough_answers_and_the_rest_may_be_relevant(make_candidate) -> None:
    selection = select([make_candidate(1, 0.4, answers=False), make_candidate(2, 0.8)])
    assert (answering(selection), related(selection), selection.tier) == (["§2"], ["§1"], Tier.ANSWERS)


def test_what_search_does_not_find_likely_enough_may_be_relevant(make_candidate) -> None:
    selection = select([make_candidate(1, 0.99, answers=False)])
    assert (answering(selection), related(selection), selection.tier) == ([], ["§1"], Tier.RELATED)


def test_nothing_found_answers_nothing() -> None:
    assert select([]) == Selection((), (), ())
    assert select([]).tier is Tier.NOTHING


def test_what_may_be_relevant_has_a_floor(make_candidate) -> None:
    assert related(select([make_candidate(1, RELATED, answers=False)])) == ["§1"]
    below = select([make_candidate(1, RELATED - 0.001, answers=False)])
    assert (related(below), nearest(below), below.tier) == ([], ["§1"], Tier.NOTHING)


def test_below_the_floor_nothing_answers_either(make_candidate) -> None:
    assert select([make_candidate(1, RELATED - 0.001)]).tier is Tier.NOTHING


def test_after_the_best_the_floor_is_lower(make_candidate) -> None:
    best = make_candidate(1, RELATED, answers=False)
    further = [make_candidate(2, FURTHER, answers=False), make_candidate(3, FURTHER - 0.001, answers=False)]
    selection = select([best, *further])
    assert (related(selection), nearest(selection)) == (["§1", "§2"], ["§3"])


def test_of_many_that_answer_the_likeliest_are_taken(make_candidate) -> None:
    selection = select([make_candidate(n, 0.9 - n / 100) for n in range(9, 0, -1)])
    assert answering(selection) == ["§1", "§2", "§3"]
    assert len(selection.answering) == MAX_ANSWERING
    assert related(selection) == ["§4"]
    assert nearest(selection) == ["§5", "§6", "§7"]


def test_no_more_provisions_are_shown_than_can_be_read(make_candidate) -> None:
    selection = select([make_candidate(n, 0.9 - n / 100, answers=False) for n in range(9)])
    assert len(selection.related) == MAX_SHOWN


def test_where_the_source_asked_for_is_not_here_nothing_is_more_than_relevant(make_candidate) -> None:
    selection = select([make_candidate(1, 0.99)], only_related=True)
    assert (related(selection), selection.tier) == (["§1"], Tier.RELATED)


def test_what_is_not_quotable_is_not_shown(make_candidate) -> None:
    selection = select([make_candidate(1, 0.9, ""), make_candidate(2, 0.7)])
    assert (answering(selection), related(selection), nearest(selection)) == (["§2"], [], [])


def test_what_people_often_ask_about_is_ranked_before_what_is_about_as_likely(make_candidate) -> None:
    often = make_candidate(2, 0.3, asked_often=True)
    assert answering(select([make_candidate(1, 0.3 * ASKED_OFTEN - 0.01), often])) == ["§2", "§1"]
    assert answering(select([make_candidate(1, 0.3 * ASKED_OFTEN + 0.01), often])) == ["§1", "§2"]


def test_being_asked_often_does_not_make_a_provision_an_answer(make_candidate) -> None:
    assert select([make_candidate(1, RELATED - 0.001, asked_often=True)]).tier is Tier.NOTHING


# What the question names, and how sure an answer must be


def test_the_provision_that_the_question_names_always_answers_and_alone(make_candidate) -> None:
    named = make_candidate(9, 0.0, answers=False, named=True)
    for enough in (0.0, math.inf):
        selection = select([make_candidate(1, 0.99), named], enough)
        assert (answering(selection), related(selection), nearest(selection)) == (["§9"], [], ["§1"])


def test_it_does_also_where_the_source_asked_for_is_not_here(make_candidate) -> None:
    assert answering(select([make_candidate(9, 0.0, named=True)], only_related=True)) == ["§9"]


@pytest.mark.parametrize("in_force", [InForce.NOT_YET, InForce.REPEALED])
def test_it_does_whether_or_not_it_is_in_force(make_candidate, in_force: InForce) -> None:
    assert answering(select([make_candidate(9, 0.0, named=True, in_force=in_force)])) == ["§9"]


def test_as_many_named_provisions_are_shown_as_can_be_read(make_candidate) -> None:
    assert len(select([make_candidate(n, 0.0, named=True) for n in range(9)]).answering) == MAX_SHOWN


def test_the_best_must_be_as_likely_as_is_asked_for(make_candidate) -> None:
    assert answering(select([make_candidate(1, SURE)], SURE)) == ["§1"]
    unsure = select([make_candidate(1, SURE - 0.001)], SURE)
    assert (unsure.tier, nearest(unsure)) == (Tier.NOTHING, ["§1"])


def test_where_no_probability_is_enough_nothing_may_be_relevant(make_candidate) -> None:
    assert select([make_candidate(1, 1.0)], math.inf).tier is Tier.NOTHING


# What is not law today


def test_what_is_not_in_force_counts_half(make_candidate) -> None:
    coming = make_candidate(1, 0.9, in_force=InForce.NOT_YET)
    assert answering(select([coming, make_candidate(2, 0.5)])) == ["§2"]
    assert answering(select([coming], 0.45)) == ["§1"]
    assert answering(select([coming], 0.46)) == []


def test_what_is_not_in_force_answers_when_nothing_else_does(make_candidate) -> None:
    coming = make_candidate(1, 0.9, in_force=InForce.NOT_YET)
    assert answering(select([coming, make_candidate(2, 0.4, answers=False)])) == ["§1"]


@pytest.mark.parametrize("in_force", [InForce.NOT_YET, InForce.REPEALED])
@pytest.mark.parametrize("answers", [True, False])
def test_what_is_not_in_force_is_not_quoted_beside_the_best(make_candidate, in_force: InForce, answers: bool) -> None:
    others = [
        make_candidate(2, 0.8, in_force=in_force, answers=answers),
        make_candidate(3, 0.7, in_force=InForce.UNKNOWN),
    ]
    selection = select([make_candidate(1, 0.9), *others])
    assert (answering(selection), related(selection), nearest(selection)) == (["§1", "§3"], [], ["§2"])


# Acts for some only

STATE = "lov/2017-06-16-67"
COOPERATIVES = "lov/2003-06-06-39"
EMPLOYED = "Hvor lang er oppsigelsesfristen?"


@pytest.fixture
def of_act(make_candidate):
    """Make a candidate of an act, for a question."""

    def make(refid: str, probability: float, question: str = EMPLOYED, **fields: object) -> Candidate:
        special = special_act(refid)
        meant = special is not None and is_about(question, special)
        return make_candidate(1, probability, refid=refid, special=special, meant=meant, **fields)

    return make


def acts(candidates: tuple[Candidate, ...]) -> list[str]:
    return [c.reading.provision.refid for c in candidates]


def test_an_act_for_some_comes_after_the_general_act_that_is_found_too(of_act) -> None:
    selection = select([of_act(STATE, 0.9), of_act(WORKING_ENVIRONMENT, 0.6)])
    assert acts(selection.answering) == [WORKING_ENVIRONMENT, STATE]


def test_it_does_though_the_general_act_is_far_less_likely_but_not_though_it_is_not_likely_at_all(of_act) -> None:
    for least, first in ((FURTHER, WORKING_ENVIRONMENT), (FURTHER - 0.001, STATE)):
        found = [of_act(STATE, 0.9, answers=False), of_act(WORKING_ENVIRONMENT, least, answers=False)]
        assert acts(select(found).related)[0] == first


def test_where_the_question_is_about_them_their_act_stays_first(of_act) -> None:
    question = "Hvor lang oppsigelsesfrist har statsansatte?"
    found = [of_act(STATE, 0.9, question), of_act(WORKING_ENVIRONMENT, 0.6, question)]
    assert acts(select(found).answering) == [STATE, WORKING_ENVIRONMENT]


def test_their_act_comes_first_though_the_general_act_is_likelier_but_not_though_it_is_not_likely_at_all(
    of_act,
) -> None:
    question = "Hvor lang oppsigelsesfrist har statsansatte?"
    for least, first in ((FURTHER, STATE), (FURTHER - 0.001, WORKING_ENVIRONMENT)):
        found = [of_act(WORKING_ENVIRONMENT, 0.9, question), of_act(STATE, least, question, answers=False)]
        selection = select(found)
        assert acts((*selection.answering, *selection.related))[0] == WORKING_ENVIRONMENT
        assert acts(select(found, only_related=True).related)[0] == first


def test_an_act_comes_after_the_general_act_of_its_own_subject_alone(of_act) -> None:
    found = [of_act(COOPERATIVES, 0.9), of_act(WORKING_ENVIRONMENT, 0.8), of_act(TENANCY, 0.7)]
    assert acts(select(found).answering) == [TENANCY, COOPERATIVES, WORKING_ENVIRONMENT]


def test_an_act_for_some_stays_where_no_general_act_is_found(of_act) -> None:
    assert acts(select([of_act(STATE, 0.9), of_act(TENANCY, 0.6)]).answering) == [STATE, TENANCY]


# What search finds likely enough


async def reply(corpus, best: float | None, *probabilities: float | None, answers: bool) -> ProvisionHits:
    """Return a reply whose best hit of all has probability `best`, and whose hits have these."""
    found = await MemorySearch(corpus).find(FindProvisions(query="pant båteier skader båt"))
    hits = [h.model_copy(update={"probability": p}) for h, p in zip(found.hits, probabilities, strict=False)]
    assert len(hits) == len(probabilities)
    return found.model_copy(update={"hits": tuple(hits), "probability": best, "answers": answers})


async def test_hits_are_likely_enough_from_a_share_of_the_best(corpus) -> None:
    found = await reply(corpus, 0.5, 0.5, 0.5 * BESIDE, 0.5 * BESIDE - 0.001, answers=True)
    assert likely_enough(found) == found.hits[:2]


async def test_no_hit_is_likely_enough_where_the_reply_does_not_answer(corpus) -> None:
    assert likely_enough(await reply(corpus, 0.9, 0.9, answers=False)) == ()


async def test_a_hit_without_a_probability_is_not_likely_enough(corpus) -> None:
    found = await reply(corpus, 0.5, 0.5, None, answers=True)
    assert likely_enough(found) == found.hits[:1]
    assert likely_enough(await reply(corpus, None, None, answers=True)) == ()


async def test_hits_are_measured_by_the_best_of_all_also_when_it_is_not_among_them(corpus) -> None:
    assert likely_enough(await reply(corpus, 0.9, 0.3, answers=True)) == ()


def test_what_belongs_to_the_situation_of_a_question_comes_first_and_answers_no_surer(make_candidate) -> None:
    other = make_candidate(1, 0.2, answers=False)
    near = make_candidate(2, 0.2 / OF_THE_SITUATION + 0.01, answers=False, expected=True)
    assert related(select([other, near])) == ["§2", "§1"]
    assert select([make_candidate(1, RELATED - 0.001, expected=True)]).tier is Tier.NOTHING


def test_what_a_part_of_the_question_finds_is_ranked_by_less_and_relevant_all_the_same(make_candidate) -> None:
    whole, part = make_candidate(1, 0.2, answers=False), make_candidate(2, 0.5, answers=False, weight=0.3)
    assert related(select([part, whole])) == ["§1", "§2"]
    assert select([part]).tier is Tier.RELATED
