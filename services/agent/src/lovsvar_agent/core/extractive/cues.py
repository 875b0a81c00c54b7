"""Signs that a question asks for an amount or a time, and that a passage gives one."""

import re
from functools import lru_cache

_FLAGS = re.VERBOSE | re.IGNORECASE

_NUMBER = r"""
    (?: \d[\d .,]{0,12} | én | ett | en | to | tre | fire | fem | seks | sju | syv | åtte | ni | ti | elleve | tolv
      | fjorten | femten | seksten | atten | tjue | tretti | seksti | nitti | hundre )
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


_ASKS_PRICE = re.compile(
    r"""
    \b(?:hva|kva|hvor\s+mye|kor\s+mykje)\s+(?:\w+\s+){0,2}kost(?:e[rt]?|ar?)
  | \b(?:hva|kva)\s+er\s+prisen | \bpris(?:en)?\s+på\b
  | \bhow\s+much\s+(?:does|do|is|will|would)\b.*\b(?:cost|price) | \bprice\s+of\b | \bi\s+kroner\b
    """,
    _FLAGS,
)


def asks_price(question: str) -> bool:
    """Whether `question` asks for a price or an exact sum of money, which the law seldom states."""
    return bool(_ASKS_PRICE.search(question))


def sign(question: str, passage: str) -> float:
    """Return how plainly `passage` gives the amount or time that `question` asks for, from 0 to 3.5.

    An amount or time counts 2, and that it is a limit ("høyst") 1.5 more. Where an amount is asked
    for, a time must be a limit to count: "hvor mye overtid" is answered in hours.
    """
    asks_amount, asks_time = _asks(question)
    if not (asks_amount or asks_time):
        return 0.0
    limit, gives_time = _LIMIT.search(passage) is not None, _TIME.search(passage) is not None
    given = (asks_amount and (_AMOUNT.search(passage) or (gives_time and limit))) or (asks_time and gives_time)
    return 2.0 + 1.5 * limit if given else 0.0


@lru_cache(maxsize=128)
def _asks(question: str) -> tuple[bool, bool]:
    """Return whether a question asks for an amount, and whether for a time."""
    return _ASKS_AMOUNT.search(question) is not None, _ASKS_TIME.search(question) is not None
