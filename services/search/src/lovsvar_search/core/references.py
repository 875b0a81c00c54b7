"""References as people and machines write them.

Read here: an act (by name, abbreviation, date and number, refid or legacy id), a section or article of it,
and a ledd. Whether the section exists is not known here; a reference lists what it may mean.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from urllib.parse import unquote

from lovsvar_contracts.identifiers import section_key
from lovsvar_search.core.act_names import ActNames
from lovsvar_search.core.analysis import SECTION_NUMBER

MAX_REFERENCES = 10

_TYPES = {
    "lov": "lov", "for": "forskrift", "forskrift": "forskrift", "ved": "vedtak", "vedtak": "vedtak",
    "ins": "instruks", "instruks": "instruks", "reg": "reglement", "reglement": "reglement", "vedlegg": "vedlegg",
}  # fmt: skip
_MONTHS = ("jan", "feb", "mar", "apr", "mai", "jun", "jul", "aug", "sep", "okt", "nov", "des")
_ORDINALS = {
    "første": 1, "fyrste": 1, "annet": 2, "andre": 2, "tredje": 3, "fjerde": 4, "femte": 5, "sjette": 6,
    "sjuende": 7, "syvende": 7, "åttende": 8, "niende": 9, "tiende": 10,
}  # fmt: skip

_DATE = r"(?P<date>\d{4}-\d{2}-\d{2}(?:-\d+)?(?:-nn\b)?)"
_MACHINE = re.compile(
    rf"\b(?P<type>{'|'.join(_TYPES)})[/-]{_DATE}(?:[/#](?P<article>(?:\w+/)*a(?:\d+\w*|[ivxlc]+)\b))?", re.IGNORECASE
)
_DATED = re.compile(
    rf"\b(?P<type>{'|'.join(_TYPES)})(?:\s+av)?\s+(?P<day>\d{{1,2}})\.?\s*(?P<month>\d{{1,2}}\.|[a-zæøå]{{3,9}}\.?)\s*"
    r"(?P<year>\d{4})(?:\s*,?\s*(?:nr|nummer|no)\.?\s*(?P<number>\d+))?(?:\s+om\b[^§]{0,200}(?=§))?",
    re.IGNORECASE,
)
_SIGN = re.compile(
    rf"(?:(?P<sign>§{{1,2}}|\bparagraf(?:ene|en|ar|er)?\b|\bpgf\.?|\bpar\.)\s*(?P<number>{SECTION_NUMBER})"
    r"|(?:\bart(?:ikkel(?:en)?|\.)?\s*|(?<=\w/)a)(?P<article>\d+(?:\s?[a-z](?!\w))?|[ivxlc]+)\b)",
    re.IGNORECASE,
)
_BARE = re.compile(r"[\s,]+(?P<number>\d+-\d+[a-z]?)\b(?!-)", re.IGNORECASE)
_NEXT = re.compile(rf"\s*(?:,|og|eller|til|jf\.?|jfr\.?)\s*(?P<sign>§*)\s*(?P<number>{SECTION_NUMBER})", re.IGNORECASE)
_LEDD = re.compile(
    rf"\s*,?\s*(?:(?P<word>{'|'.join(_ORDINALS)})\s+ledd\b|(?P<count>\d{{1,2}})\.\s*ledd\b"
    r"|ledd\s+(?P<after>\d{1,2})\b|\((?P<bracket>\d{1,2})\))",
    re.IGNORECASE,
)
_BETWEEN = re.compile(
    r"[\s.,:;/#–-]*(?:(?:sin|sitt|kap|kapittel|kapitlet)\.?\s*(?:\d+\s?[a-z]?)?[\s,]*)?", re.IGNORECASE
)
_AFTER = re.compile(r"[\s,(]*(?:(?:i|av|etter|fra|frå)\s+)?(?:(?:den|gjeldende|dagens)\s+)*", re.IGNORECASE)
_UNKNOWN_ACT = re.compile(r"(\w[\w-]*\.?)\s*$")


@dataclass(frozen=True, slots=True)
class Reference:
    """One reference found in a text.

    `refids` are the acts it may name (none: `act_text` is no act that is known). `sections` holds the section
    keys that it may mean; none: the whole act.
    """

    start: int
    end: int
    text: str
    act_text: str
    refids: tuple[str, ...]
    sections: tuple[str, ...] = ()
    ledd: int | None = None


@dataclass(frozen=True, slots=True)
class _Act:
    start: int
    end: int
    refids: tuple[str, ...]
    prefix: str | None = None
    weak: bool = False
    article: str | None = None


@dataclass(frozen=True, slots=True)
class _Section:
    start: int
    end: int
    number: str
    article: bool
    follows: bool
    ledd: int | None


def find_references(text: str, names: ActNames) -> list[Reference]:
    """Return the references in `text`, at most ten, in reading order, each once."""
    text = unquote(text)
    acts = _acts(text, names)
    found: list[Reference] = []
    used: set[_Act] = set()
    previous: _Act | None = None
    for section in _sections(text, acts):
        act = previous if section.follows else _act_beside(text, section, acts)
        previous = act
        if act is not None:
            used.add(act)
        found.append(_with_section(text, section, act, names))
    alone = text.strip(" .,;:?!\"'«»()")
    for act in acts:
        name = text[act.start : act.end]
        if act not in used and (not act.weak or name == alone):
            sections = (section_key(act.article),) if act.article else ()
            found.append(Reference(act.start, act.end, name, name, act.refids, sections))
    distinct = {(ref.refids or ref.act_text, ref.sections): ref for ref in sorted(found, key=lambda r: -r.start)}
    return sorted(distinct.values(), key=lambda ref: ref.start)[:MAX_REFERENCES]


def _acts(text: str, names: ActNames) -> list[_Act]:
    """Return every act that `text` names, in reading order, none inside another."""
    dated = [(match, _refid_of_date(match)) for match in _DATED.finditer(text)]
    written = [
        (match, f"{_TYPES[match['type'].casefold()]}/{match['date'].casefold()}") for match in _MACHINE.finditer(text)
    ]
    acts = [
        _Act(*match.span(), (refid,) if names.get(refid) else (), article=match.groupdict().get("article"))
        for match, refid in [*written, *dated]
        if refid
    ]
    taken = [(act.start, act.end) for act in acts]
    acts += [
        _Act(named.start, named.end, named.refids, named.prefix, named.weak)
        for named in names.find(text)
        if not any(start < named.end and named.start < end for start, end in taken)
    ]
    return sorted(acts, key=lambda act: act.start)


def _refid_of_date(match: re.Match[str]) -> str | None:
    month = match["month"].rstrip(".").casefold()
    number = int(month) if month.isdigit() else 1 + next((n for n, m in enumerate(_MONTHS) if month.startswith(m)), -1)
    if not 1 <= number <= len(_MONTHS):
        return None
    refid = f"{_TYPES[match['type'].casefold()]}/{match['year']}-{number:02d}-{int(match['day']):02d}"
    return f"{refid}-{int(match['number'])}" if match["number"] else refid


def _sections(text: str, acts: list[_Act]) -> Iterator[_Section]:
    """Return the sections and articles that `text` names; `follows` marks those listed behind another."""
    at = 0
    spans = sorted(
        [(m.start(), m) for m in _SIGN.finditer(text)]
        + [(m.start(), m) for act in acts if (m := _BARE.match(text, act.end))],
        key=lambda pair: pair[0],
    )
    for start, match in spans:
        if start < at or any(act.start < start < act.end for act in acts):
            continue
        groups = match.groupdict()
        article = groups.get("article")
        section, at = _with_ledd(text, match, article or groups["number"], article=bool(article), follows=False)
        yield section
        plural = (groups.get("sign") or "") in {"§§", "paragrafene", "paragrafer"}
        while not article and (more := _NEXT.match(text, at)) and (plural or more["sign"]):
            section, at = _with_ledd(text, more, more["number"], article=False, follows=True)
            yield section


def _with_ledd(text: str, match: re.Match[str], number: str, *, article: bool, follows: bool) -> tuple[_Section, int]:
    ledd = _LEDD.match(text, match.end())
    end = ledd.end() if ledd else match.end()
    count = None
    if ledd:
        count = (
            _ORDINALS[ledd["word"].casefold()]
            if ledd["word"]
            else int(ledd["count"] or ledd["after"] or ledd["bracket"])
        )
    return _Section(match.start(), end, number, article, follows, count), end


def _act_beside(text: str, section: _Section, acts: list[_Act]) -> _Act | None:
    """Return the act that stands next to a section: before it, else behind it with `i`, `av` between."""
    for act in reversed(acts):
        if act.end <= section.start and _BETWEEN.fullmatch(text, act.end, section.start):
            return act
    for act in acts:
        if act.start >= section.end and _AFTER.fullmatch(text, section.end, act.start):
            return act
    return None


def _with_section(text: str, section: _Section, act: _Act | None, names: ActNames) -> Reference:
    start = min(section.start, act.start) if act else section.start
    end = max(section.end, act.end) if act else section.end
    if act is None:
        before = _UNKNOWN_ACT.search(text[: section.start])
        return Reference(
            start, end, text[start:end], before[1] if before else "", (), _paragraph(section.number), section.ledd
        )
    name = text[act.start : act.end]
    reference = Reference(start, end, text[start:end], name, act.refids, (), section.ledd)
    if not section.article:
        return replace(reference, sections=_paragraph(section.number))
    number = section_key(section.number)
    if act.prefix:
        # Where one thing alone is printed inside an act, a few of its articles have lost their prefix.
        alone = all(len(names.parts(refid)) == 1 for refid in act.refids)
        return replace(reference, sections=(f"{act.prefix}{number}", *((f"a{number}",) if alone else ())))
    parts = [part for refid in act.refids for part in names.parts(refid)]
    return replace(reference, sections=(f"a{number}", *(f"{part}/a{number}" for part in parts)))


def _paragraph(number: str) -> tuple[str, ...]:
    """Return the keys of a section's number; a few documents print it with an en dash."""
    key = section_key(f"§{number}").replace("–", "-")
    return (key, key.replace("-", "–")) if "-" in key else (key,)
