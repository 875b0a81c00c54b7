"""The languages of the pages, their phrases, and the choice of a reader."""

import tomllib
from collections.abc import Mapping
from datetime import date
from functools import cache
from importlib.resources import files

from starlette.requests import Request

LANGUAGES: Mapping[str, str] = {"nb": "Bokmål", "nn": "Nynorsk", "en": "English"}
COOKIE = "lovsvar-language"
PARAMETER = "lang"
SCRIPT = "js_"  # begins the name of every phrase that scripts say


@cache
def phrases() -> Mapping[str, Mapping[str, str]]:
    """Return every phrase by its name, in each of `LANGUAGES`."""
    return tomllib.loads(files("lovsvar_gateway").joinpath("phrases.toml").read_text(encoding="utf-8"))


class Phrases:
    """The pages' words in one language."""

    def __init__(self, language: str) -> None:
        """`language` is one of `LANGUAGES`."""
        self.language = language

    def __call__(self, name: str, /, **values: object) -> str:
        """Return the phrase `name`, filled with `values`. Raises `KeyError` when there is none."""
        phrase = phrases()[name][self.language]
        return phrase.format_map(values) if values else phrase

    def get(self, name: str) -> str:
        """Return the phrase `name`, "" when there is none."""
        return phrases().get(name, {}).get(self.language, "")

    def duration(self, ms: float) -> str:
        """Return a time: whole milliseconds, or from one second on seconds with one decimal."""
        if ms < 1_000:
            return self("js_milliseconds", n=round(ms))
        seconds = f"{ms / 1_000:.1f}"
        return self("js_seconds", n=seconds if self.language == "en" else seconds.replace(".", ","))

    def day(self, day: date) -> str:
        """Return a date; in English with the month in letters, since digits are read in two orders."""
        return f"{day.day} {day:%B %Y}" if self.language == "en" else f"{day:%d.%m.%Y}"

    def for_scripts(self, *names: str) -> dict[str, str]:
        """Return the phrases that scripts use, and `names`, unfilled."""
        said = {n.removeprefix(SCRIPT): p[self.language] for n, p in phrases().items() if n.startswith(SCRIPT)}
        return {**said, **{name: self(name) for name in names}}


def language_of(request: Request) -> str:
    """Return the language of the address, else the one chosen last, else bokmål."""
    asked = request.query_params.get(PARAMETER) or request.cookies.get(COOKIE, "")
    return asked if asked in LANGUAGES else "nb"
