"""What is searched: the ports of the indexes, and one corpus version."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from lovsvar_legaltext.act_names import ActNames
from lovsvar_search.core.compounds import Vocabulary
from lovsvar_search.core.corpus import CorpusState, StoredHit
from lovsvar_search.core.filters import Filters
from lovsvar_search.core.lexicon import Lexicon
from lovsvar_search.core.query import QueryPlan, Word
from lovsvar_search.core.relevance import Ranker
from lovsvar_search.core.signals import Candidate, Candidates


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

    def best(self, plan: QueryPlan, filters: Filters, limit: int) -> Sequence[Candidate]:
        """Return the hits that `search` returns, without counting the others."""

    def count(self, plan: QueryPlan, filters: Filters) -> int:
        """Return how many hits there are in all."""

    def search_headings(self, plan: QueryPlan, filters: Filters, limit: int) -> Mapping[int, float]:
        """Return the scores, by number, of the sections whose own headings are most like what is asked."""

    def search_run(self, plan: QueryPlan, filters: Filters, limit: int) -> Sequence[int]:
        """Return the numbers of sections in which the plan's run stands word for word."""

    def search_definitions(self, plan: QueryPlan, filters: Filters, limit: int) -> Mapping[int, float]:
        """Return the scores, by number, of the sections that define what is asked."""

    def candidates(
        self, plan: QueryPlan, filters: Filters, shares: Sequence[tuple[Word, float]], scores: Mapping[int, float]
    ) -> Candidates:
        """Return those of some places that the filters and demands let through, also without a word of the plan.

        `scores` by words are by number, 0.0 for what was found otherwise. `shares` are what each of the asker's words
        is of what the query says.
        """

    def fetch(self, hits: Sequence[Candidate]) -> Sequence[StoredHit]:
        """Return what is stored of each of these hits."""

    def weights(self, terms: Sequence[str]) -> Mapping[str, float]:
        """Return how much each term says: the rarer, the more."""


class QuestionIndex(Protocol):
    """Everyday questions, each with the provisions that answer it. Any thread may use it."""

    def search(self, plan: QueryPlan) -> Mapping[int, float]:
        """Return BM25 scores of the questions most like the plan's own words, by the number of their provisions."""


class TopicIndex(Protocol):
    """What documents and chapters are about. Any thread may use it."""

    def search(self, plan: QueryPlan) -> Mapping[int, float]:
        """Return BM25 scores of the documents and chapters that are about a plan's words, best first, by number."""

    def refid(self, number: int) -> str | None:
        """Return which document that number names, or a chapter of which."""

    def like(self, word: str) -> str | None:
        """Return the word of a topic that `word` is most likely a misspelling of."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """What is searched: one corpus version."""

    index: IndexSnapshot
    questions: QuestionIndex
    topics: TopicIndex
    names: ActNames
    lexicon: Lexicon
    ranker: Ranker
    state: CorpusState
