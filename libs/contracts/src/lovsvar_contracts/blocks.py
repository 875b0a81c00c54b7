"""The blocks of an answer: what it says, apart from how a surface shows it.

A block refers to citations by number and to evidence by id; both are in the answer that holds it.
"""

from datetime import date
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
    """The quote of a citation. `why` is one line that says why it is here.

    `marks` are offsets in the quote, from and to, of the words that match the question. `cut_before` and `cut_after`
    are true when the ledd has more before or after it, which a surface shows by an ellipsis.
    """

    kind: Literal["quote"] = "quote"
    citation: int
    why: str = ""
    marks: tuple[tuple[int, int], ...] = ()
    cut_before: bool = False
    cut_after: bool = False


class Explanation(Frozen):
    """What a provision says in plain words: Lovsvar's own, no law. `ledd` are those that it explains."""

    kind: Literal["explanation"] = "explanation"
    label: str
    evidence_id: str
    ledd: tuple[int, ...]
    words: Words


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


class Contact(Frozen):
    """Who helps: what they do, and how they are reached. An address is one of a public site, without a path."""

    name: str
    does: str = ""
    phone: str = ""
    url: str = ""


class Emergency(Frozen):
    """Whom to call at once, when a question tells of danger to life or health. It comes before all else."""

    kind: Literal["emergency"] = "emergency"
    title: str
    contacts: tuple[Contact, ...]


class Fact(Frozen):
    """A line of a situation: what it is about, and the words, with the citation that proves them if there is one."""

    label: str
    words: Words


class Situation(Frozen):
    """What to do next in a situation people find themselves in: curated by people, and last `checked` on a day.

    `steps` come in order. `facts` are the deadline, who decides, what it costs and which letter to write, as far as
    they are known.
    """

    kind: Literal["situation"] = "situation"
    id: str
    title: str
    steps: tuple[str, ...]
    facts: tuple[Fact, ...] = ()
    contact: Contact | None = None
    note: str = ""
    checked: date


class Choice(Frozen):
    """A question that can be asked next, and the words on its button."""

    label: str
    question: str


class Choices(Frozen):
    """Questions to go on with, after a `title`. With `narrows` the answer turns on which of them is meant."""

    kind: Literal["choices"] = "choices"
    title: str
    choices: tuple[Choice, ...]
    narrows: bool = False


class Recommendation(Frozen):
    """A product of a catalogue. Name, price and address are those of the catalogue, whoever chose the product.

    `why` is one or two sentences of its description. `url` is empty, or https at a host of the catalogue.
    `catalogue` is the catalogue's name; what is of an `invented` one does not exist.
    """

    evidence_id: str
    name: str
    price: str = ""
    why: str = ""
    url: str = ""
    catalogue: str = ""
    language: str = Field(default="", description="The language of the catalogue, as in HTML.")
    invented: bool = False


class Recommendations(Frozen):
    """Products and services that may help, after a `title`. They are no part of the legal answer; `note` says so."""

    kind: Literal["recommendations"] = "recommendations"
    title: str
    note: str = ""
    language: str = Field(default="", description="The language of title and note, as in HTML.")
    invented: str = Field(default="", description="What is said of an item that is invented.")
    items: tuple[Recommendation, ...]


AnswerBlock: TypeAlias = (
    Heading
    | Paragraph
    | Quote
    | Explanation
    | Emergency
    | Situation
    | Choices
    | List
    | Remark
    | Suggestions
    | SourceList
    | Recommendations
)

_KINDS = {model.model_fields["kind"].default for model in get_args(AnswerBlock)}


def _known(blocks: object) -> object:
    if not isinstance(blocks, list | tuple):
        return blocks
    return [block for block in blocks if not isinstance(block, dict) or block.get("kind") in _KINDS]


AnswerBlocks: TypeAlias = Annotated[
    tuple[Annotated[AnswerBlock, Field(discriminator="kind")], ...], BeforeValidator(_known)
]
"""The blocks of an answer, in order. A reader leaves out those of a kind that it does not know."""
