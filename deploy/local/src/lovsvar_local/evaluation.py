"""How well search finds the provisions that answer questions: the questions, the measures, and their page. Pure.

A question is a hit at k when a provision of `gold` or `also` is among the first k results; sections are compared
without spaces and case. MRR@10 is over the same. law@5 asks only for a provision of a document that either names.
"""

import asyncio
import zlib
from collections.abc import Awaitable, Callable, Iterable, Sequence
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, StringConstraints, ValidationError

from lovsvar_contracts.identifiers import Refid, Section, section_key
from lovsvar_contracts.message import Frozen
from lovsvar_contracts.search import CorpusStatus, ProvisionHits, ProvisionRef, Query, SearchMode
from lovsvar_local.errors import BadQuestions
from lovsvar_local.phrases import clean, number

TOP = 10
"""How many results of a question count."""

AT_ONCE = 8
"""How many questions are asked at a time."""

MISS_AFTER = 5
"""A question without a right provision among the first so many is a miss."""

_COLUMNS = ("spørsmål", "hit@1", "hit@5", "hit@10", "MRR@10", "law@5")
_WIDTH = 10

Label = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100)]


class Asked(Frozen):
    """A question and the provisions that answer it."""

    id: Label
    lang: Label
    style: Label
    question: Query
    gold: tuple[ProvisionRef, ...] = Field(min_length=1)


class Question(Asked):
    """A line of a file: `also` are other provisions that a lawyer would accept."""

    also: tuple[ProvisionRef, ...] = ()


class Split(StrEnum):
    """Which of a file's questions are asked."""

    ALL = "all"
    TUNE = "tune"
    """Those that search may be tuned on."""
    HELD_OUT = "held-out"
    """Those that are kept for reporting: about a third."""


_PARTS = {Split.ALL: "alle", Split.TUNE: "til innstilling", Split.HELD_OUT: "holdt utenfor"}


class RankedHit(Frozen):
    """A result. `right` is whether it answers the question."""

    refid: Refid
    section: Section
    act: str
    title: str
    score: float
    right: bool


class Outcome(Asked):
    """The result of a question. Ranks count from 1: of the first right provision, and of the first right document.

    `ranked_by` is how search says that it ranked.
    """

    rank: int | None
    law_rank: int | None
    ranked_by: SearchMode
    top: tuple[RankedHit, ...]


class Measures(Frozen):
    """The measures of a group of questions, each between 0 and 1."""

    questions: int
    hit_at_1: float
    hit_at_5: float
    hit_at_10: float
    mrr_at_10: float
    law_at_5: float


class Evaluation(Frozen):
    """The results of a file's questions in one mode."""

    mode: SearchMode
    overall: Measures
    by_style: dict[str, Measures]
    by_lang: dict[str, Measures]
    outcomes: tuple[Outcome, ...]

    @property
    def without_vectors(self) -> int:
        """How many questions were ranked by words alone though more was asked for."""
        return sum(o.ranked_by is SearchMode.LEXICAL for o in self.outcomes if self.mode is not SearchMode.LEXICAL)


class EvaluationReport(Frozen):
    """The results of a file's questions in each mode, and over what. `embedded` counts provisions with a vector."""

    kind: Literal["evaluation"] = "evaluation"
    part: Split
    questions: int
    documents: int
    provisions: int
    embedded: int
    corpus_version: int
    sample: bool
    modes: tuple[Evaluation, ...]


Find = Callable[[str, SearchMode], Awaitable[ProvisionHits]]
"""Asks search for the first `TOP` provisions for a question."""


def read_questions(text: str, name: str) -> tuple[Question, ...]:
    """Return the questions of `text`, one JSON object a line. Raises `BadQuestions`, with `name` and the line."""
    questions: list[Question] = []
    lines: dict[str, int] = {}
    # Not splitlines(): JSON may hold characters that count as ends of lines for it.
    for at, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            question = Question.model_validate_json(line)
        except ValidationError as exc:
            raise BadQuestions(f"{name}, linje {at}: {_wrong(exc)}.") from exc
        if question.id in lines:
            raise BadQuestions(f"{name}, linje {at}: id {question.id} står også på linje {lines[question.id]}.")
        lines[question.id] = at
        questions.append(question)
    if not questions:
        raise BadQuestions(f"{name} har ingen spørsmål.")
    return tuple(questions)


def is_held_out(question_id: str) -> bool:
    """Whether a question is held out: when the CRC-32 of its id in UTF-8 leaves 1 when divided by 3.

    That depends on nothing else, so that a question stays where it is when others come or go.
    """
    return zlib.crc32(question_id.encode()) % 3 == 1


def choose(questions: Iterable[Question], part: Split) -> tuple[Question, ...]:
    """Return the questions of `part`, in their order."""
    return tuple(q for q in questions if part is Split.ALL or is_held_out(q.id) == (part is Split.HELD_OUT))


def judge(question: Question, hits: ProvisionHits) -> Outcome:
    """Compare what search found with what answers the question."""
    right = {(ref.refid, section_key(ref.section)) for ref in (*question.gold, *question.also)}
    documents = {refid for refid, _ in right}
    top = tuple(
        RankedHit(
            **hit.model_dump(include={"refid", "section", "act", "title", "score"}),
            right=(hit.refid, section_key(hit.section)) in right,
        )
        for hit in hits.hits[:TOP]
    )
    return Outcome(
        **{name: getattr(question, name) for name in Asked.model_fields},
        rank=next((rank for rank, found in enumerate(top, start=1) if found.right), None),
        law_rank=next((rank for rank, found in enumerate(top, start=1) if found.refid in documents), None),
        ranked_by=hits.mode,
        top=top,
    )


def measure(outcomes: Sequence[Outcome]) -> Measures:
    """Return the measures of `outcomes`, of which there is at least one, to four decimals."""

    def within(ranks: Iterable[int | None], k: int) -> float:
        return round(sum(rank is not None and rank <= k for rank in ranks) / len(outcomes), 4)

    ranks = [outcome.rank for outcome in outcomes]
    return Measures(
        questions=len(outcomes),
        hit_at_1=within(ranks, 1),
        hit_at_5=within(ranks, 5),
        hit_at_10=within(ranks, TOP),
        mrr_at_10=round(sum(1 / rank for rank in ranks if rank) / len(outcomes), 4),
        law_at_5=within((outcome.law_rank for outcome in outcomes), 5),
    )


def evaluate(mode: SearchMode, outcomes: Sequence[Outcome]) -> Evaluation:
    """Return the measures of at least one outcome: overall, by style and by language."""
    styles, langs = sorted({o.style for o in outcomes}), sorted({o.lang for o in outcomes})
    return Evaluation(
        mode=mode,
        overall=measure(outcomes),
        by_style={style: measure([o for o in outcomes if o.style == style]) for style in styles},
        by_lang={lang: measure([o for o in outcomes if o.lang == lang]) for lang in langs},
        outcomes=tuple(outcomes),
    )


def report(status: CorpusStatus, part: Split, modes: Sequence[Evaluation]) -> EvaluationReport:
    """Return at least one evaluation together with what it was over."""
    over = status.model_dump(include={"documents", "provisions", "embedded", "corpus_version", "sample"})
    return EvaluationReport(part=part, questions=modes[0].overall.questions, modes=tuple(modes), **over)


async def ask_all(questions: Sequence[Question], mode: SearchMode, find: Find) -> Evaluation:
    """Ask every question by `find`, `AT_ONCE` at a time, and return the results. What `find` raises ends it."""
    turns = asyncio.Semaphore(AT_ONCE)

    async def ask(question: Question) -> Outcome:
        async with turns:
            return judge(question, await find(question.question, mode))

    asked = [asyncio.create_task(ask(question)) for question in questions]
    try:
        return evaluate(mode, await asyncio.gather(*asked))
    finally:
        for task in asked:
            task.cancel()


def _wrong(error: ValidationError) -> str:
    first = error.errors(include_input=False, include_url=False)[0]
    field = ".".join(str(part) for part in first["loc"])
    if first["type"] == "json_invalid":
        return "er ikke gyldig JSON"
    if not field:
        return "er ikke et JSON-objekt"
    return f"{field} mangler" if first["type"] == "missing" else f"{field} har feil form"


def page(report: EvaluationReport, *, with_misses: bool) -> str:
    """Return the measures of each mode, and with `with_misses` the questions that were missed."""
    parts = [heading(report)]
    for evaluation in report.modes:
        parts.append(table(evaluation))
        if with_misses and (missed := misses(evaluation)):
            parts.append(missed)
    return "\n\n".join(parts)


def heading(report: EvaluationReport) -> str:
    """Return which questions were asked, over what."""
    return (
        f"{number(report.questions)} spørsmål ({_PARTS[report.part]}), {number(report.provisions)} bestemmelser, "
        f"{number(report.embedded)} av dem med vektor"
    )


def table(evaluation: Evaluation) -> str:
    """Return the measures of one mode: a head, then a row for all questions, each style and each language."""
    rows = {
        "alle": evaluation.overall,
        **{f"stil {style}": measures for style, measures in evaluation.by_style.items()},
        **{f"språk {lang}": measures for lang, measures in evaluation.by_lang.items()},
    }
    first = max(20, *(len(name) + 2 for name in rows))
    lines = [f"{evaluation.mode:{first}}" + "".join(f"{column:>{_WIDTH}}" for column in _COLUMNS)]
    for name, measures in rows.items():
        questions, *shares = measures.model_dump().values()
        cells = "".join(f"{share:>{_WIDTH}.3f}" for share in shares)
        lines.append(f"{clean(name):{first}}{questions:>{_WIDTH}}{cells}")
    if fallen := evaluation.without_vectors:
        lines.append(f"OBS: {number(fallen)} spørsmål er rangert etter ord alene, fordi det ikke finnes vektorer.")
    return "\n".join(lines)


def misses(evaluation: Evaluation) -> str:
    """Return each question without a hit among the first five, and what was found instead; "" when there is none."""
    return "\n\n".join(_miss(o) for o in evaluation.outcomes if o.rank is None or o.rank > MISS_AFTER)


def _miss(outcome: Outcome) -> str:
    place = f"nr. {outcome.rank}" if outcome.rank else "ikke funnet"
    lines = [
        f"{outcome.id} ({outcome.style}, {outcome.lang}, {place}): {outcome.question}",
        f"    svaret: {', '.join(f'{ref.refid} {ref.section}' for ref in outcome.gold)}",
        *(
            f"    {rank}. {found.act} {found.title} ({found.refid} {found.section})"
            for rank, found in enumerate(outcome.top[:MISS_AFTER], start=1)
        ),
    ]
    if not outcome.top:
        lines.append("    ingen treff")
    return "\n".join(clean(line) for line in lines)
