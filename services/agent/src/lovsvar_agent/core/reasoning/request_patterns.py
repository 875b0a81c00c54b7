"""How a text asks its reader for secrets, payment or contact, in bokmål, nynorsk and English.

The patterns are for sentences in the form that `solicitations.plain_form` gives them: small letters, one space between
words. Whoever is asked is the reader: an order («oppgi …»), or «du må …». What the law says of a third person
(«kunden skal oppgi …») is none.
"""

import re

CREDENTIAL = r"""
    (?: bank\s?-?id (?:\s?-?\s?(?:kode|passord|brikke|en)\w*)? | min\s?-?id\w* | \w{0,20}passord\w*
            | \w{0,20}password\w* | passphrase
      | pin (?:\s?-?(?:kode|code|nummer))? \w* | \w{0,20}kode (?:n|r|ne|ord\w*|brikk\w*)? | \w{1,20}\s?-?code s?
            | codes?
      | cvc\w* | cvv\w* | (?:kreditt|debet|bank|betalings)?\s?kort (?:nummer|numre|informasjon|opplysning|detalj)\w*
      | (?:kreditt|debet|bank)kort\w* | (?:credit|debit|bank)?\s?card (?:\s(?:number|detail|info)\w*)
      | (?:credit|debit)\scard\w* | bank\s?(?:opplysning|detalj|detail|info)\w* | credentials? | login\s\w+
      | innlogging\w* | seed\s?phrase | recovery\s?phrase | private\skey | api\s?-?(?:nøkkel|key)\w* | nøkkelfrase\w*
      | one-time\s\w+ | security\sanswer\w* )
"""
"""What nobody may be asked for."""

PERSONAL = r"""
    (?: fødselsnummer\w* | fødselsnr\.? | personnummer\w* | d-nummer\w* | kontonummer\w* | konto\s?nr\.?
            | account\snumber\w*
      | national\sid\w* | social\ssecurity\s?\w* | personal\snumber | brukernavn\w* | brukarnamn\w* | usernames?
      | legitimasjon\w* | pass (?:et|nummer\w*)? | passport\w* | førerkort\w* | adresse\w* | address\w*
            | telefonnummer\w*
      | phone\snumber\w* | e-?post\w* | e-?mail\w* | opplysninger? | opplysningane | personopplysninger? | details )
"""
"""What is asked for lawfully elsewhere; asked for here, it is a request too."""

_GIVE = r"""
    (?: oppgi | oppgje | oppgir | skriv (?:e|er)? | send (?:e|er)? | del (?:e|er)? | tast (?:e|er)? | legg (?:e|er)?
      | bekreft (?:e|er)? | stadfest (?:e|er)? | verifiser (?:e|er)? | fyll (?:e|er)? | gi | gje | gir
            | svar (?:e|er)?
      | fortell (?:e|er)? | fortel (?:je)? | les (?:e|er)? | last (?:e|er)? | kopier (?:e|er)? | lim (?:e|er)?
      | registrer (?:e|er)? | videresend (?:e|er)? | vidaresend (?:e|er)? | meld (?:e|er)? | angi | angir
            | vis (?:e|er)?
      | lever (?:e|er)? | enter | provide | send | share | give | reply | type | confirm | verify | submit | tell
            | upload
      | paste | disclose | reveal | forward | hand )
"""
_NOT = r"(?: aldri | ikke | ikkje | never | not | don't )"
_YOU = r"(?: du | dere | de(?=\små) | dykk | brukeren | brukaren | you | the\suser | user )"
_MUST = r"""
    (?: må | bør | skal | kan | vil | må\sdu | kunne | must | should | shall | can | could | would | need\sto
      | have\sto | are\sto
      | trenger\så )
"""
_BEGINS = r"""
    (?: ^ | [.:;,!?»()–—-] \s* | \b (?: og | så | and | then | vennligst | venligst | ver\ssnill\sog | bare
      | berre | just
      | nå | no | now | please | først | kindly ) \s+ )
"""
_ORDERED = rf"(?: {_BEGINS} | \b {_YOU} \s {_MUST} \s | \b {_MUST} \s {_YOU} \s )"
_WORDS = rf"(?: \s (?!{_NOT}|pålegge|bli\b) [\wæøå-]+ ){{0,4}}?"
_ASKED = rf"""
    (?: {_BEGINS} {_GIVE}
      | \b (?: {_YOU} \s {_MUST} | {_MUST} \s {_YOU} ) {_WORDS} \s {_GIVE}
      | \b (?: krev\w* | ber | bed | forutset\w* | føreset\w* | nødvendig | avhenger\sav | ask(?:s|ed)? | requires?
          | necessary | trenger | treng | needs? ) {_WORDS} \s {_YOU} \s {_GIVE}
      | \b {_YOU} \s (?: er | blir | vert | are ) \s (?: pålagt | nødt | required | obliged ) \s (?: til \s )?
        (?: å | to ) \s {_GIVE}
      | \b (?: når | så\ssnart | etter\sat | first | once | when | after | before | før | straks ) \s {_YOU}
        (?: \s har )? \s (?: {_GIVE} | oppgitt | sendt | gitt )
      | \b (?: ber | bed | oppfordrer | oppmodar | ask | asking ) \s (?: deg | dykk | dere
        | you ) \s (?: om\så \s | to \s )? {_GIVE}
      | \b {_YOU} \s {_NOT} \s {_GIVE}
      | \b (?: unless | if ) \s you \s (?: do\snot \s | don't \s )? {_GIVE} )
    (?! \s (?: [\wæøå-]+ \s ){{0,2}} {_NOT} \b )
"""
_NEAR = r"(?: [^.!?]{0,90}? [^\wæøå] )"
_HERE = r"""
    (?: her | i\s(?:svaret|chatten|feltet|neste\smelding) | nedenfor | til\s(?:oss|meg|lovsvar) | here | below
      | for\så\s(?:fortsette|halde\sfram|få\s(?:hele\s|heile\s)?svar\w*|bekrefte|verifisere|gå\svidere|låse\sopp|lese)
      | to\s(?:us|me|continue|proceed|verify|unlock|get\sthe) | in\s(?:your\sreply|the\schat) )
"""
_WE = r"(?: vi | me | jeg | eg | we | i | lovsvar | systemet | assistenten | the\ssystem | the\sassistant )"
_MINE = r"(?: din | ditt | di | dine | deres | dykkar | your )"
_ANY = rf"(?: {CREDENTIAL} | {PERSONAL} )"

_FOR_SECRETS = (
    rf"{_ASKED} {_NEAR} {CREDENTIAL} (?![\wæøå])",
    rf"{_ASKED} {_NEAR} {PERSONAL} (?![\wæøå]) .{{0,60}}? \b {_HERE} \b",
    rf"{_ASKED} \s (?: oss | meg | us | me ) {_NEAR} {_ANY} (?![\wæøå])",
    rf"{_ASKED} \s (?:inn\s)? (?: den | det | dem | dette | alt | it | this | them ) \s (?:inn\s)? {_HERE} \b",
    rf"\b (?: hva | kva | what ) \s (?: er | is | 's ) \s (?: {_MINE} \s )? {_ANY} \s {_MINE}",
    rf"\b what \s (?: is | are ) \s your \s {_ANY}",
    rf"""
    \b {_WE} \s (?: trenger | treng | må\sha | ber\som | bed\som | krever | krev | ønsker | need | require | ask\sfor )
    {_NEAR} (?: {CREDENTIAL} | {PERSONAL} \s {_MINE} | your \s {PERSONAL} )
    """,
    rf"""
    {CREDENTIAL} \s {_MINE} .{{0,60}} \b (?: trengs | trengst | kreves | krevst
      | (?:må|skal)\s(?:oppgis|bekreftes|verifiseres)
      | bes\soppgitt | mangler | manglar )
    """,
    rf"\b your \s {CREDENTIAL} .{{0,60}} \b (?: required | needed | missing )",
)
_PAY = r"""
    (?: betal (?:e)? | overfør (?:e)? | vipps (?:e)? | innbetal (?:e)? | sett (?:e)? | send (?:e)? | kjøp (?:e)? | pay
      | transfer | wire | deposit | buy | donate | doner (?:e)? )
"""
_FOR_PAYMENT = (
    rf"""
    {_ORDERED} {_PAY} \b [^.!?]{{0,90}}? \b
    (?: til\s(?:oss|meg|lovsvar) | to\s(?:us|me|lovsvar) | to\s(?:this|the\sfollowing|our)\saccount
      | (?:til|på)\s(?:denne|følgende|vår|dette|fylgjande)\s(?:konto|nummer|vippsnummer)\w* | vippsnummer\w*
        | bitcoin\w*
      | btc | krypto\w* | crypto\w* | monero | gavekort\w* | gåvekort\w* | gift\scards? | paypal
        | western\sunion | iban )
    """,
    r"""
    \b (?: betal (?:e)? | vipps (?:e)? | kjøp (?:e)? | mot\sbetaling | pay | buy | subscribe | abonner (?:e)? ) \b
    [^.!?]{0,70}? \b (?: svaret | (?:full|whole|the)\sanswer | rådgivningen | lovsvar )
    """,
)
_FOR_CONTACT = (
    r"""
    \b (?: kontakt | ring | ta\skontakt\smed | skriv\stil | meld\sdeg\still | chat\smed | contact | call
      | text | message
      | reach | write\sto | email | e-mail ) \s (?: oss | meg | us | me ) \b
    """,
    r"""
    \b (?: our | vår | vårt ) \s (?: support\w* | hotline | kundeservice\w* | kundesenter\w* | kontonummer | account
      | hjelpe\w+ | senter\w* | telefon\w* | nummer\w* | number | phone | team | kontor\w* | advokat\w* | lawyers? )
    """,
    r"\b (?: whatsapp | telegram | snapchat | discord | messenger | signal-gruppe\w* )",
)
_FOR_ACTION = (
    rf"""
    {_ORDERED} (?: klikk (?:e)? | trykk (?:e)? | click | tap | press ) \b (?! \s {_NOT} ) [^.!?]{{0,40}}?
    \b (?: her | here | lenk\w* | link\w* | knapp\w* | button )
    """,
    rf"""
    {_ORDERED} (?: følg (?:e)? | åpne | opne | follow | open | visit | skann (?:e)? | scan ) \b [^.!?]{{0,40}}?
    \b (?: lenk\w* | link\w* | vedlegget | attachment | qr\w* | (?:nettsiden|nettsida)\svår )
    """,
    rf"""
    {_ORDERED} (?: last\sned | laste\sned | installer (?:e)? | download | install | kjør (?:e)? | run
      | lim\sinn | paste )
    \b [^.!?]{{0,60}}? \b (?: app (?:en)? | program\w* | fil (?:en|a)? | vedlegg\w* | utvidelse\w* | software | file
      | attachment | extension | script\w* | kommando\w* | command | kode\w* )
    """,
    r"\b (?: logg\w*\sinn | log\s?in | sign\sin ) \s (?: her | here | nedenfor | below )",
    r"\b (?: del | dele | share ) \s (?: [\w]+ \s )? (?: skjerm\w* | screen )",
    rf"{_ORDERED} (?: godkjenn (?:e)? | approve ) \b [^.!?]{{0,40}}? \b (?: bank\s?-?id | vipps | appen | app\b )",
    r"\b (?: teamviewer | anydesk | fjernstyring\w* | remote\saccess ) \b",
    r"\b (?: gi | gje | give | grant ) \s (?: oss | meg | us | me ) \s (?: tilgang | access )",
)
_TO_MODELS = (
    rf"""
    {_BEGINS} (?: be | bed | spør | ask | tell | få | get | krev | hent | ta ) \s
    (?: (?: brukeren | brukaren | leseren | lesaren | the\suser | users | dem | them ) \s )?
    (?: om | for | etter | to | oppgi | oppgje ) \b [^.!?]{{0,60}}? [^\wæøå]
    (?: {CREDENTIAL} | fødselsnummer\w* | personnummer\w* | kontonummer\w* | account\snumber\w* ) (?![\wæøå])
    """,
    rf"""
    {_BEGINS} (?: ignorer (?:e)? | overse | oversjå | glem | gløym | se\sbort\sfra | sjå\sbort\sfrå | ignore | disregard
      | forget ) \b [^.!?]{{0,60}}? \b (?: instruks\w* | instruction\w* | regl\w* | rules | kilde\w*
        | kjelde\w* | sources
      | melding\w* | prompt\w* | tidligere | previous | prior | above | ovenfor | (?:det|alt)\ssom\sstår )
    """,
    r"""
    \b (?: assistenten | modellen | språkmodellen | chatboten | the\s(?:assistant|model) ) \s (?: skal | må
      | must | should )
    \s (?: nå \s | no \s | now \s )? (?: opptre | late | svare | si | seie | act | pretend | answer | say | be | ask )
    """,
    r"\b system\s?-?\s?(?: prompt\w* | instruks\w* | melding\w* ) | \b jailbreak | developer\smode",
    r"""
    \b (?: du\ser\s(?:nå|no) | you\sare\snow | from\snow\son\syou ) \s (?: en | ein | ei | et | eit | a
    | an | in ) \b
    """,
    r"^ \s* (?: system | assistant | assistent | developer | utvikler | admin ) \s* : \s",
    rf"""
    {_BEGINS} (?: svar | answer | reply | respond ) \s (?: alltid | bare | kun | berre | always | only
    | exactly ) \b
    """,
)

REQUESTS = tuple(
    re.compile(pattern, re.VERBOSE)
    for pattern in (*_FOR_SECRETS, *_FOR_PAYMENT, *_FOR_CONTACT, *_FOR_ACTION, *_TO_MODELS)
)
"""Each is a way to ask the reader, or the model that reads, for something that no answer may ask for."""

SUSPICIOUS = re.compile(
    rf"""
    {CREDENTIAL} | {PERSONAL} | {_GIVE} | {_PAY} | \d [\d\s.-]* \d | @ | \b (?: kontakt\w* | contact
      | ring\w* | call | klikk\w*
      | click | trykk\w* | press | følg | follow | åpne | open | skann | scan | last\w* | download
        | installer\w* | install
      | ignor\w* | overse | glem | gløym | forget | disregard | system\w* | whatsapp | telegram | vi | we
        | oss | us | hva
      | kva | what | be | ask | ta | your? | dere?s | di[nt]?t? )
    """,
    re.VERBOSE,
)
"""What a sentence may have that turns out to be a request when it is finished."""

DENIALS = re.compile(
    rf"""
    (?<! hvis\sdu\s ) (?<! dersom\sdu\s ) (?<! om\sdu\s ) (?<! viss\sdu\s )
    \b {_NOT} \s (?: (?: [\wæøå-]+ \s ){{0,2}}? {_GIVE} | krev\w* ) \b
  | {_BEGINS} {_GIVE} \s (?: [\wæøå-]+ \s ){{0,2}}? {_NOT} \b
  | ^ \W* unngå \s å \b
  | \b kan \s (?: [\wæøå-]+ \s )? (?: pålegg\w* | bli \s pålagt ) \b
    """,
    re.VERBOSE,
)
"""What makes a clause with a request for secrets a warning, or a rule of what the authorities may demand."""
