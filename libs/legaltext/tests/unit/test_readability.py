"""LIX tells easy texts from hard ones."""

from lovsvar_legaltext.readability import lix


def test_lix_counts_words_a_sentence_and_long_words() -> None:
    assert lix("Du kan klage. Fristen er tre uker.") == 7 / 2 + 100 * 1 / 7
    assert lix("") == 0.0


def test_law_is_harder_than_plain_words() -> None:
    law = "Oppsigelsesadgangen kan begrenses ved avtale, såfremt avtalevilkårene ikke strider mot loven."
    assert lix(law) > 55 > 30 > lix("Du kan si opp når du vil. Du må gi beskjed en måned før.")
