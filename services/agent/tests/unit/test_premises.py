"""What a question takes for granted and the corpus does not have."""

import pytest

from lovsvar_agent.core.extractive.premises import MIN_QUOTED_WORDS, is_in, quotations, source_types
from lovsvar_legaltext.authorities import SourceType

COURT, WORKS, CIRCULAR, EU, AGREEMENT = (
    SourceType.COURT_DECISION,
    SourceType.PREPARATORY_WORK,
    SourceType.CIRCULAR,
    SourceType.EU_ACT,
    SourceType.AGREEMENT,
)


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Hva sa Høyesterett i Rt. 2999 s. 12 om båtleie?", COURT),
        ("Hva gikk HR-2999-12-A ut på?", COURT),
        ("Kva meinte fleirtalet i LB-2999-123?", COURT),
        ("Finnes det rettspraksis om pant i båt?", COURT),
        ("Kva har Høgsterett sagt om båtleige?", COURT),
        ("Did the Supreme Court rule on boats?", COURT),
        ("Is there case law on boats?", COURT),
        ("Hva gikk Båt-dommen ut på?", COURT),
        ("Hva står det i forarbeidene til båtleieloven?", WORKS),
        ("Kva seier førearbeida om pant?", WORKS),
        ("Hva foreslo utvalget i NOU 2999: 3?", WORKS),
        ("Hva skriver departementet i Prop. 57 L?", WORKS),
        ("Hva sto det i Ot.prp. nr. 66?", WORKS),
        ("What do the preparatory works say of boats?", WORKS),
        ("Hva sier rundskrivet om båter?", CIRCULAR),
        ("Kva står i rundskriv H-12/99?", CIRCULAR),
        ("Is there a circular on boats?", CIRCULAR),
        ("Hva mener Sjøfartsdirektoratets uttalelse om båter?", CIRCULAR),
        ("Finnes det en tolkningsuttalelse om båter?", CIRCULAR),
        ("Hva sier veilederen fra Sjøfartsdirektoratet?", CIRCULAR),
        ("Hva la departementet til grunn om båter?", WORKS),
        ("Hva sier komiteens merknader om båter?", WORKS),
        ("Hva sa retten om båten som sank?", COURT),
        ("What did the court say about the boat?", COURT),
        ("Hva sier direktiv 2999/12 om båter?", EU),
        ("Hva krever forordning (EU) 2016/679?", EU),
        ("Hva betyr båtdirektivet?", EU),
        ("What does Directive 98/44/EC require?", EU),
        ("Hva sier tariffavtalen om overtid?", AGREEMENT),
        ("Kva seier Hovudavtalen om klubbmøte?", AGREEMENT),
        ("What does the collective agreement say on overtime?", AGREEMENT),
    ],
)
def test_a_kind_of_source_that_the_corpus_does_not_hold_is_known_by_its_name(question: str, kind: SourceType) -> None:
    assert kind in source_types(question)


@pytest.mark.parametrize(
    "question",
    [
        "Hvem må uttale seg før båten selges?",
        "Må komiteen godta båten?",
        "Hvor mye kan båteieren kreve i pant?",
        "Hva sier båtleieloven § 3-2?",
        "Kva er fristen for å klage til kommunen?",
        "Kan jeg gå til tingretten?",
        "Hvem dømmer i forliksrådet?",
        "How long may a boat be hired?",
        "Hvor lang er klagefristen på 3 uker etter forvaltningsloven § 29?",
        "Hva er tariffen for vann?",
        "Når er dommen rettskraftig, og hvor lenge kan jeg anke?",
        "Hvor mye overtid kan jeg jobbe uten tariffavtale?",
        "Har barnet rett på ADHD-utredning?",
        "Gjelder arbeidstid på skip i NIS?",
        "Hvor mye studiestøtte får jeg i studieåret 2024/2025?",
        "Domstolen på Jæren, hva gjør den?",
    ],
)
def test_a_question_about_acts_and_regulations_names_none(question: str) -> None:
    assert source_types(question) == ()


def test_several_kinds_are_all_named() -> None:
    assert set(source_types("Hva sier forarbeidene og rettspraksis?")) == {COURT, WORKS}


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Stemmer det at «båten skal vaskes hver dag»?", ("båten skal vaskes hver dag",)),
        ('Står det "årene skal tørkes"?', ("årene skal tørkes",)),
        ("Står det “årene skal tørkes”?", ("årene skal tørkes",)),
        ("Står det „årene skal tørkes“?", ("årene skal tørkes",)),
        ("«Båten skal vaskes» og «årene skal tørkes»?", ("Båten skal vaskes", "årene skal tørkes")),
        ("Står det « årene skal tørkes »?", ("årene skal tørkes",)),
        ("Hva betyr «erstatning»?", ()),
        ("Hva betyr «vesentlig mislighold»?", ()),
        ("Hva betyr det?", ()),
        ("Hva betyr «", ()),
    ],
)
def test_what_a_question_quotes_is_taken_for_the_laws_words_when_it_is_no_mere_term(
    question: str, found: tuple[str, ...]
) -> None:
    assert quotations(question) == found
    assert all(len(quote.split()) >= MIN_QUOTED_WORDS for quote in found)


def test_a_quotation_is_in_a_provision_word_for_word_but_for_letter_case_and_a_full_stop(make_provision) -> None:
    provisions = [make_provision("Seilet brettes."), make_provision("Båten skal vaskes hver uke, og årene tørkes.")]
    for said in ("båten skal vaskes", "Båten skal vaskes.", "båten skal  vaskes", "skal vaskes hver uke, og årene"):
        assert is_in(said, provisions)
    for said in ("båten kan vaskes", "båten skal hver uke", "båten skal va", "båten skal vaskes hver dag"):
        assert not is_in(said, provisions)
    assert not is_in("båten skal vaskes", [])
