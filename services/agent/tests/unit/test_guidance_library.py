"""Which explanation belongs to a provision."""

import pytest

from lovsvar_agent.core.guidance.library import LABEL, NO_GUIDANCE, Guidance
from lovsvar_contracts.blocks import plain
from lovsvar_contracts.law import Provision
from lovsvar_legaltext.explanations import Explanation, ledd_texts, text_hash

NB, NN, EN = "Pantet er på høyst fire uker.", "Pantet er på høgst fire veker.", "The pawn is at most four weeks."


@pytest.fixture
def pawn(make_provision) -> Provision:
    return make_provision("Pantet er på høyst fire uker.", "Det settes på konto.", "Renter følger det.", section="§3-2")


def explaining(provision: Provision, *ledd: int, **words: str) -> Guidance:
    texts = ledd_texts(provision.blocks)
    hashed = text_hash(texts[number] for number in ledd)
    return Guidance([Explanation(provision.refid, provision.section, ledd, hashed, words or {"nb": NB})])  # type: ignore[arg-type]


def test_a_provision_is_explained_in_words_that_are_said_to_be_no_law(pawn) -> None:
    found = explaining(pawn, 1, 2).explanation(pawn, "lovdata-7", "nb")
    assert found is not None
    assert (found.evidence_id, found.ledd, found.words) == ("lovdata-7", (1, 2), plain(NB))
    assert found.label == "Forklart av Lovsvar, ikke lovtekst"


@pytest.mark.parametrize(("language", "words"), [("nb", NB), ("nn", NN), ("en", EN)])
def test_it_is_explained_in_the_questions_language(pawn, language, words: str) -> None:
    found = explaining(pawn, 1, nb=NB, nn=NN, en=EN).explanation(pawn, "lovdata-1", language)
    assert found is not None
    assert (found.label, found.words) == (LABEL[language], plain(words))


@pytest.mark.parametrize("language", ["nn", "en"])
def test_what_is_not_explained_in_that_language_is_explained_in_bokmal(pawn, language) -> None:
    found = explaining(pawn, 1).explanation(pawn, "lovdata-1", language)
    assert found is not None
    assert (found.label, found.words) == (LABEL[language], plain(NB))


def test_when_the_explained_text_changes_its_explanation_is_not_shown(pawn, make_provision) -> None:
    guidance = explaining(pawn, 1, 2)
    for changed in (
        make_provision("Pantet er på høyst fem uker.", "Det settes på konto.", section="§3-2"),
        make_provision("Pantet er på høyst fire uker.", "Det settes ikke på konto.", section="§3-2"),
        make_provision("Pantet er på høyst fire uker.", section="§3-2"),
        make_provision("", section="§3-2"),
    ):
        assert guidance.explanation(changed, "lovdata-1", "nb") is None


def test_a_change_of_other_ledd_or_of_white_space_leaves_it(pawn, make_provision) -> None:
    other = make_provision("Pantet  er på høyst fire uker.", "Det settes på bok.", section="§3-2")
    assert explaining(pawn, 1).explanation(other, "lovdata-1", "nb") is not None


def test_a_changed_list_item_is_a_change_of_its_ledd(make_provision) -> None:
    def with_item(item: str) -> Provision:
        return make_provision(("Pantet dekker", ["skader,", item]), section="§3-2")

    guidance = explaining(with_item("leie."), 1)
    assert guidance.explanation(with_item("leie."), "lovdata-1", "nb") is not None
    assert guidance.explanation(with_item("drivstoff."), "lovdata-1", "nb") is None


def test_another_provision_is_not_explained(pawn, make_provision) -> None:
    guidance = explaining(pawn, 1)
    texts = [block.text for block in pawn.blocks]
    assert guidance.explanation(make_provision(*texts, section="§3-3"), "lovdata-1", "nb") is None
    assert guidance.explanation(make_provision(*texts, section="§3-2", refid="lov/1"), "lovdata-1", "nb") is None


def test_the_ledd_that_are_explained_are_known_by_the_section_however_it_is_written(pawn) -> None:
    guidance = explaining(pawn, 1, 3)
    for section in ("§3-2", "§ 3-2"):
        assert guidance.explained_ledd(pawn.refid, section) == (1, 3)
    assert guidance.explained_ledd(pawn.refid, "§3-3") == ()


def test_a_system_without_guidance_explains_nothing(pawn) -> None:
    assert NO_GUIDANCE.explanation(pawn, "lovdata-1", "nb") is None
    assert NO_GUIDANCE.explained_ledd(pawn.refid, pawn.section) == ()
