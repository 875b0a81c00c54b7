"""Learns how search ranks, and how sure it is, from labelled questions of all kinds: `data/ranker.onnx` and others.

    uv run --with scipy --with lightgbm==4.6.0 python benchmarks/train_ranker.py --database-url URL --write

Everything that may answer a question is gathered once, as search gathers it (with exact neighbours in place of an
index's), and the signals of each provision are measured: with all vectors, and either without those of passages or by
words alone. An everyday question's own entry is left out. LightGBM's LambdaMART learns to put right answers first,
kinds of questions weighing alike; then other trees learn how likely the first hit is right, unanswerable questions
among them. Five folds, by question, show its results on unseen questions, compared with the
earlier hand-set weights and reciprocal rank fusion. Held-out questions have no part in it. `--kept` keeps
what was gathered between runs.
"""

import argparse
import asyncio
import dataclasses
import itertools
import json
import pickle
import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import lightgbm
import numpy as np
import onnx
from certainty import (
    LOOSELY_LABELLED,
    calibrated,
    certainty_of,
    firsts,
    learn_certainty,
    probabilities,
    show_certainty,
)
from known_items import Maker, read_stored
from onnx import TensorProto, helper
from question_sets import everyday, for_the_adapter, labelled, paraphrases, read_set, tuning
from ranker_cases import FOLDS, Case, fold_of, gather_all, weights_of
from search import add_corpus_arguments, corpus

from lovsvar_search.core.law.relevance import CERTAIN_FROM
from lovsvar_search.core.law.signals import SIGNALS
from lovsvar_search.core.retrieval.candidates import PINNED
from lovsvar_search.core.retrieval.items import place_number

FOLDER = Path(__file__).parents[1] / "services/search/src/lovsvar_search/data"

EVERYDAY, DRAWN, KNOWN = 500, 200, 120
"""How many everyday questions and questions of drawn provisions, and how many of each known kind take part.

A drawn provision whose one question is left out has none, as few have: with more of these the ranking would learn to
think little of questions."""

TREES = 160

Score = Callable[[Case], np.ndarray]


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
    calibration = calibrated(hits, scores)
    show_certainty(hits, probabilities(calibration, scores), calibration)
    if arguments.write:
        onnx.save(in_onnx(learn(cases, arguments.seed), SIGNALS), FOLDER / "ranker.onnx")
        onnx.save(in_onnx(learn_certainty(hits, arguments.seed), CERTAIN_FROM), FOLDER / "certainty.onnx")
        written = json.dumps(dataclasses.asdict(calibration), indent=1)
        (FOLDER / "certainty.json").write_text(f"{written}\n", encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(main())
