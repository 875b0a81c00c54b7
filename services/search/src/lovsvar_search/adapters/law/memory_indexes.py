"""Everyday questions and topics in Tantivy, in memory: what a query's words are like, and are about."""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches

import tantivy
from tantivy import Occur, Query

from lovsvar_legaltext.act_names import Act
from lovsvar_search.adapters.retrieval.tantivy_documents import text_analyzer
from lovsvar_search.adapters.retrieval.tantivy_snapshot import MISTYPED
from lovsvar_search.core.law.analysis import NORWEGIAN, prepare, spoken_words
from lovsvar_search.core.law.sections import EverydayQuestion
from lovsvar_search.core.law.topics import Topic
from lovsvar_search.core.retrieval.corpus import QuestionIndex, TopicIndex
from lovsvar_search.core.retrieval.items import place_number
from lovsvar_search.core.retrieval.query import QueryPlan, Word

MOST_QUESTIONS = 25
"""Questions that are looked at, each with its provisions."""

LATER_ANSWER = 0.1
"""Share that each further provision of a question is behind the one before."""

FULL = 10_000
"""Questions by which scores were calibrated; among a few no word is rare, and scores are raised to make up for it."""

MOST_TOPICS = 30
"""Documents and chapters that are looked at."""

TIMES = 3
"""How often names and topics are repeated in a document, next to its legal areas and chapters."""

ADDED = 0.6
"""Weight of the law's words for what was asked, next to the asker's own."""

LIKE = 0.82
"""How alike a word has to be to be meant by another."""

_HEAP = 50_000_000
_THREADS = 1
"""With more, the order of what scores alike, and so which is looked at, changes from start to start."""


class MemoryIndex:
    """Texts, with a number each, by their Norwegian words; what is at one number is scored as one. Immutable."""

    def __init__(self, texts: Iterable[tuple[int, Sequence[str]]]) -> None:
        builder = tantivy.SchemaBuilder()
        builder.add_text_field("text", tokenizer_name=NORWEGIAN.language, index_option="freq")
        builder.add_unsigned_field("number", indexed=False, fast=True)
        self._schema = builder.build()
        index = tantivy.Index(self._schema)
        index.register_tokenizer(NORWEGIAN.language, text_analyzer(NORWEGIAN))
        writer = index.writer(_HEAP, _THREADS)
        for number, parts in texts:
            document = tantivy.Document()
            for part in parts:
                document.add_text("text", part)
            document.add_unsigned("number", number)
            writer.add_document(document)
        writer.commit()
        writer.wait_merging_threads()
        index.reload()
        self._searcher = index.searcher()

    def forms(self, word: Word) -> list[Query]:
        """Return what finds each form of a word."""
        return [Query.term_query(self._schema, "text", form) for form in word.forms]

    def near(self, word: Word) -> list[Query]:
        """Return what finds a word that is one letter off, if it is mistyped."""
        if not word.mistyped:
            return []
        near = Query.fuzzy_term_query(self._schema, "text", word.forms[0], 1, transposition_cost_one=True)
        return [Query.const_score_query(near, MISTYPED)]

    def search(self, query: Query, limit: int) -> Mapping[int, float]:
        """Return the best scores by number, best first."""
        # A result makes its list of hits each time that it is asked for it.
        hits = self._searcher.search(query, limit, count=False).hits
        numbers = self._searcher.fast_field_values("number", [address for _, address in hits])
        return {int(number or 0): score for (score, _), number in zip(hits, numbers, strict=True)}


class TantivyQuestions(QuestionIndex):
    """The everyday questions of one corpus version: question against question."""

    def __init__(self, questions: Sequence[EverydayQuestion]) -> None:
        self._answers: list[list[tuple[int, float]]] = []
        texts: dict[str, int] = {}
        for one in questions:
            row = texts.setdefault(one.question, len(self._answers))
            if row == len(self._answers):
                self._answers.append([])
            self._answers[row].append((place_number(one.refid, one.section_key), 1.0 - LATER_ANSWER * one.rank))
        # Words of asking are taken out as they are of a query: "hva" and "kan" would make all questions alike.
        self._index = MemoryIndex((row, (" ".join(spoken_words(text).subject),)) for text, row in texts.items())
        self._scale = max(1.0, math.log(FULL) / math.log(2 + len(texts)))

    def search(self, plan: QueryPlan) -> Mapping[int, float]:
        scoring = [
            (Occur.Should, Query.boost_query(query, word.weight))
            for word in plan.words[: plan.own]
            for query in (*self._index.forms(word), *self._index.near(word))
        ]
        if not scoring or not self._answers:
            return {}
        best: dict[int, float] = {}
        for row, score in self._index.search(Query.boolean_query(scoring), MOST_QUESTIONS).items():
            for number, share in self._answers[row]:
                worth = self._scale * score * share
                if worth > best.get(number, 0.0):
                    best[number] = worth
        return best


class TantivyTopics(TopicIndex):
    """What the documents of one corpus version are about."""

    def __init__(self, acts: Iterable[Act], topics: Sequence[Topic]) -> None:
        words = {(topic.refid, topic.chapter): topic.words for topic in topics}
        self._words: defaultdict[str, set[str]] = defaultdict(set)
        for topic in topics:
            for word in topic.spoken:
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
        scoring = [
            (Occur.Should, self._word(word, 1.0 if place < plan.own else ADDED))
            for place, word in enumerate(plan.words)
        ]
        return self._index.search(Query.boolean_query(scoring), MOST_TOPICS) if scoring else {}

    def group(self, number: int) -> str | None:
        return self._refids.get(number)

    def like(self, word: str) -> str | None:
        near = [known for known in self._words.get(word[:1], ()) if abs(len(known) - len(word)) <= 2]
        return next(iter(get_close_matches(word, near, n=1, cutoff=LIKE)), None)

    def _word(self, word: Word, share: float) -> Query:
        forms = self._index.forms(word)
        query = forms[0] if len(forms) == 1 else Query.disjunction_max_query(forms)
        return Query.boost_query(query, share * word.weight)
