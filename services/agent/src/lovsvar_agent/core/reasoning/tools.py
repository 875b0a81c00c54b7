"""The tools' schemas, as the model is told of them."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

SEARCH = "search_lovdata_legal_documents"
PRACTICE = "search_lovdata_legal_practice"
READ = "hent_lovtekst"
QUERIES = "generer_sokestrenger"
OUTLINE = "innholdsfortegnelse"
ANSWER = "sammenstill_svar"

LAW_TYPES = ("Lov", "Forskrift", "Vedtak", "Instruks", "Reglement", "Vedlegg")
MAX_QUERIES = 5
MAX_BATCH = 20

_SEARCH_TEXT = """\
Søk i Lovdatas lover, forskrifter og andre dokumenter. Bruk denne for å finne bestemmelsene som svarer på spørsmålet.
Søkeordene er juridiske uttrykk hentet ut av spørsmålet, ikke hele spørsmålet.

Uten lawType søkes det i prioritert rekkefølge: 1. Lov, 2. Forskrift, 3. Vedtak, 4. Instruks, 5. Reglement, 6. Vedlegg.
La lawType, year og ministry stå tomme når spørsmålet ikke selv nevner dem. Gir et søk for lite, så prøv andre ord
eller en annen dokumenttype. Treffene har id-er (lovdata-1 …) som svaret viser til."""

_PRACTICE_TEXT = """\
Søk på lovdata.no etter hvordan reglene er brukt i praksis: rettsavgjørelser, Trygderetten, Husleietvistutvalget,
Norsk Lovtidend og Statens personalhåndbok. Bruk denne når spørsmålet gjelder tolkning, skjønn eller praksis, og gjerne
sammen med search_lovdata_legal_documents: først lovteksten, så eksempler på bruken av den. Treffene er utdrag fra en
søkemotor; de er opplysninger, aldri lovtekst."""

_READ_TEXT = """\
Hent hele ordlyden av bestemmelser. Bruk denne når spørsmålet nevner en paragraf, eller når et søketreff bare er vist
som utdrag. Oppgi document (navn som «husleieloven», eller refid som «lov/1999-03-26-17») med section eller chapter,
eller flere på én gang i provisions."""

_QUERIES_TEXT = """\
Del et sammensatt eller uklart juridisk spørsmål i flere ulike søkestrenger, og søk med alle samtidig. Like treff slås
sammen. Bruk denne når ett søk ikke dekker alle sider av spørsmålet. Skriv gjerne dine egne søkestrenger i queries."""

_OUTLINE_TEXT = """\
Vis innholdsfortegnelsen til en lov eller forskrift: kapitler og paragrafer med overskrift og omtrentlig lengde i
tokens. Bruk denne for å finne riktig kapittel eller paragraf, og hent ordlyden med hent_lovtekst etterpå."""

_ANSWER_TEXT = """\
Gi det endelige svaret. Bruk denne først når kildene er funnet og lest. Hvert sitat må stå ordrett i kilden det viser
til. Sett insufficient til true når kildene ikke svarer på spørsmålet, og skriv i missing hva som mangler."""


def _text(description: str, **more: Any) -> dict[str, Any]:
    return {"type": "string", "description": description, **more}


def _number(description: str, **more: Any) -> dict[str, Any]:
    return {"type": "integer", "description": description, **more}


def _object(required: tuple[str, ...], **properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}


def _tool(name: str, description: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "function", "function": {"name": name, "description": description, "parameters": parameters}}


_DOCUMENT = _text("Lovens eller forskriftens navn, forkortelse eller refid, eller id-en til et treff («lovdata-1»).")
_SECTION = _text("Paragrafen, for eksempel «§ 3-5».")

ANSWER_SCHEMA: Mapping[str, Any] = _object(
    ("answer", "citations", "insufficient", "missing"),
    answer=_text("Svaret, på spørsmålets språk. Vis til kilder i teksten med id i klammer: [lovdata-1]."),
    citations={
        "type": "array",
        "description": "Ett sitat for hver rettsregel svaret bygger på.",
        "items": _object(
            ("evidenceId", "quote"),
            evidenceId=_text("Id-en til kilden, for eksempel «lovdata-1»."),
            quote=_text("Ordrett, sammenhengende utdrag av kilden, på kildens eget språk."),
        ),
    },
    insufficient={"type": "boolean", "description": "Om kildene ikke er nok til å svare."},
    missing=_text("Hva som mangler når insufficient er true, ellers en tom streng."),
)

TOOLS: tuple[Mapping[str, Any], ...] = (
    _tool(
        SEARCH,
        _SEARCH_TEXT,
        _object(
            ("query",),
            query=_text("Søkeordene: relevante juridiske uttrykk fra spørsmålet."),
            lawType=_text("Dokumenttype, bare hvis spørsmålet nevner den.", enum=list(LAW_TYPES)),
            year=_number("Dokumentets år, bare hvis spørsmålet nevner det («fra 2020»)."),
            ministry=_text("Departement, bare hvis spørsmålet nevner det."),
            page=_number("Sidenummer, fra 1.", minimum=1, default=1),
            pageSize=_number("Antall treff på siden, høyst 20.", minimum=1, maximum=20, default=10),
        ),
    ),
    _tool(
        PRACTICE,
        _PRACTICE_TEXT,
        _object(
            ("query",),
            query=_text("Søkeordene: juridiske uttrykk, lovnavn eller emner."),
            num=_number("Antall treff, høyst 20.", minimum=1, maximum=20, default=10),
        ),
    ),
    _tool(
        READ,
        _READ_TEXT,
        _object(
            (),
            document=_DOCUMENT,
            section=_SECTION,
            chapter=_text("Kapittelet, for eksempel «3» eller «kap3»."),
            provisions={
                "type": "array",
                "description": f"Flere bestemmelser på én gang, høyst {MAX_BATCH}.",
                "items": _object(("document", "section"), document=_DOCUMENT, section=_SECTION),
            },
            page=_number("Side av et langt kapittel, fra 1.", minimum=1),
        ),
    ),
    _tool(
        QUERIES,
        _QUERIES_TEXT,
        _object(
            ("question",),
            question=_text("Spørsmålet som skal deles opp."),
            num_queries=_number(f"Antall søkestrenger, høyst {MAX_QUERIES}.", minimum=1, maximum=MAX_QUERIES),
            queries={"type": "array", "items": {"type": "string"}, "description": "Egne søkestrenger."},
        ),
    ),
    _tool(OUTLINE, _OUTLINE_TEXT, _object(("document",), document=_DOCUMENT)),
    _tool(ANSWER, _ANSWER_TEXT, ANSWER_SCHEMA),
)

NAMES = frozenset({SEARCH, PRACTICE, READ, QUERIES, OUTLINE, ANSWER})

TITLES: Mapping[str, str] = MappingProxyType(
    {
        SEARCH: "Søker i lover og forskrifter",
        PRACTICE: "Søker i rettspraksis",
        READ: "Leser bestemmelser",
        QUERIES: "Søker med flere søkestrenger",
        OUTLINE: "Leser innholdsfortegnelsen",
    }
)
"""What a reader is shown while a tool works."""
