"""Acts for some people or things only, and the general acts that come before them.

A special act answers a question about everybody badly: one who was dismissed is not told the notice of seafarers. It is
recognised by its refid, and a question that is about it by words of its own. Each has what it is for in the three
languages, which is said where it is quoted, and a word that narrows the question to it. Some acts bind one kind of
party alone: a question that says that it is about another is not answered by them.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from lovsvar_legaltext.language import Language


@dataclass(frozen=True)
class SpecialAct:
    """An act that applies `to` some only. `general` are acts that it is special to, `cue` words of its questions."""

    refid: str
    to: Mapping[Language, str]
    cue: re.Pattern[str]
    general: tuple[str, ...]


WORKING_ENVIRONMENT = "lov/2005-06-17-62"
TENANCY = "lov/1999-03-26-17"
CONSUMER_SALES = "lov/2002-06-21-34"
SALES = "lov/1988-05-13-27"
REAL_PROPERTY_SALES = "lov/1992-07-03-93"
ADMINISTRATION = "lov/1967-02-10"
MARRIAGE = "lov/1991-07-04-47"
COMPANIES = "lov/1997-06-13-44"
SCHOOLS = "lov/2023-06-09-30"
ROAD_TRAFFIC = "lov/1965-06-18-4"
NATIONAL_INSURANCE = "lov/1997-02-28-19"
HOUSE_BUILDING = "lov/1997-06-13-43"
FREEDOM_OF_INFORMATION = "lov/2006-05-19-16"


def _act(refid: str, general: str | tuple[str, ...], cue: str, nb: str, nn: str, en: str) -> SpecialAct:
    acts = (general,) if isinstance(general, str) else general
    pattern = re.compile(rf"(?<!\w)(?:{cue})", re.IGNORECASE)
    return SpecialAct(refid, {"nb": nb, "nn": nn, "en": en}, pattern, acts)


_ACTS = (
    _act(
        "lov/2017-06-16-67",
        WORKING_ENVIRONMENT,
        r"stat(?:en|lig|leg|sansatt)|departement|direktorat|embet|civil servant|government|state employ"
        r"|public sector",
        "ansatte i staten",
        "tilsette i staten",
        "employees of the state",
    ),
    _act(
        "lov/2013-06-21-102",
        WORKING_ENVIRONMENT,
        r"skip|sjøm|sjøfolk|båt|rederi|ferge|ferje|hurtigrut|fiske|mannskap|ship|seafarer|vessel|crew|at sea",
        "ansatte på skip",
        "tilsette på skip",
        "employees on ships",
    ),
    _act(
        "lov/1975-06-06-26",
        WORKING_ENVIRONMENT,
        r"hushjelp|barnepass|praktikant|au pair|husarbeid|nanny|domestic",
        "arbeid i private hjem",
        "arbeid i private heimar",
        "work in private homes",
    ),
    _act(
        SALES,
        CONSUMER_SALES,
        r"privat|finn\b|finn\.no|næring|bedrift|firma|leverandør|brukt|loppe|facebook|private(?:ly)? |business"
        r"|supplier",
        "kjøp mellom private og mellom næringsdrivende",
        "kjøp mellom private og mellom næringsdrivande",
        "sales between private persons and between businesses",
    ),
    _act(
        HOUSE_BUILDING,
        REAL_PROPERTY_SALES,
        r"ny(?:bygg|tt hus|oppfør| bolig| leilighet|bygd)|bygge|byggje|byggherre|entreprenør|ferdighus|utbygger"
        r"|prosjekt|overtak|overtek|build|contractor|new(?:ly)? ",
        "nye boliger som bygges for forbrukere",
        "nye bustader som blir bygde for forbrukarar",
        "new homes built for consumers",
    ),
    _act(
        "lov/2003-06-06-39",
        (TENANCY, "lov/2017-06-16-65"),
        r"borettslag|burettslag|andel|housing co-?op|co-?operative",
        "borettslag",
        "burettslag",
        "housing cooperatives",
    ),
    _act(
        "lov/2017-06-16-65",
        TENANCY,
        r"sameie|eierseksjon|seksjon|eigarseksjon|årsmøte|vedtekt|sameig|condominium|owner-occupied|section owner",
        "eierseksjonssameier",
        "eigarseksjonssameige",
        "condominiums",
    ),
    _act(
        "lov/1997-06-13-45",
        COMPANIES,
        r"allmennaksje|asa\b|børs|public limited|listed",
        "allmennaksjeselskaper (ASA)",
        "allmennaksjeselskap (ASA)",
        "public limited companies (ASA)",
    ),
    _act(
        "lov/2003-07-04-84",
        SCHOOLS,
        r"privatskole|privat skole|friskole|privatskule|private school",
        "private skoler",
        "private skular",
        "private schools",
    ),
    _act(
        "lov/1998-06-26-47",
        ROAD_TRAFFIC,
        r"båt|fritidsfartøy|sjø|vannskuter|vasscooter|brygge|boat|jet ?ski",
        "småbåter",
        "småbåtar",
        "small craft",
    ),
    _act(
        "lov/1961-05-05",
        "lov/1961-06-16-15",
        r"gjerd|fence",
        "gjerder mellom eiendommer",
        "gjerde mellom eigedommar",
        "fences between properties",
    ),
    _act(
        "lov/1989-06-16-65",
        NATIONAL_INSURANCE,
        r"forsikr|insur|erstatning|compensation",
        "arbeidsgivers forsikring mot yrkesskade",
        "forsikringa til arbeidsgivaren mot yrkesskade",
        "the employer's insurance against occupational injury",
    ),
    _act(
        "lov/1958-12-12-10",
        NATIONAL_INSURANCE,
        r"før 1997|før 1990|yrkesskadetrygdloven|1958",
        "yrkesskader fra før dagens folketrygdlov",
        "yrkesskadar frå før folketrygdlova av i dag",
        "occupational injuries from before the present National Insurance Act",
    ),
)

_FROM_TRADERS: Mapping[Language, str] = {
    "nb": "kjøp av næringsdrivende",
    "nn": "kjøp av næringsdrivande",
    "en": "purchases from traders",
}
_BETWEEN_PRIVATE = re.compile(
    r"""
    (?<!\w)(?: privat(?:person\w*|e\ (?:selger|seljar)\w*|\ selger\w*|\ seljar\w*|kjøp|salg|handel)
      | (?:fra|frå|av|til|med|mellom)\ (?:en\ |ein\ |noen\ |to\ )?privat(?:e|person\w*)?(?!\w)
      | (?:på|via|gjennom|over)\ (?:finn(?:\.no)?|facebook|marketplace|tise|loppemarked\w*)(?!\w) | finn\.no
      | (?:private|individual)\ (?:seller|person|buyer|individual)s? | bought\ (?:it\ )?privately
      | between\ individuals )
    """,
    re.VERBOSE | re.IGNORECASE,
)
_BOUND_TO_TRADERS = frozenset({"lov/2014-06-20-27", CONSUMER_SALES, "lov/2022-06-17-56"})

_BY_REFID = {act.refid: act for act in _ACTS}


def special_act(refid: str) -> SpecialAct | None:
    """Return the special act of that refid, if it is one."""
    return _BY_REFID.get(refid)


def is_about(question: str, special: SpecialAct) -> bool:
    """Whether a question says that it is about what the act is for."""
    return special.cue.search(question) is not None


def not_for(question: str, refid: str) -> Mapping[Language, str] | None:
    """Return what the act `refid` is for, if a question says that it is about something else; None if it may apply."""
    return _FROM_TRADERS if refid in _BOUND_TO_TRADERS and _BETWEEN_PRIVATE.search(question) else None


def yields_to(special: SpecialAct | None, refid: str) -> bool:
    """Whether the act `refid` is the general one that `special` comes after."""
    return special is not None and refid in special.general
