"""Text from a search engine, made safe to carry: plain, on one line, of bounded length."""

import html
import re
import unicodedata

# Browsers take all up to the next `>` for one tag, another `<` too; one without an end takes in what follows.
_TAG = re.compile(r"</?[a-zA-Z!?][^>]*(?:>|$)")
# Letters and marks that show nothing, in which text can be hidden.
_BLANK = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_READ_PER_KEPT = 4


def plain(text: str, limit: int) -> str:
    """Return `text` without markup, control and invisible characters, on one line, in at most `limit` characters.

    A cut text ends with "…". Character references are decoded, however often they were encoded, and what then
    looks like a tag is removed. No more of a text is read than what may be kept of it could come from.
    """
    text = text[: limit * _READ_PER_KEPT]
    # What is removed can join what stood around it into another tag: `<<b>script>`.
    while (without := _without_markup(text)) != text:
        text = without
    return text if len(text) <= limit else f"{text[: limit - 1].rstrip()}…"


def _without_markup(text: str) -> str:
    visible = "".join(_visible(c) for c in _BLANK.sub("", html.unescape(text)))
    return " ".join(_TAG.sub("", visible).split())


def _visible(character: str) -> str:
    category = unicodedata.category(character)
    if category == "Cc":
        return " "
    return "" if category.startswith("C") else character
