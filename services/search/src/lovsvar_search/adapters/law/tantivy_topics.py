"""Topics of acts, chapters and regulations in Tantivy, in memory: which documents a query's words are about."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches

from tantivy import Occur, Query

from lovsvar_legaltext.act_names import Act
from lovsvar_search.adapters.law.memory_index import MemoryIndex
from lovsvar_search.core.law.analysis import prepare, spoken_words
from lovsvar_search.core.law.topics import Topic
from lovsvar_search.core.retrieval.items import place_number
from lovsvar_search.core.retrieval.query import QueryPlan, Word

LIMIT = 30
"""Documents and chapters that are looked at."""

TIMES = 3
"""How often names and topics stand in a document, beside its legal areas and chapters."""

ADDED = 0.6
"""Weight of the law's words for what was asked, beside the asker's own."""

LIKE, SHORTEST = 0.82, 5
"""How alike a word has to be to be meant by another, and how many letters it has at least."""


class TantivyTopics:
    """What the documents of one corpus version are about (`TopicIndex`)."""

    def __init__(self, acts: Iterable[Act], topics: Sequence[Topic]) -> None:
        words = {(topic.refid, topic.chapter): topic.words for topic in topics}
        self._words: defaultdict[str, set[str]] = defaultdict(set)
        for topic in topics:
            for word in spoken_words(topic.words).all:
                if len(word) >= SHORTEST:
                    self._words[word[0]].add(word)
        self._refids: dict[int, str] = {}
        texts: list[tuple[int, Sequence[str]]] = []
        for act in acts:
            self._refids[place_number(act.refid)] = act.refid
            named = (act.short_title, act.title, words.get((act.refid, ""), ""))
            texts.append((place_number(act.refid), [*TIMES * named, " ".join(act.legal_areas)]))
        for topic in topics:
            if topic.chapter and place_number(topic.refid) in self._refids:
                self._refids[topic.number] = topic.refid
                texts.append((topic.number, TIMES * [topic.chapter, topic.words]))
        self._index = MemoryIndex((number, list(map(prepare, parts))) for number, parts in texts)

    def search(self, plan: QueryPlan) -> Mapping[int, float]:
        """Return BM25 scores of the documents and chapters that are about a plan's words, best first, by number."""
        scoring = [(Occur.Should, self._word(word, 1.0)) for word in plan.words[: plan.own]]
        scoring += [(Occur.Should, self._word(word, ADDED)) for word in plan.words[plan.own :]]
        if not scoring:
            return {}
        return self._index.search(Query.boolean_query(scoring), LIMIT)

    def group(self, number: int) -> str | None:
        """Return which document that number names, or a chapter of which."""
        return self._refids.get(number)

    def like(self, word: str) -> str | None:
        """Return the word of a topic that `word` is most likely a misspelling of."""
        near = [known for known in self._words.get(word[:1], ()) if abs(len(known) - len(word)) <= 2]
        return next(iter(get_close_matches(word, near, n=1, cutoff=LIKE)), None)

    def _word(self, word: Word, share: float) -> Query:
        forms = self._index.forms(word)
        query = forms[0] if len(forms) == 1 else Query.disjunction_max_query(forms)
        return Query.boost_query(query, share * word.weight)
