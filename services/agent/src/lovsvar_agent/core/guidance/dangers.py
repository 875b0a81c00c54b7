"""How people write of danger to life or health, in bokmål, nynorsk and English.

A pattern describes what happens to a person now ("slår meg", "puster ikke"), never a topic ("vold"). `danger_words`
says how a pattern is written.
"""

import re
from collections.abc import Mapping
from enum import StrEnum
from functools import cache

from lovsvar_agent.core.guidance.danger_words import compiled


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


_PATTERNS: Mapping[Danger, tuple[str, ...]] = {
    Danger.FIRE: (
        r"det (?:brenner|brenn)(?! (?:i (?:øy|hals|mag|hud)|når|meg|for))",
        r"(?:brenner|brenn|står|stend) (?:i (?:full |lys )?(?:fyr|brann|flamm\w+)|på kjøkken\w*|i (?:stua|"
        r"kjeller\w*))",
        r"(?:huset|hytta|leiligheten|leilegheita|bilen|låven|blokka|komfyren|kjøkkenet)(?: vårt?| min)? brenn(?:er)?",
        r"(?:har|held på å) (?:tatt|teke|ta) fyr(?! i fjor)|(?:er|vart|blei|ble) tent på (?:nå|no)",
        r"(?:is|are|'s) on fire|(?:house|flat|kitchen|building|barn|car) is burning|there(?:'s| is) a (?:\w+ )?fire "
        r"(?:in|at|on)",
        r"(?:begynt|byrja|begynte|begynner|started|starting) (?:å|to) (?:brenne|brenna|burn)|flames (?:are "
        r")?(?:coming|shooting|out)|ryke?r? (?:fra|frå|av|i) (?!pip|peis|grill|bål|skorst|vedovn)",
        r"(?:ser|see|seeing) (?:\w+ )?(?:flammer|flammar|flames)|flamm(?:er|ar) ut",
        r"(?:lukter|luktar|lukt av|smells? of) (?:\w+ )?(?:brent|brann|svidd)|burning smell (?:from|in|and)",
        r"røyk (?:under|fra|frå|ut av|ut frå|ut|i) ~(?:døra|døren|sikring\w*|vindu\w*|vindaug\w*|leilighet\w*|"
        r"leileg\w*|taket|veggen|kontakt\w*|oppgang\w*|trapp\w*|kjeller\w*|komfyr\w*|panseret)(?! til grillen)",
        r"(?:fullt|fult|tjukt) (?:av|med) røyk|smoke (?:is )?(?:coming|pouring|filling)|full of smoke",
        r"(?:lukter|luktar|lekker|lek|lekk) (?:\w+ )?gass|(?:i|we|he|she) (?:can )?smell (?:of )?gas|gas (?:is "
        r")?leaking|(?:there(?:'s| is)|we have) a gas leak|gasslekkasje (?:i|hos) (?:huset|oss|oppgangen|"
        r"leiligheten|blokka)",
    ),
    Danger.ILLNESS: (
        r"slutt(?:a|et) å puste|(?:puster|pustar) (?:ikke|ikkje|rart|tungt|dårlig|dårleg|nesten)|stopped breathing|"
        r"(?:is|are|isn't|'s) (?:not |hardly |barely )?(?:breathing (?:strange|weird|fun)\w*|gasping)|(?:is not|"
        r"isn't) breathing",
        r"får (?:ikke|ikkje|nesten ikke|nesten ikkje) (?:til å )?(?:puste|pusta|pust)\b|(?:can'?t|cannot|can hardly|"
        r"can barely|struggl\w+ to|trouble) breath(?:e|ing)|(?:blå|blue) (?:på|i|in the) (?:leppene|leppane|lips|"
        r"face)|lips (?:are )?(?:turning|going) blue",
        r"ligg(?:er)? (?:\w+ ){0,3}(?:stille|urørleg|urørlig|livløs|livlaus)\b.*(?:svarer|svarar|reagerer|reagerar|"
        r"våkner|vaknar|puster|pustar)|(?:svarer|svarar|reagerer|reagerar) (?:ikke|ikkje) når (?:vi|jeg|eg) "
        r"(?:rop\w+|rist\w+|snakk\w+|prat\w+)|(?:not|isn't|doesn't) (?:respond\w*|react\w*) (?:when|to me|to my|and)",
        r"(?:sitter|sit|ligger|ligg|er|is|are) (?:\w+ )?(?:fastklemt|innklemt|fastklemd|pinned)|bil\w* (?:\w+ "
        r")?(?:ligger|ligg) på taket|car (?:has |is )?(?:flipped|rolled over|overturned|upside)|(?:lips|tongue|"
        r"face) (?:is |are |feels? |has )*(?:numb|swell\w*|swollen)",
        r"<who> (?:er|ligger|ligg|is|lies|seems) (?:\w+ )?(?:bevisstløs|medvitslaus|medvetslaus|livløs|livlaus|"
        r"unconscious|unresponsive)",
        r"(?:does not|doesn'?t|do not|won'?t|will not|is hard to|hard to|can'?t|cannot) wake|(?:våkner|vaknar) "
        r"(?:ikke|ikkje)(?! til)|får (?:\w+ )?(?:ikke|ikkje) (?:liv i|vekt|vekket|vekkja|vekke|kontakt med) (?:han|ham|"
        r"henne|hun|ho|{near})",
        r"(?:falt|fall|ramlet|ramla|datt) (?:\w+ )?om(?! natt)\b ~(?:på|og|i|heime|hjemme|nå|no)|(?:besvimte|svimte "
        r"av|kollapset|kollapsa) (?:nettopp|akkurat|nå|no|og|på|i)|<who> (?:has )?(?:just )?(?:collapsed|passed out|"
        r"blacked out)",
        r"(?:har|has|have|having|får|fått|got|kjenner|kjenn) ~(?:vondt|vont|smerter?|verk|trykk|press|pain|"
        r"pressure)(?: \w+){0,2} (?:i|over|in) (?:\w+ )?(?:brystet|bringa|chest)|(?:har|has|have|having|getting) "
        r"(?:\w+ )?(?:brystsmerter?|chest pains?)",
        r"(?:heng|henger|hanging) i (?:\w+ )?(?:munnvik\w*|ansikt\w*|andlet\w*)|skjev i (?:munnen|ansiktet|andletet|"
        r"fjeset)|(?:snakker|snakkar|prater|pratar) (?:utydelig|utydeleg|uforståelig|tull\w*|snøvl\w*)|face is "
        r"(?:\w+ )?droop\w*|(?:speech is|is|are) slurr\w+|slurr\w+ speech",
        r"(?:blør|bløder|blødar|bleeding|bleeds) (?:mye|mykje|kraftig|fra|frå|så|fælt|veldig|a lot|heavily|badly|"
        r"from)|slutter ikke å blø|sluttar ikkje å blø|(?:won'?t|does ?n.t|not) stop bleeding|so much blood|blod "
        r"overalt",
        r"(?:får|holder på å få|held på å få|having|has) (?:nå |no |et |eit |a )*(?:hjerteinfarkt|hjarteinfarkt|"
        r"hjerneslag|krampe(?:r|anfall)?|heart attack|stroke|seizure|fit) ?(?:nå|no|right now|now|og|and)?(?! "
        r"(?:two|three|last|for))(?=[,.!?]|$| (?:nå|no|now|right|og|and))",
        r"(?:føder|fødar|fødes) (?:nå|no|i bilen|snart)|(?:vannet|vatnet) (?:har gått|gikk|gjekk)|giving birth "
        r"(?:now|in the)|in labou?r (?:now|and|right)|water (?:has |just )+broke\w*",
        r"hovn(?:er|ar) opp ~(?:halsen|ansiktet|andletet|munnen|tunga)|(?:throat|tongue|face) is (?:swelling|"
        r"closing)|(?:har|får|having|has) (?:\w+ )?(?:allergisk sjokk|anafylak\w+|anaphyla\w+)",
        r"(?:(?<!som\s)(?:drukner|druknar)(?! (?:vi|jeg|eg|me) )(?! (?:\w+ )?i (?!vann|vatn|sjø|elv|"
        r"basseng))|er i ferd med å drukne|is drowning|"
        r"are drowning)|(?:gått|gikk|gjekk|fell|went|gone) (?:gjennom|igjennom|through) (?:isen|the ice)|(?:falt|"
        r"fell|fallen) (?:i|uti|into) ~(?:elva|sjøen|vannet|river|lake|sea)",
        r"(?:satt|sett|fått) (?:\w+ )?(?:fast )?(?:noe|noko|mat\w*|en \w+) i halsen|<who> is choking",
        r"(?:bitt|biten|bitten|bit) (?:av|by) (?:\w+ )?(?:hoggorm\w*|huggorm\w*|slange\w*|snake|adder|viper)",
        r"(?:sitter|sit|er|is|are) (?:fast|fastklemt|innklemt|trapped|stuck) (?:i|in|under) (?:\w+ )?(?:bilen|"
        r"bilvraket|car|wreck)",
        r"(?:har|have|has) (?:\w+ )?(?:feber|fever) (?:og|and) (?:stiv nakke|stiff neck)|nakkestiv|overdose\w*(?! "
        r"(?:av|of) (?:info|inform))(?: (?:og|nå|no|and|now)|,|$)|(?:tatt|teke|satt|sett|took|taken) (?:en |ei |an "
        r")?overdose|overdosed|har satt overdose",
    ),
    Danger.POISON: (
        r"(?:<eaten>) ~<toxic>(?! (?:hver dag|kvar dag|every day|på resept))",
        r"(?:drakk|drukket|drukke|drank) (?:av|from|out of) ~<toxic>",
        r"(?:spist|ete|eaten|ate) (?:en |ein |ei |a )?(?:ukjent|giftig|feil|wild|unknown|strange) (?:sopp|bær|"
        r"plante|mushrooms?|berr\w+|plant)",
        r"<taken> (?:\w+ ){0,5}<many> (?:\w+ ){0,4}<pills>(?!.*(?:wheel|driv|kjør|køyr))|(?:tatt|teke|took|taken) "
        r"(?:en |ei |an )?overdose|<taken> <pills> og ~(?:ligger|ligg|sover|våkner)",
        r"(?:tatt|teke|sett|satt) (?:en |ei )?overdose|overdosed|(?:bitt|biten|bitten) (?:av|by) (?:\w+ "
        r")?(?:hoggorm\w*|huggorm\w*|snake|adder)",
    ),
    Danger.ATTACK: (
        r"<hits> (?:(?!for|til|med|på|i|av|hos|at)\w+ )?<them>(?! (?:ned|på|i hjel med|at|sammen))",
        r"<mine> (?:har |has |have )?(?:(?!aldri|ikke|ikkje|never|not)[^\W_][\w'-]* ){0,6}<hit> (?:(?!for|til|med|"
        r"på|i|av|hos|at|ned)\w+ )?<them>(?! (?:ned|ut|out|bort|opp til|with|som|og barna ut))",
        r"(?:han|hun|ho|he|she) (?:har |has |have )?(?:(?!aldri|ikke|ikkje|never|not)\w+ ){0,2}<hit> <them>(?! "
        r"(?:ned|ut|out|bort|with|som|en|ei|ein|et|a|the|i (?:retten|sjakk|tennis|golf|spill\w*)|in court))",
        r"(?:truer|trugar|truar|truet|trua|threat\w+) (?:\w+ ){0,2}(?:med å|to) (?:\w+ )?(?:brenne|brenn|burn|skade|"
        r"hurt|harm|slå|banke|beat|kidnap\w*|ta barna og)",
        r"(?:har |has )?(?:kommet|kome|kom|brutt|broke|broken|tatt|teke) (?:seg )?(?:inn|in)\b.*(?:fortsatt|"
        r"fortsett|ennå|enno|still|inne nå|inne no|nekt\w+ å gå|won't leave|refus\w+ to leave)",
        r"<hit> (?:\w+ )?<them>.{0,40}\b<now>|<now>.{0,40}\b<hit> (?:\w+ )?<them>",
        r"(?:tok|tatt|tar|tek|teke) (?:kvelertak|strupetak|halsgrep) ~<them>|hands a?round (?:my|her) (?:throat|"
        r"neck)",
        r"(?:bankar|banker|slår) (?:\w+ ){1,3}(?:opp|gul\w* og blå\w*|helseløs)",
        r"(?:is|are|keeps?|was|been|started|'s) (?:\w+ )?<hitting> (?:\w+ )?<them>|(?:am|being|get|getting|gets|is) "
        r"(?:\w+ )?(?:beaten|abused|hit|strangled) (?:up )?(?:by|at home|every)",
        r"(?:jeg|eg|vi|hun|ho|<near>(?: \w+)?) (?:blir|vert|er) (?:\w+ )?(?:slått|slegen|slegne|mishandlet|"
        r"mishandla|banket|banka|utsatt for vold|utsett for vald)(?! (?:sammen|konkurs|ned|fast|opp|saman))",
        r"(?:får|fekk|fikk) (?:\w+ )?(?:juling|bank|deng)\b ~(?:av|hjemme|heime|når)",
        r"<near>(?: min| mi| mitt| hennes| hennar)? (?:er|blir|vert|is|gets|becomes) (?:\w+ )?(?:voldelig|valdeleg|"
        r"violent) (?:mot|når|hver|kvar|with|towards?|when|every|og|and)",
        r"(?:har|med|with|and) (?:en |ei |ein |a )?<weapon> ~(?:utenfor|utanfor|outside|mot|nå|no|og skal|against)",
        r"(?:låst|locked) ~(?:inne|in|inside)\b ~(?:og|and) ~<weapon>",
        r"(?:truer|trugar|truar|trua|truet|threatens?|threatened|threatening) (?:\w+ )?<them>? ?~(?:med|with|to|på) "
        r"~(?:livet|<weapon>|<kill> (?:<them>|<self>))",
        r"(?:skal|vil|kommer til å|kjem til å|will|going to|gonna|wants to|å|to|'ll) <kill> (?:<them>)|(?:dreper|"
        r"drep|skyt|skyter) (?:meg|oss|ungene|ungane|barna)",
        r"(?:sendt|sender|send|sent|sends) ~(?:bilde|bilete|picture|photo) ~<weapon>",
        r"(?:får|fått|fekk|fikk|sender|sendt|send|sends|sent|get|got|getting|receiv\w+) ~(?:drapstrus\w+|"
        r"dødstrus\w+|drapstrug\w+|trusler på livet|truslar på livet|death threats?)",
        r"(?:står|er|is|are|'s|standing|stands) (?:han |hun |ho |rett |right )*(?:utenfor|utanfor|outside) ~(?:døra|"
        r"døren|vinduet|vindauget|huset|leiligheten|soverommet|door|window|house|flat|apartment)\b.*(?:<weapon>|"
        r"bank\w+|rop\w+|skrik\w+|hamr\w+|nå|no|now|scream\w*|shout\w*|bang\w*|leave|slippe)",
        r"(?:noen|nokon|en mann|ein mann|en fremmed|ein framand|someone|somebody|a man|a stranger|eksen|en "
        r"innbruddstyv|burglars?|they|han|he|de|dei)(?: mann| man| min)? (?:(?!som|who)\w+ ){0,3}(?:bryter seg inn|"
        r"bryt seg inn|(?:bryte|kome|komme|ta|kom) seg inn|dra opp døra|er inne i (?:huset|leilig\w+)|is (?:in|"
        r"inside) (?:my|the|our) (?:house|flat|apartment|home|garden shed)|(?:breaking|break|get|getting) (?:in|"
        r"into) (?:my|our|the)|breaking in\b|break down (?:my|the) door)",
        r"(?:hører|høyrer|hear) (?:\w+ )?(?:hun|henne|ho|dem|dei|them|her|ungene|barna|barn|kids|naboen)? "
        r"?(?:skrike|skrik|skriker|scream\w*) ~(?:gjennom|hjelp|om hjelp|help|through|for help)",
        r"(?:var|vore|vært) (?:borte|vekk|forsvunne?t?|savnet|sakna) (?:\w+ ){0,6}(?:sidan|siden) (?:i går|i natt|i "
        r"dag|i kveld|i morges|i morgon)|(?:kom|kommet|kome) (?:aldri |ikke |ikkje )(?:hjem|heim) (?:i natt|i går|i "
        r"kveld|i dag|fra skolen|frå skulen)|(?:vært|vore) borte (?:\w+ ){0,6}(?:i går|i natt)",
        r"(?:has been |is |gone |went )(?:missing|gone) (?:\w+ ){0,4}(?:since|last night|yesterday|hours)|"
        r"(?:didn'?t|did not|hasn'?t|has not|never) c[oa]me home (?:last night|since|from school|tonight)",
        r"<taken> (?:\w+ ){0,2}(?:ungene|ungane|barna|borna|barnet|kids|children)\b.*(?:drukke|drukket|rusa|ruset|"
        r"full\b|aldri (?:skal )?(?:sjå|se|får)|drunk|never see|kidnap|skade dei|skade dem|hurt them)",
        r"(?:kjører|køyrer|is driving|kjører rundt) ~(?:full|fulle|drita|rusa|ruset|drunk)\b.* ?(?:akkurat nå|nå|no|"
        r"now)",
        r"(?:baby(?:en)?|barn(?:et)?|unge|toddler|child|kid) ~(?:låst inne|innelåst|alene|åleine|aleine|locked|"
        r"alone|left) ~(?:i|in) ~(?:bil|bilen|car)",
        r"(?:på|on|over|utenfor|utanfor) (?:the )?(?:rekkverket|railing|ledge|brukanten)(?! (?:i|på|til|er))|"
        r"(?:hoppe|jump|hoppar|hopper|jumping) (?:fra|frå|utfor|off|from) ~(?:brua|broa|taket|bridge|roof|"
        r"balkong\w*|balcony|building)",
        r"skutt (?:på|mot) (?:oss|meg)|skyter (?:rundt|på folk)|(?:someone|somebody|a man|he|they) (?:is|are) "
        r"shooting (?:at|in|people)|knivstukket (?:nå|nettopp)|been (?:shot|stabbed)",
    ),
    Danger.INJURED: (
        r"kvelertak|strupetak|halsgrep|kvelte (?:meg|henne)|strangled (?:me|her)|chok(?:ed|ing) (?:me|her)|(?:my|"
        r"her) throat|hands (?:a?round) (?:my|her) (?:throat|neck)|blør|bløder|knivst\w+|been (?:shot|stabbed)|"
        r"stabbed (?:me|her|him)|(?:car|bil\w*) crash|kjørt av ve[ig]en|køyrt av vegen|kjørte utfor",
    ),
    Danger.RAPE: (
        r"<rapes> (?:\w+ )?<them>|(?:forgriper|forgrip|forgrepet|forgripe) seg på (?:<them>|meg|datter\w*|sønn\w*)",
        r"(?:jeg|eg|<near>(?: min| mi)?|hun|ho) (?:har |er |blir |vert )?(?:ble|blei|blitt|vart|vorte|er|blir)?(?: "
        r"\w+)? ?(?:voldtatt|valdteken|valdteke|valdtatt|voldteken)\b|(?:voldtok|valdtok) <them>|(?:was|been|got|"
        r"being) (?:\w+ )?(?:raped|drugged and|sexually assaulted)|raped me|forced himself on me",
    ),
    Danger.PARTNER: (
        r"(?:tok|tatt|tar|tek|teke) (?:kvelertak|strupetak|halsgrep) ~(?:meg|henne)|hands a?round (?:my|her) "
        r"(?:throat|neck)",
        r"(?:strangle[sd]|choked|choking|kvelte|kveler|kvel) (?:me|her|meg|henne)",
    ),
    Danger.CAPTIVITY: (
        r"(?:låst|låser|stengt|stenger|sperret|sperra|sperrer) (?:meg|oss|henne|ho) (?:\w+ )?(?:inne|fast)|(?:held|"
        r"holder|blir holdt|vert halden|halde) (?:meg |oss |henne )?(?:fanget|fanga|innesperret|innesperra|"
        r"innestengd|innestengt)",
        r"(?:holdt|halden|holder|held|halde) (?:\w+ )?(?:innelåst|innestengd|innestengt|fanget|fanga)|(?:do not|"
        r"don't|does not|doesn't|not) let (?:me|us) (?:leave|out|go)|not allowed to leave the (?:house|flat|farm)",
        r"(?:keeping|keeps|keep|kept) (?:me|us) (?:locked|captive|prisoner)",
        r"(?:låser|har låst) (?:døra|døren) ~(?:og|så|kvar|hver|når|tar|tek)|(?:locks?|locked|keeps) (?:me|us|the "
        r"door)(?: in\b| inside| locked| captive| prisoner| and (?:says|won'?t|will)|,)",
        r"(?:lar|let|lèt|lèt|slepper|slipper) (?:meg|oss) ikk?j?e (?:få )?(?:\w+ )?(?:ut|gå|dra|reise|forlate|"
        r"komme)|won'?t let (?:me|us) (?:leave|out|go)|held (?:captive|against)|(?:får|slipper|slepp) ikk?j?e "
        r"(?:lov til å )?(?:gå |komme |kome )?ut av (?:huset|leilig\w+|rommet|hytta)",
        r"<taken> (?:\w+ ){0,2}(?:passet (?:mitt|vårt)|pass[ae]n?e? våre|(?:my|our) passports?).*(?:gift|marry|jobb|"
        r"arbeid|work|pay|betal|løn|hjemland|heimland|leave|forlate|ut\b|abroad)",
        r"(?:tvinger|tvingar|tvinges|tvungen|tvunget|forces?|forced|forcing) (?:meg|oss|me|us|søsteren min|syster "
        r"mi|my \w+) (?:til å|til|to|into) (?:gifte|gift|jobbe|arbeide|selge|selje|ha sex|prosti\w+|marry|marriage|"
        r"work|sell|have sex|prosti\w+)",
        r"gifte (?:meg|henne|ho|søsteren min|syster mi) bort|gifte meg (?:\w+ )?(?:mot|neste|med en jeg ikke|med "
        r"ein eg ikkje)|marry me off|(?:sende|send|sender|sending|send) (?:meg|me|søsteren min|syster mi|my \w+) "
        r"(?:\w+ )?(?:til|to|back) ~(?:for å gifte|og gifte|to marry|to be married|to get married|for å bli gift|"
        r"omskj\w+|circumcis\w+|cut)",
        r"(?:omskjære|kjønnslemleste|circumcise) (?:meg|datter\w*|søster\w*|syster\w*|dotter\w*|her|my)",
        r"(?:jeg|eg|vi) (?:er|har blitt|vart|ble) (?:solgt|seld|lurt hit|offer for menneskehandel)|sold me to|i "
        r"(?:am|was|have been) (?:being )?traffick\w+",
    ),
    Danger.CHILD: (
        r"(?:kommer|kjem|kom|comes|came) (?:\w+ )?(?:inn )?(?:på|til|into|in) (?:rommet mitt|senga mi|my (?:room|"
        r"bed)) (?:\w+ )?(?:om natt\w*|når eg søv|når jeg sover|at night|when i sleep)",
        r"<elder>(?: min| mi)? (?:tar|tek|tok|tafser|tafsar|klår) (?:på|borti) (?:meg|datter\w+|dotter\w*)(?! "
        r"(?:\w+ ){0,2}(?:klær|kle|ansvar|skyld|jakk|sko|oppdrag|jobb))|(?:<elder>(?: is)?) (?:touches|touched|"
        r"touching|fondles|gropes) (?:me|my (?:daughter|son|child|sister))(?: (?:when|where|down|at|in|there)|"
        r"[.,!?]|$)",
        r"<rapes> ~(?:barn\w*|datter\w*|dotter\w*|sønn\w*|unge\w*|søster\w*|child\w*|daughter|son|sister|kids?)|"
        r"(?:is|been|being) (?:\w+ )?(?:abused|molested|abusing|molesting) (?:by|my|his|her|the)",
        r"(?:vil|prøver|truer|press\w+|wants?|threat\w+) ~(?:nakenbilde\w*|nudes|naken\w*) ",
    ),
    Danger.SUICIDE: (
        r"(?:vil|orker|orkar|klarer|klarar|gidder|gidd|ønsker|ønskjer|makter|maktar) (?:ikke|ikkje) (?:å )?(?:leve|"
        r"live)\b(?! (?:på|av|sammen|saman))|(?:do ?n.t|do not|can'?t|cannot|no longer|"
        r"not) (?:\w+ )?(?:want to |wanna |go on |keep )?(?:live|"
        r"living|be alive|exist|wake up) (?:anymore|any more|any longer|like this)|(?:don'?t|do not|no longer) want "
        r"to (?:live|be alive|be here|exist|wake up)",
        r"(?:vil|ønsker å|ønskjer å|lyst til å|lyst å|tenkt å) (?:bare |berre )?dø\b(?! (?:hjemme|heime|naturl\w+|i "
        r"eget|med verdig\w+))|(?:sleppe|slippe) å leve|skulle ønske (?:at )?(?:jeg|eg) (?:var|ikke|ikkje) (?:død|"
        r"levde|lever|fantes)|vil (?:ikke|ikkje) våkne|vil (?:ikke|ikkje) vakne",
        r"(?:want|wants|wanted|wish) (?:to die\b(?! (?:at home|in peace|natur))|i (?:was|were) dead|(?:he|she) "
        r"(?:was|were) dead)|better off (?:dead|without me)|bedre uten meg|betre utan meg|no (?:reason|point)(?: "
        r"in)? (?:to live|living)|ingen (?:vits|grunn) (?:i|til) å leve|ikke verdt å leve|ikkje verdt å leve",
        r"<ends> (?:\w+ )?(?:ta (?:\w+ )?livet|ta livet (?:sitt|mitt|av (?:meg|seg|ho|henne))|ta (?:sitt|mitt) eget "
        r"liv|begå (?:selvmord|sjølvmord)|kill(?:ing)? <self>|end(?:ing)? (?:my|his|her|their) (?:own )?life|end it "
        r"all|take (?:my|his|her|their) (?:own )?li(?:fe|ves)|commit(?:ting)? suicide|hurt <self>|(?:skyte|skyta|"
        r"henge|hengje) (?:seg|meg)|(?:gjøre|gjere|gjør) (?:det )?slutt på (?:livet|alt|det hele)|hang <self>|shoot "
        r"<self>|(?:hoppe|jump) (?:fra|frå|utfor|off|from) ~(?:bru\w*|broa|tak\w*|balkong\w*|bridge|roof|balcony|"
        r"building)|avslutte livet|suicide|taking my (?:own )?life)",
        r"(?:skal|vil|kommer til å|kjem til å|tenkt å) ta livet (?:sitt|mitt|av (?:meg|seg))|(?:tar|tek) (?:jeg |eg "
        r"|han |hun |ho )?livet (?:mitt|av meg)|(?:tok|ta) farvel med livet",
        r"(?:jeg|eg|i|<near>(?: \w+)?|hun|ho|han|he|she)(?:'m| er| is| am| har| have| has| feel)? "
        r"~(?:selvmordstank\w+|sjølvmordstank\w+|suicidal)",
        r"(?:på|on|over|utenfor|utanfor) (?:the )?(?:rekkverket|railing|ledge) (?:på|of|til|i) (?:the )?(?:bru\w*|"
        r"bro\w*|bridge)",
        r"prøv(?:de|d) å (?:ta livet|henge) (?:av seg|seg)|tried to (?:kill|hang) <self>",
    ),
    Danger.SELF_HARM: (
        r"(?:skåret|skore|kuttet|kutta|skjært|skjærer|kutter|kuttar|risper|rispar|skader|skadar) (?:opp )?(?:meg|"
        r"seg) (?:selv|sjølv)|(?:cutting|harming|hurting|burning|cut|harm|hurt) (?:my|him|her)self (?:again|on "
        r"purpose|every|because|when i|to|and)|(?:skåret|skore|kuttet|kutta) meg(?! (?:på|av|i |under|mens|da|med))|"
        r"(?:cutting|harming) myself",
    ),
    Danger.LEAVING: (
        r"(?:goodbye|farewell) (?:message|letter|note|text)|suicide note|avskj?e?[di]?d?sbrev|avskilsbrev|"
        r"(?:avskjeds|farvel|avskils)melding|(?:sagt|sa|skrevet|skreve|said) (?:farvel|goodbye) (?:og|and|til alle|"
        r"to everyone)",
    ),
}
"""What is written of each danger. Who is hurt and by whom is decided in `emergencies`."""


@cache
def patterns(danger: Danger) -> tuple[re.Pattern[str], ...]:
    """Return the patterns of a danger, compiled."""
    return tuple(map(compiled, _PATTERNS[danger]))
