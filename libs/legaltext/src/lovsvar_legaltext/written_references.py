"""References known by their form alone: no names of a corpus are needed, and none is resolved.

`take_apart` is for questions; `named_in` is for answers, in bokmål, nynorsk and English, in figures and in words.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lovsvar_legaltext.refids import MONTHS
from lovsvar_legaltext.sections import AMOUNT
from lovsvar_legaltext.words import content_words

MAX_REFERENCES = 5
"""More than these in one question are not looked up."""

_FLAGS = re.VERBOSE | re.IGNORECASE
_NUMBER = r"(?: \d+\s?[a-hj-z]?(?![\wæøå]) (?:-\d+(?:\s?[a-hj-z](?![\wæøå]))?)? )"
_ORDINAL = r"(?: første|fyrste|annet|andre|tredje|fjerde|femte|sjette|sjuende|syvende|åttende|niende|tiende|\d+\. )"
_SECTIONS = rf"""
    (?: §§? | \bparagraf(?:en)? | \bsections? | \bsec\. ) \s* (?P<first>{_NUMBER})
    (?P<more> (?: \s* (?: , | og | til | – ) \s* (?: §\s* {_NUMBER} | {_NUMBER} (?! -\d | {AMOUNT} ) ) )* )
    (?P<ledd> (?: \s+ {_ORDINAL} \s+ ledd (?:et)? )? )
"""
_REFID = r"(?P<refid> (?: lov | forskrift | for ) [/-] \d{4}-\d{2}-\d{2} (?:-\d+)? )"
_ENGLISH_NAME = r"""
    (?-i: (?! (?:The|This|That|An?|Each|Any|Both|Under|In|See|By|If|When) \s )
      (?: [A-Z][\w-]+ \s+ (?: (?:and|of|on) \s+ (?:the\s+)? )? ){1,5} (?:Act|Regulations?|Code) (?!\w) )
"""
_BEFORE_NAME = r"(?: [\wæøå]+-\s+og\s+ | psykisk\s+ )?"
"""What belongs to a name of several words: "plan- og bygningsloven", "psykisk helsevernloven"."""

_NAME = rf"""
    (?P<name>
        {_ENGLISH_NAME}
      | (?: lov | forskrift | instruks ) \s+ om \s+ [^§?.,]{{3,80}}?
      | {_BEFORE_NAME} [\wæøå-]* (?: lov[ea]?n? | forskrift(?:a|en)? | instruks(?:en)? | reglement(?:et)? ) s?
      | [\wæøå-]{{2,12}}l\.?
      | [\wæøå-]{{2,7}}\.
      | (?-i: [A-ZÆØÅ]{{2,9}}\d{{0,4}} )
    )
"""
_PATTERNS = (
    re.compile(rf"\b {_REFID} (?: [/\s,]* {_SECTIONS} )?", _FLAGS),
    re.compile(rf"(?<![\wæøå-]) {_NAME} \s*,?\s* {_SECTIONS}", _FLAGS),
    re.compile(
        rf"""
        {_SECTIONS} \s+ (?: i | av | etter | (?:of|in|under) (?:\s+the)? ) \s+
        (?:Norwegian\s+)? {_NAME} (?![\wæøå-])
        """,
        _FLAGS,
    ),
)
_ALONE = re.compile(
    rf"""
    (?<![\wæøå-]) (?:Norwegian\s+)? (?P<name>
        (?P<english> {_ENGLISH_NAME} )
      | (?:
          {_BEFORE_NAME} [\wæøå-]{{3,}} (?: lov | forskrift | instruks | reglement ) (?: en | a | et )
        | grunnlov[ea]n?
        ) s?
    ) (?![\wæøå-])
    """,
    _FLAGS,
)
_BARE = re.compile(_SECTIONS, _FLAGS)
_EACH = re.compile(_NUMBER, _FLAGS)

_ANY_NUMBER = r"\d+(?:-\d+)?(?:\s?[a-hj-z](?!\w))?(?:-\d+)?"
_KINDS = r"""
    sections? | sec\. | paragraphs? | paragraf(?:en|ene|er|ar|ane)? | pgf\. | par\.
"""
_SECTION = re.compile(rf"\b(?:{_KINDS})\s*(?P<n>{_ANY_NUMBER})(?!\w)", re.IGNORECASE | re.VERBOSE)
_ARTICLE = re.compile(
    r"""
    (?P<act> (?<![\w-]) [\w-]{0,40}? (?: forordning | konvensjon | lov | avtale ) (?:en|a|ens|as|i)? \s+
           | \b (?-i: [A-ZÆØÅ]{2,6} ) \s+ )?
    \b (?: articles? | artikkel(?:en)? | artikl(?:er|ar|ene|ane) | art\. ) \s*
    (?P<n> \d+ (?: \s?[a-hj-z](?!\w) )? ) (?!\w)
    """,
    re.IGNORECASE | re.VERBOSE,
)
_OF_WHAT = re.compile(
    r"""
    (?: ,? \s+ (?: nr\.? \s* \d+ | bokstav \s+ \w | \(?\d+\)? | \w+ \s+ ledd ) )* \s*,? \s+
    (?: (?: i | av | etter | of | in | under ) \s+ (?:the\s+)? )?
    (?: (?-i: [A-ZÆØÅ] ) | [\w-]* (?: lov | forordning | konvensjon | avtale ) )
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""What follows the number of an article whose act is named after it."""

_TENS = """
    twenty thirty forty fifty sixty seventy eighty ninety hundred tjue tretti førti femti seksti sytti åtti nitti hundre
"""
_SPELLED = re.compile(
    rf"(?:\b(?:{_KINDS})|§+)\s*(?:nummer\s+|number\s+)?(?P<n>(?:{'|'.join(_TENS.split())})[\wæøå-]*)",
    re.IGNORECASE | re.VERBOSE,
)
_ANY_SIGN = re.compile(r"§+\s*[\w-]{0,40}")
_MORE = re.compile(
    rf"""
    \s* (?: , | ; | / | & | \b(?: og | eller | samt | jf\. | and | or | to | through | til )\b | [–-] ) \s* (?:§+\s*)?
    (?P<n> {_ANY_NUMBER} ) (?![\w-])
    (?! \.?\s* \d | {AMOUNT} )
    """,
    re.IGNORECASE | re.VERBOSE,
)
_DATED = re.compile(
    r"""
    \b (?: lov | forskrift | instruks | reglement ) \s+ (?: av \s+ | frå \s+ )? \d{1,2}\. \s* [a-zæøå]{3,9} \s+ \d{4}
    \s* ,? \s* (?: nr | nummer )\.? \s* \d+
    """,
    re.IGNORECASE | re.VERBOSE,
)
_DAY = re.compile(
    rf"\b\d{{1,2}}(?:\.?\s*(?:{'|'.join(MONTHS)})\b(?:\s+\d{{4}})?|\.\s?\d{{1,2}}\.\s?\d{{4}}\b)", re.IGNORECASE
)
_TITLED = re.compile(r"\b[Ll]ov\s+om\s+[^.,;:()?!§«»\[\]\n]{3,80}")
_CHAPTER = re.compile(
    r"""
    \b (?: kapittel(?:et)? | kapitlet | kap\. | chapter | ch\. ) \s*
    (?P<n> \d{1,3} (?!\d) (?: \s?[a-hj-z](?!\w) )? | (?-i: [IVX]{1,6} \b ) )
    """,
    re.IGNORECASE | re.VERBOSE,
)
_RIGHT_BEFORE = re.compile(r"[\s,]*(?:sin|sitt|sine)?\s*", re.IGNORECASE)
_RIGHT_AFTER = re.compile(r"\s+(?:i|av|of|in)\s+(?:the\s+)?", re.IGNORECASE)
_INDEFINITE = re.compile(r"\b(?:en|ei|ein|ny|nye|eigen|egen|ingen|noen|nokon|slik|annen|anna|ved)\s+$", re.IGNORECASE)
_ENGLISH_ACT = re.compile(
    r"\b(?:[A-ZÆØÅ][\w-]*\s+(?:(?:and|of|on|for|to|the|in)\s+){0,2}){1,8}(?:Act|Regulations?|Code|Ordinance)\b"
)
_ENGLISH_LEAD = re.compile(
    r"^(?:(?:The|This|That|Under|In|See|By|According|If|When|Each|Any|A|An|Both|to|the|and|of)\s+)+"
)
_NORWEGIAN_AFTER = re.compile(r"\s*\([^()]*(?:lov|forskrift)[^()]*\)", re.IGNORECASE)
_NORWEGIAN_BEFORE = re.compile(r"(?:lov|forskrift)\w*\s*\((?:the\s+)?$", re.IGNORECASE)


@dataclass(frozen=True)
class Reference:
    """A reference as it is sent to be resolved: `act` as written, `section` without its sign, or None.

    An empty `act` means that the question names a section and does not say of what.
    """

    act: str
    section: str | None = None
    ledd: str = ""

    @property
    def written(self) -> str:
        """The reference in one line: 'husleieloven § 3-5 annet ledd'."""
        parts = (self.act, f"§ {self.section}" if self.section else "", self.ledd)
        return " ".join(p for p in parts if p)


@dataclass(frozen=True)
class Asked:
    """A question taken apart: its references, and the words that are left when they are taken out."""

    references: tuple[Reference, ...]
    rest: str


@dataclass(frozen=True)
class Located:
    """Where a reference is in a text. Of several sections in one place ("§§ 3 og 4") there is one for each."""

    start: int
    end: int
    reference: Reference


def locate(text: str) -> tuple[Located, ...]:
    """Return every reference in `text`, in order; a section whose act is not named with it has an empty act.

    An act that is named in English, without a section, is none: `named_in` finds those.
    """
    found, rest = _named_sections(text)
    for match in _ALONE.finditer(rest):
        if not match["english"] and not _names_nothing(match["name"]):
            found.append(Located(match.start(), match.end(), Reference(_plain(match["name"]))))
    for match in _BARE.finditer(rest):
        found.extend(Located(match.start(), match.end(), r) for r in _references(match, ""))
    return tuple(sorted(found, key=lambda one: one.start))


def articles_without_act(question: str) -> tuple[str, ...]:
    """Return the numbers of the articles that a question names without saying of what: "artikkel 6"."""
    found = (m for m in _ARTICLE.finditer(question) if not m["act"] and not _OF_WHAT.match(question, m.end()))
    return tuple(dict.fromkeys(m["n"] for m in found))


def take_apart(question: str) -> Asked:
    """Return the references in `question` and what else it says.

    An act that is named together with a section is one reference; an act alone is one too, and stays
    in the rest, since its name often is the topic.
    """
    located, rest = _named_sections(question)
    found = [(one.start, one.reference) for one in located]
    alone = [(m.start(), Reference(m["name"])) for m in _ALONE.finditer(rest) if not _names_nothing(m["name"])]
    for match in _BARE.finditer(rest):
        act = alone[0][1].act if len(alone) == 1 else ""
        found.extend((match.start(), r) for r in _references(match, act))
        rest = _blank(rest, match.start(), match.end())
    named = {r.act.casefold() for _, r in found}
    found.extend(item for item in alone if item[1].act.casefold() not in named)
    ordered = [reference for _, reference in sorted(found, key=lambda item: item[0])]
    return Asked(tuple(dict.fromkeys(ordered))[:MAX_REFERENCES], " ".join(rest.split()))


def _named_sections(text: str) -> tuple[list[Located], str]:
    """Return references that name an act with a section, and `text` with blanks in their place."""
    found: list[Located] = []
    rest = text
    for pattern in _PATTERNS:
        for match in pattern.finditer(rest):
            if pattern is not _PATTERNS[0] and _names_nothing(match["name"]):
                continue
            found.extend(Located(match.start(), match.end(), r) for r in _references(match))
            rest = _blank(rest, match.start(), match.end())
    return found, rest


def _references(match: re.Match[str], act: str | None = None) -> Iterator[Reference]:
    groups = match.groupdict()
    name = act if act is not None else _plain(groups.get("refid") or groups.get("name") or "")
    if not groups["first"]:
        yield Reference(name)
        return
    more = _EACH.findall(groups["more"] or "")
    ledd = " ".join((groups["ledd"] or "").split())
    for number in (groups["first"], *more):
        yield Reference(name, " ".join(number.split()), ledd if not more else "")


def _plain(name: str) -> str:
    """Take the genitive off: 'husleielovens' names husleieloven."""
    name = " ".join(name.split())
    return name[:-1] if re.search(r"(?:en|a|et)s$", name, re.IGNORECASE) else name


def _names_nothing(name: str) -> bool:
    """Whether a word before a section sign is no name: 'i loven § 3', 'se § 3', 'jf. § 3'."""
    plain = _plain(name).casefold()
    return (
        not any(c.isalpha() for c in plain)
        or plain in {"jf.", "nr.", "pkt.", "kap.", "til.", "skal", "vil", "forskriften", "forskrifta"}
        or not (content_words(plain))
    )


def _blank(text: str, start: int, end: int) -> str:
    return text[:start] + " " * (end - start) + text[end:]


def named_in(text: str) -> tuple[Located, ...]:
    """Return every place that names an act or a section, in order; whatever has a section sign is one.

    An act named in English is passed over when its Norwegian name is next to it in brackets.
    """
    found = _Found(text)
    for match in _ARTICLE.finditer(text):
        act = " ".join((match["act"] or "").split())
        number = "".join(match["n"].split()).casefold()
        reference = Reference(f"{act} artikkel {number}") if act else Reference("", f"/a{number}")
        found.add(match.start(), match.end(), reference)
    for pattern in (_SPELLED, _SECTION):
        for match in pattern.finditer(text):
            found.add(match.start(), match.end(), Reference("", " ".join(match["n"].split())))
    for match in _ANY_SIGN.finditer(text):
        found.add(match.start(), match.end(), Reference("", match.group().lstrip("§ ") or "?"))
    for place in tuple(found.places):
        for start, end, number in _more(place, text):
            found.add(start, end, Reference(place.reference.act, number))
    for start, end, act in _acts(text):
        found.add(start, end, Reference(act))
    return tuple(sorted(found.places, key=lambda p: p.start))


def chapters_in(text: str) -> tuple[Located, ...]:
    """Return the chapters that `text` names by number: the act is the one named right before or after, if one is.

    The reference's section is written as the resolver reads it: 'kapittel 3'.
    """
    acts = [place for place in named_in(text) if place.reference.act and not place.reference.section]
    found = []
    for match in _CHAPTER.finditer(text):
        before = next((a for a in acts if _RIGHT_BEFORE.fullmatch(text, a.end, match.start())), None)
        after = next((a for a in acts if _RIGHT_AFTER.fullmatch(text, match.end(), a.start)), None)
        act = before or after
        numbers = "".join(match["n"].split())
        found.append(
            Located(
                match.start(), match.end(), Reference(act.reference.act if act else "", None, f"kapittel {numbers}")
            )
        )
    return tuple(found)


class _Found:
    """Places that do not overlap; the first comes first. Several names of one place are one place each.

    The number of a day of the month is no section: «fra 1. april 2021».
    """

    def __init__(self, text: str) -> None:
        self._days = [match.span() for match in _DAY.finditer(text)]
        self.places = [place for place in locate(text) if not self._is_of_day(place.start, place.end)]

    def add(self, start: int, end: int, reference: Reference) -> None:
        taken = any(p.start < end and start < p.end for p in self.places)
        if not taken and not self._is_of_day(start, end):
            self.places.append(Located(start, end, reference))

    def _is_of_day(self, start: int, end: int) -> bool:
        """Whether a place ends within a date."""
        return any(first < end < last and start < last for first, last in self._days)


def _more(place: Located, text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the sections that follow one: 'sections 3 and 4', '§ 3-2 eller 3-9'."""
    section, end = place.reference.section, place.end
    while section and (match := _MORE.match(text, end)):
        if ("-" in match["n"]) != ("-" in section):
            return
        yield match.start("n"), match.end("n"), " ".join(match["n"].split())
        end = match.end()


def _acts(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the acts that are named alone, otherwise than by one Norwegian word."""
    for match in _DATED.finditer(text):
        yield match.start(), match.end(), " ".join(match.group().split())
    for match in _TITLED.finditer(text):
        if not _INDEFINITE.search(text, max(match.start() - 12, 0), match.start()):
            yield match.start(), match.end(), " ".join(match.group().split())
    for match in _ENGLISH_ACT.finditer(text):
        name = _ENGLISH_LEAD.sub("", match.group())
        has_norwegian = _NORWEGIAN_AFTER.match(text, match.end()) or _NORWEGIAN_BEFORE.search(text[: match.start()])
        if " " in name and not has_norwegian:
            yield match.end() - len(name), match.end(), " ".join(name.split())
