"""Which of the provisions found answer the question, if any."""

from collections.abc import Sequence

from lovsvar_agent.core.deciding import MAX_CHOSEN, Candidate, Decision, decide
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
