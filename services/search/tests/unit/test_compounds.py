"""Compounds, with a vocabulary that is made up."""

from collections.abc import Callable

import pytest

from lovsvar_search.adapters.retrieval.tantivy_documents import text_analyzer
from lovsvar_search.core.catalogues.languages import analyzer_of
from lovsvar_search.core.law.analysis import NORWEGIAN
from lovsvar_search.core.retrieval.analysis import Compounds, Vocabulary
from lovsvar_search.core.retrieval.compounds import CompoundWords, WordList, put_together, take_apart

MakeVocabulary = Callable[..., Vocabulary]
COMMON, KNOWN, RARE = Compounds().common, Compounds().known, Compounds().rare


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("oppsigelsesfrist", {"oppsigelse": 300, "frist": 900}),
        ("taushetsplikt", {"taushet": 60, "plikt": 2_000}),
        ("depositumskonto", {"depositum": 40, "konto": 150}),
        ("barnebidrag", {"barn": 900, "bidrag": 300}),
        ("leieavtale", {"leie": 200, "avtale": 900}),
    ],
)
def test_a_compound_is_taken_apart_with_or_without_a_linking_letter(
    vocabulary: MakeVocabulary, word: str, parts: dict[str, int]
) -> None:
    assert take_apart(word, vocabulary(**parts)) == tuple(vocabulary().analyze(" ".join(parts)))


@pytest.mark.parametrize("word", ["undervisning", "gjennomføring", "oppsigelser", "overskrift", "mellommann"])
def test_small_words_that_begin_or_end_many_others_are_no_parts(vocabulary: MakeVocabulary, word: str) -> None:
    common = ("under", "visning", "gjennom", "føring", "oppsig", "elser", "over", "skrift", "mellom", "mann")
    assert take_apart(word, vocabulary(**dict.fromkeys(common, 5_000))) == ()


def test_a_word_without_end_is_left_whole(vocabulary: MakeVocabulary) -> None:
    class Counting:
        """Counts how often it is asked."""

        asked = 0
        items = 1_000
        analyzer = NORWEGIAN
        analyze = staticmethod(vocabulary().analyze)

        def frequency(self, term: str) -> int:
            self.asked += 1
            return 900

    words = Counting()
    assert take_apart("taushetsplikt" * 300, words) == ()
    assert words.asked <= 1


def test_a_word_that_the_corpus_often_uses_is_left_whole(vocabulary: MakeVocabulary) -> None:
    parts = {"arbeid": 5_000, "giver": 500}
    assert take_apart("arbeidsgiver", vocabulary(**parts, arbeidsgiver=RARE))
    assert take_apart("arbeidsgiver", vocabulary(**parts, arbeidsgiver=RARE + 1)) == ()


def test_parts_that_the_corpus_seldom_uses_are_none(vocabulary: MakeVocabulary) -> None:
    assert take_apart("depositumskonto", vocabulary(depositum=COMMON, konto=COMMON))
    assert take_apart("depositumskonto", vocabulary(depositum=COMMON, konto=COMMON - 1)) == ()


def test_of_several_cuts_the_one_whose_rarer_part_is_commonest_is_taken(vocabulary: MakeVocabulary) -> None:
    words = vocabulary(konkurs=300, bobestyrer=40, konkursbo=60, bestyrer=200)
    assert take_apart("konkursbobestyrer", words) == tuple(words.analyze("konkursbo bestyrer"))


@pytest.mark.parametrize("word", ["", "leie", "12345678901", "xp10x15", "abcdabc"])
def test_short_words_and_numbers_are_left_whole(vocabulary: MakeVocabulary, word: str) -> None:
    assert take_apart(word, vocabulary(abcd=900, abc=900)) == ()


@pytest.mark.parametrize("words", [("prøvetid", "oppsigelse"), ("oppsigelse", "frist"), ("barn", "bidrag")])
def test_neighbours_are_put_together_when_the_corpus_knows_the_compound(
    vocabulary: MakeVocabulary, words: tuple[str, str]
) -> None:
    known = vocabulary(prøvetidsoppsigelse=KNOWN, oppsigelsesfrist=KNOWN, barnebidrag=KNOWN)
    assert len(list(put_together(words, known))) == 1
    assert list(put_together(words[::-1], known)) == []


def test_a_compound_that_the_corpus_hardly_has_is_not_put_together(vocabulary: MakeVocabulary) -> None:
    assert list(put_together(["oppsigelse", "frist"], vocabulary(oppsigelsesfrist=KNOWN - 1))) == []


def test_words_that_do_not_stand_side_by_side_or_are_short_are_not_put_together(vocabulary: MakeVocabulary) -> None:
    known = vocabulary(oppsigelsesfrist=900, lovbrudd=900)
    assert list(put_together(["oppsigelse", "og", "frist"], known)) == []
    assert list(put_together(["lov", "brudd"], known)) == []


DUTCH = (
    "rugpijn rugklachten nekklachten klachten pijn verzuim begeleiding verzuimbegeleiding leiding werkplek onderzoek"
)


def dutch(words: str = DUTCH, language: str = "nl") -> CompoundWords:
    analyzer = analyzer_of(language)
    return CompoundWords(WordList(words.split(), analyzer, text_analyzer(analyzer).analyze))


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("rugklachten", ("rug", "klachten")),
        ("rugklacht", ("rug", "klacht")),
        ("werkplekonderzoek", ("werkplek", "onderzoek")),
        ("verzuimbegeleidingsonderzoek", ("verzuimbegeleiding", "onderzoek", "verzuim", "begeleiding")),
        ("begeleiding", ()),
        ("klachten", ()),
        ("nekklachten", ()),
        ("rug", ()),
        ("rug-klachten", ()),
    ],
)
def test_the_words_of_a_collection_take_its_compounds_apart(word: str, parts: tuple[str, ...]) -> None:
    assert dutch().parts(word) == parts


def test_a_beginning_that_is_no_word_is_a_part_where_it_begins_several_compounds() -> None:
    assert dutch("rugpijn pijn rugklachten klachten").parts("rugpijn") == ("rug", "pijn")
    assert dutch("rugpijn pijn").parts("rugpijn") == ()


def test_parts_are_added_to_a_query_but_not_those_of_words_of_asking() -> None:
    compounds = dutch()
    assert compounds.explain(["welke", "rugklachten"]).terms.keys() == {"rug", "klacht"}
    assert compounds.variants("rug") == ()
    assert compounds.parts_in(["Rugklachten, en rugpijn."]) == "rug klachten rug pijn"


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_language_that_writes_words_apart_has_no_compounds(language: str) -> None:
    assert dutch("back pain backpain", language).parts("backpain") == ()
