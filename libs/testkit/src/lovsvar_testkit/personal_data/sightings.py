"""Where a text or bytes hold what must not get out, in whatever form it is written.

Sought are words of names, in any case, in the genitive, at the beginning of a compound, and split by the end of a line;
numbers with anything between their groups; addresses and companies with any spaces; and all of that also where it is
escaped for JSON, HTML or an address on the web, or written in base64.
"""

import base64
import html
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import unquote_plus

from ahocorasick_rs import AhoCorasick


class Kind(StrEnum):
    """What is secret. `OTHER` is a word of the name of somebody who is no party of the case."""

    NAME = "registered name"
    COMPANY = "registered company"
    NUMBER = "number"
    MAIL = "mail address"
    ADDRESS = "address"
    OTHER = "other name"


@dataclass(frozen=True)
class Secret:
    """Something that must not get out: a word of a name, the digits of a number, a street with its number."""

    kind: Kind
    value: str


SHORT = 3
"""Letters of a name that is sought with its capital alone, for it may be a word of the language too."""

_COMPOUND = 6
"""Letters of a name that is found at the beginning of a longer word too."""

_SURE = 5
"""Letters of a name that bytes of no text do not hold by chance."""

_DEEP = 4
"""How often one text may be written within another, each escaped."""

_AROUND = 80
"""Characters before and after a sighting that are shown."""

_GROUPS = {8: {(8,), (2, 2, 2, 2), (3, 2, 3), (4, 4)}, 9: {(9,), (3, 3, 3)}}
"""How short numbers are written; other figures look like one by chance."""

_WORD = re.compile(r"[^\W\d_]+")
_RUN = re.compile(r"\d(?:[\s\u00a0.()\u2010-\u2015-]{0,3}\d){7,60}")
_AT = re.compile(r"[(\[]at[)\]]")
"""What stands for the sign in a mail address."""

_LINE_END = re.compile(r"[-\u00ad\u2010]?[ \t]*\r?\n[ \t]*|[-\u00ad\u2010][ \t]+")
_TIME = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?|(?<![\d.])\d{1,4}\.\d{6,}(?!\.?\d)")
"""A time, and a number with decimals."""

_ID = re.compile(r"(?<![0-9A-Za-z])(?=\d*[a-f])(?:[0-9a-f]{16}|[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![0-9A-Za-z])")  # fmt: skip  # noqa: E501
_INBOX = re.compile(r"_INBOX\.[\w.-]+")
"""Where NATS sends a reply: letters and figures by chance, in which there are short names."""

_BASE64 = re.compile(r"(?<![A-Za-z0-9+/=])(?:[A-Za-z0-9+/]{22,}+={0,2}|[A-Za-z0-9+/]{10,21}+={1,2})(?![A-Za-z0-9+/=])")
_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})|\\([nrt\"/\\])")
_SIGNS = {"n": "\n", "r": "\r", "t": "\t"}

Known = dict[str, set[Secret]]


class Watch:
    """Knows secrets, and tells which of them bytes hold."""

    def __init__(self, secrets: Iterable[Secret]) -> None:
        self.secrets = frozenset(secrets)
        self._innocent: set[str] = set()
        self._short, self._words, self._squeezed, self._numbers = (defaultdict[str, set[Secret]](set) for _ in range(4))
        for secret in self.secrets:
            for known, written in self._known(secret):
                known[written].add(secret)
        self._lengths = sorted({len(word) for word in self._words if len(word) >= _COMPOUND})
        self._phrases = AhoCorasick(self._squeezed)
        names = {word for known in self._words.values() for one in known for word in _WORD.findall(one.value)}
        self._sure = {form for name in names if len(name) >= _SURE for form in (name, name.upper())}

    def __reduce__(self) -> tuple[type["Watch"], tuple[frozenset[Secret]]]:
        """Go to another process as what is known: the searcher is made there."""
        return Watch, (self.secrets,)

    def _known(self, secret: Secret) -> Iterator[tuple[Known, str]]:
        """Yield where a secret is looked up, and as what."""
        if secret.kind is Kind.NUMBER:
            yield self._numbers, re.sub(r"\D", "", secret.value)
        elif secret.kind in {Kind.NAME, Kind.OTHER}:
            for word in _WORD.findall(secret.value):
                if len(word) > SHORT:
                    yield self._words, word.casefold()
                elif len(word) > 1:
                    yield self._short, word
                    yield self._short, word.upper()
        else:
            yield self._squeezed, squeezed(secret.value)

    def sightings(self, seen: bytes, deep: int = 0) -> set[Secret]:
        """Return the secrets that are in `seen`."""
        try:
            text = seen.decode()
        except UnicodeDecodeError:
            return self._in_bytes(seen.decode("utf-8", "replace"))
        found: set[Secret] = set()
        text = _INBOX.sub(" ", text)
        for written in {text, unescaped(text)}:
            found |= self._in_text(written)
            if deep < _DEEP:
                for inner in filter(_is_base64, _BASE64.findall(written)):
                    found |= self.sightings(base64.b64decode(inner), deep + 1)
        return found

    def _in_text(self, text: str) -> set[Secret]:
        # What is written in base64 has short names by chance.
        found: set[Secret] = set()

        def decoded(run: re.Match[str]) -> str:
            if not _is_base64(run[0]) or _is_path(run[0]):
                return run[0]
            found.update(self._in_bytes(run[0]))
            return " "

        text = _BASE64.sub(decoded, text)
        found |= self._in_words(text) | self._in_words(_LINE_END.sub("", text))
        found |= self._in_figures(_ID.sub(" ", _TIME.sub(" ", text)))
        phrases = self._phrases.find_matches_as_strings(squeezed(_AT.sub("", text)), overlapping=True)
        for phrase in set(phrases):
            found |= self._squeezed[phrase]
        return found

    def _in_words(self, text: str) -> set[Secret]:
        found: set[Secret] = set()
        for word in set(_WORD.findall(unicodedata.normalize("NFC", text))) - self._innocent:
            if secrets := self._of_word(word):
                found |= secrets
            else:
                self._innocent.add(word)
        return found

    def _of_word(self, word: str) -> set[Secret]:
        folded = word.casefold()
        forms = [(self._short, word), (self._short, word.removesuffix("s"))]
        forms += [(self._words, folded), (self._words, folded.removesuffix("s"))]
        forms += [(self._words, folded[:length]) for length in self._lengths if length < len(folded)]
        return set().union(*(known.get(form, set()) for known, form in forms))

    def _in_figures(self, text: str) -> set[Secret]:
        found: set[Secret] = set()
        for run in _RUN.finditer(text):
            groups = re.findall(r"\d+", run[0])
            for start, end in ((a, b) for a in range(len(groups)) for b in range(a + 1, min(a + 8, len(groups)) + 1)):
                figures, sizes = "".join(groups[start:end]), tuple(map(len, groups[start:end]))
                if figures in self._numbers and sizes in _GROUPS.get(len(figures), {sizes}):
                    found |= self._numbers[figures]
                if end == start + 1:
                    found |= self._numbers.get(re.sub(r"^(?:00)?47", "", figures), set())
        return found

    def _in_bytes(self, text: str) -> set[Secret]:
        """Return the secrets in what is no text, where short ones are there by chance."""
        names = (self._words[word.casefold()] for word in self._sure.intersection(_WORD.findall(text)))
        numbers = (self._numbers.get(figures, set()) for figures in re.findall(r"\d{8,15}", text))
        return set().union(*names, *numbers)


def around(secret: Secret, seen: str) -> str:
    """Return where in a text a secret is, as far as its first letters are found there."""
    at = max(0, seen.casefold().find(secret.value.casefold()[:4]))
    return seen[max(0, at - _AROUND) : at + _AROUND]


def squeezed(text: str) -> str:
    """Return the letters and digits of a text, in small letters."""
    return re.sub(r"[\W_]+", "", text.casefold())


def words(text: str) -> set[str]:
    """Return the words of a text, in small letters."""
    return {word.casefold() for word in _WORD.findall(text)}


def unescaped(text: str) -> str:
    """Return a text as it was before it was escaped: for JSON, however often, for HTML, for an address."""
    for _ in range(_DEEP):
        if "\\" not in text:
            break
        text = _ESCAPE.sub(lambda one: chr(int(one[1], 16)) if one[1] else _SIGNS.get(one[2], one[2]), text)
    text = html.unescape(text) if "&" in text else text
    return unquote_plus(text) if "%" in text else text


def _is_base64(run: str) -> bool:
    """Whether a run of its signs has the length that base64 has."""
    return len(run) % 4 == 0


def _is_path(run: str) -> bool:
    """Whether what might be base64 is rather a path or words: base64 of so many bytes has all kinds of signs."""
    return not run.endswith("=") and not (
        re.search(r"[A-Z]", run) and re.search(r"[a-z]", run) and re.search(r"[0-9+]", run)
    )
