"""Vectors of topics, shipped with this package: what each act, chapter and regulation is about, by meaning."""

import hashlib
from collections.abc import Sequence
from importlib.resources import files

import numpy as np

from lovsvar_search.core.law.topics import Topic
from lovsvar_search.core.retrieval.vector_search import NO_TOPICS, NearTopics, TopicVectors

FILE = "topics.npz"


def embedded_text(name: str, topic: Topic) -> str:
    """Return what is embedded of a topic, as a passage, of the document `name`."""
    return f"{name}. {topic.chapter}. {topic.words}" if topic.chapter else f"{name}. {topic.words}"


def fingerprint(topic: Topic) -> int:
    """Return the number under which a topic's vector is kept: of another text it is another."""
    text = f"{topic.refid}\t{topic.chapter}\t{topic.words}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 1


class ShippedTopicVectors(TopicVectors):
    """The vectors of topics for one model; a topic that changed since they were made has none."""

    def __init__(self, topics: Sequence[Topic], model: str) -> None:
        self._model = model
        self._rows: dict[int, int] = {}
        self._vectors = np.zeros((0, 0), np.float32)
        file = files("lovsvar_search").joinpath("data", FILE)
        if not file.is_file():
            return
        with file.open("rb") as opened, np.load(opened) as stored:
            if str(stored["model"]) != model:
                return
            by_fingerprint = {int(one): row for row, one in enumerate(stored["fingerprints"])}
            rows = [(topic.number, by_fingerprint.get(fingerprint(topic))) for topic in topics]
            kept = [(number, row) for number, row in rows if row is not None]
            self._rows = {number: row for row, (number, _) in enumerate(kept)}
            vectors = stored["vectors"][[row for _, row in kept]].astype(np.float32)
            self._vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)

    def near(self, model: str, vector: Sequence[float]) -> NearTopics:
        if model != self._model or not self._rows:
            return NO_TOPICS
        return NearTopics(self._rows, self._vectors @ np.asarray(vector, np.float32))
