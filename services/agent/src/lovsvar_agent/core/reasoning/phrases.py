"""What the agent itself says in an answer, in bokmål, nynorsk and English."""

from collections.abc import Mapping
from dataclasses import dataclass

from lovsvar_contracts.law import InForce
from lovsvar_contracts.questions import FlagReason
from lovsvar_legaltext.language import Language

NOT_IN_SOURCES = "Sitatet i teksten står ikke i noen av kildene."
NOT_NAMED = "Avgjørelsen, forarbeidet eller rettsakten er ikke nevnt i noen av kildene."
NOT_LOOKED_UP = "Henvisningen kunne ikke kontrolleres nå."
NOT_IN_CORPUS = "Henvisningen finnes ikke i korpuset."
NAMES_UNKNOWN = "Sitatet viser til en bestemmelse som ikke finnes i korpuset."
"""Why something of an answer is not given, as `citation.rejected` and the answer say it."""


@dataclass(frozen=True)
class Wording:
    """The sentences of one language.

    `in_force` says of a source `{name}` that it is not law today, `flags` why some statements were taken out.
    """

    sources: str
    not_found: str
    not_checked: str
    not_in_sources: str
    link_removed: str
    quote_removed: str
    unsupported: str
    conditional: str
    flags: Mapping[FlagReason, str]
    nothing_holds: str
    partly: str
    try_searching: str
    try_otherwise: str
    nearest: str
    stopped: str
    narrowed: str
    lost_earlier: str
    sample: str
    excerpts: str
    fallback: Mapping[str, str]
    in_force: Mapping[InForce, str]


WORDINGS: Mapping[Language, Wording] = {
    "nb": Wording(
        sources="Kilder",
        not_found="(ikke funnet)",
        not_checked="(ikke kontrollert)",
        not_in_sources="(ikke i kildene)",
        link_removed="(lenke fjernet)",
        quote_removed="(sitat utelatt, det står ikke i kildene)",
        unsupported="Ikke belagt",
        conditional="(loven stiller vilkår, se kilden)",
        flags={
            FlagReason.QUANTITY: "Fjernet fordi tallet ikke står i kilden det vises til: {count}.",
            FlagReason.NEGATION: "Fjernet fordi sitatet sier noe annet: {count}.",
            FlagReason.MODALITY: "Fjernet fordi kilden sier «kan» der svaret sa «må», eller omvendt: {count}.",
            FlagReason.REFERENCE: "Fjernet fordi kilden er en annen bestemmelse enn den som ble nevnt: {count}.",
            FlagReason.UNRELATED: "Fjernet fordi kilden handler om noe annet: {count}.",
        },
        nothing_holds="Kildene jeg fant strekker ikke til for å svare på spørsmålet.",
        partly="Kildene svarer ikke på hele spørsmålet.",
        try_searching="Du kan søke videre etter:",
        try_otherwise="Prøv å spørre med juridiske uttrykk, eller nevn loven det gjelder.",
        nearest="De nærmeste bestemmelsene er:",
        stopped="Arbeidet ble stanset ved en grense, og svaret bygger på det som var funnet da.",
        narrowed="Spørsmålet var avgrenset, og det som er utenfor avgrensningen, er ikke lest.",
        lost_earlier="Spørsmålet som dette følger opp, er ikke lagret lenger, så det er besvart for seg.",
        sample="Merk: Dette svaret bygger på oppdiktede eksempeltekster, ikke på norsk lov.",
        excerpts="Merk: Utdrag fra søkemotor, ikke kontrollert mot kilden: {numbers}.",
        fallback={
            "model_failed": "Språkmodellen svarte ikke. Dette er hentet direkte fra loven.",
            "model_unverified": (
                "Språkmodellen ga ikke noe svar som kunne kontrolleres. Dette er hentet direkte fra loven."
            ),
            "model_abstained": (
                "Språkmodellen mente at kildene ikke svarer på spørsmålet. Dette er hentet direkte fra loven, "
                "og kan være relevant."
            ),
        },
        in_force={
            InForce.NOT_YET: "Merk: {name} har ikke trådt i kraft.",
            InForce.REPEALED: "Merk: {name} er opphevet.",
        },
    ),
    "nn": Wording(
        sources="Kjelder",
        not_found="(ikkje funnen)",
        not_checked="(ikkje kontrollert)",
        not_in_sources="(ikkje i kjeldene)",
        link_removed="(lenkje fjerna)",
        quote_removed="(sitat utelate, det står ikkje i kjeldene)",
        unsupported="Ikkje belagt",
        conditional="(lova stiller vilkår, sjå kjelda)",
        flags={
            FlagReason.QUANTITY: "Fjerna fordi talet ikkje står i kjelda det er vist til: {count}.",
            FlagReason.NEGATION: "Fjerna fordi sitatet seier noko anna: {count}.",
            FlagReason.MODALITY: "Fjerna fordi kjelda seier «kan» der svaret sa «må», eller omvendt: {count}.",
            FlagReason.REFERENCE: "Fjerna fordi kjelda er ei anna føresegn enn den som vart nemnd: {count}.",
            FlagReason.UNRELATED: "Fjerna fordi kjelda handlar om noko anna: {count}.",
        },
        nothing_holds="Kjeldene eg fann strekk ikkje til for å svare på spørsmålet.",
        partly="Kjeldene svarer ikkje på heile spørsmålet.",
        try_searching="Du kan søkje vidare etter:",
        try_otherwise="Prøv å spørje med juridiske uttrykk, eller nemn lova det gjeld.",
        nearest="Dei nærmaste føresegnene er:",
        stopped="Arbeidet vart stansa ved ei grense, og svaret byggjer på det som var funne då.",
        narrowed="Spørsmålet var avgrensa, og det som er utanfor avgrensinga, er ikkje lese.",
        lost_earlier="Spørsmålet som dette følgjer opp, er ikkje lagra lenger, så det er svart på for seg.",
        sample="Merk: Dette svaret byggjer på oppdikta døme på tekstar, ikkje på norsk lov.",
        excerpts="Merk: Utdrag frå søkjemotor, ikkje kontrollert mot kjelda: {numbers}.",
        fallback={
            "model_failed": "Språkmodellen svarte ikkje. Dette er henta direkte frå lova.",
            "model_unverified": (
                "Språkmodellen gav ikkje noko svar som kunne kontrollerast. Dette er henta direkte frå lova."
            ),
            "model_abstained": (
                "Språkmodellen meinte at kjeldene ikkje svarer på spørsmålet. Dette er henta direkte frå lova, "
                "og kan vere relevant."
            ),
        },
        in_force={
            InForce.NOT_YET: "Merk: {name} har ikkje teke til å gjelde.",
            InForce.REPEALED: "Merk: {name} er oppheva.",
        },
    ),
    "en": Wording(
        sources="Sources",
        not_found="(not found)",
        not_checked="(not checked)",
        not_in_sources="(not in the sources)",
        link_removed="(link removed)",
        quote_removed="(quotation left out: it is not in the sources)",
        unsupported="Not supported",
        conditional="(the law sets conditions, see the source)",
        flags={
            FlagReason.QUANTITY: "Removed because the number is not in the source that was named: {count}.",
            FlagReason.NEGATION: "Removed because the quotation says otherwise: {count}.",
            FlagReason.MODALITY: "Removed because the source says “may” and the answer “must”, or reversely: {count}.",
            FlagReason.REFERENCE: "Removed because the source is another provision than the one named: {count}.",
            FlagReason.UNRELATED: "Removed because the source is about something else: {count}.",
        },
        nothing_holds="The sources I found do not suffice to answer the question.",
        partly="The sources do not answer the whole question.",
        try_searching="You can search further for:",
        try_otherwise="Try asking with Norwegian legal terms, or name the act that is meant.",
        nearest="The nearest provisions are:",
        stopped="The work was stopped at a limit, and the answer rests on what had been found by then.",
        narrowed="The question was narrowed down, and nothing beyond that was read.",
        lost_earlier="The question that this one follows up is no longer kept, so this one is answered by itself.",
        sample="Note: This answer rests on invented sample texts, not on Norwegian law.",
        excerpts="Note: Excerpts of a search engine, not checked against the source: {numbers}.",
        fallback={
            "model_failed": "The language model did not answer. This is taken directly from the law.",
            "model_unverified": (
                "The language model gave no answer that could be verified. This is taken directly from the law."
            ),
            "model_abstained": (
                "The language model found that the sources do not answer the question. This is taken directly "
                "from the law, and may be relevant."
            ),
        },
        in_force={
            InForce.NOT_YET: "Note: {name} has not entered into force.",
            InForce.REPEALED: "Note: {name} has been repealed.",
        },
    ),
}
