"""Which of the provisions found answer the question, if any."""

import math

import pytest

from lovsvar_agent.adapters.memory_search import MemorySearch
from lovsvar_agent.core.answerability import BESIDE, MAX_CHOSEN, SURE, Candidate, Decision, decide, likely_enough
from lovsvar_agent.core.passages import read
from lovsvar_contracts.law import InForce
from lovsvar_contracts.search import FindProvisions, ProvisionHits
from lovsvar_legaltext.words import Matcher


@pytest.fixture
def make_candidate(make_provision):
    """Make a candidate of section §`number` that search finds likely enough."""

    def make(number: int, probability: float, *ledd: str, in_force: InForce = InForce.YES, **fields: bool) -> Candidate:
        provision = make_provision(*(ledd or ("Båteieren kan kreve pant.",)), section=f"§{number}", in_force=in_force)
        return Candidate(read(provision, Matcher("pant")), probability, **{"answers": True, **fields})

    return make


def sections(decision: Decision) -> list[str]:
    return [c.reading.provision.section for c in decision.chosen]


def nearest(decision: Decision) -> list[str]:
    return [c.reading.provision.section for c in decision.nearest]


def test_the_best_that_search_finds_likely_enough_answers_and_the_rest_are_near(make_candidate) -> None:
    decision = decide([make_candidate(1, 0.4, answers=False), make_candidate(2, 0.8)])
    assert sections(decision) == ["§2"]
    assert nearest(decision) == ["§1"]


def test_what_search_does_not_find_likely_enough_does_not_answer(make_candidate) -> None:
    decision = decide([make_candidate(1, 0.99, answers=False)])
    assert sections(decision) == []
    assert nearest(decision) == ["§1"]


def test_nothing_found_answers_nothing() -> None:
    assert decide([]) == Decision((), ())


def test_the_provision_that_the_question_names_always_answers_and_alone(make_candidate) -> None:
    named = make_candidate(9, 0.0, answers=False, named=True)
    assert sections(decide([make_candidate(1, 0.99), named])) == ["§9"]
    assert sections(decide([make_candidate(1, 0.99), named], math.inf)) == ["§9"]


def test_what_is_not_quotable_does_not_answer(make_candidate) -> None:
    empty = make_candidate(1, 0.9, "")
    assert sections(decide([empty, make_candidate(2, 0.7)])) == ["§2"]


def test_the_best_must_be_as_likely_as_is_asked_for(make_candidate) -> None:
    assert sections(decide([make_candidate(1, SURE)], SURE)) == ["§1"]
    assert sections(decide([make_candidate(1, SURE - 0.001)], SURE)) == []


def test_what_is_not_in_force_counts_half(make_candidate) -> None:
    coming = make_candidate(1, 0.9, in_force=InForce.NOT_YET)
    assert sections(decide([coming, make_candidate(2, 0.5)])) == ["§2"]
    assert sections(decide([coming], 0.45)) == ["§1"]
    assert sections(decide([coming], 0.46)) == []


def test_what_is_not_in_force_answers_when_nothing_else_does(make_candidate) -> None:
    coming = make_candidate(1, 0.9, in_force=InForce.NOT_YET)
    assert sections(decide([coming, make_candidate(2, 0.5, answers=False)])) == ["§1"]


@pytest.mark.parametrize("in_force", [InForce.NOT_YET, InForce.REPEALED])
def test_what_is_not_in_force_is_not_quoted_beside_the_best(make_candidate, in_force: InForce) -> None:
    others = [make_candidate(2, 0.8, in_force=in_force), make_candidate(3, 0.7, in_force=InForce.UNKNOWN)]
    assert sections(decide([make_candidate(1, 0.9), *others])) == ["§1", "§3"]


def test_of_many_that_answer_the_likeliest_are_taken(make_candidate) -> None:
    decision = decide([make_candidate(n, 0.9 - n / 100) for n in range(9, 0, -1)])
    assert sections(decision) == ["§1", "§2", "§3"]
    assert len(decision.chosen) == MAX_CHOSEN
    assert nearest(decision) == ["§4", "§5", "§6"]


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
