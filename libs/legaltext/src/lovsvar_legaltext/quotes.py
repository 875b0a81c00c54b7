"""Where a quote is in a text, word for word.

Quote and stored text are compared in a normal form, and in nothing else:

- any run of white space (line breaks and no-break spaces too) is one space, and none before a mark that closes
  (the sources have "§ 50 ." where a link ends);
- every quotation mark, single or double, of any nation is the same mark;
- every hyphen, dash and minus is a hyphen; soft hyphens and zero-width characters do not exist;
- the ellipsis character is three dots;
- letters are composed (NFC).

Quotation marks and ellipses around the quote are the quoter's own and are taken off. Letter case counts.
A quote begins and ends at word borders and is one contiguous piece: an ellipsis inside it means
three dots in the law, never something left out.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

_MARKS = "«»“”„‟‘’‚‛‹›\"'`´"
_DASHES = "-‐‑‒–—―−⁃﹣－"
_NOTHING = "\u00ad\u200b\u200c\u200d\u2060\ufeff"
_FORMS = str.maketrans(
    {**dict.fromkeys(_MARKS, '"'), **dict.fromkeys(_DASHES, "-"), **dict.fromkeys(_NOTHING, ""), "…": "..."}
)
_CLOSING = ".,;:!?)]"
_AROUND = re.compile(r'^(?:"|\.\.\.|\[\.\.\.\]|\s)+|(?:"|\.\.\.|\[\.\.\.\]|\s)+$')


def is_empty(quote: str) -> bool:
    """Whether a quote has no letter and no digit."""
    return not any(c.isalnum() for c in quote)


def find(quote: str, stored: str) -> tuple[int, int] | None:
    """Return the offsets (start, end) of `quote` in `stored`, or None, as for an empty quote."""
    if (place := _as_written(quote, stored)) is not None:
        return place
    wanted = _AROUND.sub("", _normalise(quote)[0])
    if is_empty(wanted):
        return None
    text, offsets = _normalise(stored)
    at = text.find(wanted)
    while at >= 0:
        end = at + len(wanted)
        if _is_border(text, at) and _is_border(text, end):
            return offsets[at], offsets[end]
        at = text.find(wanted, at + 1)
    return None


def _as_written(quote: str, stored: str) -> tuple[int, int] | None:
    """Return where a quote is character by character, as what is cut from the text is; None where it may be in form."""
    if not quote[:1].isalnum() or _AROUND.search(quote[-3:].translate(_FORMS)):
        return None
    at = stored.find(quote)
    end = at + len(quote)
    around = f"{stored[max(at - 1, 0) : at]}{stored[end : end + 1]}"
    whole = at >= 0 and _is_border(stored, at) and _is_border(stored, end)
    return (at, end) if whole and not any(c in _NOTHING or unicodedata.combining(c) for c in around) else None


def _is_border(text: str, at: int) -> bool:
    return at in (0, len(text)) or not (text[at - 1].isalnum() and text[at].isalnum())


@lru_cache(maxsize=128)
def _normalise(text: str) -> tuple[str, tuple[int, ...]]:
    """Return the normal form of `text`, and for each place in it (and its end) the offset in `text`.

    The offset of the end is after the last character that has a form.
    """
    out: list[str] = []
    offsets: list[int] = []
    end = 0
    for start, after in _clusters(text):
        form, place = text[start:after].translate(_FORMS), start
        if form.isspace():
            form = " " if out and out[-1] != " " else ""
        elif form:
            form = unicodedata.normalize("NFC", form)
            end = after
            if form[0] in _CLOSING and out and out[-1] == " ":
                out.pop()
                place = offsets.pop()  # what ends before the mark ends before the space too
        out.extend(form)
        offsets.extend([place] * len(form))
    if out and out[-1] == " ":
        out.pop()
        offsets.pop()
    return "".join(out), (*offsets, end)


def _clusters(text: str) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of each letter with its combining marks; composed text has none worth joining."""
    if unicodedata.is_normalized("NFC", text):
        yield from ((at, at + 1) for at in range(len(text)))
        return
    start = 0
    for at in range(1, len(text) + 1):
        if at == len(text) or not unicodedata.combining(text[at]):
            yield start, at
            start = at
