"""How people write of danger to life or health, in bokmål, nynorsk and English.

A pattern describes what happens to a person now ("slår meg", "puster ikke"), never a topic ("vold"). In a pattern, a
space is any white space, `<name>` is one of `PARTS`, and `~` is up to three words.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache


class Danger(StrEnum):
    """A kind of danger. The order is that in which help is named."""

    FIRE = "fire"
    ILLNESS = "illness"
    POISON = "poison"
    ATTACK = "attack"
    INJURED = "injured"
    RAPE = "rape"
    PARTNER = "partner"
    CAPTIVITY = "captivity"
    CHILD = "child"
    SUICIDE = "suicide"
    SELF_HARM = "self-harm"
    LEAVING = "leaving"


_PARENT = (
    "pappa(?:en)?|mamma(?:en)?|faren|far|moren|mora|mor|stefar(?:en)?|stemor(?:a|en)?|fosterfar|fostermor|foreldrene|"
    "foreldra|foreldre|dad|daddy|father|mum|mom|mother|step ?(?:dad|father|mum|mom|mother)|parents"
)
_PARTNER = (
    "mannen|mann|ektemannen|kona|kone|kjæresten|kjæreste|kjærasten|kjæraste|samboeren|samboer|sambuaren|sambuar|typen|"
    "dama|kjerringa|partneren|eks(?:en|mannen|kona|kjæresten|kjærasten|samboeren)|husband|wife|partner|boyfriend|"
    "girlfriend|ex(?:-?(?:husband|wife|partner|boyfriend|girlfriend))?|fiancée?"
)
_OTHER = (
    "bror(?:en)?|broren|søster(?:a|en)?|syster|sønn(?:en)?|son(?:en)?|guten|gutten|jenta|datter(?:a|en)?|dotter(?:a)?|"
    "barnet|barna|barn|borna|ungen|ungane|ungene|babyen|onkel(?:en)?|tante|kusina|fetteren|bestefar|bestemor|besten|"
    "venninna|venninne|venn(?:en)?|venen|kompis(?:en)?|naboen|nabo|kollegaen?|sjefen|læraren|læreren|trenar(?:en)?|"
    "trener(?:en)?|brother|sister|son|daughter|child|children|kids?|baby|toddler|boy|girl|uncle|aunt|cousin|"
    "grand(?:father|mother|pa|ma|dad|son|daughter)|nan|friend|flatmate|roommate|housemate|neighbou?r|colleague|boss|"
    "coach|teacher"
)
PARTS: Mapping[str, str] = {
    "me": r"(?:meg|oss|me|us)",
    "self": r"(?:(?:meg|seg|deg) (?:selv|sjølv)|(?:my|him|her|them)sel(?:f|ves))",
    "near": rf"(?:{_PARENT}|{_PARTNER}|{_OTHER})",
    "mine": rf"(?:(?:my|our) (?:\w+ )?(?:{_PARENT}|{_PARTNER}|{_OTHER})|(?:{_PARENT}|{_PARTNER}|{_OTHER}) (?:min|mi|mitt|mine|vår)"
    r"|mannen|kona|kjæresten|kjærasten|samboeren|sambuaren|typen|partneren|eksen|eksmannen|pappa|mamma|faren|stefaren|stefar)",
    "elder": rf"(?:{_PARENT}|onkel\w*|tante|bestefar|bror\w*|fetter\w*|trener\w*|trenar\w*|lærer\w*|lærar\w*|uncle|aunt|grand\w+|"
    r"brother|cousin|coach|teacher)",
    "parent": rf"(?:{_PARENT})",
    "partner": rf"(?:{_PARTNER})",
    "who": rf"(?:han|hun|ho|he|she|they|dei|de|jeg|eg|vi|i|(?:my|our) (?:\w+ )?\w+|\w+ (?:min|mi|mitt|mine|vår|vårt|våre)"
    rf"|(?:min|mi|vår) \w+|{_PARENT}|{_PARTNER}|{_OTHER})",
    "them": rf"(?:meg|oss|me|us|hun|henne|ho|ham|her|him|(?:my|his|her|their|the|our) (?:{_PARTNER}|{_OTHER}|mother|mum)"
    r"|barna|borna|ungene|ungane|barnet|ungen|babyen|mamma|mora mi|moren min|mor mi|søster(?:en|a)? mi\w*|syster mi"
    r"|bror(?:en)? min|sønnen min|son min|datter(?:en|a) mi\w*|dotter mi|kona si|dama si|samboeren sin)",
    "hits": r"(?:slår|slær|banker|bankar|sparker|sparkar|biter|bit|denger|dengjer|mishandler|mishandlar|kveler|kvel|"
    r"lugger|luggar|klyper|klyp|dytter|dyttar|skubber|skubbar|angriper|angrip|skader|skadar|klorer|klorar|rister|ristar|"
    r"hits|beats|kicks|punches|slaps|chokes|strangles|hurts|bites|burns|shoves|abuses|attacks)",
    "hitting": r"(?:hitting|beating|kicking|punching|slapping|choking|strangling|hurting|biting|burning|shoving|abusing|"
    r"attacking|stabbing)",
    "hit": r"(?:slo|slått|slege|slegen|banket|banka|sparket|sparka|beit|bet|dengt|dengte|mishandlet|mishandla|kvelte|"
    r"klypte|lugget|lugga|dyttet|dytta|angrep|knivstakk|stakk|hit|beat|kicked|punched|slapped|choked|strangled|"
    r"attacked|stabbed|beaten|shoved)",
    "rapes": r"(?:voldtar|valdtek|valdtar|misbruker|misbrukar|forgriper seg på|forgrip seg på|rapes|molests|"
    r"sexually abuses)",
    "kill": r"(?:drepe|drep|dreper|drepa|skyte|skyter|skyt|skyta|knivstikke|kverke|kverker|kill|shoot|stab|murder)",
    "weapon": r"(?:kniv\w*|pistol\w*|våpen\w*|øks\w*|hagle\w*|hagl\w*|gevær\w*|hammer\w*|balltre|knife|gun|axe|rifle|bat)",
    "now": r"(?:akkurat nå|akkurat no|nett no|nå|no|nettopp|nyss|i natt|i går(?: natt| kveld)?|i kveld|i dag|i helga|"
    r"i helgen|right now|now|just|tonight|today|yesterday|last night|this (?:morning|evening|weekend))",
    "taken": r"(?:tatt|teke|tar|tek|took|taken|takes|taking|has|beslaglagt|confiscated|stjålet)",
    "eaten": r"(?:spist|ete|spiste|åt|svelget|svelgja|svelgt|slukt|drukket|drukke|drakk|fått i seg|swallowed|drank|"
    r"drunk|eaten|ate|ingested)",
    "pills": r"(?:\w*tabletter|\w*tablettar|\w*tablettene|piller|pillene|paracet\w*|sovemedisin\w*|\w*medisin\w*|pills|tablets|"
    r"paracetamol|ibuprofen|medication|painkillers|antidepressants)",
    "many": r"(?:hele|heile|heil|mange|glass|glasset|eske|eska|esken|pakke|pakka|pakken|brett|brettet|altfor|for mye|for mykje|"
    r"neve|haug|massevis|lots?|whole|entire|bottle|handful|box|pack|packet|too many|all|\d+|tjue|tretti|fifty|twenty)",
    "toxic": r"(?:\w*vaskemid\w+|\w*middel|såpe\w*|klor\w*|lut|salmiakk|avløps\w+|plumbo|\w*batteri\w*|frostvæske|tennv\w+|"
    r"lampeolje|bensin|white spirit|rotte?gift\w*|gift|giftig\w*|nikotin\w*|snus\w*|\w*tabletter|\w*tablettar|piller|medisin\w*|"
    r"bleach|detergent|\w*cleaner|\w*batter(?:y|ies)|poison\w*|antifreeze|petrol|magnets?|magnetar|magneter|pills|medicine)",
    "ends": r"(?:kommer til å|kjem til å|skal|vil|vil ikke|har tenkt å|tenker på å|tenkjer på å|tenkt å|tenkt på å|planlegger å|"
    r"planlegg å|ønsker å|ønskjer å|lyst til å|lyst å|prøver å|prøvde å|freistar å|truer med å|trugar med å|klar for å|"
    r"want to|wants to|going to|gonna|will|plan to|plans to|planning to|threatens? to|threatening to|trying to|tried to|"
    r"thinking (?:of|about)|thoughts? (?:of|about))",
}

_PATTERNS: Mapping[Danger, tuple[str, ...]] = {
    Danger.FIRE: (
        r"det (?:brenner|brenn)(?! (?:i (?:øy|hals|mag|hud)|når|meg|for))",
        r"(?:brenner|brenn|står|stend) (?:i (?:full |lys )?(?:fyr|brann|flamm\w+)|på kjøkken\w*|i (?:stua|kjeller\w*))",
        r"(?:huset|hytta|leiligheten|leilegheita|bilen|låven|blokka|komfyren|kjøkkenet)(?: vårt?| min)? brenn(?:er)?",
        r"(?:har|held på å) (?:tatt|teke|ta) fyr(?! i fjor)|(?:er|vart|blei|ble) tent på (?:nå|no)",
        r"(?:is|are|'s) on fire|(?:house|flat|kitchen|building|barn|car) is burning|there(?:'s| is) a (?:\w+ )?fire (?:in|at|on)",
        r"(?:ser|see|seeing) (?:\w+ )?(?:flammer|flammar|flames)|flamm(?:er|ar) ut",
        r"(?:lukter|luktar|lukt av|smells? of) (?:\w+ )?(?:brent|brann|svidd)|burning smell (?:from|in|and)",
        r"røyk (?:under|fra|frå|ut av|ut frå|ut|i) ~(?:døra|døren|sikring\w*|vindu\w*|vindaug\w*|leilighet\w*|leileg\w*|taket|"
        r"veggen|kontakt\w*|oppgang\w*|trapp\w*|kjeller\w*|komfyr\w*|panseret)(?! til grillen)",
        r"(?:fullt|fult|tjukt) (?:av|med) røyk|smoke (?:is )?(?:coming|pouring|filling)|full of smoke",
        r"(?:lukter|luktar|lekker|lek|lekk) (?:\w+ )?gass|(?:i|we|he|she) (?:can )?smell (?:of )?gas|gas (?:is )?leaking|"
        r"(?:there(?:'s| is)|we have) a gas leak|gasslekkasje (?:i|hos) (?:huset|oss|oppgangen|leiligheten|blokka)",
    ),
    Danger.ILLNESS: (
        r"slutt(?:a|et) å puste|(?:puster|pustar) (?:ikke|ikkje|rart|tungt|dårlig|dårleg|nesten)|stopped breathing|"
        r"(?:is|are|isn't|'s) (?:not |hardly |barely )?(?:breathing (?:strange|weird|fun)\w*|gasping)|(?:is not|isn't) breathing",
        r"får (?:ikke|ikkje|nesten ikke|nesten ikkje) (?:til å )?(?:puste|pusta|pust)\b|(?:can'?t|cannot|can hardly|can barely|"
        r"struggl\w+ to|trouble) breath(?:e|ing)|(?:blå|blue) (?:på|i|in the) (?:leppene|leppane|lips|face)|"
        r"lips (?:are )?(?:turning|going) blue",
        r"<who> (?:er|ligger|ligg|is|lies|seems) (?:\w+ )?(?:bevisstløs|medvitslaus|medvetslaus|livløs|livlaus|unconscious|"
        r"unresponsive)",
        r"(?:does not|doesn'?t|do not|won'?t|will not|is hard to|hard to|can'?t|cannot) wake|(?:våkner|vaknar) (?:ikke|ikkje)|"
        r"får (?:\w+ )?(?:ikke|ikkje) (?:liv i|vekt|vekket|vekkja|vekke|kontakt med) (?:han|ham|henne|hun|ho|{near})",
        r"(?:falt|fall|ramlet|ramla|datt) (?:\w+ )?om(?! natt)\b ~(?:på|og|i|heime|hjemme|nå|no)|(?:besvimte|svimte av|kollapset|"
        r"kollapsa) (?:nettopp|akkurat|nå|no|og|på|i)|<who> (?:has )?(?:just )?(?:collapsed|passed out|blacked out)",
        r"(?:har|has|have|having|får|fått|got|kjenner|kjenn) ~(?:vondt|vont|smerter?|verk|trykk|press|pain|pressure)(?: \w+){0,2} "
        r"(?:i|over|in) (?:\w+ )?(?:brystet|bringa|chest)|(?:har|has|have|having|getting) (?:\w+ )?(?:brystsmerter?|chest pains?)",
        r"(?:heng|henger|hanging) i (?:\w+ )?(?:munnvik\w*|ansikt\w*|andlet\w*)|skjev i (?:munnen|ansiktet|andletet|fjeset)|"
        r"(?:snakker|snakkar|prater|pratar) (?:utydelig|utydeleg|uforståelig|tull\w*|snøvl\w*)|face is (?:\w+ )?droop\w*|"
        r"(?:speech is|is|are) slurr\w+|slurr\w+ speech",
        r"(?:blør|bløder|blødar|bleeding|bleeds) (?:mye|mykje|kraftig|fra|frå|så|fælt|veldig|a lot|heavily|badly|from)|"
        r"slutter ikke å blø|sluttar ikkje å blø|(?:won'?t|does ?n.t|not) stop bleeding|so much blood|blod overalt",
        r"(?:får|holder på å få|held på å få|having|has) (?:nå |no |et |eit |a )*(?:hjerteinfarkt|hjarteinfarkt|hjerneslag|"
        r"krampe(?:r|anfall)?|heart attack|stroke|seizure|fit) ?(?:nå|no|right now|now|og|and)?(?! (?:two|three|last|for))"
        r"(?=[,.!?]|$| (?:nå|no|now|right|og|and))",
        r"(?:føder|fødar|fødes) (?:nå|no|i bilen|snart)|(?:vannet|vatnet) (?:har gått|gikk|gjekk)|giving birth (?:now|in the)|"
        r"in labou?r (?:now|and|right)|water (?:has |just )+broke\w*",
        r"hovn(?:er|ar) opp ~(?:halsen|ansiktet|andletet|munnen|tunga)|(?:throat|tongue|face) is (?:swelling|closing)|"
        r"(?:har|får|having|has) (?:\w+ )?(?:allergisk sjokk|anafylak\w+|anaphyla\w+)",
        r"(?:(?:drukner|druknar)(?! (?:\w+ )?i (?!vann|vatn|sjø|elv|basseng))|er i ferd med å drukne|is drowning|are drowning)|(?:gått|gikk|gjekk|fell|went|gone) (?:gjennom|igjennom|"
        r"through) (?:isen|the ice)|(?:falt|fell|fallen) (?:i|uti|into) ~(?:elva|sjøen|vannet|river|lake|sea)",
        r"(?:satt|sett|fått) (?:\w+ )?(?:fast )?(?:noe|noko|mat\w*|en \w+) i halsen|<who> is choking",
        r"(?:bitt|biten|bitten|bit) (?:av|by) (?:\w+ )?(?:hoggorm\w*|huggorm\w*|slange\w*|snake|adder|viper)",
        r"(?:sitter|sit|er|is|are) (?:fast|fastklemt|innklemt|trapped|stuck) (?:i|in|under) (?:\w+ )?(?:bilen|bilvraket|car|wreck)",
        r"(?:har|have|has) (?:\w+ )?(?:feber|fever) (?:og|and) (?:stiv nakke|stiff neck)|nakkestiv|overdose\w*(?! (?:av|of) "
        r"(?:info|inform))(?: (?:og|nå|no|and|now)|,|$)|(?:tatt|teke|satt|sett|took|taken) (?:en |ei |an )?overdose|overdosed|"
        r"har satt overdose",
    ),
    Danger.POISON: (
        r"(?:<eaten>) ~<toxic>",
        r"(?:drakk|drukket|drukke|drank) (?:av|from|out of) ~<toxic>",
        r"(?:spist|ete|eaten|ate) (?:en |ein |ei |a )?(?:ukjent|giftig|feil|wild|unknown|strange) (?:sopp|bær|plante|mushrooms?|"
        r"berr\w+|plant)",
        r"<taken> (?:\w+ ){0,5}<many> (?:\w+ ){0,4}<pills>(?!.*(?:wheel|driv|kjør|køyr))|(?:tatt|teke|took|taken) (?:en |ei |an )?overdose|<taken> <pills> og ~"
        r"(?:ligger|ligg|sover|våkner)",
        r"(?:tatt|teke|sett|satt) (?:en |ei )?overdose|overdosed|(?:bitt|biten|bitten) (?:av|by) (?:\w+ )?(?:hoggorm\w*|"
        r"huggorm\w*|snake|adder)",
    ),
    Danger.ATTACK: (
        r"<hits> (?:(?!for|til|med|på|i|av|hos|at)\w+ )?<them>(?! (?:ned|på|i hjel med|at|sammen))",
        r"<mine> (?:har |has |have )?(?:\w+ )?<hit> (?:(?!for|til|med|på|i|av|hos|at|ned)\w+ )?<them>(?! ned)",
        r"<hit> (?:\w+ )?<them>.{0,40}\b<now>|<now>.{0,40}\b<hit> (?:\w+ )?<them>",
        r"(?:tok|tatt|tar|tek|teke) (?:kvelertak|strupetak|halsgrep) ~<them>|hands a?round (?:my|her) (?:throat|neck)",
        r"(?:bankar|banker|slår) (?:\w+ ){1,3}(?:opp|gul\w* og blå\w*|helseløs)",
        r"(?:is|are|keeps?|was|been|started|'s) (?:\w+ )?<hitting> (?:\w+ )?<them>|(?:am|being|get|getting|gets|is) (?:\w+ )?"
        r"(?:beaten|abused|hit|strangled) (?:up )?(?:by|at home|every)",
        r"(?:jeg|eg|vi|hun|ho|<near>(?: \w+)?) (?:blir|vert|er) (?:\w+ )?(?:slått|slegen|slegne|mishandlet|mishandla|"
        r"banket|banka|utsatt for vold|utsett for vald)(?! (?:sammen|konkurs|ned|fast|opp|saman))",
        r"(?:får|fekk|fikk) (?:\w+ )?(?:juling|bank|deng)\b ~(?:av|hjemme|heime|når)",
        r"<near>(?: min| mi| mitt| hennes| hennar)? (?:er|blir|vert|is|gets|becomes) (?:\w+ )?(?:voldelig|valdeleg|violent) "
        r"(?:mot|når|hver|kvar|with|towards?|when|every|og|and)",
        r"(?:har|med|with|and) (?:en |ei |ein |a )?<weapon> ~(?:utenfor|utanfor|outside|mot|nå|no|og skal|against)",
        r"(?:låst|locked) ~(?:inne|in|inside)\b ~(?:og|and) ~<weapon>",
        r"(?:truer|trugar|truar|trua|truet|threatens?|threatened|threatening) (?:\w+ )?<them>? ?~(?:med|with|to|på) ~(?:livet|<weapon>|"
        r"<kill> (?:<them>|<self>))",
        r"(?:skal|vil|kommer til å|kjem til å|will|going to|gonna|wants to|å|to|'ll) <kill> (?:<them>)|(?:dreper|drep|skyt|skyter) "
        r"(?:meg|oss|ungene|ungane|barna)",
        r"(?:får|fått|fekk|fikk|sender|sendt|send|sends|sent|get|got|getting|receiv\w+) ~(?:drapstrus\w+|dødstrus\w+|drapstrug\w+|"
        r"trusler på livet|truslar på livet|death threats?)",
        r"(?:står|er|is|are|'s|standing|stands) (?:rett |right )?(?:utenfor|utanfor|outside) ~(?:døra|døren|vinduet|vindauget|huset|"
        r"leiligheten|soverommet|door|window|house|flat|apartment)\b.*(?:<weapon>|bank\w+|rop\w+|skrik\w+|hamr\w+|nå|no|now|"
        r"scream\w*|shout\w*|bang\w*|leave|slippe)",
        r"(?:noen|nokon|en mann|ein mann|en fremmed|ein framand|someone|somebody|a man|a stranger|eksen|en innbruddstyv|burglars?|"
        r"they|han|he|de|dei)(?: mann| man| min)? (?:(?!som|who)\w+ ){0,3}(?:bryter seg inn|bryt seg inn|(?:bryte|kome|komme|ta|kom)"
        r" seg inn|dra opp døra|er inne i (?:huset|leilig\w+)|is (?:in|inside) (?:my|the|our) (?:house|flat|apartment|home|garden shed)|"
        r"(?:breaking|break|get|getting) (?:in|into) (?:my|our|the)|breaking in\b|break down (?:my|the) door)",
        r"(?:hører|høyrer|hear) (?:\w+ )?(?:hun|henne|ho|dem|dei|them|her|ungene|barna|barn|kids|naboen)? ?(?:skrike|skrik|skriker|"
        r"scream\w*) ~(?:gjennom|hjelp|om hjelp|help|through|for help)",
        r"(?:var|vore|vært) (?:borte|vekk|forsvunne?t?|savnet|sakna) (?:\w+ ){0,6}(?:sidan|siden) (?:i går|i natt|i dag|i kveld|"
        r"i morges|i morgon)|(?:kom|kommet|kome) (?:aldri |ikke |ikkje )(?:hjem|heim) (?:i natt|i går|i kveld|i dag|fra skolen|"
        r"frå skulen)|(?:vært|vore) borte (?:\w+ ){0,6}(?:i går|i natt)",
        r"(?:has been |is |gone |went )(?:missing|gone) (?:\w+ ){0,4}(?:since|last night|yesterday|hours)|(?:didn'?t|did not|hasn'?t|"
        r"has not|never) c[oa]me home (?:last night|since|from school|tonight)",
        r"<taken> (?:\w+ ){0,2}(?:ungene|ungane|barna|borna|barnet|kids|children)\b.*(?:drukke|drukket|rusa|ruset|full\b|aldri (?:skal )?"
        r"(?:sjå|se|får)|drunk|never see|kidnap|skade dei|skade dem|hurt them)",
        r"(?:kjører|køyrer|is driving|kjører rundt) ~(?:full|fulle|drita|rusa|ruset|drunk)\b.* ?(?:akkurat nå|nå|no|now)",
        r"(?:baby(?:en)?|barn(?:et)?|unge|toddler|child|kid) ~(?:låst inne|innelåst|alene|åleine|aleine|locked|alone|left) ~(?:i|in) ~"
        r"(?:bil|bilen|car)",
        r"(?:på|on|over|utenfor|utanfor) (?:the )?(?:rekkverket|railing|ledge|brukanten)(?! (?:i|på|til|er))|"
        r"(?:hoppe|jump|hoppar|hopper|jumping) (?:fra|frå|utfor|off|from) ~(?:brua|broa|taket|bridge|roof|balkong\w*|balcony|building)",
        r"skutt (?:på|mot) (?:oss|meg)|skyter (?:rundt|på folk)|(?:is|are) shooting|knivstukket (?:nå|nettopp)|been (?:shot|stabbed)",
    ),
    Danger.INJURED: (
        r"kvelertak|strupetak|halsgrep|kvelte (?:meg|henne)|strangled (?:me|her)|chok(?:ed|ing) (?:me|her)|(?:my|her) throat|"
        r"hands (?:a?round) (?:my|her) (?:throat|neck)|blør|bløder|knivst\w+|been (?:shot|stabbed)|stabbed (?:me|her|him)|"
        r"(?:car|bil\w*) crash|kjørt av ve[ig]en|køyrt av vegen|kjørte utfor",
    ),
    Danger.RAPE: (
        r"<rapes> (?:\w+ )?<them>|(?:forgriper|forgrip|forgrepet|forgripe) seg på (?:<them>|meg|datter\w*|sønn\w*)",
        r"(?:jeg|eg|<near>(?: min| mi)?|hun|ho) (?:har |er |blir |vert )?(?:ble|blei|blitt|vart|vorte|er|blir)?(?: \w+)? ?(?:voldtatt|"
        r"valdteken|valdteke|valdtatt|voldteken)\b|(?:voldtok|valdtok) <them>|(?:was|been|got|being) (?:\w+ )?(?:raped|drugged and|"
        r"sexually assaulted)|raped me|forced himself on me",
    ),
    Danger.PARTNER: (
        r"(?:tok|tatt|tar|tek|teke) (?:kvelertak|strupetak|halsgrep) ~(?:meg|henne)|hands a?round (?:my|her) (?:throat|neck)",
        r"(?:strangle[sd]|choked|choking|kvelte|kveler|kvel) (?:me|her|meg|henne)",
    ),
    Danger.CAPTIVITY: (
        r"(?:låst|låser|stengt|stenger|sperret|sperra|sperrer) (?:meg|oss|henne|ho) (?:\w+ )?(?:inne|fast)|(?:held|holder|blir holdt|vert "
        r"halden|halde) (?:meg |oss |henne )?(?:fanget|fanga|innesperret|innesperra|innestengd|innestengt)",
        r"(?:låser|har låst) (?:døra|døren) ~(?:og|så|kvar|hver|når|tar|tek)|(?:locks?|locked|keeps) (?:me|us|the door)(?: in\b|"
        r" inside| locked| captive| prisoner| and (?:says|won'?t|will)|,)",
        r"(?:lar|let|lèt|lèt|slepper|slipper) (?:meg|oss) ikk?j?e (?:få )?(?:\w+ )?(?:ut|gå|dra|reise|forlate|komme)|won'?t let (?:me|us) "
        r"(?:leave|out|go)|held (?:captive|against)|(?:får|slipper|slepp) ikk?j?e (?:lov til å )?(?:gå |komme |kome )?ut av (?:huset|"
        r"leilig\w+|rommet|hytta)",
        r"^(?!.*(?:politi|police|ambassad|embassy|udi\b|utlending|border|customs)).*<taken> (?:\w+ ){0,2}(?:passet (?:mitt|vårt)|"
        r"pass[ae]n?e? våre|(?:my|our) passports?).*(?:gift|marry|jobb|arbeid|work|pay|betal|løn|hjemland|heimland|leave|forlate|ut\b|abroad)",
        r"(?:tvinger|tvingar|tvinges|tvungen|tvunget|forces?|forced|forcing) (?:meg|oss|me|us|søsteren min|syster mi|my \w+) (?:til å|"
        r"til|to|into) (?:gifte|gift|jobbe|arbeide|selge|selje|ha sex|prosti\w+|marry|marriage|work|sell|have sex|prosti\w+)",
        r"gifte (?:meg|henne|ho|søsteren min|syster mi) bort|gifte meg (?:\w+ )?(?:mot|neste|med en jeg ikke|med ein eg ikkje)|marry me off|"
        r"(?:sende|send|sender|sending|send) (?:meg|me|søsteren min|syster mi|my \w+) (?:\w+ )?(?:til|to|back) ~(?:for å gifte|og gifte|"
        r"to marry|to be married|to get married|for å bli gift|omskj\w+|circumcis\w+|cut)",
        r"(?:omskjære|kjønnslemleste|circumcise) (?:meg|datter\w*|søster\w*|syster\w*|dotter\w*|her|my)",
        r"(?:jeg|eg|vi) (?:er|har blitt|vart|ble) (?:solgt|seld|lurt hit|offer for menneskehandel)|sold me to|i (?:am|was|have been) "
        r"(?:being )?traffick\w+",
    ),
    Danger.CHILD: (
        r"(?:kommer|kjem|kom|comes|came) (?:\w+ )?(?:inn )?(?:på|til|into|in) (?:rommet mitt|senga mi|my (?:room|bed)) (?:\w+ )?(?:om natt\w*|"
        r"når eg søv|når jeg sover|at night|when i sleep)",
        r"<elder>(?: min| mi)? (?:tar|tek|tok|tafser|tafsar|klår) (?:på|borti) (?:meg|datter\w+|dotter\w*) (?:der|når|under|nede\w*|mellom|på|og|"
        r"om natt\w*|i (?:senga|dusjen))|(?:<elder>(?: is)?) (?:touches|touched|touching|fondles|gropes) (?:me|my (?:daughter|son|child|sister))(?: (?:when|"
        r"where|down|at|in|there)|[.,!?]|$)",
        r"<rapes> ~(?:barn\w*|datter\w*|dotter\w*|sønn\w*|unge\w*|søster\w*|child\w*|daughter|son|sister|kids?)|(?:is|been|being) (?:\w+ )?"
        r"(?:abused|molested|abusing|molesting) (?:by|my|his|her|the)",
        r"(?:vil|prøver|truer|press\w+|wants?|threat\w+) ~(?:nakenbilde\w*|nudes|naken\w*) ",
    ),
    Danger.SUICIDE: (
        r"(?:vil|orker|orkar|klarer|klarar|gidder|gidd|ønsker|ønskjer|makter|maktar) (?:ikke|ikkje) (?:å )?(?:leve|live)\b|(?:do ?n.t|"
        r"do not|can'?t|cannot|no longer|not) (?:\w+ )?(?:want to |wanna |go on |keep )?(?:live|living|be alive|exist|wake up) "
        r"(?:anymore|any more|any longer|like this)|(?:don'?t|do not|no longer) want to (?:live|be alive|be here|exist|wake up)",
        r"(?:vil|ønsker å|ønskjer å|lyst til å|lyst å|tenkt å) (?:bare |berre )?dø\b(?! (?:hjemme|heime|naturl\w+|i eget|med verdig\w+))|"
        r"(?:sleppe|slippe) å leve|skulle ønske (?:at )?(?:jeg|eg) (?:var|ikke|ikkje) (?:død|levde|lever|fantes)|vil (?:ikke|ikkje) "
        r"våkne|vil (?:ikke|ikkje) vakne",
        r"(?:want|wants|wanted|wish) (?:to die\b(?! (?:at home|in peace|natur))|i (?:was|were) dead|(?:he|she) (?:was|were) dead)|better "
        r"off (?:dead|without me)|bedre uten meg|betre utan meg|no (?:reason|point)(?: in)? (?:to live|living)|ingen (?:vits|grunn) "
        r"(?:i|til) å leve|ikke verdt å leve|ikkje verdt å leve",
        r"<ends> (?:\w+ )?(?:ta (?:\w+ )?livet|ta livet (?:sitt|mitt|av (?:meg|seg|ho|henne))|ta (?:sitt|mitt) eget liv|begå (?:selvmord|"
        r"sjølvmord)|kill(?:ing)? <self>|end(?:ing)? (?:my|his|her|their) (?:own )?life|end it all|take (?:my|his|her|their) (?:own )?li(?:fe|ves)|commit(?:ting)? suicide|hurt <self>|"
        r"(?:hoppe|jump) (?:fra|frå|utfor|off|from) ~(?:bru\w*|broa|tak\w*|balkong\w*|bridge|roof|balcony|building)|"
        r"avslutte livet|suicide|taking my (?:own )?life)",
        r"(?:skal|vil|kommer til å|kjem til å|tenkt å) ta livet (?:sitt|mitt|av (?:meg|seg))|(?:tar|tek) (?:jeg |eg |han |hun |ho )?livet "
        r"(?:mitt|av meg)|(?:tok|ta) farvel med livet",
        r"(?:jeg|eg|i|<near>(?: \w+)?|hun|ho|han|he|she)(?:'m| er| is| am| har| have| has| feel)? ~(?:selvmordstank\w+|sjølvmordstank\w+|"
        r"suicidal)",
        r"(?:på|on|over|utenfor|utanfor) (?:the )?(?:rekkverket|railing|ledge) (?:på|of|til|i) (?:the )?(?:bru\w*|bro\w*|bridge)",
        r"prøv(?:de|d) å (?:ta livet|henge) (?:av seg|seg)|tried to (?:kill|hang) <self>",
    ),
    Danger.SELF_HARM: (
        r"(?:skåret|skore|kuttet|kutta|skjært|skjærer|kutter|kuttar|risper|rispar|skader|skadar) (?:opp )?(?:meg|seg) (?:selv|sjølv)|"
        r"(?:cutting|harming|hurting|burning|cut|harm|hurt) (?:my|him|her)self (?:again|on purpose|every|because|when i|to|and)|"
        r"(?:skåret|skore|kuttet|kutta) meg(?! (?:på|av|i |under|mens|da|med))|(?:cutting|harming) myself",
    ),
    Danger.LEAVING: (
        r"(?:goodbye|farewell) (?:message|letter|note|text)|suicide note|avskj?e?[di]?d?sbrev|avskilsbrev|(?:avskjeds|farvel|avskils)melding|"
        r"(?:sagt|sa|skrevet|skreve|said) (?:farvel|goodbye) (?:og|and|til alle|to everyone)",
    ),
}
"""What is written of each danger. What `_FEARS` and partners add is decided in `emergencies`."""

FEARS = (
    r"(?:tør|torer|tørr|våger|vågar) (?:ikke|ikkje) (?:å )?(?:gå|dra|reise|være|vere|sove|bo) ?(?:hjem|heim|hjemme|heime|der)|redd (?:for )?"
    r"(?:å (?:gå|dra|reise|være|vere) (?:hjem|heim|hjemme|heime)|livet|mannen|kjæresten|kjærasten|samboeren|sambuaren|eksen|pappa|"
    r"stefaren|stefar|at han (?:skal|vil|kommer|kjem))|(?:afraid|scared|terrified|frightened) (?:to (?:go|be|come) home|of (?:my (?:husband|"
    r"partner|boyfriend|ex|dad|father|stepdad|stepfather)|him)|for my life|(?:that )?he (?:will|is going to|might))|(?:neste gang|next time) "
    r"(?:blir det|he will|he'll|dreper|drep)",
)
"""Fear of somebody at home."""


@cache
def patterns(danger: Danger) -> tuple[re.Pattern[str], ...]:
    """Return the patterns of a danger, compiled."""
    return tuple(map(compiled, _PATTERNS[danger]))


@cache
def compiled(written: str) -> re.Pattern[str]:
    """Return a pattern as it is written here, compiled for text in lower case."""
    while (filled := re.sub(r"[<{](near|" + "|".join(PARTS) + r")[>}]", lambda part: PARTS[part[1]], written)) != written:
        written = filled
    written = written.replace("~", r"(?:[^\W_][\w'-]* ){0,3}").replace(" ?", r"[\s,]*").replace(" ", r"[\s,]+")
    return re.compile(rf"(?<!\w)(?:{written})(?!\w)")


@dataclass(frozen=True)
class Signs:
    """What speaks for or against a danger in the whole of a question, by name of its pattern."""

    past: str = (
        r"(?:19|20)\d\d|(?:for )?(?:\w+ )?(?:år|månader|måneder|tiår) (?:siden|sidan)|years? ago|months ago|decades ago|i fjor|last "
        r"(?:year|month|summer|winter)|som (?:barn|liten|ung)|as a (?:child|kid|teenager)|(?:da|når|when) (?:jeg|eg|i|vi|we) (?:var|was|"
        r"were) (?:\w+ )?(?:liten|små|barn|gift|ung|yngre|a (?:child|kid|teen)|young\w*|little|married|\d+)|foreldet|forelda|foreldelse\w*|"
        r"dømt|dømd|dommen|frifunnet|frikjent|frikjend|tiltalt|tiltala|henlagt|lagt bort|voldsoffererstatning|valdsofferskadebot|"
        r"statute of limitations|convicted|acquitted|sentenced|charged with|limitation period"
    )
    urgent: str = (
        r"akkurat (?:nå|no)|nett no|nettopp|i natt|i kveld|right now|tonight|just now|"
        r"(?:står|er|is|are) (?:utenfor|utanfor|outside)"
    )
    partner: str = r"<partner>(?: min| mi| hennes| hennar| sin)?"
    parent: str = r"<parent>"
    animal: str = r"hund\w*|katt\w*|hest\w*|kyr\w*|bikkj\w*|dogs?|cats?|horses?|puppy|valp\w*|sau\w*|ku"
    minor: str = (
        r"(?:jeg|eg|i|i'm|er|am) (?:er |am |bare |berre |only |just )*(?:en |ei |ein |a )?(?:gutt på |jente på |gut på )?(?P<age>\d{1,2}|"
        r"seks|sju|syv|åtte|ni|ti|elleve|tolv|tretten|fjorten|femten|seksten|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|"
        r"fifteen|sixteen|seventeen)(?: år| years|-year|[.,!?]| og| and|$)|(?:i|in) (?:\w+ )?(?:klasse|klassen|grade)|etter skolen|etter "
        r"skulen|after school"
    )
    children: str = r"barn|ungene|ungane|barna|borna|barnet|ungen|babyen|(?:his|her|their|my|the) (?:kids?|children|child|baby)|stedatter\w*"


SIGNS = Signs()
CONDITION = compiled(r"(?:hvis|dersom|viss|if|in case|suppose)|(?:når|when|om) (?:det|huset|hytta|bilen|noen|nokon|en|ein|man|someone|a|an|the|there)")
GENERIC = compiled(r"(?:hvis|dersom|viss|når|if|when|om|at|that) (?:det|noen|nokon|en|ein|man|someone|somebody|anyone|a|an|the|there|huset|it|you)")
