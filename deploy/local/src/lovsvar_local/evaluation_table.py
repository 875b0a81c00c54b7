"""An evaluation of search as lines for people. Pure."""

from lovsvar_local.evaluation import Evaluation, EvaluationReport, Measures, Outcome, Split
from lovsvar_local.phrases import clean, number

MISS_AFTER = 5
"""A question without a right provision among the first so many is a miss."""

_COLUMNS = ("spørsmål", "hit@1", "hit@5", "hit@10", "MRR@10", "law@5")
_WIDTH = 10
_PARTS = {Split.ALL: "alle", Split.TUNE: "til innstilling", Split.HELD_OUT: "holdt utenfor"}


def heading(report: EvaluationReport) -> str:
    """Return what was asked, and of what."""
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
    lines += [f"{clean(name):{first}}{_cells(measures)}" for name, measures in rows.items()]
    if fallen := evaluation.without_vectors:
        lines.append(f"OBS: {number(fallen)} spørsmål er rangert etter ord alene, fordi det ikke finnes vektorer.")
    return "\n".join(lines)


def misses(evaluation: Evaluation) -> str:
    """Return each question without a hit among the first five, and what was found instead; "" when there is none."""
    missed = [o for o in evaluation.outcomes if o.rank is None or o.rank > MISS_AFTER]
    return "\n\n".join(_miss(outcome) for outcome in missed)


def _cells(measures: Measures) -> str:
    shares = (measures.hit_at_1, measures.hit_at_5, measures.hit_at_10, measures.mrr_at_10, measures.law_at_5)
    return f"{measures.questions:>{_WIDTH}}" + "".join(f"{share:>{_WIDTH}.3f}" for share in shares)


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
