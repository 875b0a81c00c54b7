"""Plain BM25 by SQLite's FTS5, untuned: the floor below which no kind of question may fall.

Title, heading and text of each section are columns with equal weight; a question's words are joined by OR,
with nothing left out, stemmed or added. This is the obvious baseline.
"""

import re
import sqlite3
from collections.abc import Iterable

from lovsvar_contracts.search import ProvisionRef

_WORD = re.compile(r"\w+")


class PlainBm25:
    """An index in memory. Used by one thread."""

    def __init__(self, rows: Iterable[tuple[str, str, str, str, str]]) -> None:
        """`rows` are refid, section, title of the act, heading, text."""
        self._database = sqlite3.connect(":memory:")
        self._database.execute(
            "CREATE VIRTUAL TABLE sections USING fts5 (refid UNINDEXED, section UNINDEXED, act, heading, body)"
        )
        self._database.executemany("INSERT INTO sections VALUES (?, ?, ?, ?, ?)", rows)

    def search(self, question: str, count: int, refid: str | None = None) -> list[ProvisionRef]:
        """Return the best sections, best first; of one document when its `refid` is given."""
        words = dict.fromkeys(_WORD.findall(question))
        if not words:
            return []
        match = " OR ".join(f'"{word}"' for word in words)
        found = self._database.execute(
            "SELECT refid, section FROM sections "
            "WHERE sections MATCH ? AND (? IS NULL OR refid = ?) ORDER BY rank LIMIT ?",
            (match, refid, refid, count),
        )
        return [ProvisionRef(refid=row[0], section=row[1]) for row in found]
