"""Which ledd of a provision are shown, and how much of a long one."""

import itertools

import pytest

from lovsvar_agent.core.extractive.excerpts import (
    MAX_LEDD,
    MAX_LEDD_SHOWN,
    MAX_PIECE,
    Excerpt,
    Focus,
    excerpts,
    rarity,
    read,
)
from lovsvar_contracts.law import Block, BlockKind, Provision
from lovsvar_legaltext.words import Matcher

SMALL = 60
"""Less room than the provisions here have text."""


def shown(provision: Provision, question: str, room: int = 1_400, **places: object) -> tuple[Excerpt, ...]:
    matcher = Matcher(question)
    reading = read(provision, matcher)
    return excerpts(reading, Focus(question, matcher, rarity([reading], matcher.stems), **places), room)  # type: ignore[arg-type]


def quotes(provision: Provision, question: str, room: int = 1_400, **places: object) -> list[str]:
    return [excerpt.text for excerpt in shown(provision, question, room, **places)]


def as_read(provision: Provision, question: str, room: int = 1_400, **places: object) -> list[str]:
    """The excerpts with an ellipsis where their ledd has more."""
    return [
        f"{'… ' if e.cut_before else ''}{e.text}{' …' if e.cut_after else ''}"
        for e in shown(provision, question, room, **places)
    ]


# A provision as its ledd


def test_a_ledd_is_its_sentences_and_a_list_belongs_to_the_ledd_that_leads_it_in(make_provision) -> None:
    provision = make_provision(
        "Båten skal vaskes, jf. § 2. Årene skal tørkes.",
        ("Eieren kan nekte når", ["det er natt, eller", "det regner."]),
    )
    found = read(provision, Matcher("båt")).ledd
    assert [(one.number, [provision.text[slice(*piece)] for piece in one.pieces]) for one in found] == [
        (1, ["Båten skal vaskes, jf. § 2.", "Årene skal tørkes."]),
        (2, ["Eieren kan nekte når", "a. det er natt, eller", "b. det regner."]),
    ]


def test_a_paragraph_that_continues_a_ledd_belongs_to_it(make_provision) -> None:
    items = (Block(kind=BlockKind.LIST_ITEM, text="det regner.", label="a."),)
    after = Block(kind=BlockKind.PARAGRAPH, text="Det samme gjelder i snø.", ledd=1)
    provision = make_provision("x").model_copy(
        update={
            "text": "Eieren kan nekte når\na. det regner.\nDet samme gjelder i snø.\nSeilet brettes.",
            "blocks": (
                Block(kind=BlockKind.LEDD, text="Eieren kan nekte når", ledd=1, children=items),
                after,
                Block(kind=BlockKind.LEDD, text="Seilet brettes.", ledd=2),
            ),
        }
    )
    found = read(provision, Matcher("båt")).ledd
    assert [(one.number, provision.text[one.start : one.end]) for one in found] == [
        (1, "Eieren kan nekte når\na. det regner.\nDet samme gjelder i snø."),
        (2, "Seilet brettes."),
    ]


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
    assert quotes(provision, "Hva koster båt?") == ["Satsene er disse."]


def test_a_provision_without_text_has_nothing_to_show(make_provision) -> None:
    assert quotes(make_provision(""), "båt") == []


def test_the_heading_counts_for_the_provision_and_the_act_around_it(make_provision) -> None:
    matcher = Matcher("pant på båten etter skipsleieloven")
    reading = read(make_provision("Båten kan holdes tilbake.", title="Pant", act="Skipsleieloven"), matcher)
    assert set(reading.heading) == {"pant"}
    assert set(reading.around) == {"skipslei"}
    assert set(reading.matched) == {"pant", "båt", "skipslei"}


def test_rare_words_weigh_more_than_common_ones(make_provision) -> None:
    matcher = Matcher("båt kjøl")
    weights = rarity([read(make_provision("Båten.", "Båten og kjølen.", "Båten."), matcher)], matcher.stems)
    assert weights["kjøl"] > weights["båt"]


# Which ledd


def test_a_short_provision_is_shown_whole(make_provision) -> None:
    provision = make_provision(
        "Båten skal vaskes hver uke.",
        ("Eieren kan nekte når", ["det er natt, eller", "det regner."]),
        "Seilet brettes.",
    )
    assert quotes(provision, "Må årene tørkes?") == [provision.text]
    (excerpt,) = shown(provision, "Må årene tørkes?")
    assert not (excerpt.cut_before or excerpt.cut_after)


def test_a_provision_with_one_long_ledd_is_shown_whole_where_all_of_it_fits(make_provision) -> None:
    provision = make_provision("Båten skal vaskes og tørkes. " * 32, "Seilet brettes.")
    assert MAX_LEDD < len(provision.text) < 1_000
    assert quotes(provision, "Må seilet brettes?", room=1_000) == [provision.text]


def test_every_excerpt_is_a_slice_of_the_stored_text_and_keeps_its_order(corpus) -> None:
    for room in (20, SMALL, 1_400):
        for provision in corpus:
            found = shown(provision, "Hvor mye kan båteieren kreve i pant?", room)
            assert found
            assert [provision.text[e.start : e.end] for e in found] == [e.text for e in found]
            assert all(one.end <= other.start for one, other in itertools.pairwise(found))


LONG = "og årene tørkes, og tauene kveiles, og lensen tømmes, og fendrene tas inn før kvelden kommer."


@pytest.fixture
def care(make_provision) -> Provision:
    """A provision of five ledd on the care of a boat, the third of them on its sail."""
    return make_provision(
        f"Båten skal vaskes {LONG}",
        f"Dekket skures {LONG}",
        f"Seilet skal henges opp {LONG}",
        f"Ankeret gås over {LONG}",
        f"Roret tas av {LONG}",
    )


def begins(provision: Provision, question: str, room: int, **places: object) -> list[str]:
    """The first word of each ledd shown."""
    text = "\n".join(quotes(provision, question, room, **places))
    return [line.split()[0] for line in text.split("\n")]


def test_the_first_ledd_is_kept_with_the_one_that_meets_the_question_best(care) -> None:
    assert begins(care, "Hva gjør jeg med seilet?", 250) == ["Båten", "Seilet"]


def test_first_and_best_are_shown_though_there_is_too_little_room(care) -> None:
    assert begins(care, "Hva gjør jeg med seilet?", SMALL) == ["Båten", "Seilet"]


def test_further_ledd_are_shown_by_how_well_they_meet_the_question(care) -> None:
    assert begins(care, "Hva med ankeret og seilet, seil?", 400) == ["Båten", "Seilet", "Ankeret"]


def test_no_more_than_a_few_ledd_of_a_long_provision_are_shown(make_provision) -> None:
    provision = make_provision(*(f"Årene i båt nummer {n} tørkes." for n in range(100)))
    lines = quotes(provision, "årene", 1_400)
    assert sum(len(text.split("\n")) for text in lines) == MAX_LEDD_SHOWN


def test_only_the_named_ledd_is_shown(care) -> None:
    assert begins(care, "Hva gjør jeg med seilet?", 1_400, named=2) == ["Dekket"]
    assert begins(care, "Hva gjør jeg med seilet?", SMALL, named=2) == ["Dekket"]


def test_a_named_ledd_that_does_not_exist_is_no_reason_to_show_nothing(care) -> None:
    assert begins(care, "Hva gjør jeg med seilet?", 250, named=9) == ["Båten", "Seilet"]


LAY = "Hvem tar regninga for jolla?"


def test_where_no_word_matches_the_ledd_that_search_found_is_shown(care) -> None:
    assert begins(care, LAY, 250, nearest=4) == ["Båten", "Ankeret"]


def test_where_no_word_matches_the_ledd_that_is_explained_is_shown(care) -> None:
    assert begins(care, LAY, 250, explained=(5,)) == ["Båten", "Roret"]


def test_an_explained_ledd_weighs_more_than_the_one_that_search_found(care) -> None:
    assert begins(care, LAY, 250, nearest=4, explained=(5,)) == ["Båten", "Roret"]


def test_words_that_match_weigh_more_than_the_ledd_that_search_found(care) -> None:
    assert begins(care, "Hva gjør jeg med seilet?", 250, nearest=4) == ["Båten", "Seilet"]


def test_where_nothing_is_known_the_beginning_is_shown(care) -> None:
    assert begins(care, LAY, 250) == ["Båten", "Dekket"]


def test_an_amount_that_is_asked_for_weighs_more_than_words_and_what_search_found(make_provision) -> None:
    provision = make_provision(
        f"Båten skal vaskes {LONG}", f"Jolla ligger {LONG}", f"Det betales høyst ti kroner {LONG}"
    )
    assert begins(provision, "Hvor mye koster jolla?", 250, nearest=2) == ["Båten", "Det"]


@pytest.mark.parametrize(
    "question", ["Hvor lenge kan båten lånes?", "Når må båten leveres?", "Hva er fristen for båten?"]
)
def test_where_a_time_is_asked_for_the_ledd_that_gives_one_is_shown(make_provision, question: str) -> None:
    provision = make_provision(
        f"Båten skal være ren, {LONG}", f"Båten brukes av én, {LONG}", "Båten har en låntaker i inntil ti dager."
    )
    assert quotes(provision, question, 200)[-1] == "Båten har en låntaker i inntil ti dager."


def test_a_long_ledd_counts_its_matches_for_less(make_provision) -> None:
    filler = "Tauene kveiles og lensen tømmes før kvelden. " * 200
    provision = make_provision("Båten skal vaskes.", f"{filler}Seilet brettes.", "Seilet henges opp.")
    assert quotes(provision, "seilet", 120)[-1] == "Seilet henges opp."


# How much of a long ledd


FIRST, SECOND, THIRD, FOURTH, FIFTH = (
    "Båten skal vaskes hver uke.",
    "Årene skal tørkes i solen.",
    "Tauene skal kveiles.",
    "Seilet skal henges opp.",
    "Ankeret skal males.",
)


@pytest.fixture
def long_ledd(make_provision) -> Provision:
    return make_provision(" ".join((FIRST, SECOND, THIRD, FOURTH, FIFTH)))


def test_a_long_ledd_is_cut_between_sentences_with_its_beginning_and_what_is_left_out_marked(long_ledd) -> None:
    assert as_read(long_ledd, "Hva med ankeret?", 30) == [f"{FIRST} …", f"… {FIFTH}"]


def test_what_comes_before_the_best_sentence_is_shown_before_what_comes_after(long_ledd) -> None:
    """The condition is before its effect."""
    assert as_read(long_ledd, "Hva med seilet?", SMALL) == [f"{FIRST} …", f"… {THIRD} {FOURTH} …"]


def test_where_there_is_room_left_what_comes_after_is_shown_too(long_ledd) -> None:
    assert as_read(long_ledd, "Hva med båten?", SMALL) == [f"{FIRST} {SECOND} …"]


def test_nothing_is_marked_as_left_out_between_neighbours(long_ledd) -> None:
    assert as_read(long_ledd, "Hva med tauene?", 55) == [f"{FIRST} {SECOND} {THIRD} …"]


def test_a_long_list_is_shown_as_its_lead_in_and_the_items_around_the_best(make_provision) -> None:
    items = [f"tilfelle nummer {n} med mange flere ord om båter og årer i alminnelighet," for n in range(30)]
    items[17] = "seilet er revet,"
    provision = make_provision(("Eieren kan nekte når", items))
    lead, around = as_read(provision, "Kan eieren nekte når seilet er revet?", 300)
    assert lead == "Eieren kan nekte når …"
    assert around.startswith("… ") and around.endswith(" …")
    assert around.split("\n")[-1] == "r. seilet er revet, …"
    assert len(around.split("\n")) > 1, "items before it fit"


def test_beside_others_a_ledd_has_less_room_than_alone(make_provision) -> None:
    sentences = [f"Tau nummer {n} skal kveiles før kvelden kommer." for n in range(40)]
    provision = make_provision(" ".join(sentences), "Seilet brettes. " * 100)
    alone, *_ = shown(provision, "tau", 1_400, named=1)
    beside, *_ = shown(provision, "tau", 1_400)
    assert len(beside.text) <= MAX_LEDD < len(alone.text) <= 1_400


def test_a_sentence_without_end_is_cut_at_a_word_border(make_provision) -> None:
    (excerpt,) = shown(make_provision("båter " * 2_000), "båter")
    assert len(excerpt.text) <= MAX_PIECE
    assert excerpt.text.endswith("båter")
    assert excerpt.cut_after


def test_a_sentence_without_end_after_others_is_cut_at_a_word_border_too(make_provision) -> None:
    found = shown(make_provision("Årene tørkes. Båter " + "båter " * 2_000), "båter")
    assert sum(len(e.text) for e in found) <= MAX_PIECE + len("Årene tørkes. ")
    assert found[0].text.startswith("Årene tørkes.")
    assert found[-1].text.endswith("båter")
    assert found[-1].cut_after


# What is marked


def test_words_of_the_question_are_marked_where_they_are_in_the_excerpt(make_provision) -> None:
    (excerpt,) = shown(make_provision("Båteieren kan kreve pant.", "Pantet gir renter."), "Gir pant renter?")
    assert [excerpt.text[slice(*mark)] for mark in excerpt.marks] == ["pant", "Pantet", "renter"]


def test_a_compound_that_holds_a_word_of_the_question_is_marked_whole(make_provision) -> None:
    (excerpt,) = shown(make_provision("Fristen er én uke, klagefristen to."), "Hva er fristen?")
    assert [excerpt.text[slice(*mark)] for mark in excerpt.marks] == ["Fristen", "klagefristen"]


def test_marks_are_of_the_excerpt_also_where_it_begins_late_in_the_text(long_ledd) -> None:
    last = shown(long_ledd, "Hva med ankeret?", 30)[-1]
    assert [last.text[slice(*mark)] for mark in last.marks] == ["Ankeret"]


def test_what_begins_with_the_first_ledd_is_the_main_rule(care) -> None:
    assert [e.main for e in shown(care, "Hva gjør jeg med seilet?", 250)] == [True, False]
    assert [e.main for e in shown(care, "Hva gjør jeg med seilet?", 250, named=3)] == [False]


def test_the_number_that_the_law_prints_before_a_ledd_is_quoted_with_it(make_provision) -> None:
    provision = make_provision("Båten skal vaskes.", "Seilet brettes.").model_copy(
        update={"text": "(1) Båten skal vaskes.\n(2) Seilet brettes."}
    )
    assert quotes(provision, "seilet", named=2) == ["(2) Seilet brettes."]
