"""What a request demands of its hits."""

from datetime import date

import pytest

from lovsvar_contracts.law import LAW_TYPE_ORDER, LawType
from lovsvar_contracts.search import FindProvisions
from lovsvar_legaltext.act_names import ActNames
from lovsvar_search.core.law.filters import Filters, read_filters


def read(names: ActNames, **demands: object) -> Filters:
    return read_filters(FindProvisions.model_validate({"query": "depositum", **demands}), names)


def test_a_request_without_demands_lets_everything_of_current_law_through(names: ActNames) -> None:
    filters = read(names)
    assert filters == Filters()
    assert filters.law_types == LAW_TYPE_ORDER
    assert not filters.announcements


def test_every_demand_of_a_request_is_a_filter(names: ActNames) -> None:
    demands = {"law_type": "forskrift", "year": 2012, "dataset": "eksempel", "document": "lov/1999-03-26-17"}
    filters = read(names, **demands, in_force_on=date(2020, 1, 1), announcements=True)
    assert filters == Filters(
        law_types=(LawType.FORSKRIFT,),
        years=(2012, 2012),
        dataset="eksempel",
        groups=("lov/1999-03-26-17",),
        in_force_on=date(2020, 1, 1),
        announcements=True,
    )


@pytest.mark.parametrize("part", ["justis", "JUSTISDEPARTEMENTET", "departement"])
def test_a_ministry_is_named_by_any_part_of_its_name(names: ActNames, part: str) -> None:
    assert read(names, ministry=part).ministries == ("Justisdepartementet",)


@pytest.mark.parametrize("demand", ["ministry", "legal_area"])
def test_a_name_that_no_document_has_makes_a_hit_impossible(names: ActNames, demand: str) -> None:
    assert read(names, **{demand: "finnes ikke"}).impossible
    assert not read(names).impossible


@pytest.mark.parametrize(
    ("demands", "years"),
    [
        ({"year_from": 1990, "year_to": 1999}, (1990, 1999)),
        ({"year_from": 1990}, (1990, 3000)),
        ({"year_to": 1999}, (1600, 1999)),
        ({"year_from": 1990, "year": 1995}, (1995, 1995)),
    ],
)
def test_years_are_a_range_that_may_be_open(names: ActNames, demands: dict[str, int], years: tuple[int, int]) -> None:
    filters = read(names, **demands)
    assert filters.years == years
    assert not filters.impossible
    assert filters.narrow


def test_nothing_is_of_a_range_that_ends_before_it_begins(names: ActNames) -> None:
    assert read(names, year_from=2000, year_to=1999).impossible
    assert read(names, year=1980, year_from=1990).impossible
