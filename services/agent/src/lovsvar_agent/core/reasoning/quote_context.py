"""What a quote is cut from: whether it is a clause at all, and the whole sentence around it."""

import re

from lovsvar_legaltext.sentences import sentence_spans

LEAST_WORDS = 4
"""Words of a clause."""

WITHOUT_VERB = 8
"""Words from which a text is taken to have a verb even if none is seen in it."""

MAX_CONTEXT = 900
"""Characters of a context; a list goes on for as many items as there is room for."""

_WORD = re.compile(r"[^\W_]+")
_VERBS_TEXT = """
    er var har hadde kan kunne skal skulle må måtte bør vil får fikk blir ble vert vart gjelder gjeld plikter pliktar
    gir gjev går står tar tek ser sjår betyr følger følgjer dømmes is are was has have may shall must can applies
"""
_VERBS = frozenset(_VERBS_TEXT.split())
_NO_VERBS_TEXT = """
    dager dagar uker veker måneder månader kroner timer timar etter eller under over enten heller utover herunder
    år årets leieforholdet ledd punktum annet andre anna eit ein dei ens noe noen hver kvar minst høyst
    dags års måneds ukers vekers timers
"""
_NO_VERBS = frozenset(_NO_VERBS_TEXT.split())
_VERB_ENDINGS = ("er", "ar", "es", "ast", "tes", "des", "te", "dde")
_LABEL = re.compile(r"(?:\([a-zæøå0-9]{1,3}\)|[a-zæøå]{1,2}[.)]|\d{1,2}[.)]|[ivx]{1,4}[.)]|[-–—•])\s+")
_ITEM = re.compile(r"(?!\(\d)" + _LABEL.pattern)
"""A label of an item; "(2)" is that of a ledd."""

_GOES_ON = re.compile(
    r"""(?: dette | det | disse? | denne | første\s+punktum | fyrste\s+punktum | bestemmelsen | regelen | føresegna )\s+
      (?:\w+\s+){0,2}? (?:gjelder|gjeld|kommer|kjem) \s+ (?:likevel\s+)? (?: ikke | ikkje | bare | berre | kun )
      | unntak | unnatak | likevel""",
    re.IGNORECASE | re.VERBOSE,
)
"""How a sentence begins that takes back some of the one before it."""


def is_clause(quote: str, text: str, start: int, end: int) -> bool:
    """Whether a quote, from `start` to `end` of its `text`, says something.

    It has some words and a verb, or is a whole sentence or line.
    """
    words = _WORD.findall(quote)
    if len(words) >= LEAST_WORDS and (has_verb(quote) or quote_is_line(text, start, end, *_sentence(text, start))):
        return True
    first, last = _line(text, start)[0], _line(text, end)[1]
    return len(words) >= 2 and quote_is_line(text, start, end, first, last)


def has_verb(text: str) -> bool:
    """Whether there is a verb in `text`, as far as its form shows; a long one has one that is not seen."""
    words = _WORD.findall(text)
    return len(words) >= WITHOUT_VERB or any(map(_may_be_verb, words))


def quote_is_line(text: str, start: int, end: int, first: int, last: int) -> bool:
    """Whether `start` to `end` is all of the lines from `first` to `last`, but for a label and a mark at the end."""
    label = _LABEL.match(text, first)
    return start <= (label.end() if label else first) and not any(c.isalnum() for c in text[end:last])


def context(text: str, start: int, end: int) -> tuple[int, int]:
    """Return from where to where the whole sentences around a quote are in its `text`.

    A sentence that leads to a list goes on through it, an item begins with what leads to its list, and what follows
    belongs to it when it takes something back ("Dette gjelder likevel ikke …").
    """
    first, last = _sentence(text, start)[0], _sentence(text, max(end - 1, start))[1]
    _, line_end = _line(text, last)
    if _leads_to_list(text, last):
        last = _list_end(text, line_end, first)
    elif following := _next_sentence(text, last, line_end):
        last = following
    line_start = _line(text, first)[0]
    if _ITEM.match(text, line_start) and (lead := _lead(text, line_start)) is not None and last - lead <= MAX_CONTEXT:
        first = lead
    return first, last


def cut_away(text: str, start: int, end: int) -> tuple[str, str]:
    """Return what of its own sentences is before a quote and after it, with the list that they lead to.

    A sentence that ends with a full stop is whole: the list after it may be that of one before it in its paragraph.
    """
    first, last = _sentence(text, start)[0], _sentence(text, max(end - 1, start))[1]
    if text[last - 1 : last] != "." and _leads_to_list(text, last):
        last = _list_end(text, _line(text, last)[1], first)
    return text[first:start], text[end:last]


def _may_be_verb(word: str) -> bool:
    word = word.casefold()
    return word in _VERBS or (len(word) > 3 and word not in _NO_VERBS and word.endswith(_VERB_ENDINGS))


def _line(text: str, at: int) -> tuple[int, int]:
    begin = text.rfind("\n", 0, at) + 1
    end = text.find("\n", at)
    return begin, len(text) if end < 0 else end


def _sentence(text: str, at: int) -> tuple[int, int]:
    begin, end = _line(text, at)
    label = _LABEL.match(text, begin)
    for start, stop in sentence_spans(text, label.end() if label and at >= label.end() else begin, end):
        if at < stop:
            return start, stop
    return begin, end


def _leads_to_list(text: str, last: int) -> bool:
    """Whether the sentence that ends at `last` ends its line, and an item of a list comes next."""
    line_start, line_end = _line(text, last)
    if _ITEM.match(text, line_start):
        return False
    return not text[last:line_end].strip() and bool(_ITEM.match(text, line_end + 1))


def _next_sentence(text: str, last: int, line_end: int) -> int | None:
    rest = text[last:line_end]
    following = next(sentence_spans(text, last + len(rest) - len(rest.lstrip()), line_end), None)
    return following[1] if following and _GOES_ON.match(text, following[0]) else None


def _list_end(text: str, line_end: int, first: int) -> int:
    last = line_end
    while last < len(text) and _ITEM.match(text, last + 1):
        _, end = _line(text, last + 1)
        if end - first > MAX_CONTEXT:
            break
        last = end
    return last


def _lead(text: str, line_start: int) -> int | None:
    """Return where the words before the list begin that the line at `line_start` is an item of."""
    at = line_start
    while at > 0:
        begin, end = _line(text, at - 1)
        if not _ITEM.match(text, begin):
            *_, sentence = sentence_spans(text, begin, end) or [(begin, end)]
            return sentence[0]
        at = begin
    return None
