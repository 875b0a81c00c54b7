"""The words of the patterns by which danger is recognised: people, deeds, times, and what speaks against danger.

In a pattern, a space is any white space, `<name>` is one of `PARTS`, and `~` is up to three words.
"""

import re
from collections.abc import Mapping
from functools import cache

_PARENT = (
    "pappa(?:en)?|mamma(?:en)?|faren|far|moren|mora|mor|stefar(?:en)?|stemor(?:a|en)?|fosterfar|fostermor|foreldrene|"
    "foreldra|foreldre|dad|daddy|father|mum|mom|mother|step ?(?:dad|father|mum|mom|mother)|parents"
)
_PARTNER = (
    "mannen|mann|ektemannen|kona|kone|kjæresten|kjæreste|kjærasten|kjæraste|samboeren|samboer|sambuaren|sambuar|"
    "typen|dama|kjerringa|partneren|eks(?:en|mannen|kona|kjæresten|kjærasten|samboeren)|husband|wife|partner|"
    "boyfriend|girlfriend|ex(?:-?(?:husband|wife|partner|boyfriend|girlfriend))?|fiancée?"
)
_OTHER = (
    "bror(?:en)?|broren|søster(?:a|en)?|syster|sønn(?:en)?|son(?:en)?|guten|gutten|jenta|datter(?:a|en)?|"
    "dotter(?:a)?|barnet|barna|barn|borna|ungen|ungane|ungene|babyen|onkel(?:en)?|tante|kusina|fetteren|bestefar|"
    "bestemor|besten|venninna|venninne|venn(?:en)?|venen|kompis(?:en)?|naboen|nabo|kollegaen?|sjefen|læraren|læreren|"
    "trenar(?:en)?|trener(?:en)?|brother|sister|son|daughter|child|children|kids?|baby|toddler|boy|girl|uncle|aunt|"
    "cousin|grand(?:father|mother|pa|ma|dad|son|daughter)|nan|friend|flatmate|roommate|housemate|neighbou?r|"
    "colleague|boss|coach|teacher"
)
PARTS: Mapping[str, str] = {
    "me": r"(?:meg|oss|me|us)",
    "self": r"(?:(?:meg|seg|deg) (?:selv|sjølv)|(?:my|him|her|them)sel(?:f|ves))",
    "near": rf"(?:{_PARENT}|{_PARTNER}|{_OTHER})",
    "mine": rf"(?:(?:my|our) (?:\w+ )?(?:{_PARENT}|{_PARTNER}|{_OTHER})|(?:{_PARENT}|{_PARTNER}|{_OTHER}) (?:min|mi|"
    rf"mitt|mine|vår)"
    r"|mannen|kona|kjæresten|kjærasten|samboeren|sambuaren|typen|partneren|eksen|eksmannen|pappa|mamma|faren|"
    r"stefaren|stefar)",
    "elder": rf"(?:{_PARENT}|onkel\w*|tante|bestefar|bror\w*|fetter\w*|trener\w*|trenar\w*|lærer\w*|lærar\w*|uncle|"
    rf"aunt|grand\w+|"
    r"brother|cousin|coach|teacher)",
    "parent": rf"(?:{_PARENT})",
    "partner": rf"(?:{_PARTNER})",
    "who": rf"(?:han|hun|ho|he|she|they|dei|de|jeg|eg|vi|i|(?:my|our) (?:\w+ )?\w+|\w+ (?:min|mi|mitt|mine|vår|vårt|"
    rf"våre)|(?:min|mi|vår) \w+|{_PARENT}|{_PARTNER}|{_OTHER})",
    "them": rf"(?:meg|oss|me|us|hun|henne|ho|ham|him|her(?= (?:and|up|down|in|at|when|every|because|with|so|badly)|"
    rf"[.,!?]|$)|(?:my|his|her|their|the|our) (?:{_PARTNER}|{_OTHER}|mother|mum)(?!'s (?!arm|leg|nose|jaw|hair|neck|"
    rf"face|head|rib|finger|wrist))"
    r"|barna|borna|ungene|ungane|barnet|ungen|babyen|mamma|mora mi|moren min|mor mi|søster(?:en|a)? mi\w*|syster mi|"
    r"bror(?:en)? min|sønnen min|son min|datter(?:en|a) mi\w*|dotter mi|\w*(?:søsteren|søstera|systera|broren) "
    r"(?:min|mi)|(?:armen|nakken|håret|halsen|ansiktet|fjeset|magen|hodet|hovudet|fingeren|nesa|nasen|kjeven|tanna) "
    r"(?:på|til|min|mi|mitt|hennes|hans|hennar)|(?:my|his|her) (?:arm|nose|jaw|hair|neck|face|stomach|head|finger|"
    r"wrist|tooth|ribs?)|kona si|dama si|samboeren sin)",
    "hits": r"(?:slår|slær|banker|bankar|sparker|sparkar|biter|bit|denger|dengjer|mishandler|mishandlar|kveler|kvel|"
    r"lugger|luggar|klyper|klyp|dytter|dyttar|skubber|skubbar|angriper|angrip|skader|skadar|klorer|klorar|rister|"
    r"ristar|hits|beats|kicks|punches|slaps|chokes|strangles|hurts|bites|burns|shoves|abuses|attacks|kaster|kastar|"
    r"drar|dreg|tar tak i|tek tak i|skaller|skallar|spytter på|throws|grabs|drags|pushes|whips|smacks|spanks|"
    r"spytter|stikker|stikk)",
    "hitting": r"(?:hitting|beating|kicking|punching|slapping|choking|strangling|hurting|biting|burning|shoving|"
    r"abusing|attacking|stabbing|throwing|grabbing|dragging|pushing|whipping|smacking|spitting on)",
    "hit": r"(?:slo|slått|slege|slegen|banket|banka|sparket|sparka|beit|bet|dengt|dengte|mishandlet|mishandla|"
    r"kvelte|klypte|lugget|lugga|dyttet|dytta|angrep|knivstakk|stakk|hit|beat|kicked|punched|slapped|choked|"
    r"strangled|attacked|stabbed|beaten|shoved|kastet|kasta|kastet|dro|drog|tok tak i|tatt tak i|rev|brakk|knakk|"
    r"knuste|skallet|skalla|dultet|broke|broken|threw|thrown|grabbed|dragged|pushed|slammed|bruised|burned|burnt|"
    r"whipped|smacked|headbutted|brent)",
    "rapes": r"(?:voldtar|valdtek|valdtar|misbruker|misbrukar|forgriper seg på|forgrip seg på|rapes|molests|"
    r"sexually abuses)",
    "kill": r"(?:drepe|drep|dreper|drepa|skyte|skyter|skyt|skyta|knivstikke|kverke|kverker|kill|shoot|stab|murder)",
    "weapon": r"(?:kniv\w*|pistol\w*|våpen\w*|øks\w*|hagle\w*|hagl\w*|gevær\w*|hammer\w*|balltre|knife|gun|axe|"
    r"rifle|bat)",
    "now": r"(?:akkurat nå|akkurat no|nett no|nå|no|nettopp|nyss|i natt|i går(?: natt| kveld)?|i kveld|i dag|i "
    r"helga|i helgen|right now|now|just|tonight|today|yesterday|last night|this (?:morning|evening|weekend))",
    "taken": r"(?:tatt|teke|tar|tek|took|taken|takes|taking|has|beslaglagt|confiscated|stjålet)",
    "eaten": r"(?:spist|ete|spiste|åt|svelget|svelgja|svelgt|slukt|drukket|drukke|drakk|fått i seg|swallowed|drank|"
    r"drunk|eaten|ate|ingested|puttet i seg|stappet i seg|stappa i seg|satt i seg|sett i seg|putta i seg|tømt i seg|"
    r"tygget på|tygd på|licked|drinking|eating|spiser|et opp|drikker|drikk)",
    "pills": r"(?:\w*tabletter|\w*tablettar|\w*tablettene|\w*tablettane|piller|pillene|paracet\w*|sovemedisin\w*|"
    r"\w*medisin\w*|pills|tablets|paracetamol|ibuprofen|medication|painkillers|antidepressants)",
    "many": r"(?:hele|heile|heil|mange|glass|glasset|eske|eska|esken|pakke|pakka|pakken|brett|brettet|altfor|for "
    r"mye|for mykje|neve|haug|massevis|lots?|whole|entire|bottle|handful|box|pack|packet|too many|all|\d+|tjue|"
    r"tretti|fifty|twenty|alle|alt av|loads|several|mye|mykje|masse|store mengder)",
    "toxic": r"(?:\w*vaskemid\w+|\w*middel|såpe\w*|klor\w*|lut|salmiakk|avløps\w+|plumbo|\w*batteri\w*|frostvæske|"
    r"tennv\w+|lampeolje|bensin|white spirit|rotte?gift\w*|gift|giftig\w*|nikotin\w*|snus\w*|\w*tabletter|"
    r"\w*tablettar|piller|medisin\w*|bleach|detergent|\w*cleaner|\w*batter(?:y|ies)|poison\w*|antifreeze|petrol|"
    r"magnets?|magnetar|magneter|pills|medicine|\w*medisin\w*|\w*tablets?|\w*tabs?|dishwasher \w+|\w*medication|"
    r"batteri\w*|nicotine|vape\w*|chemicals?|kjemikal\w*|knappecelle\w*|terpentin\w*|sprit\w*|maling\w*)",
    "ends": r"(?:bestemt (?:meg|seg) (?:for|til) å|decided to|kommer til å|kjem til å|skal|vil|vil ikke|har tenkt å|"
    r"tenker på å|tenkjer på å|tenkt å|tenkt på å|planlegger å|planlegg å|ønsker å|ønskjer å|lyst til å|lyst å|"
    r"prøver å|prøvde å|freistar å|truer med å|trugar med å|truar med å|klar for å|want to|wants to|going to|gonna|"
    r"will|plan to|plans to|planning to|threatens? to|threatening to|trying to|tried to|thinking (?:of|about)|"
    r"thoughts? (?:of|about))",
}


@cache
def compiled(written: str) -> re.Pattern[str]:
    """Return a pattern as it is written here, compiled for text in lower case."""
    while (
        filled := re.sub(r"[<{](near|" + "|".join(PARTS) + r")[>}]", lambda part: PARTS[part[1]], written)
    ) != written:
        written = filled
    written = written.replace("~", r"(?:[^\W_][\w'-]* ){0,3}").replace(" ?", r"[\s,]*").replace(" ", r"[\s,]+")
    return re.compile(rf"(?<!\w)(?:{written})(?!\w)")


FEARS = (
    r"(?:redd|scared|afraid|frightened) (?:for )?(?:at |that )?(?:han|hun|ho|eksen|mannen|he|she|they) (?:skal|vil|"
    r"gjer|gjør|kommer|kjem|finner|finn|skader|slår|dreper|will|is going|finds|might|kills|hurts)",
    r"(?:tør|torer|tørr|våger|vågar) (?:ikke|ikkje) (?:å )?(?:gå|dra|reise|være|vere|sove|bo) ?(?:hjem|heim|hjemme|"
    r"heime|der)|redd (?:for )?(?:å (?:gå|dra|reise|være|vere) (?:hjem|heim|hjemme|heime)|livet|mannen|kjæresten|"
    r"kjærasten|samboeren|sambuaren|eksen|pappa|stefaren|stefar|at han (?:skal|vil|kommer|kjem))|(?:afraid|scared|"
    r"terrified|frightened) (?:to (?:go|be|come) home|of (?:my (?:husband|partner|boyfriend|ex|dad|father|stepdad|"
    r"stepfather)|him)|for my life|(?:that )?he (?:will|is going to|might))|(?:neste gang|next time) (?:blir det|he "
    r"will|he'll|dreper|drep)",
)
"""Fear of somebody at home."""


PAST = (
    r"(?:19|20)\d\d|(?:for )?(?:\w+ )?(?:år|månader|måneder|tiår) (?:siden|sidan)|years? ago|months ago|decades ago|"
    r"i fjor|last (?:year|month|summer|winter)|som (?:barn|liten|ung)|as a (?:child|kid|teenager)|(?:da|når|when) "
    r"(?:jeg|eg|i|vi|we) (?:var|was|were) (?:\w+ )?(?:liten|små|barn|gift|ung|yngre|a (?:child|kid|teen)|young\w*|"
    r"little|married|\d+)|foreldet|forelda|foreldelse\w*|dømt|dømd|dommen|frifunnet|frikjent|frikjend|tiltalt|"
    r"tiltala|henlagt|lagt bort|voldsoffererstatning|valdsofferskadebot|statute of limitations|convicted|acquitted|"
    r"sentenced|charged with|limitation period"
)
"""What is over, or before a court: no danger now."""

URGENT = (
    r"akkurat (?:nå|no)|nett no|nettopp|i natt|i kveld|right now|tonight|just now|(?:står|er|is|are) (?:han |hun |ho "
    r")?(?:utenfor|utanfor|outside)"
)
"""A danger now, whatever else is past."""

PARTNER = r"<partner>(?: min| mi| hennes| hennar| sin)?"
"""Somebody that the asker lives or lived with."""

PARENT = r"<parent>"
"""A parent, as one who does harm."""

HARMLESS = (
    r"hund\w*|katt\w*|hest\w*|kyr\w*|bikkj\w*|dogs?|cats?|horses?|puppy|valp\w*|sau\w*|ku|(?:sjef\w*|arbeidsgiv\w+|"
    r"leiar\w*|leder\w*|boss|employer|firma\w*|bedrift\w*) (?:min )?(?:har )?spark\w+"
)
"""An animal, to or by which something is done, or an employer who dismisses."""

OFFICIAL = (
    r"politi\w*|police|ambassad\w+|embassy|udi|utlending\w*|border|customs|fengsel\w*|prison|jail|cell|varetekt\w*|"
    r"toll\w*"
)
"""Somebody who may hold a person or a passport."""

MINOR = (
    r"(?:jeg|eg|i|i'm|er|am) (?:er |am |bare |berre |only |just )*(?:en |ei |ein |a )?(?:gutt på |jente på |gut på "
    r")?(?P<age>\d{1,2}|seks|sju|syv|åtte|ni|ti|elleve|tolv|tretten|fjorten|femten|seksten|six|seven|eight|nine|ten|"
    r"eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen)(?: år| years|-year|[.,!?]| og| and|$)|(?:i|in) "
    r"(?:\w+ )?(?:klasse|klassen|grade)|etter skolen|etter skulen|after school"
)
"""The asker is a child."""

CHILDREN = (
    r"barn|ungene|ungane|barna|borna|barnet|ungen|babyen|(?:his|her|their|my|the) (?:kids?|children|child|baby)|"
    r"stedatter\w*"
)
"""Children, as those to whom something is done."""

CONDITION = (
    r"(?:hvis|dersom|viss|if|in case|suppose)|(?:når|when|om) (?:det|huset|hytta|bilen|noen|nokon|en|ein|et|eit|ei|"
    r"man|someone|a|an|the|there)"
)
GENERIC = (
    r"(?:hvis|dersom|viss|når|if|when|om|at|that) (?:det|noen|nokon|en|ein|et|eit|ei|man|someone|somebody|anyone|a|"
    r"an|the|there|huset|it|you)"
)
