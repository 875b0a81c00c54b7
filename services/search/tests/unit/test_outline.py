"""Tables of contents."""

from lovsvar_contracts.law import StructureKind
from lovsvar_contracts.search import OutlineEntry
from lovsvar_search.core.law.provision_reader import Division, Placed, build_outline


def division(position: int, parent: int | None) -> Division:
    return Division(position, parent, StructureKind.KAPITTEL, f"kap{position}", f"Kapittel {position}")


def placed(section: str, at: int | None, tokens: int = 10) -> Placed:
    return Placed(at, OutlineEntry(section=section, value=section, title="", tokens=tokens))


def test_sections_stand_in_their_divisions_and_tokens_add_up() -> None:
    own, children = build_outline(
        [division(0, None), division(1, 0), division(2, None)],
        [placed("innledning", None), placed("§1", 0), placed("§2", 1, 5), placed("§3", 2)],
    )
    assert [entry.section for entry in own] == ["innledning"]
    assert [node.name for node in children] == ["kap0", "kap2"]
    assert [entry.section for entry in children[0].provisions] == ["§1"]
    assert [entry.section for entry in children[0].children[0].provisions] == ["§2"]
    assert children[0].tokens == 15


def test_nothing_is_lost_when_a_parent_is_missing_or_its_own_child() -> None:
    own, children = build_outline([division(0, 7), division(1, 1)], [placed("§1", 9), placed("§2", 1)])
    assert [entry.section for entry in own] == ["§1"]
    assert {node.name for node in children} == {"kap0", "kap1"}
