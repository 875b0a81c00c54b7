"""The lists of names and ordinary words that the gate is shipped with."""

from functools import cache
from importlib.resources import files

from lovsvar_cases.core.pseudonyms.other_names import NameLists


@cache
def read_name_lists() -> NameLists:
    """Return the lists; a line that begins with # says what they are."""
    return NameLists(given=_words("names.txt"), ordinary=_words("ordinary_words.txt"))


def _words(name: str) -> frozenset[str]:
    lines = files("lovsvar_cases").joinpath("data", name).read_text(encoding="utf-8").splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())
