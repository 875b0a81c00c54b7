"""The search page's form: words and filters of an address, those that cannot be used, and the request they make."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from urllib.parse import urlencode

from lovsvar_contracts.law import LawType
from lovsvar_contracts.named_acts import MAX_NAME
from lovsvar_contracts.search import FindProvisions
from lovsvar_gateway.core.question_form import MAX_MINISTRY, as_law_type, as_year, cleaned

FIELDS = ("q", "act", "law_type", "year_from", "year_to", "ministry", "legal_area", "in_force", "all_types", "page")
FILTERS = ("act", "law_type", "year_from", "year_to", "ministry", "legal_area", "in_force")
"""Fields that narrow a search, in the order in which they are shown."""

PAGE_SIZE = 10
MAX_PAGE = 1_000
MAX_WORDS = 1_000


@dataclass(frozen=True)
class SearchForm:
    """The fields as they were given. What is no value of a filter is kept, to be shown, and does not narrow."""

    given: Mapping[str, str]

    def __getitem__(self, name: str) -> str:
        return self.given.get(name, "")

    @property
    def law_type(self) -> LawType | None:
        """The law type that was chosen."""
        return as_law_type(self["law_type"])

    @property
    def years(self) -> tuple[int | None, int | None]:
        """The first and the last year that were given, in their order; None where the range is open."""
        first, last = as_year(self["year_from"]), as_year(self["year_to"])
        return (last, first) if first and last and first > last else (first, last)

    @property
    def year(self) -> int | None:
        """The one year that the range is of, if it is."""
        first, last = self.years
        return first if first == last else None

    @property
    def in_force(self) -> bool:
        """Whether only what is in force today is searched."""
        return self["in_force"] == "1"

    @property
    def all_types(self) -> bool:
        """Whether every law type is searched: a narrowed search shows all that is left, as its filters' counts say."""
        narrowed = any(self.years) or self.in_force or self["ministry"] or self["legal_area"]
        return self.law_type is None and bool(narrowed or self["all_types"] == "1")

    @property
    def page(self) -> int:
        """The page that was asked for, from 1."""
        given = self["page"]
        return min(max(int(given), 1), MAX_PAGE) if given.isascii() and given.isdigit() else 1

    @property
    def refused(self) -> tuple[str, ...]:
        """The filters whose value cannot be used."""
        wrong = {
            "law_type": self.law_type is None,
            "year_from": as_year(self["year_from"]) is None,
            "year_to": as_year(self["year_to"]) is None,
            "in_force": not self.in_force,
        }
        return tuple(name for name, is_wrong in wrong.items() if self[name] and is_wrong)

    @property
    def filters(self) -> tuple[str, ...]:
        """The filters that narrow the search; whether an act has the name that was given is not known here."""
        return tuple(name for name in FILTERS if self[name] and name not in self.refused)

    def request(self, document: str | None, in_force_on: date) -> FindProvisions:
        """Return the search, with counts. `in_force_on` is today."""
        first, last = self.years
        return FindProvisions(
            query=self["q"],
            law_type=self.law_type,
            year_from=first,
            year_to=last,
            ministry=self["ministry"] or None,
            legal_area=self["legal_area"] or None,
            document=document,
            in_force_on=in_force_on if self.in_force else None,
            all_types=self.all_types,
            facets=document is None,
            page=self.page,
            page_size=PAGE_SIZE,
        )

    def address(self, **changed: str) -> str:
        """Return the address of this search with some fields changed; of its first page, unless that is changed."""
        fields = {**self.given, "page": "", **changed}
        return f"/sok?{urlencode({name: fields[name] for name in fields if fields[name] and name in FIELDS})}"

    def without(self, *names: str) -> str:
        """Return the address of this search without some fields."""
        return self.address(**dict.fromkeys(names, ""))

    def replaced(self, word: str, by: str) -> str:
        """Return the address of this search with another word in place of one."""
        return self.address(q=re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", lambda _: by, self["q"], flags=re.IGNORECASE))


def read_search(given: Mapping[str, str]) -> SearchForm:
    """Return the fields without control characters, cut to what they may hold. A `year` is a range of that one."""
    limits = {"act": MAX_NAME, "ministry": MAX_MINISTRY, "legal_area": MAX_NAME}
    if year := given.get("year"):
        given = {**given, "year_from": given.get("year_from") or year, "year_to": given.get("year_to") or year}
    return SearchForm({name: cleaned(value, limits.get(name, MAX_WORDS)) for name, value in given.items()})
