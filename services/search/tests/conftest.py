"""A small invented corpus, as core sees it. The real acts are named, since names are what is resolved."""

import importlib.util
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from lovsvar_contracts.law import InForce, LawType
from lovsvar_search.adapters.tantivy_documents import norwegian
from lovsvar_search.core.act_names import ActNames
from lovsvar_search.core.aliases import Alias
from lovsvar_search.core.compounds import Vocabulary
from lovsvar_search.core.corpus import ActName
from lovsvar_search.core.lexicon import Lexicon, Pair

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


analyze = norwegian().analyze


@dataclass
class FakeVocabulary:
    """Words with how many sections use them; the analyzer is the index's own."""

    frequencies: dict[str, int] = field(default_factory=dict)
    sections: int = 100_000

    def analyze(self, text: str) -> list[str]:
        return analyze(text)

    def frequency(self, term: str) -> int:
        return self.frequencies.get(term, 0)


@pytest.fixture
def vocabulary() -> Callable[..., Vocabulary]:
    """Makes a vocabulary of words, each with how many sections use it."""

    def make(**frequencies: int) -> Vocabulary:
        return FakeVocabulary({term: n for word, n in frequencies.items() for term in analyze(word)})

    return make


@pytest.fixture
def lexicon() -> Lexicon:
    """Some everyday words, Norwegian and English, and nynorsk forms."""
    pairs = [
        Pair("nb", "huseier", "utleier", 0.7),
        Pair("nb", "kaste ut", "fravikelse", 0.9),
        Pair("nb", "kaste", "avfall", 0.5),
        Pair("nb", "syk på jobb", "sykefravær", 0.8),
        Pair("nb", "el-sykkel", "elektrisk motorvogn", 0.8),
        Pair("en", "landlord", "utleier", 1.0),
        Pair("en", "rent increase", "leieregulering", 0.9),
        Pair("en", "neighbour's tree", "nabo", 0.6),
        Pair("en", "taxes", "skatt", 1.0),
    ]
    return Lexicon(pairs, [("ikke", "ikkje"), ("husleie", "husleige"), ("første", "fyrste")], analyze)


@pytest.fixture(scope="session")
def hostile_queries() -> Sequence[str]:
    """The list of hostile queries. Tests are no package, so that it is loaded by its place."""
    file = Path(__file__).parent / "unit/hostile_queries.py"
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    queries: Sequence[str] = module.QUERIES
    return queries
