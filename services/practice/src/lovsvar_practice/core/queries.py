"""Queries to the search provider, and the keys of their cached results."""

import hashlib
import json
import re
import unicodedata
from collections.abc import Sequence

from lovsvar_practice.core.errors import InvalidQuery
from lovsvar_practice.core.plain_text import visible

# Operators that would lead a search to other addresses; their operands stay as words.
_ELSEWHERE = re.compile(r"(?i)(?<!\w)(?:all)?(?:site|inurl|cache|related|link)\s*:")


def practice_query(words: str, paths: Sequence[str]) -> str:
    """Return the query that searches `paths` of lovdata.no for `words`, in the provider's language.

    Invisible characters are removed, and white space is made single. The limiting operators come last and only
    guide the provider, so the results are checked as well. Raises `InvalidQuery` when no word is left.
    """
    wanted = " ".join(_ELSEWHERE.sub(" ", visible(words)).split())
    if not any(c.isalnum() for c in wanted):
        raise InvalidQuery("Søket i rettspraksis har ingen ord å lete etter.")
    return f"{wanted} site:lovdata.no ({' OR '.join(f'inurl:{path}' for path in paths)})"


def normalised(query: str) -> str:
    """Return `query` in the form in which queries are compared: without case, and with single white space.

    The operators OR and AND are such only in capitals, and keep them.
    """
    folded = unicodedata.normalize("NFKC", query)
    return " ".join(word if word in {"OR", "AND"} else word.casefold() for word in folded.split())


def search_key(query: str, num: int) -> str:
    """Return the cache key of a query for `num` results: 64 hexadecimal digits."""
    return hashlib.sha256(json.dumps([normalised(query), num]).encode()).hexdigest()
