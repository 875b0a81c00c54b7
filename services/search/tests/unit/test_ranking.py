"""Law types in their order, and priors."""

from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from lovsvar_contracts.law import LAW_TYPE_ORDER, InForce, LawType, ProvisionKind
from lovsvar_search.core.ranking import PINNED, RELEVANT, prior, types_to_search


@dataclass(frozen=True)
class Hit:
    score: float
    law_type: LawType


def hits(**scores: list[float]) -> list[Hit]:
    found = [Hit(score, LawType(law_type)) for law_type, many in scores.items() for score in many]
    return sorted(found, key=lambda hit: -hit.score)


def test_acts_alone_are_searched_when_they_give_half_a_page_of_relevant_hits() -> None:
    assert types_to_search(hits(lov=[10, 9.9, 9.8, 9.7, 9.6], forskrift=[8]), 10) == (LawType.LOV,)


def test_regulations_are_searched_too_when_acts_give_too_few() -> None:
    found = hits(lov=[10, 9, 9, 8, 3], forskrift=[9, 9, 9, 9, 9])
    assert types_to_search(found, 10) == (LawType.LOV, LawType.FORSKRIFT)


def test_a_regulation_that_plainly_answers_is_not_hidden_behind_acts_that_share_a_word() -> None:
    found = hits(lov=[5, 5, 5, 5, 5, 5, 5], forskrift=[20])
    assert LawType.FORSKRIFT in types_to_search(found, 10)


def test_the_type_of_the_best_hit_is_always_searched() -> None:
    found = hits(lov=[9.9, 9.9, 9.9, 9.9, 9.9], forskrift=[10])
    assert LawType.FORSKRIFT in types_to_search(found, 10)


def test_all_types_are_searched_when_none_gives_enough() -> None:
    assert types_to_search(hits(lov=[10, 9], forskrift=[9]), 10) == LAW_TYPE_ORDER
    assert types_to_search([], 10) == LAW_TYPE_ORDER


def test_a_small_page_asks_for_three_relevant_hits() -> None:
    assert types_to_search(hits(lov=[10, 9], forskrift=[8]), 2) == LAW_TYPE_ORDER
    assert types_to_search(hits(lov=[10, 9.9, 9.8], forskrift=[8]), 2) == (LawType.LOV,)


def test_a_provision_named_outright_is_no_measure_of_the_others() -> None:
    found = hits(lov=[PINNED + 10, 10, 9.9, 9.8, 9.7, 9.6])
    assert types_to_search(found, 10) == (LawType.LOV,)


def test_the_type_of_a_provision_named_outright_is_searched() -> None:
    found = hits(lov=[10, 9.9, 9.8, 9.7, 9.6], forskrift=[PINNED + 1])
    assert LawType.FORSKRIFT in types_to_search(found, 10)


def test_scores_below_one_are_measured_by_the_best_as_well() -> None:
    """Fused scores are sums of shares, not tens of BM25."""
    assert types_to_search(hits(lov=[0.9, 0.89, 0.88, 0.87, 0.86], forskrift=[0.5]), 10) == (LawType.LOV,)
    assert LawType.FORSKRIFT in types_to_search(hits(lov=[0.9, 0.89, 0.5, 0.5, 0.5], forskrift=[0.5]), 10)


def test_hits_that_nothing_speaks_for_do_not_count_as_relevant_beside_one_that_answers() -> None:
    assert types_to_search(hits(lov=[0.8, 0.0, 0.0, 0.0, 0.0, 0.0]), 10) == LAW_TYPE_ORDER


@given(
    st.lists(st.builds(Hit, st.floats(0.1, PINNED, exclude_max=True), st.sampled_from(list(LawType))), max_size=60),
    st.integers(1, 20),
)
def test_types_are_always_a_beginning_of_their_order_and_hold_the_rule(found: list[Hit], page_size: int) -> None:
    found = sorted(found, key=lambda hit: -hit.score)
    types = types_to_search(found, page_size)
    assert types == LAW_TYPE_ORDER[: len(types)]
    if types != LAW_TYPE_ORDER:
        bar = RELEVANT * found[0].score
        assert sum(hit.law_type is types[-1] and hit.score >= bar for hit in found) >= max(3, page_size // 2)


def test_what_is_not_in_force_ranks_below_what_is() -> None:
    in_force = prior(LawType.LOV, InForce.YES, ProvisionKind.PROVISION)
    assert prior(LawType.LOV, InForce.NOT_YET, ProvisionKind.PROVISION) < in_force
    assert prior(LawType.LOV, InForce.REPEALED, ProvisionKind.PROVISION) < in_force


def test_no_prior_is_so_low_that_the_index_cannot_hold_it() -> None:
    assert all(prior(t, f, k) >= 0.25 for t in LawType for f in InForce for k in ProvisionKind)
