"""What to do next, with the sentence that sets the deadline."""

import pytest

from lovsvar_agent.core.evidence import EvidenceRegistry
from lovsvar_agent.core.guidance.next_steps import background, next_steps, to_read
from lovsvar_agent.core.guidance.situations import Situation, parse_situations
from lovsvar_agent.core.proof import verify
from lovsvar_agent.core.source_kinds.law import LAW
from lovsvar_contracts.law import InForce


@pytest.fixture
def evidence(corpus) -> EvidenceRegistry:
    registry = EvidenceRegistry()
    registry.add(LAW, corpus)
    return registry


def facts(found) -> dict[str, str]:
    return {fact.label: "".join(span.text for span in fact.words) for fact in found.block.facts}


def test_the_deadline_is_proven_by_the_sentence_that_sets_it(situation: Situation, evidence, corpus) -> None:
    found = next_steps(situation, "nb", evidence, [])
    assert found.citation is not None
    assert (found.citation.number, found.citation.section, found.citation.verified) == (1, "§4-1", True)
    assert found.citation.quote == corpus[2].text
    assert found.block.facts[0].words[0].citations == (1,)
    assert facts(found) == {"Frist": "Meld fra innen ti dager", "Hvem avgjør": "Båtretten"}
    assert found.block.note == "Sist kontrollert 24.11.2026"


def test_a_quote_of_the_answer_that_holds_the_sentence_proves_it(situation: Situation, evidence, corpus) -> None:
    provision = corpus[2]
    cited = LAW.cite(3, evidence.of(LAW, provision), provision.text, verify(provision.text, provision), provision)
    found = next_steps(situation, "nb", evidence, [cited])
    assert found.citation is None
    assert found.block.facts[0].words[0].citations == (3,)


@pytest.mark.parametrize(
    ("language", "label", "words", "note"),
    [
        ("nn", "Frist", "Meld frå innan ti dagar", "Sist kontrollert 24.11.2026"),
        ("en", "Time limit", "Report within ten days", "Last checked 24 November 2026"),
    ],
)
def test_all_is_in_the_language_of_the_question(situation: Situation, evidence, language, label, words, note) -> None:
    found = next_steps(situation, language, evidence, [])
    assert facts(found)[label] == words
    assert found.block.note == note


def test_a_provision_that_was_not_read_is_named(situation: Situation) -> None:
    found = next_steps(situation, "nb", EvidenceRegistry(), [])
    assert found.citation is None
    assert facts(found)["Frist"] == "Meld fra innen ti dager (lov/2999-01-01-1 § 4-1)"


@pytest.mark.parametrize(
    ("text", "in_force"),
    [
        ("Låntakeren skal melde fra om skader på båten innen to dager.", InForce.YES),
        ("Låntakeren skal melde fra om skader på båten innen ti dager.", InForce.REPEALED),
    ],
)
def test_a_deadline_that_is_no_longer_law_is_left_out(situation, make_provision, text, in_force) -> None:
    registry = EvidenceRegistry()
    registry.add(LAW, [make_provision(text, section="§4-1", in_force=in_force)])
    found = next_steps(situation, "nb", registry, [])
    assert "Frist" not in facts(found)
    assert found.citation is None


def test_a_deadline_whose_sentence_is_gone_is_left_out(entry, evidence) -> None:
    (later,) = parse_situations(entry(sentence="2"))
    assert "Frist" not in facts(next_steps(later, "nb", evidence, []))


def test_the_provision_of_the_deadline_is_read_unless_it_was(situation: Situation, evidence) -> None:
    wanted = to_read(situation, EvidenceRegistry())
    assert wanted is not None
    assert (wanted.refid, wanted.section) == ("lov/2999-01-01-1", "§4-1")
    assert to_read(situation, evidence) is None
    assert to_read(None, evidence) is None


def test_a_model_reads_the_steps_and_who_helps(situation: Situation) -> None:
    assert background(situation, "nb").splitlines() == [
        "Pantet holdes igjen",
        "1. Be om pantet.",
        "Frist: Meld fra innen ti dager (lov/2999-01-01-1 §4-1)",
        "Hvem avgjør: Båtretten",
        "Båttilsynet: Hjelper",
    ]
