"""Words of nynorsk and English as the bokmål of the law has them, so that sentences can be compared across languages.

It is no translation: only what law and questions about it are often about, enough to see which sentence says the same.
"""

import re

_NYNORSK_TEXT = """
    løyve tillatelse|løyvet tillatelsen|opphaldsløyve oppholdstillatelse|opphald opphold|bustad bolig
    bustaden boligen|skadebot erstatning|tilsett ansatt|tilsette ansatte|tilsetjing ansettelse
    mellombels midlertidig|oppseiing oppsigelse|oppseiinga oppsigelsen|oppseiingsfristen oppsigelsesfristen
    seiast sies|verksemd virksomhet|verksemda virksomheten|eigedom eiendom|eigedomen eiendommen|omsyn hensyn
    omsynet hensynet|avskil avskjed|verknad virkning|tryggleik sikkerhet|brot brudd|lovbrot lovbrudd
    aktlaust uaktsomt|sambuar samboer|namn navn|teneste tjeneste|tenester tjenester|yting ytelse|ytingar ytelser
    forseinking forsinkelse|vedlikehald vedlikehold|køyring kjøring|køyre kjøre|køyrer kjører|køyretøy kjøretøy
    førarkort førerkort|sjukdom sykdom|vågnad risiko|byggje bygge|byggjer bygger|leggje legge|leggjast legges
    setje sette|setjast settes|selje selge|seljar selger|seljaren selgeren|søkje søke|søkjer søker|krevje kreve
    krevjast kreves|krev krever|halde holde|haldast holdes|gjere gjøre|gjer gjør|gjerast gjøres|følgje følge
    følgjer følger|dekkje dekke|dekkjer dekker|rekne regne|rekna regnet|påleggje pålegge|undersøkje undersøke
    avgjere avgjøre|avgjerd avgjørelse|åtvaring advarsel|heim hjem|heimen hjemmet|leigar leier|leigaren leieren
    leigarane leierne|utleigar utleier|utleigaren utleieren|seljarar selgere|bu bo|bur bor|veke uke|veker uker
    vekene ukene|gong gang|gonger ganger|vatn vann|veg vei|tilgjenge adgang|høve adgang|betalast betales
    oppreising oppreisning|eigar eier|eigaren eieren|eig eier|leige leie|leiga leien|kontrakt avtale|gjevast gis
    gje gi|gjev gir|givast gis|få få|tek tar|takast tas|stad sted|staden stedet|straum strøm|tidlegare tidligere
    medhald medhold|føresegn bestemmelse|føresegner bestemmelser|melding melding|samtykkje samtykke
    rettar rettigheter|forvaltninga forvaltningen|påtalemakta påtalemyndigheten|erverv erverv|framleis fortsatt
    overdraging overdragelse|søknad søknad|vilkåra vilkårene|opplysningar opplysninger|einerett enerett
    ålmenta allmennheten|eksempel eksemplar
"""
_ENGLISH_TEXT = """
    tenant leier|tenants leier|landlord utleier|lease leieavtale|tenancy leieforhold|rent leie|deposit depositum
    employer arbeidsgiver|employee arbeidstaker|employees arbeidstaker|employment ansettelse|employed ansatt
    work arbeid|job arbeid|notice oppsigelse|dismissal oppsigelse|dismiss oppsigelse|dismissed oppsigelse
    terminate oppsigelse|termination oppsigelse|resign oppsigelse|probation prøvetid|wage lønn|wages lønn|pay betale
    paid betalt|salary lønn|holiday ferie|overtime overtid|illness sykdom|sick syk|pregnant gravid
    pregnancy graviditet|municipality kommune|county fylkeskommune|court rett|police politi|ministry departement
    king konge|decision vedtak|appeal klage|complaint klage|application søknad|apply søke|permit tillatelse
    permission tillatelse|licence tillatelse|residence opphold|consent samtykke|child barn|children barn
    parent forelder|parents foreldre|guardian verge|spouse ektefelle|married ektefelle|divorce skilsmisse
    inheritance arv|heir arving|will testament|marriage ekteskap|buyer kjøper|seller selger|consumer forbruker
    goods vare|trader næringsdrivende|defect mangel|defects mangel|delay forsinkelse|price pris
    refund tilbakebetaling|damages erstatning|compensation erstatning|loss tap|harm skade|damage skade|injury skade
    liability ansvar|liable ansvar|claim krav|demand kreve|payment betaling|debt gjeld|interest rente
    guarantee garanti|security sikkerhet|property eiendom|owner eier|neighbour nabo|house hus|home bolig
    dwelling bolig|premises husrom|building bygning|build bygge|road vei|vehicle kjøretøy|car bil|drive kjøre
    driver fører|speed hastighet|animal dyr|animals dyr|dog hund|dogs hund|hunting jakt|fishing fiske|boat båt
    ship skip|beach strand|insurance forsikring|insured sikrede|insurer forsikringsselskap|company selskap
    board styre|shareholder aksjonær|shares aksje|tax skatt|benefit stønad|pension pensjon|student elev|pupil elev
    school skole|teaching opplæring|patient pasient|health helse|treatment behandling|journal journal|access innsyn
    information opplysning|secrecy taushetsplikt|personal personopplysning|contract avtale|agreement avtale
    agreed avtalt|writing skriftlig|written skriftlig|deadline frist|limit frist|fine bot|fines bøter
    imprisonment fengsel|prison fengsel|penalty straff|punished straff|intent forsett|negligence uaktsomhet
    unreasonable urimelig|reasonable rimelig|necessary nødvendig|major vesentlig|significant vesentlig
    temporary midlertidig|name navn|citizen borger|foreigner utlending|expelled utvise|asylum asyl|vote stemme
    election valg|notify varsle|notification varsel|repair rette|repairs rette|transfer overføre|pass overføre
    alcohol alkohol|weapon våpen|weapons våpen|forest skog|water vann|noise støy|fire brann|safety sikkerhet
    parking parkering|cohabitant samboer|money penger|cost kostnad|costs kostnad|duty plikt|duties plikt
    rights rettighet|order pålegg|fee gebyr|credit kreditt|bank bank|account konto|user bruker|land eiendom
    tradesperson håndverker|contractor entreprenør
"""
_NYNORSK = dict(pair.split() for pair in _NYNORSK_TEXT.replace("\n", "|").split("|") if len(pair.split()) == 2)
_ENGLISH = dict(pair.split() for pair in _ENGLISH_TEXT.replace("\n", "|").split("|") if len(pair.split()) == 2)
_ONLY_ENGLISH = frozenset(
    [
        "the",
        "of",
        "you",
        "your",
        "are",
        "and",
        "must",
        "may",
        "with",
        "by",
        "shall",
        "be",
        "this",
        "that",
        "it",
        "or",
        "when",
        "if",
        "not",
        "is",
    ]
)
_ENDINGS = (
    (re.compile(r"leg(?=$|a$|e$|t$|are$|ast$|heit)"), "lig"),
    (re.compile(r"ande$"), "ende"),
    (re.compile(r"ast$"), "es"),
    (re.compile(r"heit"), "het"),
    (re.compile(r"eig(?=[aei])"), "ei"),
    (re.compile(r"(?<=[a-zæøå]{3})ane$"), "ene"),
)


def in_bokmal(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words of a sentence, in lower case, as bokmål has them; of English only what has a word here."""
    if is_english(words):
        return tuple(_ENGLISH[word] for word in words if word in _ENGLISH)
    return tuple(map(_from_nynorsk, words))


def is_english(words: tuple[str, ...]) -> bool:
    """Whether the words of a sentence, in lower case, are English."""
    return sum(word in _ONLY_ENGLISH for word in words) >= _ENOUGH


_ENOUGH = 2
"""Words that only English has, of which Norwegian law may have one: a title, a foreign name."""


def _from_nynorsk(word: str) -> str:
    if known := _NYNORSK.get(word):
        return known
    for ending, bokmal in _ENDINGS:
        word = ending.sub(bokmal, word)
    return word
