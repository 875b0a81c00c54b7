"""What of an answer's prose holds: quotes, and sentences without a citation."""

import re
from collections.abc import Iterable

from lovsvar_agent.core.proof import find
from lovsvar_agent.core.reasoning.phrases import Wording
from lovsvar_agent.core.reasoning.vetted import QUOTATION, Vetted
from lovsvar_legaltext.quantities import quantities

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
    """Whether a statement says what the law is. A heading that only names its topic does not."""
    if heading:
        return bool(_HEADING_STATES.search(text) or quantities(text))
    return bool(_STATES_LAW.search(text))
