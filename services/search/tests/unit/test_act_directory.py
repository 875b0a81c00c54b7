"""Completion of names of acts, and counts of hits by their documents."""

import pytest

from lovsvar_contracts.facets import MAX_FACETS, FacetValue, YearSpan
from lovsvar_contracts.law import LAW_TYPE_ORDER, InForce, LawType
from lovsvar_legaltext.act_names import Act, ActNames
from lovsvar_search.core.law.act_directory import ActDirectory
from lovsvar_search.core.law.filters import Filters
from lovsvar_search.core.retrieval.items import place_number

AREA = "Arbeidsrett > Arbeidsmiljø"


def act(refid: str, short: str, ministries: tuple[str, ...], areas: tuple[str, ...]) -> Act:
    law_type = LawType(refid.partition("/")[0])
    return Act(refid, f"Om {short}", short, "", law_type, InForce.YES, ministries, areas)


WORK = act("lov/1", "Arbeidsloven", ("Arbeidsdepartementet",), ("Arbeidsrett", AREA))
PAY = act("forskrift/2", "Lønnsforskriften", ("Arbeidsdepartementet", "Finansdepartementet"), (AREA,))
TAX = act("forskrift/3", "Skatteforskriften", ("Finansdepartementet",), ())
HITS = {place_number(WORK.refid): 5, place_number(PAY.refid): 3, place_number(TAX.refid): 2, 12345: 99}


@pytest.fixture
def directory(names: ActNames) -> ActDirectory:
    return ActDirectory(names)


@pytest.fixture
def counting() -> ActDirectory:
    return ActDirectory(ActNames([WORK, PAY, TAX]))


def completed(directory: ActDirectory, text: str, limit: int = 10, law_type: LawType | None = None) -> list[str]:
    return [one.act for one in directory.complete(text, limit, law_type)]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("aml", "Arbeidsmiljøloven"),
        ("AML", "Arbeidsmiljøloven"),
        ("husl", "Husleieloven"),
        ("husleielova", "Husleieloven"),
        ("strl.", "Straffeloven"),
        ("plan- og byg", "Plan- og bygningsloven"),
        ("lov om husl", "Husleieloven"),
        ("bygningsl", "Plan- og bygningsloven"),
        ("miljø", "Arbeidsmiljøloven"),
        ("borettslagsl", "Burettslagslova"),
        ("gdpr", "Personopplysningsloven"),
        ("lov/1999-03-26-17", "Husleieloven"),
        ("husleielven", "Husleieloven"),
    ],
)
def test_a_name_is_completed_from_its_beginning_a_word_a_part_an_abbreviation_or_what_it_resembles(
    directory: ActDirectory, text: str, first: str
) -> None:
    assert completed(directory, text)[0] == first


@pytest.mark.parametrize("text", ["xyzzy", "§", "-", " ", "\n", "(", "\\", "loven loven"])
def test_what_no_name_has_is_completed_to_nothing(directory: ActDirectory, text: str) -> None:
    assert completed(directory, text) == []


def test_each_act_is_named_once_what_is_in_force_first_and_what_changes_others_last(directory: ActDirectory) -> None:
    found = directory.complete("forvaltningsl", 10)
    assert [one.in_force for one in found] == [InForce.YES, InForce.NOT_YET]
    assert completed(directory, "straffel") == ["Straffeloven", "Endringslov til straffeloven"]
    everything = [one.refid for one in directory.complete("lov", 20)]
    assert len(everything) == len(set(everything))
    assert completed(directory, "lov", limit=3) == completed(directory, "lov", limit=20)[:3]


def test_names_can_be_kept_to_a_law_type(directory: ActDirectory) -> None:
    assert completed(directory, "bygg", law_type=LawType.FORSKRIFT) == ["Byggteknisk forskrift (TEK17)"]


def test_hits_are_counted_by_what_their_documents_are(counting: ActDirectory) -> None:
    facets = counting.facets(HITS, Filters(), in_force=7, word_hits=10)
    assert facets.law_types == (FacetValue(value="lov", hits=5), FacetValue(value="forskrift", hits=5))
    assert [(one.value, one.hits) for one in facets.ministries] == [
        ("Arbeidsdepartementet", 8),
        ("Finansdepartementet", 5),
    ]
    # A filter is part of a name: that of the wider area lets the narrower through.
    assert [(one.value, one.hits) for one in facets.legal_areas] == [("Arbeidsrett", 8), (AREA, 8)]
    assert (facets.in_force, facets.word_hits) == (7, 10)


def test_a_filter_narrows_the_counts_of_the_others_and_not_its_own(counting: ActDirectory) -> None:
    of_type = counting.facets(HITS, Filters(law_types=(LawType.FORSKRIFT,)), in_force=0, word_hits=5)
    assert {one.value: one.hits for one in of_type.law_types} == {"lov": 5, "forskrift": 5}
    assert {one.value: one.hits for one in of_type.ministries} == {"Arbeidsdepartementet": 3, "Finansdepartementet": 5}
    filters = Filters(law_types=LAW_TYPE_ORDER, ministries=("Arbeidsdepartementet",))
    of_ministry = counting.facets(HITS, filters, in_force=0, word_hits=8)
    assert {one.value: one.hits for one in of_ministry.law_types} == {"lov": 5, "forskrift": 3}
    assert {one.value: one.hits for one in of_ministry.ministries} == {
        "Arbeidsdepartementet": 8,
        "Finansdepartementet": 5,
    }


def dated(*years: int) -> tuple[ActDirectory, dict[int, int]]:
    acts = [act(f"lov/{year}-01-01-1", "Loven", (), ()) for year in years]
    return ActDirectory(ActNames(acts)), {place_number(one.refid): 1 for one in acts}


def test_hits_are_counted_by_the_decade_of_their_document_newest_first() -> None:
    directory, hits = dated(1999, 1990, 2005, 1687)
    spans = (
        YearSpan(first=2000, last=2009, hits=1),
        YearSpan(first=1990, last=1999, hits=2),
        YearSpan(first=1680, last=1689, hits=1),
    )
    assert directory.facets(hits, Filters(), in_force=0, word_hits=4).years == spans
    narrowed = directory.facets(hits, Filters(years=(1990, 1999)), in_force=0, word_hits=2)
    assert narrowed.years == spans, "what another choice gives"
    assert narrowed.law_types == (FacetValue(value="lov", hits=2),)


def test_what_is_older_than_the_decades_that_are_listed_is_counted_together() -> None:
    directory, hits = dated(*range(1800, 2000, 10))
    spans = directory.facets(hits, Filters(), in_force=0, word_hits=0).years
    assert len(spans) == MAX_FACETS
    assert spans[-1] == YearSpan(first=1800, last=1889, hits=9)
    assert sum(span.hits for span in spans) == len(hits)


def test_without_documents_there_is_nothing_to_complete_or_count() -> None:
    empty = ActDirectory(ActNames([]))
    assert empty.complete("a", 5) == ()
    assert empty.facets({}, Filters(), in_force=0, word_hits=0).law_types == ()
