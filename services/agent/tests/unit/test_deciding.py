"""Which of the provisions found answer the question, if any."""

from collections.abc import Sequence

import pytest

from lovsvar_agent.core.deciding import AHEAD, FAR, LIKELY, MAX_CHOSEN, SURE, Candidate, Decision, decide
from lovsvar_agent.core.quoting import read
from lovsvar_agent.core.words import Matcher
from lovsvar_contracts.law import InForce, Provision


def judge(question: str, found: Sequence[tuple[Provision, float]], named: Sequence[str] = ()) -> Decision:
    matcher = Matcher(question)
    readings = [read(provision, matcher) for provision, _ in found]
    candidates = [
        Candidate(reading, score, named=reading.provision.section in named)
        for reading, (_, score) in zip(readings, found, strict=True)
    ]
    return decide(candidates, matcher.stems)


def judge_meaning(question: str, *found: tuple[Provision, float, float | None], **settings: bool) -> Decision:
    """Judge provisions by their score and similarity."""
    matcher = Matcher(question)
    candidates = [Candidate(read(provision, matcher), score, similarity) for provision, score, similarity in found]
    return decide(candidates, matcher.stems, **settings)


def sections(decision: Decision) -> list[str]:
    return [c.reading.provision.section for c in decision.chosen]


def test_a_provision_that_holds_what_is_asked_answers(make_provision) -> None:
    pant = make_provision("Båteieren kan kreve pant.", section="§3")
    assert sections(judge("Kan båteieren kreve pant?", [(pant, 1.0)])) == ["§3"]


def test_a_provision_that_shares_one_word_of_several_does_not(make_provision) -> None:
    liv = make_provision("Båten skal ha utstyr som verner liv.", section="§3")
    decision = judge("Hva er meningen med livet på Mars?", [(liv, 1.0)])
    assert sections(decision) == []
    assert [c.reading.provision.section for c in decision.nearest] == ["§3"]


def test_a_heading_that_names_the_topic_lowers_what_is_enough(make_provision) -> None:
    words = "båtplass vinter opplag naust"
    text = "Båtplass og opplag avtales om vinteren."
    plain = make_provision("Båtplass avtales.", "Opplag avtales.", section="§3")
    titled = make_provision(text, section="§4", title="Opplag")
    assert sections(judge(words, [(plain, 1.0)])) == []
    assert sections(judge(words, [(titled, 1.0)])) == ["§4"]


def test_nothing_answers_a_question_without_words(make_provision) -> None:
    assert sections(judge("Hva er det?", [(make_provision("Det er det."), 1.0)])) == []


def test_nothing_found_answers_nothing() -> None:
    assert judge("Kan båteieren kreve pant?", []) == Decision((), ())


def test_the_provision_that_the_question_names_always_answers_and_alone(make_provision) -> None:
    named = make_provision("Noe helt annet.", section="§9")
    fitting = make_provision("Båteieren kan kreve pant.", section="§3")
    assert sections(judge("Kan båteieren kreve pant?", [(fitting, 1.0), (named, 0.0)], named=["§9"])) == ["§9"]


def test_what_is_not_in_force_stands_behind_what_is(make_provision) -> None:
    coming = make_provision("Båteieren kan kreve pant.", section="§1", in_force=InForce.NOT_YET)
    valid = make_provision("Båteieren kan kreve pant.", section="§2")
    assert sections(judge("Kan båteieren kreve pant?", [(coming, 1.0), (valid, 0.9)])) == ["§2"]


def test_what_is_not_in_force_answers_when_nothing_else_does(make_provision) -> None:
    coming = make_provision("Båteieren kan kreve pant.", section="§1", in_force=InForce.NOT_YET)
    assert sections(judge("Kan båteieren kreve pant?", [(coming, 1.0)])) == ["§1"]


def test_of_many_that_answer_the_first_are_taken(make_provision) -> None:
    found = [(make_provision("Båteieren kan kreve pant.", section=f"§{n}"), 1.0) for n in range(10)]
    decision = judge("Kan båteieren kreve pant?", found)
    assert len(decision.chosen) == MAX_CHOSEN
    nearest = [c.reading.provision.section for c in decision.nearest]
    assert not set(sections(decision)) & set(nearest)


def test_one_that_answers_plainly_less_well_is_left_out(make_provision) -> None:
    best = make_provision("Båteieren kan kreve pant.", section="§1", title="Pant")
    worse = make_provision("Båteieren kan kreve mye. Pant også.", section="§2")
    assert sections(judge("Kan båteieren kreve pant?", [(best, 1.0), (worse, 0.3)])) == ["§1"]


LAY = "Jolla er borte, hvem tar regninga?"
"""A question that shares no word with the provision that answers it."""


@pytest.fixture
def loss(make_provision) -> Provision:
    return make_provision("Låntakeren erstatter en båt som er tapt.", section="§5")


@pytest.fixture
def other(make_provision) -> Provision:
    return make_provision("Båten skal vaskes.", section="§6")


def test_a_first_hit_that_surely_means_the_same_answers_without_a_word_in_common(loss, other) -> None:
    assert sections(judge_meaning(LAY, (loss, 1.0, SURE), (other, 0.84, SURE))) == ["§5"]


def test_a_hit_that_means_the_same_but_does_not_rank_first_does_not_answer(loss, other) -> None:
    assert sections(judge_meaning(LAY, (loss, 0.9, SURE), (other, 1.0, FAR))) == []


def test_a_likely_first_hit_answers_when_it_stands_out(loss, other) -> None:
    assert sections(judge_meaning(LAY, (loss, 1.0, LIKELY), (other, AHEAD, LIKELY))) == ["§5"]
    assert sections(judge_meaning(LAY, (loss, 1.0, LIKELY), (other, AHEAD + 0.01, LIKELY))) == []


def test_a_likely_first_hit_answers_when_a_passage_holds_part_of_what_is_asked(loss, other) -> None:
    found = (loss, 1.0, LIKELY), (other, 1.0, None)
    assert sections(judge_meaning("Hvem erstatter en tapt jolle?", *found)) == ["§5"]


def test_what_is_less_than_likely_does_not_answer_by_meaning(loss) -> None:
    assert sections(judge_meaning(LAY, (loss, 1.0, LIKELY - 0.001))) == []


def test_a_question_of_one_or_two_words_must_be_sure(loss) -> None:
    assert sections(judge_meaning("Hvor er jolla?", (loss, 1.0, LIKELY))) == []
    assert sections(judge_meaning("Hvor er jolla?", (loss, 1.0, SURE))) == ["§5"]


def test_a_question_without_words_has_no_meaning(loss) -> None:
    assert sections(judge_meaning("Kan du hjelpe meg?", (loss, 1.0, SURE))) == []


def test_a_hit_that_comes_close_in_score_and_meaning_is_quoted_too(loss, other) -> None:
    assert sections(judge_meaning(LAY, (loss, 1.0, SURE), (other, 0.95, LIKELY))) == ["§5", "§6"]
    assert sections(judge_meaning(LAY, (loss, 1.0, SURE), (other, 0.95, None))) == ["§5"]


def test_a_provision_that_holds_the_words_but_means_something_else_does_not_answer(make_provision) -> None:
    pant = make_provision("Båteieren kan kreve pant.", section="§3")
    assert sections(judge_meaning("Kan båteieren kreve pant?", (pant, 1.0, FAR - 0.001))) == []
    assert sections(judge_meaning("Kan båteieren kreve pant?", (pant, 1.0, FAR))) == ["§3"]


def test_by_meaning_alone_neither_words_nor_likelihood_count(loss) -> None:
    words = "Låntakeren erstatter en båt som er tapt"
    assert sections(judge_meaning(words, (loss, 1.0, LIKELY), by_meaning_alone=True)) == []
    assert sections(judge_meaning(words, (loss, 1.0, None), by_meaning_alone=True)) == []
    assert sections(judge_meaning(words, (loss, 1.0, SURE), by_meaning_alone=True)) == ["§5"]


def test_what_is_near_in_meaning_but_not_in_force_stands_behind_what_is(make_provision, loss) -> None:
    coming = make_provision("Låntakeren erstatter alt.", section="§9", in_force=InForce.NOT_YET)
    assert sections(judge_meaning(LAY, (coming, 1.0, SURE), (loss, 0.9, SURE))) == ["§5"]
