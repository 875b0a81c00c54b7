"""One version of a collection as it is searched, and the ports of its indexes and of what they are built from."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Protocol, TypeVar

from lovsvar_search.core.retrieval.analysis import Vocabulary
from lovsvar_search.core.retrieval.candidates import Candidate, Candidates
from lovsvar_search.core.retrieval.collection import Collection
from lovsvar_search.core.retrieval.filters import Filters
from lovsvar_search.core.retrieval.query import QueryPlan, Word

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class CorpusState:
    """The newest version that is stored. `identity` tells one database from another.

    `corpus_date` is the day that the corpus is of; it can move without a new version, when an archive brings no change.
    """

    version: int
    identity: str
    corpus_date: date | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Matches:
    """The best hits by words, best first, and how many there are in all."""

    best: Sequence[Candidate] = ()
    total: int = 0


class IndexSnapshot(Vocabulary, Protocol):
    """The index as it was at one version; it stays so while it is held. Any thread may use it."""

    def of_language(self, language: str) -> "IndexSnapshot":
        """Return the same index for queries in another language. Raises `KeyError` where the collection lacks it."""

    def search(self, plan: QueryPlan, filters: Filters, limit: int) -> Matches:
        """Return the `limit` best hits by words; the same hits in the same order for every limit.

        A plan without words matches everything that the filters let through.
        """

    def best(self, plan: QueryPlan, filters: Filters, limit: int) -> Sequence[Candidate]:
        """Return the hits that `search` returns, without counting the others."""

    def count(self, plan: QueryPlan, filters: Filters) -> int:
        """Return how many hits there are in all."""

    def count_groups(self, plan: QueryPlan, filters: Filters) -> Mapping[int, int]:
        """Return how many hits each group has that has any, by its number."""

    def search_field(self, field: str, plan: QueryPlan, filters: Filters, limit: int) -> Mapping[int, float]:
        """Return BM25 scores, by number, of the items whose field is most like the plan's own words."""

    def search_run(self, plan: QueryPlan, filters: Filters, limit: int) -> Sequence[int]:
        """Return the numbers of items that hold the plan's run word for word."""

    def candidates(
        self, plan: QueryPlan, filters: Filters, shares: Sequence[tuple[Word, float]], scores: Mapping[int, float]
    ) -> Candidates:
        """Return those of some places that the filters and demands let through, also without a word of the plan.

        `scores` by words are by number, 0.0 for what was found otherwise. `shares` are what each of the asker's words
        is of what the query says.
        """

    def fetch(self, hits: Sequence[Candidate]) -> Sequence[Any]:
        """Return what the collection loads of what is stored of each of these hits."""

    def weights(self, terms: Sequence[str]) -> Mapping[str, float]:
        """Return each term's inverse document frequency: how much it says."""


class ChangingIndex(Protocol):
    """The index as the follower changes it, by `run`: the other methods block. They raise `IndexUnusable`."""

    def run(self, work: Callable[..., Result], *arguments: object) -> "asyncio.Future[Result]":
        """Begin blocking work when all that was begun before has ended; to cancel the wait does not end the work."""

    def open(self) -> CorpusState:
        """Open what is on disk; return what it was built from."""

    def reset(self) -> None:
        """Begin with an empty index."""

    def remove(self, groups: Sequence[str]) -> None:
        """Take every item of these groups out, at the next commit."""

    def add(self, batch: Sequence[Any]) -> None:
        """Put in the items of what the source yields, at the next commit."""

    def commit(self, identity: str, version: int) -> IndexSnapshot:
        """Make the changes last and return the index as it now is."""

    def discard(self) -> None:
        """Forget changes that were not committed."""

    def snapshot(self) -> IndexSnapshot:
        """Return the index as it was last committed."""

    def close(self) -> None:
        """Close the files."""


class QuestionIndex(Protocol):
    """Questions as people ask them, each with the items that answer it. Any thread may use it."""

    def search(self, plan: QueryPlan) -> Mapping[int, float]:
        """Return BM25 scores of the questions most like the plan's own words, by the number of their items."""


class TopicIndex(Protocol):
    """What groups, and parts of them, are about. Any thread may use it."""

    def search(self, plan: QueryPlan) -> Mapping[int, float]:
        """Return BM25 scores of the groups and parts that are about a plan's words, best first, by number."""

    def group(self, number: int) -> str | None:
        """Return which group that number names, or a part of which."""

    def like(self, word: str) -> str | None:
        """Return the word of a topic that `word` is most likely a misspelling of."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """What is searched: one version of a collection. `size` is how many items are counted.

    `names` is what the collection's reader of references looks names up in, `directory` what it knows its groups by.
    """

    collection: Collection
    index: IndexSnapshot
    state: CorpusState
    size: int
    names: Any = None
    questions: QuestionIndex | None = None
    topics: TopicIndex | None = None
    directory: Any = None


class CorpusChanges(Protocol):
    """A collection at one version, and what changed in it. Everything is read in one snapshot of the database."""

    state: CorpusState
    """The version that the changes lead to."""

    async def companions(self) -> Any:
        """Return what is served with the index, such as names. It is read before the items."""

    async def groups(self) -> Sequence[str]:
        """Return the groups that changed or were removed since the asked version."""

    def items(self) -> AsyncIterator[Sequence[Any]]:
        """Yield what `Collection.item` makes items of, for groups that were added or changed, in batches."""


class CorpusSource(Protocol):
    """A stored collection as the follower reads it. Methods raise `StoreUnavailable`."""

    async def state(self) -> CorpusState:
        """Return the newest version; 0 when nothing has been stored yet."""

    def changes(self, since: int) -> AbstractAsyncContextManager[CorpusChanges]:
        """Return what changed after version `since`; 0 asks for everything."""


Assemble = Callable[[IndexSnapshot, Any, CorpusState], Corpus]
"""Puts together what is searched: the index, the companions and the version that they are of."""
