"""What is said to the person about the work in a case, in bokmål, nynorsk and English."""

from collections.abc import Mapping
from dataclasses import dataclass

from lovsvar_legaltext.language import Language


@dataclass(frozen=True)
class CaseWording:
    """The sentences of one language."""

    entitled: str
    payment: str
    quota: str
    closed: str
    paused: str
    no_advice: str
    draft: str
    ticket: str
    no_ticket: str
    stuck: str
    go_on: str


WORDINGS: Mapping[Language, CaseWording] = {
    "nb": CaseWording(
        entitled="Saken er satt til nivå {tier}. {reason} Den er dekket, og arbeidet er i gang. Er nivået feil, kan "
        "det rettes.",
        payment="Saken er satt til nivå {tier}. {reason} Abonnementet har ingen saker igjen på dette nivået. Betal for "
        "saken for å gå videre. Det du har skrevet, er lagret, og arbeidet begynner når betalingen er mottatt.",
        quota="Saken venter på kvote. Det du har skrevet, er lagret.",
        closed="Saken er avsluttet. Åpne den igjen for å arbeide videre med den.",
        paused="Saken er stanset til brukerstøtten har sett på den. Det du har skrevet, er lagret.",
        no_advice="Merk: Fagmodellen kunne ikke spørres ({why}), så det som står her, er ikke vurdert av den.",
        draft="Utkastet «{name}», revisjon {revision}, er klart. Det ligger under utkast i saken, som PDF og DOCX.",
        ticket="Jeg kommer ikke videre med dette selv. Brukerstøtten er bedt om hjelp, og saken er stanset til de har "
        "sett på den (henvendelse {ticket}).",
        no_ticket="Jeg kommer ikke videre med dette selv, og fikk heller ikke bedt brukerstøtten om hjelp. Prøv igjen "
        "om litt.",
        stuck="Jeg står fast: «{title}» lyktes ikke, heller ikke på andre måter. {error} Kan du si mer om hvordan det "
        "skal være, eller hva du vil gjøre i stedet?",
        go_on="Arbeidet ble stanset ved en grense. Skriv «fortsett», så går det videre der det var.",
    ),
    "nn": CaseWording(
        entitled="Saka er sett til nivå {tier}. {reason} Ho er dekt, og arbeidet er i gang. Er nivået feil, kan det "
        "rettast.",
        payment="Saka er sett til nivå {tier}. {reason} Abonnementet har ingen saker att på dette nivået. Betal for "
        "saka for å gå vidare. Det du har skrive, er lagra, og arbeidet tek til når betalinga er motteken.",
        quota="Saka ventar på kvote. Det du har skrive, er lagra.",
        closed="Saka er avslutta. Opna ho att for å arbeide vidare med ho.",
        paused="Saka er stansa til brukarstøtta har sett på ho. Det du har skrive, er lagra.",
        no_advice="Merk: Fagmodellen kunne ikkje spørjast ({why}), så det som står her, er ikkje vurdert av han.",
        draft="Utkastet «{name}», revisjon {revision}, er klart. Det ligg under utkast i saka, som PDF og DOCX.",
        ticket="Eg kjem ikkje vidare med dette sjølv. Brukarstøtta er beden om hjelp, og saka er stansa til dei har "
        "sett på ho (førespurnad {ticket}).",
        no_ticket="Eg kjem ikkje vidare med dette sjølv, og fekk heller ikkje bede brukarstøtta om hjelp. Prøv igjen "
        "om litt.",
        stuck="Eg står fast: «{title}» lukkast ikkje, heller ikkje på andre måtar. {error} Kan du seie meir om korleis "
        "det skal vere, eller kva du vil gjere i staden?",
        go_on="Arbeidet vart stansa ved ei grense. Skriv «hald fram», så går det vidare der det var.",
    ),
    "en": CaseWording(
        entitled="The case is set to tier {tier}. {reason} It is covered, and the work has begun. If the tier is "
        "wrong, it can be corrected.",
        payment="The case is set to tier {tier}. {reason} The subscription has no cases left of this tier. Pay for the "
        "case to go on. What you wrote is kept, and the work begins when the payment has come in.",
        quota="The case waits for quota. What you wrote is kept.",
        closed="The case is closed. Open it again to go on.",
        paused="The case is paused until the support has looked at it. What you wrote is kept.",
        no_advice="Note: The reasoner could not be consulted ({why}), so what follows was not reviewed by it.",
        draft="The draft «{name}», revision {revision}, is ready. It is among the drafts of the case, as PDF and DOCX.",
        ticket="I cannot take this further myself. The support was asked for help, and the case is paused until they "
        "have looked at it (ticket {ticket}).",
        no_ticket="I cannot take this further myself, and could not reach the support. Try again in a while.",
        stuck="I am stuck: «{title}» did not succeed, nor did other ways. {error} Can you say more about how it should "
        "be, or what you want instead?",
        go_on="The work was stopped at a limit. Write “continue”, and it goes on where it was.",
    ),
}
