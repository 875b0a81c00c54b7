"""One score of many."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lovsvar_contracts.law import LawType
from lovsvar_search.core.fusion import SCORED_BY_MEANING, Candidate, Evidence, Weights, fuse, fuse_by_rank
from lovsvar_search.core.meaning import Near, NearPassage
from lovsvar_search.core.ranking import NAMED_ACT, PINNED

WEIGHTS = Weights(words=1.0, questions=1.0, near_questions=1.0, near_passages=1.0, act=0.0)
"""Weights of these tests' own, so that they do not change as the real ones are chosen."""


def candidate(number: int, words: float = 0.0, *, act: int | None = None, prior: float = 1.0) -> Candidate:
    return Candidate(number, number * 100 if act is None else act, LawType.LOV, prior, words, None)


def ranked(candidates: list[Candidate], evidence: Evidence | None = None, weights: Weights = WEIGHTS) -> list[int]:
    return [scored.candidate.number for scored in fuse(candidates, evidence or Evidence(), weights)]


def near(*, questions: dict[int, float] | None = None, passages: dict[int, float] | None = None) -> Near:
    return Near(questions or {}, {number: NearPassage(value, 2) for number, value in (passages or {}).items()})


def test_more_words_rank_higher_and_the_best_counts_as_one() -> None:
    scored = fuse([candidate(1, 5.0), candidate(2, 20.0), candidate(3, 10.0)], Evidence(), WEIGHTS)
    assert [one.candidate.number for one in scored] == [2, 3, 1]
    assert [one.score for one in scored] == pytest.approx([1.0, 0.5, 0.25])


def test_equals_stand_in_the_order_of_their_numbers_whatever_order_they_come_in() -> None:
    candidates = [candidate(n, 7.0) for n in (5, 3, 9, 1)]
    assert ranked(candidates) == ranked(candidates[::-1]) == [1, 3, 5, 9]


def test_an_everyday_question_lifts_a_provision_that_shares_no_word() -> None:
    evidence = Evidence(questions={2: 9.0, 3: 4.5})
    scored = fuse([candidate(1, 0.0), candidate(2), candidate(3)], evidence, WEIGHTS)
    assert [(one.candidate.number, one.score) for one in scored] == [(2, 1.0), (3, 0.5), (1, 0.0)]


@pytest.mark.parametrize(
    "evidence",
    [Evidence(questions={1: 5.0, 2: 5.0}), Evidence(near=near(questions={1: 0.9, 2: 0.9}, passages={1: 0.9, 2: 0.9}))],
)
def test_the_prior_tells_equally_good_provisions_apart(evidence: Evidence) -> None:
    assert ranked([candidate(1, prior=0.4), candidate(2, prior=1.25)], evidence) == [2, 1]


@pytest.mark.parametrize("kind", ["questions", "passages"])
def test_meaning_counts_between_its_bounds_and_no_more_beyond_them(kind: str) -> None:
    weights = replace(WEIGHTS, lowest=0.8, highest=0.9, lowest_passage=0.8, highest_passage=0.9)
    evidence = Evidence(near=near(**{kind: {1: 0.2, 2: 0.8, 3: 0.85, 4: 0.9, 5: 0.99}}))
    scored = {one.candidate.number: one.score for one in fuse([candidate(n) for n in range(1, 6)], evidence, weights)}
    assert [scored[n] for n in range(1, 6)] == pytest.approx([0.0, 0.0, 0.5, 1.0, 1.0])


def test_a_provision_without_a_vector_is_ranked_by_its_words() -> None:
    evidence = Evidence(near=near(passages={1: 0.85}))
    assert ranked([candidate(1, 1.0), candidate(2, 10.0)], evidence) == [2, 1]


def test_scored_by_meaning_words_and_everyday_questions_by_words_do_not_count() -> None:
    evidence = Evidence(questions={1: 9.0}, near=near(passages={2: 0.9}))
    assert ranked([candidate(1, 50.0), candidate(2)], evidence, SCORED_BY_MEANING) == [2, 1]


def test_an_act_with_several_good_provisions_lifts_each_of_them() -> None:
    weights = replace(WEIGHTS, act=0.5)
    together = [candidate(2, 9.0, act=7), candidate(3, 9.0, act=7), candidate(4, 9.0, act=7)]
    alone = candidate(1, 9.0, act=8)
    assert ranked([alone, *together], weights=weights) == [2, 3, 4, 1]
    assert ranked([alone, *together]) == [1, 2, 3, 4]


def test_provisions_of_a_named_act_come_first_and_before_them_what_is_named_itself() -> None:
    candidates = [candidate(1, 90.0, act=1), candidate(2, 1.0, act=2), candidate(3, 0.0, act=2), candidate(4, act=3)]
    evidence = Evidence(near=near(passages={1: 0.99}), acts=frozenset([2]), sections=frozenset([3, 4]))
    scored = fuse(candidates, evidence, WEIGHTS)
    assert {one.candidate.number for one in scored[:2]} == {3, 4}
    assert [one.candidate.number for one in scored[2:]] == [2, 1]
    assert all(one.score >= PINNED for one in scored[:2])
    assert NAMED_ACT <= scored[2].score < PINNED


def test_a_place_is_as_near_as_the_better_of_a_question_that_it_answers_and_its_own_text() -> None:
    found = near(questions={1: 0.9, 2: 0.8}, passages={2: 0.85, 3: 0.95})
    assert [found.similarity(number) for number in range(1, 5)] == [0.9, 0.85, 0.95, None]


def test_nothing_is_ranked_when_there_is_nothing() -> None:
    assert fuse([], Evidence(questions={1: 1.0})) == fuse_by_rank([], Evidence(questions={1: 1.0})) == []


CANDIDATES = st.lists(
    st.builds(
        candidate,
        st.integers(1, 40),
        st.just(0.0) | st.floats(0.01, 60),
        act=st.integers(1, 5),
        prior=st.sampled_from([0.25, 0.5, 1.0, 1.25]),
    ),
    unique_by=lambda one: one.number,
    max_size=30,
)
SCORES = st.dictionaries(st.integers(1, 50), st.floats(0.01, 40), max_size=20)
COSINES = st.dictionaries(st.integers(1, 50), st.floats(-1, 1), max_size=20)
NUMBERS = st.frozensets(st.integers(1, 50), max_size=3)


@given(CANDIDATES, SCORES, COSINES, COSINES, NUMBERS, NUMBERS)
def test_every_candidate_is_ranked_once_and_the_parts_of_its_score_add_up(
    candidates: list[Candidate],
    questions: dict[int, float],
    near_questions: dict[int, float],
    passages: dict[int, float],
    acts: frozenset[int],
    sections: frozenset[int],
) -> None:
    evidence = Evidence(questions, near(questions=near_questions, passages=passages), acts, sections)
    scored = fuse(candidates, evidence)
    assert sorted(one.candidate.number for one in scored) == sorted(one.number for one in candidates)
    assert [one.score for one in scored] == sorted((one.score for one in scored), reverse=True)
    assert all(one.score == pytest.approx(sum(one.parts)) for one in scored)
    assert all(min(one.parts) >= 0 for one in scored)


def test_by_rank_the_sum_of_reciprocal_ranks_decides() -> None:
    evidence = Evidence(questions={2: 8.0, 3: 4.0}, near=near(passages={2: 0.9}))
    scored = fuse_by_rank([candidate(1, 9.0), candidate(2, 8.0), candidate(3, 0.0)], evidence, constant=60.0)
    assert [one.candidate.number for one in scored] == [2, 1, 3]
    assert [one.score for one in scored] == pytest.approx([1 / 62 + 1 / 61 + 1 / 61, 1 / 61, 1 / 62])


def test_by_rank_too_what_is_named_comes_first_and_equals_in_the_order_of_their_numbers() -> None:
    candidates = [candidate(4), candidate(3), candidate(2, 9.0), candidate(1, act=5)]
    evidence = Evidence(acts=frozenset([5]), sections=frozenset([4]))
    assert [one.candidate.number for one in fuse_by_rank(candidates, evidence)] == [4, 1, 2, 3]
