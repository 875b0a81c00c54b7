"""Text from a search engine, made safe to carry: plain, on one line, of bounded length."""

import html
import re
import unicodedata

# Browsers end a tag at the next `>`, whatever is before it; one without an end takes in what follows.
_TAG = re.compile(r"</?[a-zA-Z!?][^>]*(?:>|$)")
# Letters and marks without a glyph, in which text can be hidden.
_BLANK = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_READ_PER_KEPT = 4


def plain(text: str, limit: int) -> str:
    """Return `text` without markup, control and invisible characters, on one line, in at most `limit` characters.

    A cut text ends with "…". Character references are decoded, however often they were encoded, and what then
    looks like a tag is removed. Only the first 4 × `limit` characters are read.
    """
    text = text[: limit * _READ_PER_KEPT]
    # Removing a tag can join its surroundings into another one: `<<b>script>`.
    while (without := _without_markup(text)) != text:
        text = without
    return text if len(text) <= limit else f"{text[: limit - 1].rstrip()}…"


def visible(text: str) -> str:
    """Return `text` with each control character as a space, and without other invisible ones."""
    categories = ((character, unicodedata.category(character)) for character in text)
    return "".join(" " if kind == "Cc" else char for char, kind in categories if kind == "Cc" or kind[0] != "C")


def _without_markup(text: str) -> str:
    return " ".join(_TAG.sub("", visible(_BLANK.sub("", html.unescape(text)))).split())
