"""How often search finds the provision that answers a question.

    uv run python benchmarks/retrieval.py QUESTIONS.jsonl --source FOLDER
    uv run python benchmarks/retrieval.py QUESTIONS.jsonl --database-url URL [--json] [--misses]

A line of the file: `{"id", "lang", "style", "question", "gold": [{"refid", "section"}], "also": [...]}`. A question
is a hit at k when a provision of `gold` or `also` is among the first k results; sections are compared without
spaces and case. law@5 asks only for a provision of the right document.
"""

import argparse
import asyncio
import json
import tempfile
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from search import add_corpus_arguments, corpus, search_process

from lovsvar_chassis.requests import Requester
from lovsvar_contracts import subjects
from lovsvar_contracts.identifiers import section_key
from lovsvar_contracts.search import FindProvisions, ProvisionHits

COLUMNS = ("questions", "hit@1", "hit@5", "hit@10", "MRR@10", "law@5")


@dataclass(frozen=True)
class Outcome:
    """How one question went. `rank` is that of the first right hit, from 1; `law_rank` of the first right document."""

    id: str
    style: str
    lang: str
    question: str
    rank: int | None
    law_rank: int | None
    found: tuple[str, ...]


async def ask(requester: Requester, line: dict) -> Outcome:
    """Search for one question and compare with what answers it."""
    right = {(ref["refid"], section_key(ref["section"])) for ref in [*line["gold"], *line.get("also", [])]}
    acts = {refid for refid, _ in right}
    hits = await requester.ask(
        subjects.SEARCH_PROVISIONS, FindProvisions(query=line["question"], page_size=10), ProvisionHits
    )
    ranks = [n for n, hit in enumerate(hits.hits, 1) if (hit.refid, section_key(hit.section)) in right]
    law_ranks = [n for n, hit in enumerate(hits.hits, 1) if hit.refid in acts]
    return Outcome(
        line["id"],
        line["style"],
        line["lang"],
        line["question"],
        next(iter(ranks), None),
        next(iter(law_ranks), None),
        tuple(f"{hit.act} {hit.title}" for hit in hits.hits[:3]),
    )


def share(outcomes: list[Outcome]) -> dict[str, float]:
    """Return the measures of a group of questions."""
    count = len(outcomes)

    def within(k: int) -> float:
        return round(sum(o.rank is not None and o.rank <= k for o in outcomes) / count, 3)

    return {
        "questions": count,
        "hit@1": within(1),
        "hit@5": within(5),
        "hit@10": within(10),
        "MRR@10": round(sum(1 / o.rank for o in outcomes if o.rank) / count, 3),
        "law@5": round(sum(o.law_rank is not None and o.law_rank <= 5 for o in outcomes) / count, 3),
    }


def table(outcomes: list[Outcome]) -> dict[str, dict[str, float]]:
    """Return the measures overall, by style and by language."""
    groups: dict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        for group in ("overall", f"style {outcome.style}", f"language {outcome.lang}"):
            groups[group].append(outcome)
    return {name: share(groups[name]) for name in sorted(groups, key=lambda name: (name != "overall", name))}


async def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("questions", type=Path)
    add_corpus_arguments(parser)
    parser.add_argument("--misses", action="store_true", help="also print what was found instead")
    arguments = parser.parse_args()
    lines = [json.loads(line) for line in arguments.questions.read_text(encoding="utf-8").splitlines() if line.strip()]
    async with corpus(arguments) as (nats_url, database_url):
        with tempfile.TemporaryDirectory(prefix="lovsvar-bench-index-") as index:
            async with search_process(nats_url, database_url, Path(index)) as (_, requester):
                outcomes = [await ask(requester, line) for line in lines]
    groups = table(outcomes)
    if arguments.json:
        print(json.dumps({"groups": groups, "questions": [vars(o) for o in outcomes]}, ensure_ascii=False))
        return
    print(f"{'':20}" + "".join(f"{column:>10}" for column in COLUMNS))
    for name, measures in groups.items():
        print(f"{name:20}" + "".join(f"{measures[column]:>10}" for column in COLUMNS))
    if arguments.misses:
        for outcome in outcomes:
            if outcome.rank is None or outcome.rank > 5:
                print(f"\n{outcome.id} ({outcome.style}, rank {outcome.rank}): {outcome.question}")
                print("".join(f"    {found}\n" for found in outcome.found), end="")


if __name__ == "__main__":
    asyncio.run(main())
