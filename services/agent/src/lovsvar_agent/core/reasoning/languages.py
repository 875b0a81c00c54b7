"""Which language a question is in: bokmål, nynorsk or English."""

from typing import Literal

from lovsvar_agent.core.words import words

Language = Literal["nb", "nn", "en"]

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


def language_of(question: str, locale: Language | None = None) -> Language:
    """Return the language to answer in: `locale` when it is given, else that of the question; bokmål when in doubt."""
    if locale is not None:
        return locale
    found = words(question)
    english = sum(w in _ENGLISH for w in found)
    norwegian = sum(w in _NORWEGIAN or w in _NYNORSK or any(c in "æøå" for c in w) for w in found)
    if english > norwegian:
        return "en"
    nynorsk = sum(w in _NYNORSK for w in found)
    return "nn" if nynorsk > sum(w in _ONLY_BOKMAL for w in found) else "nb"
