"""Which passages of a provision answer a question."""

import pytest

from lovsvar_agent.core.passages import MAX_PASSAGE, MAX_SENTENCE, choose, passages, rarity, read
from lovsvar_contracts.law import Block, BlockKind, Provision
from lovsvar_legaltext.words import Matcher


def quotes(provision: Provision, question: str, ledd: int | None = None, nearest: int | None = None) -> list[str]:
    matcher = Matcher(question)
    reading = read(provision, matcher)
    return [p.text for p in choose(reading, matcher, question, rarity([reading], matcher.stems), ledd, nearest)]


def test_a_ledd_is_split_into_its_sentences(make_provision) -> None:
    provision = make_provision("Båten skal vaskes, jf. § 2. Årene skal tørkes.", "Seilet skal henges opp.")
    assert [(p.text, p.ledd) for p in passages(provision)] == [
        ("Båten skal vaskes, jf. § 2.", 1),
        ("Årene skal tørkes.", 1),
        ("Seilet skal henges opp.", 2),
    ]


def test_a_lead_in_and_its_items_are_one_passage(make_provision) -> None:
    provision = make_provision(("Båten skal vaskes. Eieren kan nekte når", ["det er natt, eller", "det regner."]))
    assert [p.text for p in passages(provision)] == [
        "Båten skal vaskes.",
        "Eieren kan nekte når\na. det er natt, eller\nb. det regner.",
    ]


def test_every_passage_is_a_slice_of_the_stored_text(corpus) -> None:
    for provision in corpus:
        for passage in passages(provision):
            assert provision.text[passage.start : passage.end] == passage.text


def test_the_number_of_a_ledd_is_no_part_of_the_quote(make_provision) -> None:
    provision = make_provision("Båten skal vaskes.").model_copy(update={"text": "(1) Båten skal vaskes."})
    assert [p.text for p in passages(provision)] == ["Båten skal vaskes."]


def test_tables_and_headings_are_not_quoted(make_provision) -> None:
    provision = make_provision("Satsene er disse.").model_copy(
        update={
            "text": "Satsene er disse.\nBåt 100",
            "blocks": (
                Block(kind=BlockKind.LEDD, text="Satsene er disse.", ledd=1),
                Block(kind=BlockKind.ROW, text="Båt 100"),
            ),
        }
    )
    assert [p.text for p in passages(provision)] == ["Satsene er disse."]


def test_the_sentence_with_the_questions_words_is_chosen(make_provision) -> None:
    provision = make_provision(
        "Båten skal vaskes hver uke.", "Årene skal tørkes før de legges bort.", "Seilet brettes."
    )
    assert quotes(provision, "Må årene tørkes?") == ["Årene skal tørkes før de legges bort."]


def test_where_an_amount_is_asked_for_the_sentence_that_limits_one_is_chosen(make_provision) -> None:
    provision = make_provision(
        "Det kan avtales en sikkerhet begrenset til høyst fire ukers leie eller ti prosent av båtens verdi.",
        "Krever båteieren utbetaling av pant, skal låntakeren varsles om kravet av båteieren.",
        title="Pant",
    )
    assert quotes(provision, "Hvor mye kan båteieren kreve i pant?")[0].startswith("Det kan avtales en sikkerhet")


@pytest.mark.parametrize(
    "question", ["Hvor lenge kan båten lånes?", "Når må båten leveres?", "Hva er fristen for båten?"]
)
def test_where_a_time_is_asked_for_the_sentence_that_gives_one_is_chosen(make_provision, question: str) -> None:
    provision = make_provision(
        "Båten skal være ren.", "Båten brukes av én.", "Båten har en låntaker i inntil ti dager."
    )
    assert quotes(provision, question) == ["Båten har en låntaker i inntil ti dager."]


def test_neighbouring_sentences_are_one_quote(make_provision) -> None:
    provision = make_provision("Pantet settes på konto. Pantet gir renter. Ellers gjelder avtalen.")
    assert quotes(provision, "pant") == ["Pantet settes på konto. Pantet gir renter."]


def test_a_question_without_words_of_its_own_is_answered_by_the_beginning(make_provision) -> None:
    provision = make_provision("Første. Andre.", "Tredje.", "Fjerde.")
    assert quotes(provision, "Hva sier den?") == ["Første. Andre.", "Tredje."]


def test_only_the_ledd_asked_for_is_quoted(make_provision) -> None:
    assert quotes(make_provision("Første.", "Andre. Mer.", "Tredje."), "Hva sier den?", ledd=2) == ["Andre. Mer."]


def test_a_long_list_is_quoted_as_its_lead_in_and_the_items_that_fit(make_provision) -> None:
    items = [f"tilfelle nummer {n} med mange flere ord om båter og årer i alminnelighet," for n in range(20)]
    items[7] = "seilet er revet,"
    provision = make_provision(("Eieren kan nekte når", items))
    assert len(provision.text) > MAX_PASSAGE
    chosen = quotes(provision, "Kan eieren nekte når seilet er revet?")
    assert chosen[0].startswith("Eieren kan nekte når")
    assert "h. seilet er revet," in chosen
    assert sum(map(len, chosen)) < MAX_PASSAGE


def test_rare_words_weigh_more_than_common_ones(make_provision) -> None:
    matcher = Matcher("båt kjøl")
    reading = read(make_provision("Båten. Båten og kjølen. Båten."), matcher)
    weights = rarity([reading], matcher.stems)
    assert weights["kjøl"] > weights["båt"]


def test_the_heading_counts_for_the_provision(make_provision) -> None:
    matcher = Matcher("pant på båten")
    reading = read(make_provision("Båten kan holdes tilbake.", title="Pant"), matcher)
    assert set(reading.heading) == {"pant"}
    assert set(reading.matched) == {"pant", "båt"}


def test_a_sentence_without_end_is_quoted_up_to_a_word_border(make_provision) -> None:
    (quote,) = quotes(make_provision("båter " * 2_000), "båter")
    assert len(quote) <= MAX_SENTENCE
    assert quote.endswith("båter")


LAY = "Hvem tar regninga for jolla?"


def test_where_no_word_matches_the_ledd_that_search_found_is_quoted(make_provision) -> None:
    provision = make_provision("Båten skal vaskes.", "Skipet er leiet.", "Seilet skal henges opp.")
    assert quotes(provision, LAY, nearest=2) == ["Skipet er leiet."]


def test_where_no_word_matches_and_no_ledd_is_known_the_first_that_states_a_rule_is_quoted(make_provision) -> None:
    provision = make_provision("Med båt menes et skip.", "Låntakeren skal erstatte det som er tapt.", "Se § 9.")
    assert quotes(provision, LAY)[0] == "Låntakeren skal erstatte det som er tapt."


def test_words_that_match_weigh_more_than_the_ledd_that_search_found(make_provision) -> None:
    provision = make_provision("Båten skal vaskes.", "Jolla skal erstattes.", "Seilet skal henges opp.")
    assert quotes(provision, LAY, nearest=1) == ["Jolla skal erstattes."]


def test_an_amount_that_is_asked_for_weighs_more_than_the_ledd_that_search_found(make_provision) -> None:
    provision = make_provision("Båten skal vaskes.", "Det betales høyst ti kroner.")
    assert quotes(provision, "Hvor mye koster jolla?", nearest=1) == ["Det betales høyst ti kroner."]
