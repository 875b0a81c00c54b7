"""What Lovsvar says of products, in the language of the question: bokmål, nynorsk, English and Dutch."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from lovsvar_legaltext.language import Language, language_of
from lovsvar_legaltext.words import words

OfferLanguage = Literal["nb", "nn", "en", "nl"]

_DUTCH_TEXT = """
aan bij dan dat deze die dit door een er geen haar heb hebben heeft het hij hoe hulp iemand ik is kan krijg
krijgen kunnen maar mag mij mijn moet naar niet nog ons onze ook op over te tot uit van veel voor waar wanneer wat
welke werk werkgever wie wij word worden wordt zijn zonder
"""
_SHARED = frozenset({"er", "is", "kan", "dan", "over"})
_DUTCH = frozenset(_DUTCH_TEXT.split()) - _SHARED
_MOST = 0.3
"""Share of a question's words that make it Dutch; no other language of questions has so many of them."""


@dataclass(frozen=True)
class OfferPhrases:
    """The sentences of one language."""

    title: str
    note: str
    invented: str


PHRASES: Mapping[OfferLanguage, OfferPhrases] = {
    "nb": OfferPhrases(
        title="Tilbud som kan hjelpe",
        note="Tilbudene er hentet fra en katalog. De er ikke en del av det juridiske svaret.",
        invented="oppdiktet eksempel, tilbudet finnes ikke",
    ),
    "nn": OfferPhrases(
        title="Tilbod som kan hjelpe",
        note="Tilboda er henta frå ein katalog. Dei er ikkje ein del av det juridiske svaret.",
        invented="oppdikta døme, tilbodet finst ikkje",
    ),
    "en": OfferPhrases(
        title="Services that may help",
        note="These come from a catalogue. They are not part of the legal answer.",
        invented="an invented example, the service does not exist",
    ),
    "nl": OfferPhrases(
        title="Aanbod dat kan helpen",
        note="Dit aanbod komt uit een catalogus. Het hoort niet bij het juridische antwoord.",
        invented="verzonnen voorbeeld, dit aanbod bestaat niet",
    ),
}


def offer_language(question: str, locale: Language | None = None) -> OfferLanguage:
    """Return `locale` if given, else the language of the question, Dutch where it is that."""
    if locale is not None:
        return locale
    found = words(question)
    dutch = sum(word in _DUTCH for word in found)
    return "nl" if dutch > 1 and dutch >= _MOST * len(found) else language_of(question)
