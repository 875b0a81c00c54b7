"""The language of a text, and the words of a question that say nothing about its subject."""

from collections.abc import Collection, Sequence
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
    about after again agreement also am an any anyone apartment are away back because been before being benefits
    between bite both bought boyfriend but buy can cannot car child children claim company complaint consumer
    contract could couldn court custody daughter death deposit did didn divorce do does doesn dog don down driving
    each either employee employer estate every evicted explain father find fired friend from get gets getting
    girlfriend give given had hasn have haven health heir her hers him his holiday house housing how husband if
    income increase inheritance insurance is isn it its job joke just keep keeps kids kindergarten know landlord law
    laws leave liability licence like loan long made make many marriage maternity may might minimum money more most
    mother much must my need neighbour never nobody not notice of off often once one only or other our out overtime
    own parental parents parking pay people period permit please property purchase quick recommend refund rent
    repair retirement salary school sentence she should shouldn sick since sold some somebody someone something
    speeding still story student such take taken tax taxes tenant terminate than that the theft their them then
    there these they thing things this those though through ticket time today tomorrow tonight too translate tree
    two unemployment unless until use vacation very violence wants was wasn we were what when where whether which
    while who whole whose why wife will with within without witness won work would wouldn write year years yesterday
    you your
"""
_NORWEGIAN_TEXT = """
    av bare betale ble blei bli blir da de deg dei den denne der dere dersom det dette din dine ditt du då eller en
    enn er et ett etter fikk finnes fordi fra frå få får fått før gi gir gå går ha hadde han har hatt hun hva hvem
    hver hvilke hvilken hvilket hvis hvor hvordan hvorfor igjen ikke ingen ja jeg jobbe kan kanskje kreve kreves lov
    loven med meg mellom men mens min mine mitt mot må måtte nok nå når og også om opp oss på rett sa samme seg selv
    si sin sine sitt skal skulle som står så ta tar til under ut ved vi vil ville vår være
"""
_NYNORSK_TEXT = """
    arbeidsgivar arbeidsgjevar arbeidstakar avgjer avgjerd berre dei dotter dottera dykk dykkar eg ei eiga eigen ein
    eit eitt fekk finst fleire frå gje gjer gjere gjev granne grannen gutane guten heile heilt heim held hjå ho ikkje
    kjem kome kor korleis kva kvar kvarandre kven kvifor leigar leigebuar leigetakar løn løyve me meir mykje no noko
    nokon nokre noreg saman seie seier sidan sjå skule skulen slutta snakkar sonen søkje tek teke tenester treng utan
    utleigar utleigaren vald vart veke veker vera vere verjemål vore vort åleine
"""
_BOKMAL_TEXT = """
    deres eier en ene fikk flere fra gir gjør hele helt hjem hun hva hvem hver hvilke hvilken hvilket hvis hvor
    hvordan hvorfor ikke jeg mer mye noe noen nå skolen uke uker uten være vært
"""
_NYNORSK_ENDINGS = ("ane", "ast", "heit", "leg", "lege", "leik")
_ENGLISH_ENDINGS = ("ence", "ght", "ities", "ity", "ness", "ship", "tion", "tions")
_BOKMAL_ENDINGS = ("else", "elsen", "ene", "het", "lig", "lige")
_NYNORSK, _BOKMAL = frozenset(_NYNORSK_TEXT.split()), frozenset(_BOKMAL_TEXT.split())
_ENGLISH = frozenset(_ENGLISH_TEXT.split())
# Words that both languages have ("i", "for", "at", "me", "no") speak for neither.
_NORWEGIAN = frozenset(_NORWEGIAN_TEXT.split()) | _BOKMAL | (_NYNORSK - {"me", "no"})
_ENDED = 6
"""Letters of a word from which its ending tells the languages apart."""


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
    norwegian = sum(w in _NORWEGIAN or any(c in "æøå" for c in w) for w in found)
    english = _speaks_for(found, _ENGLISH, _ENGLISH_ENDINGS)
    if english > norwegian:
        return "en"
    return (
        "nn" if _speaks_for(found, _NYNORSK, _NYNORSK_ENDINGS) > _speaks_for(found, _BOKMAL, _BOKMAL_ENDINGS) else "nb"
    )


def _speaks_for(found: Sequence[str], known: Collection[str], endings: tuple[str, ...]) -> int:
    return sum(w in known or (len(w) >= _ENDED and w.endswith(endings)) for w in found)
