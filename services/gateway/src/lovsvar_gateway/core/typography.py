"""Text as it is printed: numbers that no line may break, no space before a comma, `m²`."""

import re
from collections.abc import Sequence

from markupsafe import Markup, escape

_LETTER = r"(?:\s?[a-zæøå](?![\w.]))?"
_WHOLE = re.compile(rf"<[^>]*>|(§§?\s?\d+{_LETTER}(?:-\d+{_LETTER})?|\b(?:lov|forskrift|lti)/\d[\w/-]*(?:§[\w-]+)?)")

_SPACE_BEFORE_SIGN = re.compile(r"(?<=[\w§)»”\]]) (?=[,;)]|[.:](?:\s|$)(?! ?\.))")
_POWER = re.compile(r"(?<![^\W\d])(?:km|dm|cm|mm|m)( ?)([23])(?![\w-])")
_MEASURED = re.compile(r"(?:\d ?|pr\.? |per |/)$")
"""What comes before a unit; without it «m 2» is a letter and a number."""
_CARBON = re.compile(r"\bCO( ?)(2)(?!\w)( (?=-\w))?")
_RAISED = {"2": "²", "3": "³"}


def as_printed(text: str) -> Sequence[str]:
    """Return for each character of `text` what is printed for it, "" where that is nothing.

    Lovdata's text has a space after each link, also before a comma, and raised and lowered figures as plain ones.
    """
    printed = list(text)
    for match in _SPACE_BEFORE_SIGN.finditer(text):
        printed[match.start()] = ""
    for match in _POWER.finditer(text):
        if not match[1] or _MEASURED.search(text, max(0, match.start() - 4), match.start()):
            printed[match.start(2)] = _RAISED[match[2]]
            _drop(printed, *match.span(1))
    for match in _CARBON.finditer(text) if "CO" in text else ():
        printed[match.start(2)] = "₂"
        _drop(printed, *match.span(1))
        _drop(printed, *match.span(3))
    return printed


def printed(text: str) -> str:
    """Return `text` as it is printed, for what nothing is marked or linked in, such as titles and notes."""
    return "".join(as_printed(text))


def _drop(printed: list[str], start: int, end: int) -> None:
    if start >= 0:
        printed[start:end] = [""] * (end - start)


def keep_whole(text: str | Markup) -> Markup:
    """Return `text`, escaped unless it is HTML already, with numbers of provisions and documents kept in one line."""

    def kept(match: re.Match[str]) -> str:
        return f'<span class="whole">{match[1]}</span>' if match[1] else match[0]

    return Markup(_WHOLE.sub(kept, str(escape(text))))  # noqa: S704


def beginning(text: str, limit: int) -> str:
    """Return `text` in one line, ended after a word with an ellipsis where it is longer than `limit`."""
    line = " ".join(text.split())
    return line if len(line) <= limit else f"{line[:limit].rpartition(' ')[0] or line[:limit]} …"
