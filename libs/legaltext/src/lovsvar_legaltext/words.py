"""Content words, stems, and how two words meet."""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

import snowballstemmer

MAX_CONTENT_WORDS = 40
"""A long question is known by its first content words; more of them only add noise."""

_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_STEMMER = snowballstemmer.stemmer("norwegian")
_ENDINGS = frozenset({"a", "ar", "e", "en", "er", "es", "et", "or", "s"})
_ENDINGS_OF_VOWELS = _ENDINGS | {"n", "ne", "r", "t"}
_FORM = 4
"""The shortest stem that may be another form of a word: 'vint' and 'vinter'."""

_PART = 5
"""The shortest stem that counts as part of a compound: 'frist' in 'oppsigelsesfrist'."""

PART = 0.6
"""What a match with a part of a compound is worth."""

_STOPWORDS_TEXT = """
    a alle allerede alt altså an andre annen annet at av bare bedre best beste bety betyr bla ble blei bli blir blitt
    bruke bruker brukes både bør ca can da de deg dei deira dem den denne der dere deres dermed dersom det dette di
    din disse ditt do does du dykk dykkar då eg ei ein eit eitt eller elles en enn er et ett etter finnes finst for
    fordi fra frå få får fått før gang gi gikk gir gitt gjeld gjelde gjelder gjer gjere gjort gjør gjøre god godt gå
    går gått ha hadde han hans har hatt hele heller helst hennar henne her ho hos how hun hva hvem hver hverandre
    hvilke hvilken hvilket hvis hvor hvordan hvorfor høre i igjen ikke ikkje imot in ingen inn innebære innebærer
    innenfor is ja jeg jo kan kanskje kom komme kommer kor korleis kunne kva kvar kven kvifor la lage lang lange
    langt legge lenge ligge like litt long lov lova loven man mange med meg meir mellom men mens mer mest min mine
    mitt mot much my mye mykje må måtte nei noe noen nok noko nokon nokre nå når of og også om opp oss over paragraf
    paragrafar paragrafen per plass på regel regelen regla reglar reglene regler rett sagt samme se seg seier selv
    si sia sida siden sier sin sine sitt sjølv skal skje skjer skulle slik slike slutt som spørsmål sto stor store
    stort står så ta takk tar the til to under unna ut utan uten var ved vel veldig vera vere verta vet vi vil ville
    vite vår våre vårt være vært what
"""
_STOPWORDS = frozenset(_STOPWORDS_TEXT.split())

_LAY_TERMS = tuple(
    (re.compile(pattern, re.IGNORECASE), legal)
    for pattern, legal in (
        (r"\b(?:si|sier|sa|sagt|sei|seier)\s+(?:\w+\s+){0,3}opp\b", "oppsigelse"),
        (r"\boppsagt\b|\bspark(?:e|en|er|et|a)\b", "oppsigelse"),
        (r"\bgift(?:e|er|et|a)?\s+(?:seg|meg|deg|oss|dere)\b", "ekteskap"),
        (r"\bhuseier(?:en|ens|s)?\b|\bhuseigar(?:en)?\b", "utleier"),
        (r"\bsjef(?:en|ens|a)?\b", "arbeidsgiver"),
        (r"\bansatte?\b", "arbeidstaker"),
        (r"\bjobbe[rt]?\b|\bjobba\b", "arbeid"),
        (r"\boppsigelsestid(?:en|a)?\b", "oppsigelsesfrist"),
        (r"\b(?:kan|kunne|vil)\s+du\s+(?:hjelpe|hjelpa)\b|\btakk\s+for\s+(?:hjelp|svar)\w*", ""),
        (r"\b(?:krav|rett)\s+på\b|\b(?:rett|lov|plikt|adgang)\s+til(?:\s+å)?\b", ""),
    )
)
"""Everyday words and the law's own, where one plainly is the other; the last only say that something is asked."""


_NOTHING: Mapping[str, float] = {}


def in_legal_terms(text: str) -> str:
    """Return `text` with everyday words replaced by the law's own: 'si opp' is 'oppsigelse'."""
    for pattern, legal in _LAY_TERMS:
        text = pattern.sub(legal, text)
    return text


def words(text: str) -> list[str]:
    """Return the words of `text` in lower case, numbers included."""
    return [w.casefold() for w in _WORD.findall(text)]


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """Return the stem of a word in lower case."""
    return str(_STEMMER.stemWord(word))


def content_words(text: str) -> tuple[str, ...]:
    """Return the words of `text` that say what it is about, in legal terms, each once, in order."""
    found = (w for w in words(in_legal_terms(text)) if w not in _STOPWORDS and len(w) > 1)
    return tuple(dict.fromkeys(found))


class Matcher:
    """How the words of a text meet the content words of one question.

    A match is worth 1 for the same stem, 0.9 for two forms that the stemmer keeps apart ('utlei',
    'utleier'), and 0.6 when one is the beginning or the end of a compound ('depositum',
    'depositumskonto'; 'frist', 'klagefrist').
    """

    def __init__(self, question: str) -> None:
        found = dict.fromkeys(stem(w) for w in content_words(question))
        self.stems: tuple[str, ...] = tuple(found)[:MAX_CONTENT_WORDS]
        self._known: dict[str, Mapping[str, float]] = {}
        self._long = tuple(s for s in self.stems if len(s) >= _FORM)
        self._affixes = {s[:n] for s in self.stems for n in range(_FORM, len(s) + 1)}
        self._affixes.update(self.stems, (s[n:] for s in self.stems for n in range(1, len(s) - _PART + 1)))

    def match(self, text_words: Iterable[str]) -> dict[str, float]:
        """Return the question's stems that meet any of `text_words`, each with its best worth."""
        best: dict[str, float] = {}
        for word in text_words:
            known = self._known.get(word)
            if known is None:
                known = self._known[word] = self._meet(stem(word))
            for question_stem, worth in known.items():
                if worth > best.get(question_stem, 0.0):
                    best[question_stem] = worth
        return best

    def _meet(self, own: str) -> Mapping[str, float]:
        # Nearly all words of a text meet none of the question's: they are passed over together.
        if own in self._affixes or own.startswith(self._long) or own.endswith(self._long):
            return {s: worth for s in self.stems if (worth := _worth(s, own))}
        return _NOTHING


def _worth(one: str, other: str) -> float:
    if one == other:
        return 1.0
    short, long = (one, other) if len(one) < len(other) else (other, one)
    if len(short) >= _FORM and long.startswith(short):
        endings = _ENDINGS_OF_VOWELS if short[-1] in "aeiouyæøå" else _ENDINGS
        if long[len(short) :] in endings:
            return 0.9
    return PART if len(short) >= _PART and (long.startswith(short) or long.endswith(short)) else 0.0
