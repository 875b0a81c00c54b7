"""What a search for provisions is narrowed to."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from lovsvar_contracts.law import LAW_TYPE_ORDER, LawType
from lovsvar_contracts.search import MAX_YEAR, MIN_YEAR, FindProvisions
from lovsvar_legaltext.act_names import ActNames
from lovsvar_search.core.retrieval import filters
from lovsvar_search.core.retrieval.filters import GROUP, TIER, Demand


@dataclass(frozen=True)
class Filters(filters.Filters):
    """Demands on a hit; None is no demand.

    `groups` are refids; `years` are the first and the last year of a document's own date; `ministries` and
    `legal_areas` are whole names, any of which will do. A hit is an announcement in Norsk Lovtidend when
    `announcements` is true, and current law otherwise.
    """

    law_types: tuple[LawType, ...] = LAW_TYPE_ORDER
    years: tuple[int, int] | None = None
    ministries: tuple[str, ...] | None = None
    legal_areas: tuple[str, ...] | None = None
    dataset: str | None = None
    in_force_on: date | None = None
    announcements: bool = False

    @property
    def demands(self) -> Iterator[Demand]:
        """What the index is asked for."""
        if self.law_types != LAW_TYPE_ORDER:
            yield Demand(TIER, [LAW_TYPE_ORDER.index(law_type) for law_type in self.law_types])
        if self.years is not None:
            first, last = self.years
            yield Demand("year", (first,)) if first == last else Demand("year", low=first, high=last)
        if self.dataset is not None:
            yield Demand("dataset", (self.dataset,))
        if self.in_force_on is not None:
            yield Demand("from_day", high=self.in_force_on.toordinal())
        for field, names in (("ministry", self.ministries), ("legal_area", self.legal_areas), (GROUP, self.groups)):
            if names is not None:
                yield Demand(field, names)
        yield Demand("announcement", (True,), wanted=self.announcements)

    @property
    def impossible(self) -> bool:
        """Whether nothing in the corpus can be so."""
        backwards = self.years is not None and self.years[0] > self.years[1]
        return backwards or () in (self.ministries, self.legal_areas, self.groups)

    @property
    def narrow(self) -> bool:
        """Whether so few provisions are left that they are shown whatever they are worth."""
        return bool(self.groups or self.announcements or self.years or self.ministries or self.legal_areas)

    def admits(self, group: str) -> bool:
        """Return whether provisions of a document of current law may be hits."""
        of_type = self.law_types == LAW_TYPE_ORDER or group.partition("/")[0] in self.law_types
        return not self.announcements and of_type and (self.groups is None or group in self.groups)


def read_filters(request: FindProvisions, names: ActNames) -> Filters:
    """Return what a request demands, partial names filled out from the corpus."""
    return Filters(
        law_types=(request.law_type,) if request.law_type else LAW_TYPE_ORDER,
        years=_years(request),
        ministries=names.ministries_like(request.ministry) if request.ministry else None,
        legal_areas=names.legal_areas_like(request.legal_area) if request.legal_area else None,
        dataset=request.dataset,
        groups=(request.document,) if request.document else None,
        in_force_on=request.in_force_on,
        announcements=request.announcements,
    )


def _years(request: FindProvisions) -> tuple[int, int] | None:
    """Return the years that all demands on the year leave; those of a range without an end are open there."""
    if request.year is None and request.year_from is None and request.year_to is None:
        return None
    first = max(request.year_from or MIN_YEAR, request.year or MIN_YEAR)
    last = min(request.year_to or MAX_YEAR, request.year or MAX_YEAR)
    return first, last
