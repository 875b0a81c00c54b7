"""The blocks of an answer: what it says, apart from how a surface shows it.

A block refers to citations by number and to evidence by id; both are in the answer that holds it.
"""

from enum import StrEnum
from typing import Annotated, Literal, TypeAlias, get_args

from pydantic import BeforeValidator, Field

from lovsvar_contracts.message import Frozen


class Span(Frozen):
    """Words with the numbers of the citations that follow them, and the evidence that the words link to."""

    text: str = ""
    citations: tuple[int, ...] = ()
    evidence_id: str | None = None
    strong: bool = False


Words: TypeAlias = tuple[Span, ...]


def plain(text: str) -> Words:
    """Return `text` as words without citations."""
    return (Span(text=text),)


class Heading(Frozen):
    """A heading inside an answer; all are of one level."""

    kind: Literal["heading"] = "heading"
    words: Words


class Paragraph(Frozen):
    """A paragraph of running text."""

    kind: Literal["paragraph"] = "paragraph"
    words: Words


class Quote(Frozen):
    """The quote of a citation. `why` is one line that says why it is here."""

    kind: Literal["quote"] = "quote"
    citation: int
    why: str = ""


class List(Frozen):
    """A list of items, numbered when it is `ordered`."""

    kind: Literal["list"] = "list"
    items: tuple[Words, ...]
    ordered: bool = False


class RemarkRole(StrEnum):
    """What a remark is about. A role that is not known is read as `NOTE`."""

    SAMPLE = "sample"
    MODE = "mode"
    IN_FORCE = "in_force"
    NOTE = "note"

    @classmethod
    def _missing_(cls, value: object) -> "RemarkRole":
        return cls.NOTE


class Remark(Frozen):
    """What the agent says of its answer. A surface that says it elsewhere leaves the role out."""

    kind: Literal["remark"] = "remark"
    role: RemarkRole = RemarkRole.NOTE
    words: Words


class Suggestions(Frozen):
    """The sources to look at when nothing answers, after a `title`."""

    kind: Literal["suggestions"] = "suggestions"
    title: str
    evidence_ids: tuple[str, ...]


class SourceList(Frozen):
    """The list of all citations of the answer, after a `title`."""

    kind: Literal["sources"] = "sources"
    title: str


AnswerBlock: TypeAlias = Heading | Paragraph | Quote | List | Remark | Suggestions | SourceList

_KINDS = {model.model_fields["kind"].default for model in get_args(AnswerBlock)}


def _known(blocks: object) -> object:
    if not isinstance(blocks, list | tuple):
        return blocks
    return [block for block in blocks if not isinstance(block, dict) or block.get("kind") in _KINDS]


AnswerBlocks: TypeAlias = Annotated[
    tuple[Annotated[AnswerBlock, Field(discriminator="kind")], ...], BeforeValidator(_known)
]
"""The blocks of an answer, in order. A reader leaves out those of a kind that it does not know."""
