"""Quotes and words of documents, without a document."""

from lovsvar_cases.core.files.pages import places_of
from lovsvar_cases.core.files.word_search import SearchedPage, search_pages, snippet
from lovsvar_contracts.case_documents import DocumentPage, PageSource


def pages(*texts: str) -> list[DocumentPage]:
    return [DocumentPage(number=at, text=text, source=PageSource.TEXT) for at, text in enumerate(texts, 1)]


def found(quote: str, *texts: str) -> list[tuple[int, int, str]]:
    return [(place.page.number, place.last_page, place.text) for place in places_of(quote, pages(*texts))]


def test_a_quote_leads_to_its_page_and_to_the_words_as_they_are_there() -> None:
    texts = ("Første side.", "Leien er\n12 500 kroner\tmåneden.")
    assert found("«Leien er 12 500 kroner måneden.»", *texts) == [(2, 2, "Leien er\n12 500 kroner\tmåneden.")]
    place = next(places_of("12 500", pages(*texts)))
    assert place.page.text[place.start : place.start + 6] == "12 500"


def test_a_quote_may_run_over_a_line_a_divided_word_and_the_end_of_a_page() -> None:
    assert found("depositumet skal", "om de-\npositumet skal betales") == [(1, 1, "de-\npositumet skal")]
    assert found("skal betales tilbake innen", "Det skal betales", "tilbake innen en måned") == [
        (1, 2, "skal betales\ntilbake innen")
    ]


def test_what_is_not_there_word_for_word_is_not_found() -> None:
    text = "Leien er 12 500 kroner måneden."
    for quote in ("Leien er 12 600 kroner", "leien er", "Leien er kroner", "eien er", "", "…", "kroner måned"):
        assert found(quote, text) == []


def test_a_letter_is_the_same_in_one_sign_or_two() -> None:
    assert found("Ålesund på", "i A\u030alesund pa\u030a vestlandet") == [(1, 1, "A\u030alesund pa\u030a")]


def test_pages_are_found_by_their_words_in_any_form_best_first() -> None:
    texts = pages("Depositumet er på konto. Depositum betales.", "Leien betales forskudd.", "Husordensregler om støy")
    searched = [SearchedPage("d", "Kontrakt", page) for page in texts]
    hits, _ = search_pages("depositum betale", searched)
    assert [one.page.number for one in hits] == [1, 2]
    assert search_pages("hest", searched)[0] == []


def test_a_snippet_has_the_words_that_were_found_and_cuts_no_placeholder() -> None:
    text = "fyll " * 500 + "her står fristen til {{party0.lastName}} " + "fyll " * 500
    _, forms = search_pages("frist", [SearchedPage("e", "Lang", pages(text)[0])])
    assert "her står fristen til {{party0.lastName}}" in snippet(text, forms)
    assert len(snippet(text, forms)) < 300
    without = snippet("{{party0.lastName}} " * 50, {"nordmann"})
    assert without.count("{{") == without.count("}}") > 5
    assert snippet("", forms) == ""
