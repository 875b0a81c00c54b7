"""The curated files that are shipped: everyday words and nynorsk forms."""

import html
import re
import tarfile
from collections import Counter
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from pathlib import Path

import pytest

from lovsvar_contracts.ingest import DATASET_LAWS, DATASET_REGULATIONS
from lovsvar_search.adapters.retrieval.tantivy_documents import text_analyzer
from lovsvar_search.app import load_lexicon
from lovsvar_search.core.law.analysis import NORWEGIAN, spoken_words
from lovsvar_search.core.law.lexicon import LONGEST, Pair, parse_everyday_words, parse_nynorsk

analyze = text_analyzer(NORWEGIAN).analyze


def data(name: str) -> str:
    return files("lovsvar_search").joinpath("data", name).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def pairs() -> tuple[Pair, ...]:
    return parse_everyday_words(data("everyday_words.tsv"))


@pytest.fixture(scope="module")
def variants() -> tuple[tuple[str, str], ...]:
    return parse_nynorsk(data("nynorsk.tsv"))


def test_there_are_everyday_words_enough_in_norwegian_and_in_english(pairs: tuple[Pair, ...]) -> None:
    languages = Counter(pair.lang for pair in pairs)
    assert languages["nb"] + languages["nn"] >= 1_500
    assert languages["nn"] >= 100
    assert languages["en"] >= 1_000


def test_no_pair_of_everyday_words_stands_twice_however_it_is_written(pairs: tuple[Pair, ...]) -> None:
    written = Counter((p.lang, spoken_words(p.everyday).all, spoken_words(p.legal).all) for p in pairs)
    assert [pair for pair, times in written.items() if times > 1] == []


def test_every_everyday_word_has_a_weight_in_range_and_a_length_that_is_looked_for(pairs: tuple[Pair, ...]) -> None:
    assert [pair for pair in pairs if not 0.2 <= pair.weight <= 1.0] == []
    assert [pair for pair in pairs if not 1 <= len(spoken_words(pair.everyday).all) <= LONGEST] == []


def test_every_everyday_word_leads_to_a_word_that_the_index_keeps(pairs: tuple[Pair, ...]) -> None:
    assert [pair for pair in pairs if not analyze(pair.legal)] == []


def test_every_everyday_word_is_found_by_the_lexicon_as_a_question_says_it(pairs: tuple[Pair, ...]) -> None:
    lexicon = load_lexicon()
    for pair in pairs:
        meanings, _ = lexicon.meanings(spoken_words(pair.everyday).all, english=pair.lang == "en")
        assert set(analyze(pair.legal)) <= set(meanings), pair


def test_both_sides_of_a_nynorsk_pair_beside_everyday_words_are_one_stem_each_and_not_the_same(
    variants: tuple[tuple[str, str], ...],
) -> None:
    stems = {pair: (analyze(pair[0]), analyze(pair[1])) for pair in variants}
    assert [
        pair for pair, (ours, theirs) in stems.items() if len(ours) != 1 or len(theirs) != 1 or ours == theirs
    ] == []
    assert len(variants) >= 300
    assert [pair for pair, times in Counter(variants).items() if times > 1] == []


@pytest.fixture(scope="module")
def corpus_terms() -> Callable[[Path], frozenset[str]]:
    """Reads the terms of every current act and regulation, once."""

    @cache
    def read(archives: Path) -> frozenset[str]:
        words: set[str] = set()
        for name in (DATASET_LAWS, DATASET_REGULATIONS):
            with tarfile.open(archives / f"{name}.tar.bz2") as archive:
                for member in archive:
                    if file := archive.extractfile(member):
                        text = html.unescape(re.sub("<[^>]*>", " ", file.read().decode()))
                        words.update(re.findall(r"\w+", text.casefold()))
        return frozenset(term for word in words for term in analyze(word))

    return read


def test_every_word_that_everyday_words_lead_to_stands_in_the_corpus(
    archives: Path, corpus_terms: Callable[[Path], frozenset[str]], pairs: tuple[Pair, ...]
) -> None:
    known = corpus_terms(archives)
    assert [pair for pair in pairs if not known.issuperset(analyze(pair.legal))] == []


def test_every_nynorsk_form_beside_everyday_words_stands_in_the_corpus(
    archives: Path, corpus_terms: Callable[[Path], frozenset[str]], variants: tuple[tuple[str, str], ...]
) -> None:
    known = corpus_terms(archives)
    assert [pair for pair in variants if not known.issuperset(analyze(pair[1]))] == []
