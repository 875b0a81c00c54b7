"""How the languages of catalogues are read."""

from typing import get_args

import pytest

from lovsvar_contracts.catalogues import CatalogueLanguage
from lovsvar_search.adapters.retrieval.tantivy_documents import text_analyzer
from lovsvar_search.core.catalogues.languages import LANGUAGES, analyzer_of


def test_every_language_that_a_catalogue_may_be_in_is_known() -> None:
    assert set(LANGUAGES) == set(get_args(CatalogueLanguage))
    with pytest.raises(KeyError):
        analyzer_of("xx")


@pytest.mark.parametrize(
    ("language", "one", "other"),
    [
        ("nl", "Klachten over de werkplek", "klacht werkplekken"),
        ("nb", "utleieren og oppsigelser", "utleier oppsigelse"),
        ("nn", "klager på vedtaket", "klage vedtak"),
        ("en", "the complaints of tenants", "complaint tenant"),
        ("de", "Beschwerden der Mieter", "beschwerde mieter"),
        ("fr", "les plaintes des locataires", "plainte locataire"),
        ("sv", "klagomålen och hyresgästerna", "klagomål hyresgäst"),
        ("da", "klagerne og lejerne", "klager lejer"),
    ],
)
def test_forms_of_a_word_meet_and_stop_words_are_dropped(language: str, one: str, other: str) -> None:
    analyze = text_analyzer(analyzer_of(language)).analyze
    assert analyze(one) == analyze(other)


@pytest.mark.parametrize(
    ("language", "question", "subject"),
    [
        ("nl", "Welke hulp is er voor burn-out?", ("burn", "out")),
        ("nb", "Hvem kan hjelpe meg med gjeld?", ("gjeld",)),
        ("nn", "Kven kan hjelpe meg med gjeld?", ("gjeld",)),
        ("en", "Who can help me with debt?", ("debt",)),
        ("de", "Wer kann mir bei Schulden helfen?", ("schulden",)),
        ("fr", "Qui peut m'aider avec une dette ?", ("m", "dette")),
        ("sv", "Vem kan hjälpa mig med skulder?", ("skulder",)),
        ("da", "Hvem kan hjælpe mig med gæld?", ("gæld",)),
    ],
)
def test_words_of_asking_are_no_part_of_the_subject(language: str, question: str, subject: tuple[str, ...]) -> None:
    assert analyzer_of(language).spoken(question).subject == subject
