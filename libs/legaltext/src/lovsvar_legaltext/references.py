"""References as people and machines write them.

A reference is an act (by name, abbreviation, date and number, refid or legacy id), with a section, a range of sections,
an article or a chapter of it, and the place inside. It lists the sections that it may mean, whether they exist or not.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from lovsvar_contracts.identifiers import section_key
from lovsvar_contracts.law import LawType
from lovsvar_contracts.search import MAX_REFERENCES
from lovsvar_legaltext.act_names import CLOSING_BRACKET, ActNames
from lovsvar_legaltext.no_act import act_before
from lovsvar_legaltext.pinpoints import NOWHERE, Pinpoint
from lovsvar_legaltext.refids import TYPES, month_number
from lovsvar_legaltext.sections import SIGN, Section, read_sections

_DATE = r"(?P<date>\d{4}-\d{2}-\d{2})(?:(?:-|\s*,?\s*(?:nr|nummer)\.?\s*)(?P<nr>\d+))?(?P<nynorsk>-nn\b)?"
_MACHINE = re.compile(
    rf"\b(?P<type>{'|'.join(TYPES)})(?:[/-]|\s+(?:av\s+)?){_DATE}"
    r"(?:[/#](?:(?P<article>(?:\w+/)*a(?:\d+\w*|[ivxlc]+)\b)|(?P<path>(?:[\w~-]+/)+)(?=§)))?",
    re.IGNORECASE,
)
_DAY = (
    r"(?P<day>\d{1,2})\.?\s*(?P<month>\d{1,2}\.|[a-zæøå]{3,9}\.?)\s*"
    r"(?P<year>\d{4})(?:\s*,?\s*(?:nr|nummer|no)\.?\s*(?P<number>\d+))?"
)
_DATED = re.compile(
    rf"\b(?P<type>{'|'.join(TYPES)})(?:\s+av)?\s+{_DAY}(?P<about>\s+om\b[^§]{{0,200}}(?=§))?", re.IGNORECASE
)
_DASHES = str.maketrans("\u2010\u2011\u2012\u2212", "----")
_BETWEEN = re.compile(
    r"[\s.,:;/#)\]»”\"–-]*(?:(?:sin|sitt|kap|kapittel|kapitlet)\.?\s*(?:\d+\s?[a-z]?)?[\s,]*)?", re.IGNORECASE
)
_YEAR = re.compile(
    rf"(?:[.»”\"]{{0,2}}\s*\(?(?:av|fra|frå)\s+(?:{_DAY}(?!\w)|(?P<of>1[2-9]\d\d|20\d\d)\b(?!\)?[-–/.]?\d))"
    r"|\s*\(?(?P<only>1[89]\d\d|20\d\d)\b(?!\)?[-–/.]?\d))\)?",
    re.IGNORECASE,
)
"""The year, or the day, after a name."""
_AFTER = re.compile(r"[\s,(]*(?:(?:i|av|etter|fra|frå)\s+)?(?:(?:den|gjeldende|dagens)\s+)*[(«“\"]?", re.IGNORECASE)
_OPENING = re.compile(r"\s*[(\[]\s*")
_ENDS_A_NUMBER = re.compile(r"\d/$")
"""The number before «EF» in «95/46/EF», which is then no name."""


@dataclass(frozen=True, slots=True)
class Reference:
    """One reference in a text, from `start` to `end`.

    `refids` are the acts that it may name (none: `act_text` is not a known act). `sections` are the section keys that
    it may mean; none: the whole act, or its chapter `chapter` ("2a"). `span` has the first and last key of a range. It
    counts if its first is among `sections`, else only if none of those exists: «5–8» is a number and a range.
    `instead` counts only if none of `sections` exists. `exact` keys do not mean the same number elsewhere in the act.
    `law_type` is that of «loven» or «forskriften» without a name. `others` are acts that have the name too, and that it
    does not mean without more.
    """

    start: int
    end: int
    text: str
    act_text: str
    refids: tuple[str, ...]
    sections: tuple[str, ...] = ()
    pinpoint: Pinpoint = NOWHERE
    span: tuple[str, str] | None = None
    chapter: str | None = None
    instead: tuple[str, ...] = ()
    exact: bool = False
    law_type: LawType | None = None
    others: tuple[str, ...] = ()

    @property
    def ledd(self) -> int | None:
        """The ledd, from 1, or `LAST`."""
        return self.pinpoint.ledd


@dataclass(frozen=True, slots=True)
class _Act:
    start: int
    end: int
    refids: tuple[str, ...]
    prefix: str | None = None
    weak: bool = False
    article: str | None = None
    path: str = ""
    others: tuple[str, ...] = ()
    by: Literal["name", "date", "refid"] = "name"


def find_references(text: str, names: ActNames) -> list[Reference]:
    """Return the references in `text`, at most `MAX_REFERENCES`, in reading order, each once."""
    text = text.translate(_DASHES)
    acts = _acts(text, names)
    found: list[Reference] = []
    used: set[_Act] = set()
    for listed in read_sections(text, [(act.start, act.end) for act in acts]):
        act = _act_next_to(text, listed[0].start, listed[-1].end, acts)
        if act is not None:
            used.add(act)
        for section in listed:
            reference = _with_section(text, section, act, names)
            found += [replace(reference, pinpoint=pinpoint) for pinpoint in section.pinpoints]
    alone = text.strip(" .,;:?!\"'«»()")
    for act in acts:
        name = text[act.start : act.end]
        if act not in used and (not act.weak or name == alone):
            sections = (section_key(act.article),) if act.article else ()
            whole = Reference(act.start, act.end, name, name, act.refids, sections, exact=bool(sections))
            found.append(replace(whole, others=act.others))
    found.sort(key=lambda reference: reference.start)
    distinct: dict[tuple[object, ...], Reference] = {}
    for ref in found:
        # Without an act, the one named before may be meant.
        before = next((act.refids for act in reversed(acts) if act.end <= ref.start), ())
        meant = ref.refids or ref.act_text or (ref.law_type, before)
        distinct.setdefault((meant, ref.sections, ref.span, ref.chapter, ref.pinpoint), ref)
    return list(distinct.values())[:MAX_REFERENCES]


def _acts(text: str, names: ActNames) -> list[_Act]:
    """Return the acts that `text` names, in reading order, without overlaps.

    A name that contains a date or refid, like some titles, counts as the name; else the date or refid counts.
    """
    named = [
        _Act(one.start, one.end, one.refids, one.prefix, one.weak, others=one.others)
        for one in names.find(text)
        if not _ENDS_A_NUMBER.match(text, max(0, one.start - 2), one.start)
    ]
    written = [
        act
        for core, act in _written(text, names)
        if not any(title.start <= act.start and core <= title.end for title in named)
    ]
    named = [name for name in named if not any(act.start < name.end and name.start < act.end for act in written)]
    return [_of_year(text, act) for act in _mentions(text, sorted([*named, *written], key=lambda act: act.start))]


def _written(text: str, names: ActNames) -> Iterator[tuple[int, _Act]]:
    """Yield the acts that are named by refid or date, each with the end of those; the act may end later."""
    for match in _MACHINE.finditer(text):
        number = f"-{match['nr']}" if match["nr"] else ""
        nynorsk = (match["nynorsk"] or "").casefold()
        refid = f"{TYPES[match['type'].casefold()]}/{match['date']}{number}{nynorsk}"
        known = (refid,) if names.get(refid) else ()
        yield match.end(), _Act(*match.span(), known, article=match["article"], path=match["path"] or "", by="refid")
    for match in _DATED.finditer(text):
        if day := _day(match):
            dated = f"{TYPES[match['type'].casefold()]}/{day}"
            core = match.end("number") if match["number"] else match.end("year")
            yield core, _Act(*match.span(), (dated,) if names.get(dated) else (), by="date")


def _mentions(text: str, acts: Iterable[_Act]) -> list[_Act]:
    """Return the acts, with a name in brackets joined to the act before: «lov om straff (strl.)»."""
    mentions: list[_Act] = []
    for act in acts:
        last = mentions[-1] if mentions else act
        both = tuple(refid for refid in last.refids if refid in act.refids)
        closing = CLOSING_BRACKET.match(text, act.end)
        if both and closing and _OPENING.fullmatch(text, last.end, act.start):
            prefix, weak = last.prefix or act.prefix, last.weak and act.weak
            mentions[-1] = replace(last, end=closing.end(), refids=both, prefix=prefix, weak=weak)
        else:
            mentions.append(act)
    return mentions


def _of_year(text: str, act: _Act) -> _Act:
    """Return an act, or the one of its name and the year or day after it: «straffeloven 1902».

    A day before those of all acts of the name means an act that is not stored; a later one may be any day.
    """
    match = _YEAR.match(text, act.end) if act.by == "name" and act.refids else None
    day = match and (match["of"] or match["only"] or _day(match))
    if not match or not day:
        return act
    dated = {refid: refid.partition("/")[2] for refid in (*act.refids, *act.others)}
    meant = tuple(refid for refid, its in dated.items() if f"{its}-".startswith(f"{day}-"))
    if meant or all(day < its[: len(day)] for its in dated.values()):
        return replace(act, end=match.end(), refids=meant)
    return act


def _day(match: re.Match[str]) -> str | None:
    """Return a written date and its number as in a refid: 1999-03-26-17. None if it is no date."""
    month = month_number(match["month"])
    if not month:
        return None
    day = f"{match['year']}-{month:02d}-{int(match['day']):02d}"
    return f"{day}-{int(match['number'])}" if match["number"] else day


def _act_next_to(text: str, start: int, end: int, acts: list[_Act]) -> _Act | None:
    """Return the act next to sections: before them, else after them with `i`, `av` between."""
    for act in reversed(acts):
        if act.end <= start and _BETWEEN.fullmatch(text, act.end, start):
            return act
    for act in acts:
        if act.start >= end and (between := _AFTER.fullmatch(text, end, act.start)):
            # In «bufl. § 9, ekteskapsloven § 56» the second act has its own section.
            own = SIGN.match(text, _BETWEEN.match(text, act.end).end())  # type: ignore[union-attr]  # may be empty
            return None if own and not between[0].strip(" ,(") else act
    return None


def _with_section(text: str, section: Section, act: _Act | None, names: ActNames) -> Reference:
    start = min(section.start, act.start) if act else section.start
    end = max(section.end, act.end) if act else section.end
    name, law_type = (text[act.start : act.end], None) if act else ("", None)
    if act is None and section.kind != "chapter":
        name, law_type = act_before(text, start)
    refids, others = (act.refids, act.others) if act else ((), ())
    reference = Reference(start, end, text[start:end], name, refids, law_type=law_type, others=others)
    if section.kind == "chapter":
        return replace(reference, chapter=section_key(section.numbers[0]))
    if section.kind == "section" or act is None:
        span = (_paragraph(section.span[0])[0], _paragraph(section.span[1])[0]) if section.span else None
        keys = tuple(key for number in section.numbers for key in _paragraph(number))
        if act and act.by == "refid" and section.start == act.end + (not act.path):
            keys = tuple(section_key(act.path) + key for key in keys)
            return replace(reference, sections=keys, span=span, exact=text[section.start - 1] in "/#")
        return replace(reference, sections=keys, span=span)
    return _with_article(reference, [section_key(number) for number in section.numbers], act, names)


def _with_article(reference: Reference, numbers: list[str], act: _Act, names: ActNames) -> Reference:
    if act.prefix:
        plain = all(names.has_one_part(refid) for refid in act.refids)
        prefixes = act.prefix.split("|")
        sections = tuple(section_key(f"{prefix}{number}") for number in numbers for prefix in prefixes)
        instead = tuple(f"a{number}" for number in numbers) if plain else ()
        return replace(reference, sections=sections, instead=instead, exact=True)
    prefixes = ["", *(f"{part}/" for refid in act.refids for part in names.parts(refid))]
    return replace(reference, sections=tuple(f"{prefix}a{number}" for number in numbers for prefix in prefixes))


def _paragraph(number: str) -> tuple[str, ...]:
    """Return the keys of a section's number; a few documents print it with an en dash."""
    key = section_key(f"§{number}").replace("–", "-")
    return (key, key.replace("-", "–")) if "-" in key else (key,)
