"""Subjects of documents → use cases."""

from collections.abc import Awaitable, Callable

from lovsvar_cases.core.files import documents
from lovsvar_cases.core.files.errors import UnknownDocument
from lovsvar_chassis.problems import ProblemTable
from lovsvar_contracts import case_documents, subjects
from lovsvar_contracts.message import Message
from lovsvar_contracts.problems import ProblemType

DOCUMENT_PROBLEMS: ProblemTable = {UnknownDocument: ProblemType.NOT_FOUND}

DOCUMENTS_SERVED: tuple[tuple[str, type[Message], Callable[..., Awaitable[Message]]], ...] = (
    (subjects.CASES_ADD_DOCUMENT_PART, case_documents.AddDocumentPart, documents.add_part),
    (subjects.CASES_FINISH_DOCUMENT, case_documents.FinishDocument, documents.finish_document),
    (subjects.CASES_READ_DOCUMENT, case_documents.ReadCaseDocument, documents.read_document),
    (subjects.CASES_DOCUMENTS, case_documents.ListCaseDocuments, documents.list_documents),
    (subjects.CASES_READ_PAGES, case_documents.ReadPages, documents.read_pages),
    (subjects.CASES_READ_DOCUMENT_PART, case_documents.ReadDocumentPart, documents.read_part),
    (subjects.CASES_REMOVE_DOCUMENT, case_documents.RemoveDocument, documents.remove_document),
    (subjects.CASES_SEARCH_DOCUMENTS, case_documents.SearchDocuments, documents.search_documents),
    (subjects.CASES_VERIFY_QUOTE, case_documents.VerifyQuote, documents.verify_quote),
)
"""What is answered on which subject, sealed, by which use case."""
