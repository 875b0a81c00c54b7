"""The index on disk. No server is needed, so that it counts as a unit."""

from pathlib import Path

import pytest

from lovsvar_contracts.law import InForce, LawType, ProvisionKind
from lovsvar_legaltext.act_names import Act
from lovsvar_search.adapters.retrieval.index_folder import IndexFolder
from lovsvar_search.adapters.retrieval.tantivy_index import TantivyIndex
from lovsvar_search.adapters.retrieval.tantivy_snapshot import TantivySnapshot
from lovsvar_search.app import load_ranker
from lovsvar_search.core.errors import IndexUnusable
from lovsvar_search.core.law.collection import law_collection
from lovsvar_search.core.law.filters import Filters
from lovsvar_search.core.law.lexicon import Lexicon
from lovsvar_search.core.law.sections import IndexedSection
from lovsvar_search.core.retrieval.query import QueryPlan, Word

LAW = law_collection(Lexicon([], [], str.split), load_ranker())


def section(refid: str, name: str, text: str, in_force: InForce = InForce.YES, title: str = "") -> IndexedSection:
    act = Act(
        refid,
        f"Tittel {refid}",
        "",
        "",
        LawType(refid.removeprefix("lti/").partition("/")[0]),
        InForce.YES,
        ("Departementet",),
    )
    kind, openings = ProvisionKind.PROVISION, (text,)
    return IndexedSection(
        act, name, name.casefold(), 0, kind, 1999, "x", name, title, (), text, in_force, 1, ledd_openings=openings
    )


def find(snapshot: TantivySnapshot, words: str, filters: Filters | None = None) -> list[tuple[str, str]]:
    plan = QueryPlan(tuple(Word((term,)) for term in snapshot.analyze(words)))
    hits = snapshot.fetch(snapshot.search(plan, filters or Filters(), 20).best)
    return [(hit.refid, hit.section) for hit in hits]


@pytest.fixture
def index(tmp_path: Path) -> TantivyIndex:
    index = TantivyIndex(IndexFolder(tmp_path), LAW)
    index.reset()
    return index


def test_an_inflected_word_finds_the_others(index: TantivyIndex) -> None:
    index.add([section("lov/1", "§1", "Utleierne har ansvar for utleierens depositum.")])
    snapshot = index.commit("db", 1)
    assert find(snapshot, "utleier") == find(snapshot, "utleieren") == [("lov/1", "§1")]


def test_a_stamp_that_cannot_be_written_is_the_fault_of_the_index(index: TantivyIndex, tmp_path: Path) -> None:
    index.add([section("lov/1", "§1", "Depositum.")])
    (tmp_path / "slot-0" / "stamp.new").mkdir()
    with pytest.raises(IndexUnusable, match="stamp"):
        index.commit("db", 1)


def test_a_section_number_is_one_word(index: TantivyIndex) -> None:
    index.add([section("lov/1", "§1", "Etter § 3-5 gjelder 5 og 3."), section("lov/1", "§2", "Unntak i § 3 og § 5.")])
    snapshot = index.commit("db", 1)
    assert find(snapshot, "xp3x5") == [("lov/1", "§1")]


def test_a_heading_weighs_more_than_text_and_in_force_more_than_repealed(index: TantivyIndex) -> None:
    index.add(
        [
            section("lov/1", "§1", "Depositum kan nevnes i forbifarten."),
            section("lov/4", "§4", "Depositum kan nevnes i forbifarten."),
            section("lov/2", "§2", "Penger", title="Depositum"),
            section("lov/3", "§3", "Penger", InForce.REPEALED, title="Depositum"),
        ]
    )
    assert find(index.commit("db", 1), "depositum")[0] == ("lov/2", "§2")
    assert find(index.snapshot(), "depositum")[-1] == ("lov/3", "§3")


def test_filters_hold_and_do_not_touch_the_score(index: TantivyIndex) -> None:
    index.add([section("lov/1", "§1", "Depositum"), section("forskrift/1", "§1", "Depositum")])
    snapshot = index.commit("db", 1)
    plan = QueryPlan((Word(("depositum",)),))
    filtered = snapshot.search(plan, Filters(None, (), (LawType.FORSKRIFT,), (1999, 1999), ("Departementet",)), 20)
    everything = snapshot.search(plan, Filters(), 20)
    assert [hit.refid for hit in snapshot.fetch(filtered.best)] == ["forskrift/1"]
    assert filtered.best[0].words == pytest.approx(everything.best[1].words)
    assert (filtered.total, everything.total) == (1, 2)
    assert snapshot.search(plan, Filters(years=(2000, 2000)), 20).total == 0


def test_a_snapshot_stays_as_it_was(index: TantivyIndex) -> None:
    index.add([section("lov/1", "§1", "Depositum")])
    before = index.commit("db", 1)
    index.remove(["lov/1"])
    after = index.commit("db", 2)
    assert (find(before, "depositum"), find(after, "depositum")) == ([("lov/1", "§1")], [])


def test_what_was_not_committed_is_forgotten(index: TantivyIndex) -> None:
    index.add([section("lov/1", "§1", "Depositum")])
    index.commit("db", 1)
    index.remove(["lov/1"])
    index.discard()
    assert find(index.commit("db", 2), "depositum") == [("lov/1", "§1")]


def test_it_is_opened_as_it_was_left(index: TantivyIndex, tmp_path: Path) -> None:
    index.add([section("lov/1", "§1", "Depositum")])
    index.commit("db", 7)
    index.close()
    again = TantivyIndex(IndexFolder(tmp_path), LAW)
    assert (again.open().identity, again.open().version) == ("db", 7)
    assert find(again.snapshot(), "depositum") == [("lov/1", "§1")]
    again.close()


@pytest.mark.parametrize("damage", ["stamp", "layout", "meta", "segments", "all"])
def test_a_damaged_or_old_index_is_not_opened(index: TantivyIndex, tmp_path: Path, damage: str) -> None:
    index.add([section("lov/1", "§1", "Depositum")])
    index.commit("db", 1)
    index.close()
    slot = tmp_path / "slot-0"
    files = {
        "stamp": [slot / "stamp.json"],
        "layout": [],
        "meta": [slot / "tantivy/meta.json"],
        "segments": [file for file in (slot / "tantivy").iterdir() if file.suffix in {".store", ".idx", ".term"}],
        "all": list((slot / "tantivy").iterdir()),
    }[damage]
    for file in files:
        file.write_bytes(b"\x00")
    if damage == "layout":
        stamp = slot / "stamp.json"
        stamp.write_text(stamp.read_text().replace('"layout": "', '"layout": "older-'))
    again = TantivyIndex(IndexFolder(tmp_path), LAW)
    with pytest.raises(IndexUnusable):
        again.open()
    again.reset()
    assert again.commit("db", 1).items == 0
    again.close()


def test_announcements_are_found_only_when_asked_for_and_current_law_only_when_not(index: TantivyIndex) -> None:
    index.add([section("lov/1", "§1", "Depositum."), section("lti/lov/2", "§1", "Endring om depositum.")])
    snapshot = index.commit("db", 1)
    assert find(snapshot, "depositum") == [("lov/1", "§1")]
    assert find(snapshot, "depositum", Filters(announcements=True)) == [("lti/lov/2", "§1")]
