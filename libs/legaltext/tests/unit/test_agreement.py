"""Which sentences contradict the law that they are said to follow from, and which only say it otherwise."""

import pytest

from lovsvar_legaltext.agreement import Disagreement, disagreement, law, sentences
from lovsvar_legaltext.closeness import overlap
from lovsvar_legaltext.stances import about

MAY = "Utleieren kan kreve at leieren betaler depositum på inntil seks måneders leie."
MAY_NOT = "Utleieren kan ikke kreve gebyr for å skrive leieavtale."
SHALL = "Arbeidsgiver skal varsle arbeidstaker skriftlig før oppsigelse."
ONLY_IF = "Avtalen kan bare heves dersom misligholdet er vesentlig."
APPLIES = "Loven gjelder ikke for leie av rom på hotell eller annet overnattingssted."
FORBIDDEN = "Det er forbudt å selge alkohol til personer under 18 år."
AT_MOST = "Er leieren student, kan depositumet ikke være høyere enn to måneders leie."
MUST_HAVE = "Ingen kan drive butikken uten tillatelse fra kommunen."

BINDS = "Eigaren kan skriftleg binde seg til ikkje å gjere retten gjeldande."
UNABLE = "Skyldnere som er varig ute av stand til å betale, kan oppnå gjeldsordning etter loven her."
BANNED = "Nemnda kan treffe vedtak om at barnet ikke kan forlate Norge (utreiseforbud)."
BUT_NOT = "Forbrukeren kan holde tilbake betalingen, men ikke åpenbart mer enn det som vil gi sikkerhet for kravet."
AS_NAMED = "Fullbyrding av reaksjoner som nevnt i første ledd kan utsettes når vektige grunner tilsier det."
ON_CONDITION = (
    "En utlending som skal drive næring i Norge, kan få oppholdstillatelse dersom det godtgjøres at det er "
    "økonomisk grunnlag for driften."
)
OPEN_ENDED = "Kredittyteren kan si opp en kredittavtale på ubestemt tid, dersom avtalen sier det."
NO_ANSWER = (
    "Svarer ikke utleieren på en søknad om godkjenning innen én måned etter at søknaden er mottatt, skal dette regnes "
    "som godkjenning."
)
UNLESS_AGREED = "Når ikke annet er avtalt, skal utleieren holde huset ved like."
UNLESS_GROUNDS = "Pårørende har rett til innsyn i journalen, om ikke særlige grunner taler mot det."
ON_DEFECT = "Kjøperen kan heve kjøpet dersom selgeren ikke retter mangelen."
WITHOUT_HARM = "Leieren kan kreve retting dersom den kan skje uten urimelig kostnad for utleieren."
NEVER_MIND = "Kommunen kan, uten hensyn til taushetsplikten, gi politiet opplysninger om oppholdsstedet."
LEAVES_OUT = "Den som kjører for fort, straffes med bot, hvis ikke forholdet rammes av andre bestemmelser."
NO_HINDRANCE = "Voldgift skal ikke hindre departementet i å fatte andre vedtak."
AT_THE_EARLIEST = "Balansen skal tidligst være datert fire uker før stiftelsen."
NAMED_BY_A_LACK = "En tilbyder kan åpne ikke-leverbar sending for å finne avsenderen."
TWO_WAYS = "Fristen gjelder ikke når eieren godtar at arbeidet tar lengre tid."


@pytest.mark.parametrize(
    ("source", "claim"),
    [
        (MAY, "Utleieren kan kreve depositum av leieren."),
        (MAY, "Utleigaren kan krevje depositum av leigaren."),
        (MAY, "The landlord may demand a deposit from the tenant."),
        (MAY, "Utleieren har adgang til å kreve depositum av leieren."),
        (MAY_NOT, "Utleieren har ikke lov til å kreve gebyr for å skrive leieavtale."),
        (MAY_NOT, "Det er forbudt for utleieren å kreve gebyr for leieavtalen."),
        (MAY_NOT, "Du slipper å betale gebyr for leieavtalen."),
        (SHALL, "Arbeidsgiver må varsle arbeidstaker skriftlig før oppsigelse."),
        (SHALL, "Arbeidsgiver plikter å varsle arbeidstaker skriftlig."),
        (SHALL, "Som arbeidstaker har du krav på skriftlig varsel før oppsigelse."),
        (ONLY_IF, "Avtalen kan ikke heves med mindre misligholdet er vesentlig."),
        (ONLY_IF, "Misligholdet må være vesentlig for at avtalen kan heves."),
        (APPLIES, "Leie av rom på hotell er unntatt fra loven."),
        (FORBIDDEN, "Du kan ikke selge alkohol til personer under 18 år."),
        (MAY, "Utleieren kan ikke kreve mer enn seks måneders leie i depositum av leieren."),
        (AT_MOST, "For studenter kan depositumet høyst være to måneders leie."),
        (AT_MOST, "For studenter er grensen to måneders leie."),
        (MUST_HAVE, "Du må ha tillatelse fra kommunen for å drive butikken."),
        (BINDS, "Eieren kan skriftlig binde seg til å ikke bruke retten."),
        (UNABLE, "Du kan få gjeldsordning når du varig ikke er i stand til å betale."),
        (BANNED, "Nemnda kan forby at barnet forlater Norge."),
        (BUT_NOT, "Du kan ikke holde tilbake åpenbart mer enn det som gir sikkerhet for kravet."),
        (AS_NAMED, "Straffen kan utsettes når vektige grunner tilsier det."),
        (ON_CONDITION, "Det må godtgjøres at det er økonomisk grunnlag for driften."),
        (OPEN_ENDED, "Er kreditten uten tidsgrense, kan kredittyteren si opp kredittavtalen når avtalen sier det."),
        (NO_ANSWER, "Svarer ikke utleieren innen én måned etter at han fikk søknaden, skal det regnes som et ja."),
        (UNLESS_AGREED, "Utleieren skal holde huset ved like, med mindre annet er avtalt."),
        (UNLESS_GROUNDS, "Pårørende har rett til innsyn i journalen, hvis ikke særlige grunner taler mot det."),
        (WITHOUT_HARM, "Du kan kreve retting når det ikke gir utleieren urimelig kostnad."),
        (NEVER_MIND, "Kommunen kan gi politiet opplysninger om oppholdsstedet ditt."),
        (LEAVES_OUT, "Kjører du for fort, straffes du med bot."),
        (TWO_WAYS, "Fristen gjelder, med mindre eieren godtar at arbeidet tar lengre tid."),
        (NO_HINDRANCE, "Departementet kan fatte andre vedtak selv om det er avtalt voldgift."),
        (AT_THE_EARLIEST, "Balansen kan ikke være datert mer enn fire uker før stiftelsen."),
        (NAMED_BY_A_LACK, "En tilbyder kan åpne sendingen for å finne avsenderen."),
    ],
)
def test_another_way_to_say_it_is_no_contradiction(source: str, claim: str) -> None:
    assert disagreement(claim, law([source])) is None


@pytest.mark.parametrize(
    ("source", "claim", "how"),
    [
        (MAY, "Utleieren kan ikke kreve depositum av leieren.", Disagreement.NEGATION),
        (MAY, "Utleieren skal kreve depositum av leieren.", Disagreement.MODALITY),
        (MAY_NOT, "Utleieren kan kreve gebyr for å skrive leieavtale.", Disagreement.NEGATION),
        (MAY_NOT, "Du må betale gebyr for leieavtale til utleieren.", Disagreement.NEGATION),
        (SHALL, "Arbeidsgiver kan varsle arbeidstaker skriftlig før oppsigelse.", Disagreement.MODALITY),
        (SHALL, "Arbeidsgiver skal ikke varsle arbeidstaker før oppsigelse.", Disagreement.NEGATION),
        (APPLIES, "Loven gjelder for leie av rom på hotell eller overnattingssted.", Disagreement.NEGATION),
        (FORBIDDEN, "Det er ikke forbudt å selge alkohol til personer under 18 år.", Disagreement.NEGATION),
        (MAY_NOT, "The landlord may demand a fee for the lease.", Disagreement.NEGATION),
        (MAY, "The landlord may not demand a deposit from the tenant.", Disagreement.NEGATION),
        (AT_MOST, "Er leieren student, kan depositumet være høyere enn to måneders leie.", Disagreement.NEGATION),
        (AT_MOST, "Er leieren student, kan depositumet over grensen være mer enn to måneder.", Disagreement.NEGATION),
        (SHALL, "Det er arbeidsgiver som kan varsle arbeidstaker skriftlig før oppsigelse.", Disagreement.MODALITY),
        (UNABLE, "Skyldnere som varig er i stand til å betale, kan oppnå gjeldsordning.", Disagreement.NEGATION),
        (UNLESS_AGREED, "Utleieren skal holde huset ved like når annet er avtalt.", Disagreement.NEGATION),
        (UNLESS_GROUNDS, "Har pårørende rett til innsyn, om særlige grunner taler mot det.", Disagreement.NEGATION),
        (ON_DEFECT, "Du kan heve kjøpet når selgeren retter mangelen.", Disagreement.NEGATION),
        (WITHOUT_HARM, "Du kan kreve retting når det gir utleieren urimelig kostnad.", Disagreement.NEGATION),
        (TWO_WAYS, "Fristen gjelder når eieren godtar at arbeidet tar lengre tid.", Disagreement.NEGATION),
        (ON_DEFECT, "Kjøparen kan heve kjøpet dersom seljaren rettar mangelen.", Disagreement.NEGATION),
        (NO_HINDRANCE, "Departementet kan ikke fatte andre vedtak.", Disagreement.NEGATION),
    ],
)
def test_the_opposite_is_a_contradiction(source: str, claim: str, how: Disagreement) -> None:
    assert disagreement(claim, law([source])) is how


def test_what_another_sentence_of_the_provision_says_is_none() -> None:
    text = f"{MAY} Utleieren kan ikke kreve depositum av leieren når leietiden er under en måned."
    claim = "Utleieren kan ikke kreve depositum av leieren når leietiden er under en måned."
    assert disagreement(claim, law([MAY], [text])) is None


def test_nothing_is_said_of_what_no_sentence_is_about() -> None:
    assert disagreement("Du må søke om byggetillatelse.", law([MAY])) is None
    assert disagreement("Du må søke om byggetillatelse.", law([])) is None


def test_an_item_comes_with_the_words_before_its_list() -> None:
    text = "Utleieren kan heve når\na. leieren ikke betaler, eller\nb. huset brenner.\nDette gjelder ikke gårdsbruk."
    assert sentences(text)[1:] == (
        "Utleieren kan heve når leieren ikke betaler, eller",
        "Utleieren kan heve når huset brenner.",
        "Dette gjelder ikke gårdsbruk.",
    )


def test_sentences_of_three_languages_meet() -> None:
    assert about("Leigaren har oppseiing og løyve.") == about("Leieren har oppsigelse og tillatelse.")
    assert overlap(about("The tenant must pay the deposit."), about("Leieren skal betale depositum.")) == 3
    assert overlap(frozenset({"frist"}), frozenset({"oppsigelsesfrist"})) == 1


def test_a_duty_not_to_denies_as_shall_not_does() -> None:
    held_to = law(["Avsetningen skal ikke være lavere enn 2 prosent av verdien."])
    assert disagreement("Avsetningen har plikt til å ikke være lavere enn 2 prosent av verdien.", held_to) is None
    assert disagreement("Avsetningen har plikt til å være lavere enn 2 prosent av verdien.", held_to)
