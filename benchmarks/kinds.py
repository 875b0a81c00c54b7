"""Every kind of question, measured side by side: what search finds, what plain BM25 finds, and how sure that is."""

import argparse
import asyncio
import json
import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from known_items import Maker, read_stored
from plain_bm25 import PlainBm25
from question_sets import Labelled, Place, labelled, paraphrases, read_set

from lovsvar_chassis.requester import Requester
from lovsvar_contracts import subjects
from lovsvar_contracts.identifiers import section_key
from lovsvar_contracts.search import FindProvisions, ProvisionHits, SearchMode
from lovsvar_local.evaluation import AT_ONCE, Split

SETS = ("tail", "stories", "several", "unanswerable", "later")
TAILS = ("tail", "later tail")
INSIDE = "inside the document"
SURE = 1.96
"""Standard deviations to either side that an interval of 95 % takes."""


@dataclass(frozen=True)
class Row:
    """How one kind of question went; shares from 0 to 1, an interval of 95 % for hit@5, the floor None if not measured.

    For what no provision answers, `hit_at_5` is None and `answered` the share of which search thinks that it answers.
    """

    kind: str
    asked: int
    hit_at_1: float | None
    hit_at_5: float | None
    low: float | None
    high: float | None
    all_at_10: float | None
    act_at_5: float | None
    plain_at_1: float | None
    plain_at_5: float | None
    answered: float
    answered_right: float | None


@dataclass(frozen=True)
class Asked:
    """A question, what search found, best first, whether it thinks that the first answers; what plain BM25 found."""

    question: Labelled
    found: Sequence[Place]
    answers: bool
    plain: Sequence[Place] | None


async def questions_of(database_url: str, arguments: argparse.Namespace) -> list[Labelled]:
    """Return the questions of the chosen kinds and part, at most so many of a kind."""
    known = [labelled(one) for one in Maker(await read_stored(database_url), 1).questions(3 * arguments.most)]
    every = [*(one for name in SETS for one in read_set(name)), *paraphrases(), *known]
    by_kind: defaultdict[str, list[Labelled]] = defaultdict(list)
    for one in every:
        if arguments.part == Split.ALL or one.held_out is (arguments.part == Split.HELD_OUT):
            by_kind[one.kind].append(one)
    wanted = arguments.kind or list(by_kind)
    if unknown := set(wanted) - set(by_kind):
        raise SystemExit(f"No such kind: {', '.join(sorted(unknown))}. There are {', '.join(by_kind)}.")
    return [one for kind in wanted for one in by_kind[kind][: arguments.most]]


async def measure_kinds(
    requester: Requester, database_url: str, arguments: argparse.Namespace, mode: SearchMode
) -> list[Row]:
    """Ask every question, and again those of the tail inside the right document alone."""
    questions = await questions_of(database_url, arguments)
    plain = None if arguments.without_floor else await _plain(database_url)
    gate = asyncio.Semaphore(AT_ONCE)

    async def ask(question: Labelled, document: str | None) -> Asked:
        request = FindProvisions(query=question.question, mode=mode, document=document)
        async with gate:
            reply = await requester.ask(subjects.SEARCH_PROVISIONS, request, ProvisionHits, timeout=30)
        found = [(hit.refid, section_key(hit.section)) for hit in reply.hits]
        floor = None
        if plain is not None:
            floor = [(ref.refid, section_key(ref.section)) for ref in plain.search(question.question, 10, document)]
        return Asked(question, found, bool(reply.answers), floor)

    asked = await asyncio.gather(*(ask(one, None) for one in questions))
    inside = await asyncio.gather(*(ask(one, one.gold[0][0]) for one in questions if one.kind in TAILS))
    by_kind: defaultdict[str, list[Asked]] = defaultdict(list)
    for one in asked:
        kind = one.question.kind
        by_kind[kind].append(one)
        if kind in TAILS:
            of_act = one.question.gold[0][0].startswith("lov/")
            by_kind[f"{kind}, acts" if of_act else f"{kind}, regulations"].append(one)
    for one in inside:
        by_kind[f"{one.question.kind}, {INSIDE}"].append(one)
    return [_row(kind, of_kind) for kind, of_kind in by_kind.items() if of_kind]


async def _plain(database_url: str) -> PlainBm25:
    rows = await read_stored(database_url, every=True)
    return PlainBm25((row.refid, row.section, row.act, f"{row.value} {row.title}", row.text) for row in rows)


def _row(kind: str, asked: Sequence[Asked]) -> Row:
    answered = [one for one in asked if one.answers]
    share = len(answered) / len(asked)
    if not asked[0].question.gold:
        return Row(kind, len(asked), *[None] * 8, answered=share, answered_right=None)  # type: ignore[arg-type]
    hits = [_hit(one.found[:5], one.question) for one in asked]
    low, high = wilson(sum(hits), len(hits))
    return Row(
        kind,
        len(asked),
        _mean([_hit(one.found[:1], one.question) for one in asked]),
        _mean(hits),
        low,
        high,
        _mean([set(one.question.gold) <= set(one.found[:10]) for one in asked]),
        _mean([bool({r for r, _ in one.found[:5]} & {r for r, _ in one.question.right}) for one in asked]),
        None if asked[0].plain is None else _mean([_hit((one.plain or ())[:1], one.question) for one in asked]),
        None if asked[0].plain is None else _mean([_hit((one.plain or ())[:5], one.question) for one in asked]),
        share,
        _mean([_hit(one.found[:1], one.question) for one in answered]) if answered else None,
    )


def _hit(found: Sequence[Place], question: Labelled) -> bool:
    return bool(question.right & set(found))


def _mean(values: Sequence[bool]) -> float:
    return sum(values) / len(values)


def wilson(hits: int, asked: int) -> tuple[float, float]:
    """Return the interval of 95 % for a share (Wilson 1927)."""
    share, square = hits / asked, SURE**2
    middle = (share + square / (2 * asked)) / (1 + square / asked)
    half = SURE * math.sqrt(share * (1 - share) / asked + square / (4 * asked**2)) / (1 + square / asked)
    return max(0.0, middle - half), min(1.0, middle + half)


def show_kinds(rows: Sequence[Row], *, as_json: bool) -> None:
    """Print a line a kind, or one JSON object."""
    if as_json:
        print(json.dumps([asdict(row) for row in rows], ensure_ascii=False))
        return
    names: Mapping[str, str] = {
        "hit_at_1": "hit@1",
        "hit_at_5": "hit@5",
        "low": "from",
        "high": "to",
        "all_at_10": "all@10",
        "act_at_5": "act@5",
        "plain_at_1": "BM25@1",
        "plain_at_5": "BM25@5",
        "answered": "answers",
        "answered_right": "right",
    }
    print(f"{'kind':28}{'asked':>6}" + "".join(f"{name:>9}" for name in names.values()))
    for row in rows:
        shares = (getattr(row, name) for name in names)
        print(f"{row.kind:28}{row.asked:6}" + "".join(f"{'' if s is None else f'{s:.3f}':>9}" for s in shares))
