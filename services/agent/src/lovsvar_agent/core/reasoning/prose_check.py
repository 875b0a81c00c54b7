"""Which quotations of an answer's prose are in a source, and which of its statements say what the law is."""

import re
from collections.abc import Iterable

from lovsvar_agent.core.reasoning.checked_prose import QUOTATION, Vetted
from lovsvar_agent.core.reasoning.phrases import Wording
from lovsvar_legaltext.quantities import quantities
from lovsvar_legaltext.quotes import find
from lovsvar_legaltext.stances import read_sentence

_TERM_WORDS = 4
"""A quotation shorter than this is a term, and loses its marks when no source holds it."""

_STATES_LAW = re.compile(
    r"""
      §
    | \b(?: skal | må | pli(?:kt|ktar|kter|ktig)\w* | rett\s+(?:til|på) | krav\s+på
    | har\s+(?:rett|krav|plikt|adgang|lov)
    | kan\s+(?: ikke | ikkje | bare | berre | kun | kreve\w* | krevje\w* | krevjast | si | seie | heve\w* | nekte\w*
        | straffes? | sies | seiast | bli | få | settes )
    | forbudt | forbode | u?lovlig\w* | u?lovleg\w* | tillatt\w* | tillate\w* | straff\w* | bot | bøter | fengsel
    | [\wæøå]*frist\w* | høyst | høgst | minst | senest | seinast | u?gyldig\w* | gjelder | gjeld | ansvarlige?
    | ansvarleg | erstatning\w* | [\wæøå]*lov(?:en|a)
    | must | shall | may\s+(?:not|only) | cannot | can\s+(?:not|only|demand|require|terminate|claim)
    | ha(?:s|ve)\s+(?:the\s+|a\s+)?(?:right|duty) | entitled | required | obliged | permitted | allowed | prohibited
    | forbidden | (?:un)?lawful | illegal | liable | penalty | fined? | imprisonment | at\s+(?:most|least)
    | no\s+later\s+than | deadline | the\s+act | (?:in)?valid | appl(?:y|ies)\s+to )\b
    | \b(?: \d+ | to | tre | fire | fem | seks | sju | syv | åtte | ni | ti | tolv | fjorten | two | three | four | five
        | six | seven | eight | nine | ten | twelve | fourteen )\s+
      (?: dag | døgn | uke | vek | måned | månad | år | kroner | prosent | day | week | month | year )
    """,
    re.VERBOSE | re.IGNORECASE,
)
_ADVICE = re.compile(
    r"""
      .* \? ["»”]? \s* $
    | \W* (?: (?:du|ein|man|dere|de|you) \s+ )? (?: (?:bør|kan|burde|should|can|may) \s+ )? (?: (?:du|you) \s+ )?
      (?: (?:gjerne|også|eventuelt|likevel|also) \s+ )?
      (?: kontakt\w* | ta\s+kontakt | rådfør\w* | snakk\w* | søk\w*\s+(?:råd|hjelp) | spør\w* | undersøk\w* | sjekk\w*
        | les\w*\s+(?:mer|meir) | contact | consult | ask | check | talk )\b (?! [^,]* , )
    """,
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)
"""What asks, or says where to go for advice."""

_OF_ITSELF = re.compile(
    r"""
      :\s*$
    | ^\W*(?: jeg | eg | vi | i | we | her | under | nedenfor | nedanfor | oppsummert | kort | here | below | this\s+is
      | beklager | orsak | sorry | lykke | takk | thank | good )\b
    | ^\W*(?:det|dette|it)\s+(?: beror | kjem\s+an | kommer\s+an | avhenger | avheng | er\s+avhengig | depends
      | er\s+(?:ikke|ikkje)\s+(?:sikkert|klart|visst) )\b
    | \b(?: kilde\w* | kjelde\w* | spørsmål\w* | svaret | sources? | question | answer | advokat\w* | lawyer )\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""How a sentence speaks of the answer and its sources, or leaves open what is asked."""

_SAYS_THAT = re.compile(r"\b(?:at|that)\b", re.IGNORECASE)

_LEAST_STEMS = 2
"""Stems of the shortest sentence without a word of force that says what is so."""

_HEADING_STATES = re.compile(
    r"\b(?:kan|skal|må|plikter|pliktar|har\s+(?:ikke|ikkje|rett|krav)|er\s+(?:ikke|ikkje|forbudt|forbode|lov|tillatt)|"
    r"may|must|shall|cannot)\b",
    re.IGNORECASE,
)


def vet_quotations(text: str, known: Iterable[str], wording: Wording, ids: str) -> Vetted:
    """Leave out quotations that are in none of the `known` texts; a mere term loses its marks.

    Ids of sources match the regular expression `ids`.
    """
    texts = tuple(known)
    omitted: list[str] = []

    def judge(match: re.Match[str]) -> str:
        quote = next(g for g in match.groups() if g is not None)
        bare = re.sub(rf"\[{ids}\]", "", quote)
        if any(find(bare, t) for t in texts):
            return match.group()
        if len(bare.split()) < _TERM_WORDS:
            return quote
        omitted.append(bare.strip())
        return wording.quote_removed

    return Vetted(QUOTATION.sub(judge, text), tuple(omitted))


def states_law(text: str, *, heading: bool = False) -> bool:
    """Whether a statement says what the law is, or what is so: nobody can tell "du mister pantet" from law.

    A heading that only names its topic does not, nor what speaks of the answer itself, or gives advice where to go.
    """
    if heading:
        return bool(_HEADING_STATES.search(text) or quantities(text))
    if _STATES_LAW.search(text):
        return True
    said = read_sentence(text)
    if len(said.about) < (1 if said.events else _LEAST_STEMS) or _ADVICE.match(text):
        return False
    return bool(said.events or _SAYS_THAT.search(text)) or not _OF_ITSELF.search(text)
