"""Which quotations of an answer's prose are in a source, and which of its statements say what the law is."""

import pytest

from lovsvar_agent.core.evidence import EvidenceRegistry
from lovsvar_agent.core.reasoning.bound_prose import bind
from lovsvar_agent.core.reasoning.phrases import WORDINGS
from lovsvar_agent.core.reasoning.prose_check import vet_quotations
from lovsvar_agent.core.reasoning.statement_check import Inquiry
from lovsvar_agent.core.source_kinds.law import LAW
from lovsvar_agent.core.source_kinds.practice import PRACTICE

NB = WORDINGS["nb"]
IDS = EvidenceRegistry(kinds=(LAW, PRACTICE)).id_pattern


def uncited(text: str) -> tuple[str, ...]:
    """Return what states law in a text of which no source is known."""
    return tuple(one.text for one in bind(text, {}, Inquiry("", "nb"), IDS).apart)


def test_a_quotation_that_stands_in_no_source_is_left_out() -> None:
    vetted = vet_quotations("Loven sier «alt er helt tillatt her» nå.", ["noe annet"], NB, IDS)
    assert vetted.text == f"Loven sier {NB.quote_removed} nå."
    assert vetted.omitted == ("alt er helt tillatt her",)


@pytest.mark.parametrize("quoted", ["«{}»", "“{}”", '"{}"', "‘{}’", "„{}“"])
def test_a_quotation_that_stands_in_a_source_stays_whatever_its_marks(quoted: str) -> None:
    text = f"Loven sier {quoted.format('pantet settes på konto')}."
    assert vet_quotations(text, ["Her: pantet settes på konto."], NB, IDS).text == text


def test_a_mere_term_loses_its_marks() -> None:
    assert vet_quotations("Det kalles «depositum».", ["x"], NB, IDS).text == "Det kalles depositum."


@pytest.mark.parametrize(
    "sentence",
    [
        "Pantet skal settes på konto.",
        "Båteieren kan kreve pant.",
        "Fristen er ti dager.",
        "Det er ulovleg å ta meir.",
        "Leigaren pliktar å betale seinast etter to veker.",
        "The owner may not demand more.",
        "The tenant is entitled to a refund.",
        "It must be paid within ten days.",
        "Etter § 3-2 er det slik.",
        "Båteieren kan kaste deg ut samme dag.",
        "Båteieren eier pantet.",
        "Pantet forfaller straks.",
        "Du mister pantet.",
        "Båteieren trenger ikke å si fra.",
        "Ingen kan hindre det.",
        "Kildene sier at pantet forfaller straks.",
        "Jeg mener at båteieren eier pantet.",
        "Svaret er at du kan ta båten.",
        "Spør du ikke, kan båten tas.",
        "Owners keep the pledge.",
        "The owner can take the boat.",
    ],
)
def test_a_sentence_that_states_law_without_a_source_is_listed(sentence: str) -> None:
    assert uncited(sentence) == (sentence,)
    assert uncited(f"{sentence[:-1]} [lovdata-1].") == ()
    assert uncited(f"{sentence} [lovdata-1]") == ()


@pytest.mark.parametrize(
    "text",
    [
        "Her er svaret.",
        "# Hva loven sier om pant",
        "Det beror på forholdene.",
        "Det kommer an på avtalen mellom dere.",
        "Kildene sier ikke noe om dette.",
        "Du bør kontakte båteieren først.",
        "Ta kontakt med en advokat.",
        "Har dere avtalt noe annet om pant?",
        "Jeg fant disse reglene om båtpant.",
        "The sources do not answer this.",
        "",
    ],
)
def test_other_sentences_and_headings_are_not(text: str) -> None:
    assert uncited(text) == ()


def test_each_sentence_of_a_paragraph_answers_for_itself() -> None:
    text = "Pantet skal settes på konto. Det er høyst fire uker [lovdata-1].\n- Skader skal meldes."
    assert uncited(text) == ("Pantet skal settes på konto.", "Skader skal meldes.")
