"""Lists of documents, of their subjects, and of what refers to them."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from lovsvar_contracts.identifiers import Refid, Section
from lovsvar_contracts.law import DocumentSummary, InForce, LawType
from lovsvar_contracts.message import Frozen, Message
from lovsvar_contracts.search import CorpusReply, Ministry, Series, Year

Letter = Annotated[str, StringConstraints(pattern=r"^[A-ZÆØÅa-zæøå#]$")]

MAX_CITING = 200
"""The most citing provisions of one place that are listed."""


class ListDocuments(Message):
    """List documents with filters, by refid."""

    kind: Literal["list_documents"] = "list_documents"
    law_type: LawType | None = None
    year: Year | None = None
    ministry: Ministry | None = None
    title: str | None = Field(default=None, max_length=200, description="Part of a title or short title.")
    changes: Refid | None = Field(default=None, description="Only documents that amend or repeal it, newest first.")
    series: Series | None = Field(default=None, description="Only documents whose refid begins with it.")
    legal_area: str | None = Field(default=None, max_length=200, description="A legal area, or the first part of one.")
    letter: Letter | None = Field(
        default=None, description="The first letter of the short title, or of the title; '#' is anything else."
    )
    by_title: bool = Field(default=False, description="In Norwegian alphabetical order of short title or title.")
    page: int = Field(default=1, ge=1, le=10_000)
    page_size: int = Field(default=50, ge=1, le=200)


class Documents(CorpusReply):
    """A page of documents."""

    kind: Literal["documents"] = "documents"
    documents: tuple[DocumentSummary, ...]
    total: int
    page: int
    page_size: int


class ReadSubjects(Message):
    """Ask by what the documents of a series can be browsed."""

    kind: Literal["read_subjects"] = "read_subjects"
    series: Series = "lov"


class Subject(Frozen):
    """A letter, a legal area or a ministry, and how many documents it has."""

    name: str
    documents: int


class Subjects(CorpusReply):
    """By what documents can be browsed, each in Norwegian alphabetical order."""

    kind: Literal["subjects"] = "subjects"
    letters: tuple[Subject, ...]
    legal_areas: tuple[Subject, ...] = Field(description="'Arbeidsrett' and, below it, 'Arbeidsrett > Ferie'.")
    ministries: tuple[Subject, ...]


class ListCitations(Message):
    """Find what refers to a document or to one of its provisions, in current law.

    Found are the law's own links, mentions of a section right after the document's name, and the document's mentions of
    its own sections. The rest, such as a section of «loven», is not.
    """

    kind: Literal["list_citations"] = "list_citations"
    refid: Refid
    section: Section | None = Field(default=None, description="Only what refers to this provision.")
    most: int = Field(default=5, ge=1, le=MAX_CITING, description="The most citing provisions of each place.")


class Citing(Frozen):
    """A provision that refers to another place. `basis`: it says that it is made under it (hjemmel)."""

    refid: Refid
    section: Section
    act: str
    title: str = Field(description="'§ 3-5. Depositum'")
    law_type: LawType
    in_force: InForce
    basis: bool = False
    url: str


class CitedPlace(Frozen):
    """A place that others refer to, with the first of them; without a section, the document as a whole."""

    section: Section | None = None
    total: int
    citing: tuple[Citing, ...]


class CitingDocument(Frozen):
    """A regulation that refers to an act, in so many provisions. `basis`: it says that it is made under it."""

    refid: Refid
    act: str
    law_type: LawType
    in_force: InForce
    provisions: int
    basis: bool = False
    url: str


class Citations(CorpusReply):
    """What refers to a document, by place, in reading order; and the regulations among that, `basis` first."""

    kind: Literal["citations"] = "citations"
    refid: Refid
    places: tuple[CitedPlace, ...]
    regulations: tuple[CitingDocument, ...] = Field(default=(), description="At most 200.")
    regulations_total: int = 0
