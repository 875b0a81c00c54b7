"""What was read of a document, and quotes that lead to its pages."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lovsvar_contracts.case_documents import DocumentPage
from lovsvar_contracts.message import Frozen

_MARKS = "«»“”„‟‘’‚‛‹›\"'`´"
_DASHES = "-‐‑‒–—―−⁃﹣－"
_NOTHING = "\u00ad\u200b\u200c\u200d\u2060\ufeff\ufffe\x02"
_FORMS = str.maketrans(
    {**dict.fromkeys(_MARKS, '"'), **dict.fromkeys(_DASHES, "-"), **dict.fromkeys(_NOTHING, ""), "…": "..."}
)
_AROUND = re.compile(r'^(?:"|\.\.\.|\s)+|(?:"|\.\.\.|\s)+$')
_DIVIDED = re.compile(r"(?<=[^\W\d_])-[^\S\n]*\n\s*(?=[a-zæøåäöáčđŋšŧž])")


class ReadText(Frozen):
    """What a reader made of a document."""

    pages: tuple[DocumentPage, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def unread(self) -> tuple[int, ...]:
        """The pages of which nothing could be read."""
        return tuple(page.number for page in self.pages if page.source == "none")


@dataclass(frozen=True)
class Place:
    """A quote in a document: its first and last page, the offset in the first, and the words as they are there."""

    page: DocumentPage
    last_page: int
    start: int
    text: str


def places_of(quote: str, pages: Sequence[DocumentPage], most: int = 10) -> Iterator[Place]:
    """Yield where `quote` is, word for word; it may run over the end of a page.

    White space, line breaks and a word divided by one, and the kinds of dashes and quotation marks make no difference;
    letter case and every other sign does. It begins and ends at word borders.
    """
    wanted = _AROUND.sub("", _normal(quote)[0])
    if not any(sign.isalnum() for sign in wanted):
        return
    begins, joined = [], ""
    for page in pages:
        begins.append(len(joined))
        joined += page.text + "\n"
    text, spans = _normal(joined)
    at = text.find(wanted)
    while at >= 0 and most > 0:
        end = at + len(wanted)
        if _is_border(text, at) and _is_border(text, end):
            start, stop = spans[at][0], spans[end - 1][1]
            first = max(number for number, begin in enumerate(begins) if begin <= start)
            last = max(number for number, begin in enumerate(begins) if begin < stop)
            yield Place(pages[first], pages[last].number, start - begins[first], joined[start:stop])
            most -= 1
        at = text.find(wanted, at + 1)


def _is_border(text: str, at: int) -> bool:
    return at in (0, len(text)) or not (text[at - 1].isalnum() and text[at].isalnum())


def _normal(text: str) -> tuple[str, list[tuple[int, int]]]:
    """Return the normal form of `text`, and for each sign of it where it is in `text`."""
    divided = {at for found in _DIVIDED.finditer(text) for at in range(*found.span())}
    signs: list[str] = []
    spans: list[tuple[int, int]] = []
    at = 0
    while at < len(text):
        end = at + 1
        while end < len(text) and unicodedata.combining(text[end]):
            end += 1
        if at not in divided:
            for sign in unicodedata.normalize("NFC", text[at:end]).translate(_FORMS):
                if not sign.isspace() or (signs and signs[-1] != " "):
                    signs.append(" " if sign.isspace() else sign)
                    spans.append((at, end))
        at = end
    return "".join(signs), spans
