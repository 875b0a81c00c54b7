"""Use case: find provisions."""

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice

from lovsvar_contracts.identifiers import section_key
from lovsvar_contracts.law import LAW_TYPE_ORDER, LawType
from lovsvar_contracts.search import FindProvisions, ProvisionHits, SearchMode
from lovsvar_legaltext.act_names import ActNames
from lovsvar_legaltext.numbers import nearest
from lovsvar_search.core.analysis import spoken_words
from lovsvar_search.core.corpus import place_number
from lovsvar_search.core.filters import Filters, read_filters
from lovsvar_search.core.hit_view import HitView
from lovsvar_search.core.indexes import Corpus, IndexSnapshot, Matches
from lovsvar_search.core.query import LONGEST_MISTYPED, QueryPlan, Word, plan_query
from lovsvar_search.core.ranking import Scored, lifted, rank, types_to_search
from lovsvar_search.core.signals import FULL_CORPUS, OF_WORDS, REACH, Candidate, Candidates, Evidence
from lovsvar_search.core.vector_search import Near

POOL = 40
"""Best hits by words, over all types, that take part in the ranking; those behind follow in their own order."""

NO_NAMES = ActNames(())
"""With these no query names an act."""

OF_NAMED_ACTS = 50
"""Best hits by words inside the acts that a query names that take part beside them."""

BY_HEADINGS, BY_DEFINITIONS, BY_RUN = 10, 20, 10
"""Best hits by their own headings that take part beside them, by what they define where that is asked for, and of those
in which all of the query stands word for word."""

LIKELY_DOCUMENTS = 6
"""Documents that a question seems to be about, of which `OF_LIKELY` take part: as a lawyer finds the act first."""

OF_LIKELY = 30

MOST_TOPICS = 30
"""Nearest topics among which the likely documents are looked for: several may be of one document."""

INSTEAD, MOST_OF_AN_ACT = 3, 1_500
"""Provisions that are shown in place of one that does not exist, and among how many of its act they are looked for."""

MOST_SUGGESTED = 3
"""Words of a query for which a near one is looked for when nothing was found."""

BY_MEANING_ALONE = 0.2
"""The probability below which what no word of the query leads to is as good as nothing."""

UNKNOWN_WORD = 9.0
"""The weight of a word that the corpus does not have, in a query's mass: about that of the rarest it has."""


@dataclass(frozen=True, slots=True)
class ByWords:
    """What a query's words find, before meaning is asked.

    `sections` are what the query names, `verbatim` what holds all of it word for word. The others are scores by number:
    `found` of the best matches, `questions` of everyday questions, `definitions` of what defines the words when that is
    asked, `headings` of sections' own headings, `topics` of documents and chapters, these best first. `total` counts
    every match.
    """

    plan: QueryPlan
    filters: Filters
    sections: frozenset[int] = frozenset()
    verbatim: Sequence[int] = ()
    found: Mapping[int, float] = field(default_factory=dict)
    questions: Mapping[int, float] = field(default_factory=dict)
    definitions: Mapping[int, float] = field(default_factory=dict)
    headings: Mapping[int, float] = field(default_factory=dict)
    topics: Mapping[int, float] = field(default_factory=dict)
    total: int = 0


def match_words(request: FindProvisions, corpus: Corpus) -> ByWords:
    """Return what the words of a request find; meaning may be asked meanwhile. Does no I/O beyond the index."""
    # An act is no announcement, so that its name is words like others where announcements are looked for.
    names = NO_NAMES if request.announcements else corpus.names
    plan = plan_query(request.query, names, corpus.index, corpus.lexicon)
    filters = read_filters(request, corpus.names)
    if plan.empty or filters.impossible:
        return ByWords(plan, filters)
    index, matches = corpus.index, Matches()
    inside: Sequence[Candidate] = ()
    questions: Mapping[int, float] = {}
    verbatim: Sequence[int] = ()
    definitions: Mapping[int, float] = {}
    headings: Mapping[int, float] = {}
    topics: Mapping[int, float] = {}
    if request.mode is not SearchMode.VECTOR:
        questions, topics = corpus.questions.search(plan), corpus.topics.search(plan)
        headings = index.search_headings(plan, filters, BY_HEADINGS)
        if plan.run:
            verbatim = index.search_run(plan, filters, BY_RUN)
        if plan.asks_meaning:
            definitions = index.search_definitions(plan, filters, BY_DEFINITIONS)
        if plan.words:
            matches = index.search(plan, filters, POOL)
        if acts := tuple(refid for refid in plan.acts if filters.acts is None or refid in filters.acts):
            inside = index.best(plan, replace(filters, acts=acts), OF_NAMED_ACTS)
    found = {candidate.number: candidate.words for candidate in (*matches.best, *inside)}
    sections = frozenset(place_number(refid, key) for refid, key in plan.sections)
    return ByWords(plan, filters, sections, verbatim, found, questions, definitions, headings, topics, matches.total)


def find_provisions(
    request: FindProvisions, corpus: Corpus, near: Near | None = None, by_words: ByWords | None = None
) -> ProvisionHits:
    """Return the page of provisions that the request asks for. Does no I/O beyond the index.

    `near` is what vectors found; without it the words alone decide. `by_words` is what `match_words` returned for
    this request and corpus, when it was asked already.
    """
    began = time.perf_counter()
    mode = request.mode if near is not None else SearchMode.LEXICAL
    # Without vectors a hybrid search has by words what a lexical one has; a search by meaning alone has to begin again.
    if by_words is None or (mode is not request.mode and request.mode is SearchMode.VECTOR):
        by_words = match_words(request.model_copy(update={"mode": mode}), corpus)
    plan = by_words.plan
    page, total, law_types, best = _page(request, _Ranking(by_words, corpus, near or Near(), mode))
    shown = HitView(frozenset(plan.terms), corpus.index.weights(plan.terms), corpus.index, near or Near())
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
        corpus_version=corpus.state.version,
        corpus_date=corpus.state.corpus_date,
        took_ms=round((time.perf_counter() - began) * 1000, 3),
        probability=None if best is None else round(best, 4),
        answers=best is not None and best >= corpus.ranker.calibration.answers,
        did_you_mean=() if total else suggestions(request.query, corpus),
    )


def suggestions(query: str, corpus: Corpus) -> tuple[str, ...]:
    """Return words near those of a query that the corpus does not have: names of acts and words of topics."""
    unknown = (word for word in spoken_words(query).subject if _is_unknown(word, corpus.index))
    meant = (corpus.names.like(word) or corpus.topics.like(word) for word in islice(unknown, MOST_SUGGESTED))
    return tuple(dict.fromkeys(word for word in meant if word))


def _is_unknown(word: str, index: IndexSnapshot) -> bool:
    terms = index.analyze(word) if word.isalpha() and len(word) <= LONGEST_MISTYPED else ()
    return bool(terms) and not any(index.frequency(term) for term in terms)


def _page(
    request: FindProvisions, ranking: "_Ranking"
) -> tuple[Sequence[Scored], int, tuple[LawType, ...], float | None]:
    """Return the page, how many hits there are in all, the law types that were searched, and the best's probability."""
    start, end = (request.page - 1) * request.page_size, request.page * request.page_size
    plan, filters = ranking.by_words.plan, ranking.by_words.filters
    if plan.empty or filters.impossible:
        return (), 0, filters.law_types, None
    best, total = ranking.best()
    law_types = filters.law_types
    if ranking.names_what_is_missing():
        instead = ranking.instead_of_missing(best)
        return instead[start:end], len(instead), law_types, None
    chance = max((scored.probability or 0.0 for scored in best), default=None)
    if chance is None or (chance < ranking.floor and not ranking.is_asked_for):
        return (), 0, law_types, None
    if request.law_type is None:
        law_types = types_to_search(best, request.page_size)
        if law_types != LAW_TYPE_ORDER:
            filters = replace(filters, law_types=law_types)
            best = [scored for scored in best if scored.law_type in law_types]
            total = ranking.count(filters) + sum(not scored.candidate.matches for scored in best)
            total = max(len(best), total)
    if len(best) < min(end, total):
        best += ranking.behind(filters, end, best)
    return best[start:end], total, law_types, chance


@dataclass(frozen=True, slots=True)
class _Ranking:
    """The ranking of one query."""

    by_words: ByWords
    corpus: Corpus
    near: Near
    mode: SearchMode

    def best(self) -> tuple[list[Scored], int]:
        """Return the best provisions, all that anything but a word or two speaks for, and how many there are in all."""
        by_words = self.by_words
        candidates, evidence = gather(by_words, self.corpus, self.near, self.mode)
        best = rank(candidates, evidence, self.corpus.ranker, OF_WORDS if self.mode is SearchMode.VECTOR else ())
        wordless = sum(not one.matches for one in candidates.ones)
        return best, max(len(best), self.by_words.total + wordless)

    @property
    def floor(self) -> float:
        """The probability below which what is found is as good as nothing.

        What no word of the query leads to has to be likelier: something is near to any letters.
        """
        one = self.by_words
        met = any((one.found, one.questions, one.headings, one.definitions, one.verbatim, one.topics))
        return max(self.corpus.ranker.calibration.floor, 0.0 if met else BY_MEANING_ALONE)

    @property
    def is_asked_for(self) -> bool:
        """Whether what is found is shown whatever it is worth: by name, word for word, or among few."""
        plan, filters = self.by_words.plan, self.by_words.filters
        demanded = plan.acts or plan.phrases or plan.required or not plan.words
        few = filters.acts or filters.announcements or filters.year or filters.ministries or filters.legal_areas
        return bool(demanded or few or self.mode is SearchMode.VECTOR)

    def names_what_is_missing(self) -> bool:
        """Whether the query names a provision that its act does not have, in an act that may be shown."""
        named = self.by_words.plan.sections
        if not named or not _may_be_shown(named[0][0], self.by_words.filters):
            return False
        named_places = dict.fromkeys(self.by_words.sections, 0.0)
        return not self.corpus.index.candidates(QueryPlan(()), Filters(), (), named_places).ones

    def instead_of_missing(self, best: Sequence[Scored]) -> list[Scored]:
        """Return what is nearest by number to a provision that the query names and its act does not have.

        What else was found in that act follows; nothing of others does.
        """
        plan = self.by_words.plan
        refid, key = plan.sections[0]
        inside = replace(self.by_words.filters, acts=(refid,))
        all_of_act = self.corpus.index.best(replace(plan, words=(), own=0), inside, MOST_OF_AN_ACT)
        stored = self.corpus.index.fetch(all_of_act)
        by_key = {section_key(hit.section): one for hit, one in zip(stored, all_of_act, strict=True)}
        near = [by_key[other] for other in nearest(key, list(by_key), INSTEAD)]
        act, numbers = place_number(refid), {one.number for one in near}
        others = [one for one in best if one.candidate.act == act and one.candidate.number not in numbers]
        above = max((one.score for one in others), default=0.0) + 1.0
        return [*(lifted(one, above + len(near) - n) for n, one in enumerate(near)), *others]

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
        matches = self.corpus.index.best(plan, filters, end + len(known))
        below = min((scored.score for scored in best), default=0.0) - 1.0
        return [Scored(below, candidate) for candidate in matches if candidate.number not in known]


def gather(
    by_words: ByWords, corpus: Corpus, near: Near, mode: SearchMode = SearchMode.HYBRID
) -> tuple[Candidates, Evidence]:
    """Return the provisions that may answer, and what speaks for them."""
    plan, index = by_words.plan, corpus.index
    scores = dict(by_words.found)
    if mode is not SearchMode.VECTOR and plan.words and (acts := _likely_documents(by_words, corpus, near)):
        inside = index.best(plan, replace(by_words.filters, acts=acts), OF_LIKELY)
        scores |= {one.number: one.words for one in inside}
    by_name = (by_words.headings, by_words.definitions, by_words.sections, by_words.verbatim)
    for number in chain(*by_name, by_words.questions, near.questions, near.passages):
        scores.setdefault(number, 0.0)
    worths = [_worth(word, index) for word in plan.asked]
    mass = sum(worths) or 1.0
    shares = [(word, worth / mass) for word, worth in zip(plan.asked, worths, strict=True)]
    evidence = Evidence(
        mass=mass,
        asked=len(plan.asked),
        pairs=len(plan.pairs),
        asks_meaning=plan.asks_meaning,
        scale=max(1.0, math.log(FULL_CORPUS) / math.log(2 + index.sections)),
        headings=by_words.headings,
        questions=by_words.questions,
        topics={number: score / (REACH * mass) for number, score in by_words.topics.items()},
        near=near,
        acts=frozenset(place_number(refid) for refid in plan.acts),
        sections=by_words.sections,
    )
    return index.candidates(plan, by_words.filters, shares, scores), evidence


def _worth(word: Word, index: IndexSnapshot) -> float:
    """Return how much a word of a query says: by its commonest form, since any will do."""
    known = [form for form in word.forms if index.frequency(form)]
    return word.weight * (min(index.weights(known).values()) if known else UNKNOWN_WORD)


def _likely_documents(by_words: ByWords, corpus: Corpus, near: Near) -> tuple[str, ...]:
    """Return the documents that a question seems to be about and that may be shown: half by words, half by meaning."""
    if by_words.filters.announcements:
        return ()
    found: dict[str, None] = {}
    for numbers in (by_words.topics, near.topics.best(MOST_TOPICS)):
        refids = (refid for number in numbers if (refid := corpus.topics.refid(number)) and refid not in found)
        possible = dict.fromkeys(refid for refid in refids if _may_be_shown(refid, by_words.filters))
        found |= dict.fromkeys(islice(possible, LIKELY_DOCUMENTS // 2))
    return tuple(found)


def _may_be_shown(refid: str, filters: Filters) -> bool:
    of_type = filters.law_types == LAW_TYPE_ORDER or refid.partition("/")[0] in filters.law_types
    return of_type and (filters.acts is None or refid in filters.acts)
