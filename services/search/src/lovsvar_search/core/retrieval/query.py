"""From a question to the words, demands and direct hits that are searched."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Any

from lovsvar_search.core.retrieval.analysis import Vocabulary
from lovsvar_search.core.retrieval.collection import Collection, Expansion, Meanings
from lovsvar_search.core.retrieval.compounds import put_together, take_apart
from lovsvar_search.core.retrieval.web_syntax import Written, read_query

MAX_TERMS = 40
"""Distinct words of one query. The cost of a search grows with them; the longest question has fewer."""

MAX_ADDED = 24
"""Words that are added to the asker's own, the surest first."""

PART = 0.4
"""Weight of a part of a compound, next to the compound's own."""

WHOLE = 0.7
"""Weight of a compound that two words of the query make, next to the words' own."""

MEANT = 0.8
"""What the weight of an everyday word's meaning is multiplied by: the asker's own words say more."""

MISTYPED = 0.7

COMMON_SHARE, COMMON_ITEMS = 0.04, 2_000
"""A word that more than this share of the items use, and more than so many, tells little and costs most. It is not
added to a query, and of the asker's own it is passed over when `TELLING` others are left."""

TELLING = 2

SHORTEST_MISTYPED, LONGEST_MISTYPED = 5, 40

MAX_PAIRS, WIDEST_GAP = 12, 2
"""Pairs of words of a query, and how many words without a meaning of their own may be between those of a pair."""


@dataclass(frozen=True, slots=True)
class Word:
    """Something to look for: any of `forms` will do, the best counts. `mistyped`: also what is one letter off."""

    forms: tuple[str, ...]
    weight: float = 1.0
    mistyped: bool = False


@dataclass(frozen=True, slots=True)
class QueryPlan:
    """What to search for.

    `words` are joined by OR; the first `own` are the asker's. `common` are words of the asker's that so many items use
    that they find nothing, and `pairs` words that the asker wrote next to each other: both say how well a hit fits.
    `run` is all of what is written when that may be words of an item, pasted; it is among the pairs. `phrases` must be
    there and `excluded` must not, each a run of terms in which "" is any word; of each of `required`, one term must be.
    Items of `groups` come first, and before them `items`, (group, key) of what the query names outright; what is quoted
    with one of these is no phrase but words. `field` is the one that the words are asked about, "" for any.
    """

    words: tuple[Word, ...]
    own: int = 0
    common: tuple[Word, ...] = ()
    pairs: tuple[tuple[str, ...], ...] = ()
    run: tuple[str, ...] = ()
    phrases: tuple[tuple[str, ...], ...] = ()
    required: tuple[tuple[str, ...], ...] = ()
    excluded: tuple[tuple[str, ...], ...] = ()
    groups: tuple[str, ...] = ()
    items: tuple[tuple[str, str], ...] = ()
    field: str = ""

    @property
    def empty(self) -> bool:
        """Whether there is nothing to search for."""
        return not (self.words or self.groups or self.items)

    @property
    def asked(self) -> tuple[Word, ...]:
        """The asker's own words, common ones too."""
        return (*self.words[: self.own], *self.common)

    @property
    def terms(self) -> tuple[str, ...]:
        """Every term that counts as a match, each once."""
        return tuple(dict.fromkeys(form for word in self.words for form in word.forms))


def plan_query(text: str, vocabulary: Vocabulary, collection: Collection, names: Any = None) -> QueryPlan:
    """Return what to search for when a user wrote `text`, whatever it holds. `names` are of the version served."""
    # A lone surrogate is no character that could be looked for, and no engine takes it.
    written = read_query(text.encode(errors="ignore").decode())
    named = collection.references(written.text, names)
    own, common, added = _words(named.rest, written, vocabulary, collection.expansion)
    run = _pasted(written.text, vocabulary)
    return QueryPlan(
        words=(*own, *added),
        own=len(own),
        common=tuple(common),
        pairs=tuple(dict.fromkeys([*_pairs(named.rest, vocabulary), *([run] if run else [])])),
        run=run,
        # Who names an item wants it, whether or not it holds what is quoted of it word for word.
        phrases=() if named.items else _runs(written.phrases, vocabulary),
        required=tuple(_forms(written.required, vocabulary, collection.expansion)),
        excluded=_runs(written.excluded, vocabulary),
        groups=tuple(dict.fromkeys(named.groups)),
        items=tuple(dict.fromkeys(named.items)),
        field=named.field,
    )


def _words(
    text: str, written: Written, vocabulary: Vocabulary, expansion: Expansion | None
) -> tuple[list[Word], list[Word], list[Word]]:
    """Return the asker's own words, those of them that are too common to find anything, and those that are added."""
    spoken = vocabulary.analyzer.spoken(text)
    meant, explained, weight = expansion.explain(spoken.all) if expansion else Meanings({}, frozenset())
    terms = list(dict.fromkeys(term for word in spoken.subject for term in vocabulary.analyze(word)))[:MAX_TERMS]
    groups = [vocabulary.analyze(" ".join(group)) for group in written.alternatives]
    own: dict[str, Word] = {}
    for term in terms:
        group = next((group for group in groups if term in group), [term])
        forms = tuple(dict.fromkeys(form for one in group for form in _with_variants(one, expansion)))
        known = term in explained or any(vocabulary.frequency(form) for form in forms)
        mistyped = not known and SHORTEST_MISTYPED <= len(term) <= LONGEST_MISTYPED and term.isalpha()
        own.setdefault(forms[0], Word(forms, MISTYPED * weight if mistyped else weight, mistyped))
    added: dict[str, float] = {}
    for word in islice(spoken.subject, MAX_TERMS):
        for part in take_apart(word, vocabulary):
            added[part] = max(PART, added.get(part, 0.0))
    for whole in islice(put_together(spoken.subject[:MAX_TERMS], vocabulary), MAX_ADDED):
        added[whole] = max(WHOLE, added.get(whole, 0.0))
    for term, sureness in meant.items():
        added[term] = max(MEANT * sureness, added.get(term, 0.0))
    taken = {form for word in own.values() for form in word.forms}
    news = {term: weight for term, weight in added.items() if term not in taken and not _is_common(term, vocabulary)}
    best = sorted(news.items(), key=lambda one: -one[1])[:MAX_ADDED]
    common = [word for word in own.values() if _is_common(word.forms[0], vocabulary)]
    if len(own) - len(common) < TELLING:
        common = []
    telling = [word for word in own.values() if word not in common]
    return telling, common, [Word(_with_variants(term, expansion), weight) for term, weight in best]


def _with_variants(term: str, expansion: Expansion | None) -> tuple[str, ...]:
    return (term, *expansion.variants(term)) if expansion else (term,)


def _is_common(term: str, vocabulary: Vocabulary) -> bool:
    return vocabulary.frequency(term) > max(COMMON_ITEMS, COMMON_SHARE * vocabulary.items)


def _forms(words: Sequence[str], vocabulary: Vocabulary, expansion: Expansion | None) -> Iterator[tuple[str, ...]]:
    """Yield for each word the terms that count as it; none for what the index drops."""
    for word in words:
        terms = vocabulary.analyze(word)
        if forms := tuple(dict.fromkeys(form for term in terms for form in _with_variants(term, expansion))):
            yield forms


def _pairs(text: str, vocabulary: Vocabulary) -> tuple[tuple[str, ...], ...]:
    """Return the words of a query that follow each other, "" for each word between them that says nothing."""
    words, asking = vocabulary.analyzer.spoken(text).all[: 2 * MAX_TERMS], vocabulary.analyzer.asking
    run = [term for word in words for term in (word not in asking and vocabulary.analyze(word)) or ("",)]
    standing = [at for at, term in enumerate(run) if term]
    near = ((one, other) for one, other in pairwise(standing) if other - one <= WIDEST_GAP + 1)
    return tuple(islice((tuple(run[one : other + 1]) for one, other in near), MAX_PAIRS))


def _pasted(text: str, vocabulary: Vocabulary) -> tuple[str, ...]:
    """Return the terms of what may be words of an item, one after the other; none for a question or a single word."""
    if text.rstrip().endswith("?"):
        return ()
    run = _run(" ".join(islice(vocabulary.analyzer.spoken(text).all, MAX_TERMS)), vocabulary)
    return run if len(run) > 1 else ()


def _runs(texts: Sequence[str], vocabulary: Vocabulary) -> tuple[tuple[str, ...], ...]:
    return tuple(run for text in texts if (run := _run(text, vocabulary)))


def _run(text: str, vocabulary: Vocabulary) -> tuple[str, ...]:
    """Return the terms of a phrase, "" where a word between them is one that the index drops."""
    run = [term for word in vocabulary.analyzer.spoken(text).all for term in vocabulary.analyze(word) or ("",)]
    standing = [at for at, term in enumerate(run) if term]
    return tuple(run[standing[0] : standing[-1] + 1]) if standing else ()
