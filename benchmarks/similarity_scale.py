"""The points of an embedder's scales: the median cosines of what is unrelated, and of what belongs together.

    uv run python benchmarks/similarity_scale.py --source FOLDER [--pairs N] [--json]

The embedder is the one that `LOVSVAR_EMBEDDING` and its like name; FOLDER holds `gjeldende-lover.tar.bz2` and
`gjeldende-sentrale-forskrifter.tar.bz2`. Questions are the shipped everyday ones. Two questions belong together when
they are in one language and have the same first provision; a question and a passage do when the passage is the nearest
of that provision. What is unrelated is of different acts. The medians go into the model's `SimilarityScales`, or into
`LOVSVAR_EMBEDDING_POINTS`.
"""

import argparse
import asyncio
import json
import random
import statistics
from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from itertools import groupby
from pathlib import Path

import numpy as np
from embedding import read_sections
from numpy.typing import NDArray

from lovsvar_embedder.choice import make_embedder
from lovsvar_embedder.embedder import Embedder, Vector
from lovsvar_embedder.settings import EmbedderSettings
from lovsvar_ingest.adapters.everyday_files import read_everyday
from lovsvar_ingest.core.everyday import EverydayQuestion
from lovsvar_ingest.core.passages import cut_section

BATCH = 64

Pair = tuple[str, str]
Place = tuple[str, str]
Unit = NDArray[np.float64]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--source", type=Path, required=True, help="folder with the two archives")
    parser.add_argument("--pairs", type=int, default=300, help="how many pairs of each kind")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    embedder = make_embedder(EmbedderSettings())
    if embedder is None:
        parser.error("LOVSVAR_EMBEDDING is off")
    measured = asyncio.run(measure(embedder, arguments.source.resolve(), arguments.pairs))
    print(json.dumps(measured) if arguments.json else "\n".join(f"{k:20} {v}" for k, v in measured.items()))


async def measure(embedder: Embedder, source: Path, count: int) -> dict[str, float | str]:
    """Return the medians, with the model's name."""
    draw = random.Random(1)
    passages: dict[Place, list[str]] = defaultdict(list)
    async for section in read_sections(source):
        for passage in cut_section(section):
            passages[section.refid, section.section_key].append(passage.text)
    questions = [one for one in read_everyday() if one.targets[0] in passages]
    same, unrelated = question_pairs(questions, count, draw)
    asked = draw.sample(questions, count)
    places = list(passages)
    await embedder.start()
    try:
        near, far = await cosines(embedder, same), await cosines(embedder, unrelated)
        vectors = await embed(embedder.embed_queries, [one.question for one in asked])
        answering, other = [], []
        for question, vector in zip(asked, vectors, strict=True):
            answers = await embed(embedder.embed_passages, passages[question.targets[0]])
            answering.append(float((answers @ vector).max()))
            elsewhere = draw.choice([place for place in draw.sample(places, 20) if place[0] != question.targets[0][0]])
            other.append(float((await embed(embedder.embed_passages, passages[elsewhere][:1]) @ vector).max()))
    finally:
        await embedder.stop()
    kinds = {
        "questions_unrelated": far,
        "questions_same": near,
        "passages_unrelated": other,
        "passages_same": answering,
    }
    return {"model": embedder.model} | {name: round(statistics.median(values), 4) for name, values in kinds.items()}


def question_pairs(
    questions: Sequence[EverydayQuestion], count: int, draw: random.Random
) -> tuple[list[Pair], list[Pair]]:
    """Return `count` pairs of questions that ask the same, and as many that have nothing to do with each other."""

    def key(question: EverydayQuestion) -> tuple[str, str, str]:
        return question.lang, *question.targets[0]

    groups = [list(group) for _, group in groupby(sorted(questions, key=key), key)]
    several = [group for group in groups if len(group) > 1]
    same = [draw.sample(draw.choice(several), 2) for _ in range(count)]
    unrelated: list[list[EverydayQuestion]] = []
    while len(unrelated) < count:
        one, other = draw.sample(questions, 2)
        if one.lang == other.lang and one.targets[0][0] != other.targets[0][0]:
            unrelated.append([one, other])
    return [(a.question, b.question) for a, b in same], [(a.question, b.question) for a, b in unrelated]


async def cosines(embedder: Embedder, of: Sequence[Pair]) -> list[float]:
    """Return the cosine of each pair of questions."""
    unit = await embed(embedder.embed_queries, [text for pair in of for text in pair])
    return [float(one @ other) for one, other in zip(unit[::2], unit[1::2], strict=True)]


async def embed(make: Callable[[Sequence[str]], Awaitable[Sequence[Vector]]], texts: Sequence[str]) -> Unit:
    """Return the vectors of texts as rows of length 1."""
    vectors = [v for at in range(0, len(texts), BATCH) for v in await make(texts[at : at + BATCH])]
    return np.array(vectors) / np.linalg.norm(vectors, axis=1, keepdims=True)


if __name__ == "__main__":
    main()
