"""Topics of acts, chapters and regulations in Tantivy, in memory: which documents a query's words are about."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches

import tantivy
from tantivy import Occur, Query

from lovsvar_legaltext.act_names import Act
from lovsvar_search.adapters.retrieval.tantivy_documents import text_analyzer
from lovsvar_search.core.law.analysis import NORWEGIAN, prepare, spoken_words
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

_ANALYZER = "norwegian"
_HEAP = 50_000_000
_THREADS = 1


class TantivyTopics:
    """What the documents of one corpus version are about (`TopicIndex`)."""

    def __init__(self, acts: Iterable[Act], topics: Sequence[Topic]) -> None:
        builder = tantivy.SchemaBuilder()
        builder.add_text_field("about", tokenizer_name=_ANALYZER, index_option="freq")
        builder.add_unsigned_field("number", indexed=False, fast=True)
        self._schema = builder.build()
        index = tantivy.Index(self._schema)
        index.register_tokenizer(_ANALYZER, text_analyzer(NORWEGIAN))
        writer = index.writer(_HEAP, _THREADS)
        words = {(topic.refid, topic.chapter): topic.words for topic in topics}
        self._words: defaultdict[str, set[str]] = defaultdict(set)
        for topic in topics:
            for word in spoken_words(topic.words).all:
                if len(word) >= SHORTEST:
                    self._words[word[0]].add(word)
        self._refids: dict[int, str] = {}
        for act in acts:
            self._refids[place_number(act.refid)] = act.refid
            named = (act.short_title, act.title, words.get((act.refid, ""), ""))
            self._add(writer, place_number(act.refid), [*TIMES * named, " ".join(act.legal_areas)])
        for topic in topics:
            if topic.chapter and place_number(topic.refid) in self._refids:
                self._refids[topic.number] = topic.refid
                self._add(writer, topic.number, TIMES * [topic.chapter, topic.words])
        writer.commit()
        writer.wait_merging_threads()
        index.reload()
        self._searcher = index.searcher()

    @staticmethod
    def _add(writer: tantivy.IndexWriter, number: int, texts: Sequence[str]) -> None:
        document = tantivy.Document()
        for text in texts:
            document.add_text("about", prepare(text))
        document.add_unsigned("number", number)
        writer.add_document(document)

    def search(self, plan: QueryPlan) -> Mapping[int, float]:
        """Return BM25 scores of the documents and chapters that are about a plan's words, best first, by number."""
        scoring = [(Occur.Should, self._word(word, 1.0)) for word in plan.words[: plan.own]]
        scoring += [(Occur.Should, self._word(word, ADDED)) for word in plan.words[plan.own :]]
        if not scoring:
            return {}
        hits = self._searcher.search(Query.boolean_query(scoring), LIMIT, count=False).hits
        numbers = self._searcher.fast_field_values("number", [address for _, address in hits])
        return {int(number or 0): score for (score, _), number in zip(hits, numbers, strict=True)}

    def group(self, number: int) -> str | None:
        """Return which document that number names, or a chapter of which."""
        return self._refids.get(number)

    def like(self, word: str) -> str | None:
        """Return the word of a topic that `word` is most likely a misspelling of."""
        near = [known for known in self._words.get(word[:1], ()) if abs(len(known) - len(word)) <= 2]
        return next(iter(get_close_matches(word, near, n=1, cutoff=LIKE)), None)

    def _word(self, word: Word, share: float) -> Query:
        forms = [Query.term_query(self._schema, "about", form) for form in word.forms]
        query = forms[0] if len(forms) == 1 else Query.disjunction_max_query(forms)
        return Query.boost_query(query, share * word.weight)
