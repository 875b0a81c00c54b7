"""What every answer is made of, whoever found it: remarks, suggestions, and the answer as it is sent."""

from collections.abc import Sequence
from typing import Any

from lovsvar_agent.core.run import Run
from lovsvar_contracts.blocks import AnswerBlock, Remark, RemarkRole, Suggestions, plain
from lovsvar_contracts.questions import Answer, Evidence, Mode, RunStatus
from lovsvar_rendering.html import HtmlRenderer
from lovsvar_rendering.text import TextRenderer


def remark(said: str, role: RemarkRole = RemarkRole.NOTE) -> Remark:
    """Return a sentence of the agent's own."""
    return Remark(role=role, words=plain(said))


def suggested(title: str, nearest: Sequence[Evidence]) -> list[Suggestions]:
    """Return a block of the sources to look at instead, if there are any."""
    return [Suggestions(title=title, evidence_ids=tuple(e.evidence_id for e in nearest))] if nearest else []


def completed(run: Run, mode: Mode, limit: str | None, blocks: Sequence[AnswerBlock], **checked: Any) -> Answer:
    """Return the answer of a run, with the fields of `checked`. `limit` is what ended the run early."""
    asked, evidence = run.asked, run.evidence.all
    citations = checked["citations"]
    return Answer(
        correlation_id=asked.correlation_id,
        run_id=asked.run_id,
        status=RunStatus.LIMIT_REACHED if limit else RunStatus.COMPLETED,
        mode=mode,
        question=asked.question,
        filters=asked.filters,
        follows=asked.follows,
        blocks=tuple(blocks),
        answer_html=HtmlRenderer(citations, evidence).render(blocks),
        answer_text=TextRenderer(citations, evidence).render(blocks),
        evidence=evidence,
        usage=run.usage,
        sample=any(e.sample for e in evidence),
        **checked,
    )


def did_you_mean(words: Sequence[str]) -> str:
    """Return the question whether one of `words` was meant: 'Mente du «depositum» eller «pant»?'; empty without any."""
    quoted = [f"«{word}»" for word in words]
    listed = " eller ".join(part for part in (", ".join(quoted[:-1]), *quoted[-1:]) if part)
    return f"Mente du {listed}?" if listed else ""
