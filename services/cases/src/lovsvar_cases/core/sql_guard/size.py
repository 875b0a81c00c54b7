"""How large a query can become while PostgreSQL plans it, told from its words alone."""

import re

LONGEST = 4_000
"""Characters of a query."""

MOST_COPIES = 20_000

_WORD = re.compile(r"[^\W\d]\w*")
_RESERVED = frozenset(
    {
        *("select", "from", "where", "and", "or", "not", "as", "on", "in", "is", "null", "like"),
        *("ilike", "order", "by", "group", "having", "limit", "offset", "distinct", "all", "any", "case", "when"),
        *("then", "else", "end", "asc", "desc", "union", "except", "intersect", "join", "left", "inner", "with"),
        *("true", "false", "cast", "between", "exists"),
    }
)


def too_large(query: str) -> bool:
    """Return whether a query is too long, or names could multiply through its subqueries.

    A column that a subquery makes is copied wherever it is named, and no timeout ends that: twenty subqueries, each
    of which writes a column twice, are a million copies. W names in S SELECTs are at most (W / S) ** S. This reads no
    SQL, so it holds for what a parser misreads.
    """
    if len(query) > LONGEST:
        return True
    words = [word.lower() for word in _WORD.findall(query)]
    selects = words.count("select")
    names = sum(word not in _RESERVED for word in words)
    return selects > 1 and (names / selects) ** selects > MOST_COPIES
