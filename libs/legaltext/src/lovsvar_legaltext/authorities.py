"""Sources of law that statutes and regulations do not include, as they are named: decisions, EU acts and others.

An authority is named by a designation of its own («Rt. 2005 s. 1234», «NOU 2010: 3», «direktiv 2004/38/EF») or in
general, by what it is said to say («Høyesterett har slått fast at …»). Both are known by their form alone, in bokmål,
nynorsk and English; whether the source exists is not known here.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from lovsvar_legaltext.eu_acts import eu_acts
from lovsvar_legaltext.refids import MONTHS


class SourceType(StrEnum):
    """A kind of legal source that statutes and regulations do not include."""

    COURT_DECISION = "court_decision"
    PREPARATORY_WORK = "preparatory_work"
    CIRCULAR = "circular"
    EU_ACT = "eu_act"
    AGREEMENT = "agreement"
    TREATY = "treaty"


@dataclass(frozen=True, slots=True)
class Authority:
    """A source that a text names from `start` to `end`.

    `key` is what distinguishes it, the same however it is written: ("rt", "2005", "1234"). One that is named in less
    detail has the beginning of the key. `general` is whether it is no single source: «forarbeidene», «Høyesterett».
    """

    start: int
    end: int
    type: SourceType
    text: str
    key: tuple[str, ...]
    general: bool = False

    def is_part_of(self, other: "Authority") -> bool:
        """Whether `other` names the same source, in as much detail at least."""
        return self.key == other.key[: len(self.key)]


_FLAGS = re.VERBOSE | re.IGNORECASE
_MONTH = "|".join((*MONTHS, *["january", "february", "march", "may", "june", "july", "october", "december"]))
_SESSION = r"(?: \s* (?: \(\s* \d{4} \s* [-–/] \s* \d{2,4} \s*\) | (?:for\s+)? \d{4} \s* [-–/] \s* \d{2,4} ) )?"
_EU = r"(?: EU | EF | EØF | EC | EEC | JIS | Euratom )"
_CAPITALISED = r"[A-ZÆØÅ][\w.'’-]{0,30}"
_COUNTRIES = """
    Norge Noreg Norway Sverige Sverike Sweden Danmark Denmark Finland Island Iceland Tyskland Germany Frankrike France
    Italia Italy Spania Spain Portugal Nederland Netherlands Belgia Belgium Luxembourg Østerrike Austria Sveits
    Switzerland Polen Poland Tsjekkia Slovakia Ungarn Hungary Romania Bulgaria Hellas Greece Tyrkia Turkey Türkiye
    Russland Russia Ukraina Ukraine Estland Estonia Latvia Litauen Lithuania Irland Ireland Storbritannia Kroatia
    Croatia Serbia Slovenia Albania Malta Kypros Cyprus Moldova Georgia Armenia Aserbajdsjan Azerbaijan
"""
_COUNTRY = "|".join(_COUNTRIES.split())
_NO_PARTY_TEXT = """
    anke angrep anmeldelse dom dommen klage klagen klager krav kravet sak saken saka søksmål søksmålet reaksjoner
    sanksjoner trusler krig kamp vedtak vern regler rettigheter forbud claim complaint case action sanctions
"""
_NO_PARTY = frozenset(_NO_PARTY_TEXT.split())
"""Words before «mot Norge» that are no name of a party."""

_DESIGNATIONS: tuple[tuple[SourceType, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern, _FLAGS))
    for kind, pattern in (
        (
            SourceType.EU_ACT,
            rf"""
            \b (?: (?:råds|kommisjons|gjennomførings)? (?: direktiv | forordning ) (?:et|en|a)?
                 | (?:(?:Council|Commission)\s+)? (?: directive | regulation ) )
            \s* (?: \( {_EU} [^()]{{0,12}} \) \s* )? (?: (?:nr|no)\.? \s* )? \d{{1,4}}/\d{{1,4}} (?: /{_EU} \b )?
          | \b \d{{2,4}}/\d{{1,4}}/{_EU} \b | \( {_EU} \) \s* (?: (?:nr|no)\.? \s* )? \d{{2,4}}/\d{{1,4}} \b
          | \b [a-zæøå]{{3,40}} (?: direktivet | direktiva | forordningen | forordninga ) \b
          | \b (?-i: AI | DSA | DMA | NIS2 ) [- ]? (?: act | forordning\w* | lov\w* ) \b
          | (?<![\w/]) (?:19|20)\d\d / (?! (?:19|20)\d\d\b ) \d{{3,4}} \b (?!/)
            """,
        ),
        (
            SourceType.PREPARATORY_WORK,
            rf"""
            \b Ot \.? \s? prp \b \.? (?: \s* (?:nr\.?\s*)? \d+ {_SESSION} )?
          | \b St \.? \s? (?:prp|meld) \b \.? (?: \s* (?:nr\.?\s*)? \d+ {_SESSION} )?
          | \b Prop \b \.? \s* \d+ (?: \s* (?-i: LS | L | S ) \b )? {_SESSION}
          | \b Innst \b \.? (?: \s? (?-i:[OLS]) \b \.? )? (?: \s* (?:nr\.?\s*)? \d+ (?: \s* (?-i:LS|L|S) \b )? )?
            {_SESSION}
          | \b Meld \b \.? \s* St \b \.? (?: \s* (?:nr\.?\s*)? \d+ {_SESSION} )?
          | (?-i: \b NOU ) \s* \d{{4}} (?: \s* [:-] \s* \d+ )?
          | \b Dok (?:ument|\.) \s* (?:nr\.?\s*)? \d+ \s* : \s* \d+ (?: \s* (?-i:LS|L|S) \b )? {_SESSION}
            """,
        ),
        (
            SourceType.COURT_DECISION,
            rf"""
            \b (?-i: Rt | RG ) \b \.? [\s-]* \d{{4}} (?: [\s,–-]* (?: s\b\.? | side\b )? [\s–-]* \d+ )?
          | (?-i: \b (?! LOV- | FOR- | LTI- | ISO- ) [A-ZÆØÅ]{{2,7}} - \d{{4}} (?: - \d+ )*
            (?: - [A-ZÆØÅ]{{1,3}} \b )? )
          | \b (?-i: HTU | PVN | FKU | KKO | TRR | DIN | SOM | UNE | FinKN | KOFA | MFN | LB | BKN )
            [\s-]* (?: sak \s* )? (?: nr\.? \s* )? \d{{1,4}} (?: [/-] \d+ )*
          | (?-i: \b [CTEF] ) [-‑–] \d{{1,4}} / \d{{2}} (?: \s? P\b )? (?!\d)
          | \b ECLI:[A-Z]{{2}}:[\w.]+:\d{{4}}:[\w.]*\w
          | \b \d{{2}}-\d{{5,6}} (?-i: [A-Z]{{3}}-[A-Z]{{3,5}} ) (?: /\d+ )?
          | (?: \b (?: klage | klagesak | søknad | sak | application s? | appl? \. ) \s* )?
            \b (?: nr | no s? ) \b \.? \s* \d{{3,6}}/\d{{2}} \b
          | \( \s* \d{{4,6}}/\d{{2}} \s* \)
          | (?-i: \b {_CAPITALISED}
            (?: \s+ (?: og | and | mfl\. | m\.fl\. | andre | Others | {_CAPITALISED} ) ){{0,6}} )
            \s+ (?: mot | vs?\.? ) \s+ (?: the\s+ )? (?: {_COUNTRY} | United\ Kingdom ) \b
          | \b [\wæøå]{{2,40}} (?: \s+ (?-i: [IVX]{{1,4}} | \d{{3,4}} ) )?
            - (?: dommen | saken | saka | kjennelsen | orskurden ) s? \b
          | \b (?: dom | kjennelse | orskurd | beslutning | avgjørelse | avgjerd | judge?ment | ruling ) (?:men|en|a)?
            \s+ (?: (?: av | fra | frå | of | datert | dated ) \s+ )? (?: den \s+ )?
            \d{{1,2}}\.? \s* (?: {_MONTH} ) \s+ \d{{4}}
            """,
        ),
        (
            SourceType.CIRCULAR,
            r"""
            \b rundskriv (?:et)? \s+ (?:nr\.?\s*)? (?: (?-i: [A-ZÆØÅ]{1,5} ) [-\s]? )? \d [\w/-]*
          | (?-i: \b [A-Z] -\d{1,3}/\d{2,4} \b ) | (?-i: \b BFU ) [\s-]* \d+ [/-] \d+
            """,
        ),
        (
            SourceType.TREATY,
            r"""
            \b (?:Wien|Haag|Genève?|Istanbul|Århus|Schengen|Hague|Vienna|Geneva) -?\s?\w*konvensjon\w*
          | \b (?: Hague | Vienna | Geneva | Istanbul | Aarhus | Schengen ) \s+ Convention \b
          | \b (?: generell | general ) \s+ (?: kommentar | comment ) (?: \s+ (?: nr | no ) \.? \s* \d+ )?
            """,
        ),
    )
)

_COURTS = r"""
    (?: Høyesterett | Høgsterett | lagmannsretten | tingretten | Trygderetten | Arbeidsretten | Jordskifteretten | EMD
      | EU-domstolen | EFTA-domstolen | (?:Den\s+europeiske\s+)?menneskeretts?domstol(?:en)?
      | Supreme\s+Court | Court\s+of\s+Appeal | European\s+Court | EFTA\s+Court | domstolene | domstolane
      | \w{0,30}nemnda | Forliksrådet | Husleietvistutvalget | Forbrukerklageutvalget | Sivilombudet )
"""
_WORKS = r"(?: forarbeid(?:ene|a|et) | førearbeid(?:a|et) | (?:odelstings|lov)?proposisjonen | preparatory\s+works? )"
_PRACTICE = (
    r"(?: (?:fast\s+|langvarig\s+)? (?:retts|domstols|nemnds|forvaltnings)praksis | (?:settled\s+)? case\s+law )"
)
_CIRCULARS = r"(?: rundskriv(?:et|ene|a)? | circulars? | Lovavdelingen | Lovavdelinga )"
_SAID = r"""
    (?: sa | sagt | sier | seier | uttal\w+ | konkluder\w+ | kom | kommet | komme | dømte | dømt
      | (?:slo|slår|slått|slege) \s+ fast | mente | meinte | skrev | skreiv | skriver
      | (?:la|lagt|legger|legg|lagde) \s+ (?:det\s+)? til \s+ grunn
      | avgjorde | avgjort | presisert\w* | presiserer | fant | funnet | fastslo | fastslår | fastslått | framhev\w+
      | fremhev\w+ | understrek\w+ | forutset\w+ | viser | said | says? | held | hold | ruled?
      | found | decided? | stated?s? | confirm\w* | shows? | established )
"""
_THAT = r"(?= [^.!?\n]{0,50}? (?: \b(?:at|that)\b | : ) )"
"""What is said follows: «nemnda har avgjort saken» says nothing of what the law is."""
_LED_BY = r"""
    (?: ifølge | i\s+følgje? | etter | i\s+henhold\s+til | i\s+tråd\s+med
      | (?:følger|følgjer|fremgår|framgår|går\s+fram|sagt) \s+ (?:også\s+)? (?:av|i) | according\s+to | following )
"""
_GENERAL: tuple[tuple[SourceType, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern, _FLAGS))
    for kind, pattern in (
        (
            SourceType.COURT_DECISION,
            rf"""
            \b (?P<who> {_COURTS} ) \s+ (?: (?: har | hadde | has | have | ikke | ikkje | også | tidligere ) \s+ )*
            {_SAID} \b {_THAT}
          | \b {_LED_BY} \s+ (?:the\s+)? (?P<by> {_PRACTICE} | {_COURTS} (?!\w) ) \b
          | \b (?P<practice> {_PRACTICE} ) \s+ (?: (?: har | has ) \s+ )? {_SAID} \b {_THAT}
            """,
        ),
        (
            SourceType.PREPARATORY_WORK,
            rf"""
            \b {_LED_BY} \s+ (?: the\s+ | lovens\s+ | lova\s+sine\s+ )? (?P<by> {_WORKS} ) \b
          | \b (?P<who> {_WORKS} ) \s+ (?: (?: til | of | to ) \s+ \w+ \s+ )? (?: har \s+ )? {_SAID} \b {_THAT}
            """,
        ),
        (
            SourceType.CIRCULAR,
            rf"""
            \b {_LED_BY} \s+ (?: the\s+ | \w+s\s+ )? (?P<by> {_CIRCULARS} ) \b
          | \b (?P<who> {_CIRCULARS} ) \s+ (?: (?: fra | frå | from ) \s+ [\w-]+ \s+ )? (?: har \s+ )? {_SAID} \b
            {_THAT}
            """,
        ),
    )
)

_FILLER_TEXT = """
    s side nr no nos for av fra frå of den datert dated sak klage klagesak søknad application
"""
_FILLERS = frozenset(_FILLER_TEXT.split())
_TOKEN = re.compile(r"\d+|[^\W\d_]+")
_PARTIES = re.compile(r"\s+(?:mot|vs?\.?)\s+(?:the\s+)?", re.IGNORECASE)
_ENDING = re.compile(r"(?:ingen|inga|ing|et|en|a|s)$")


def authorities_in(text: str) -> tuple[Authority, ...]:
    """Return every authority that `text` names, in order and without overlaps; a designation comes before a name."""
    found: list[Authority] = []
    for kind, start, end, general in _places(text):
        if not any(start < one.end and one.start < end for one in found):
            written = text[start:end]
            found.append(Authority(start, end, kind, written, _key(kind, written, general=general), general))
    return tuple(sorted(found, key=lambda one: one.start))


def _places(text: str) -> Iterator[tuple[SourceType, int, int, bool]]:
    for kind, pattern in _DESIGNATIONS:
        for match in pattern.finditer(text):
            if not _is_no_party(match.group()):
                yield kind, match.start(), match.end(), False
    for kind, pattern in _GENERAL:
        for match in pattern.finditer(text):
            who = next(name for name, words in match.groupdict().items() if words is not None)
            yield kind, match.start(who), match.end(who), True


def _is_no_party(written: str) -> bool:
    """Whether what comes before «mot Norge» is a word such as «Krav»."""
    parties = _PARTIES.split(written)
    return len(parties) > 1 and any(word in _NO_PARTY for word in parties[0].casefold().split())


def _key(kind: SourceType, written: str, *, general: bool) -> tuple[str, ...]:
    """Return what distinguishes a source, as `Authority` has it."""
    if kind is SourceType.EU_ACT and any(c.isdigit() for c in written):
        return _eu_key(written)
    if not general and len(parties := _PARTIES.split(written)) > 1:
        return (_TOKEN.findall(parties[0].casefold())[0],)
    words = [word for word in _TOKEN.findall(written.casefold()) if word not in _FILLERS]
    words = ["rundskriv" if word.startswith("rundskriv") else word for word in words]
    if not any(word.isdigit() for word in words):
        words = [_ENDING.sub("", word) for word in words]
    elif kind is SourceType.PREPARATORY_WORK and len(years := re.findall(r"\d{4}", written)) > 0 and words[0] != "nou":
        # Of a session («1997–98») the first year alone counts.
        words = words[: words.index(years[0]) + 1]
    return tuple(words)


def _eu_key(written: str) -> tuple[str, ...]:
    """Return year and number of an EU act, whatever kind and order it is written with."""
    acts = eu_acts((written,))
    if acts:
        year, number = acts[0].celex[1:5], acts[0].celex[6:]
    else:
        first, second = re.findall(r"\d+", written)[:2]
        year, number = (first, second) if len(first) == len("2016") or len(first) <= len("90") else (second, first)
        year = f"19{year}" if len(year) == len("90") else year
    return ("eu", year, number.lstrip("0"))
