"""The language of a text, and the words of a question that say nothing about its subject."""

from collections.abc import Sequence
from typing import Literal

from lovsvar_legaltext.words import words

Language = Literal["nb", "nn", "en"]

_QUESTION_WORDS = """
bare blir bli burde bør dei denne dersom dette ein eit etter fikk fortsatt får få fått gi gir gjør gjøre
gjer eg gå går hele hei helt hva hvem hvilke hvilken hvilket hvis hvor hvordan hvorfor ikkje jeg kan kor korleis
kva kven kvifor litt lenge mange me mitt mye mykje må måtte noe noen nok noko nokon når pga si sier sa skal
skulle stemmer ta tar trenger trur tror vel veldig vil ville vår vårt
a about am an and any are as at be been but by can could did do does for from get gets got had has have he her
him his how i if in is isn it its just like may me must my no norway norwegian not of on or our s she should
so still t that the their them then they this to up us was we were what when where which who why will with
would you your
bestemmelse bestemmelsen bestemmelsene bestemmelser bestemmer bestemt finn finne finner finnes finst forklar forklare
forklarer føresegn føresegna føresegner føresegnene gjeld gjelde gjelder handlar handler lov lova loven lovene lover
lovverk lovverket lure lurer lurar paragraf paragrafen paragrafer reglane reglar regel regelen regelverk regelverket
regler reglene spørsmål stå står takk veit vet vite
explain find know law laws need regulations rule rules says tell thanks
"""
QUESTION_WORDS = frozenset(_QUESTION_WORDS.split())
"""Words of questions, stories and of law in general, in bokmål, nynorsk and English: frequent in questions and rare in
law, or in all of it, so that neither stop words nor inverse document frequency remove them."""

_ENGLISH_QUERY_TEXT = """
a about am an and any are as be been by can cannot could did do does get got has have how i if in is it its may
me must my need no not of on or our she should that the their them there they this to us was we were what when
where which who why with without would you your
"""
_NORWEGIAN_QUERY_TEXT = """
av bli blir da de dei den det du eg ein eit en er et etter ei for fra frå få får han hun ho hva hvem hvis hvor
hvordan har hos ikke ikkje jeg kan kor korleis kva kven man med meg men min mitt mi mye må mot når og også om opp
på så seg selv sin skal som til uten ut ved vi vil være vere å
"""
_ENGLISH_QUERY = frozenset(_ENGLISH_QUERY_TEXT.split())
_NORWEGIAN_QUERY = frozenset(_NORWEGIAN_QUERY_TEXT.split())

_ENGLISH_TEXT = """
    the what how is are does do can my of and for when which who long much many must shall should would have has
    tenant landlord employer employee law under norwegian norway without with if from there your you i to be an
"""
_ENGLISH = frozenset(_ENGLISH_TEXT.split())
_NYNORSK_TEXT = """
    kva korleis kven kvar kvifor kor ikkje eg ein eit frå berre dei mykje nokon noko vere vera gjeld gjere krevje
    seier seie rettar finst hjå dykk dykkar arbeidstakar arbeidsgivar leigetakar utleigar leige sjølv meir utan nokre
"""
_NYNORSK = frozenset(_NYNORSK_TEXT.split())
_NORWEGIAN_TEXT = """
    hva hvor hvordan hvem hvilke hvilken hvorfor er og jeg kan ikke som av på til med en et for å det den når har
    skal må lov loven etter fra paragraf kva korleis kven ikkje eg ein eit frå
"""
_NORWEGIAN = frozenset(_NORWEGIAN_TEXT.split())
_ONLY_BOKMAL = frozenset({"hva", "hvor", "hvordan", "hvem", "hvilke", "hvilken", "hvorfor", "ikke", "jeg", "fra", "en"})


def may_be(words: Sequence[str]) -> tuple[bool, bool]:
    """Return whether `words` may be Norwegian, and whether they may be English; both when unclear."""
    english = sum(word in _ENGLISH_QUERY for word in words)
    norwegian = sum(word in _NORWEGIAN_QUERY for word in words)
    return norwegian >= english, english >= norwegian


def language_of(text: str, locale: Language | None = None) -> Language:
    """Return `locale` if given, else the language of `text`; bokmål when unclear."""
    if locale is not None:
        return locale
    found = words(text)
    english = sum(w in _ENGLISH for w in found)
    norwegian = sum(w in _NORWEGIAN or w in _NYNORSK or any(c in "æøå" for c in w) for w in found)
    if english > norwegian:
        return "en"
    nynorsk = sum(w in _NYNORSK for w in found)
    return "nn" if nynorsk > sum(w in _ONLY_BOKMAL for w in found) else "nb"
