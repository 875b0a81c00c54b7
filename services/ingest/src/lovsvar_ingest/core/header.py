"""A document's header, `dl.data-document-key-info`, and its law type.

Of the law type Lovdata's metadata gives only the series: laws (`lov/…`) or regulations (`forskrift/…`, with every
decision announced in Norsk Lovtidend part I). The rule:

1. A document of the series `lov` is a **Lov**, whatever its title: old conventions have the force of law.
2. Otherwise the title's leading noun decides: its first word before a preposition that ends in one of the words below.
   "Midlertidig instruks for …" is an Instruks, "Eksamensreglement for …" a Reglement, "Delegering av myndighet …" a
   Vedtak; "Forskrift om instruks for …" is a Forskrift.
3. Any other document is a **Forskrift**.
"""

import re
from collections.abc import Mapping
from datetime import date

from lxml.etree import _Element

from lovsvar_contracts.identifiers import ANNOUNCEMENTS
from lovsvar_contracts.law import LawType
from lovsvar_ingest.core.corpus import Header
from lovsvar_ingest.core.errors import MalformedDocument
from lovsvar_ingest.core.flow import Aside, Flow
from lovsvar_ingest.core.in_force import parse_date, read_force

_REFID = re.compile(r"[a-z]{1,40}/(\d{4})-\d\d-\d\d(-\d{1,10})?")
_LANGUAGE = re.compile(r"-(nn|nb|bm|en|se|sme)\.xml$")
_CAPITALS = re.compile(r"(?:[^A-ZÆØÅ]*[A-ZÆØÅ]){2}")

GAZETTE = "lovtidend"
"""The prefix of data sets of announcements, which share refids with the laws that they announce."""

ENDINGS: Mapping[LawType, tuple[str, ...]] = {
    LawType.FORSKRIFT: ("forskrift", "forskrifter", "forskr", "føresegn", "føresegner"),
    LawType.INSTRUKS: ("instruks", "instrukser", "instruksen"),
    LawType.REGLEMENT: ("reglement", "reglementet", "reglementer"),
    LawType.VEDLEGG: ("vedlegg", "tillegg", "bilag"),
    LawType.VEDTAK: (
        *("vedtak", "beslutning", "resolusjon", "res", "delegering", "delegasjon", "overføring", "fullmakt"),
        *("tillatelse", "godkjenning", "anerkjennelse", "ikraftsetting", "ikraftsetjing", "ikrafttredelse"),
        *("ikrafttreding", "utvidelse", "fastsettelse", "fastsetjing", "omorganisering", "refusjon"),
    ),
}
"""The endings of the leading noun by law type."""

_STOP = frozenset(
    ("om", "for", "av", "i", "til", "ved", "på", "etter", "med", "fra", "frå", "mot", "angående", "ang", "ad")
)
_WORD = re.compile(r"[^\W\d_]+")


def read_header(root: _Element, file: str, dataset: str, today: date) -> Header:
    """Return the header of the document `root`. Raises `MalformedDocument` when it has no valid refid.

    The refid is Lovdata's, with two additions where Lovdata gives several documents one refid: a language form ends
    with its language (`lov/1814-05-17-nn`, from the file's name), and an announcement in Norsk Lovtidend begins with
    Lovdata's name of that series (`lti/lov/2025-02-07-1`).
    """
    info = root.find(".//dl[@class='data-document-key-info']")
    if info is None:
        raise MalformedDocument("filen har ikke Lovdatas dokumenthode")
    values = {css: dd for dd in info.iterfind("dd") if (css := dd.get("class"))}
    texts = {css: _text(dd) for css, dd in values.items() if css != "table-of-contents"}
    refid, title = texts.get("refid", ""), texts.get("title", "")
    named = _REFID.fullmatch(refid)
    if named is None:
        raise MalformedDocument(f"dokumenthodet har ingen gyldig refid: «{refid[:60]}»")
    type_ = law_type(refid, title)
    short_title, abbreviation = split_short_title(texts.get("titleShort", ""), type_)
    force = read_force(texts.get("dateInForce", ""), today)
    return Header(
        refid=full_refid(refid, file, dataset),
        legacy_id=texts.get("legacyID", ""),
        dokid=texts.get("dokid", ""),
        law_type=type_,
        title=title or short_title or refid,
        short_title=short_title,
        abbreviation=abbreviation,
        year=int(named[1]),
        ministries=_items(values, "ministry"),
        legal_areas=_items(values, "legalArea"),
        changes_to=_items(values, "changesToDocuments"),
        in_force=force.status,
        in_force_from=force.since,
        in_force_note=force.note,
        last_change_in_force=parse_date(texts.get("lastChangeInForce", "")),
        last_changed_by=tuple(match[0] for match in _REFID.finditer(texts.get("lastChangedBy", ""))),
        eea_references=_items(values, "eeaReferences"),
    )


def law_type(refid: str, title: str) -> LawType:
    """Return the law type of the document `refid` with the title `title`, by the rule above."""
    if refid.split("/", 1)[0] == "lov":
        return LawType.LOV
    for word in _WORD.findall(title.casefold()):
        if word in _STOP:
            break
        for type_, endings in ENDINGS.items():
            if any(word.endswith(ending) and (len(ending) > 3 or word == ending) for ending in endings):
                return type_
    return LawType.FORSKRIFT


def full_refid(refid: str, file: str, dataset: str) -> str:
    """Return `refid` with its language form and its series, if any."""
    if language := _LANGUAGE.search(file):
        refid = f"{refid}-{language[1]}"
    return f"{ANNOUNCEMENTS}{refid}" if dataset.startswith(GAZETTE) else refid


def split_short_title(text: str, type_: LawType) -> tuple[str, str]:
    """Return short title and abbreviation of "Husleieloven – husll".

    The abbreviation loses its full stop ("strl."). The text after the dash is an abbreviation if it is a single word
    and, outside laws, in capitals ("FOA") or a name ("forforskriften"); else it belongs to the title ("Forskrift om
    omsorgspoeng – barn").
    """
    title, dash, last = text.rpartition(" – ")
    if not dash or " " in last or len(last) > 20:
        return text, ""
    if type_ is LawType.LOV or _CAPITALS.match(last) or last.endswith(("forskriften", "forskrifta")):
        return title, last.removesuffix(".")
    return text, ""


def _text(element: _Element) -> str:
    return " ".join(Flow(Aside()).text_of(element).split())


def _items(values: Mapping[str, _Element], css: str) -> tuple[str, ...]:
    """Return the items of a field with a list, else its text."""
    if (element := values.get(css)) is None:
        return ()
    return tuple(text for item in element.findall("ul/li") or [element] if (text := _text(item)))
