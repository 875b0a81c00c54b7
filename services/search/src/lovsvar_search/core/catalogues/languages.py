"""How the languages of catalogues are read: stems, stop words, compounds, and the words of asking."""

from collections.abc import Mapping
from functools import lru_cache

from lovsvar_search.core.retrieval.analysis import Analyzer, Compounds

_ASKING: Mapping[str, str] = {
    "nl": """
        aan aanbieden al als ben bent bestaan bestaat beter bieden biedt bij bijvoorbeeld dat de deze die dit
        doe doen door een eens eigenlijk en er ga gaan gaat geen goed goede graag had heb hebben hebt heeft
        helpen helpt het hij hoe hulp hulpmiddel hun iemand iets ik is jullie kan kun kunnen maar mag maken me
        mee meer mij mijn moet moeten mogelijk na naar nodig nu of om ons onze ook op over product producten
        snel soms steeds te tegen teveel tijdens toch tot traject u uit uw vaak van vanwege veel via vind vinden
        voor waar waardoor waarom wanneer want wat we weer wegens wel welk welke wie wij wil willen word worden
        wordt ze zij zijn zo zoek zoeken zonder zou
    """,
    "nb": """
        at av bli blir bruke da de deg dem den denne der det dette din disse du en er et ett etter finnes for
        fra få får gi gir gjør gjøre gå går ha han har hei hjelp hjelpe hjelper hos hun hva hvem hver hvilke
        hvilken hvilket hvis hvor hvordan hvorfor i ikke ingen jeg kan komme kommer kunne man med meg men mer
        min mine mitt mot må nei noe noen når og om opp oss over på seg selv si sier sin skal skulle som så ta
        tar til tilbud trenger under ut uten ved vet vi vil ville vite vår vårt være vært ønsker
    """,
    "nn": """
        at av bli blir bruke deg dei den denne der desse det dette din du då eg ei ein eit er etter finst for
        frå få får gi gir gjer gjere gå går ha han har hei hjelp hjelpe hjelper ho hos i ikkje ingen kan kjem
        komme korleis kunne kva kvar kven kvifor med meg meir men min mine mitt mot må nei noko nokon når og om
        opp oss over på seg seier sin sjølv skal skulle som så ta tek til tilbod treng under ut utan ved veit
        vere vi vil ville viss vite vore vår vårt ønskjer
    """,
    "en": """
        a about am an and any anyone are at be because been but by can could did do does find for from get give
        go good has have help helps how i if in is it like looking me my need needs of offer offers on or our
        out please product products should so some someone something that the their them there they this to us
        use want was we what when where which who why will with would you your
    """,
    "de": """
        aber als am an auf aus bei bin bitte brauche brauchen da das dass dem den der des die dir du ein eine
        einem einen einer er es etwas für gibt gut habe haben hat helfen hilfe hilft ich ihr im in ist jemand
        kann können könnte machen man mehr mein meine meinem meinen mich mir mit muss nach nicht oder produkt
        produkte sehr sich sie sind so suche suchen tun um und uns unser unsere vom von vor wann war warum was
        wegen welche welcher welches wenn wer werden wie will wir wird wo würde zu zum zur über
    """,
    "fr": """
        a ai aide aider au aux avec avez avoir avons besoin bien ce ces cette cherche chercher comment dans de
        des du elle elles en est et faire fait faut il ils j je l la le les leur leurs ma mais me mes moi mon ne
        nos notre nous on ou où par pas peut peux plus pour pourquoi produit produits qu quand que quel quelle
        quelles quels qui quoi sa sans se ses si son sont sur ta te tes toi ton trop trouver tu un une vos votre
        vous être
    """,
    "sv": """
        att av behöver bli blir bra de den det detta dig din du där då e efter eller en ett finns från få får
        för ge gör göra ha han har hej hitta hjälp hjälpa hjälper hon hos hur i inte jag kan kunna man med men
        mer mig min mina mitt måste ni nog när någon något några och om oss produkt produkter på sin ska skulle
        som så söker ta till under upp ut utan vad var vara varför vem vet vi vid vilka vilken vilket vill vår
        vårt är över
    """,
    "da": """
        af at behøver blive bliver bruge da de dem den denne der deres det dette dig din du efter eller en er et
        finde findes for fordi fra få får give godt gør gøre ha han har have hej hjælp hjælpe hjælper hos hun
        hvad hvem hver hvilke hvilken hvilket hvis hvor hvordan hvorfor i ikke ingen jeg kan kunne man med meget
        men mere mig min mine mit mod må nogen noget nogle når og om op os over produkt produkter på sig sin
        skal skulle som så søger tage til ud uden under ved vi vil ville vores være
    """,
}
"""Words that are frequent in questions to a catalogue and say nothing of what is asked for."""

_NO_PARTS: Mapping[str, str] = {
    "nl": """
        aan achter alle anders ant baar bare beter bij binnen boven buiten dat den der deze dig dit door een eer
        eren erg ert gen ger haar heid hen her heren hier ige ing ingen isch kan ken ker lei lijk lijke maar
        mede met mis naar niet ning nog ont ooit ook over pen ren ring ringen rond sen sten ster straks tegen
        teit tel ten ter tot trek tussen uit vaak van ven ver verder voor waar wel wil zaam zame zonder
    """,
    "nb": """
        anti bort elser ende eren erne etter fore forut fram frem gjennom heten heter hver igjen imot inger inne
        innen inter lighet mange mellom ment messig mindre mist mot ned ning ninger opp over ring sans selv serv
        skap tilbake under uten vare visning
    """,
    "de": "aber alle anti auch auf aus bar bei beim durch eine einer erst ge gegen heit keit lich mit nach ober sich "
    "schaft über ung ungen unter ver vor wieder zer zurück",
    "sv": """
        anti bort efter emot fram före genom het heten inne inom inter mellan ning ningen ningar ner över skap
        under upp utan ute
    """,
    "da": """
        anti bort efter fore forud frem gennem hed heden igen inden inter mellem ning ninger ned opad over selv
        skab under uden ude
    """,
}
"""What begins or ends many words by chance."""

_LINKS: Mapping[str, tuple[str, ...]] = {
    "nl": ("", "s", "en", "n", "e"),
    "nb": ("", "s", "e"),
    "de": ("", "s", "es", "n", "en", "er", "e"),
    "sv": ("", "s"),
    "da": ("", "s", "e"),
}

_SNOWBALL: Mapping[str, str] = {
    "nl": "dutch",
    "nb": "norwegian",
    "nn": "norwegian",
    "en": "english",
    "de": "german",
    "fr": "french",
    "sv": "swedish",
    "da": "danish",
}

_JOINED_LIKE: Mapping[str, str] = {"nn": "nb"}
"""Languages whose words are joined as those of another."""

SHORTEST_PART: Mapping[str, int] = {"nl": 3}
"""Letters of a part, where it is not four: rug, nek."""

LANGUAGES = tuple(_SNOWBALL)
"""The languages that a catalogue may be in."""


@lru_cache
def analyzer_of(language: str) -> Analyzer:
    """Return how texts of `language` are read, in items and in queries. Raises `KeyError` for one that is not known.

    A catalogue is small next to the law: a part of a compound needs but one item that uses it by itself.
    """
    joined = _JOINED_LIKE.get(language, language)
    compounds = (
        Compounds(
            _LINKS[joined],
            frozenset(_NO_PARTS[joined].split()),
            shortest=SHORTEST_PART.get(joined, 4),
            common=1,
            known=1,
            rare=10_000,
        )
        if joined in _LINKS
        else None
    )
    return Analyzer(
        _SNOWBALL[language],
        # Norwegian is stemmed twice, as for the law: once makes utleieren and utleier two words.
        stemmings=2 if _SNOWBALL[language] == "norwegian" else 1,
        asking=frozenset(_ASKING[language].split()),
        compounds=compounds,
    )
