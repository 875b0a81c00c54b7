"""Errors about documents.

DocumentRefused (Refused)      the document cannot be taken; its words say why, in Norwegian
DocumentTooLarge (CaseTooLarge) it has more bytes, or the case more documents, than are taken
UnknownDocument (CasesError)   the case has no such document
"""

from lovsvar_cases.core.errors import CasesError, CaseTooLarge, Refused


class DocumentRefused(Refused):
    """The document cannot be taken. Remedy: as the words say."""


class DocumentTooLarge(CaseTooLarge):
    """There are more bytes or documents than are taken. Remedy: a smaller document, or fewer."""


class UnknownDocument(CasesError):
    """The case has no such document, or no such part or page of it. Remedy: list the documents."""

    def __init__(self, document_id: str) -> None:
        super().__init__(f"Saken har ikke dokumentet {document_id}.")
