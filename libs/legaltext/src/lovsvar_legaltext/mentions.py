"""Mentions of sections in a provision's text, and whether each plainly means a section of the same document.

It does where no other law is named with it. Where another law's name comes right before it, that law is meant. What
may mean another law without naming it so means nothing that is known.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_NAME = r"\d+(?:\s?[a-zæøå](?![a-zæøå]))?(?:-\d+(?:\s?[a-zæøå](?![a-zæøå]))?)?"
_MENTION = re.compile(rf"§§?\s*{_NAME}(?:(?:\s*,\s*|\s+(?:og|eller|til)\s+|\s*–\s*){_NAME})*")
_ONE = re.compile(rf"(?:§§?\s*)?({_NAME})")
_MAX_NAME = 80
_IN = " i"
"""May be the letter of «§ 216 i», and the word of «§ 3-1 i denne loven»."""
_BEFORE = re.compile(r"(\w+)\W*$")
_SENTENCE_END = re.compile(r"[.;:]\s+(?=[A-ZÆØÅ(])")
_OWN = re.compile(
    r"av|at|både|bestemmelsene?|dersom|eller|enn|etter|for|fra|frå|før|føresegnene|følger|følgjer|gjelder|gjeld|i|innen|"
    r"jamfør|jfr?|med|mot|når|og|om|på|reglane|reglene|se|som|til|under|unntak|ved|vilkårene",
    re.IGNORECASE,
)
"""Words before a mention that name no law."""
_ELSEWHERE = re.compile(
    r"[^.;§]{0,60}?\b(?:i|av|til)\s+(?!(?:denne|loven\b|lova\b|forskriften\b|forskrifta\b))"
    r"(?:lov|forskrift|\w+(?:loven|lova|lov|forskriften|forskrifta|forskrift|konvensjonen))\b"
)
_NAMED = re.compile(
    r"(?<![\w-])((?:[a-zæøå]+-\s+og\s+)?[A-ZÆØÅa-zæøå][\w-]*(?:loven|lova|forskriften|forskrifta))\s+$",
)
"""The name of a law that a mention follows: «plan- og bygningsloven § 20-9»."""
_AMENDS = re.compile(r"[^.;]{0,80}?\b(?:skal lyde|skal lyda|oppheves|blir oppheva|endres|blir ny)\b")


@dataclass(frozen=True, slots=True)
class Mention:
    """A section that is mentioned, with its sign if it has one. `numbers` are what may be meant, the likeliest first.

    `own` is whether it plainly is one of the same document, `act` the name of the act that it follows, "" for none.
    """

    start: int
    end: int
    numbers: tuple[str, ...]
    own: bool
    act: str


def find_mentions(text: str) -> Iterator[Mention]:
    """Yield the sections that `text` mentions, in reading order, each item of a list by itself."""
    elsewhere_until = 0
    for mention in _MENTION.finditer(text) if "§" in text else ():
        own = mention.start() >= elsewhere_until and _means_own(text, mention)
        if not own:
            end = _SENTENCE_END.search(text, mention.end())
            elsewhere_until = end.end() if end else len(text)
        act = _NAMED.search(text, max(0, mention.start() - _MAX_NAME), mention.start())
        for one in _ONE.finditer(text, mention.start(), mention.end()):
            numbers = tuple(dict.fromkeys((one[1], one[1].removesuffix(_IN))))
            yield Mention(one.start(), one.end(), numbers, own, act[1] if act else "")


def _means_own(text: str, mention: re.Match[str]) -> bool:
    before = _BEFORE.search(text, max(0, mention.start() - _MAX_NAME), mention.start())
    if before is not None and not _OWN.fullmatch(before[1]):
        return False
    end = mention.end() - len(_IN) * mention[0].endswith(_IN)
    if before is None and _AMENDS.match(text, end):
        return False
    return _ELSEWHERE.match(text, end) is None
