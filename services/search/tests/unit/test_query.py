"""From a question to what is searched."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lovsvar_legaltext.act_names import ActNames
from lovsvar_search.adapters.retrieval.tantivy_documents import text_analyzer
from lovsvar_search.app import load_ranker
from lovsvar_search.core.law.analysis import NORWEGIAN, section_word
from lovsvar_search.core.law.collection import DEFINES, law_collection
from lovsvar_search.core.law.lexicon import FOREIGN, Lexicon
from lovsvar_search.core.retrieval.analysis import Vocabulary
from lovsvar_search.core.retrieval.query import MAX_ADDED, MAX_TERMS, QueryPlan, Word, plan_query

MakeVocabulary = Callable[..., Vocabulary]
HUSLEIE, ARBEID = "lov/1999-03-26-17", "lov/2005-06-17-62"


@pytest.fixture
def plan(names: ActNames, vocabulary: MakeVocabulary, lexicon: Lexicon) -> Callable[..., QueryPlan]:
    law = law_collection(lexicon, load_ranker())

    def plan(text: str, **frequencies: int) -> QueryPlan:
        return plan_query(text, vocabulary(**frequencies), law, names)

    return plan


def own(plan: QueryPlan) -> list[str]:
    return [form for word in plan.words[: plan.own] for form in word.forms]


def added(plan: QueryPlan) -> dict[str, float]:
    return {word.forms[0]: word.weight for word in plan.words[plan.own :]}


Plan = Callable[..., QueryPlan]


def test_terms_are_stems_without_words_of_asking(plan: Plan) -> None:
    planned = plan("Hvor mye kan utleieren kreve i depositum?")
    assert planned.terms == ("utlei", "krev", "depositum")
    assert (planned.groups, planned.items) == ((), ())


def test_a_word_said_twice_is_searched_once(plan: Plan) -> None:
    assert own(plan("depositum depositumet DEPOSITUM")) == ["depositum"]


def test_a_reference_in_the_query_names_its_provision_and_act(plan: Plan) -> None:
    planned = plan("husll § 3-5")
    assert planned.groups == (HUSLEIE,)
    assert (HUSLEIE, "§3-5") in planned.items


@pytest.mark.parametrize("query", ["§ 3-5 i husleieloven", "husleieloven § 3-5 depositum", "hva sier husll. §3-5?"])
def test_a_reference_is_read_wherever_it_stands(plan: Plan, query: str) -> None:
    assert plan(query).items[0] == (HUSLEIE, "§3-5")


def test_a_section_number_without_an_act_is_searched_as_one_word(plan: Plan) -> None:
    assert own(plan("hva sier § 3-5")) == [section_word("3-5")]


def test_the_name_of_an_act_is_not_searched_as_words_when_something_else_is_said(plan: Plan) -> None:
    planned = plan("aml prøvetid oppsigelse")
    assert planned.groups == (ARBEID,)
    assert own(planned) == text_analyzer(NORWEGIAN).analyze("prøvetid oppsigelse")


def test_the_name_of_an_act_is_searched_as_words_when_nothing_else_is_said(plan: Plan) -> None:
    assert plan("Hva sier aml?").words
    assert plan("husleieloven").words


def test_an_everyday_word_brings_the_laws_word_with_less_weight_than_the_askers_own(plan: Plan) -> None:
    planned = plan("kan huseier nekte", huseier=5, nekte=900)
    assert own(planned) == text_analyzer(NORWEGIAN).analyze("huseier nekte")
    assert 0 < added(planned)["utlei"] < min(word.weight for word in planned.words[: planned.own])


def test_a_word_of_the_law_that_the_asker_used_is_not_added_once_more(plan: Plan) -> None:
    assert "utlei" not in added(plan("huseier utleier"))


def test_the_parts_of_a_compound_are_added_with_less_weight_than_the_compound(plan: Plan) -> None:
    planned = plan("oppsigelsesfrist", oppsigelsesfrist=9, oppsigelse=300, frist=900)
    assert set(added(planned)) == set(text_analyzer(NORWEGIAN).analyze("oppsigelse frist"))
    assert max(added(planned).values()) < planned.words[0].weight


def test_of_a_question_what_a_term_means_the_term_alone_is_searched(plan: Plan) -> None:
    asked, other = plan("Hva betyr depositum?"), plan("Når betyr depositum noe?")
    assert (asked.field, [word.forms[0] for word in asked.asked]) == (DEFINES, ["depositum"])
    assert not other.field


def test_what_may_be_pasted_from_the_law_is_looked_for_word_for_word(plan: Plan) -> None:
    pasted = plan("depositum skal settes inn på konto")
    assert pasted.run == ("depositum", "", "sett", "", "", "konto")
    assert pasted.run in pasted.pairs
    assert plan("depositum").run == plan("Skal depositum settes inn på konto?").run == ()


def test_neighbours_that_make_a_compound_are_searched_as_one_too(plan: Plan) -> None:
    assert list(added(plan("oppsigelse frist", oppsigelsesfrist=9))) == text_analyzer(NORWEGIAN).analyze(
        "oppsigelsesfrist"
    )


def test_a_word_is_searched_in_both_written_forms(plan: Plan) -> None:
    both = set(text_analyzer(NORWEGIAN).analyze("husleie husleige"))
    assert set(plan("husleige").words[0].forms) == set(plan("husleie").words[0].forms) == both
    assert len(both) == 2


def test_a_word_that_nobody_knows_is_looked_for_one_letter_off_with_less_weight(plan: Plan) -> None:
    mistyped, known = plan("depostium leie", leie=900).words[:2]
    assert (mistyped.mistyped, known.mistyped) == (True, False)
    assert mistyped.weight < known.weight


@pytest.mark.parametrize("query", ["abcd", "abc123def", "12345678", "huseier", "husleige", "§ 99-99", "x" * 300])
def test_short_words_numbers_and_everyday_words_are_no_typing_errors(plan: Plan, query: str) -> None:
    assert not any(word.mistyped for word in plan(query, husleie=9).words)


def test_the_words_of_an_english_question_weigh_less_than_what_they_mean(plan: Plan) -> None:
    planned = plan("what can my landlord do", landlord=3)
    assert planned.words[0] == Word(("landlord",), FOREIGN)
    assert added(planned)["utlei"] > FOREIGN


def test_english_is_taken_for_english_only_when_the_query_may_be(plan: Plan) -> None:
    assert "utlei" in added(plan("landlord"))
    assert "utlei" not in added(plan("hva er en landlord og hvem er det"))
    assert "utlei" not in added(plan("is the huseier right"))


def test_alternatives_are_one_word_of_which_the_best_form_counts(plan: Plan) -> None:
    planned = plan("depositum OR garanti leie", depositum=9, garanti=9, leie=9)
    assert [set(word.forms) for word in planned.words[: planned.own]] == [
        set(text_analyzer(NORWEGIAN).analyze("depositum garanti")),
        set(text_analyzer(NORWEGIAN).analyze("leie")),
    ]


def test_phrases_and_exclusions_are_runs_of_terms(plan: Plan) -> None:
    planned = plan('"kreve depositum" -garantien -"høyst fem"')
    assert planned.phrases == (("krev", "depositum"),)
    assert planned.excluded == (("garanti",), ("høyst", "fem"))
    assert "garanti" not in planned.terms


@pytest.mark.parametrize("quoted", ["«innen rimelig tid»", '"innen rimelig tid"', "“innen rimelig tid”"])
def test_what_is_quoted_beside_a_section_is_searched_and_not_demanded(plan: Plan, quoted: str) -> None:
    for query in (f"husleieloven § 3-5 {quoted}", f"{quoted} husll. § 3-5", f"«husleieloven § 3-5» {quoted}"):
        planned = plan(query)
        assert (planned.phrases, planned.items[0]) == ((), (HUSLEIE, "§3-5"))
        assert own(planned) == text_analyzer(NORWEGIAN).analyze("innen rimelig tid")
    assert plan(f"husleieloven {quoted}").phrases == (tuple(text_analyzer(NORWEGIAN).analyze("innen rimelig tid")),)


def test_a_word_that_the_index_drops_leaves_its_place_in_a_phrase(plan: Plan) -> None:
    assert plan('"depositum på høyst"').phrases == (("depositum", "", "høyst"),)
    assert plan('"på depositum og"').phrases == (("depositum",),)
    assert plan('"og på"').phrases == ()


def test_a_section_number_in_a_phrase_is_one_word(plan: Plan) -> None:
    assert plan('"§ 3-5 gjelder"').phrases == ((section_word("3-5"), "gjeld"),)


def test_a_query_of_exclusions_alone_asks_for_nothing(plan: Plan) -> None:
    assert plan("-depositum -garanti").empty


def test_an_endless_query_is_cut_to_a_bounded_number_of_terms(plan: Plan) -> None:
    planned = plan(" ".join(f"ord{n}" for n in range(3_000)))
    assert planned.own == MAX_TERMS
    assert len(planned.words) <= MAX_TERMS + MAX_ADDED


@pytest.mark.parametrize("text", ["", "   ", "!!! ???", "😀", "\x00\x01", "\ud800", '"', "^~*(){}[]"])
def test_a_query_without_words_asks_for_nothing(plan: Plan, text: str) -> None:
    assert plan(text).empty


def test_a_word_that_a_great_many_sections_use_is_passed_over_when_others_tell_more(plan: Plan) -> None:
    known = {"krav": 17_000, "rømningsvei": 116, "bygg": 1_900}
    assert plan("krav til rømningsvei i bygg", **known).terms == ("rømningsvei", "bygg")
    assert plan("krav til rømningsvei", **known).terms == ("krav", "rømningsvei")


class Nothing:
    """A vocabulary of an empty corpus."""

    items, analyzer = 0, NORWEGIAN

    def analyze(self, text: str) -> list[str]:
        return text_analyzer(NORWEGIAN).analyze(text)

    def frequency(self, term: str) -> int:
        return 0


@given(st.text(st.characters(), max_size=500))
def test_no_query_makes_it_fail(text: str) -> None:
    lexicon = Lexicon([], [], text_analyzer(NORWEGIAN).analyze)
    plan_query(text, Nothing(), law_collection(lexicon, load_ranker()), ActNames([]))
