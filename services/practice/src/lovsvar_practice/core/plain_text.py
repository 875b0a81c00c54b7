"""Text from a search engine, made safe to carry: plain, on one line, of bounded length."""

import html
import re
import unicodedata

_TAG = re.compile(r"</?[a-zA-Z!][^<>]*>")


def plain(text: str, limit: int) -> str:
    """Return `text` without markup, control and invisible characters, on one line, in at most `limit` characters.

    A cut text ends with "…". Character references are decoded once; what then looks like a tag is removed.
    """
    text = html.unescape(text)
    # Removing a tag can join what stood around it into another: `<<b>script>`.
    while (without := _TAG.sub("", text)) != text:
        text = without
    visible = "".join(_visible(c) for c in text)
    line = " ".join(visible.split())
    return line if len(line) <= limit else f"{line[: limit - 1].rstrip()}…"


def _visible(character: str) -> str:
    category = unicodedata.category(character)
    if category == "Cc":
        return " "
    return "" if category.startswith("C") else character
