"""Signs that a question asks for an amount or a time, and that a passage gives one."""

import re

_FLAGS = re.VERBOSE | re.IGNORECASE

_NUMBER = r"""
    (?: \d[\d .,]* | én | ett | en | to | tre | fire | fem | seks | sju | syv | åtte | ni | ti | elleve | tolv | fjorten
      | femten | seksten | atten | tjue | tretti | seksti | nitti | hundre )
"""

_ASKS_AMOUNT = re.compile(
    r"\b(?:hvor|kor)\s+(?: mye | mykje | mange | stor\w* | høy\w* | høg\w* ) | \bbeløp | \bmaks", _FLAGS
)
_ASKS_TIME = re.compile(
    r"""
    \b(?:hvor|kor)\s+(?:lang | lenge | tidle?i?g | sent | seint | ofte | gammel | gamal)
  | \b(?:hvor|kor)\s+mange\s+(?:dag | uke | veke | måne?d | år | time)
  | \bnår\b | frist | \bvarighet
    """,
    _FLAGS,
)
_AMOUNT = re.compile(
    rf"""
    \b{_NUMBER}\s+(?:prosent | pst | kroner | kr | ganger | gonger | grunnbeløp\w* | årslønn\w*)
  | \b{_NUMBER}\s+(?:dagers | ukers | vekers | måneders | månaders | års)
  | \bkr\.?\s*\d | \bhalvparten\b | (?:tredje|fire|fjerde|ti)del | \brettsgebyr | \bgrunnbeløpet\b | \bsummen\s+av\b
    """,
    _FLAGS,
)
_TIME = re.compile(
    rf"""
    \b{_NUMBER}\s+(?:\w+\s+)?
      (?: timer?s? | timar | dager?s? | dagar | døgn | uker?s? | veker? | måned(?:er)?s? | månad(?:er)?s? | års? )\b
  | \bstraks\b | \buten\s+ugrunnet\s+opphold\b | \bsenest\b | \bseinast\b | frist(?:en|er|ene|a)?\b
    """,
    _FLAGS,
)
_LIMIT = re.compile(
    r"""
    \binntil\b | \bhøyst\b | \bhøgst\b | \bminst\b | \bmaksimalt\b | \boppad\s+begrenset\b | \bikk(?:e|je)\s+overstige\b
  | \bikke\s+være\s+(?:høyere|lengre|lenger)\b | \bme[ir]+\s+enn\b | \bpå\s+det\s+meste\b | \bopp\s+til\b
    """,
    _FLAGS,
)


def sign(question: str, passage: str) -> float:
    """Return how plainly `passage` gives what `question` asks for: an amount or a time (2), and its limit (1.5).

    0 when the question asks for neither, or the passage gives none.
    """
    asked = (_ASKS_AMOUNT, _AMOUNT), (_ASKS_TIME, _TIME)
    if not any(asks.search(question) and gives.search(passage) for asks, gives in asked):
        return 0.0
    return 3.5 if _LIMIT.search(passage) else 2.0
