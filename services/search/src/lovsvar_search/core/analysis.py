"""How text is prepared for the index, and which words of a question say nothing about its subject.

The index's analyzer splits at everything that is not a letter or a digit, lower-cases, drops Norwegian
stop words and stems. `§ 3-5`, `§ 2 A-1` and `§ 13 a` are therefore rewritten first into one word each,
in the index and in queries alike.
"""

import re
from dataclasses import dataclass

SECTION_NUMBER = (
    r"\d+(?:[a-zA-Z](?!\w)|\s(?![iI]\s+\w)[a-zA-Z](?!\w))?"
    r"(?:\s?[-–]\s?\d+(?:[a-zA-Z](?!\w)|\s(?![iI]\s+\w)[a-zA-Z](?!\w))?)*"
)
"""A section's number without its sign: 3-5, 2 A-1, 13 a. A lone `i` before a word is a preposition: § 5 i loven."""

_SECTION = re.compile(rf"(?<!§)§+\s*({SECTION_NUMBER})")

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
"""Words of asking and telling, and of law itself, bokmål, nynorsk and English: frequent in questions and rare in law
or in all of it, so that neither the index's stop words nor inverse document frequency silence them."""


def section_word(number: str) -> str:
    """Return the one word that stands for a section's number in the index: `3-5` → `xp3x5`."""
    return "xp" + "".join(number.split()).casefold().replace("-", "x").replace("–", "x")


def prepare(text: str) -> str:
    """Return `text` with each section number behind a § rewritten as one word."""
    if "§" not in text:
        return text
    return _SECTION.sub(lambda match: f" {section_word(match.group(1))} ", text)


@dataclass(frozen=True, slots=True)
class Spoken:
    """The words of a question in lower case: `all` of them, and those that say something of its `subject`."""

    all: tuple[str, ...]
    subject: tuple[str, ...]

    @property
    def prepared(self) -> str:
        """All words as the index's analyzer takes them."""
        return " ".join(self.all)


def spoken_words(text: str) -> Spoken:
    """Return the words of `text`, prepared; when it says nothing but words of asking, they are its subject."""
    words = tuple(re.findall(r"\w+", prepare(text).casefold()))
    return Spoken(words, tuple(word for word in words if word not in QUESTION_WORDS) or words)
