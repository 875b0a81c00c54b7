"""Whether an answer with a language model is right, bound to its quotes, and worth its price.

    uv run python benchmarks/model_answers.py --source FOLDER --base-url URL --model NAME [--mode direct]
    uv run python benchmarks/model_answers.py --nats-url URL --base-url URL --model NAME --record FILE [--resume]
    uv run python benchmarks/model_answers.py --replay FILE

Asks the held-out questions of `questions/answers.jsonl` (`--part`), or those of `--questions FILE`: a JSON object a
line with `id`, `question`, and the provisions that answer it, `right` or `gold`, and `also`; without any, the law is
silent. Any server will do; its key is `OPENAI_API_KEY`. `--record` keeps each run as soon as it is done, `--resume`
answers what the file has again by today's code and asks the rest, and `--replay` answers the recorded questions again,
with what the model said and search found then: no model, no search, no cost. What today's code searches for and was not
recorded is found with `--resume`, and not with `--replay`.
`questions/model_answers.md` is one record, read answer by answer.

Counted are, of the questions that the law answers:

- right: a provision that answers is cited; all right: each of those that are needed is;
- beside it: something is cited, and nothing of it is right;
- abstained: nothing is cited;

of those that it does not: abstained, said so, and answered; and of the answers with citations: those whose every
statement is bound to its quotes, and flags (statements uncited, flagged, and references that are not there). Then
tokens, seconds and US dollars of an answer.
"""

import argparse
import asyncio
import json
import os
import statistics
import sys
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from answers import law_of, rows
from pydantic import SecretStr
from recorded_answers import Recorded, RecordingModel, RecordingSearch, answered, played
from search import add_corpus_arguments

from lovsvar_agent.adapters.guidance_files import read_guidance
from lovsvar_agent.adapters.http_model import HttpModel, Price
from lovsvar_agent.adapters.providers import Provider, Sampling
from lovsvar_agent.core.ports import LegalSearch
from lovsvar_agent.core.run import Limits
from lovsvar_contracts.identifiers import section_key
from lovsvar_contracts.questions import Answer, Mode

Place = tuple[str, str]


@dataclass(frozen=True)
class Score:
    """What holds of one answer. `flags` counts what does not hold in it; `failed` says why there is none."""

    answerable: bool
    right: bool = False
    all_right: bool = False
    cited: bool = False
    bound: bool = False
    flags: int = 0
    failed: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    model_calls: int = 0
    seconds: float = 0.0
    cost_usd: float = 0.0


def places(labels: Iterable[Mapping[str, Any]]) -> frozenset[Place]:
    """Return the provisions of labels."""
    return frozenset((label["refid"], section_key(label["section"])) for label in labels)


def score(row: Mapping[str, Any], answer: Answer | str, seconds: float = 0.0, cost_usd: float | None = None) -> Score:
    """Return what holds of an answer to a labelled question; a string is why there is none."""
    needed = places(row.get("right", row.get("gold", ())))
    if isinstance(answer, str):
        return Score(answerable=bool(needed), failed=answer or "no answer", seconds=seconds)
    proven = [c for c in answer.citations if c.verified and c.refid and c.section]
    cited = {(c.refid or "", section_key(c.section or "")) for c in proven}
    flags = sum(len(getattr(answer, name, ())) for name in ("uncited", "flagged", "unresolved"))
    usage = answer.usage
    return Score(
        answerable=bool(needed),
        right=bool(cited & (needed | places(row.get("also", ())))),
        all_right=bool(needed) and needed <= cited,
        cited=bool(cited),
        bound=bool(cited) and not flags,
        flags=flags,
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        model_calls=usage.model_calls,
        seconds=seconds,
        cost_usd=usage.cost_usd if cost_usd is None else cost_usd,
    )


def summary(scores: Sequence[Score]) -> dict[str, Any]:
    """Return counts, each with what it is of, and the means of what an answer takes."""
    counts: Counter[str] = Counter()
    for one in scores:
        kind = "answerable" if one.answerable else "silent"
        counts[kind] += 1
        counts["failed"] += bool(one.failed)
        counts["cited"] += one.cited
        counts["bound"] += one.bound
        counts["flags"] += one.flags
        counts[f"{kind}, abstained"] += not one.cited
        counts["right"] += one.answerable and one.right
        counts["all right"] += one.all_right
        counts["beside it"] += one.answerable and one.cited and not one.right
    asked = len(scores)
    of = {
        "right": counts["answerable"],
        "all right": counts["answerable"],
        "beside it": counts["answerable"],
        "answerable, abstained": counts["answerable"],
        "silent, abstained": counts["silent"],
        "bound": counts["cited"],
        "flags": counts["cited"],
        "failed": asked,
    }
    means = {
        name: statistics.fmean(getattr(one, name) for one in scores) if scores else 0.0
        for name in ("input_tokens", "output_tokens", "model_calls", "seconds", "cost_usd")
    }
    return {"asked": asked, "counts": {name: (counts[name], total) for name, total in of.items()}, "means": means}


def questions(arguments: argparse.Namespace) -> list[Mapping[str, Any]]:
    """Return the labelled questions that are asked."""
    if arguments.questions:
        lines = Path(arguments.questions).read_text(encoding="utf-8").splitlines()
        found: list[Mapping[str, Any]] = [json.loads(line) for line in lines if line.strip()]
    else:
        found = list(rows("answers.jsonl", arguments.part))
    return found[:: arguments.every][: arguments.most]


def make_model(arguments: argparse.Namespace) -> HttpModel:
    """Return the model that is asked."""
    return HttpModel(
        arguments.model,
        SecretStr(os.environ.get("OPENAI_API_KEY", "none")),
        arguments.base_url,
        provider=Provider(arguments.provider) if arguments.provider else None,
        stall=arguments.stall,
        price=Price(*arguments.price),
        sampling=Sampling(arguments.temperature, arguments.seed),
    )


async def ask(arguments: argparse.Namespace) -> list[tuple[Mapping[str, Any], Score]]:
    """Ask all questions of the model; record each run when that is wanted."""
    file = Path(arguments.record) if arguments.record else None
    done = Recorded.read(file) if file and arguments.resume and file.exists() else []
    if file and file.exists() and not arguments.resume:
        raise SystemExit(f"{file} exists; go on with --resume, or take another name")
    guidance, limits, mode = read_guidance(), limits_of(arguments), Mode(arguments.mode)
    left = [row for row in questions(arguments) if row["id"] not in {record.row["id"] for record in done}]
    model = make_model(arguments)
    async with law_of(arguments) as law:
        scored = await replay(done, limits, law)
        for row in left:
            said, search = RecordingModel(model), RecordingSearch(law)
            began = time.perf_counter()
            answer = await answered(row["question"], mode, search, said, guidance, limits)  # type: ignore[arg-type]
            seconds = round(time.perf_counter() - began, 2)
            scored.append((row, score(row, answer, seconds)))
            cost = scored[-1][1].cost_usd
            if file:
                record = Recorded(row, mode, model.name, seconds, cost, said.said, search.found)
                with file.open("a", encoding="utf-8") as records:
                    records.write(record.line() + "\n")
            tell(row, scored[-1][1], answer, arguments)
    await model.stop()
    return scored


async def replay(
    records: Iterable[Recorded], limits: Limits, law: LegalSearch | None = None
) -> list[tuple[Mapping[str, Any], Score]]:
    """Answer recorded questions again, and score them. What was not searched for then is found by `law`."""
    guidance = read_guidance()
    return [
        (record.row, score(record.row, await played(record, guidance, limits, law), record.seconds, record.cost_usd))
        for record in records
    ]


def limits_of(arguments: argparse.Namespace) -> Limits:
    """Return how far a run may go."""
    return Limits(
        seconds=arguments.seconds, output_tokens=arguments.output_tokens, result_tokens=arguments.result_tokens
    )


def tell(row: Mapping[str, Any], found: Score, answer: Answer | str, arguments: argparse.Namespace) -> None:
    """Print an answer, to be read by a person."""
    if arguments.verbose:
        words = answer if isinstance(answer, str) else answer.answer_text
        print(f"== {row['id']} {'right' if found.right else '–'} flags={found.flags} {row['question']}\n{words}\n")


def main() -> None:
    """Ask or replay, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    law = add_corpus_arguments(parser)
    law.add_argument("--nats-url", help="a search that runs")
    law.add_argument("--replay", metavar="FILE", help="answer recorded questions again, without a model")
    parser.add_argument("--base-url", help="the model's server; OpenAI's by default")
    parser.add_argument("--model", default="gpt-5-mini")
    parser.add_argument("--mode", choices=[Mode.AGENT.value, Mode.DIRECT.value], default=Mode.AGENT.value)
    parser.add_argument("--provider", choices=[p.value for p in Provider], help="guessed from the address by default")
    parser.add_argument("--temperature", type=float)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--price", type=float, nargs=2, default=(0.0, 0.0), metavar=("IN", "OUT"), help="per million")
    parser.add_argument("--stall", type=float, default=300.0, help="seconds that the server may be silent")
    parser.add_argument("--seconds", type=float, default=600.0, help="wall time of one run")
    parser.add_argument("--output-tokens", type=int, default=3_000)
    parser.add_argument("--result-tokens", type=int, default=2_500, help="of what one search found, as it is shown")
    parser.add_argument("--part", choices=("all", "held-out", "tuning"), default="held-out")
    parser.add_argument("--questions", help="labelled questions of one's own, as JSON lines")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="one question in N, from all fields")
    parser.add_argument("--most", type=int, help="no more questions than so many")
    parser.add_argument("--record", metavar="FILE")
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--verbose", action="store_true", help="print each answer")
    arguments = parser.parse_args()
    if arguments.replay:
        scored = asyncio.run(replay(Recorded.read(Path(arguments.replay)), limits_of(arguments)))
    else:
        scored = asyncio.run(ask(arguments))
    found = summary([one for _, one in scored])
    if arguments.json:
        print(json.dumps({**found, "each": [{"id": row["id"], **one.__dict__} for row, one in scored]}))
        return
    for name, (count, of) in found["counts"].items():
        print(f"{name:24} {count:4} of {of:4}  {count / max(of, 1):.3f}")
    for name, mean in found["means"].items():
        print(f"{name:24} {mean:12.4f}")


if __name__ == "__main__":
    sys.exit(main())
