"""A small invented corpus, as core sees it. The real acts are named, since names are what is resolved."""

import pytest
from hypothesis import HealthCheck, settings

from lovsvar_contracts.law import InForce, LawType
from lovsvar_search.core.act_names import ActNames
from lovsvar_search.core.aliases import Alias
from lovsvar_search.core.corpus import ActName

# How long an example takes says something of the machine, and nothing of the code.
settings.register_profile("lovsvar-search", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("lovsvar-search")


def named(refid: str, title: str, short: str = "", abbreviation: str = "", in_force: InForce = InForce.YES) -> ActName:
    return ActName(
        refid, title, short, abbreviation, LawType(refid.partition("/")[0]), in_force, ("Justisdepartementet",)
    )


@pytest.fixture
def names() -> ActNames:
    return ActNames(
        [
            named("lov/1999-03-26-17", "Lov om husleieavtaler (husleieloven)", "Husleieloven", "husll"),
            named(
                "lov/2005-06-17-62",
                "Lov om arbeidsmiljø, arbeidstid mv. (arbeidsmiljøloven)",
                "Arbeidsmiljøloven",
                "aml",
            ),
            named("lov/2005-05-20-28", "Lov om straff (straffeloven)", "Straffeloven", "strl."),
            named("lov/2008-06-27-71", "Lov om planlegging (plan- og bygningsloven)", "Plan- og bygningsloven", "pbl"),
            named("lov/2003-06-06-39", "Lov om burettslag (burettslagslova)", "Burettslagslova", "brl"),
            named("lov/2018-06-15-38", "Lov om personopplysninger (personopplysningsloven)", "Personopplysningsloven"),
            named("lov/1814-05-17", "Kongeriket Norges Grunnlov", "Grunnloven (bokmål)", "Grl"),
            named("lov/1996-01-05-1", "Lov om fjellområder (fjellova)", "Fjellova", "fjell"),
            named("lov/1967-02-10", "Lov om behandlingsmåten (forvaltningsloven)", "Forvaltningsloven", "fvl"),
            named(
                "lov/2025-06-20-81",
                "Lov om saksbehandling (forvaltningsloven)",
                "Forvaltningsloven",
                "",
                InForce.NOT_YET,
            ),
            named("lov/1992-12-04-126", "Lov om arkiv [arkivlova]", "Arkivlova", "arkl"),
            named("lov/2025-06-20-96", "Lov om dokumentasjon og arkiv (arkivlova)", "Arkivlova"),
            named(
                "lov/2024-01-01-1",
                "Lov om endringer i straffeloven (heving av straffen)",
                "Endringslov til straffeloven",
            ),
            named(
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
