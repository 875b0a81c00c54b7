"""Wiring of the search service."""

import gc
from collections.abc import Sequence
from functools import partial
from importlib.resources import as_file, files
from pathlib import Path

from lovsvar_chassis import service
from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.database import INTERACTIVE, Database
from lovsvar_chassis.progress import Progress
from lovsvar_chassis.service import Service
from lovsvar_embedder.choice import make_embedder
from lovsvar_legaltext.aliases import Alias, parse_aliases
from lovsvar_search.adapters.catalogues.postgres_catalogues import PostgresCatalogues
from lovsvar_search.adapters.database import SESSION, become_reader
from lovsvar_search.adapters.law.memory_indexes import TantivyQuestions, TantivyTopics
from lovsvar_search.adapters.law.onnx_trees import OnnxTrees
from lovsvar_search.adapters.law.postgres import PostgresStore
from lovsvar_search.adapters.law.postgres_corpus import PostgresCorpus
from lovsvar_search.adapters.law.postgres_vectors import HNSW, PostgresVectors, WarmedVectors
from lovsvar_search.adapters.law.topic_vectors import ShippedTopicVectors
from lovsvar_search.adapters.metrics import watch_follower
from lovsvar_search.adapters.retrieval.index_folder import IndexFolder
from lovsvar_search.adapters.retrieval.question_embedder import RememberingEmbedder
from lovsvar_search.adapters.retrieval.tantivy_documents import text_analyzer
from lovsvar_search.adapters.retrieval.tantivy_index import TantivyIndex
from lovsvar_search.core.catalogues.catalogue_follower import CatalogueFollower, EmbeddingModel
from lovsvar_search.core.catalogues.product_search import ProductSearch
from lovsvar_search.core.law.act_directory import ActDirectory
from lovsvar_search.core.law.analysis import NORWEGIAN
from lovsvar_search.core.law.collection import law_collection
from lovsvar_search.core.law.lexicon import Lexicon, parse_everyday_words, parse_nynorsk
from lovsvar_search.core.law.relevance import CERTAIN_FROM, Ranker, parse_calibration
from lovsvar_search.core.law.sections import PROVISIONS, Companions
from lovsvar_search.core.law.signals import SIGNALS
from lovsvar_search.core.law.topics import Topic, parse_topics
from lovsvar_search.core.retrieval.collection import Collection
from lovsvar_search.core.retrieval.corpus import Corpus, CorpusState, IndexSnapshot
from lovsvar_search.core.retrieval.corpus_follower import CorpusFollower
from lovsvar_search.core.retrieval.query import QueryPlan
from lovsvar_search.core.retrieval.vector_search import MeaningSearch
from lovsvar_search.handlers import Handlers, events, requests
from lovsvar_search.manifest import MANIFEST
from lovsvar_search.settings import Settings

STILL_SECONDS = 120.0
"""How long one step of following the corpus may take: the largest commits all provisions to the index."""


def build(settings: Settings) -> Service:
    """Return the service, not yet started."""
    broker = make_broker(settings, MANIFEST.name)
    # No connection is made at start: a database that is down makes the service not ready, not dead.
    session = {**SESSION, **HNSW}
    database = Database(
        settings.database_url,
        settings.database_pool,
        session,
        limits=INTERACTIVE,
        min_size=0,
        init=become_reader,
        stateless=True,
    )
    progress = Progress()
    topics = load_topics()
    law = law_collection(load_lexicon(), load_ranker())
    follower = CorpusFollower(
        law,
        PostgresCorpus(database, load_aliases()),
        TantivyIndex(IndexFolder(settings.index_dir), law),
        partial(make_corpus, law, topics),
        settings.corpus_poll_seconds,
    )
    watch_follower(follower)
    follower.swapped = freeze_objects
    follower.note = progress.component("corpus follower", settings.corpus_poll_seconds + STILL_SECONDS)
    embedder = make_embedder(settings, one_at_a_time=True)
    vectors = PostgresVectors(database, embedder.scales) if embedder else PostgresVectors(database)
    asked = RememberingEmbedder(embedder) if embedder else None
    meaning = MeaningSearch(vectors, asked, ShippedTopicVectors(topics, embedder.model) if embedder else None)
    stored = PostgresCatalogues(database)
    catalogues = CatalogueFollower(
        stored,
        lambda collection: TantivyIndex(IndexFolder(_folder(settings.index_dir, collection)), collection),
        EmbeddingModel(asked, embedder.scales) if asked and embedder else None,
        settings.corpus_poll_seconds,
    )
    handlers = Handlers(follower, meaning, PostgresStore(database), ProductSearch(catalogues, stored))
    return Service(
        name=MANIFEST.name,
        settings=settings,
        broker=broker,
        requests=requests(handlers),
        events=events(handlers),
        # The model is loaded while the corpus is read.
        parts=(
            database,
            follower,
            catalogues,
            *((embedder, WarmedVectors(vectors, embedder.model)) if embedder else ()),
        ),
        not_ready=follower.not_ready,
        progress=progress,
        details=follower.details,
        able=follower.able,
    )


def _folder(index_dir: Path | None, collection: Collection) -> Path | None:
    """Return the folder of a catalogue's index: each has its own slots."""
    return index_dir / collection.name if index_dir else None


def freeze_objects() -> None:
    """Keep the collector from visiting the names and words in memory, which takes tens of milliseconds each time."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()


def load_lexicon() -> Lexicon:
    """Return the everyday words and nynorsk forms that are shipped with this service. Raises `BadLexicon`."""
    words = parse_everyday_words(_data("everyday_words.tsv"))
    return Lexicon(words, parse_nynorsk(_data("nynorsk.tsv")), text_analyzer(NORWEGIAN).analyze)


def load_aliases() -> tuple[Alias, ...]:
    """Return the everyday names that are shipped with this service. Raises `BadAliases`."""
    return parse_aliases(_data("aliases.tsv"))


def load_topics() -> Sequence[Topic]:
    """Return what documents and chapters are about, as it is shipped with this service. Raises `BadTopics`."""
    return parse_topics(_data("topics.tsv"))


def make_corpus(
    collection: Collection, topics: Sequence[Topic], index: IndexSnapshot, companions: Companions, state: CorpusState
) -> Corpus:
    """Return one version of the law as it is searched. Its size is how many provisions there are."""
    names, questions = companions
    size = index.count(QueryPlan(()), PROVISIONS)
    topic_index, directory = TantivyTopics(names, topics), ActDirectory(names)
    return Corpus(collection, index, state, size, names, TantivyQuestions(questions), topic_index, directory)


def load_ranker() -> Ranker:
    """Return the ranking that is shipped with this service. Raises `BadRanker`."""
    with as_file(files("lovsvar_search").joinpath("data")) as folder:
        trees = OnnxTrees(folder / "ranker.onnx", SIGNALS)
        certainty = OnnxTrees(folder / "certainty.onnx", CERTAIN_FROM)
    return Ranker(trees, certainty, parse_calibration(_data("certainty.json")))


def _data(name: str) -> str:
    return files("lovsvar_search").joinpath("data", name).read_text(encoding="utf-8")


def main() -> None:
    """Run the service until SIGTERM or SIGINT."""
    service.main(MANIFEST, Settings, build)
