"""What speaks for each candidate, signal by signal."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lovsvar_contracts.law import LAW_TYPE_ORDER, InForce, LawType, ProvisionKind
from lovsvar_search.core.law.signals import COVERS, SIGNALS, TRAITS, Traits, measure
from lovsvar_search.core.retrieval.candidates import REACH, Candidate, Candidates, Evidence
from lovsvar_search.core.retrieval.vector_search import FAR, Near, NearPassage, NearTopics

PROVISION = Traits(ProvisionKind.PROVISION, InForce.YES)


class One(NamedTuple):
    """A candidate, and what else is known of it."""

    candidate: Candidate
    chapter: int = 0
    traits: Traits = PROVISION
    heading_length: int = 3
    cover: Sequence[float] = (0.0, 0.0, 0.0, 0.0, 0.0)


def candidate(number: int, words: float = 0.0, *, act: int = 1, law_type: LawType = LawType.LOV, **known: Any) -> One:
    return One(Candidate(number, act, LAW_TYPE_ORDER.index(law_type), words, True, None), **known)


def together(*several: One) -> Candidates:
    return Candidates(
        [one.candidate for one in several],
        {
            "chapter": [one.chapter for one in several],
            "traits": [TRAITS.index(one.traits) for one in several],
            "heading_length": [one.heading_length for one in several],
            "length": [99] * len(several),
        },
        np.array([one.cover for one in several]).reshape(-1, len(COVERS)),
    )


def near(questions: dict[int, float] | None = None, passages: dict[int, float] | None = None, **topics: Any) -> Near:
    return Near(questions or {}, {n: NearPassage(s, None) for n, s in (passages or {}).items()}, **topics)


def value(of: One, signal: str, evidence: Evidence, *beside: One) -> float:
    return float(measure(together(of, *beside), evidence)[0, SIGNALS.index(signal)])


def test_a_score_by_words_says_the_same_whatever_else_was_found() -> None:
    evidence = Evidence(mass=10.0)
    alone = value(candidate(1, 11.0), "words_share", evidence)
    assert alone == value(candidate(1, 11.0), "words_share", evidence, candidate(2, 90.0)) == 11.0 / (REACH * 10.0)


def test_how_far_a_score_is_behind_the_best_is_told_too() -> None:
    assert value(candidate(1, 11.0), "words_behind", Evidence(), candidate(2, 15.0)) == 4.0


def test_in_a_small_corpus_words_count_as_in_a_full_one() -> None:
    small, full = Evidence(mass=5.0, scale=2.0), Evidence(mass=10.0)
    for signal in ("words", "words_share"):
        assert value(candidate(1, 5.0), signal, small) == value(candidate(1, 10.0), signal, full)


def test_what_a_place_holds_of_the_question_is_told_by_field() -> None:
    one = candidate(1, cover=(0.5, 0.25, 0.75, 0.4, 1.0))
    signals = ("heading", "heading_weight", "above", "anywhere", "defines")
    assert [value(one, signal, Evidence(mass=10.0)) for signal in signals] == [0.5, 5.0, 0.25, 0.75, 0.4]


def test_a_heading_that_says_what_was_asked_and_nothing_else_is_told_from_a_longer_one() -> None:
    all_of_it = (1.0, 0.0, 1.0, 0.0, 0.0)
    for length, beside in ((2, 0.0), (7, 5.0)):
        one = candidate(1, heading_length=length, cover=all_of_it)
        assert value(one, "heading_beside", Evidence(asked=2)) == beside


def test_words_that_stand_together_as_they_were_asked_are_counted() -> None:
    one = candidate(1, cover=(0.0, 0.0, 1.0, 0.0, 0.5))
    assert [value(one, signal, Evidence(pairs=4)) for signal in ("pairs", "pairs_found")] == [0.5, 2.0]


def test_what_is_not_among_the_nearest_is_far() -> None:
    evidence = Evidence(near=near(questions={1: 0.93}, passages={1: 0.91}))
    assert [value(candidate(1), s, evidence) for s in ("near_questions", "near_passages")] == [0.93, 0.91]
    assert [value(candidate(2), s, evidence) for s in ("near_questions", "near_passages")] == [FAR, FAR]
    assert value(candidate(2), "passages_behind", evidence) == pytest.approx(0.91 - FAR)


def test_a_provision_has_the_topic_of_its_chapter_else_that_of_its_act() -> None:
    topics = NearTopics({1: 0, 7: 1}, np.array([0.82, 0.88], np.float32))
    evidence = Evidence(topics={1: 0.3, 7: 0.6}, near=near(topics=topics))
    inside, beside = candidate(1, chapter=7), candidate(2, chapter=8)
    signals = ("topic_words", "chapter_words", "topic_near", "chapter_near")
    assert [value(inside, s, evidence) for s in signals] == pytest.approx([0.3, 0.6, 0.82, 0.88])
    assert [value(beside, s, evidence) for s in signals] == pytest.approx([0.3, 0.3, 0.82, 0.82])


def test_a_document_of_which_several_provisions_are_found_stands_out() -> None:
    same = [candidate(1, 9.0, act=1), candidate(2, 8.0, act=1)]
    alone = candidate(3, 7.0, act=2)
    assert value(same[0], "document_words", Evidence(), same[1], alone) == pytest.approx(1 / 2 + 1 / 3)
    assert value(alone, "document_words", Evidence(), *same) == pytest.approx(1 / 4)


def test_a_named_act_speaks_for_its_provisions_and_against_others() -> None:
    evidence = Evidence(groups=frozenset([1]))
    assert [value(candidate(1, act=act), "named", evidence) for act in (1, 2)] == [1.0, -1.0]
    assert value(candidate(1), "named", Evidence()) == 0.0


@pytest.mark.parametrize("traits", TRAITS)
def test_what_kind_of_text_it_is_and_whether_it_is_law_is_told(traits: Traits) -> None:
    one = candidate(1, traits=traits, law_type=LawType.FORSKRIFT)
    told = {signal: value(one, signal, Evidence()) for signal in ("law", "annex", "other_text", "not_in_force")}
    assert told == {
        "law": 0.0,
        "annex": float(traits.kind is ProvisionKind.ANNEX),
        "other_text": float(traits.kind in (ProvisionKind.TEXT, ProvisionKind.PREAMBLE)),
        "not_in_force": float(traits.in_force in (InForce.NOT_YET, InForce.REPEALED)),
    }


SCORES = st.dictionaries(st.integers(1, 30), st.floats(0.0, 60.0), max_size=20)
COSINES = st.dictionaries(st.integers(1, 30), st.floats(-1.0, 1.0), max_size=20)


@given(
    st.lists(st.builds(candidate, st.integers(1, 30), st.floats(0.0, 90.0), act=st.integers(1, 4)), max_size=20),
    st.floats(0.0, 200.0),
    SCORES,
    COSINES,
    COSINES,
)
def test_every_candidate_has_a_finite_value_for_every_signal(
    candidates: list[One],
    mass: float,
    questions: dict[int, float],
    near_questions: dict[int, float],
    passages: dict[int, float],
) -> None:
    evidence = Evidence(mass=mass, questions=questions, near=near(near_questions, passages))
    values = measure(together(*candidates), evidence)
    assert values.shape == (len(candidates), len(SIGNALS))
    assert np.isfinite(values).all()
