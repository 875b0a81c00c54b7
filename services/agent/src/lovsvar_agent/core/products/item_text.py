"""What a catalogue says of an item, made safe to show: one line of plain text, and an address that is only an address.

Whoever keeps a catalogue writes what they like in it. Tags, addresses, Markdown and invisible characters go, and of a
description also each sentence that has an address, a number to call or a price of its own, since these are said by the
item's fields alone.
"""

import re
import unicodedata
from collections.abc import Collection, Iterator
from urllib.parse import urlsplit

from lovsvar_agent.core.reasoning.prose import untagged, without_addresses
from lovsvar_legaltext.sentences import sentence_spans

MAX_NAME = 120
MAX_PRICE = 120
MAX_WHY = 320
"""Characters of a name, of a price, and of the sentences that are shown of a description."""

MAX_SENTENCES = 2
MAX_URL = 500

_CURRENCY = r"€|£|\$|\bEUR\b|\bUSD\b|\bGBP\b|\bNOK\b|\bkr\b\.?|\bkroner\b|\bkroon\b|\beuros?\b"
AMOUNT = re.compile(rf"(?:{_CURRENCY})\s*\d[\d.,]*|\d[\d.,\s]*(?:,-|\s*(?:{_CURRENCY}))", re.IGNORECASE)
"""A sum of money, as in '€ 2.500', 'kr 499' and '300 kroner'."""

_PRICED = re.compile(rf"\([^()]*(?:{AMOUNT.pattern})[^()]*\)", re.IGNORECASE)
_CALL = re.compile(r"(?<!\d)(?:\+|00)?(?:\d[ .-]?){8,15}(?!\d)|[\w.+-]+@[\w-]+\.\w+", re.ASCII)
_BARE_HOST = re.compile(r"(?<![\w.])[\w-]{3,}(?:\.[\w-]+)*\.[a-z]{2,12}\b(?:/\S*)?")
_EMPHASIS = re.compile(r"[*`~]+|(?<!\w)_+|_+(?!\w)")
_MARKDOWN = re.compile(r"!?\[([^\[\]]*)\]\([^()]*\)?|[|#>\[\]<\\]+|(?:^|(?<=\s))[-+=]{1,3}\s")
_ELEMENT = re.compile(
    r"<\s*(?:a|img|script|iframe|form|button|input|svg|object|embed|link|style)\b[^>]*>", re.IGNORECASE
)
_REFERS = re.compile(r"\]\s*[\[(]|\[\d{1,2}\]")
_INSTRUCTS = re.compile(
    r"""
    <\| | \b(?: ignor\w* | negeer\w* | glem | forget | vergeet | instruks\w* | instru[ck]t\w* | systeem | system
        | assistent\w* | prompt | anbefal | recommend | raad | svar\s+med | say\s+that | si\s+at | zeg | skriv\s+\*? )\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""Words to a model rather than to who needs help."""

_IDS = re.compile(r"\b(?:lovdata|serper|product)-\d", re.IGNORECASE)
_FULL_STOPS = str.maketrans("。．｡․", "....")
_ELLIPSIS = re.compile(r"\s*(?:\.\.\.|…)\s*$")
_HOST = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,24}")
_ADDRESS = re.compile(r"https://[!#$%&'+,\-./0-9:=?@A-Za-z_~;()*]+")
_UNSEEN = frozenset({"Cf", "Cc", "Co", "Cn", "Cs"})


def name_of(name: str, url: str = "") -> str:
    """Return an item's name in one line, without prices, and without addresses but that of its own `url`'s site.

    Empty when nothing is left of it.
    """
    own = (urlsplit(url).hostname or "").removeprefix("www.")

    def kept(address: str) -> str:
        return address if own and address.casefold().removeprefix("www.") == own else ""

    text = AMOUNT.sub(" ", _PRICED.sub(" ", _line(name)))
    text = _BARE_HOST.sub(lambda m: kept(m[0]), without_addresses(text, kept))
    text = re.sub(r"\(\s*\)", " ", _without_markdown(text))
    return " ".join(text.split())[:MAX_NAME].strip(" -–—:,;(/")


def price_of(price: str) -> str:
    """Return a price in one line."""
    return " ".join(_without_markdown(without_addresses(_line(price))).split())[:MAX_PRICE].strip()


def why_of(description: str) -> str:
    """Return the first one or two whole sentences of a description that say nothing but what the item is."""
    said: list[str] = []
    for sentence in _sentences(description):
        if said and len(" ".join((*said, sentence))) > MAX_WHY:
            break
        said.append(sentence)
        if len(said) == MAX_SENTENCES:
            break
    why = " ".join(said)
    return why if len(why) <= MAX_WHY else _cut(why[:MAX_WHY].rpartition(" ")[0])


def address_of(url: str, hosts: Collection[str] | None = None) -> str:
    """Return `url` where it is https to a named host, below one of `hosts` where they are known; else nothing.

    Without `hosts` it is one that was compared with them before.
    """
    if len(url) > MAX_URL or not _ADDRESS.fullmatch(url):
        return ""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return ""
    known = not hosts or any(host == own or host.endswith(f".{own}") for own in map(str.casefold, hosts))
    # Where a catalogue has no list of hosts, a name that is not in ASCII may look like another.
    alike = hosts is not None and not hosts and "xn--" in host
    odd = "@" in parts.netloc or port not in (None, 443) or not _HOST.fullmatch(host) or alike
    return url if known and not odd else ""


def _sentences(description: str) -> Iterator[str]:
    """Yield the sentences of a description that are shown, in plain text. One that was cut off is left out, or ends so.

    It is cut at 200 characters where it is a hit's.
    """
    # The address of a link that is written as a tag is in no text: something that is an address stands for it.
    whole = _ELLIPSIS.sub("", _ELEMENT.sub(" https://x.invalid ", description))
    cut = bool(_ELLIPSIS.search(description))
    spans = [line[a:b] for line in untagged(whole).splitlines() for a, b in sentence_spans(line, 0, len(line))]
    for place, sentence in enumerate(spans):
        last = cut and place == len(spans) - 1
        text = " ".join(_without_markdown(_line(sentence)).split())
        if text and not _says_more(sentence) and not (last and place):
            yield _cut(text.rpartition(" ")[0] or text) if last else text


def _says_more(sentence: str) -> bool:
    """Whether a sentence of a description has what only the item's own fields may say, or names a source."""
    text = unicodedata.normalize("NFKC", _line(sentence)).translate(_FULL_STOPS)
    signs = (AMOUNT, _CALL, _IDS, _BARE_HOST, _REFERS, _INSTRUCTS)
    return any(sign.search(text) for sign in signs) or without_addresses(text) != text


def _line(text: str) -> str:
    """Return foreign text in one line without tags and what no reader sees."""
    joined = " ".join(untagged(text).split())
    return "".join(c for c in joined if unicodedata.category(c) not in _UNSEEN)


def _without_markdown(text: str) -> str:
    return _MARKDOWN.sub(lambda m: f"{m[1] or ''} ", _EMPHASIS.sub("", text))


def _cut(text: str) -> str:
    return f"{text.rstrip(' .,;:')} …"
