"""The registry of a run's sources."""

from lovsvar_agent.core.evidence import EvidenceRegistry
from lovsvar_agent.core.source_kinds.law import LAW


def test_ids_count_from_one_in_the_order_found(make_provision) -> None:
    registry = EvidenceRegistry()
    new = registry.add(LAW, [make_provision("A.", section="§1"), make_provision("B.", section="§2")])
    assert [e.evidence_id for e in new] == ["lovdata-1", "lovdata-2"]


def test_a_provision_found_twice_keeps_its_id_and_is_not_new(make_provision) -> None:
    registry = EvidenceRegistry()
    registry.add(LAW, [make_provision("A.", section="§3 A")])
    assert registry.add(LAW, [make_provision("A.", section="§3a")]) == ()
    assert registry.of(LAW, make_provision("A.", section="§3 a")).evidence_id == "lovdata-1"


def test_ids_go_on_behind_those_of_an_earlier_attempt(make_provision) -> None:
    earlier = EvidenceRegistry()
    earlier.add(LAW, [make_provision("A.", section="§1")])
    later = EvidenceRegistry(earlier.all)
    (new,) = later.add(LAW, [make_provision("A.", section="§1"), make_provision("B.", section="§2")])
    assert new.evidence_id == "lovdata-2"
    assert [e.evidence_id for e in later.all] == ["lovdata-1", "lovdata-2"]


def test_the_same_section_of_two_acts_is_two_sources(make_provision) -> None:
    registry = EvidenceRegistry()
    new = registry.add(LAW, [make_provision("A.", refid="lov/2999-01-01-1"), make_provision("A.", refid="lov/x")])
    assert len(new) == 2
