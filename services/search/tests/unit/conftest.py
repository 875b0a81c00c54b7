"""A small invented corpus, as core sees it. The real acts are named, since names are what is resolved."""

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from hypothesis import HealthCheck, settings

from lovsvar_legaltext.act_names import ActNames
from lovsvar_search.adapters.retrieval.tantivy_documents import text_analyzer
from lovsvar_search.core.law.analysis import NORWEGIAN
from lovsvar_search.core.law.lexicon import Lexicon, Pair
from lovsvar_search.core.retrieval.analysis import Analyzer, Vocabulary
from lovsvar_testkit.acts import example_names

# How long an example takes says something of the machine, and nothing of the code.
settings.register_profile("lovsvar-search", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("lovsvar-search")


@pytest.fixture
def names() -> ActNames:
    return example_names()


analyze = text_analyzer(NORWEGIAN).analyze


@dataclass
class FakeVocabulary:
    """Words with how many items use them; the analyzer is the index's own."""

    frequencies: dict[str, int] = field(default_factory=dict)
    items: int = 100_000
    analyzer: Analyzer = NORWEGIAN

    def analyze(self, text: str) -> list[str]:
        return analyze(text)

    def frequency(self, term: str) -> int:
        return self.frequencies.get(term, 0)


@pytest.fixture
def vocabulary() -> Callable[..., Vocabulary]:
    """Makes a vocabulary of words, each with how many items use it."""

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
