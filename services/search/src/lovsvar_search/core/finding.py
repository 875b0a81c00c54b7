"""Use case: find provisions."""

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from lovsvar_contracts.identifiers import lovdata_url, viewer_path
from lovsvar_contracts.law import LAW_TYPE_ORDER, LawType
from lovsvar_contracts.search import FindProvisions, ProvisionHit, ProvisionHits, SearchMode
from lovsvar_search.core.act_names import ActNames
from lovsvar_search.core.compounds import Vocabulary
from lovsvar_search.core.corpus import StoredHit, place_number
from lovsvar_search.core.filters import Filters, read_filters
from lovsvar_search.core.fusion import PARTS, SCORED_BY_MEANING, WEIGHTS, Candidate, Evidence, Scored, fuse
from lovsvar_search.core.lexicon import Lexicon
from lovsvar_search.core.meaning import Near
from lovsvar_search.core.query import QueryPlan, plan_query
from lovsvar_search.core.ranking import types_to_search
from lovsvar_search.core.snippets import cut_snippet, mark_words

POOL = 40
"""Best hits by words, over all types, that take part in the ranking; those behind follow in their own order."""

NO_NAMES = ActNames(())
"""With these no query names an act."""

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

    def count(self, plan: QueryPlan, filters: Filters) -> int:
        """Return how many hits there are in all."""

    def score(self, plan: QueryPlan, filters: Filters, numbers: Collection[int]) -> Sequence[Candidate]:
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


@dataclass(frozen=True, slots=True)
class ByWords:
    """What a query's words find, before meaning is asked.

    `found` is by number: the best matches, and what the query names (`sections`) and its `questions` speak for.
    `total` counts every match.
    """

    plan: QueryPlan
    filters: Filters
    sections: frozenset[int] = frozenset()
    found: Mapping[int, Candidate] = field(default_factory=dict)
    questions: Mapping[int, float] = field(default_factory=dict)
    total: int = 0


def match_words(request: FindProvisions, corpus: Corpus) -> ByWords:
    """Return what the words of a request find; meaning may be asked meanwhile. Does no I/O beyond the index."""
    # An act is no announcement, so that its name is words like others where announcements are looked for.
    names = NO_NAMES if request.announcements else corpus.names
    plan = plan_query(request.query, names, corpus.index, corpus.lexicon)
    filters = read_filters(request, corpus.names)
    if plan.empty or filters.impossible:
        return ByWords(plan, filters)
    index, matches, inside = corpus.index, Matches(), Matches()
    questions: Mapping[int, float] = {}
    if request.mode is not SearchMode.VECTOR:
        questions = corpus.questions.search(plan)
        if plan.words:
            matches = index.search(plan, filters, POOL)
        if acts := tuple(refid for refid in plan.acts if filters.acts is None or refid in filters.acts):
            inside = index.search(plan, replace(filters, acts=acts), OF_NAMED_ACTS)
    found = {candidate.number: candidate for candidate in (*matches.best, *inside.best)}
    sections = frozenset(place_number(refid, key) for refid, key in plan.sections)
    beside = index.score(plan, filters, (sections | questions.keys()) - found.keys())
    found.update((candidate.number, candidate) for candidate in beside)
    return ByWords(plan, filters, sections, found, questions, matches.total)


def find_provisions(
    request: FindProvisions, corpus: Corpus, near: Near | None = None, by_words: ByWords | None = None
) -> ProvisionHits:
    """Return the page of provisions that the request asks for. Does no I/O beyond the index.

    `near` is what vectors found; without it the words alone decide. `by_words` is what `match_words` returned for
    this request and corpus, when it was asked already.
    """
    began = time.perf_counter()
    mode = request.mode if near is not None else SearchMode.LEXICAL
    if by_words is None or mode is not request.mode:
        by_words = match_words(request.model_copy(update={"mode": mode}), corpus)
    plan = by_words.plan
    page, total, law_types = _page(request, _Ranking(by_words, corpus, near or Near(), mode))
    shown = _Shown(frozenset(plan.terms), corpus.index.weights(plan.terms), corpus.index, near or Near())
    stored = corpus.index.fetch([scored.candidate for scored in page])
    return ProvisionHits(
        correlation_id=request.correlation_id,
        hits=tuple(shown.hit(scored, hit, explain=request.explain) for scored, hit in zip(page, stored, strict=True)),
        total=total,
        page=request.page,
        page_size=request.page_size,
        searched_law_types=law_types,
        prioritized=request.law_type is None,
        mode=mode,
        corpus_version=corpus.version,
        took_ms=round((time.perf_counter() - began) * 1000, 3),
    )


def _page(request: FindProvisions, ranking: "_Ranking") -> tuple[Sequence[Scored], int, tuple[LawType, ...]]:
    """Return the page, how many hits there are in all, and the law types that were searched."""
    start, end = (request.page - 1) * request.page_size, request.page * request.page_size
    filters = ranking.by_words.filters
    if ranking.by_words.plan.empty or filters.impossible:
        return (), 0, filters.law_types
    best, total = ranking.best()
    law_types = filters.law_types
    if request.law_type is None:
        law_types = types_to_search(best[:POOL], request.page_size)
        if law_types != LAW_TYPE_ORDER:
            filters = replace(filters, law_types=law_types)
            best = [scored for scored in best if scored.law_type in law_types]
            total = ranking.count(filters) + sum(scored.candidate.words == 0.0 for scored in best)
            total = max(len(best), total)
    if len(best) < min(end, total):
        best += ranking.behind(filters, end, best)
    return best[start:end], total, law_types


@dataclass(frozen=True, slots=True)
class _Ranking:
    """The ranking of one query."""

    by_words: ByWords
    corpus: Corpus
    near: Near
    mode: SearchMode

    def best(self) -> tuple[list[Scored], int]:
        """Return the best provisions, all that anything but a word or two speaks for, and how many there are in all."""
        candidates, evidence = gather(self.by_words, self.corpus, self.near)
        best = fuse(candidates, evidence, SCORED_BY_MEANING if self.mode is SearchMode.VECTOR else WEIGHTS)
        wordless = sum(candidate.words == 0.0 for candidate in candidates)
        return best, max(len(best), self.by_words.total + wordless)

    def count(self, filters: Filters) -> int:
        """Return how many provisions have a word of the query."""
        plan = self.by_words.plan
        if self.mode is SearchMode.VECTOR or not plan.words:
            return 0
        return self.corpus.index.count(plan, filters)

    def behind(self, filters: Filters, end: int, best: Sequence[Scored]) -> list[Scored]:
        """Return what follows `best` up to place `end`: by words alone, in their order."""
        plan = self.by_words.plan
        if self.mode is SearchMode.VECTOR or not plan.words:
            return []
        known = {scored.candidate.number for scored in best}
        matches = self.corpus.index.search(plan, filters, end + len(known)).best
        return [Scored(0.0, candidate) for candidate in matches if candidate.number not in known]


def gather(by_words: ByWords, corpus: Corpus, near: Near) -> tuple[list[Candidate], Evidence]:
    """Return the provisions that may answer, and what speaks for them."""
    plan = by_words.plan
    evidence = Evidence(
        questions=by_words.questions,
        near=near,
        acts=frozenset(place_number(refid) for refid in plan.acts),
        sections=by_words.sections,
    )
    looked_at = by_words.found.keys() | by_words.questions.keys() | by_words.sections
    near_by = (near.questions.keys() | near.passages.keys()) - looked_at
    beside = corpus.index.score(plan, by_words.filters, near_by)
    return [*by_words.found.values(), *beside], evidence


@dataclass(frozen=True, slots=True)
class _Shown:
    """How what a query finds is shown. `weights` are of every term that counts as a match."""

    terms: frozenset[str]
    weights: Mapping[str, float]
    vocabulary: Vocabulary
    near: Near

    def hit(self, scored: Scored, stored: StoredHit, *, explain: bool) -> ProvisionHit:
        """Return a hit with its snippet, the matching words marked."""
        number = scored.candidate.number
        nearest, similarity = self.near.passages.get(number), self.near.similarity(number)
        ledd = nearest.ledd if nearest else None
        snippet = cut_snippet(stored.text, self.weights, self.weights, stored.ledd_starts, ledd)
        parts = zip(PARTS, scored.parts, strict=True) if explain else None
        return ProvisionHit(
            refid=stored.refid,
            section=stored.section,
            act=stored.act,
            title=stored.title,
            law_type=stored.law_type,
            path=stored.path,
            snippet=snippet.text,
            marks=mark_words(snippet.text, snippet.stems, self.terms, self.vocabulary.analyze),
            ledd=snippet.ledd,
            score=round(scored.score, 4),
            in_force=stored.in_force,
            url=viewer_path(stored.refid, stored.section),
            lovdata_url=lovdata_url(stored.refid, stored.section),
            tokens=stored.tokens,
            sample=stored.sample,
            similarity=None if similarity is None else round(similarity, 4),
            score_parts=None if parts is None else {name: round(value, 4) for name, value in parts},
        )
