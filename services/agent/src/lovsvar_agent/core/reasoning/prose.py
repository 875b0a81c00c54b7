"""The model's text made safe.

Whatever a model writes (HTML, Markdown, both) becomes plain text with paragraphs and lists, in which a source is
named by its id in brackets: `[lovdata-1]`. Tags, addresses and invisible characters are gone before anything is
checked, so that nothing can hide from the checks; blocks are made from the checked text alone.
"""

import re
from collections.abc import Callable, Container, Iterable, Mapping
from html import unescape

import nh3

from lovsvar_agent.core.reasoning.solicitations import (
    before_solicitation,
    title_without_solicitation,
    without_solicitations,
)
from lovsvar_agent.core.reasoning.untrusted_text import defused
from lovsvar_contracts.questions import Evidence

_LINK = re.compile(r"""<a\b[^<>]*?href\s*=\s*["']?([^"'>\s]*)["']?[^>]*>(.*?)</a\s*>""", re.IGNORECASE | re.DOTALL)
_MARKDOWN_LINK = re.compile(r"!?\[([^\[\]\n]*)\]\(\s*<?([^()\s<>]*(?:\([^()\s]*\))?[^()\s<>]*)>?[^()\n]*\)")
_ITEM = re.compile(r"<li\b[^>]*>", re.IGNORECASE)
_HEADING = re.compile(r"<h[1-6]\b[^>]*>(.*?)</h[1-6]\s*>", re.IGNORECASE | re.DOTALL)
_BREAK = re.compile(r"</?(?:p|div|ul|ol|tr|table|blockquote|section|article)\b[^>]*>|<br\s*/?>|</li\s*>", re.IGNORECASE)
_EMPHASIS = re.compile(r"\*\*|__|`+|(?<!\w)[*_](?=\w)|(?<=\w)[*_](?!\w)")
_HEADING_LINE = re.compile(r"^\s*(?:#{1,6}\s+(?P<a>.+?)\s*#*|\*\*(?P<b>[^*]+)\*\*:?)\s*$")
_LINE_MARK = re.compile(r"^\s*(?:#{1,6}|>+|[-*•]|\d{1,2}[.)](?=\s+\*))\s+")
_GONE = "\ue000"
"""Where a foreign address was in a draft, which ends before it."""
_QUOTE_LINE = re.compile(r"^\s*>+\s?", re.MULTILINE)
_ADDRESS = re.compile(
    r"""
      (?: [a-z][\w+.-]{0,30} )? :// [^\s<>«»"]*
    | \b (?: javascript | data | vbscript | mailto | tel ) : [^\s<>«»"]+
    | (?<![:\w/]) // [\w-]+ \. [^\s<>«»"]+
    | \b www \. [^\s<>«»"]+
    | (?<![\w.-]) (?P<host> [\w-]+ (?: \. [\w-]+ )++ ) (?P<path> [/:?\#] [^\s<>«»"]* )?
    """,
    re.VERBOSE | re.IGNORECASE,
)
_ENDINGS_TEXT = """
    com net org io ru cn info biz xyz co no eu dev app ai example test invalid uk de se dk top site online link me tv to
"""
_ENDINGS = frozenset(_ENDINGS_TEXT.split())
"""What the name of a foreign host ends with, when it has no scheme."""

_OUR_SOURCE = re.compile(r"(?:https?://)?(?:www\.)?(?:lovdata\.no|api\.lovdata\.no)/?[.,;:!?)]*", re.IGNORECASE)
_AT_LOVDATA = re.compile(r"https?://(?:www\.)?lovdata\.no/[\w/§.#?=&%-]*", re.IGNORECASE)
_PARTIAL_TAG = re.compile(r"<[^>]*$")
_ANY_TAG = re.compile(r"<[^>]*>")
HEADING = "# "
"""What a heading's line begins with."""


def without_addresses(text: str, instead: Callable[[str], str] = lambda _: "") -> str:
    """Return `text` with every address replaced; the bare name of lovdata.no is none."""
    pieces, at, kept = [], 0, 0
    while match := _ADDRESS.search(text, at):
        address = match.group()
        if match["host"] and not _is_host(match["host"], match["path"]):
            # What follows the first of words that are no host may be an address all the same.
            at = match.start("host") + match["host"].index(".") + 1
            continue
        at = match.end()
        if not _OUR_SOURCE.fullmatch(address):
            core = address.rstrip(".,;:!?)")
            pieces += [text[kept : match.start()], instead(core), address[len(core) :]]
            kept = at
    return "".join((*pieces, text[kept:]))


def plain_draft(text: str, *, ended: bool = True) -> str:
    """Return the beginning of an answer as it may be shown while the rest is still coming, up to what solicits."""
    text = defused(_ANY_TAG.sub("", _PARTIAL_TAG.sub("", text))).replace(_GONE, "")
    shown = without_addresses(text, lambda address: "Lovdata" if _AT_LOVDATA.fullmatch(address) else _GONE)
    return before_solicitation(shown, ended=ended, link=_GONE)


def plain_line(text: str) -> str:
    """Return foreign text as one line without tags and addresses."""
    return " ".join(without_addresses(untagged(text)).split())


def plain_title(text: str) -> str:
    """Return a foreign title as one line of plain text, up to where it begins to solicit."""
    return title_without_solicitation(" ".join(plain_text(text).split()))


def plain_excerpt(text: str) -> str:
    """Return foreign text as one line without tags, addresses, Markdown and sentences that solicit."""
    return " ".join(without_solicitations(plain_text(text)).text.split())


def plain_text(text: str) -> str:
    """Return foreign text without tags, addresses and Markdown."""
    plain = _MARKDOWN_LINK.sub(lambda m: m[1], untagged(_LINK.sub(lambda m: m[2], text)))
    return without_addresses("\n".join(_EMPHASIS.sub("", _LINE_MARK.sub("", line)) for line in plain.splitlines()))


def plain_prose(answer: str, evidence: Iterable[Evidence], removed: str, known: str = "") -> str:
    """Return an answer as plain text: headings begin with `# `, items with `- `, sources are ids in brackets.

    `removed` replaces every other address, but for those that the text `known` has; one at Lovdata is «Lovdata».
    """
    by_address = {address: e for e in evidence for address in (e.url, e.lovdata_url)}

    def link(address: str, text: str) -> str:
        source = by_address.get(unescape(address.strip()))
        return f"{text} [{source.evidence_id}]" if source else text

    def bare(address: str) -> str:
        if source := by_address.get(address):
            return f"[{source.evidence_id}]"
        if known and address in known:
            return address
        return "Lovdata" if _AT_LOVDATA.fullmatch(address) else removed

    text = _LINK.sub(lambda m: link(m[1], m[2]), answer)
    text = _MARKDOWN_LINK.sub(lambda m: link(m[2], m[1]), text)
    text = _HEADING.sub(lambda m: f"\n\n{HEADING}{m[1]}\n\n", text)
    text = _BREAK.sub("\n", _ITEM.sub("\n- ", text))
    text = without_addresses(untagged(text), bare)
    text = "\n".join(_line(line) for line in _QUOTE_LINE.sub("", text).split("\n"))
    # Without its emphasis, 'https:**//evil.example' is an address too.
    return without_addresses(text, bare).strip()


def numbered_markers(text: str, ids: Mapping[int, str], pattern: str) -> str:
    """Return `text` with markers such as `[2]` and `(lovdata-1)` written as ids in brackets; unknown numbers go.

    Ids match the regular expression `pattern`.
    """
    text = re.sub(rf"[\[(]\s*({pattern}(?:\s*[,;]\s*{pattern})*)\s*[\])]", _bracket_each, text)
    return re.sub(r"\[(\d{1,2})\]", lambda m: f"[{ids[int(m[1])]}]" if int(m[1]) in ids else "", text)


def markers_of(text: str, ids: Container[str], pattern: str) -> str:
    """Return `text` with the markers of `ids` alone; other ids that match `pattern` go."""
    return re.sub(rf"\s*\[({pattern})\]", lambda m: m.group() if m[1] in ids else "", text)


def without_marks(text: str) -> str:
    """Return `text` without quotation marks."""
    return re.sub(r"[«»“”„\"‘’]", " ", text)


def _is_host(name: str, path: str | None) -> bool:
    """Whether words joined by full stops are the name of a host: 'evil.example', not 'loven.De' or 'f.eks'."""
    first, *rest = (label.strip("-_") for label in name.split("."))
    return first.casefold() == "www" or any(
        label.casefold() in _ENDINGS and (path is not None or not label.istitle() or len(label) > len("com"))
        for label in rest
    )


def _bracket_each(match: re.Match[str]) -> str:
    return "".join(f"[{part}]" for part in re.split(r"\s*[,;]\s*", match[1]))


def _line(line: str) -> str:
    heading = _HEADING_LINE.match(line)
    words = _EMPHASIS.sub("", (heading["a"] or heading["b"]) if heading else line).rstrip()
    return HEADING + words.strip(" :") if heading else words


def untagged(text: str) -> str:
    """Return `text` without tags, also those that only appear when entities are read."""
    for _ in range(4):
        cleaned = unescape(nh3.clean(text, tags=set(), attributes={}))
        if cleaned == text:
            break
        text = cleaned
    return defused(text)
