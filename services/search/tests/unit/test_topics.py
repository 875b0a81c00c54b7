"""What documents and chapters are about: the curated file, and what is found by it."""

import numpy as np
import pytest

from lovsvar_contracts.law import InForce, LawType
from lovsvar_legaltext.act_names import Act
from lovsvar_search.adapters.law.memory_indexes import TantivyTopics
from lovsvar_search.adapters.law.topic_vectors import fingerprint
from lovsvar_search.adapters.retrieval.tantivy_documents import text_analyzer
from lovsvar_search.app import load_topics
from lovsvar_search.core.law.analysis import NORWEGIAN
from lovsvar_search.core.law.sections import chapter_number
from lovsvar_search.core.law.topics import BadTopics, Topic, parse_topics
from lovsvar_search.core.retrieval.items import place_number
from lovsvar_search.core.retrieval.query import QueryPlan, Word
from lovsvar_search.core.retrieval.vector_search import NO_TOPICS, NearTopics

HOME = Act("lov/1999-03-26-17", "Lov om husleieavtaler", "Husleieloven", "", LawType.LOV, InForce.YES)
WORK = Act("lov/2005-06-17-62", "Lov om arbeidsmiljø", "Arbeidsmiljøloven", "", LawType.LOV, InForce.YES)
NOTICE = Topic(HOME.refid, "Kapittel 9. Opphør", "kastet ut, oppsigelse")
TOPICS = (Topic(HOME.refid, "", "leilighet, hybel, utleier"), NOTICE, Topic("lov/1900-01-01-1", "Kapittel 1", "hybel"))


def plan(*words: str) -> QueryPlan:
    terms = [term for word in words for term in text_analyzer(NORWEGIAN).analyze(word)]
    return QueryPlan(tuple(Word((term,)) for term in terms), own=len(terms))


@pytest.fixture(scope="module")
def topics() -> TantivyTopics:
    return TantivyTopics([HOME, WORK], TOPICS)


def test_a_document_is_found_by_the_words_of_those_whom_it_concerns(topics: TantivyTopics) -> None:
    assert list(topics.search(plan("hybel"))) == [place_number(HOME.refid)]


def test_a_document_without_a_topic_is_found_by_its_name(topics: TantivyTopics) -> None:
    assert list(topics.search(plan("arbeidsmiljøloven"))) == [place_number(WORK.refid)]


def test_a_chapter_is_found_by_itself_and_leads_to_its_document(topics: TantivyTopics) -> None:
    [number] = topics.search(plan("oppsigelse"))
    assert number == NOTICE.number == chapter_number(HOME.refid, ("Kapittel 9.  opphør",))
    assert topics.group(number) == HOME.refid


def test_a_chapter_of_a_document_that_is_not_stored_is_not_found(topics: TantivyTopics) -> None:
    assert topics.group(TOPICS[2].number) is None


def test_nothing_is_found_for_nothing(topics: TantivyTopics) -> None:
    assert topics.search(plan()) == {}


def test_a_word_is_suggested_for_one_that_is_nearly_it(topics: TantivyTopics) -> None:
    assert topics.like("leileghet") == "leilighet"
    assert topics.like("asdfqwerzxcv") is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("lov/1\tkap", "line 1: a refid"),
        ("# comment\n\nlov/1\t\t", "line 3: a refid"),
        ("\t\tord", "line 1: a refid"),
        ("lov/1\t\tord\nlov/1\t\tandre ord", "line 2: lov/1 '' stands twice"),
    ],
)
def test_a_broken_line_is_named(text: str, said: str) -> None:
    with pytest.raises(BadTopics, match=said):
        parse_topics(text)


def test_the_shipped_topics_say_enough_of_each_document_and_chapter() -> None:
    for topic in load_topics():
        words = topic.words.split(", ")
        least = 8 if topic.chapter else 15 if topic.refid.startswith("lov/") else 5
        assert len(words) >= least, topic


def test_a_topic_of_other_words_has_another_vector() -> None:
    assert fingerprint(NOTICE) != fingerprint(Topic(NOTICE.refid, NOTICE.chapter, "andre ord"))
    assert fingerprint(NOTICE) == fingerprint(Topic(*(NOTICE.refid, NOTICE.chapter, NOTICE.words)))


def test_the_nearest_topics_come_nearest_first_and_no_more_than_there_are() -> None:
    near = NearTopics({11: 0, 22: 1, 33: 2}, np.array([0.8, 0.9, 0.85], np.float32))
    assert near.best(2) == [22, 33]
    assert near.best(9) == [22, 33, 11]
    assert NO_TOPICS.best(3) == []
