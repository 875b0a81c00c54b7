"""What a section defines, and what a question asks the meaning of."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lovsvar_legaltext.definitions import (
    LONGEST_TERM,
    asks_for_meaning,
    defined_terms,
    defining_words,
    definition_patterns,
)


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Med husrom menes bolig eller lokale.", ["husrom"]),
        ("Med «rapportert person» menes en person som anklages.", ["rapportert person"]),
        ("Med begrepet virksomhet i denne forskriften forstås stat og kommune.", ["virksomhet"]),
        ("Søknad sendes kommunen. Med foretak som er i vanskeligheter, menes foretak uten midler.",
         ["foretak som er i vanskeligheter"]),
        ("Med skogsvirke meiner ein i denne forskrifta massevirke.", ["skogsvirke"]),
        ("Uttrykket kort støt betyr et støt av om lag ett sekund.", ["kort støt"]),
        ("Loven gjelder for barn.\nMed barn menes her den som er under 18 år.\nMed verge menes den som er oppnevnt.",
         ["barn", "verge"]),
        ("Reglene skal forstås slik at de ikke hindrer annet.", []),
        ("Henvisninger til direktivet skal forstås som henvisninger til forordningen.", []),
        ("Naboen kan kreve at gjerdet flyttes.", []),
    ],
)  # fmt: skip
def test_terms_are_found_in_running_text(text: str, terms: list[str]) -> None:
    assert list(defined_terms("", text)) == terms


@pytest.mark.parametrize(
    ("heading", "text", "terms"),
    [
        ("", "I denne forskriften menes med:\na. avfall: løsøre som noen vil kvitte seg med\nb. farlig avfall: annet",
         ["avfall", "farlig avfall"]),
        ("Definisjoner", "1. Bil: Motorvogn for transport.\n2. Buss: Motorvogn for flere.", ["Bil", "Buss"]),
        ("Definisjonar", "Emne: den minste eininga. Studieår: to semester.", ["Emne", "Studieår"]),
        ("Definisjoner", "a. «gluten» en proteinfraksjon,\nb. «hvete» enhver art av Triticum.", ["gluten", "hvete"]),
        ("Søknad", "Søknaden skal inneholde:\na. navn: søkerens fulle navn", []),
    ],
)  # fmt: skip
def test_terms_are_found_in_lists_that_say_what_they_are(heading: str, text: str, terms: list[str]) -> None:
    assert list(defined_terms(heading, text)) == terms


@given(st.text(alphabet='MmedVv \n.:;«»"()abc1menesbetyrforstås', max_size=2_000))
def test_a_term_is_never_a_sentence_whatever_the_text(text: str) -> None:
    for term in defined_terms("Definisjoner", text):
        assert 0 < len(term) <= LONGEST_TERM + 2
        assert "\n" not in term


@pytest.mark.parametrize(
    ("question", "term"),
    [
        ("Hva betyr klientenhet?", "klientenhet"),
        ("Hva menes med begrepet fast bopel?", "fast bopel"),
        ("Kva er meint med nærstående", "nærstående"),
        ("definisjon av energimåler", "energimåler"),
        ("What is meant by consumer?", "consumer"),
        ("Hva er husleie", "husleie"),
    ],
)
def test_a_question_of_what_something_means_is_told(question: str, term: str) -> None:
    assert (asks_for_meaning(question) or "").strip(" ?") == term


@pytest.mark.parametrize("question", ["depositum", "Hva er?", "Hvor lang er oppsigelsestiden?", "", "Hva skjer nå?"])
def test_other_questions_ask_for_no_meaning(question: str) -> None:
    assert asks_for_meaning(question) is None


@pytest.mark.parametrize(
    ("term", "text"),
    [
        ("forbruker", "Med forbruker menes en fysisk person som ikke handler som ledd i næringsvirksomhet."),
        ("arbeidstaker", "Med arbeidstaker menes i denne lov enhver som utfører arbeid for en annen."),
        ("arbeidstakar", "Med arbeidstakaren meinest ikkje. Som arbeidstakar reknes den som arbeider."),
        ("personopplysning", "I denne artikkelen menes med\n1. «personopplysninger» enhver opplysning om en person"),
        ("depositum", "I loven menes med:\na. depositum: et beløp som settes på konto"),
    ],
)
def test_the_words_that_define_a_term_are_found_in_the_forms_that_law_uses(term: str, text: str) -> None:
    assert term in defining_words("", text, definition_patterns(term)).casefold()


@pytest.mark.parametrize(
    "text",
    [
        "Likt med forbrukeren regnes en annen tredjeperson.",
        "Forbruker kan heve kjøpet.",
        "Selgeren skal gi forbrukeren beskjed.",
        "Med kunde menes en forbruker.",
    ],
)
def test_a_section_that_only_uses_the_term_has_no_words_that_define_it(text: str) -> None:
    assert defining_words("", text, definition_patterns("forbruker")) == ""
