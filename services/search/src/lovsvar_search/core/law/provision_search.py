"""Use case: find provisions, and show them as hits: with a snippet, and the words that match marked."""

import re
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date

from lovsvar_contracts.facets import Facets
from lovsvar_contracts.identifiers import lovdata_url, section_key, viewer_path
from lovsvar_contracts.law import LAW_TYPE_ORDER, LawType
from lovsvar_contracts.named_acts import MAX_NAME, NamedAct
from lovsvar_contracts.search import FindProvisions, ProvisionHit, ProvisionHits, SearchMode, UnknownWord
from lovsvar_legaltext.act_names import ActNames
from lovsvar_legaltext.numbers import nearest
from lovsvar_legaltext.references import find_references
from lovsvar_search.core.law.act_directory import IN_FORCE_ORDER, named_act
from lovsvar_search.core.law.analysis import spoken_words
from lovsvar_search.core.law.filters import Filters, read_filters
from lovsvar_search.core.law.sections import StoredHit
from lovsvar_search.core.law.signals import SIGNALS
from lovsvar_search.core.retrieval import matching
from lovsvar_search.core.retrieval.analysis import Vocabulary
from lovsvar_search.core.retrieval.candidates import PINNED, Scored
from lovsvar_search.core.retrieval.corpus import Corpus, IndexSnapshot
from lovsvar_search.core.retrieval.items import place_number
from lovsvar_search.core.retrieval.matching import ByWords, Ranking
from lovsvar_search.core.retrieval.query import LONGEST_MISTYPED, QueryPlan
from lovsvar_search.core.retrieval.snippets import cut_snippet, mark_words
from lovsvar_search.core.retrieval.vector_search import Near
from lovsvar_search.core.retrieval.web_syntax import read_query

NO_NAMES = ActNames(())
"""With these no query names an act."""

INSTEAD, MOST_OF_AN_ACT = 3, 1_500
"""Provisions that are shown in place of one that does not exist, and among how many of its act they are looked for."""

RELEVANT = 0.5
"""The share of the best hit's probability from which a hit counts as relevant."""

MOST_SUGGESTED = 3
"""Words of a query for which a near one is looked for when nothing was found."""

MOST_NAMED = 5
"""Documents of one name that are shown."""

_WORDY = re.compile(r"\w")

SHOWN = ("refid", "section", "act", "title", "law_type", "path", "in_force", "tokens", "sample")
"""What a hit shows as it is stored."""


def match_words(request: FindProvisions, corpus: Corpus) -> ByWords:
    """Return what the words of a request find; meaning may be asked meanwhile. Does no I/O beyond the index."""
    # An act is no announcement, so that its name is words like others where announcements are looked for.
    names = NO_NAMES if request.announcements else corpus.names
    filters = read_filters(request, corpus.names)
    return matching.match_words(request.query, corpus, filters, names, meaning_alone=request.mode is SearchMode.VECTOR)


def find_provisions(
    request: FindProvisions, corpus: Corpus, near: Near | None = None, by_words: ByWords | None = None
) -> ProvisionHits:
    """Return the page of provisions that the request asks for. Does no I/O beyond the index.

    `near` is what vectors found; without it the words alone decide. `by_words` is what `match_words` returned for
    this request and corpus, when it was asked already.
    """
    began = time.perf_counter()
    mode, near = (SearchMode.LEXICAL, Near()) if near is None else (request.mode, near)
    # Without vectors a hybrid search has by words what a lexical one has; a search by meaning alone has to begin again.
    if by_words is None or (mode is not request.mode and request.mode is SearchMode.VECTOR):
        by_words = match_words(request.model_copy(update={"mode": mode}), corpus)
    plan = by_words.plan
    ranking = Ranking(by_words, corpus, near, meaning_alone=mode is SearchMode.VECTOR)
    filters = read_filters(request, corpus.names)
    page, total, law_types, best = _page(request, ranking, filters)
    unknown = unknown_words(request.query, corpus, suggest=request.facets or not total)
    index, weights = corpus.index, corpus.index.weights(plan.terms)
    hits = zip(page, index.fetch([scored.candidate for scored in page]), strict=True)
    return ProvisionHits(
        correlation_id=request.correlation_id,
        hits=tuple(_hit(one, stored, weights, near, index, explain=request.explain) for one, stored in hits),
        total=total,
        page=request.page,
        page_size=request.page_size,
        searched_law_types=law_types,
        prioritized=request.law_type is None and not request.all_types,
        mode=mode,
        corpus_version=corpus.state.version,
        corpus_date=corpus.state.corpus_date,
        took_ms=round((time.perf_counter() - began) * 1000, 3),
        probability=None if best is None else round(best, 4),
        answers=best is not None and best >= corpus.collection.profile.answers,
        did_you_mean=() if total else tuple(dict.fromkeys(word.meant for word in unknown if word.meant)),
        acts=named_acts(by_words, request.query, corpus),
        unknown_words=unknown,
        unknown_filters=unknown_filters(filters, corpus.names),
        facets=facets_of(ranking, filters, law_types, date.today()) if request.facets and total else None,
    )


def _hit(
    scored: Scored,
    stored: StoredHit,
    weights: Mapping[str, float],
    near: Near,
    vocabulary: Vocabulary,
    *,
    explain: bool,
) -> ProvisionHit:
    """Return a hit with its snippet, the matching words marked. `weights` are of every term that counts as a match."""
    number = scored.candidate.number
    nearest, similarity = near.passages.get(number), near.similarity(number)
    ledd = nearest.part if nearest else None
    snippet = cut_snippet(stored.text, weights, weights, stored.ledd_starts, ledd)
    parts = scored.parts(SIGNALS) if explain else None
    known = {name: getattr(stored, name) for name in SHOWN}
    return ProvisionHit(
        **known,
        snippet=snippet.text,
        marks=mark_words(snippet.text, snippet.stems, weights.keys(), vocabulary.analyze),
        ledd=snippet.part,
        score=round(scored.score, 4),
        url=viewer_path(stored.refid, stored.section),
        lovdata_url=lovdata_url(stored.refid, stored.section),
        similarity=None if similarity is None else round(similarity, 4),
        probability=None if scored.probability is None else round(scored.probability, 4),
        score_parts=None if parts is None else {name: round(value, 4) for name, value in parts.items()},
    )


def unknown_words(query: str, corpus: Corpus, *, suggest: bool) -> tuple[UnknownWord, ...]:
    """Return the first words of a query that the corpus does not have, with one near each if that is to `suggest`.

    What the query excludes and names of acts are no such words.
    """
    written = read_query(query).text
    unknown = [word for word in dict.fromkeys(spoken_words(written).subject) if _is_unknown(word, corpus.index)]
    if unknown and corpus.names is not None:
        named = corpus.collection.references(written, corpus.names)
        besides = () if named.groups and named.rest == written else spoken_words(named.rest).subject
        unknown = [word for word in unknown if word in besides]
    known = [names for names in (corpus.names, corpus.topics) if suggest and names is not None]
    return tuple(
        UnknownWord(word=word, meant=next(filter(None, (names.like(word) for names in known)), ""))
        for word in unknown[:MOST_SUGGESTED]
    )


def unknown_filters(filters: Filters, names: ActNames) -> tuple[str, ...]:
    """Return the names of the filters that no document of the corpus has, as requests call them."""
    document = filters.groups and not filters.announcements and names.get(filters.groups[0]) is None
    missing = {"ministry": filters.ministries == (), "legal_area": filters.legal_areas == (), "document": document}
    return tuple(name for name, is_missing in missing.items() if is_missing)


def named_acts(by_words: ByWords, query: str, corpus: Corpus) -> tuple[NamedAct, ...]:
    """Return the documents that all of a query names, those in force first; none of another type than is searched."""
    plan = by_words.plan
    if not plan.groups or plan.items or len(query) > MAX_NAME:
        return ()
    for reference in find_references(query, corpus.names):
        around = query[: reference.start] + query[reference.end :]
        if not (reference.sections or reference.chapter or _WORDY.search(around)):
            admitted = (refid for refid in reference.refids if by_words.filters.admits(refid))
            acts = [act for refid in admitted if (act := corpus.names.get(refid))]
            acts.sort(key=lambda act: IN_FORCE_ORDER.index(act.in_force))
            return tuple(named_act(act) for act in acts[:MOST_NAMED])
    return ()


def facets_of(ranking: Ranking, filters: Filters, searched: tuple[LawType, ...], today: date) -> Facets | None:
    """Return the counts of the hits that have a word of the query; None where words are not what is counted."""
    corpus, plan = ranking.corpus, ranking.by_words.plan
    if filters.announcements or corpus.directory is None or ranking.meaning_alone or not plan.words:
        return None
    wide = replace(filters, law_types=LAW_TYPE_ORDER, years=None, ministries=None, legal_areas=None)
    facets: Facets = corpus.directory.facets(
        corpus.index.count_groups(plan, wide),
        filters,
        in_force=ranking.count(replace(filters, in_force_on=filters.in_force_on or today)),
        word_hits=ranking.count(replace(filters, law_types=searched)),
    )
    return facets


def _is_unknown(word: str, index: IndexSnapshot) -> bool:
    terms = index.analyze(word) if word.isalpha() and len(word) <= LONGEST_MISTYPED else ()
    return bool(terms) and not any(index.frequency(term) for term in terms)


def _page(
    request: FindProvisions, ranking: Ranking, filters: Filters
) -> tuple[Sequence[Scored], int, tuple[LawType, ...], float | None]:
    """Return the page, how many hits there are in all, the law types that were searched, and the best's probability."""
    start, end = (request.page - 1) * request.page_size, request.page * request.page_size
    law_types = filters.law_types
    if ranking.by_words.plan.empty or filters.impossible:
        return (), 0, law_types, None
    best, total = ranking.best()
    if _names_what_is_missing(ranking):
        instead = _instead_of_missing(ranking, best)
        return instead[start:end], len(instead), law_types, None
    chance = ranking.shown(best)
    if chance is None and request.facets and request.law_type and ranking.by_words.total:
        # Who chose the type by its count sees what was counted.
        chance = max(scored.probability or 0.0 for scored in best)
    if chance is None:
        return (), 0, law_types, None
    if request.law_type is None and not request.all_types:
        law_types = types_to_search(best, request.page_size)
        if law_types != LAW_TYPE_ORDER:
            filters = replace(filters, law_types=law_types)
            best = [scored for scored in best if law_type_of(scored) in law_types]
            total = ranking.count(filters) + sum(not scored.candidate.matches for scored in best)
            total = max(len(best), total)
    if len(best) < min(end, total):
        best += ranking.rest(filters, end, best)
    return best[start:end], total, law_types, chance


def law_type_of(hit: Scored) -> LawType:
    """Return a hit's law type."""
    return LAW_TYPE_ORDER[hit.candidate.tier]


def types_to_search(best_first: Sequence[Scored], page_size: int) -> tuple[LawType, ...]:
    """Return the law types that fill the answer when the asker named none.

    They are taken in their order up to the first that gives `max(3, page_size // 2)` relevant hits, or all
    when none does. A hit is relevant from `RELEVANT` of the best one's probability over all types, so that a regulation
    that plainly answers is never hidden behind acts that share a word with the question. The types of the best hit, of
    the best by words, and of what the query names outright are always searched; the last are no measure of the others.
    """
    others = [hit for hit in best_first if hit.score < PINNED / 2]
    if not others:
        return LAW_TYPE_ORDER
    by_words = max(others, key=lambda hit: hit.candidate.words)
    named = (law_type_of(hit) for hit in best_first if hit.score >= PINNED / 2)
    needed = {law_type_of(others[0]), law_type_of(by_words), *named}
    enough = max(3, page_size // 2)
    bar = RELEVANT * (others[0].probability or 0.0)
    relevant = Counter(law_type_of(hit) for hit in others if (hit.probability or 0.0) >= bar)
    for index, law_type in enumerate(LAW_TYPE_ORDER):
        searched = LAW_TYPE_ORDER[: index + 1]
        if relevant[law_type] >= enough and needed.issubset(searched):
            return searched
    return LAW_TYPE_ORDER


def _names_what_is_missing(ranking: Ranking) -> bool:
    """Return whether the query names a provision that its act does not have, in an act that may be shown."""
    by_words = ranking.by_words
    if not by_words.plan.items or not by_words.filters.admits(by_words.plan.items[0][0]):
        return False
    return not ranking.corpus.index.candidates(QueryPlan(()), Filters(), (), dict.fromkeys(by_words.items, 0.0)).ones


def _instead_of_missing(ranking: Ranking, best: Sequence[Scored]) -> list[Scored]:
    """Return what is nearest by number to a provision that the query names and its act does not have.

    What else was found in that act follows; nothing of others does.
    """
    by_words, index = ranking.by_words, ranking.corpus.index
    refid, key = by_words.plan.items[0]
    inside = replace(by_words.filters, groups=(refid,))
    all_of_act = index.best(replace(by_words.plan, words=(), own=0), inside, MOST_OF_AN_ACT)
    by_key = {section_key(hit.section): one for hit, one in zip(index.fetch(all_of_act), all_of_act, strict=True)}
    near = [by_key[other] for other in nearest(key, list(by_key), INSTEAD)]
    act, numbers = place_number(refid), {one.number for one in near}
    others = [one for one in best if one.candidate.group == act and one.candidate.number not in numbers]
    above = max((one.score for one in others), default=0.0) + 1.0
    scores = (above + len(near) - n for n in range(len(near)))
    return [*(Scored(score, one, outright=score) for score, one in zip(scores, near, strict=True)), *others]
