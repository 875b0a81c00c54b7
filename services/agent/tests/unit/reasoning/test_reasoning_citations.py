"""Which of an answer's citations hold."""

import pytest

from lovsvar_agent.core.evidence import EvidenceRegistry
from lovsvar_agent.core.reasoning.citation_check import cite, retitled, without
from lovsvar_agent.core.reasoning.final import Claim
from lovsvar_agent.core.source_kinds.practice import PRACTICE

TEN_DAYS = "skal melde fra om skader på båten innen ti dager"
DECIDED = "pant også kan dekke slep av båten til land"
RIGHT = Claim("lovdata-2", "Pantet settes på en konto")


def test_a_quote_that_stands_is_numbered_with_its_ledd_and_place(sources, corpus) -> None:
    cited = cite([RIGHT], sources)
    (citation,) = cited.citations
    assert (citation.number, citation.section, citation.ledd, citation.verified) == (1, "§3-2", 2, True)
    assert corpus[1].text[citation.start : citation.end] == RIGHT.quote
    assert cited.rejected == ()


@pytest.mark.parametrize(
    ("claim", "reason"),
    [
        (Claim("lovdata-2", "Pantet settes på to kontoer"), "ordrett"),
        (Claim("lovdata-99", "Pantet settes på to kontoer"), "id"),
        (Claim("lovdata-2", " … "), "tomt"),
        (Claim("lovdata-2", "Pantet … konto"), "ordrett"),
    ],
)
def test_a_quote_that_does_not_stand_is_rejected_with_a_reason(sources, claim: Claim, reason: str) -> None:
    cited = cite([claim], sources)
    assert cited.citations == ()
    assert reason in cited.rejected[0].reason


def test_numbers_count_what_holds_and_places_keep_the_models_own_count(sources) -> None:
    cited = cite([Claim("lovdata-9", "x"), RIGHT, Claim("lovdata-3", TEN_DAYS)], sources)
    assert [(c.number, c.evidence_id) for c in cited.citations] == [(1, "lovdata-2"), (2, "lovdata-3")]
    assert dict(cited.places) == {2: "lovdata-2", 3: "lovdata-3"}
    assert cited.numbers == {"lovdata-2": (1,), "lovdata-3": (2,)}


def test_a_provision_that_could_not_be_read_proves_nothing(sources) -> None:
    assert "kunne ikke leses" in cite([RIGHT], EvidenceRegistry(sources.all)).rejected[0].reason


def test_practice_is_checked_against_its_snippet(sources, decisions) -> None:
    sources.add(PRACTICE, decisions)
    cited = cite([Claim("serper-1", DECIDED), Claim("serper-1", "dekke alt")], sources)
    assert [(c.refid, c.quote) for c in cited.citations] == [(None, DECIDED)]
    assert len(cited.rejected) == 1


def test_what_is_lost_later_is_taken_out_and_the_rest_numbered_anew(sources) -> None:
    cited = cite([RIGHT, Claim("lovdata-3", TEN_DAYS)], sources)
    lost = cite([Claim("lovdata-2", "nei")], sources).rejected[0].model_copy(update={"quote": RIGHT.quote})
    left = without(cited, [lost])
    assert [(c.number, c.evidence_id) for c in left.citations] == [(1, "lovdata-3")]
    assert left.rejected == (lost,)
    assert dict(left.places) == {2: "lovdata-3"}


def test_a_source_may_be_given_another_title(sources) -> None:
    cited = cite([RIGHT], sources)
    assert retitled(cited, {"lovdata-2": "X"}).citations[0].title == "X"
    assert retitled(cited, {"lovdata-3": "X"}) == cited
