"""From a question to the terms and direct hits that are searched."""

from collections.abc import Callable
from dataclasses import dataclass

from lovsvar_search.core.act_names import ActNames
from lovsvar_search.core.analysis import subject_words
from lovsvar_search.core.references import find_references

MAX_TERMS = 48
"""Distinct terms of one query. The cost of a search grows with them; the longest question has fewer."""

MAX_LOOKED_AT = 2_000
"""Characters of a query in which references are looked for."""

Analyze = Callable[[str], list[str]]
"""The index's own analyzer: text → terms as they are stored."""


@dataclass(frozen=True, slots=True)
class QueryPlan:
    """What to search for.

    `terms` are joined by OR. Provisions of `acts` are preferred; `sections` holds (refid, section key) of
    provisions that the query names outright, which come first.
    """

    terms: tuple[str, ...]
    acts: tuple[str, ...] = ()
    sections: tuple[tuple[str, str], ...] = ()

    @property
    def empty(self) -> bool:
        """Whether there is nothing to search for."""
        return not (self.terms or self.acts or self.sections)


def plan_query(text: str, names: ActNames, analyze: Analyze) -> QueryPlan:
    """Return what to search for when a user wrote `text`, whatever it holds."""
    # A lone surrogate is no character that could be looked for, and no engine takes it.
    text = text.encode(errors="ignore").decode()
    terms = tuple(dict.fromkeys(analyze(subject_words(text))))[:MAX_TERMS]
    acts: list[str] = []
    sections: list[tuple[str, str]] = []
    for reference in find_references(text[:MAX_LOOKED_AT], names):
        acts += reference.refids
        sections += [(refid, key) for refid in reference.refids for key in reference.sections]
    return QueryPlan(terms, tuple(dict.fromkeys(acts)), tuple(dict.fromkeys(sections)))
