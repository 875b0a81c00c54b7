"""Documents, their contents, and provisions."""

from typing import Annotated

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, Field, StringConstraints

from lovsvar_contracts.identifiers import Refid, Section
from lovsvar_contracts.law import LawType, Provision
from lovsvar_contracts.listings import MAX_CITING, Citations, Documents, Letter, ListDocuments, Subjects
from lovsvar_contracts.search import MAX_READ, Document, Outline, ProvisionRef, Provisions, Series
from lovsvar_gateway.core.errors import UnknownProvision
from lovsvar_gateway.core.phrases import Plain
from lovsvar_gateway.parts import GatewayParts
from lovsvar_gateway.routes.search import Ministry, Year

router = APIRouter(prefix="/v1", tags=["documents"])

RefidPath = Annotated[
    Refid, Plain, Path(examples=["lov/1999-03-26-17"], description="May hold slashes, encoded or not.")
]
SectionPath = Annotated[Section, Plain, Path(examples=["§3-5"], description="Percent-encoded; may hold slashes.")]


class ListParameters(BaseModel):
    """Which documents to list."""

    law_type: LawType | None = None
    year: Year | None = None
    ministry: Ministry | None = None
    title: Annotated[str, StringConstraints(max_length=200), Plain] | None = Field(
        default=None, description="Part of a title or short title."
    )
    changes: Annotated[Refid, Plain] | None = Field(
        default=None,
        description="Only what amends or repeals this document, newest first.",
        examples=["lov/1999-03-26-17"],
    )
    series: Series | None = Field(default=None, description="`lov` or `forskrift`: how the refid begins.")
    legal_area: Annotated[str, StringConstraints(max_length=200), Plain] | None = Field(
        default=None, description="A legal area, or the first part of one.", examples=["Arbeidsrett"]
    )
    letter: Letter | None = Field(
        default=None, description="The first letter of the short title or title; `#` is anything but a letter."
    )
    by_title: bool = Field(default=False, description="In alphabetical order, not by refid.")
    page: int = Field(default=1, ge=1, le=10_000)
    page_size: int = Field(default=50, ge=1, le=200)


class NamedProvision(BaseModel):
    """Names one provision."""

    refid: Annotated[Refid, Plain] = Field(examples=["lov/1999-03-26-17"])
    section: Annotated[Section, Plain] = Field(examples=["§3-5"])


class ReadBatch(BaseModel):
    """Which provisions to read."""

    refs: list[NamedProvision] = Field(min_length=1, max_length=MAX_READ)


@router.get("/documents")
async def list_documents(parameters: Annotated[ListParameters, Query()], parts: GatewayParts) -> Documents:
    """List documents, by refid."""
    return await parts.law.documents(ListDocuments(**parameters.model_dump()))


@router.get("/subjects")
async def read_subjects(parts: GatewayParts, series: Series = "lov") -> Subjects:
    """Read the letters, legal areas and ministries by which documents can be listed, with counts."""
    return await parts.law.subjects(series)


# A refid holds slashes, so that the longer addresses come first.
@router.get("/documents/{refid:path}/outline")
async def read_outline(refid: RefidPath, parts: GatewayParts) -> Outline:
    """Read a document's table of contents, with token counts."""
    return await parts.law.outline(refid)


@router.get("/documents/{refid:path}/citations")
async def list_citations(
    refid: RefidPath,
    parts: GatewayParts,
    section: Annotated[Section | None, Plain, Query(description="Only what refers to this provision.")] = None,
    most: Annotated[int, Query(ge=1, le=MAX_CITING, description="The most citing provisions of each place.")] = 5,
) -> Citations:
    """List what refers to a document and its provisions in current law, as far as the texts name it."""
    return await parts.law.citations(refid, section, most)


@router.get("/documents/{refid:path}/provisions/{section:path}")
async def read_provision(refid: RefidPath, section: SectionPath, parts: GatewayParts) -> Provision:
    """Read one provision whole."""
    found = await parts.law.read((ProvisionRef(refid=refid, section=section),))
    if not found.provisions:
        raise UnknownProvision(refid, section)
    return found.provisions[0]


@router.get("/documents/{refid:path}")
async def read_document(
    refid: RefidPath,
    parts: GatewayParts,
    after: Annotated[int | None, Query(ge=0, le=10_000_000, description="`next_after` of the page before.")] = None,
) -> Document:
    """Read a document, a page of provisions at a time."""
    return await parts.law.document(refid, after)


@router.post("/provisions:batch")
async def read_provisions(body: ReadBatch, parts: GatewayParts) -> Provisions:
    """Read up to 50 provisions, in the order asked for; those that do not exist are named in `missing`."""
    return await parts.law.read([ProvisionRef(refid=ref.refid, section=ref.section) for ref in body.refs])
