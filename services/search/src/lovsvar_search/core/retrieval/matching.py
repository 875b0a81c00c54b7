"""What a query's words find, the candidates that all ways bring together, and the use case: find items."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from typing import Any

from lovsvar_search.core.retrieval.candidates import REACH, Candidate, Candidates, Evidence, Scored, in_order
from lovsvar_search.core.retrieval.corpus import Corpus, IndexSnapshot
from lovsvar_search.core.retrieval.filters import Filters
from lovsvar_search.core.retrieval.items import place_number
from lovsvar_search.core.retrieval.query import QueryPlan, Word, plan_query
from lovsvar_search.core.retrieval.vector_search import Near

POOL = 40
"""Best hits by words that take part in the ranking; the others follow in their own order."""

OF_NAMED_GROUPS = 50
"""Best hits by words inside the groups that a query names that take part, too."""

BY_HEADLINES, BY_FIELD, BY_RUN = 10, 20, 10
"""Best hits by their own headlines that take part, by the field that is asked for, and of those that hold all of the
query word for word."""

LIKELY_GROUPS = 6
"""Groups that a question seems to be about, of which `OF_LIKELY` take part: as a lawyer finds the act first."""

OF_LIKELY = 30

MOST_TOPICS = 30
"""Nearest topics among which the likely groups are looked for: several may be of one group."""

BY_MEANING_ALONE = 0.2
"""The probability below which what no word of the query leads to is as good as nothing."""

EVERYTHING = Filters()


@dataclass(frozen=True, slots=True)
class ByWords:
    """What a query's words find, before meaning is asked.

    `items` are what the query names, `verbatim` what holds all of it word for word. The others are scores by number:
    `found` of the best matches, `questions`, `by_field` of the field that is asked for, `headlines`, and `topics` of
    groups and parts, these best first. `total` counts every match.
    """

    plan: QueryPlan
    filters: Filters
    items: frozenset[int] = frozenset()
    verbatim: Sequence[int] = ()
    found: Mapping[int, float] = field(default_factory=dict)
    questions: Mapping[int, float] = field(default_factory=dict)
    by_field: Mapping[int, float] = field(default_factory=dict)
    headlines: Mapping[int, float] = field(default_factory=dict)
    topics: Mapping[int, float] = field(default_factory=dict)
    total: int = 0


def match_words(text: str, corpus: Corpus, filters: Filters, names: Any, *, meaning_alone: bool = False) -> ByWords:
    """Return what the words of a query find; meaning may be asked meanwhile. Does no I/O beyond the index.

    `names` are those in which references are looked up. What `meaning_alone` is to find is only planned.
    """
    index, collection = corpus.index, corpus.collection
    plan = plan_query(text, index, collection, names)
    items = frozenset(place_number(group, key) for group, key in plan.items)
    if meaning_alone or plan.empty or filters.impossible:
        return ByWords(plan, filters, items)
    found: Sequence[Candidate] = ()
    total = 0
    if plan.words:
        matches = index.search(plan, filters, POOL)
        found, total = matches.best, matches.total
    if groups := tuple(group for group in plan.groups if filters.groups is None or group in filters.groups):
        found = (*found, *index.best(plan, replace(filters, groups=groups), OF_NAMED_GROUPS))
    headline = collection.headline
    return ByWords(
        plan,
        filters,
        items,
        verbatim=index.search_run(plan, filters, BY_RUN) if plan.run else (),
        found={candidate.number: candidate.words for candidate in found},
        questions=corpus.questions.search(plan) if corpus.questions else {},
        by_field=index.search_field(plan.field, plan, filters, BY_FIELD) if plan.field else {},
        headlines=index.search_field(headline, plan, filters, BY_HEADLINES) if headline else {},
        topics=corpus.topics.search(plan) if corpus.topics else {},
        total=total,
    )


def gather(
    by_words: ByWords, corpus: Corpus, near: Near, *, meaning_alone: bool = False
) -> tuple[Candidates, Evidence]:
    """Return the items that may answer, and what is known of them."""
    plan, index = by_words.plan, corpus.index
    scores = dict(by_words.found)
    if not meaning_alone and plan.words and (groups := _likely_groups(by_words, corpus, near)):
        inside = index.best(plan, replace(by_words.filters, groups=groups), OF_LIKELY)
        scores |= {one.number: one.words for one in inside}
    by_name = (by_words.headlines, by_words.by_field, by_words.items, by_words.verbatim)
    for number in chain(*by_name, by_words.questions, near.questions, near.passages):
        scores.setdefault(number, 0.0)
    unknown = corpus.collection.profile.unknown_word
    worths = [_worth(word, index, unknown) for word in plan.asked]
    mass = sum(worths) or 1.0
    shares = [(word, worth / mass) for word, worth in zip(plan.asked, worths, strict=True)]
    evidence = Evidence(
        mass=mass,
        asked=len(plan.asked),
        pairs=len(plan.pairs),
        asks_field=bool(plan.field),
        scale=max(1.0, math.log(corpus.collection.profile.learnt_on) / math.log(2 + index.items)),
        headlines=by_words.headlines,
        questions=by_words.questions,
        topics={number: score / (REACH * mass) for number, score in by_words.topics.items()},
        near=near,
        groups=frozenset(place_number(group) for group in plan.groups),
        items=by_words.items,
    )
    return index.candidates(plan, by_words.filters, shares, scores), evidence


def _worth(word: Word, index: IndexSnapshot, unknown: float) -> float:
    """Return how much a word of a query says: by its commonest form, since any will do."""
    known = [form for form in word.forms if index.frequency(form)]
    return word.weight * (unknown if unknown and not known else min(index.weights(known or word.forms).values()))


def _likely_groups(by_words: ByWords, corpus: Corpus, near: Near) -> tuple[str, ...]:
    """Return the groups that a question seems to be about and that may be shown: half by words, half by meaning."""
    found: dict[str, None] = {}
    if corpus.topics is None:
        return ()
    for numbers in (by_words.topics, near.topics.best(MOST_TOPICS)):
        groups = (group for number in numbers if (group := corpus.topics.group(number)) and group not in found)
        possible = dict.fromkeys(group for group in groups if by_words.filters.admits(group))
        found |= dict.fromkeys(islice(possible, LIKELY_GROUPS // 2))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Ranking:
    """The ranking of one query: by words, and by what is near in meaning, or by meaning alone."""

    by_words: ByWords
    corpus: Corpus
    near: Near
    meaning_alone: bool

    def best(self) -> tuple[list[Scored], int]:
        """Return the best items, all that anything but a word or two speaks for, and how many there are in all."""
        candidates, evidence = gather(self.by_words, self.corpus, self.near, meaning_alone=self.meaning_alone)
        ranked = self.corpus.collection.profile.rank(candidates, evidence, self.meaning_alone)
        best = in_order(candidates, evidence.items, *ranked)
        wordless = sum(not one.matches for one in candidates.ones)
        return best, max(len(best), self.by_words.total + wordless)

    def shown(self, best: Sequence[Scored]) -> float | None:
        """Return how likely the best hit answers; None when that is so unlikely that nothing is shown.

        What no word of the query leads to has to be likelier: something is near to any letters. What is asked for by
        name, word for word, or among few is shown whatever it is worth.
        """
        one, plan = self.by_words, self.by_words.plan
        chance = max((scored.probability or 0.0 for scored in best), default=None)
        demanded = plan.groups or plan.phrases or plan.required or not plan.words
        if chance is None or demanded or one.filters.narrow or self.meaning_alone:
            return chance
        met = any((one.found, one.questions, one.headlines, one.by_field, one.verbatim, one.topics))
        return chance if chance >= max(self.corpus.collection.profile.floor, 0.0 if met else BY_MEANING_ALONE) else None

    def count(self, filters: Filters) -> int:
        """Return how many items have a word of the query."""
        plan = self.by_words.plan
        return 0 if self.meaning_alone or not plan.words else self.corpus.index.count(plan, filters)

    def rest(self, filters: Filters, end: int, best: Sequence[Scored]) -> list[Scored]:
        """Return what follows `best` up to place `end`: by words alone, in their order."""
        plan = self.by_words.plan
        if self.meaning_alone or not plan.words:
            return []
        known = {scored.candidate.number for scored in best}
        matches = self.corpus.index.best(plan, filters, end + len(known))
        below = min((scored.score for scored in best), default=0.0) - 1.0
        return [Scored(below, candidate) for candidate in matches if candidate.number not in known]


@dataclass(frozen=True, slots=True)
class Found:
    """A page of hits with what the collection loads of each, how many there are in all, how likely the best answers."""

    page: Sequence[tuple[Scored, Any]]
    total: int
    probability: float | None


def find_items(
    text: str,
    corpus: Corpus,
    near: Near | None = None,
    filters: Filters = EVERYTHING,
    *,
    page: int = 1,
    page_size: int = 10,
    language: str = "",
) -> Found:
    """Return a page, from 1, of the items that a query finds. Does no I/O beyond the index.

    `near` is what vectors found; without it the words alone decide. `language` is that of the query's words, "" the
    collection's first. A query that says nothing finds nothing.
    """
    if language:
        corpus = replace(corpus, index=corpus.index.of_language(language))
    by_words = match_words(text, corpus, filters, corpus.names)
    if by_words.plan.empty or filters.impossible:
        return Found((), 0, None)
    ranking = Ranking(by_words, corpus, near or Near(), meaning_alone=False)
    best, total = ranking.best()
    chance = ranking.shown(best)
    if chance is None:
        return Found((), 0, None)
    end = page * page_size
    if len(best) < min(end, total):
        best += ranking.rest(filters, end, best)
    shown = best[end - page_size : end]
    return Found(list(zip(shown, corpus.index.fetch([one.candidate for one in shown]), strict=True)), total, chance)
