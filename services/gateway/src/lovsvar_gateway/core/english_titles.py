"""English titles of acts, shown to readers of English beside the Norwegian ones. They are no part of the law."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

_FILE = "english_titles.tsv"


@cache
def english_titles() -> Mapping[str, str]:
    """Return the English title of each act that has one in common use, by refid."""
    lines = files("lovsvar_gateway").joinpath(_FILE).read_text(encoding="utf-8").splitlines()
    return dict(line.split("\t") for line in lines if not line.startswith("#"))


def english_title(refid: str | None) -> str:
    """Return the English title of the act `refid`, "" where none is known."""
    return english_titles().get(refid or "", "")
