"""Law types in their order, and priors."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lovsvar_contracts.law import LAW_TYPE_ORDER, InForce, LawType, ProvisionKind
from lovsvar_search.app import load_ranker
from lovsvar_search.core.law.collection import prior
from lovsvar_search.core.law.provision_search import RELEVANT, law_type_of, types_to_search
from lovsvar_search.core.law.signals import COVERS, SIGNALS, TRAITS, Traits
from lovsvar_search.core.retrieval.candidates import OUTRIGHT, PINNED, Candidate, Candidates, Evidence, Scored, in_order
from lovsvar_search.core.retrieval.vector_search import Near, NearPassage

SHIPPED = load_ranker()
PROVISION = Traits(ProvisionKind.PROVISION, InForce.YES)


def candidate(number: int, words: float = 0.0, *, act: int = 1, law_type: LawType = LawType.LOV) -> Candidate:
    return Candidate(number, act, LAW_TYPE_ORDER.index(law_type), words, True, None)


def together(*ones: Candidate) -> Candidates:
    count = len(ones)
    in_force = [TRAITS.index(PROVISION)] * count
    columns = {"chapter": [0] * count, "traits": in_force, "heading_length": [3] * count, "length": [99] * count}
    return Candidates(ones, columns, np.zeros((count, len(COVERS))))


def rank(candidates: Candidates, evidence: Evidence, *, meaning_alone: bool = False) -> list[Scored]:
    ranked = SHIPPED.rank(candidates, evidence, meaning_alone)
    return in_order(candidates, evidence.items, *ranked)


def hit(chance: float, law_type: LawType, words: float = 0.0) -> Scored:
    return Scored(chance, candidate(1, words, law_type=law_type), min(1.0, chance))


def hits(**chances: list[float]) -> list[Scored]:
    found = [hit(chance, LawType(law_type)) for law_type, many in chances.items() for chance in many]
    return sorted(found, key=lambda one: -one.score)


def ranked(candidates: list[Candidate], evidence: Evidence | None = None) -> list[int]:
    return [one.candidate.number for one in rank(together(*candidates), evidence or Evidence())]


def test_equals_are_in_the_order_of_their_numbers() -> None:
    assert ranked([candidate(n, 7.0) for n in (1, 3, 5, 9)]) == [1, 3, 5, 9]


def test_nothing_is_ranked_when_there_is_nothing() -> None:
    assert ranked([]) == []


def test_a_question_that_is_nearly_an_everyday_one_finds_its_provision_without_a_common_word() -> None:
    evidence = Evidence(mass=20.0, near=Near({2: 0.97, 3: 0.86}))
    assert ranked([candidate(1, 8.0), candidate(2), candidate(3)], evidence)[0] == 2


def test_what_the_query_names_comes_first_whatever_else_is_found() -> None:
    evidence = Evidence(near=Near({1: 0.99}, {1: NearPassage(0.99, None)}), items=frozenset([4]))
    first = rank(together(candidate(1, 90.0), candidate(4)), evidence)[0]
    assert (first.candidate.number, first.parts(SIGNALS)[OUTRIGHT]) == (4, PINNED)


def test_a_hit_shows_the_values_of_its_signals() -> None:
    evidence = Evidence(mass=20.0, near=Near({1: 0.9}))
    first, *_ = rank(together(candidate(1, 30.0), candidate(2, act=2)), evidence)
    shown = first.parts(SIGNALS)
    assert (shown["words"], shown["near_questions"], shown["named outright"]) == (30.0, 0.9, 0.0)


def test_signals_that_are_left_out_count_as_nothing() -> None:
    candidates = [candidate(1, 90.0), candidate(2)]
    evidence = Evidence(mass=20.0, near=Near({2: 0.95}))
    without = rank(together(*candidates), evidence, meaning_alone=True)
    assert without[0].candidate.number == 2
    assert all(one.parts(SIGNALS)["words"] == 0.0 for one in without)


def test_acts_alone_are_searched_when_they_give_half_a_page_of_relevant_hits() -> None:
    assert types_to_search(hits(lov=[0.9, 0.8, 0.7, 0.6, 0.5], forskrift=[0.4]), 10) == (LawType.LOV,)


def test_regulations_are_searched_too_when_acts_give_too_few() -> None:
    found = hits(lov=[0.9, 0.8, 0.8, 0.4, 0.1], forskrift=[0.8, 0.8, 0.8, 0.8, 0.8])
    assert types_to_search(found, 10) == (LawType.LOV, LawType.FORSKRIFT)


def test_a_regulation_that_plainly_answers_is_not_hidden_behind_acts_that_share_a_word() -> None:
    found = hits(lov=[0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2], forskrift=[0.8])
    assert LawType.FORSKRIFT in types_to_search(found, 10)


def test_the_type_of_the_best_hit_is_always_searched() -> None:
    found = hits(lov=[0.89, 0.89, 0.89, 0.89, 0.89], forskrift=[0.9])
    assert LawType.FORSKRIFT in types_to_search(found, 10)


def test_the_type_of_the_best_hit_by_words_is_always_searched() -> None:
    found = [*hits(lov=[0.9, 0.9, 0.9, 0.9, 0.9]), hit(0.1, LawType.FORSKRIFT, words=30.0)]
    assert LawType.FORSKRIFT in types_to_search(found, 10)


def test_all_types_are_searched_when_none_gives_enough() -> None:
    assert types_to_search(hits(lov=[0.9, 0.8], forskrift=[0.8]), 10) == LAW_TYPE_ORDER
    assert types_to_search([], 10) == LAW_TYPE_ORDER


def test_a_small_page_asks_for_three_relevant_hits() -> None:
    assert types_to_search(hits(lov=[0.9, 0.8], forskrift=[0.7]), 2) == LAW_TYPE_ORDER
    assert types_to_search(hits(lov=[0.9, 0.8, 0.8], forskrift=[0.7]), 2) == (LawType.LOV,)


def test_a_provision_named_outright_is_no_measure_of_the_others() -> None:
    found = hits(lov=[PINNED + 1, 0.5, 0.5, 0.4, 0.4, 0.4])
    assert types_to_search(found, 10) == (LawType.LOV,)


def test_the_type_of_a_provision_named_outright_is_searched() -> None:
    found = hits(lov=[0.9, 0.9, 0.8, 0.8, 0.8], forskrift=[PINNED + 1])
    assert LawType.FORSKRIFT in types_to_search(found, 10)


@given(
    st.lists(st.builds(hit, st.floats(0.01, 1.0), st.sampled_from(list(LawType))), max_size=60),
    st.integers(1, 20),
)
def test_types_are_always_a_beginning_of_their_order_and_hold_the_rule(found: list[Scored], page_size: int) -> None:
    found = sorted(found, key=lambda hit: -hit.score)
    types = types_to_search(found, page_size)
    assert types == LAW_TYPE_ORDER[: len(types)]
    if types != LAW_TYPE_ORDER:
        bar = RELEVANT * found[0].score
        assert sum(law_type_of(hit) is types[-1] and hit.score >= bar for hit in found) >= max(3, page_size // 2)


def test_what_is_not_in_force_ranks_below_what_is() -> None:
    in_force = prior(LawType.LOV, InForce.YES, ProvisionKind.PROVISION)
    assert prior(LawType.LOV, InForce.NOT_YET, ProvisionKind.PROVISION) < in_force
    assert prior(LawType.LOV, InForce.REPEALED, ProvisionKind.PROVISION) < in_force


def test_no_prior_is_so_low_that_the_index_cannot_hold_it() -> None:
    assert all(prior(t, f, k) >= 0.25 for t in LawType for f in InForce for k in ProvisionKind)
