"""From a question to the words, demands and direct hits that are searched."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from urllib.parse import unquote

from lovsvar_legaltext.act_names import ActNames
from lovsvar_legaltext.definitions import asks_for_meaning
from lovsvar_legaltext.language import QUESTION_WORDS, may_be
from lovsvar_legaltext.references import Reference, find_references
from lovsvar_search.core.analysis import spoken_words
from lovsvar_search.core.compounds import Vocabulary, put_together, take_apart
from lovsvar_search.core.lexicon import Lexicon
from lovsvar_search.core.web_syntax import Written, read_query

MAX_TERMS = 40
"""Distinct words of one query. The cost of a search grows with them; the longest question has fewer."""

MAX_ADDED = 24
"""Words of the law that are added for everyday ones, the surest first."""

MAX_LOOKED_AT = 2_000
"""Characters of a query in which references are looked for."""

PART = 0.4
"""Weight of a part of a compound beside the compound itself."""

WHOLE = 0.7
"""Weight of a compound that two words of the query make beside the words themselves."""

MEANT = 0.8
"""What the weight of an everyday word's meaning is multiplied by: the asker's own words say more."""

FOREIGN = 0.4
"""Weight of the words of an English question themselves: few of them stand in the law, and those by chance."""

MISTYPED = 0.7

COMMON_SHARE, COMMON_SECTIONS = 0.04, 2_000
"""A word that more than this share of the sections use, and more than so many, tells little and costs most (krav, rett,
lov). It is not added to a query, and of the asker's own it is passed over when `TELLING` others are left."""

TELLING = 2

SHORTEST_MISTYPED, LONGEST_MISTYPED = 5, 40

MAX_PAIRS, WIDEST_GAP = 12, 2
"""Pairs of words of a query, and how many words without a meaning of their own may stand between those of a pair."""


@dataclass(frozen=True, slots=True)
class Word:
    """Something to look for: any of `forms` will do, the best counts. `mistyped`: also what is one letter off."""

    forms: tuple[str, ...]
    weight: float = 1.0
    mistyped: bool = False


@dataclass(frozen=True, slots=True)
class QueryPlan:
    """What to search for.

    `words` are joined by OR; `own` of them, the first, are the asker's. `common` are words of the asker's that so many
    sections use that they find nothing, and `pairs` words that the asker wrote beside each other: both tell how well
    what is found fits.
    `run` is all of what is written when that may be words of the law themselves, pasted; it is among the pairs.
    `phrases` must stand and `excluded` must not, each a run of terms in which "" is any word; of each of `required`,
    one term must stand. What is quoted beside a section that is named is no phrase but words. Provisions of `acts`
    come first, and before them `sections`, (refid, section key) of what the query names outright. `asks_meaning` is
    whether the words are a term of which it is asked what it means.
    """

    words: tuple[Word, ...]
    own: int = 0
    common: tuple[Word, ...] = ()
    pairs: tuple[tuple[str, ...], ...] = ()
    run: tuple[str, ...] = ()
    phrases: tuple[tuple[str, ...], ...] = ()
    required: tuple[tuple[str, ...], ...] = ()
    excluded: tuple[tuple[str, ...], ...] = ()
    acts: tuple[str, ...] = ()
    sections: tuple[tuple[str, str], ...] = ()
    asks_meaning: bool = False

    @property
    def empty(self) -> bool:
        """Whether there is nothing to search for."""
        return not (self.words or self.acts or self.sections)

    @property
    def asked(self) -> tuple[Word, ...]:
        """The asker's own words, common ones too."""
        return (*self.words[: self.own], *self.common)

    @property
    def terms(self) -> tuple[str, ...]:
        """Every term that counts as a match, each once."""
        return tuple(dict.fromkeys(form for word in self.words for form in word.forms))


def plan_query(text: str, names: ActNames, vocabulary: Vocabulary, lexicon: Lexicon) -> QueryPlan:
    """Return what to search for when a user wrote `text`, whatever it holds."""
    # A lone surrogate is no character that could be looked for, and no engine takes it.
    written = read_query(text.encode(errors="ignore").decode())
    # As an address writes it: %C2%A7 is a §.
    asked = unquote(written.text)
    references = find_references(asked[:MAX_LOOKED_AT], names)
    acts = [refid for reference in references for refid in reference.refids]
    sections = [(refid, key) for r in references for refid in r.refids for key in r.sections]
    # Who names a section wants it, whether or not what is quoted of it stands there word for word.
    phrases = () if any(r.refids and r.sections for r in references) else written.phrases
    subject = _beside(asked, references)
    term = asks_for_meaning(subject)
    subject = term or subject
    own, common, added = _words(subject, written, vocabulary, lexicon)
    run = _pasted(written.text, vocabulary)
    return QueryPlan(
        words=(*own, *added),
        own=len(own),
        common=tuple(common),
        pairs=tuple(dict.fromkeys([*_pairs(subject, vocabulary), *([run] if run else [])])),
        run=run,
        phrases=_runs(phrases, vocabulary),
        required=tuple(_forms(written.required, vocabulary, lexicon)),
        excluded=_runs(written.excluded, vocabulary),
        acts=tuple(dict.fromkeys(acts)),
        sections=tuple(dict.fromkeys(sections)),
        asks_meaning=term is not None,
    )


def _beside(text: str, references: Sequence[Reference]) -> str:
    """Return what a query says beside the acts and provisions that it names; all of it when that is nothing."""
    rest = text
    for reference in sorted(references, key=lambda reference: -reference.start):
        if reference.refids:
            rest = f"{rest[: reference.start]} {rest[reference.end :]}"
    return rest if any(word not in QUESTION_WORDS for word in spoken_words(rest).all) else text


def _words(
    text: str, written: Written, vocabulary: Vocabulary, lexicon: Lexicon
) -> tuple[list[Word], list[Word], list[Word]]:
    """Return the asker's own words, those of them that are too common to find anything, and those that are added."""
    spoken = spoken_words(text)
    norwegian, english = may_be(spoken.all)
    weight = 1.0 if norwegian else FOREIGN
    meant, explained = _meanings(spoken.all, lexicon, norwegian=norwegian, english=english)
    terms = list(dict.fromkeys(term for word in spoken.subject for term in vocabulary.analyze(word)))[:MAX_TERMS]
    groups = [vocabulary.analyze(" ".join(group)) for group in written.alternatives]
    own: dict[str, Word] = {}
    for term in terms:
        group = next((group for group in groups if term in group), [term])
        forms = tuple(dict.fromkeys(form for one in group for form in (one, *lexicon.variants(one))))
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
    return telling, common, [Word((term, *lexicon.variants(term)), weight) for term, weight in best]


def _is_common(term: str, vocabulary: Vocabulary) -> bool:
    return vocabulary.frequency(term) > max(COMMON_SECTIONS, COMMON_SHARE * vocabulary.sections)


def _meanings(
    words: Sequence[str], lexicon: Lexicon, *, norwegian: bool, english: bool
) -> tuple[dict[str, float], set[str]]:
    """Return the law's terms for what is said, weighted, and the terms of the words that said it."""
    found: dict[str, float] = {}
    explained: set[str] = set()
    words = words[: 2 * MAX_TERMS]
    for wanted, is_english in ((norwegian, False), (english, True)):
        if not wanted:
            continue
        meanings, used = lexicon.meanings(words, english=is_english)
        explained.update(lexicon.term(words[at]) for at in used)
        for term, weight in meanings.items():
            found[term] = max(weight, found.get(term, 0.0))
    return found, explained


def _forms(words: Sequence[str], vocabulary: Vocabulary, lexicon: Lexicon) -> Iterator[tuple[str, ...]]:
    """Yield for each word its terms in either form of Norwegian; none for what the index drops."""
    for word in words:
        terms = vocabulary.analyze(word)
        if forms := tuple(dict.fromkeys(form for term in terms for form in (term, *lexicon.variants(term)))):
            yield forms


def _pairs(text: str, vocabulary: Vocabulary) -> tuple[tuple[str, ...], ...]:
    """Return the words of a query that follow each other, "" for each word between them that says nothing."""
    words = spoken_words(text).all[: 2 * MAX_TERMS]
    run = [term for word in words for term in (word not in QUESTION_WORDS and vocabulary.analyze(word)) or ("",)]
    standing = [at for at, term in enumerate(run) if term]
    near = ((one, other) for one, other in pairwise(standing) if other - one <= WIDEST_GAP + 1)
    return tuple(islice((tuple(run[one : other + 1]) for one, other in near), MAX_PAIRS))


def _pasted(text: str, vocabulary: Vocabulary) -> tuple[str, ...]:
    """Return the terms of what may be words of the law, one after the other; none for a question or a single word."""
    if text.rstrip().endswith("?"):
        return ()
    run = _run(" ".join(islice(spoken_words(text).all, MAX_TERMS)), vocabulary)
    return run if len(run) > 1 else ()


def _runs(texts: Sequence[str], vocabulary: Vocabulary) -> tuple[tuple[str, ...], ...]:
    return tuple(run for text in texts if (run := _run(text, vocabulary)))


def _run(text: str, vocabulary: Vocabulary) -> tuple[str, ...]:
    """Return the terms of a phrase, "" where a word between them is one that the index drops."""
    run = [term for word in spoken_words(text).all for term in vocabulary.analyze(word) or ("",)]
    standing = [at for at, term in enumerate(run) if term]
    return tuple(run[standing[0] : standing[-1] + 1]) if standing else ()
