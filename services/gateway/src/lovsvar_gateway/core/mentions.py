"""Mentions of paragraphs in a provision's text, and where they lead.

Lovdata's data links one mention in twenty. The others are linked where they plainly mean the document that they stand
in: no other law is named beside them, and the document has such a paragraph; and where another law's name stands right
before them. Which law the name means is found out when the link is followed. What may mean another law without naming
it so is not linked at all.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import quote

from lovsvar_contracts.identifiers import section_key
from lovsvar_contracts.law import Provision

_NAME = r"\d+(?:\s?[a-zæøå](?![a-zæøå]))?(?:-\d+(?:\s?[a-zæøå](?![a-zæøå]))?)?"
_MENTION = re.compile(rf"§§?\s*{_NAME}(?:(?:\s*,\s*|\s+(?:og|eller|til)\s+|\s*–\s*){_NAME})*")
_ONE = re.compile(rf"(?:§§?\s*)?({_NAME})")
REFERENCE = "/henvisning"
"""The address that leads on to what a written reference, its `ref`, names."""

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


@dataclass(frozen=True)
class Link:
    """A piece of text, by its offsets, that leads to `href`."""

    start: int
    end: int
    href: str


def sections_of(provisions: Iterable[Provision]) -> Mapping[str, str]:
    """Return the names of a document's sections by the form in which they are compared."""
    return {section_key(p.section): p.section for p in provisions}


def given_links(provision: Provision) -> Mapping[str, str]:
    """Return the address of each paragraph that the law itself links, by its compared name, where it is one address."""
    targets: dict[str, set[tuple[str, str]]] = {}
    for ref in provision.refs:
        refid, mark, rest = ref.partition("/§")
        if mark:
            section = "§" + rest.split("/")[0]
            targets.setdefault(section_key(section), set()).add((refid, section))
    return {
        key: f"#{quote(section)}" if refid == provision.refid else f"/{refid}#{quote(section)}"
        for key, found in targets.items()
        if len(found) == 1
        for refid, section in found
    }


def links_in(text: str, given: Mapping[str, str], own: Mapping[str, str]) -> Iterator[Link]:
    """Yield the links of `text`: `given` by the law itself, and `own` sections that are plainly meant."""
    if "§" not in text:
        return
    elsewhere_until = 0
    for mention in _MENTION.finditer(text):
        foreign = mention.start() < elsewhere_until or not _means_own(text, mention)
        if foreign:
            end = _SENTENCE_END.search(text, mention.end())
            elsewhere_until = end.end() if end else len(text)
        law = _NAMED.search(text, max(0, mention.start() - _MAX_NAME), mention.start())
        for one in _ONE.finditer(text, mention.start(), mention.end()):
            for name in dict.fromkeys((one[1], one[1].removesuffix(_IN))):
                key = section_key("§" + name)
                href = given.get(key) or (f"#{quote(own[key])}" if not foreign and key in own else None)
                if href is None and law is not None and not one[1].endswith(_IN):
                    href = f"{REFERENCE}?ref={quote(f'{law[1]} § {name}')}"
                if href:
                    yield Link(one.start(), one.end() - len(one[1]) + len(name), href)
                    break


def _means_own(text: str, mention: re.Match[str]) -> bool:
    before = _BEFORE.search(text, 0, mention.start())
    if before is not None and not _OWN.fullmatch(before[1]):
        return False
    end = mention.end() - len(_IN) * mention[0].endswith(_IN)
    if before is None and _AMENDS.match(text, end):
        return False
    return _ELSEWHERE.match(text, end) is None
