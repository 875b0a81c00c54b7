"""What is written into a search box beside words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lovsvar_search.core.retrieval.web_syntax import MAX_DEMANDS, Written, read_query


def test_plain_words_are_searched_in_their_order_and_demand_nothing() -> None:
    assert read_query("Kan utleier kreve depositum?") == Written("Kan utleier kreve depositum?")


@pytest.mark.parametrize(
    "quoted", ['"høyst fem"', "“høyst fem”", "„høyst fem“", "«høyst fem»", "»høyst fem«", "‟høyst fem”"]
)
def test_a_phrase_in_quotes_of_any_kind_is_demanded_and_searched_for(quoted: str) -> None:
    assert read_query(f"depositum {quoted} leie") == Written("depositum høyst fem leie", phrases=("høyst fem",))


@pytest.mark.parametrize("query", ['depositum "høyst fem', 'depositum høyst" fem', 'depositum høyst fem"'])
def test_a_quote_that_nothing_closes_demands_nothing(query: str) -> None:
    written = read_query(query)
    assert (written.text.split(), written.phrases) == (["depositum", "høyst", "fem"], ())


@pytest.mark.parametrize("sign", ["-", "−", "–"])
def test_a_word_behind_a_minus_is_excluded_and_not_searched_for(sign: str) -> None:
    assert read_query(f"depositum {sign}garanti leie") == Written("depositum leie", excluded=("garanti",))


def test_a_phrase_behind_a_minus_is_excluded() -> None:
    assert read_query('leie -"høyst fem"') == Written("leie", excluded=("høyst fem",))


@pytest.mark.parametrize(
    "query", ["§ 3-5", "§3-5", "2-4", "§ 2 A-1", "plan- og bygningsloven", "leie -5", "§§ 3-1–3-5", "GPS-sporing"]
)
def test_a_hyphen_in_a_number_or_a_word_excludes_nothing_and_is_kept(query: str) -> None:
    written = read_query(query)
    assert written.excluded == ()
    assert written.text == query.replace(" -5", " 5")


def test_a_dash_between_words_is_no_exclusion() -> None:
    assert read_query("oppsigelse – prøvetid - frist") == Written("oppsigelse prøvetid frist")


def test_words_parted_by_or_are_alternatives() -> None:
    assert read_query("depositum OR garanti leie").alternatives == (("depositum", "garanti"),)
    assert read_query("leie a OR b OR c d OR e").alternatives == (("a", "b", "c"), ("d", "e"))


def test_or_and_and_are_signs_in_capitals_alone() -> None:
    assert read_query("leie AND depositum") == Written("leie depositum", required=("leie", "depositum"))
    assert read_query("leie or depositum and fem") == Written("leie or depositum and fem")
    assert read_query('"OR"') == Written("OR", phrases=("OR",))


@pytest.mark.parametrize(
    ("query", "demanded"),
    [
        ("leie AND depositum AND fem", ("leie", "depositum", "fem")),
        ('leie AND "høyst fem"', ("leie",)),
        ("leie AND depositum OR garanti", ("leie",)),
        ("depositum OR garanti AND leie", ("leie",)),
        ("leie AND -depositum", ()),
        ("AND leie", ()),
        ("leie AND", ()),
    ],
)
def test_words_beside_an_and_are_required(query: str, demanded: tuple[str, ...]) -> None:
    assert read_query(query).required == demanded


@pytest.mark.parametrize(
    "query", ["OR depositum", "depositum OR", "OR", "AND OR AND", "depositum OR OR", "OR -depositum"]
)
def test_an_or_that_parts_nothing_is_passed_over(query: str) -> None:
    assert read_query(query).alternatives == ()


@pytest.mark.parametrize("query", ['"tre år" OR "fem år"', 'frist OR "fem år"', '"tre år" OR frist'])
def test_a_phrase_beside_an_or_is_no_demand(query: str) -> None:
    assert read_query(query).phrases == ()


def test_a_phrase_elsewhere_than_beside_the_or_is_demanded() -> None:
    assert read_query('"tre år" frist OR varsel').phrases == ("tre år",)


def test_a_query_of_exclusions_alone_searches_for_nothing() -> None:
    assert read_query('-depositum -"høyst fem"') == Written("", excluded=("depositum", "høyst fem"))


def test_no_more_demands_are_heeded_than_a_search_can_bear() -> None:
    written = read_query(" ".join(f'"a{n}" -b{n} c{n} OR d{n}' for n in range(50)))
    assert len(written.phrases) == len(written.excluded) == len(written.alternatives) == MAX_DEMANDS


@given(st.lists(st.sampled_from(['"', "-", "OR", "AND", "ord", " ", "«", "§ 3-5", "()", "\n"]), max_size=40))
def test_any_mix_of_signs_is_read(parts: list[str]) -> None:
    written = read_query("".join(parts))
    assert '"' not in written.text
