"""The sections, articles and chapters that a text names: by a sign, in lists and ranges, and after an act's name."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from lovsvar_legaltext.language import QUESTION_WORDS
from lovsvar_legaltext.numbers import SECTION_NUMBER
from lovsvar_legaltext.pinpoints import NOWHERE, NUMBER_RANGE, Pinpoint, read_pinpoints

SIGN = re.compile(
    rf"(?:(?P<sign>§{{1,2}}|\bparagraf(?:ene|en|ar|er)?\b|\bpgf\.?|\bpar\.)\s*(?P<number>{SECTION_NUMBER})"
    r"|(?:\bart(?:ikkel(?:en)?|ikler|iklene|iklane|\.)?\s*|(?<=\w/)a)(?P<article>\d+(?:\s?(?!i\s+\w)[a-z](?!\w))?|[ivxlc]+)\b)",
    re.IGNORECASE,
)
_BARE = re.compile(r"[\s,]+(?P<number>\d+-\d+[a-z]?)\b(?!-)", re.IGNORECASE)
_BARE_WHOLE = re.compile(r"[\s,]+(?P<number>\d{1,3}(?:\s?[a-z])?)\b(?![-–.]\d)", re.IGNORECASE)
_NEXT = re.compile(rf"\s*(?:,|og|eller|jf\.?|jfr\.?)\s*(?P<sign>§*)\s*(?P<number>{SECTION_NUMBER})", re.IGNORECASE)
_NEXT_ARTICLE = re.compile(r"\s*(?:,|og|eller)\s*(?P<number>\d+)\b(?!\.?\s*(?:ledd|punktum))", re.IGNORECASE)
_CHAPTER = re.compile(
    r"\b(?:kapitt?e?l(?:et)?|kapitlet|kap\b\.?)\s*(?P<number>\d+(?:\s?(?![iI]\s+\w)[a-z](?!\w))?|(?-i:[IVXLC]+))\b(?![-–]\d)(?!\s*,?\s*§)",
    re.IGNORECASE,
)
_LONE_LETTER = re.compile(r"(?P<digits>.*\d)\s(?P<letter>[a-z])")
_NEXT_WORD = re.compile(r"\s+(?P<word>[^\W\d_]+)")
_ABBREVIATED = re.compile(r"\.[a-zæøå]")
"""The text after a letter that is an abbreviation: «§ 3 m.fl.»."""
_QUOTED = re.compile(r"\s+[«“\"(\[]\w")
_WORDS_AFTER_A_LETTER = """
alene anna annan annen annet andre at av bokstav bokst da den der det eller en er et etter femte fjerde for fordi fra
fyrste første gjeld gjelder gjennom ha har heimlar hjemler hos i innan innen jf jfr kap kapittel krev krever ledd litra
man mellom men mot med mener nr nummer og også om omfatter opp ordlyd paragraf pkt punkt punktum på regulerer samt
seier seg siste sin sjette slik som til tredje under uten ved virker være å
applies contains covers gives governs means provides regulates requires says states
"""
_LETTER_BEFORE = QUESTION_WORDS | frozenset(_WORDS_AFTER_A_LETTER.split())
"""Words before which «a» after a number is the section's letter; before another it may be the English article."""
_ENDS = re.compile(r"[\s.,;:?!)»\"]*$")

AMOUNT = r"""
    (?: \.\d{1,2}\.\d{4} \b | (?: [\s.]? \d{3} )* (?: ,\d+ )? (?: \s* (?: [-–] | til\b | to\b ) \s* [\d.,]+ )? \.? \s*
        (?: hundre | tusen | mill(?:ion\w*|\.) | milliard\w* | hundred | thousand )? \s*
        (?: % | (?: ledd | punktum | prosent | pro\s?mille | per\s?cent | kron(?:e|er|ar) | kr | nok | euro | døgn
          | \w{0,10}dag(?:er|ar|e)? | uke[rn]? | vek(?:e|er) | mån[ea]d(?:er|ar)? | år | tim(?:e|er|ar)
          | minutt(?:er)? | sekund(?:er)? | gang(?:er|ar)? | person(?:er|ar)? | stykk(?:er)? | meter | kilo | k[gm]
          | liter | (?: working\s | business\s | calendar\s )? (?: day | week | month | year | hour | minute | time )
          | crown | januar | februar | mars | april | mai | juni | juli | august | september | oktober | november
          | desember | january | february | june | july | october | december | (?-i: May | March ) ) s?\b ) )
"""
"""The text after the digits of a time, an amount or a day of a month, which are no section: '§ 3 og 14 dager'.

A verbose pattern.
"""

_AMOUNT = re.compile(AMOUNT, re.VERBOSE | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Section:
    """A section, article or chapter that a text names, by its possible numbers, or a range (`span`)."""

    start: int
    end: int
    numbers: tuple[str, ...]
    kind: Literal["section", "article", "chapter"] = "section"
    span: tuple[str, str] | None = None
    pinpoints: tuple[Pinpoint, ...] = (NOWHERE,)


def read_sections(text: str, acts: Iterable[tuple[int, int]] = ()) -> Iterator[list[Section]]:
    """Yield the sections, articles and chapters that `text` names, those of one enumeration in one list.

    `acts` are the places of acts' names: nothing is read inside them, and a number after one needs no sign.
    """
    at = 0
    named = list(acts)
    bare = [match for _, end in named if (match := _BARE.match(text, end) or _whole_number(text, end))]
    matches = [*SIGN.finditer(text), *_CHAPTER.finditer(text), *bare]
    for match in sorted(matches, key=lambda match: match.start()):
        if match.start() < at or any(start <= match.start() < end for start, end in named):
            continue
        listed = _listed(text, match)
        at = listed[-1].end
        yield listed


def _whole_number(text: str, at: int) -> re.Match[str] | None:
    """Return a number without a sign after an act's name, if only a place in the section follows it."""
    match = _BARE_WHOLE.match(text, at)
    return match if match and _ENDS.match(text, read_pinpoints(text, match.end(), article=False)[1]) else None


def _listed(text: str, match: re.Match[str]) -> list[Section]:
    """Return what is named at `match`, and the enumeration after it."""
    groups = match.groupdict()
    if match.re is _CHAPTER:
        return [Section(*match.span(), (groups["number"],), "chapter")]
    article = bool(groups.get("article"))
    plural = match[0].casefold().startswith(("§§", "paragrafene", "paragrafer", "artikler", "artiklene", "artiklane"))
    listed = [_place(text, match, article=article, plural=plural)]
    following = _NEXT_ARTICLE if article else _NEXT
    while (more := following.match(text, listed[-1].end)) and (
        more.groupdict().get("sign")
        or (plural and not _AMOUNT.match(text, more.end("number")))
        # Numbers such as 3-5 can only be sections: «§ 3-5, 3-6 og 3-7».
        or ("-" in listed[-1].numbers[0] and "-" in more["number"])
    ):
        listed.append(_place(text, more, article=article, plural=plural))
    return listed


def _place(text: str, match: re.Match[str], *, article: bool, plural: bool) -> Section:
    numbers, end = _numbers(text, match)
    ranged = None if article else NUMBER_RANGE.match(text, end)
    if ranged and (plural or "§" in ranged[0] or ("-" in numbers[0] and "-" in ranged["number"])):
        return Section(match.start(), ranged.end(), numbers, span=(numbers[0], ranged["number"]))
    pinpoints, end = read_pinpoints(text, end, article=article)
    return Section(
        match.start(), end, numbers, "article" if article else "section", _halves(numbers[0], plural), pinpoints
    )


def _numbers(text: str, match: re.Match[str]) -> tuple[tuple[str, ...], int]:
    """Return the possible numbers at `match`, and the end of the number.

    A separate letter belongs to the number («§ 12 a»), unless it begins an abbreviation («§ 3 m.fl.») or is the
    preposition of a quoted name («§ 5 i «Lov om …»»). An «a» may be an English article («§ 36 a real question»): then
    both numbers are possible.
    """
    group = "article" if match.groupdict().get("article") else "number"
    number, end = match[group], match.end(group)
    lone = _LONE_LETTER.fullmatch(number)
    if not lone:
        return (number,), end
    if _ABBREVIATED.match(text, end) or (lone["letter"] == "i" and _QUOTED.match(text, end)):
        return (lone["digits"],), match.start(group) + lone.end("digits")
    word = found["word"].casefold() if (found := _NEXT_WORD.match(text, end)) else ""
    if lone["letter"] == "a" and word and word not in _LETTER_BEFORE and not set(word) & set("æøå"):
        return (number, lone["digits"]), end
    return (number,), end


def _halves(number: str, plural: bool) -> tuple[str, str] | None:
    """Return the halves of a number that may be a range: «3-1–3-5», «§§ 5–8»."""
    parts = re.split("[-–]", number)
    if len(parts) == 4 or (len(parts) == 2 and plural):
        middle = len(parts) // 2
        return "-".join(parts[:middle]), "-".join(parts[middle:])
    return None
