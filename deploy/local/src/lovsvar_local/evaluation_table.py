"""An evaluation of search as lines for people. Pure."""

from lovsvar_local.evaluation import Evaluation, EvaluationReport, Outcome, Split
from lovsvar_local.phrases import clean, number

MISS_AFTER = 5
"""A question without a right provision among the first so many is a miss."""

_COLUMNS = ("spørsmål", "hit@1", "hit@5", "hit@10", "MRR@10", "law@5")
_WIDTH = 10
_PARTS = {Split.ALL: "alle", Split.TUNE: "til innstilling", Split.HELD_OUT: "holdt utenfor"}


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
