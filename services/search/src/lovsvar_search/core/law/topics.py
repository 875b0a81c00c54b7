"""What documents and chapters are about, in the words of people, trades and authorities (docs/everyday-data.md)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from lovsvar_search.core.law.analysis import spoken_words
from lovsvar_search.core.law.sections import chapter_number
from lovsvar_search.core.retrieval.items import place_number

COLUMNS = 3

SHORTEST = 5
"""Letters of a word that another may be mistyped for, at least."""


class BadTopics(ValueError):
    """The file of topics breaks its format. The message names the line and what is wrong with it."""


@dataclass(frozen=True)
class Topic:
    """What a document is about, or its chapter of the heading `chapter`."""

    refid: str
    chapter: str
    words: str

    @property
    def number(self) -> int:
        """The number by which the index knows the document or chapter."""
        return chapter_number(self.refid, (self.chapter,)) if self.chapter else place_number(self.refid)

    @cached_property
    def spoken(self) -> frozenset[str]:
        """Its words as they are looked up when somebody may have mistyped one: the same in every version."""
        return frozenset(word for word in spoken_words(self.words).all if len(word) >= SHORTEST)


def parse_topics(text: str) -> Sequence[Topic]:
    """Read `refid<TAB>chapter heading<TAB>words` lines; a document's heading is empty. Raises `BadTopics`."""
    topics: dict[tuple[str, str], Topic] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        columns = [column.strip() for column in line.split("\t")]
        if len(columns) != COLUMNS or not columns[0] or not columns[2]:
            raise BadTopics(
                f"line {number}: a refid, a chapter's heading or nothing, and words, parted by tabs, are wanted"
            )
        topic = Topic(*columns)
        if (topic.refid, topic.chapter) in topics:
            raise BadTopics(f"line {number}: {topic.refid} {topic.chapter!r} stands twice")
        topics[topic.refid, topic.chapter] = topic
    return tuple(topics.values())
