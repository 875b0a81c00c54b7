"""Prices in words."""

import pytest

from lovsvar_ingest.core.catalogues.prices import amount_of, price_in_words


@pytest.mark.parametrize(
    ("words", "amount"),
    [
        ("Vanaf € 2.500", 2500),
        ("1 200 kr", 1200),
        ("1\u00a0200 kr", 1200),
        ("fra kr 500,-", 500),
        ("500,-", 500),
        ("1.200 ,-", 1200),
        ("kostenfrei", 0),
        ("Uden beregning", 0),
        ("Gratis", 0),
        ("Kostenlos für Mitglieder", 0),
        ("gratuit", 0),
        ("Free of charge", 0),
        ("Det er kostnadsfritt", 0),
        ("0 kr", 0),
        ("€ 1.234,56", 1234.56),
        ("$1,234.56", 1234.56),
        ("12.5 EUR", 12.5),
        ("kr. 1.200,00", 1200),
        ("500–900 kr", 500),
        ("300 til 400 kroner", 300),
        ("À partir de 99,90 €", 99.9),
        ("ab 20 €", 20),
        ("1'200 CHF", 1200),
        ("Egenandel 345 kr per time", 345),
        ("2500", 2500),
        ("fra 300 per time", 300),
        ("NOK 100", 100),
        ("Medlemmer gratis, andre 300 kr", 300),
        ("ikke gratis", None),
        ("Niet gratis", None),
        ("Inntil 3 timer", None),
        ("-500 kr", None),
        ("Prijs op aanvraag", None),
        ("Etter avtale", None),
        ("", None),
        ("9" * 40 + " kr", None),
        ("kr " + "1" * 5_000, None),
    ],
)
def test_the_amount_in_a_price(words: str, amount: float | None) -> None:
    assert amount_of(words) == amount


@pytest.mark.parametrize(
    ("amount", "currency", "language", "words"),
    [
        (2500, "EUR", "nl", "€ 2.500"),
        (2500, "EUR", "de", "2.500 €"),
        (2500.5, "EUR", "en", "€2,500.50"),
        (1200, "NOK", "nb", "1 200 kr"),
        (99, "CHF", "fr", "99 CHF"),
        (0, "", "nb", "0"),
    ],
)
def test_an_amount_is_written_as_its_language_does_and_read_back(
    amount: float, currency: str, language: str, words: str
) -> None:
    assert price_in_words(amount, currency, language) == words
    assert amount_of(words) == amount
