"""Other words for what people write."""

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from string import ascii_lowercase

import pytest
import snowballstemmer

from lovsvar_search.core.law.lexicon import (
    BadLexicon,
    Lexicon,
    Pair,
    english_stem,
    parse_everyday_words,
    parse_nynorsk,
)


@pytest.fixture
def hasty_threads() -> Iterator[None]:
    """Threads that take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def meanings(lexicon: Lexicon, text: str, *, english: bool = False) -> dict[str, float]:
    return lexicon.meanings(text.split(), english=english)[0]


def test_a_line_is_a_language_an_everyday_expression_the_laws_word_and_a_weight() -> None:
    text = "# a comment\n\nnb\thuseier\tutleier\t0.7\n\tnot read\t\n".replace("\tnot read\t\n", "")
    assert parse_everyday_words(text) == (Pair("nb", "huseier", "utleier", 0.7),)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("nb\thuseier\tutleier", "columns"),
        ("nb\thuseier\tutleier\t0.7\tmer", "columns"),
        ("nb\t\tutleier\t0.7", "columns"),
        ("nb huseier utleier 0.7", "columns"),
        ("sv\thuseier\tutleier\t0.7", "'sv'"),
        ("nb\thuseier\tutleier\tmye", "'mye'"),
        ("nb\thuseier\tutleier\t0.1", "0.2 to 1.0"),
        ("nb\thuseier\tutleier\t1.1", "0.2 to 1.0"),
        ("nb\thuseier\tutleier\tnan", "'nan'"),
        ("nb\ten to tre fire fem\tutleier\t0.7", "words a side"),
        ("nb\thuseier\ten to tre fire fem\t0.7", "words a side"),
        ("nb\t?!\tutleier\t0.7", "words a side"),
        ("nb\tHusvert\tUtleier\t0.5", "stands twice"),
    ],
)
def test_a_line_that_breaks_the_format_is_named_with_what_is_wrong(line: str, said: str) -> None:
    with pytest.raises(BadLexicon, match=f"line 3: .*{said}"):
        parse_everyday_words(f"# comment\nnb\thusvert\tutleier\t0.5\n{line}\n")


@pytest.mark.parametrize("line", ["ikke", "ikke\t", "ikke\tikkje\tmer"])
def test_a_line_of_nynorsk_that_breaks_the_format_is_named(line: str) -> None:
    with pytest.raises(BadLexicon, match="line 2: 2 columns"):
        parse_nynorsk(f"første\tfyrste\n{line}\n")


def test_an_everyday_word_means_the_laws_in_any_inflection(lexicon: Lexicon) -> None:
    assert meanings(lexicon, "huseieren") == meanings(lexicon, "huseier") == {"utlei": 0.7}
    assert meanings(lexicon, "utleier") == {}


def test_the_longest_expression_counts_and_its_words_do_not_mean_anything_else(lexicon: Lexicon) -> None:
    assert meanings(lexicon, "kaste ut") == {"fravik": 0.9}
    assert meanings(lexicon, "kaste søppel") == {"avfall": 0.5}
    assert meanings(lexicon, "kaste kaste ut") == {"avfall": 0.5, "fravik": 0.9}


def test_stop_words_inside_an_expression_must_stand(lexicon: Lexicon) -> None:
    assert set(meanings(lexicon, "syk på jobb")) == {"sykefravær"}
    assert meanings(lexicon, "syk jobb") == meanings(lexicon, "syk av jobb") == {}


def test_an_expression_with_a_hyphen_is_found_as_questions_are_taken_apart(lexicon: Lexicon) -> None:
    assert set(meanings(lexicon, "el sykkel")) == {"elektrisk", "motorvogn"}
    assert meanings(lexicon, "el") == {}
    assert set(meanings(lexicon, "neighbour s tree", english=True)) == {"nabo"}


def test_each_word_of_a_phrase_of_the_law_weighs_less_than_the_phrase(lexicon: Lexicon) -> None:
    assert meanings(lexicon, "el sykkel")["motorvogn"] == pytest.approx(0.8 / 2**0.5)


def test_what_was_said_is_told_by_place(lexicon: Lexicon) -> None:
    assert lexicon.meanings(["vil", "huseier", "kaste", "ut", "oss"], english=False)[1] == {1, 2, 3}


def test_english_is_looked_up_in_english_alone_and_in_any_inflection(lexicon: Lexicon) -> None:
    assert meanings(lexicon, "landlords rent increases", english=True) == {"utlei": 1.0, "leieregulering": 0.9}
    assert meanings(lexicon, "tax", english=True) == {"skatt": 1.0}
    assert meanings(lexicon, "landlord") == meanings(lexicon, "huseier", english=True) == {}


def test_nynorsk_and_bokmaal_are_variants_of_each_other(lexicon: Lexicon) -> None:
    bokmaal, nynorsk = lexicon.term("husleie"), lexicon.term("husleige")
    assert bokmaal != nynorsk
    assert (lexicon.variants(bokmaal), lexicon.variants(nynorsk)) == ((nynorsk,), (bokmaal,))
    assert lexicon.variants("depositum") == ()


def test_the_heavier_of_two_pairs_counts() -> None:
    pairs = [Pair("nb", "bot", "forelegg", 0.4), Pair("nn", "bota", "forelegg", 0.8)]
    lexicon = Lexicon(pairs, [], lambda text: [text.removesuffix("a")])
    assert meanings(lexicon, "bot") == {"forelegg": 0.8}


@pytest.mark.usefixtures("hasty_threads")
def test_queries_that_are_read_at_once_have_the_stems_that_they_have_alone() -> None:
    # Each in words that no other has, since a stem that was found once is remembered.
    queries = [[f"{first}{second}tenancies" for second in ascii_lowercase] for first in ascii_lowercase]
    with ThreadPoolExecutor(4) as pool:
        stems = list(pool.map(lambda words: [english_stem(word) for word in words], queries))
    alone = snowballstemmer.stemmer("english")
    assert stems == [alone.stemWords(query) for query in queries]
