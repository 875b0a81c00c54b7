"""A few acts, and provisions and references in one of them. The real are named, since names are what is resolved."""

from lovsvar_contracts.law import Block, BlockKind, DocumentSummary, InForce, LawType, Provision
from lovsvar_contracts.search import ResolvedReference
from lovsvar_contracts.tokens import estimate_tokens
from lovsvar_legaltext.act_names import Act, ActNames
from lovsvar_legaltext.aliases import Alias

REFID = "lov/1999-03-26-17"


def _named(refid: str, title: str, short: str, abbreviation: str = "", in_force: InForce = InForce.YES) -> Act:
    """Return an act; where `title` is what it is on, its whole title ends with its short one in parentheses."""
    law_type = LawType(refid.partition("/")[0])
    whole = f"Lov om {title} ({short.lower()})" if title[0].islower() else title
    return Act(refid, whole, short, abbreviation, law_type, in_force, ("Justisdepartementet",))


def example_names() -> ActNames:
    """Return the names of the acts, of one with a treaty in it, and of three by aliases."""
    return ActNames(
        [
            _named("lov/1999-03-26-17", "husleieavtaler", "Husleieloven", "husll"),
            _named("lov/2005-06-17-62", "arbeidsmiljø, arbeidstid mv.", "Arbeidsmiljøloven", "aml"),
            _named("lov/2005-05-20-28", "straff", "Straffeloven", "strl."),
            _named("lov/2008-06-27-71", "planlegging", "Plan- og bygningsloven", "pbl"),
            _named("lov/2003-06-06-39", "burettslag", "Burettslagslova", "brl"),
            _named("lov/2018-06-15-38", "personopplysninger", "Personopplysningsloven"),
            _named("lov/1814-05-17", "Kongeriket Norges Grunnlov", "Grunnloven (bokmål)", "Grl"),
            _named("lov/1996-01-05-1", "fjellområder", "Fjellova", "fjell"),
            _named("lov/1967-02-10", "behandlingsmåten", "Forvaltningsloven", "fvl"),
            _named("lov/2025-06-20-81", "saksbehandling", "Forvaltningsloven", "", InForce.NOT_YET),
            _named("lov/1992-12-04-126", "Lov om arkiv [arkivlova]", "Arkivlova", "arkl"),
            _named("lov/2025-06-20-96", "dokumentasjon og arkiv", "Arkivlova"),
            _named(
                "lov/2024-01-01-1",
                "Lov om endringer i straffeloven (heving av straffen)",
                "Endringslov til straffeloven",
            ),
            _named(
                "forskrift/2017-06-19-840",
                "Forskrift om tekniske krav til byggverk (Byggteknisk forskrift)",
                "Byggteknisk forskrift (TEK17)",
            ),
        ],
        [("lov/2018-06-15-38", "gdpr")],
        [
            Alias("borettslagsloven", "lov/2003-06-06-39"),
            Alias("personvernforordningen", "lov/2018-06-15-38", "gdpr/a"),
            Alias("DOK", "forskrift/2017-06-19-840"),
        ],
    )


def make_reference(section: str | None = "§3-5", **more: object) -> ResolvedReference:
    """Return a reference to `section`, or to the act; `more` are fields that differ."""
    given = {
        "refid": REFID,
        "section": section,
        "act": "Husleieloven",
        "title": "§ 3-5. Depositum" if section else "Lov om husleieavtaler (husleieloven)",
        "law_type": LawType.LOV,
        "in_force": InForce.YES,
        "url": f"/{REFID}",
        "lovdata_url": f"https://lovdata.no/{REFID}",
        **more,
    }
    return ResolvedReference.model_validate(given)


def make_provision(*ledd: str, section: str = "§3-5", title: str = "Depositum", **more: object) -> Provision:
    """Return a provision of these ledd; one that ends in a colon has a list of two items."""
    texts = ledd or ("Første ledd.", "Annet ledd gjelder:", "Tredje ledd.")
    items = (
        Block(kind=BlockKind.LIST_ITEM, label="a.", text="en bokstav"),
        Block(
            kind=BlockKind.LIST_ITEM,
            label="b.",
            text="en til:",
            children=(Block(kind=BlockKind.LIST_ITEM, label="1.", text="et nummer"),),
        ),
    )
    blocks = tuple(
        Block(kind=BlockKind.LEDD, ledd=n, text=text, children=items if text.endswith(":") else ())
        for n, text in enumerate(texts, 1)
    )
    rows = [
        row
        for text in texts
        for row in ([text, "a. en bokstav", "b. en til:", "1. et nummer"] if text.endswith(":") else [text])
    ]
    text = "\n".join(rows)
    given = {
        "refid": REFID,
        "section": section,
        "value": section.replace("§", "§ "),
        "title": title,
        "act": "Husleieloven",
        "document_title": "Lov om husleieavtaler (husleieloven)",
        "law_type": LawType.LOV,
        "position": 0,
        "text": text,
        "blocks": blocks,
        "in_force": InForce.YES,
        "content_hash": "0",
        "tokens": estimate_tokens(text),
        "url": f"/{REFID}#{section}",
        "lovdata_url": f"https://lovdata.no/{REFID}/{section}",
        "dataset": "gjeldende-lover",
        **more,
    }
    return Provision.model_validate(given)


def make_summary(**more: object) -> DocumentSummary:
    """Return the act; `more` are fields that differ."""
    given = {
        "refid": REFID,
        "title": "Lov om husleieavtaler (husleieloven)",
        "short_title": "Husleieloven",
        "abbreviation": "husll",
        "law_type": LawType.LOV,
        "year": 1999,
        "in_force": InForce.YES,
        "provisions": 12,
        "dataset": "gjeldende-lover",
        "url": f"/{REFID}",
        "lovdata_url": f"https://lovdata.no/{REFID}",
        **more,
    }
    return DocumentSummary.model_validate(given)
