"""Signs that together mean danger, in whatever words a clause puts them and in whatever order.

The patterns of `dangers` are of what people often write. A rule here needs several signs in one clause that states
something: who is meant, what is done or what fails, and to whom. What asks, supposes, or speaks of law and money states
nothing, and figures of speech ("slår fast", "kaster ut") are no signs. `danger_words` says how a pattern is written.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from lovsvar_agent.core.guidance.danger_words import PARTNER, compiled
from lovsvar_agent.core.guidance.dangers import Danger


@dataclass(frozen=True)
class Rule:
    """A danger that a clause states which has all the signs `needs`, and none of `unless`."""

    danger: Danger
    needs: tuple[str, ...]
    unless: tuple[str, ...] = ()


_SIGNS: Mapping[str, str] = {
    "person": r"jeg|eg|i|vi|we|han|hun|ho|he|she|de|dei|they|<near>|bonus(?:far|mor|pappa|mamma)\w*|storebror\w*|"
    r"lillebror\w*|storesøster\w*|lillesøster\w*|br(?:or|oder)en|jente(?:n|ne)?|mann|dame|kvinne|kvinna|kar(?:en)?|"
    r"fyr(?:en)?|gut|gutt|folk|noen|nokon|guy|man|woman|people|someone|somebody|stranger|\w*åring(?:en)?|gravide?n?|"
    r"passasjer\w*|familien|familie|naboene|driver|sjåfør\w*",
    "other": r"han|hun|ho|he|she|de|dei|they|<near>|bonus(?:far|mor|pappa|mamma)\w*|storebror\w*|br(?:or|oder)en|"
    r"familien|mann|dame|kar(?:en)?|fyr(?:en)?|typen|noen|nokon|guy|man|someone|somebody|stranger|forlov\w*|fianc\w+|"
    r"gjeng(?:en)?|family|eksen",
    "victim": r"meg|oss|me(?! (?:har|hadde|skal|skulle|er|var|vil|kan|må|ikkje|gifta|bur|kjem|fekk|ligg|to)\b)|us|"
    r"henne|folk|en annen|ein annan|(?<=\s)(?:mamma|mum|mom|ungene|ungane|barna|borna|babyen|barnet)|"
    r"(?<=\s)(?:(?:bror|syster|søster|datter|dotter|sønn|son|mor|kona|venn)\w* (?:min|mi|vår)|my \w+|our \w+|the "
    r"(?:kids|children))|(?:armen|håret|halsen|ansiktet|magen|hodet|hovudet) (?:min|mi|mitt)|(?:trusa|buksa|rumpa|"
    r"brystene|puppene) (?:mi|mine)",
    "violence": r"(?:begynt|byrja|begynner|byrjar|pleier|prøver|prøvde|freistar|started|starts|tries|trying) (?:å|to) "
    r"(?:\w+ og )?(?:\w+ )?(?:slå|sparke|dytte|kvele|klore|klype|lugge|dra|ta|bite|hit|kick|choke|grab|push|hurt)|"
    r"dunk\w*|rev|river|riv|drog|dro|dreg|drar|pulled|slams?|slammed|slår|slær|slo|slått|slegen|slegne|slege|banker|"
    r"bankar|banket|banka|banke|dengt|denger|dengjer|juling|deng|kvel(?:er|te|t|ar)?|kvalte?|sparker|sparkar|sparket|"
    r"sparka|spyttet|spytter|spyttar|lugger|luggar|lugget|lugga|dytter|dyttar|dyttet|dytta|skubber|skubbar|skubbet|"
    r"skubba|skaller|skallet|klorer|klorar|klorte|mishandl\w*|angriper|angrip|angrep|angrepet|overfalt|knivst\w*|"
    r"stukket|stukke|stakk|skutt|presser|pressar|presset|kaster|kastar|kastet|kasta|slenger|slengte|hev|vold|vald|"
    r"voldelig|valdeleg|løs på|laus på|hånd på|hand på|fysisk med|(?:kommer|kjem|coming) (?:etter|after)|(?:følger|"
    r"følgjer|following) (?:etter )?(?:meg|oss|me|us) (?:\w+ )?(?:hjem|heim|home|nå|no|now)|(?:he|she|they|who|just|"
    r"has|have|and|<near>) hit|hits|hitting|beats?|beating|beaten|punch\w*|kick\w*|slaps?|slapped|shov\w*|chok\w*|"
    r"strangl\w*|stab\w*|attack\w*|grabs?|grabbed|bites|burns|drags?|dragged|threw|throws|throwing|hurts?|hurting|"
    r"abus\w*|violen\w*|physical with|hands on|(?:rundt|i|om|på|around|by) (?:\w+ )?(?:halsen|strupen|nakken|throat|"
    r"neck)",
    "idiom": r"(?:slår|slo|slått|slær) (?:opp|fast|av|på|til|sammen|saman|rot|seg|an|for|plenen|gras\w*|(?:\w+ )?i "
    r"(?:retten|sjakk|tennis|golf|spill\w*|valg\w*)|\w+ (?:opp|fast|sammen|saman))|bank\w* på|(?:stakk|stukket|stukke|"
    r"stikker) (?:bare |berre |rett )?(?:av|uten|utan|fra|frå)|aldri|never|konkurs|sfo|facebook|instagram|snapchat|"
    r"linkedin|barnehage\w*|skole\w*|skule\w*|klasse\w*|medelev\w*|elev\w*|kindergarten|classmates?|(?:kaster|kastar|"
    r"kastet|kasta|throws?|threw|kicks?|kicked|kick) (?:\w+ ){0,3}(?:ut|out|bort|lys|søppel|tid)|slått (?:i|om)|hit "
    r"(?:by|my|our) (?:\w+ )?(?:car|fence|wall|boat)|(?:bilen|gjerdet|huset|båten) (?:min|mi|mitt|vår|vårt)|presser "
    r"(?:pris\w*|ned)|my (?:\w+ )?(?:car|job|money|deposit|rent|rights|feelings)",
    "threat": r"(?:drepe|drep|dreper|drepa|kverke|skyte|kill|murder|shoot|burn|brenne|gjøre ende på|gjere ende på|"
    r"end) (?:\w+ ){0,2}(?:meg|oss|henne|ham|barna|ungene|ungane|mamma|pappa|me|us|her|him|the (?:kids|children)|my "
    r"(?!job|business)\w+)|ta (?:meg|oss) av dage|(?:brenne ned|brenne opp|burn down) (?:\w+ )?(?:huset|leiligheten|"
    r"house|flat)",
    "captive": r"vi holdes|we are|vi blir|meg|oss|me(?! (?:har|hadde|skal|skulle|er|var|vil|kan|må|ikkje|gifta|bur|"
    r"kjem|fekk|ligg|to)\b)|us|henne|held her|locked her",
    "weapon": r"<weapon>|machete|kniven|øksa|øksen|pistolen|vaapen",
    "at": r"(?:etter|mot) (?:meg|oss|henne|han|ham|dem|dei)|utenfor|utanfor|på (?:trappa|trappen)|ved døra|outside|"
    r"(?:after|towards?|at|on) (?:me|us|her|my door)",
    "was hurt": r"(?:blitt|ble|blei|vart|vorte|been|got|was|er) (?:\w+ )?(?:stukket|stukke|knivstukket|knivstukken|"
    r"skutt|skoten|banket|banka|slått ned|slått|slegen|overfalt|stabbed|shot|beaten|strangled|kvalt)",
    "fear": r"redd|livredd|vettskremt|scared|afraid|terrified|frightened|gjemmer|gøymer|gjemt|gøymt|hiding|hide|tør "
    r"ikke|torer ikkje|låst meg|locked myself",
    "intrusion": r"<other> (?:\w+ ){0,3}(?:sparke|sparker|slå|slår|bryte|bryter|kick\w*|break\w*|dirker?|dirke) "
    r"(?:inn|opp|ned|in|down) (?:\w+ )?(?:døra|døren|vinduet|vindauget|door|window)|(?:noen|nokon|en mann|ein mann|"
    r"(?:fremmed|framand|ukjent|maskert|ruset|rusa)\w* (?:mann|mannen|person|kar)|someone|somebody|a man|strangers?|"
    r"intruders?|burglars?|innbruddstyv\w*|innbrotstjuv\w*|naboen|eksen|my ex) (?:\w+ ){0,4}?(?:inn\b|inne|i|in|into|"
    r"inside|vil inn|på (?:trappa|trappen))",
    "my home": r"døra mi|døren min|døra vår|vinduet mitt|(?:my|our|the) (?:door|window)|(?:i |in |into |inside |inn i "
    r"|inne i )?(?:huset|leiligheten|leilegheita|leilighet|hytta|gangen|soverommet|stua|kjelleren|hjemmet|heimen|hos "
    r"(?:meg|oss)|(?:my|our|the) (?:house|flat|apartment|home|bedroom|kitchen|basement|cellar|living room|hallway))|"
    r"på trappa|på trappen|vil inn",
    "invited": r"røyk\w*|lukt\w*|støy\w*|vann\w*|vatn\w*|som|leier|leiger|bor|bur|håndverker\w*|snekker\w*|"
    r"rørlegger\w*|kommune\w*|utleier\w*|huseier\w*|landlord|tenant|owner|workers?|from the|fra|frå|who|that|eier|eig|"
    r"katt\w*|mus|mugg|jobber|arbeider|selge\w*|parkert\w*|bilen|car|(?:går|came|come) inn i huset (?:når|whenever)",
    "fails": r"(?:fosser|spruter|renner) (?:\w+ )?(?:med )?blod|(?:not|isn\'t) (?:respond\w*|moving|conscious)|"
    r"(?:puster|pustar|våkner|vaknar|rører seg|rører på seg|rørar seg|beveger seg|bevegar seg) (?:\w+ )?(?:ikke|ikkje|"
    r"knapt)(?! (?:til|tidlig|tidleg|av|om))|(?:ligger|ligg|lies|lying|falt|fall|fell|når)[^.?!]{1,40}(?:svarer|"
    r"svarar|reagerer|reagerar) (?:ikke|ikkje)|(?:svarer|svarar|reagerer|reagerar) (?:ikke|ikkje) når (?:jeg|eg|vi) "
    r"(?:rist|rop|snakk)\w*|(?:får|fikk|fekk) (?:\w+ )?(?:ikke|ikkje|knapt) (?:til å )?(?:puste|pust|luft|pusten)|vil "
    r"(?:ikke|ikkje) (?:våkne|vakne)|bevisstløs|medvitslaus|livløs\w*|livlaus\w*|urørlig|urørleg|besvimt\w*|svimt\w* "
    r"av|falt om|falle om|falle om|ramla om|dotte om|kollaps\w*|segnet om|(?:falt|fall|fell|ramlet|ramla|datt|dotte) "
    r"(?:ned )?(?:fra|frå|ut av) (?:\w+ )?(?:tak\w*|stig\w*|balkong\w*|vindu\w*|vindauge\w*|stillas\w*|hest\w*|tre|"
    r"treet)|(?:fikk|fekk|får|har|having|had|having a) (?:\w+ ){0,3}(?:anfall|krampe\w*|kramper|seizures?|fits?)|"
    r"rister (?:\w+ )?(?:i hele|over hele|ukontrollert)|ristar i heile|skjelver ukontrollert|hovner (?:\w+ )?opp|"
    r"hovnar opp|hovna opp|hovnet opp|blør|blødd|bløder|blødar|slutter (?:\w+ )?å blø|blodet (?:spruter|renner|renn)|"
    r"(?:trykk|smerte\w*|vondt|vont|verk|press) (?:\w+ ){0,2}(?:i|over) (?:bryst\w*|bringa)|brystsmert\w*|stråler ut "
    r"i|lam(?:met|ma)? i (?:arm|bein|høgre|venstre|høyre|hele|den)\w*|skjev i|henger i|heng i|munnvik\w*|(?:snakker|"
    r"snakkar|prater|pratar) (?:\w+ )?(?:rart|merkelig|utydelig|utydeleg|uforståelig|uforståeleg|tull)|snøvl\w*|løfte "
    r"arm\w*|kaster opp blod|kastar opp blod|kveles|blå (?:i|på|rundt)|(?:slapp|blå) og (?:blå|slapp|kald)|helt "
    r"(?:\w+ )?(?:slapp|blå)|heilt (?:slapp|blå)|klam|(?:not|isn't|aren't|stopped|hardly|barely) breathing|(?:can't|"
    r"cannot|couldn't) breathe|unresponsive|unconscious|convuls\w*|collapsed|passed out|(?:won't|doesn't|can't|isn't) "
    r"(?:wake|respond\w*|react\w*|waking|responding|moving|move)|bleed\w*|chest pains?|pain in (?:\w+ )?chest|"
    r"pressure in (?:\w+ )?chest|swell(?:s|ing|en) (?:up|shut)|(?:face|throat|tongue|lips) (?:\w+ )?swell\w*|choking|"
    r"fell (?:off|from|out of) (?:\w+ ){0,2}(?:roof|ladder|balcony|window|horse|tree)|(?:gone|going|turned|turning|"
    r"is) (?:\w+ )?(?:blue|limp|floppy)|numb on|slurr\w*|droop\w*|drown\w*|(?:drukner|druknar)|kantr\w*|capsiz\w*|"
    r"(?:ligger|ligg|falt|fell|fall) (?:\w+ ){0,2}(?:i|uti) (?:vannet|vatnet|sjøen|elva|elven)|gjennom isen|i fødsel|"
    r"in labou?r|giving birth|(?:kjørt|køyrt|kjørte|køyrde) (?:utfor|av veien|av vegen)|(?:blitt|ble|blei|vart|been|"
    r"got|was) (?:påkjørt|påkøyrd|kjørt på|køyrd på|hit by a car)|hull i hodet|hol i hovudet|brukket nakken|(?:sitter|"
    r"sit|ligger|ligg|is|are) (?:fast|fastklemt|innklemt|klemt|pinned|trapped)",
    "not ill": r"(?:drukn\w*|drown\w*) (?:\w+ )?(?:i|in) (?!vann|vatn|sjø|elv|basseng|the|a)\w+|elg\w*|rådyr\w*|"
    r"hønse\w*|angst\w*|panikk\w*|sinne\w*|økonomi\w*|penger|lønn|avtale\w*|kontrakt\w*|abonnement\w*|kø|trafikk\w*|"
    r"søvn\w*|vippa|svarer ikke på (?:mail|brev|telefon|sms|henvendelse|klage|søknad)\w*|svarar ikkje på|(?:utleier|"
    r"selger|kunde|firma|selskap|kommune|butikk|bank|nav|sjef|arbeidsgiver|advokat)\w*|hund\w*|katt\w*|hest\w*|dogs?|"
    r"cats?|ferie\w*|i det offentlige",
    "swallows": r"<eaten>|tatt|teke|tok|tar|tek|took|taken|svelga|slikket|slikka|bitt i|spiser|drikker|drikk",
    "toxic": r"<toxic>|sopp|soppen|giftsopp\w*|bær|planta?|laundry pods?|pods?|tide|rengjøring\w*|rensemid\w*|"
    r"lightergass|snus\w*|\w*gift|kvikksølv|medisinen (?:til|min|hans)|(?:tablett|pille)\w* (?:til|min|mine|hans|"
    r"hennes|hennar)|<many> (?:\w+ ){0,3}<pills>|<many> (?:\w+ ){0,3}\w*(?:piller|pillar|pills)|paracet\w*|overdose\w*",
    "as food": r"butikk\w*|restaurant\w*|kjøpt|hver dag|kvar dag|every day|år|resept\w*|prescri\w*|foreskre\w*|store|"
    r"shop|mugg\w*|kjør\w*|køyr\w*|driv\w*|legen ga|med over",
    "fire": r"brenner|brenn|brann i|tok fyr|tatt fyr|teke fyr|i flammer|i flammar|i fyr|flammer|flammar|flames|kommer "
    r"(?:\w+ )?røyk|kjem (?:\w+ )?røyk|røyken (?:velter|kommer|kjem|veltar)|full(?:t)? av røyk|smoke (?:\w+ "
    r")?(?:coming|pouring|filling)|on fire|burning down|burning|caught fire|gasslukt\w*|gasslekkasje\w*|(?:lukter|"
    r"luktar|smell\w*) (?:\w+ )?(?:gass|gas|brent|svidd)",
    "tame fire": r"bål\w*|bråte\w*|ved|peis\w*|grill\w*|søppel|fyrer|fyrar|stearin\w*|halsbrann|for saken|garden|"
    r"trash|candle\w*|på (?:huden|huda)|øyne\w*|i øya|sigar\w*|fjor|peisen|bonfire|solen|sola|lyset|lyspær\w*|mangel|"
    r"tredje gang|hver gang|kvar gang",
    "wish": r"(?:på|in front of|on) (?:\w+ )?(?:togskinne\w*|skinnene|train tracks?|tracks)|vil (?:bare |berre "
    r")?(?:dø|døy|døe)|want\w* to die|wanna die|(?:aldri|ikke|ikkje|never) (?:våkne|vakne|våkna|wake)(?: \w+)?|"
    r"(?:ikke|ikkje|not|don't|ingen|inga|no|any) (?:\w+ ){0,3}(?:grunn|vits|mening|meining|point|reason) (?:\w+ "
    r"){0,3}(?:leve|live|living|livet|life)|forsvinne for (?:alltid|godt)|disappear forever|end it(?: all| tonight| "
    r"now)?|(?:gjøre|gjere|gjør) (?:det )?slutt på (?:det|alt|livet)|(?:hoppe|hopper|jump) (?:fra|frå|off|from|foran) "
    r"~(?:balkong\w*|bru\w*|tak\w*|tog\w*|bridge|roof|balcony|train)|(?:brua|broa|bridge|taket|roof|balkong\w*|"
    r"rekkverk\w*|railing|skinn\w*)[^.?!]{1,40}(?:hopp\w*|jump\w*)|ta (?:livet|overdose|en overdose|livet mitt)|take "
    r"(?:my|his|her) (?:own )?life|(?:skade|harm|hurt) <self>",
    "not life": r"(?:slutt på|end) (?:\w+ )?(?:forhold\w*|avtale\w*|kontrakt\w*|samarbeid\w*|leie\w*|tenancy|contract|"
    r"lease|relationship|marriage|ekteskap\w*|abonnement\w*|det med)|livet av (?!meg|seg|oss)\w+|hjemme|at home|"
    r"verdig|testament\w*",
    "cuts": r"(?:kutter|kuttar|kuttet|kutta|skjærer|skjer|skåret|skore|skar|risper|rispar|rispet|cut|cuts|cutting) "
    r"(?:opp )?(?:seg|meg|herself|himself|myself|themselves|my|his|her|their|armene|armane|mine|sine)",
    "where cut": r"arm\w*|lår\w*|håndledd\w*|handledd\w*|wrists?|thighs?|legs?|selv|sjølv|stygt|barberblad\w*|"
    r"razor\w*|cope|igjen|again",
    "touches": r"hånda|handa|hand|fingrene|stikker|putt\w*|(?:gni\w*|rub\w*|tar|tek|tok|tatt|teke|tafs\w*|klår\w*|"
    r"beføl\w*|kjenner|kjente|touch\w*|grop\w*|fondl\w*)",
    "private": r"pupp\w*|bryst(?:a|ene|et mitt)|rumpa|rompa|trusa|underlivet|nedentil|tissen|skrittet|mellom (?:beina|"
    r"bena|lårene)|breasts?|boobs?|private parts|down there|underwear|between my legs|under (?:my|the) \w+|under "
    r"(?:skjørtet|genseren|klærne|kleda)|inntil (?:meg|henne)|against (?:me|her)|under dyna|der (?:jeg|eg) (?:ikke|"
    r"ikkje) vil|where i (?:don't|do not) want|naken\w*|nudes?|kler av|undress\w*|ting (?:jeg|eg) (?:ikke|ikkje) vil|"
    r"touch him|things i don't",
    "sex": r"sex (?:med|with)|hadde sex|ligget med|lege med|lå med|forced himself|tok meg|oppå meg|trengte seg",
    "unwilling": r"sov|våkn\w*|vakn\w*|sa nei|ville (?:ikke|ikkje)|vil (?:ikke|ikkje)|mot min vilje|uten at|utan at|"
    r"tvang|tvunget|tvungen|dopet|dopa|drugg\w*|full|uten klær|utan klede|naken|asleep|woke|drunk|didn't want|said no|"
    r"forced|passed out|against my will|bedøv\w*|without clothes",
    "drugged": r"dopet|dopa|drugged|bedøvd|bedøvet|noe i drinken|noko i drinken|spiked",
    "by elder": r"<elder>|bonus(?:far|pappa)\w*|storebror\w*|naboen|sjef\w*|presten|imamen|legen|storebroren",
    "held": r"holdes|blir halde|blir holdt|være innelåst|fanget|fanga|innesperr\w*|innestengd|innestengt|innelåst|"
    r"låst|låser|locked|trapped|holder (?:meg|oss)|held (?:meg|oss)|keeps? (?:me|us)|kept (?:me|us)|lar (?:meg|oss) "
    r"(?:ikke|ikkje)|lèt (?:meg|oss) ikkje|lets? (?:me|us)|slipper (?:meg|oss) (?:ikke|ikkje)|(?:can't|cannot|kan "
    r"ikke|kan ikkje|får ikke|får ikkje) (?:leave|gå|dra|reise)",
    "where held": r"fabrikk\w*|factory|inne|ute i|kulda|kjeller\w*|rommet|hos (?:en|ein)|fast|gå|ut|leave|out|"
    r"basement|room|inside|outside|farm|house|uten mat|utan mat|mot min vilje|against my will",
    "enslaved": r"(?:som|as) (?:en |ein |a )?slaver?|slaves?|menneskehandel|traffick\w+",
    "no prison": r"barna|katten|hunden|se|sjå|seile|see the|see my|kids|children|kontrakt\w*|avtale\w*|contract|"
    r"jobb\w*|account|konto\w*|lønn\w*|penger|deposit\w*|bilen|bind\w*|abonnement\w*|utleier\w*|huseier\w*|landlord",
    "lost": r"(?:ikke|ikkje|not|n't) (?:kommet|kome|come) (?:hjem|heim|tilbake|home|back)|gått seg bort|gått seg vill|"
    r"gått seg vekk|forsvunnet|forsvunne|sporløst|savnet|sakna|missing|disappeared|wandered off|(?:borte|vekk|gone) "
    r"(?:\w+ ){0,3}(?:siden|sidan|since)|(?:kom|kommet|kome|come|came) (?:aldri|ikke|ikkje|never) (?:hjem|heim|"
    r"tilbake|home|back)",
    "who is lost": r"<near>|jente\w*|gutt\w*|gut(?:en)?|barn\w*|mann|kvinne|pasient\w*|tur\w*følge|girl|boy|turist\w*",
    "not lost": r"pakke\w*|penger|arv\w*|katt\w*|hund\w*|bagasje\w*|koffert\w*|dokument\w*|(?:fra|frå) (?:jobb|arbeid|"
    r"skol|skul)\w*|ferie",
    "shots": r"skyter|skyting|skudd|skutt (?:på|mot)|shooting|shots? fired|gunshots?|bombe|bomb|sprengt",
    "here": r"i gata|her|ute|utenfor|utanfor|i nabolaget|på skolen|på skulen|street|here|outside|nearby|school|rundt "
    r"oss|rett ved",
    "drives": r"(?:kjører|køyrer|kjørte|kjøre|driving|drives?)",
    "drunk": r"full|fulle|drita|ruset|rusa|beruset|drunk|wasted|high",
    "marries": r"(?:sende|sender|send|tvinge|tvinger|tvingar|gifte|gift|force|forcing|forces|sending|marry|omskjære|"
    r"omskjær\w*|circumcis\w*|kjønnslemlest\w*)",
    "to whom": r"(?:meg|me(?! (?:har|hadde|skal|skulle|er|var|vil|kan|må|ikkje|gifta|bur|kjem|fekk|ligg|to)\b)|henne|"
    r"(?:søster|syster|dotter|datter)\w* (?:min|mi|vår)|my sister|datter\w*|dotter\w*) (?:\w+ ){0,4}(?:gifte?|giftes|"
    r"marry|married|bort|omskj\w*|circumcis\w*|cut|fetter\w*|kusine\w*|cousin|tvangs\w*|somalia|pakistan|irak|"
    r"afghanistan)",
}

_LEGAL = (
    r"hvis|dersom|viss|if|in case|suppose|om (?:jeg|eg|man|det|noen|nokon)|når (?:noen|nokon|man|en|ein|jeg|eg)|"
    r"whenever someone|(?:er|is) (?:det|it) (?:lov|lovlig|ulovlig|straffbart|forbudt|legal|illegal|a crime|allowed)|"
    r"straff\w*|strafferamme\w*|forsikring\w*|erstatning\w*|insurance|compensation|penalty|sentence|sue|liable|"
    r"liability|ansvarlig|ansvaret|ansvar|paragraf\w*|loven|forskrift\w*|plikt\w*|duty|yrkesskade\w*|gebyr|"
    r"sakskostnad\w*|tilfelle|film\w*|bok\w*|bøker|spillet|drømm?t?e|dreamt"
)
_ASKS = (
    r"lov (?:å|til)|(?:og |and |men |but )?(?:kan|skal|må|får|har|er|bør|vil|tør|kjem|kommer|blir|finnes|finst|"
    r"gjelder|dekker|hva|kva|hvem|kven|hvor|kor|hvordan|korleis|hvorfor|kvifor|hvilke\w*|hvilket|når|can|could|may|"
    r"must|should|do|does|did|is|are|was|were|will|would|has|have|what|who|how|why|when|where|which)\b(?! (?:jeg|eg) "
    r"(?:akkurat|nettopp))"
)
_FOR_HELP = (
    r"(?:hva|kva) (?:skal|gjør|gjer|kan|bør|må) (?:jeg|eg|vi|man)|what (?:do|should|can) (?:i|we)|(?:hvem|kven|who) "
    r"(?:kan|skal|do|should|can) (?:jeg|eg|vi|i|we)|(?:kan|can) (?:noen|nokon|du|somebody|someone|you) (?:hjelpe|"
    r"hjelpa|help)"
)
_CLAIM = (
    r"forsikring\w*|erstat\w*|skadebot|insurance|compensat\w*|krev\w*|krav\w*|plikt\w*|ansvar\w*|kasko\w*|dekk(?:er|"
    r"jer)|covers?|yrkesskade\w*|skademeld\w*|produsent\w*|butikken|regning\w*|advokat\w*|lawyer\w*|tilsynet|"
    r"nakkesleng\w*|refund|liab\w*|duty|obligat\w*|meldeplikt\w*|varsle|må (?:jeg|eg|vi) (?:melde|bære)"
)
MAX_TOGETHER = 120
"""Letters in which signs of several clauses belong together."""

_CLAUSE = re.compile(r"[.?!,;:\n–]+")
_SENTENCE = re.compile(r"[.?!\n]+")

_RULES = (
    Rule(Danger.ATTACK, ("other", "violence", "victim"), ("idiom",)),
    Rule(Danger.ATTACK, ("other", "threat")),
    Rule(Danger.ATTACK, ("other", "violence", "fear"), ("idiom",)),
    Rule(Danger.ATTACK, ("person", "was hurt"), ("idiom",)),
    Rule(Danger.ATTACK, ("other", "weapon", "at")),
    Rule(Danger.ATTACK, ("other", "weapon", "fear")),
    Rule(Danger.ATTACK, ("intrusion", "my home"), ("invited",)),
    Rule(Danger.ATTACK, ("shots", "here")),
    Rule(Danger.ATTACK, ("other", "drives", "drunk", "victim")),
    Rule(Danger.ATTACK, ("who is lost", "lost"), ("not lost",)),
    Rule(Danger.ILLNESS, ("person", "fails"), ("not ill",)),
    Rule(Danger.POISON, ("person", "swallows", "toxic"), ("as food",)),
    Rule(Danger.FIRE, ("fire",), ("tame fire",)),
    Rule(Danger.SUICIDE, ("person", "wish"), ("not life",)),
    Rule(Danger.SELF_HARM, ("cuts", "where cut")),
    Rule(Danger.RAPE, ("other", "sex", "unwilling")),
    Rule(Danger.RAPE, ("person", "drugged", "unwilling")),
    Rule(Danger.RAPE, ("touches", "private", "victim")),
    Rule(Danger.CHILD, ("by elder", "private", "victim")),
    Rule(Danger.CAPTIVITY, ("person", "held", "where held", "captive"), ("no prison",)),
    Rule(Danger.CAPTIVITY, ("person", "enslaved")),
    Rule(Danger.CAPTIVITY, ("other", "marries", "to whom")),
)


def stated_dangers(text: str) -> Iterator[Danger]:
    """Yield the dangers that a clause of `text`, which is in lower case, states by signs that belong together.

    None of a text about claims and insurance: what it tells of is over.
    """
    if _has(_CLAIM, text) and not _has(PARTNER, text):
        return
    for sentence in _SENTENCE.split(text):
        stated = list(_stated(sentence))
        for clause in dict.fromkeys([*stated, " ".join(stated)[:MAX_TOGETHER]]):
            yield from (rule.danger for rule in _RULES if _holds(rule, clause))


def _stated(sentence: str) -> Iterator[str]:
    """Yield the clauses of a sentence that state something, up to one that asks for anything but help."""
    for clause in filter(None, map(str.strip, _CLAUSE.split(sentence))):
        if compiled(_ASKS).match(clause):
            if not compiled(_FOR_HELP).match(clause):
                return
        elif not _has(_LEGAL, clause):
            yield clause


def _holds(rule: Rule, clause: str) -> bool:
    return all(_has(_SIGNS[sign], clause) for sign in rule.needs) and not any(
        _has(_SIGNS[sign], clause) for sign in rule.unless
    )


def _has(sign: str, text: str) -> bool:
    return compiled(sign).search(text) is not None
