"""The blocks of an answer that a surface shows."""

from collections.abc import Collection, Iterable, Sequence

from lovsvar_contracts.blocks import AnswerBlock, Paragraph, Recommendations, Remark, RemarkRole, SourceList, plain
from lovsvar_contracts.questions import Answer


def blocks_of(answer: Answer) -> tuple[AnswerBlock, ...]:
    """Return the blocks of an answer. One that was stored without any is its text, a paragraph each."""
    return answer.blocks or tuple(Paragraph(words=plain(part)) for part in answer.answer_text.split("\n\n") if part)


def without(blocks: Iterable[AnswerBlock], *kinds: str, roles: Collection[RemarkRole] = ()) -> tuple[AnswerBlock, ...]:
    """Return `blocks` without those of `kinds`, and without remarks of `roles`."""
    return tuple(b for b in blocks if b.kind not in kinds and not (isinstance(b, Remark) and b.role in roles))


def with_sources(blocks: Sequence[AnswerBlock], title: str) -> tuple[AnswerBlock, ...]:
    """Return `blocks` with a list of the sources, which is called `title` unless they have one.

    It comes before what is recommended, which is no part of the answer that the sources are of.
    """
    if any(isinstance(b, SourceList) for b in blocks):
        return tuple(blocks)
    offers = tuple(b for b in blocks if isinstance(b, Recommendations))
    return (*(b for b in blocks if b not in offers), SourceList(title=title), *offers)
