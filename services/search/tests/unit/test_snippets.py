"""Cutting snippets."""

from hypothesis import given
from hypothesis import strategies as st

from lovsvar_search.adapters.retrieval.tantivy_documents import text_analyzer
from lovsvar_search.core.law.analysis import NORWEGIAN
from lovsvar_search.core.retrieval.snippets import MAX_SNIPPET, cut_snippet, mark_words

LEDD = ("Leieren betaler hver måned.", "Utleier kan kreve depositum av leieren.", "Depositum står på en konto.")
TEXT = "\n".join(LEDD)
STARTS = (0, len(LEDD[0]) + 1, len(LEDD[0]) + len(LEDD[1]) + 2)


def test_the_ledd_with_the_heaviest_words_is_shown() -> None:
    pattern = ["utlei", "depositum"]
    snippet = cut_snippet(TEXT, pattern, {"utlei": 2.0, "depositum": 5.0}, STARTS)
    assert (snippet.text, snippet.part) == (LEDD[1], 2)


def test_of_equal_ledd_the_first_is_shown() -> None:
    assert cut_snippet(TEXT, ["depositum"], {}, STARTS).part == 2


def test_without_a_match_the_beginning_is_shown_and_no_ledd_is_named() -> None:
    snippet = cut_snippet(TEXT, ["fiske"], {}, STARTS)
    assert snippet.part is None
    assert snippet.text.startswith(LEDD[0])
    assert cut_snippet(TEXT, [], {}, STARTS) == snippet


def test_a_match_deep_in_a_long_text_is_shown_with_whole_words_around_it() -> None:
    text = "ord " * 1_000 + "depositum " + "etter " * 1_000
    snippet = cut_snippet(text, ["depositum"], {}).text
    assert "depositum" in snippet
    assert len(snippet) <= MAX_SNIPPET
    assert set(snippet.split()) == {"ord", "depositum", "etter", "…"}


def test_the_window_with_most_of_the_words_is_chosen() -> None:
    text = "depositum " + "x " * 600 + "depositum hos utleier " + "y " * 600
    assert "utleier" in cut_snippet(text, ["depositum", "utleier"], {}).text


def test_words_match_by_their_beginning_alone() -> None:
    assert cut_snippet("Fremleie er noe annet.\nLeieavtalen gjelder.", ["leie"], {}, (0, 23)).part == 2


def test_of_stems_that_begin_one_word_the_longest_counts() -> None:
    weights = {"leie": 1.0, "leieavtal": 9.0}
    assert cut_snippet("Leie og leie.\nLeieavtalen.", weights, weights, (0, 14)).part == 2


def test_letters_that_grow_in_lower_case_leave_matches_in_their_place() -> None:
    text = "İİİ " * 100 + "depositum"
    assert cut_snippet(text, ["depositum"], {}).text.endswith("depositum")


def test_where_no_word_matches_the_ledd_nearest_in_meaning_is_shown() -> None:
    snippet = cut_snippet(TEXT, ["fiske"], {}, STARTS, nearest=3)
    assert (snippet.text, snippet.part) == (LEDD[2], 3)
    assert cut_snippet(TEXT, (), {}, STARTS, nearest=1).text == LEDD[0]


def test_where_a_word_matches_it_decides_over_meaning() -> None:
    assert cut_snippet(TEXT, ["konto"], {}, STARTS, nearest=1).part == 3


def test_a_nearest_ledd_that_the_text_does_not_have_is_not_shown() -> None:
    assert cut_snippet(TEXT, (), {}, STARTS, nearest=9).part is None


def test_a_snippet_knows_which_stems_match_in_its_text_the_longest_of_those_that_begin_one_word() -> None:
    assert cut_snippet(TEXT, ["depositum", "depo", "fiske"], {}, STARTS).stems == {"depositum"}


def marked(text: str, *words: str) -> list[str]:
    analyze = text_analyzer(NORWEGIAN).analyze
    terms = [term for word in words for term in analyze(word)]
    marks = mark_words(text, terms, terms=frozenset(terms), analyze=analyze)
    return [text[start:end] for start, end in marks]


def test_matching_words_are_marked_whole_in_any_inflection_and_case() -> None:
    text = "Utleieren kan kreve DEPOSITUM. Utleierens depositumet."
    assert marked(text, "utleier", "depositum") == ["Utleieren", "DEPOSITUM", "Utleierens", "depositumet"]


def test_a_word_that_only_begins_as_a_matching_one_does_is_not_marked() -> None:
    assert marked("Fristilling og frist, fristen og fristed.", "frist") == ["frist", "fristen"]


def test_where_nothing_matches_nothing_is_marked() -> None:
    assert marked("Leien betales hver måned.", "depositum") == marked("Leien betales.") == []


@given(
    st.text(st.characters(codec="utf-8"), max_size=3_000),
    st.lists(st.text(min_size=1, max_size=8), max_size=5),
    st.lists(st.integers(0, 3_000), max_size=5),
)
def test_a_snippet_is_never_too_long_and_never_fails(text: str, stems: list[str], starts: list[int]) -> None:
    begins = sorted({start for start in starts if start < len(text)})
    assert len(cut_snippet(text, stems, {}, begins).text) <= MAX_SNIPPET


@given(st.text(st.characters(categories=["L", "N"]), max_size=5_000))
def test_a_text_of_one_endless_word_is_cut_all_the_same(text: str) -> None:
    assert len(cut_snippet(text, (), {}).text) <= MAX_SNIPPET
