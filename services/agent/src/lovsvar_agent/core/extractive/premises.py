"""What a question takes for granted and the corpus does not have: a quote, an act, a kind of source.

A question may quote words that are not in the law, name an act for a rule that another has, or ask about a court
decision. Each is said, so that nobody takes what is quoted for a confirmation. A reference that names nothing is said
by search itself.
"""

import re
from collections.abc import Iterable

from lovsvar_agent.core.proof import find
from lovsvar_contracts.law import Provision
from lovsvar_legaltext.authorities import Authority, SourceType, authorities_in

MIN_QUOTED_WORDS = 3
"""Words from which a quotation is taken for the law's; fewer are a term."""

_QUOTED = re.compile(r"«([^»]{8,600})»|“([^”]{8,600})”|\"([^\"]{8,600})\"|„([^“”]{8,600})[“”]")


_FLAGS = re.VERBOSE | re.IGNORECASE
_IN_GENERAL: tuple[tuple[SourceType, re.Pattern[str]], ...] = (
    (
        SourceType.COURT_DECISION,
        re.compile(
            r"""
            \b (?:dom(?:men|mer|mar|ar|mene)?|kjennelse(?:n|r)?|orskurd(?:en)?|avgjørelse(?:n|r)?|avgjerd(?:a|er)?)
            \s+ (?:fra|frå|i|av|om) \s+ (?:Høyesterett|Høgsterett|lagmannsretten|tingretten|EMD|EFTA|menneskerett)
          | \b (?:Høyesterett|Høgsterett|lagmannsrett(?:en)?|tingrett(?:en)?|Trygderetten|Arbeidsretten|EMD|EU-domstolen
              |EFTA-domstolen|Supreme\ Court|Court\ of\ Appeal|nemnda|Forliksrådet|Husleietvistutvalget
              |Forbrukerklageutvalget|Diskrimineringsnemnda) \s+
            (?: sa | sagt | sier | seier | uttal\w+ | konkluder\w* | kom\s+(?:til|fram) | dømte | slo\s+fast | mente
              | skriv\w* | decided? | say | said | held | ruled? | rule )
          | \b (?:rettspraksis|lagmannsrettspraksis|domspraksis|case\ law|court\ decisions?|rettsavgj\w+) \b
          | \b (?:did|has) \s+ the \s+ (?:Supreme\ Court|Court\ of\ Appeal|European\ Court|EFTA\ Court) \b
          | \b (?:dom|dommer|dommar|avgjørelser|kjennelser) \s+ finnes \b | \b i \s+ EMD \b
          | \b Norway \s+ v\. | \b v\. \s+ Norway \b
          | \b menneskerett\w*domstol\w* | \b (?:tingrett|lagmannsrett)(?:en)? \s+ i \s+ sak\w*
          | \b (?:har|hva|kva|korleis|hvordan) \s+ (?:har\s+)?
            (?:Høyesterett|Høgsterett|lagmannsretten|domstolen[e]?|EMD) \b
          | \b (?:plenums|storkammer)\w*
          | \b dommen \s+ (?:i|fra|frå|om) \b
          | \b (?:klage|tvisteløsnings|skatteklage|disiplinær)?nemnda \s+ (?:i|har)\b | \bnemnd(?:s)?praksis \b
          | \b (?:what|how) \s+ (?:did|has|do|does) \s+ (?:the\s+)? (?:courts?|judges?|tribunal) \b
          | \b (?:hva|kva) \s+ (?:sa|sier|sa|mente|kom|seier) \s+ (?:retten|domstolen[e]?|dommeren|dommaren) \b
          | \b (?:judg[e]?ments?|rulings?) \s+ (?:of|from|by|in) \b | \b prejudikat\w* | \b presedens\w*
            """,
            _FLAGS,
        ),
    ),
    (
        SourceType.PREPARATORY_WORK,
        re.compile(
            r"""
            \b forarbeid\w* | \b førearbeid\w* | \b preparatory \s+ works? | \b lovproposisjon\w*
          | \b proposisjon\w* | \b odelstings\w* | \b stortingsmelding\w* | \b høyringsnotat\w* | \b høringsnotat\w*
          | \b (?:lov|lovens\ |juridiske?\ )?kommentar(?:en|utgave\w*|utgåve\w*) | \b lovkommentar\w*
          | \b (?:komite|komité)(?:innstilling\w* | (?:en)?s\ (?:merknad|innstilling)\w*)
          | \b (?:høring|høyring)s(?:svar|uttal\w+) \b
          | \b (?:Stortinget|departementet|regjeringa?|regjeringen|lovgiver(?:en)?|lovgjevar(?:en)?) \s+
            (?:mente|meinte|skrev|skreiv|uttalte|ønsket|ønskte|begrunnet|grunngav|la\s+til\s+grunn) \b
          | \b la \s+ departementet \s+ til \s+ grunn
          | \b juridisk(?:e)? \s+ (?:teori|litteratur) | \b rettsteori\w* | \b lærebok\w*
            """,
            _FLAGS,
        ),
    ),
    (
        SourceType.CIRCULAR,
        re.compile(
            r"""
            \b rundskriv\w* | \b circulars? \b
          | \b (?:veileder|veiledning)(?:en)? \s+ (?:fra|til) \b
          | \b (?:guidance|guidelines?) \s+ (?:of|from|by) \b
          | \b (?:tolknings|tolkings|prinsipp)utta\w+
          | \b \w+(?:at|syn|ment|ombud|stell|avdeling)(?:et|en|a)?s \s+ utta\w+
          | \b uttal(?:else|elsen|elser)\ (?:fra|av) \b | \b fråsegn\w* \s+ (?:frå|av) \b
          | \b BFU \b | \b bindende \s+ forhåndsutta\w+ | \b bindande \s+ førehandsutta\w+ | \b Lovavdeling\w*
          | \b (?:retningslinje|retningsline)\w* \s+ (?:fra|frå) \b | \b skatte-ABC\w*
            """,
            _FLAGS,
        ),
    ),
    (
        SourceType.EU_ACT,
        re.compile(
            r"""
            \b EU(?:s|\ ?-?)? \s? (?:direktiv|forordning|regulation|directive|AI)\w*
          | \b EU-?(?:rett|direktiv|forordning)\w*
          | \b EU's \s+ (?:\w+\s+)? (?:directive|regulation|act|rules|law) \b
            """,
            _FLAGS,
        ),
    ),
    (
        SourceType.AGREEMENT,
        re.compile(
            r"""
            \b (?:sier|seier|står|stend|says?) \s+ (?:det\s+)? (?:i\s+)? (?:\w+\s+){0,3}
            (?:tariffavtale\w* | (?:hoved|hovud)avtale\w* | overenskomst\w*)
          | \b collective\ agreement\w* \s+ says? \b
            """,
            _FLAGS,
        ),
    ),
)


def source_types(question: str) -> tuple[SourceType, ...]:
    """Return the kinds of source that a question names and that the corpus does not hold."""
    named = [one.type for one in authorities_in(question) if not (one.general or _may_be_taken_in(one))]
    general = [kind for kind, pattern in _IN_GENERAL if pattern.search(question)]
    return tuple(dict.fromkeys((*named, *general)))


def _may_be_taken_in(authority: Authority) -> bool:
    """Whether an EU regulation is named by a Norwegian name, as one is that an act takes in: personvernforordningen."""
    return authority.type is SourceType.EU_ACT and authority.text.casefold().endswith(("forordningen", "forordninga"))


def quotations(question: str) -> tuple[str, ...]:
    """Return what a question quotes that is long enough to be of a text, without its quotation marks."""
    found = ("".join(match.groups(default="")).strip() for match in _QUOTED.finditer(question))
    return tuple(quote for quote in found if len(quote.split()) >= MIN_QUOTED_WORDS)


def is_in(quote: str, provisions: Iterable[Provision]) -> bool:
    """Whether a quotation is in any of the provisions, word for word but for letter case and a full stop."""
    wanted = quote.rstrip(".!?…").casefold()
    return any(find(wanted, provision.text.casefold()) for provision in provisions)
