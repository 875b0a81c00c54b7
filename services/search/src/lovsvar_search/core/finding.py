"""Use case: find provisions."""

import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from lovsvar_contracts.identifiers import lovdata_url, viewer_path
from lovsvar_contracts.law import LAW_TYPE_ORDER, LawType
from lovsvar_contracts.search import FindProvisions, ProvisionHit, ProvisionHits, SearchMode
from lovsvar_search.core.act_names import ActNames
from lovsvar_search.core.compounds import Vocabulary
from lovsvar_search.core.corpus import StoredHit, place_number
from lovsvar_search.core.filters import Filters, read_filters
from lovsvar_search.core.fusion import SCORED_BY_MEANING, WEIGHTS, Candidate, Evidence, Scored, fuse
from lovsvar_search.core.lexicon import Lexicon
from lovsvar_search.core.meaning import Near
from lovsvar_search.core.query import QueryPlan, plan_query
from lovsvar_search.core.ranking import types_to_search
from lovsvar_search.core.snippets import Snippet, cut_snippet, mark_words, snippet_pattern

POOL = 200
"""Best hits by words, over all types, that take part in the ranking; those behind follow in their own order."""

OF_NAMED_ACTS = 50
"""Best hits by words inside the acts that a query names that take part beside them."""


@dataclass(frozen=True, slots=True)
class Matches:
    """The best hits by words, best first, and how many there are in all."""

    best: Sequence[Candidate] = ()
    total: int = 0


class IndexSnapshot(Vocabulary, Protocol):
    """The index as it was at one corpus version; it stays so while it is held. Any thread may use it."""

    def search(self, plan: QueryPlan, filters: Filters, limit: int) -> Matches:
        """Return the `limit` best hits by words; the same hits in the same order for every limit.

        A plan without words matches everything that the filters let through.
        """

    def score(self, plan: QueryPlan, filters: Filters, numbers: Sequence[int]) -> Sequence[Candidate]:
        """Return those of these places that the filters and demands let through, also without a word of the plan."""

    def fetch(self, hits: Sequence[Candidate]) -> Sequence[StoredHit]:
        """Return what is stored of each of these hits."""

    def weights(self, terms: Sequence[str]) -> Mapping[str, float]:
        """Return how much each term says: the rarer, the more."""


class QuestionIndex(Protocol):
    """Everyday questions, each with the provisions that answer it. Any thread may use it."""

    def search(self, plan: QueryPlan) -> Mapping[int, float]:
        """Return BM25 scores of the questions most like the plan's own words, by the number of their provisions."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """What is searched: one corpus version."""

    index: IndexSnapshot
    questions: QuestionIndex
    names: ActNames
    lexicon: Lexicon
    version: int


def find_provisions(request: FindProvisions, corpus: Corpus, near: Near | None = None) -> ProvisionHits:
    """Return the page of provisions that the request asks for. Does no I/O beyond the index.

    `near` is what vectors found; without it the words alone decide.
    """
    began = time.perf_counter()
    plan = plan_query(request.query, corpus.names, corpus.index, corpus.lexicon)
    filters = read_filters(request, corpus.names)
    mode = request.mode if near is not None else SearchMode.LEXICAL
    ranking = _Ranking(plan, corpus, near, mode)
    page, total, law_types = _page(request, ranking, filters)
    pattern, weights = snippet_pattern(plan.terms), corpus.index.weights(plan.terms)
    stored = corpus.index.fetch([scored.candidate for scored in page])
    return ProvisionHits(
        correlation_id=request.correlation_id,
        hits=tuple(
            _hit(scored, hit, _snippet(scored, hit, pattern, weights), plan, corpus.index.analyze, request.explain)
            for scored, hit in zip(page, stored, strict=True)
        ),
        total=total,
        page=request.page,
        page_size=request.page_size,
        searched_law_types=law_types,
        prioritized=request.law_type is None,
        mode=mode,
        corpus_version=corpus.version,
        took_ms=round((time.perf_counter() - began) * 1000, 3),
    )


def _page(
    request: FindProvisions, ranking: "_Ranking", filters: Filters
) -> tuple[Sequence[Scored], int, tuple[LawType, ...]]:
    """Return the page, how many hits there are in all, and the law types that were searched."""
    start, end = (request.page - 1) * request.page_size, request.page * request.page_size
    if ranking.plan.empty or filters.impossible:
        return (), 0, filters.law_types
    best, total = ranking.best(filters, end)
    law_types = filters.law_types
    if request.law_type is None:
        law_types = types_to_search(best[:POOL], request.page_size)
        if law_types != LAW_TYPE_ORDER:
            best, total = ranking.best(replace(filters, law_types=law_types), end)
    return best[start:end], total, law_types


@dataclass(frozen=True, slots=True)
class _Ranking:
    """The ranking of one query, under whatever filters."""

    plan: QueryPlan
    corpus: Corpus
    near: Near | None
    mode: SearchMode

    def best(self, filters: Filters, wanted: int) -> tuple[Sequence[Scored], int]:
        """Return at least the `wanted` best provisions, if there are as many, and how many there are in all."""
        candidates, evidence, by_words = gather(self.plan, filters, self.corpus, self.near, self.mode)
        weights = SCORED_BY_MEANING if self.mode is SearchMode.VECTOR else WEIGHTS
        best = list(fuse(candidates, evidence, weights))
        total = by_words + sum(candidate.words == 0.0 for candidate in candidates)
        if len(best) < min(wanted, total) and self.mode is not SearchMode.VECTOR:
            known = {candidate.number for candidate in candidates}
            behind = self.corpus.index.search(self.plan, filters, wanted + len(known)).best
            best += [Scored(0.0, candidate) for candidate in behind if candidate.number not in known]
        return best, total


def gather(
    plan: QueryPlan, filters: Filters, corpus: Corpus, near: Near | None, mode: SearchMode
) -> tuple[list[Candidate], Evidence, int]:
    """Return the provisions that may answer, what speaks for them, and how many there are by words alone."""
    index = corpus.index
    near = near or Near()
    if mode is SearchMode.VECTOR:
        evidence = Evidence(near=near)
        return list(index.score(plan, filters, [*near.questions, *near.passages])), evidence, 0
    matches = index.search(plan, filters, POOL) if plan.words else Matches()
    found = {candidate.number: candidate for candidate in matches.best}
    if plan.acts:
        acts = tuple(refid for refid in plan.acts if filters.acts is None or refid in filters.acts)
        inside = index.search(plan, replace(filters, acts=acts), OF_NAMED_ACTS).best if acts else ()
        found.update((candidate.number, candidate) for candidate in inside)
    evidence = Evidence(
        questions=corpus.questions.search(plan),
        near=near,
        acts=frozenset(place_number(refid) for refid in plan.acts),
        sections=frozenset(place_number(refid, key) for refid, key in plan.sections),
    )
    others = dict.fromkeys((*evidence.sections, *evidence.questions, *near.questions, *near.passages))
    if missing := [number for number in others if number not in found]:
        found.update((candidate.number, candidate) for candidate in index.score(plan, filters, missing))
    return list(found.values()), evidence, matches.total


def _snippet(
    scored: Scored, stored: StoredHit, pattern: re.Pattern[str] | None, weights: Mapping[str, float]
) -> Snippet:
    nearest = scored.near.ledd if scored.near else None
    return cut_snippet(stored.text, pattern, weights, stored.ledd_starts, nearest)


def _hit(
    scored: Scored,
    stored: StoredHit,
    snippet: Snippet,
    plan: QueryPlan,
    analyze: Callable[[str], list[str]],
    explain: bool,
) -> ProvisionHit:
    return ProvisionHit(
        refid=stored.refid,
        section=stored.section,
        act=stored.act,
        title=stored.title,
        law_type=stored.law_type,
        path=stored.path,
        snippet=snippet.text,
        marks=mark_words(snippet.text, frozenset(plan.terms), analyze),
        ledd=snippet.ledd,
        score=round(scored.score, 4),
        in_force=stored.in_force,
        url=viewer_path(stored.refid, stored.section),
        lovdata_url=lovdata_url(stored.refid, stored.section),
        tokens=stored.tokens,
        sample=stored.sample,
        score_parts={name: round(value, 4) for name, value in scored.parts.items()} if explain else None,
    )
