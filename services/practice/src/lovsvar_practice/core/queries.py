"""What the search provider is asked, and when two questions to it are the same."""

import hashlib
import json
import re
import unicodedata
from collections.abc import Sequence

from lovsvar_practice.core.errors import InvalidQuery

# Operators that would lead a search away from where it is to look; the words behind them stay.
_ELSEWHERE = re.compile(r"(?i)(?<!\w)(?:all)?(?:site|inurl|cache|related|link)\s*:")


def practice_query(words: str, paths: Sequence[str]) -> str:
    """Return the query that searches `paths` of lovdata.no for `words`, in the provider's language.

    What cannot be seen is removed, and white space is made single. What limits the search stands last and only
    guides it: a provider may find what it likes, so what is found is checked as well. Raises `InvalidQuery`
    when no word is left.
    """
    visible = "".join(" " if unicodedata.category(c) == "Cc" else c for c in words)
    visible = "".join(c for c in visible if not unicodedata.category(c).startswith("C"))
    wanted = " ".join(_ELSEWHERE.sub(" ", visible).split())
    if not any(c.isalnum() for c in wanted):
        raise InvalidQuery("Søket i rettspraksis har ingen ord å lete etter.")
    return f"{wanted} {query_suffix(paths)}"


def query_suffix(paths: Sequence[str]) -> str:
    """Return what limits a query to `paths` of lovdata.no."""
    return f"site:lovdata.no ({' OR '.join(f'inurl:{path}' for path in paths)})"


def normalised(query: str) -> str:
    """Return `query` as it is compared with others: case, white space and forms of the same letter do not count.

    The operators OR and AND are such only in capitals, and keep them.
    """
    folded = unicodedata.normalize("NFKC", query)
    return " ".join(word if word in {"OR", "AND"} else word.casefold() for word in folded.split())


def search_key(query: str, num: int) -> str:
    """Return the name under which the answer to `query` is kept: 64 hexadecimal digits."""
    return hashlib.sha256(json.dumps([normalised(query), num]).encode()).hexdigest()
