"""Statements bound to their quotes: what is flagged, what is given its source, what is set apart."""

import pytest

from lovsvar_agent.core.evidence import EvidenceRegistry
from lovsvar_agent.core.reasoning.final import Claim, Final
from lovsvar_agent.core.reasoning.judged_answer import Judged, judge, kept
from lovsvar_agent.core.reasoning.phrases import WORDINGS
from lovsvar_agent.core.reasoning.relevance import UNKNOWN
from lovsvar_agent.core.reasoning.statement_check import Inquiry
from lovsvar_agent.core.reasoning.verdicts import contradicts_itself, expected, leading
from lovsvar_agent.core.source_kinds.law import LAW
from lovsvar_agent.core.source_kinds.practice import PRACTICE
from lovsvar_contracts.questions import FlagReason
from lovsvar_legaltext.language import Language

PLEDGE = "Pantet kan være på høyst fire ukers båtleie"
CLAIM = Claim("lovdata-2", PLEDGE)
ACCOUNT = Claim("lovdata-2", "Pantet settes på en konto som ingen av dem rår over alene.")
QUESTION = "Hvor mye kan båteieren kreve i pant?"
NB = WORDINGS["nb"]


@pytest.fixture
def judged(sources: EvidenceRegistry):
    def judge_it(answer: str, *claims: Claim, question: str = QUESTION, language: Language = "nb") -> Judged:
        asked = Inquiry(question, language)
        return judge(Final(answer, claims or (CLAIM,)), sources, asked, UNKNOWN, WORDINGS[language])

    return judge_it


@pytest.mark.parametrize(
    ("answer", "language"),
    [
        ("Pantet kan være på høyst fire ukers leie [lovdata-2].", "nb"),
        ("Pantet kan være på inntil 28 dager [lovdata-2].", "nb"),
        ("Pantet kan vere på høgst fire vekers båtleige. [lovdata-2]", "nn"),
        ("The pledge may be at most four weeks [lovdata-2].", "en"),
        ("Etter båtleieloven § 3-2 kan pantet være på høyst fire uker [lovdata-2].", "nb"),
        ("## Pant\n- Pantet kan være på høyst fire ukers leie [lovdata-2].\n- Det settes på konto [lovdata-2].", "nb"),
    ],
)
def test_what_the_quote_says_in_other_words_holds(judged, answer: str, language: Language) -> None:
    bound = judged(answer, language=language).bound
    assert (bound.flags, bound.apart) == ((), ())
    assert bound.answers


def test_a_number_of_another_sentence_is_none_of_a_sentence_in_the_same_words(judged, corpus, sources) -> None:
    text = "Leieren kan klage til nemnda innen to uker. Leieren kan klage til tingretten innen fem uker."
    (evidence,) = sources.add(LAW, [corpus[1].model_copy(update={"text": text, "section": "§ 9"})])
    quote = Claim(evidence.evidence_id, "Leieren kan klage til nemnda innen to uker.")
    for weeks, flags in (("to", []), ("fem", [FlagReason.QUANTITY])):
        said = f"Leieren kan klage til nemnda innen {weeks} uker [{evidence.evidence_id}]."
        assert [f.why for f in judged(said, quote).bound.flags] == flags


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("Pantet kan være på høyst ni ukers båtleie [lovdata-2].", FlagReason.QUANTITY),
        ("Pantet kan være på høyst fire måneders båtleie [lovdata-2].", FlagReason.QUANTITY),
        ("Pantet kan være på minst fire ukers båtleie [lovdata-2].", FlagReason.QUANTITY),
        ("Pantet kan ikke være på fire ukers båtleie [lovdata-2].", FlagReason.NEGATION),
        ("Pantet skal være på høyst fire ukers båtleie [lovdata-2].", FlagReason.MODALITY),
        ("Etter båtleieloven § 4-1 kan pantet være på fire uker [lovdata-2].", FlagReason.REFERENCE),
        ("Etter bygdefestloven § 3-2 kan pantet være på fire uker [lovdata-2].", FlagReason.REFERENCE),
        ("Festen skal være slutt når naboene og kommunen ber om stillhet [lovdata-2].", FlagReason.UNRELATED),
        ("## Pantet kan være på høyst ni ukers båtleie\n\nPantet er begrenset [lovdata-2].", FlagReason.QUANTITY),
        ("- Pantet kan være på høyst ni ukers båtleie [lovdata-2].", FlagReason.QUANTITY),
        ("Pantet kan være på høyst ni ukers båtleie. [lovdata-2] Det står i loven.", FlagReason.QUANTITY),
    ],
)
def test_what_the_quote_speaks_against_is_flagged_and_removed(judged, answer: str, why: FlagReason) -> None:
    bound = judged(answer).bound
    assert [flag.why for flag in bound.flags] == [why]
    assert bound.flagged[0].removed
    assert "ni" not in bound.shown(NB).split() and "ikke" not in bound.shown(NB).split()


def test_a_number_of_the_question_may_be_said_but_not_in_place_of_the_laws(judged) -> None:
    asks = "Kan båteieren kreve ni ukers leie i pant?"
    assert judged("Nei, ni uker er for mye: høyst fire uker [lovdata-2].", question=asks).bound.flags == ()
    wrong = judged("Båteieren kan kreve ni ukers båtleie i pant [lovdata-2].", question=asks).bound
    assert [flag.why for flag in wrong.flags] == [FlagReason.QUANTITY]


def test_a_quote_cut_before_its_condition_is_marked_unless_the_answer_has_it(judged) -> None:
    cut = Claim("lovdata-2", "Båteieren kan kreve dekning i pantet")
    (flag,) = judged("Båteieren kan kreve dekning i pantet [lovdata-2].", cut).bound.flags
    assert (flag.why, flag.removed) == (FlagReason.CONDITION, False)
    shown = judged("Båteieren kan kreve dekning i pantet [lovdata-2].", cut).bound.shown(NB)
    assert shown.endswith(NB.conditional)
    assert judged("Båteieren kan kreve dekning i pantet hvis båten er skadet [lovdata-2].", cut).bound.flags == ()
    assert judged("Båteieren kan kreve dekning [lovdata-2]. Det gjelder hvis båten er skadet.", cut).bound.flags == ()


def test_an_excerpt_named_beside_law_does_not_switch_the_checks_off(judged, sources, decisions) -> None:
    (decision,) = decisions
    sources.add(PRACTICE, [decision.model_copy(update={"snippet": "Pantet kan være på høyst ni ukers båtleie."})])
    claims = (CLAIM, Claim("serper-1", "Pantet kan være på høyst ni ukers båtleie"))
    bound = judged("Pantet kan være på høyst ni ukers båtleie [lovdata-2][serper-1].", *claims).bound
    assert [flag.why for flag in bound.flags] == [FlagReason.QUANTITY]


def test_words_of_the_law_get_their_marker_and_are_cited(judged) -> None:
    said = "Pantet kan være på høyst fire ukers båtleie. Låntakeren skal melde fra om skader på båten innen ti dager."
    found = judged(said)
    assert [s.ids for s in found.bound.holding] == [("lovdata-2",), ("lovdata-3",)]
    assert [c.evidence_id for c in found.cited.citations] == ["lovdata-2", "lovdata-3"]


def test_what_states_law_without_a_source_is_set_apart_below_the_answer(judged) -> None:
    bound = judged("Pantet er høyst fire uker [lovdata-2]. Båteieren må ha forsikring.").bound
    assert [s.text for s in bound.apart] == ["Båteieren må ha forsikring."]
    above, below = bound.shown(NB).split(f"# {NB.unsupported}")
    assert "forsikring" not in above and "- Båteieren må ha forsikring." in below


def test_what_is_said_three_times_without_a_source_is_listed_once(judged) -> None:
    bound = judged(f"Pantet er høyst fire uker [lovdata-2].{' Båteieren må ha forsikring.' * 3}").bound
    assert bound.uncited == ("Båteieren må ha forsikring.",)
    assert bound.shown(NB).count("Båteieren må ha forsikring.") == 1
    bound = judged(f"Pantet er høyst fire uker [lovdata-2].{' Pantet er høyst ni uker [lovdata-2].' * 3}").bound
    assert [f.sentence for f in bound.flagged] == ["Pantet er høyst ni uker."]


def test_an_excerpt_proves_no_law_and_hides_no_contradiction(judged, sources, decisions) -> None:
    excerpt = "Retten mente at pantet kan være på høyst ni ukers båtleie, og dekke slep av båten."
    sources.add(PRACTICE, [decisions[0].model_copy(update={"snippet": excerpt})])
    law = "Pantet kan være på høyst fire ukers leie [lovdata-2]."
    quote = Claim("serper-1", excerpt)
    bound = judged(f"{law} Pantet kan dekke slep av båten [serper-1].", CLAIM, quote).bound
    assert [s.text for s in bound.apart] == ["Pantet kan dekke slep av båten."]
    bound = judged(f"{law} Etter praksis kan pantet være på høyst ni ukers båtleie [serper-1].", CLAIM, quote).bound
    assert [f.why for f in bound.flags] == [FlagReason.QUANTITY]


@pytest.mark.parametrize(
    "answer", ["3039", "658", "Ja", "Ja [lovdata-2].", "Høyst fire ukers båtleie", "Her er svaret."]
)
def test_without_one_bound_sentence_there_is_no_answer(judged, answer: str) -> None:
    assert not judged(answer).bound.answers


@pytest.mark.parametrize(
    ("answer", "holds"),
    [
        ("Ja. Båteieren kan kreve pant [lovdata-2].", True),
        ("Nei. Båteieren kan kreve pant [lovdata-2].", False),
        ("Nei, båteieren kan kreve pant [lovdata-2].", False),
        ("Ja, det kan den ikke. Båteieren kan kreve pant [lovdata-2].", False),
        ("Ja. [lovdata-2] Pantet kan være på høyst fire uker [lovdata-2].", True),
        ("**Nei**\n\nBåteieren kan kreve pant [lovdata-2].", False),
        ("**Ja**\n\nBåteieren kan kreve pant [lovdata-2].", True),
        ("- Nei\n- Båteieren kan kreve pant [lovdata-2].", False),
        ("Kort svar: Nei. Båteieren kan kreve pant [lovdata-2].", False),
        ("Båteieren kan kreve pant [lovdata-2]. Svaret er nei.", False),
        ("Båteieren kan kreve pant [lovdata-2]. Svaret er ja.", True),
    ],
)
def test_yes_and_no_fit_the_question_and_the_law(judged, answer: str, holds: bool) -> None:
    quote = Claim("lovdata-2", "Båteieren kan kreve at låntakeren stiller pant.")
    bound = judged(answer, quote, CLAIM, question="Kan båteieren kreve pant?").bound
    assert [f.why for f in bound.flags] == ([] if holds else [FlagReason.NEGATION])


def test_a_verdict_is_told_by_what_is_asked() -> None:
    assert leading("Nei, det er det ikke.") == (False, "det er det ikke.")
    assert leading("Neida") == (None, "Neida")
    assert leading("Svaret er ja, båten kan selges.") == (True, "båten kan selges.")
    assert leading("Jo, det kan den.") == (True, "det kan den.")
    assert leading("No, it may not.") == (False, "it may not.")
    for neither in ("Jo mer du betaler, jo bedre.", "No kan eigaren selje båten.", "Svaret er langt."):
        assert leading(neither) == (None, neither)
    assert expected("Er det forbudt å selge båten?", "Det er forbudt å selge båten.") is True
    assert expected("Kan båten selges?", "Båten kan ikke selges.") is False
    assert expected("Hvem kan selge båten?", "Eieren kan selge båten.") is None
    assert expected("Kan eieren kreve ni uker?", "Eieren kan kreve høyst fire uker.") is None
    assert contradicts_itself("Skal eieren betale?", True, "det kan den")
    assert not contradicts_itself("Kan eieren betale?", False, "det kan den ikke")


FIRST = "Nei, pantet kan ikke være større. Pantet kan være på høyst fire ukers båtleie [lovdata-2]."


@pytest.mark.parametrize(
    ("second", "claims", "same"),
    [
        (FIRST, (CLAIM,), True),
        (f"{FIRST} Det settes på konto [lovdata-2].", (CLAIM, ACCOUNT), True),
        (FIRST.replace("Nei, pantet kan ikke", "Ja, pantet kan"), (CLAIM,), False),
        ("Nei, pantet kan ikke være større.", (CLAIM,), False),
        (FIRST, (ACCOUNT,), False),
    ],
)
def test_a_repair_may_not_change_what_held(judged, second: str, claims: tuple[Claim, ...], same: bool) -> None:
    assert kept(judged(FIRST), judged(second, *claims)) is same


@pytest.mark.parametrize("no", ["Nei.", "**Nei**\n\n", "Svaret er nei.", "Nei, høyst ni ukers pant [lovdata-2]."])
@pytest.mark.parametrize("yes", ["Ja.", "**Ja**\n\n", "Svaret er ja.", ""])
def test_a_no_stays_however_it_is_written(judged, no: str, yes: str) -> None:
    held = "Pantet settes på en konto som ingen av dem rår over alene [lovdata-2]."
    asks = "Kan båteieren rå over pantet alene?"
    old, new = (judged(f"{verdict} {held}", ACCOUNT, question=asks) for verdict in (no, yes))
    assert kept(old, old) and not kept(old, new)


def test_a_repair_may_not_take_away_what_held_by_another_quote(judged) -> None:
    said = "Pantet kan være på høyst fire ukers leie [lovdata-2]."
    assert not kept(judged(said), judged(f"{said.replace('fire', 'ni')}", CLAIM))


def test_a_repair_may_turn_a_no_that_was_flagged(judged) -> None:
    asks = "Kan båteieren kreve pant?"
    quote = Claim("lovdata-2", "Båteieren kan kreve at låntakeren stiller pant.")
    old = judged("Nei. Båteieren kan kreve pant [lovdata-2].", quote, question=asks)
    new = judged("Ja. Båteieren kan kreve pant [lovdata-2].", quote, question=asks)
    assert kept(old, new)
    assert not kept(new, old)
