"""What the index finds: demands, filters, typing errors, and places asked for by number."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from lovsvar_contracts.law import LAW_TYPE_ORDER, InForce, LawType, ProvisionKind
from lovsvar_contracts.search import FindProvisions, ProvisionHits, SearchMode
from lovsvar_legaltext.act_names import Act, ActNames
from lovsvar_search.adapters.law.memory_indexes import TantivyQuestions, TantivyTopics
from lovsvar_search.adapters.retrieval.index_folder import IndexFolder
from lovsvar_search.adapters.retrieval.tantivy_documents import text_analyzer
from lovsvar_search.adapters.retrieval.tantivy_index import TantivyIndex
from lovsvar_search.adapters.retrieval.tantivy_snapshot import TantivySnapshot
from lovsvar_search.app import load_ranker
from lovsvar_search.core.law.act_directory import ActDirectory
from lovsvar_search.core.law.analysis import NORWEGIAN
from lovsvar_search.core.law.collection import DEFINES, law_collection
from lovsvar_search.core.law.filters import Filters
from lovsvar_search.core.law.lexicon import Lexicon
from lovsvar_search.core.law.provision_search import find_provisions
from lovsvar_search.core.law.sections import EverydayQuestion, IndexedSection
from lovsvar_search.core.law.signals import COVERS, OWN_HEADING, TRAITS, Traits
from lovsvar_search.core.law.topics import Topic
from lovsvar_search.core.retrieval.corpus import Corpus, CorpusState
from lovsvar_search.core.retrieval.items import place_number
from lovsvar_search.core.retrieval.query import QueryPlan, Word, plan_query
from lovsvar_search.core.retrieval.vector_search import Near, NearPassage

STATE = CorpusState(1, "here")
TODAY = date(2026, 1, 1)
LAW = law_collection(Lexicon([], [], str.split), load_ranker())

HOME = Act(
    "lov/1999-03-26-17", "Lov om husleieavtaler", "Husleieloven", "husll", LawType.LOV, InForce.YES,
    ("Boligdepartementet", "Justisdepartementet"), ("Husleie", "Fast eiendom"),
)  # fmt: skip
SEA = Act(
    "forskrift/2012-12-05-1140", "Forskrift om lakselus", "", "", LawType.FORSKRIFT, InForce.YES,
    ("Fiskeridepartementet",), ("Fiske",),
)  # fmt: skip
NEWS = Act("lti/lov/2025-06-20-1", "Lov om endring i husleieloven", "", "", LawType.LOV, InForce.YES)
LATER = Act("lov/2025-06-20-81", "Lov om depositum", "", "", LawType.LOV, InForce.NOT_YET)
NEVER = Act("lov/2025-06-20-82", "Lov om mer depositum", "", "", LawType.LOV, InForce.NOT_YET)
OLD = Act("lov/1939-06-16-6", "Lov om husleie", "", "", LawType.LOV, InForce.REPEALED)


def section(act: Act, name: str, text: str, *, title: str = "", begin: date | None = None) -> IndexedSection:
    year = int(act.refid.removeprefix("lti/").split("/")[1][:4])
    dataset = {"lov": "gjeldende-lover", "forskrift": "forskrifter"}.get(act.refid.split("/", maxsplit=1)[0], "lti")
    kind = ProvisionKind.PROVISION
    status = InForce.UNKNOWN
    return IndexedSection(act, name, name, 0, kind, year, dataset, name, title, (), text, status, 1, begin)


SECTIONS = (
    section(HOME, "§3-5", "Utleier kan kreve depositum på høyst seks måneders leie.", title="Depositum"),
    section(HOME, "§3-6", "En garanti kan tre i stedet for depositum.", begin=date(2020, 7, 1)),
    section(HOME, "§9-9", "Leieren skal varsles skriftlig. Med varsel menes brev."),
    section(SEA, "§1", "Lakselus telles hver uke. Depositum kreves ikke."),
    section(NEWS, "§1", "Endring om depositum."),
    section(LATER, "§1", "Depositum skal settes inn.", begin=date(2030, 1, 1)),
    section(NEVER, "§1", "Depositum skal tas ut."),
    section(OLD, "§9", "Depositum på høyst to måneder.", begin=date(1939, 7, 1)),
)
ALL = {(one.act.refid, one.section) for one in SECTIONS}
DEPOSIT, GUARANTEE, NOTICE = (HOME.refid, "§3-5"), (HOME.refid, "§3-6"), (HOME.refid, "§9-9")
LICE, NEW, WAITING, UNDATED = ((act.refid, "§1") for act in (SEA, NEWS, LATER, NEVER))
REPEALED = (OLD.refid, "§9")

Places = set[tuple[str, str]]


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TantivySnapshot]:
    index = TantivyIndex(IndexFolder(Path(tmp_path_factory.mktemp("index"))), LAW)
    index.reset()
    index.add(SECTIONS)
    yield index.commit("db", 1)
    index.close()


def planned(snapshot: TantivySnapshot, query: str) -> QueryPlan:
    return plan_query(query, snapshot, LAW, ActNames([]))


def find(snapshot: TantivySnapshot, query: str, filters: Filters | None = None) -> list[tuple[str, str]]:
    found = snapshot.search(planned(snapshot, query), filters or Filters(), 20)
    assert found.total == len(found.best)
    return [(hit.refid, hit.section) for hit in snapshot.fetch(found.best)]


def among(snapshot: TantivySnapshot, query: str, places: Sequence[tuple[str, str]], filters: Filters) -> Places:
    found = snapshot.candidates(planned(snapshot, query), filters, (), scores(*places))
    return {(hit.refid, hit.section) for hit in snapshot.fetch(found.ones)}


def scores(*places: tuple[str, str]) -> dict[int, float]:
    return {place_number(refid, section): 0.0 for refid, section in places}


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ('"kreve depositum"', {DEPOSIT}),
        ('"krevet depositumet"', {DEPOSIT}),
        ('"depositum kreves"', {LICE}),
        ('"depositum på høyst"', {DEPOSIT, REPEALED}),
        ('"depositum høyst"', set()),
        ('"stedet for depositum" garanti', {GUARANTEE}),
        ('depositum "kan kreve" "måneders leie"', {DEPOSIT}),
        ('"skriftlig"', {NOTICE}),
        ('"om lakselus"', {LICE}),
    ],
)
def test_a_phrase_must_stand_as_written_in_text_heading_or_title(
    snapshot: TantivySnapshot, query: str, found: Places
) -> None:
    assert set(find(snapshot, query)) == found
    assert among(snapshot, query, sorted(ALL), Filters()) == found


def test_no_phrase_runs_from_one_part_of_a_section_into_the_next(snapshot: TantivySnapshot) -> None:
    assert find(snapshot, '"depositum utleier"') == []
    assert find(snapshot, '"§ 3-5 depositum"') == [DEPOSIT]
    assert find(snapshot, '"husll depositum"') == []


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("depositum -lakselus", {DEPOSIT, GUARANTEE, WAITING, UNDATED, REPEALED}),
        ("depositum -lakselusen -settes -tas", {DEPOSIT, GUARANTEE, REPEALED}),
        ('depositum -"stedet for depositum" -lov', {LICE}),
        ('depositum -"måneders leie" -lakselus -settes -tas -garanti', {REPEALED}),
    ],
)
def test_what_is_excluded_must_not_stand(snapshot: TantivySnapshot, query: str, found: Places) -> None:
    assert set(find(snapshot, query)) == found
    assert among(snapshot, query, sorted(ALL), Filters()) & set(find(snapshot, "depositum")) == found


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("depositum AND garanti", {GUARANTEE}),
        ("depositum AND lakselus", {LICE}),
        ("kreve AND depositumet AND høyst", {DEPOSIT}),
        ("husleieloven AND varsles", {NOTICE}),
        ("depositum AND og", {DEPOSIT, GUARANTEE, LICE, WAITING, UNDATED, REPEALED}),
        ("garanti AND lakselus", set()),
    ],
)
def test_words_beside_an_and_must_stand_in_some_form(snapshot: TantivySnapshot, query: str, found: Places) -> None:
    assert set(find(snapshot, query)) == found
    assert among(snapshot, query, sorted(ALL), Filters()) & set(find(snapshot, "depositum varsles")) == found


def test_a_required_word_may_stand_in_the_other_form_of_norwegian(snapshot: TantivySnapshot) -> None:
    plan = QueryPlan(words=(Word(("varsl",)),), own=1, required=(("bustad", "varsl"),))
    assert {(hit.refid, hit.section) for hit in snapshot.fetch(snapshot.search(plan, Filters(), 20).best)} == {NOTICE}


FILTERS = [
    (Filters(law_types=(LawType.FORSKRIFT,)), {LICE}),
    (Filters(law_types=(LawType.LOV,)), {DEPOSIT, GUARANTEE, WAITING, UNDATED, REPEALED}),
    (Filters(legal_areas=("Fast eiendom",)), {DEPOSIT, GUARANTEE}),
    (Filters(legal_areas=("Fiske", "Husleie")), {DEPOSIT, GUARANTEE, LICE}),
    (Filters(legal_areas=("fiske",)), set()),
    (Filters(ministries=("Justisdepartementet",)), {DEPOSIT, GUARANTEE}),
    (Filters(ministries=("Fiskeridepartementet",)), {LICE}),
    (Filters(ministries=()), set()),
    (Filters(dataset="forskrifter"), {LICE}),
    (Filters(dataset="finnes-ikke"), set()),
    (Filters(groups=(SEA.refid,)), {LICE}),
    (Filters(groups=(SEA.refid, OLD.refid)), {LICE, REPEALED}),
    (Filters(years=(1939, 1939)), {REPEALED}),
    (Filters(years=(2025, 2025)), {WAITING, UNDATED}),
    (Filters(in_force_on=TODAY), {DEPOSIT, GUARANTEE, LICE}),
    (Filters(in_force_on=date(2020, 7, 1)), {DEPOSIT, GUARANTEE, LICE}),
    (Filters(in_force_on=date(2020, 6, 30)), {DEPOSIT, LICE}),
    (Filters(in_force_on=date(2030, 1, 1)), {DEPOSIT, GUARANTEE, LICE, WAITING}),
    (Filters(in_force_on=date(2029, 12, 31)), {DEPOSIT, GUARANTEE, LICE}),
    (Filters(announcements=True), {NEW}),
    (Filters(announcements=True, years=(1999, 1999)), set()),
    (
        Filters(law_types=(LawType.LOV,), years=(1999, 1999), in_force_on=TODAY, legal_areas=("Husleie",)),
        {DEPOSIT, GUARANTEE},
    ),
]


@pytest.mark.parametrize(("filters", "found"), FILTERS, ids=range(len(FILTERS)))
def test_a_filter_holds_for_what_words_find_and_for_what_meaning_finds(
    snapshot: TantivySnapshot, filters: Filters, found: Places
) -> None:
    assert set(find(snapshot, "depositum", filters)) == found
    by_meaning = among(snapshot, "ingenting av dette", sorted(ALL), filters)
    assert by_meaning - {NOTICE} == found


def test_a_place_may_be_a_hit_without_a_word_of_the_query_and_tells_so(snapshot: TantivySnapshot) -> None:
    asked = {**scores(GUARANTEE, NOTICE, ("lov/1", "§1")), place_number(*GUARANTEE): 7.5}
    ones = snapshot.candidates(planned(snapshot, "garanti"), Filters(), (), asked).ones
    found = {one.number: (one.words, one.matches, one.group) for one in ones}
    act = place_number(HOME.refid)
    assert found == {place_number(*GUARANTEE): (7.5, True, act), place_number(*NOTICE): (0.0, False, act)}


def test_a_place_that_words_did_not_find_in_time_is_still_one_that_they_match(snapshot: TantivySnapshot) -> None:
    ones = snapshot.candidates(planned(snapshot, "garanti"), Filters(), (), scores(GUARANTEE)).ones
    assert [(one.words, one.matches) for one in ones] == [(0.0, True)]


def test_candidates_are_in_the_order_of_their_numbers(snapshot: TantivySnapshot) -> None:
    numbers = [one.number for one in snapshot.candidates(QueryPlan(()), Filters(), (), scores(*sorted(ALL))).ones]
    assert numbers == sorted(numbers)
    assert len(numbers) == len(ALL - {NEW})


def test_no_places_are_no_hits(snapshot: TantivySnapshot) -> None:
    plan = planned(snapshot, "depositum")
    assert not snapshot.candidates(plan, Filters(), (), {}).ones
    assert not snapshot.candidates(plan, Filters(), (), scores(("lov/1", "§1"))).ones


def test_every_candidate_knows_what_it_is_and_its_score_by_words_is_its_own(tmp_path: Path) -> None:
    expected: dict[int, tuple[LawType, Traits]] = {}
    sections: list[IndexedSection] = []
    for number, (law_type, status, kind) in enumerate(product(LawType, InForce, ProvisionKind)):
        act = replace(SEA, refid=f"forskrift/2012-12-05-{number}", law_type=law_type, in_force=status)
        sections.append(replace(section(act, "§1", "Lakselus."), kind=kind))
        expected[place_number(act.refid, "§1")] = (law_type, Traits(kind, status))
    index = TantivyIndex(IndexFolder(tmp_path), LAW)
    index.reset()
    index.add(sections)
    snapshot = index.commit("db", 1)
    found = snapshot.search(planned(snapshot, "lakselus"), Filters(), len(sections)).best
    known = snapshot.candidates(QueryPlan(()), Filters(), (), dict.fromkeys(expected, 0.0))
    told = zip(known.ones, known.columns["traits"], strict=True)
    assert {one.number: (LAW_TYPE_ORDER[one.tier], TRAITS[traits]) for one, traits in told} == expected
    # A prior lets acts in force come first, and is taken out again.
    assert found[0].tier == 0
    assert [one.words for one in found] == pytest.approx([found[0].words] * len(found), rel=3e-4)
    index.close()


def covers(
    snapshot: TantivySnapshot, plan: QueryPlan, shares: Sequence[tuple[Word, float]], *places: tuple[str, str]
) -> dict[int, list[float]]:
    found = snapshot.candidates(plan, Filters(), shares, scores(*places))
    return {one.number: row.tolist() for one, row in zip(found.ones, found.covers, strict=True)}


def test_what_each_field_holds_of_the_words_is_told_apart(snapshot: TantivySnapshot) -> None:
    shares = [
        (Word(tuple(snapshot.analyze(text))), share)
        for text, share in (("depositum", 0.6), ("husleieloven", 0.3), ("garanti", 0.1))
    ]
    found = covers(snapshot, QueryPlan(()), shares, DEPOSIT, GUARANTEE, LICE)
    assert found[place_number(*DEPOSIT)] == pytest.approx((0.6, 0.3, 0.9, 0.0, 0.0), abs=0.07)
    assert found[place_number(*GUARANTEE)] == pytest.approx((0.0, 0.3, 1.0, 0.0, 0.0), abs=0.07)
    assert found[place_number(*LICE)] == pytest.approx((0.0, 0.0, 0.6, 0.0, 0.0), abs=0.07)


def test_pairs_of_words_are_found_where_they_stand_side_by_side(snapshot: TantivySnapshot) -> None:
    pairs = planned(snapshot, "kan de kreve seks måneders depositum, leie?").pairs
    seks_maaneders = next(pair for pair in pairs if pair[0] == "seks")
    deposit, guarantee = place_number(*DEPOSIT), place_number(*GUARANTEE)
    found = covers(snapshot, QueryPlan((), pairs=(seks_maaneders,)), (), DEPOSIT, GUARANTEE)
    assert found == {deposit: [0.0, 0.0, 0.0, 0.0, 1.0], guarantee: [0.0] * len(COVERS)}
    half = covers(snapshot, QueryPlan((), pairs=(seks_maaneders, ("garanti", "depositum"))), (), DEPOSIT)
    assert half[deposit][COVERS.index("pairs")] == pytest.approx(0.5, abs=0.07)


def test_headings_are_searched_by_themselves(snapshot: TantivySnapshot) -> None:
    found = snapshot.search_field(OWN_HEADING, planned(snapshot, "depositum"), Filters(), 10)
    assert set(found) == {place_number(*DEPOSIT)}
    assert snapshot.search_field(OWN_HEADING, planned(snapshot, "§"), Filters(), 10) == {}


def test_what_is_pasted_from_the_law_is_found_where_it_stands_word_for_word(snapshot: TantivySnapshot) -> None:
    found = snapshot.search_run(planned(snapshot, "depositum på høyst seks måneders leie"), Filters(), 10)
    assert found == [place_number(*DEPOSIT)]
    assert snapshot.search_run(planned(snapshot, "depositum på høyst seks leie"), Filters(), 10) == []


def test_what_a_term_means_is_found_where_it_is_defined(snapshot: TantivySnapshot) -> None:
    plan = planned(snapshot, "Hva menes med varsel?")
    assert set(snapshot.search_field(DEFINES, plan, Filters(), 10)) == {place_number(*NOTICE)}
    share = [(Word(tuple(snapshot.analyze("varsel"))), 1.0)]
    assert covers(snapshot, plan, share, NOTICE)[place_number(*NOTICE)][COVERS.index("defines")] == 1.0


@pytest.fixture(scope="module")
def corpus(snapshot: TantivySnapshot) -> Corpus:
    topics = TantivyTopics([HOME, SEA], [Topic(HOME.refid, "", "leilighet, husvert")])
    names = ActNames([HOME, SEA])
    directory = ActDirectory(ActNames([HOME, SEA, LATER, NEVER, OLD]))
    return Corpus(LAW, snapshot, STATE, len(SECTIONS), names, TantivyQuestions([]), topics, directory)


def found_for(query: str, corpus: Corpus, **fields: Any) -> list[tuple[str, str]]:
    hits = find_provisions(FindProvisions(query=query, mode=SearchMode.LEXICAL, **fields), corpus).hits
    return [(hit.refid, hit.section) for hit in hits]


def test_in_place_of_a_provision_that_does_not_exist_those_nearest_to_it_in_its_act_are_found(corpus: Corpus) -> None:
    assert found_for("husleieloven § 3-4", corpus) == [DEPOSIT, GUARANTEE, NOTICE]
    assert set(found_for("husleieloven § 8-1 lakselus telles hver uke", corpus)) <= {DEPOSIT, GUARANTEE, NOTICE}
    assert find_provisions(FindProvisions(query="husleieloven § 3-4"), corpus).answers is False
    assert found_for("husleieloven § 3-4", corpus, document=SEA.refid) == []
    assert found_for("husleieloven § 3-5 -seks", corpus) != [DEPOSIT, GUARANTEE, NOTICE]


def test_what_makes_no_sense_finds_nothing_and_a_word_that_may_have_been_meant_is_named(corpus: Corpus) -> None:
    nonsense, mistyped = (
        find_provisions(FindProvisions(query=query, mode=SearchMode.LEXICAL), corpus)
        for query in ("asdfqwerzxcv", "leilighett")
    )
    assert (nonsense.hits, nonsense.total, nonsense.probability, nonsense.did_you_mean) == ((), 0, None, ())
    assert (mistyped.hits, mistyped.did_you_mean) == ((), ("leilighet",))


def test_letters_without_sense_find_nothing_though_something_is_always_near_them(corpus: Corpus) -> None:
    numbers = [place_number(*place) for place in (DEPOSIT, GUARANTEE, NOTICE, LICE)]
    near = Near({}, {number: NearPassage(0.8, None) for number in numbers})
    request = FindProvisions(query="asdfqwerzxcv", mode=SearchMode.HYBRID)
    assert find_provisions(request, corpus, near).hits == ()
    named = request.model_copy(update={"query": "husleieloven asdfqwerzxcv"})
    assert find_provisions(named, corpus, near).hits != ()


def test_every_hit_and_the_reply_say_how_likely_they_answer(corpus: Corpus) -> None:
    reply = find_provisions(FindProvisions(query="depositum", mode=SearchMode.LEXICAL), corpus)
    chances = [hit.probability for hit in reply.hits]
    assert reply.probability == max(chance or 0.0 for chance in chances)
    assert all(chance is not None and 0.0 <= chance <= 1.0 for chance in chances)


@pytest.mark.parametrize("typed", ["depostium", "depositumm", "depsitum", "depoxitum", "deposituum"])
def test_a_word_one_letter_off_is_found(snapshot: TantivySnapshot, typed: str) -> None:
    assert DEPOSIT in find(snapshot, typed)


@pytest.mark.parametrize("typed", ["depoxxtum", "xyzxyz"])
def test_a_word_further_off_is_not_found(snapshot: TantivySnapshot, typed: str) -> None:
    assert find(snapshot, typed) == []


def test_a_word_with_less_weight_scores_less(snapshot: TantivySnapshot) -> None:
    light, heavy = (QueryPlan((Word(("garanti",), weight),)) for weight in (0.5, 1.0))
    [little], [much] = (snapshot.search(plan, Filters(), 5).best for plan in (light, heavy))
    assert little.words == pytest.approx(0.5 * much.words)


def test_of_the_forms_of_a_word_the_best_counts_once(snapshot: TantivySnapshot) -> None:
    one, both = QueryPlan((Word(("garanti",)),)), QueryPlan((Word(("garanti", "finnesikke")),))
    assert snapshot.search(both, Filters(), 1).best[0].words == snapshot.search(one, Filters(), 1).best[0].words
    either = QueryPlan((Word(("garanti", "skrift")),))
    assert snapshot.search(either, Filters(), 5).total == 2


def test_an_acts_name_is_words_like_others_among_announcements(snapshot: TantivySnapshot) -> None:
    corpus = Corpus(LAW, snapshot, STATE, len(SECTIONS), ActNames([HOME]))

    def found(*, announcements: bool) -> Places:
        request = FindProvisions(query="husleieloven varsles", announcements=announcements)
        return {(hit.refid, hit.section) for hit in find_provisions(request, corpus).hits}

    assert found(announcements=True) == {NEW}
    assert found(announcements=False) == {NOTICE}


def test_a_plan_without_words_finds_everything_that_the_filters_let_through(snapshot: TantivySnapshot) -> None:
    found = snapshot.search(QueryPlan(()), Filters(groups=(HOME.refid,)), 10)
    assert (found.total, {candidate.words for candidate in found.best}) == (3, {0.0})


def test_hits_are_counted_as_many_as_are_found(snapshot: TantivySnapshot) -> None:
    for query in ("depositum", "depostium leie", '"kreve depositum"', "depositum -garanti", "finnesikke"):
        plan = planned(snapshot, query)
        for filters in (Filters(), Filters(law_types=(LawType.LOV,)), Filters(announcements=True)):
            assert snapshot.count(plan, filters) == len(snapshot.search(plan, filters, 20).best)


def test_the_same_hits_come_in_the_same_order_for_every_limit(snapshot: TantivySnapshot) -> None:
    plan = planned(snapshot, "depositum leie lov")
    everything = [one.number for one in snapshot.search(plan, Filters(), 20).best]
    for limit in range(1, len(everything) + 1):
        assert [one.number for one in snapshot.search(plan, Filters(), limit).best] == everything[:limit]


QUESTIONS = (
    EverydayQuestion("Hvor mye penger kan huseier holde igjen når jeg flytter?", *DEPOSIT),
    EverydayQuestion("Hvor mye penger kan huseier holde igjen når jeg flytter?", *GUARANTEE, 1),
    EverydayQuestion("Kan huseier kaste meg ut på dagen?", *NOTICE),
    EverydayQuestion("Kva gjer eg når fisken har lus?", *LICE),
)


def ask(query: str, questions: Sequence[EverydayQuestion] = QUESTIONS) -> dict[int, float]:
    terms = text_analyzer(NORWEGIAN).analyze(query)
    words = tuple(Word((term,)) for term in terms)
    return dict(TantivyQuestions(questions).search(QueryPlan((*words, Word(("lus",))), own=len(words))))


def test_a_question_like_an_everyday_one_finds_the_provisions_that_answer_it_the_first_best() -> None:
    found = ask("holder huseieren igjen penger etter at jeg flyttet")
    best = sorted(found, key=lambda number: -found[number])
    assert best[:2] == [place_number(*DEPOSIT), place_number(*GUARANTEE)]
    assert found[place_number(*DEPOSIT)] > found[place_number(*NOTICE)]


def test_words_of_asking_make_no_question_like_another() -> None:
    assert ask("hvor mye kan jeg når kva") == {}


def test_words_that_were_added_to_the_askers_own_make_no_question_like_it() -> None:
    assert place_number(*LICE) in ask("lus")
    assert place_number(*LICE) not in ask("huseier")


def test_a_question_is_found_by_a_word_one_letter_off() -> None:
    questions = TantivyQuestions(QUESTIONS)
    mistyped, known = (QueryPlan((Word(("hodl",), mistyped=wrong),), own=1) for wrong in (True, False))
    assert questions.search(known) == {}
    assert set(questions.search(mistyped)) == {place_number(*place) for place in (DEPOSIT, GUARANTEE)}


def test_a_provision_scores_by_the_best_of_its_questions() -> None:
    good, poor = EverydayQuestion("penger tilbake", *DEPOSIT), EverydayQuestion("penger hund katt", *NOTICE)
    also_poor = EverydayQuestion("penger hund hest ku", *DEPOSIT)
    found = ask("penger tilbake", (good, poor, also_poor))
    assert found[place_number(*DEPOSIT)] > found[place_number(*NOTICE)] > 0


def test_without_questions_or_words_nothing_is_found() -> None:
    assert ask("huseier", ()) == ask("") == ask("verksemd") == {}


def reply(query: str, corpus: Corpus, **fields: Any) -> ProvisionHits:
    return find_provisions(FindProvisions(query=query, mode=SearchMode.LEXICAL, **fields), corpus)


def test_a_query_that_is_the_name_of_an_act_names_it_and_no_other_query_does(corpus: Corpus) -> None:
    for query in ("husleieloven", "husll", "«Husleielova»", HOME.refid):
        assert [act.refid for act in reply(query, corpus).acts] == [HOME.refid], query
    for query in ("husleieloven § 3-5", "depositum etter husleieloven", "depositum"):
        assert reply(query, corpus).acts == (), query
    assert reply("husleieloven", corpus, law_type=LawType.FORSKRIFT).acts == ()


def test_counts_are_what_a_search_so_narrowed_has(corpus: Corpus) -> None:
    facets = reply("depositum", corpus, facets=True).facets
    assert facets is not None
    assert facets.law_types
    for field, values in (("law_type", facets.law_types), ("ministry", facets.ministries)):
        for one in values:
            narrowed = reply("depositum", corpus, facets=True, all_types=True, **{field: one.value}).facets
            assert narrowed is not None
            assert narrowed.word_hits == one.hits, one


def test_counts_are_made_when_they_are_asked_for_and_there_is_something_to_count(corpus: Corpus) -> None:
    assert reply("depositum", corpus).facets is None
    assert reply("xylofonkvadrant", corpus, facets=True).facets is None
    assert reply("depositum", corpus, facets=True, announcements=True).facets is None


def test_all_types_are_searched_when_that_is_asked_for(corpus: Corpus) -> None:
    found = reply("depositum", corpus, all_types=True)
    assert (found.searched_law_types, found.prioritized) == (LAW_TYPE_ORDER, False)


def test_words_that_no_provision_has_are_named_with_one_near_and_names_of_acts_are_none(corpus: Corpus) -> None:
    found = reply("leilighett depositum", corpus, facets=True)
    assert [(one.word, one.meant) for one in found.unknown_words] == [("leilighett", "leilighet")]
    assert found.did_you_mean == (), "something was found"
    assert [one.meant for one in reply("leilighett depositum", corpus).unknown_words] == [""]
    assert reply("depositum -leilighett", corpus).unknown_words == ()
    assert reply("husll depositum", corpus).unknown_words == ()
    assert reply("leilighett", corpus).did_you_mean == ("leilighet",)


def test_filters_that_no_document_has_are_named(corpus: Corpus) -> None:
    found = reply("depositum", corpus, ministry="tull", legal_area="tøys", document="lov/1-1")
    assert (found.total, found.unknown_filters) == (0, ("ministry", "legal_area", "document"))
    assert reply("depositum", corpus, ministry="bolig").unknown_filters == ()
