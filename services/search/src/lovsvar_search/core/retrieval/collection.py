"""What a collection defines, given to retrieval as one frozen object (compare pyvespa's `Schema` and `RankProfile`)."""

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple, Protocol

import numpy as np

from lovsvar_search.core.retrieval.analysis import Analyzer
from lovsvar_search.core.retrieval.candidates import REACH, Candidates, Evidence, Values
from lovsvar_search.core.retrieval.items import Item
from lovsvar_search.core.retrieval.vector_search import Near

WORDS = "words"
"""The field that is searched: all texts of an item, each as often as its boost says."""

MOST_COVERED = 4
"""Fields of which the share of a query that they hold can be counted in one search."""


ALL_WORDS = 0.2
"""The share by words of an item with all words of a query, which may be so common that BM25 gives nothing for them."""


OWN_TEXT = 0.3
"""The part of an item's own text in its likeness to a question, where it is also known how like what it answers is."""


@dataclass(frozen=True, slots=True)
class Field:
    """A text of an item. It counts `boost` times in `WORDS`; it is part of the field `apart` too, if one is named.

    Boosts are those of BM25F (Robertson, Zaragoza and Taylor 2004): they multiply how often a term occurs, before that
    is put together over the fields and saturates. With the fields in one, a term has one list to go through.
    """

    name: str
    boost: int = 1
    apart: str = ""


class FilterKind(StrEnum):
    """What a filter holds."""

    NAME = "name"
    NUMBER = "number"
    FLAG = "flag"


class Meanings(NamedTuple):
    """Terms for what was asked, weighted up to 1; the asker's terms that they explain; the asker's own weight."""

    terms: Mapping[str, float]
    explained: Set[str]
    own: float = 1.0


class Expansion(Protocol):
    """Other words for what people write. Lookups do no I/O."""

    def variants(self, term: str) -> Sequence[str]:
        """Return terms that count as `term` itself."""

    def explain(self, words: Sequence[str]) -> Meanings:
        """Return what `words` mean, which are in lower case and in order."""


@dataclass(frozen=True, slots=True)
class Named:
    """What a query names outright, and the `rest`: what it asks besides.

    `groups` and `items` (group, key) are in the order of the query. `field` is the one that the rest is about, when it
    is asked for by the query: the terms that a provision defines.
    """

    rest: str
    groups: tuple[str, ...] = ()
    items: tuple[tuple[str, str], ...] = ()
    field: str = ""


@dataclass(frozen=True)
class RankProfile:
    """What the signals of candidates say together.

    `signals` are their names. `rank(candidates, evidence, meaning_alone)` returns for each candidate the values of its
    signals, its score, and how likely it answers. `floor` is the probability below which the best hit is as good as
    none, `answers` that from which it answers. `learnt_on` is the number of items of the corpus by which scores by
    words were calibrated, 1 for none; `unknown_word` is the weight of a word that no item has, 0 for the rarest one's.
    """

    signals: Sequence[str]
    rank: Callable[[Candidates, Evidence, bool], tuple[Values, Sequence[float], Sequence[float]]]
    floor: float
    answers: float
    learnt_on: int = 1
    unknown_word: float = 0.0


def convex_profile(
    words: float = 0.7, meaning: float = 0.3, floor: float = 0.1, answers: float = 0.5, *, everywhere: bool = False
) -> RankProfile:
    """Return a rank profile for which nothing is learnt: the convex combination of scores by words and by meaning.

    Words are the share of what BM25 can give for the query, and something for all words of it that an item has in the
    first covered field, though most items have them; meaning is likeness on the scale of the embedding model. Both go
    from 0 to 1, and their combination is taken for the probability. Without vectors words count alone, and the other
    way round when meaning alone is asked for. Only the proportion of the weights counts.

    `everywhere` says that the similarity of every item that has a vector is known: an item without one is ranked by its
    words alone, and one that has both counts by what it answers and by its own text together, not by the better of the
    two. Raises `ValueError`.
    """
    if min(words, meaning) < 0.0 or words + meaning <= 0.0:
        raise ValueError(f"{words}, {meaning}: weights are 0 or more, and not both 0")

    def rank(
        candidates: Candidates, evidence: Evidence, meaning_alone: bool
    ) -> tuple[Values, Sequence[float], Sequence[float]]:
        near, values = evidence.near, np.zeros((len(candidates.ones), 2))
        by_words = np.array([one.words for one in candidates.ones]) / (REACH * evidence.mass)
        covered = [row[0] for row in candidates.covers]
        values[:, 0] = np.minimum(1.0, np.maximum(by_words, ALL_WORDS * np.array(covered)))
        answered, own = _likenesses(candidates, near)
        unknown = np.isnan(answered) & np.isnan(own)
        alike = np.fmax(answered, own)
        if everywhere:
            together = (1.0 - OWN_TEXT) * answered + OWN_TEXT * own
            alike = np.where(np.isnan(together), alike, together)
        values[:, 1] = np.where(unknown, 0.0, alike)
        share = 1.0 if meaning_alone else meaning / (words + meaning) if near.known else 0.0
        shares = np.full(len(values), share)
        if everywhere and not meaning_alone:
            shares[unknown] = 0.0
        scores: list[float] = ((1.0 - shares) * values[:, 0] + shares * values[:, 1]).tolist()
        return values, scores, scores

    return RankProfile(("words", "meaning"), rank, floor, answers)


def _likenesses(candidates: Candidates, near: Near) -> tuple[Values, Values]:
    """Return how like a question candidates are by what they answer, and by their own text; NaN where none is known."""
    answered = [near.questions.get(one.number, np.nan) for one in candidates.ones]
    own = [near.passages[one.number].similarity if one.number in near.passages else np.nan for one in candidates.ones]
    return near.scales.questions.likenesses(np.array(answered)), near.scales.passages.likenesses(np.array(own))


@dataclass(frozen=True)
class Collection:
    """A collection as retrieval is given it.

    | attribute    | what it defines                                                                               |
    | ------------ | --------------------------------------------------------------------------------------------- |
    | `version`    | rises when anything changes that is in the index: older indexes are then built again          |
    | `title`      | what users call it, and `empty`: what they read while there is nothing in it                  |
    | `analyzers`  | by language; the first is that of items and queries that name none                            |
    | `fields`     | the texts of an item, in the order in which they are indexed                                  |
    | `profile`    | how candidates are ranked and what is shown: weights and calibration                          |
    | `item`       | the item for what the collection's source yields                                              |
    | `load`       | what a hit is shown from, for what was stored with the item, read back from JSON              |
    | `filters`    | names and kinds of what a search can be narrowed to                                           |
    | `columns`    | numbers of an item that the profile reads                                                     |
    | `headline`   | the field that is also searched by itself, one of `Field.apart`                               |
    | `covered`    | fields of which the profile is given the share of the query that they hold, at most four      |
    | `expansion`  | other words for what people write                                                             |
    | `references` | what a query names outright, given the names of the version that is served                    |
    | `probe`      | a word that some item has, by which an index is tried when it is opened                       |

    An item's own prior is part of the item.
    """

    name: str
    version: str
    title: str
    empty: str
    analyzers: Mapping[str, Analyzer]
    fields: tuple[Field, ...]
    profile: RankProfile
    item: Callable[[Any], Item]
    load: Callable[[Any], Any]
    filters: Mapping[str, FilterKind] = field(default_factory=dict)
    columns: tuple[str, ...] = ()
    headline: str = ""
    covered: tuple[str, ...] = (WORDS,)
    expansion: Expansion | None = None
    references: Callable[[str, Any], Named] = lambda text, names: Named(text)
    probe: str = "a"

    def __post_init__(self) -> None:
        known = {WORDS, *self.apart}
        if len(self.covered) > MOST_COVERED or not known.issuperset(self.covered) or not self.analyzers:
            raise ValueError(f"{self.name}: an analyzer, and at most {MOST_COVERED} of {sorted(known)}, are wanted")
        if self.headline and self.headline not in self.apart:
            raise ValueError(f"{self.name}: no field is indexed apart as {self.headline!r}")

    @property
    def apart(self) -> Sequence[str]:
        """The fields that are indexed by themselves, each once."""
        return list(dict.fromkeys(one.apart for one in self.fields if one.apart))

    @property
    def language(self) -> str:
        """The language of items and queries that name none."""
        return next(iter(self.analyzers))
