"""What an answer by quotes says in Lovsvar's own words, in bokmål, nynorsk and English."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lovsvar_contracts.law import InForce
from lovsvar_contracts.questions import Tier
from lovsvar_legaltext.authorities import SourceType
from lovsvar_legaltext.language import Language


@dataclass(frozen=True)
class Phrases:
    """The sentences of one language."""

    tiers: Mapping[Tier, str]
    also_related: str
    nothing_hint: str
    nearest: str
    quotes_only: str
    no_model: str
    in_force: Mapping[InForce, str]
    section_missing: str
    act_missing: str
    nearest_sections: str
    without_act: str
    several: str
    which_one: str
    applies_to: str
    follow_up: str
    not_in_act: str
    quote_missing: str
    quote_missing_everywhere: str
    quote_found: str
    not_searched: str
    source_types: Mapping[SourceType, str]
    outside_filters: str
    narrowed_to: str
    did_you_mean: str
    or_word: str
    follow_ups: str

    def not_found(self, section: str, act: str, nearest: Sequence[str]) -> str:
        """Return that a reference names nothing, and which sections are nearest to it."""
        said = (self.section_missing if section else self.act_missing).format(section=section, act=act)
        return f"{said} {self.nearest_sections.format(sections=', '.join(nearest))}" if nearest else said


PHRASES: Mapping[Language, Phrases] = {
    "nb": Phrases(
        tiers={
            Tier.ANSWERS: "Svarer på spørsmålet",
            Tier.RELATED: "Kan være relevant",
            Tier.NOTHING: "Fant ingen bestemmelse som svarer",
        },
        also_related="Kan også være relevant",
        nothing_hint=(
            "Jeg søkte i lover og sentrale forskrifter. De sier lite om priser, avtaler, lokale regler og andre lands "
            "rett, og dommer er ikke med."
        ),
        nearest="De nærmeste bestemmelsene er:",
        quotes_only="Svaret er ordrette sitater fra loven, uten språkmodell.",
        no_model="Det er ikke satt opp noen språkmodell. Svaret er ordrette sitater fra loven.",
        in_force={InForce.NOT_YET: "har ikke trådt i kraft", InForce.REPEALED: "er opphevet"},
        section_missing="Fant ikke § {section} i {act}.",
        act_missing="Fant ingen lov eller forskrift som heter {act}.",
        nearest_sections="Nærmest er {sections}.",
        without_act="Spørsmålet nevner {named} uten å si i hvilken lov.",
        several="«{reference}» kan være flere: {names}.",
        which_one="Hvilken mener du?",
        applies_to="Gjelder det noe av dette? Da er reglene andre:",
        follow_up="Hva sier {provision} om {topic}?",
        not_in_act="Regelen ser ut til å stå i {found}, ikke i {named}.",
        quote_missing="«{quote}» står ikke i {where}. Dette står der:",
        quote_missing_everywhere="«{quote}» står ikke i bestemmelsene jeg fant.",
        quote_found="«{quote}» står i {where}.",
        not_searched="Lovsvar søker i lover og forskrifter. {kind} er ikke med, så jeg vet ikke hva som står der.",
        source_types={
            SourceType.COURT_DECISION: "Dommer og andre avgjørelser",
            SourceType.PREPARATORY_WORK: "Forarbeider (proposisjoner, NOU-er og innstillinger)",
            SourceType.CIRCULAR: "Rundskriv og veiledere",
            SourceType.EU_ACT: "EU-rettsakter som ikke er tatt inn i norsk lov,",
            SourceType.AGREEMENT: "Tariffavtaler",
            SourceType.TREATY: "Traktater som ikke er tatt inn i norsk lov,",
            SourceType.LOCAL_RULE: "Lokale forskrifter, vedtekter og planer",
            SourceType.FOREIGN_LAW: "Lover i andre land",
        },
        outside_filters="{name} ble ikke funnet innenfor avgrensningen: {filters}.",
        narrowed_to="Søket var avgrenset til {filters}.",
        did_you_mean="Mente du {words}?",
        or_word="eller",
        follow_ups="Spør videre",
    ),
    "nn": Phrases(
        tiers={
            Tier.ANSWERS: "Svarer på spørsmålet",
            Tier.RELATED: "Kan vere relevant",
            Tier.NOTHING: "Fann inga føresegn som svarer",
        },
        also_related="Kan også vere relevant",
        nothing_hint=(
            "Eg søkte i lover og sentrale forskrifter. Dei seier lite om prisar, avtalar, lokale reglar og retten i "
            "andre land, og dommar er ikkje med."
        ),
        nearest="Dei nærmaste føresegnene er:",
        quotes_only="Svaret er ordrette sitat frå lova, utan språkmodell.",
        no_model="Det er ikkje sett opp nokon språkmodell. Svaret er ordrette sitat frå lova.",
        in_force={InForce.NOT_YET: "har ikkje teke til å gjelde", InForce.REPEALED: "er oppheva"},
        section_missing="Fann ikkje § {section} i {act}.",
        act_missing="Fann inga lov eller forskrift som heiter {act}.",
        nearest_sections="Nærmast er {sections}.",
        without_act="Spørsmålet nemner {named} utan å seie i kva lov.",
        several="«{reference}» kan vere fleire: {names}.",
        which_one="Kva for ei meiner du?",
        applies_to="Gjeld det noko av dette? Då er reglane andre:",
        follow_up="Kva seier {provision} om {topic}?",
        not_in_act="Regelen ser ut til å stå i {found}, ikkje i {named}.",
        quote_missing="«{quote}» står ikkje i {where}. Dette står der:",
        quote_missing_everywhere="«{quote}» står ikkje i føresegnene eg fann.",
        quote_found="«{quote}» står i {where}.",
        not_searched="Lovsvar søkjer i lover og forskrifter. {kind} er ikkje med, så eg veit ikkje kva som står der.",
        source_types={
            SourceType.COURT_DECISION: "Dommar og andre avgjerder",
            SourceType.PREPARATORY_WORK: "Førearbeid (proposisjonar, NOU-ar og innstillingar)",
            SourceType.CIRCULAR: "Rundskriv og rettleiarar",
            SourceType.EU_ACT: "EU-rettsakter som ikkje er tekne inn i norsk lov,",
            SourceType.AGREEMENT: "Tariffavtalar",
            SourceType.TREATY: "Traktatar som ikkje er tekne inn i norsk lov,",
            SourceType.LOCAL_RULE: "Lokale forskrifter, vedtekter og planar",
            SourceType.FOREIGN_LAW: "Lover i andre land",
        },
        outside_filters="{name} vart ikkje funnen innanfor avgrensinga: {filters}.",
        narrowed_to="Søket var avgrensa til {filters}.",
        did_you_mean="Meinte du {words}?",
        or_word="eller",
        follow_ups="Spør vidare",
    ),
    "en": Phrases(
        tiers={
            Tier.ANSWERS: "Answers the question",
            Tier.RELATED: "May be relevant",
            Tier.NOTHING: "No provision found that answers",
        },
        also_related="May also be relevant",
        nothing_hint=(
            "I searched Norwegian acts and central regulations. They say little about prices, contracts, local rules "
            "and other countries' law, and court decisions are not included."
        ),
        nearest="The nearest provisions are:",
        quotes_only="The answer is verbatim quotes from the law, in Norwegian, without a language model.",
        no_model="No language model is set up. The answer is verbatim quotes from the law, in Norwegian.",
        in_force={InForce.NOT_YET: "has not entered into force", InForce.REPEALED: "has been repealed"},
        section_missing="There is no section {section} in {act}.",
        act_missing="Found no act or regulation called {act}.",
        nearest_sections="The nearest are {sections}.",
        without_act="The question names {named} without saying of which act.",
        several="“{reference}” may be several: {names}.",
        which_one="Which one do you mean?",
        applies_to="Is it about one of these? Then other rules apply:",
        follow_up="What does {provision} say about {topic}?",
        not_in_act="The rule seems to be in {found}, not in {named}.",
        quote_missing="“{quote}” is not in {where}. This is what it says:",
        quote_missing_everywhere="“{quote}” is not in the provisions that I found.",
        quote_found="“{quote}” is in {where}.",
        not_searched="Lovsvar searches acts and regulations. {kind} are not included, so I do not know what they say.",
        source_types={
            SourceType.COURT_DECISION: "Court decisions and rulings of boards",
            SourceType.PREPARATORY_WORK: "Preparatory works (bills, NOU reports and committee reports)",
            SourceType.CIRCULAR: "Circulars and official guidance",
            SourceType.EU_ACT: "EU acts that are not part of Norwegian law",
            SourceType.AGREEMENT: "Collective agreements",
            SourceType.TREATY: "Treaties that are not part of Norwegian law",
            SourceType.LOCAL_RULE: "Local regulations, by-laws and plans",
            SourceType.FOREIGN_LAW: "The laws of other countries",
        },
        outside_filters="{name} was not found within the filters: {filters}.",
        narrowed_to="The search was narrowed to {filters}.",
        did_you_mean="Did you mean {words}?",
        or_word="or",
        follow_ups="Ask next",
    ),
}


def quoted_list(found: Sequence[str], language: Language, conjunction: str = "") -> str:
    """Return words in quotation marks, with a conjunction, or when none is given: '«depositum» eller «pant»'."""
    opening, closing = ("“", "”") if language == "en" else ("«", "»")
    marked = [f"{opening}{word}{closing}" for word in found]
    joined = f" {conjunction or PHRASES[language].or_word} "
    return joined.join(part for part in (", ".join(marked[:-1]), *marked[-1:]) if part)
