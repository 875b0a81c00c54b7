"""What a hit must be, whichever way it is found."""

from dataclasses import dataclass
from datetime import date

from lovsvar_contracts.law import LAW_TYPE_ORDER, LawType
from lovsvar_contracts.search import FindProvisions
from lovsvar_legaltext.act_names import ActNames


@dataclass(frozen=True, slots=True)
class Filters:
    """Demands on a hit; None is no demand.

    `ministries` and `legal_areas` are whole names, any of which will do. `acts` are refids. A hit is an
    announcement in Norsk Lovtidend when `announcements` is true, and current law otherwise.
    """

    law_types: tuple[LawType, ...] = LAW_TYPE_ORDER
    year: int | None = None
    ministries: tuple[str, ...] | None = None
    legal_areas: tuple[str, ...] | None = None
    dataset: str | None = None
    acts: tuple[str, ...] | None = None
    in_force_on: date | None = None
    announcements: bool = False

    @property
    def impossible(self) -> bool:
        """Whether nothing in the corpus can be so."""
        return () in (self.ministries, self.legal_areas, self.acts)


def read_filters(request: FindProvisions, names: ActNames) -> Filters:
    """Return what a request demands, partial names filled out from the corpus."""
    return Filters(
        law_types=(request.law_type,) if request.law_type else LAW_TYPE_ORDER,
        year=request.year,
        ministries=names.ministries_like(request.ministry) if request.ministry else None,
        legal_areas=names.legal_areas_like(request.legal_area) if request.legal_area else None,
        dataset=request.dataset,
        acts=(request.document,) if request.document else None,
        in_force_on=request.in_force_on,
        announcements=request.announcements,
    )
