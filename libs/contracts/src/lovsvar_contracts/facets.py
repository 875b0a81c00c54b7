"""Counts of the hits of a search by the values of its filters."""

from pydantic import Field

from lovsvar_contracts.message import Frozen

MAX_FACETS = 12
"""The most values of a filter that hits are counted by."""


class FacetValue(Frozen):
    """A value of a filter, and how many hits a search with it has."""

    value: str
    hits: int


class YearSpan(Frozen):
    """Years from `first` to `last`, both included, and how many hits a search of documents dated in them has."""

    first: int
    last: int
    hits: int


class Facets(Frozen):
    """How many hits with a word of the query, of all pages and law types, each value of a filter has, most first.

    The values of one filter are counted with the others as they are in the request, and without that filter itself, so
    that they show what another choice gives: it is the `word_hits` of that search, with `all_types`.
    """

    law_types: tuple[FacetValue, ...] = Field(default=(), description="In the order of law types.")
    ministries: tuple[FacetValue, ...] = Field(default=(), description=f"At most {MAX_FACETS}.")
    legal_areas: tuple[FacetValue, ...] = Field(default=(), description=f"At most {MAX_FACETS}.")
    years: tuple[YearSpan, ...] = Field(
        default=(),
        description=f"By decade, newest first; at most {MAX_FACETS}, the last of all that are older.",
    )
    in_force: int = Field(default=0, description="Those in force today, with all filters of the request.")
    word_hits: int = Field(
        default=0, description="Those of `total`; the others are found by meaning, or by everyday words, alone."
    )
