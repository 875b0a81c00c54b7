"""Whether an answer without a language model helps: the right ledd, the main rule, nothing that misleads.

    uv run python benchmarks/answers.py --source FOLDER
    uv run python benchmarks/answers.py --database-url URL
    uv run python benchmarks/answers.py --nats-url URL        # of a search that runs

Asks the citizens' questions of `questions/answers.jsonl` of an agent over a real search service. Each names the ledd
that a right answer must show (`right`), what would mislead, and the ledd of its main rule; questions that the law does
not answer have none. Every third is held out (`--part held-out`). Counted are

- right: all of `right` is quoted, whole ledd of it; in part: some provision of it is;
- misleading: what misleads is quoted before anything of `right`, in an answer that says that it answers;
- begins beside it: it is quoted first of what only may be relevant;
- main rule left out: its provision is quoted without it, or the answer says that it answers and does not have it;
- refused: nothing is quoted, with a right provision among search's ten hits;
- answered: of those that the law does not answer, which are said to be answered.

Then the questions on a false premise (`questions/false_premises.jsonl`): how many are met, by kind, and how many of the
citizens' questions are told that the rule is in another act than they name.

`--part later` and `--part latest` ask those of `questions/answers_later.jsonl` (with `false_premises_later.jsonl`) and
`questions/answers_latest.jsonl`, which were written after the rules by people who had seen neither code nor questions;
the latest are about exceptions whose main rule must not be left out. Of these, every other one was read afterwards,
and the rest were only counted: `--part unread` asks those, and the held-out third.
"""

import argparse
import asyncio
import contextlib
import json
import statistics
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from search import add_corpus_arguments, corpus, search_process

from lovsvar_agent.adapters.guidance_files import read_guidance
from lovsvar_agent.adapters.memory_sink import MemorySink
from lovsvar_agent.adapters.nats_search import NatsSearch
from lovsvar_agent.core.guidance.library import Guidance
from lovsvar_agent.core.layout import lines
from lovsvar_agent.core.modes import Answerer
from lovsvar_agent.core.run import Limits
from lovsvar_agent.core.takeover import Attempt
from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.requester import Requester
from lovsvar_chassis.settings import ServiceSettings
from lovsvar_contracts.questions import Answer, QuestionAsked, Tier
from lovsvar_contracts.run_events import AnswerCompleted
from lovsvar_contracts.search import FindProvisions, ProvisionHits, Provisions, ReadProvisions, ResolveReference
from lovsvar_rendering.names import act_name

QUESTIONS = Path(__file__).parent / "questions"
HELD_OUT = 3
"""Every third question is held out."""

WRITTEN_AFTER = ("later", "latest")

Place = tuple[str, str, int | None]
"""A ledd: refid, section and number."""


@dataclass
class RecordingSearch:
    """`LegalSearch` that remembers what the first search of a run found, and the text of what was read."""

    law: NatsSearch
    hits: list[tuple[str, str]] = field(default_factory=list)
    ledd: dict[tuple[str, str], list[tuple[int, int, int | None]]] = field(default_factory=dict)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.law, name)

    async def find(self, request: FindProvisions) -> ProvisionHits:
        """Search, and note the hits of the first page."""
        found = await self.law.find(request)
        self.hits = self.hits or [(hit.refid, hit.section) for hit in found.hits]
        return found

    async def read(self, request: ReadProvisions) -> Provisions:
        """Read, and note where each ledd is."""
        found = await self.law.read(request)
        for p in found.provisions:
            self.ledd[p.refid, p.section] = [(line.start, line.end, line.ledd) for line in lines(p)]
        return found


@dataclass(frozen=True)
class Asked:
    """An answer, what it quotes in order, and whether each is said to answer."""

    answer: Answer
    quoted: tuple[frozenset[Place], ...]
    hits: tuple[tuple[str, str], ...]
    ms: float

    @property
    def shown(self) -> frozenset[Place]:
        """All ledd that are quoted."""
        return frozenset().union(*self.quoted)


async def ask(question: str, law: NatsSearch, guidance: Guidance) -> Asked:
    """Return the agent's answer by quotes."""
    sink, search = MemorySink(), RecordingSearch(law)
    began = time.perf_counter()
    await Answerer(search, Limits(), guidance=guidance).answer(QuestionAsked(question=question), Attempt(), sink)
    ms = (time.perf_counter() - began) * 1000
    answer = next(event.answer for event in sink.events if isinstance(event, AnswerCompleted))
    quoted = []
    for cited in answer.citations:
        key = (cited.refid or "", cited.section or "")
        inside = {n for a, b, n in search.ledd[key] if a < (cited.end or 0) and b > (cited.start or 0)}
        quoted.append(frozenset((*key, number) for number in inside))
    return Asked(answer, tuple(quoted), tuple(search.hits), ms)


def places(labels: Iterable[Mapping[str, Any]]) -> frozenset[Place]:
    """Return the ledd of labels; a label without ledd is its provision."""
    return frozenset(
        (label["refid"], label["section"], number) for label in labels for number in (label["ledd"] or [None])
    )


def holds(shown: Iterable[Place], place: Place) -> bool:
    """Whether a place is quoted; a provision is when any of it is. One without numbered ledd has a first one."""
    there = [p for p in shown if p[:2] == place[:2]]
    return bool(there) and (place[2] is None or place in there or (place[2] == 1 and all(p[2] is None for p in there)))


def judge(row: Mapping[str, Any], asked: Asked) -> dict[str, bool]:
    """Return what holds of an answer."""
    right, misleading = places(row["right"]), places(row["misleading"])
    tier = asked.answer.tier
    shown = asked.shown
    if not right:
        return {"unanswerable": True, "answered": tier is Tier.ANSWERS}
    first_right = next((n for n, q in enumerate(asked.quoted) if any(holds(q, p) for p in right)), None)
    first_wrong = next((n for n, q in enumerate(asked.quoted) if any(holds(q, p) for p in misleading)), None)
    misled = first_wrong is not None and (first_right is None or first_right > first_wrong)
    main = places([row["main_rule"]]) if row["main_rule"] else frozenset()
    main_shown = all(holds(shown, p) for p in main)
    its_provision = any(holds(shown, (p[0], p[1], None)) for p in main)
    return {
        "answerable": True,
        "right": all(holds(shown, p) for p in right),
        "in part": any(all(holds(shown, p) for p in right if p[:2] == q[:2]) for q in right),
        "misleading": misled and tier is Tier.ANSWERS,
        "begins beside it": misled and first_wrong == 0 and tier is not Tier.ANSWERS,
        "main rule": bool(main),
        "main rule left out": bool(main) and not main_shown and (its_provision or tier is Tier.ANSWERS),
        "refused": not asked.quoted and any((p[0], p[1]) in asked.hits for p in right),
        "said to answer": tier is Tier.ANSWERS,
        "sent elsewhere": any(words in asked.answer.answer_text.casefold() for words in ELSEWHERE),
    }


SOURCE_WORDS = {
    "court_decision": ("dommer og andre avgjørelser", "dommar og andre avgjerder", "court decisions"),
    "preparatory_work": ("forarbeider", "førearbeid", "preparatory works"),
    "circular": ("rundskriv", "circulars"),
    "echr": ("dommer og andre avgjørelser", "dommar og andre avgjerder", "court decisions"),
    "treaty": ("traktater", "traktatar", "treaties"),
    "eu_act": ("eu-rettsakter", "eu acts"),
    "agreement": ("tariffavtal", "collective agreements"),
    "local_rule": ("lokale forskrifter", "local regulations"),
    "foreign_law": ("lover i andre land", "the laws of other countries"),
}
MISSING = ("fant ikke", "fann ikkje", "there is no section", "fant ingen lov", "fann inga lov", "found no act")
NOT_THERE = ("står ikke i", "står ikkje i", "is not in")
SEVERAL = (
    "kan være flere",
    "kan vere fleire",
    "may be several",
    "uten å si i hvilken",
    "utan å seie i kva",
    "without saying",
)
ELSEWHERE = ("ser ut til å stå i", "seems to be in")


def is_met(row: Mapping[str, Any], asked: Asked, names: Mapping[str, str]) -> bool:
    """Whether an answer says what is wrong with the premise of a question; `names` are those of acts, by refid."""
    text, expect = asked.answer.answer_text.casefold(), row["expect"]
    match row["kind"]:
        case "missing_section":
            return any(words in text for words in MISSING)
        case "false_quote":
            return any(words in text for words in NOT_THERE) and holds(
                asked.shown, (expect["refid"], expect["section"], None)
            )
        case "ambiguous":
            candidates = expect["candidates"]
            acts = {p[0] for p in asked.shown}
            return any(words in text for words in SEVERAL) or (
                sum(c in acts or c in text or names.get(c, c).casefold() in text for c in candidates) > 1
            )
        case "source_kind":
            return any(words in text for words in SOURCE_WORDS[expect["kind"]])
        case "wrong_act":
            right = expect["right"]
            return any(words in text for words in ELSEWHERE) and holds(
                asked.shown, (right["refid"], right["section"], None)
            )
    raise ValueError(row["kind"])


def rows(name: str, part: str) -> list[dict[str, Any]]:
    """Return the questions of a file: all, those held out, or the others; later ones have files of their own."""
    if part == "unread":
        return [*rows(name, "held-out"), *rows(name, "latest")[1::2]]
    if part in WRITTEN_AFTER:
        name, part = name.replace(".jsonl", f"_{part}.jsonl"), "all"
        if not (QUESTIONS / name).exists():
            return []
    found = [json.loads(line) for line in (QUESTIONS / name).read_text(encoding="utf-8").splitlines()]
    held = found[HELD_OUT - 1 :: HELD_OUT]
    return {"all": found, "held-out": held, "tuning": [row for row in found if row not in held]}[part]


async def measure(law: NatsSearch, part: str, *, verbose: bool) -> dict[str, Any]:
    """Ask all questions; return counts, and the milliseconds of an answer."""
    guidance = read_guidance()
    counts: Counter[str] = Counter()
    times = []
    for row in rows("answers.jsonl", part):
        asked = await ask(row["question"], law, guidance)
        times.append(asked.ms)
        judged = judge(row, asked)
        counts.update(name for name, holds_true in judged.items() if holds_true)
        if verbose:
            report(row, judged)
    met: dict[str, list[bool]] = defaultdict(list)
    for row in rows("false_premises.jsonl", part):
        asked = await ask(row["question"], law, guidance)
        met[row["kind"]].append(is_met(row, asked, await names_of(row["expect"].get("candidates", ()), law)))
        if verbose and not met[row["kind"]][-1]:
            print(f"not met  {row['kind']:16} {row['id']} {row['question']}")
    premises = {kind: (sum(found), len(found)) for kind, found in met.items()}
    return {"counts": dict(counts), "premises": premises, "p50": statistics.median(times or [0.0])}


async def names_of(refids: Iterable[str], law: NatsSearch) -> dict[str, str]:
    """Return what each act is called, by refid, as far as the corpus has it."""
    found = [await law.resolve(ResolveReference(reference=refid)) for refid in refids]
    return {match.refid: act_name(match.act) for resolution in found for match in resolution.matches}


def report(row: Mapping[str, Any], judged: Mapping[str, bool]) -> None:
    """Print what is wrong with an answer, if anything is."""
    wrong = [name for name in ("misleading", "main rule left out", "refused", "answered") if judged.get(name)]
    wrong += ["not right"] if judged.get("answerable") and not judged["right"] else []
    if wrong:
        print(f"{row['id']} {', '.join(wrong):40} {row['question'][:110]}")


def shares(counts: Mapping[str, int]) -> Sequence[tuple[str, int, int]]:
    """Return each measure with how many it counts, and of how many."""
    answerable = counts.get("answerable", 0)
    of = {"main rule left out": counts.get("main rule", 0), "answered": counts.get("unanswerable", 0)}
    names = (
        "right",
        "in part",
        "misleading",
        "begins beside it",
        "main rule left out",
        "refused",
        "said to answer",
        "sent elsewhere",
        "answered",
    )
    return [(name, counts.get(name, 0), of.get(name, answerable)) for name in names]


@contextlib.asynccontextmanager
async def law_of(arguments: argparse.Namespace) -> AsyncIterator[NatsSearch]:
    """Yield the law: of a search that runs, or of one that is started for it."""
    if arguments.nats_url:
        broker = make_broker(ServiceSettings(nats_url=arguments.nats_url), "bench")
        async with broker:
            yield NatsSearch(Requester(broker))
        return
    async with corpus(arguments) as (nats_url, database_url):
        with tempfile.TemporaryDirectory(prefix="lovsvar-bench-index-") as index:
            async with search_process(nats_url, database_url, Path(index)) as (_, requester):
                yield NatsSearch(requester)


async def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_corpus_arguments(parser).add_argument("--nats-url", help="a search that runs")
    parser.add_argument("--part", choices=("all", "held-out", "tuning", *WRITTEN_AFTER, "unread"), default="tuning")
    parser.add_argument("--verbose", action="store_true", help="print each question that is not answered well")
    arguments = parser.parse_args()
    async with law_of(arguments) as law:
        found = await measure(law, arguments.part, verbose=arguments.verbose)
    if arguments.json:
        print(json.dumps(found, ensure_ascii=False))
        return
    for name, count, of in shares(found["counts"]):
        print(f"{name:20} {count:4} of {of:4}  {count / max(of, 1):.3f}")
    for kind, (count, of) in found["premises"].items():
        print(f"{kind:20} {count:4} of {of:4}  {count / max(of, 1):.3f}")
    print(f"{'an answer, p50':20} {found['p50']:.1f} ms")


if __name__ == "__main__":
    asyncio.run(main())
