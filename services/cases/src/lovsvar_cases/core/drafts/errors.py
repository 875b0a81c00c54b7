"""Errors of drafts; their words name placeholders and sources, and never who a party is."""

from collections.abc import Sequence

from lovsvar_cases.core.errors import CasesError, CaseTooLarge, Conflict, Refused


class UnknownDraft(CasesError):
    """The case has no such draft or revision. Remedy: list the drafts."""

    def __init__(self, draft_id: str, revision: int | None = None) -> None:
        which = "" if revision is None else f", revisjon {revision}"
        super().__init__(f"Saken har ikke utkastet {draft_id[:64]}{which}.")


class UnknownTemplate(CasesError):
    """There is no such template. Remedy: list the templates."""


class Unfilled(Refused):
    """A placeholder stands for nothing. Remedy: as the words say."""

    def __init__(self, reasons: Sequence[str]) -> None:
        super().__init__("Utkastet kan ikke fylles ut. " + " ".join(dict.fromkeys(reasons)))


class UnprovenSource(Refused):
    """A draft names law that there is not, or quotes what does not stand there. Remedy: read the provision."""

    def __init__(self, reasons: Sequence[str]) -> None:
        super().__init__("Utkastet viser til kilder som ikke holder. " + " ".join(dict.fromkeys(reasons)))


class InvalidDraft(Refused):
    """A draft cannot be as it is asked for. Remedy: as the words say."""


class TemplateNotOffered(Conflict):
    """A template rests on law that has changed, or that is not yet verified. Remedy: another, or one's own text."""


class StaleRevision(Conflict):
    """A draft has another number of revisions than its writer thought. Remedy: read it, and write the next."""

    def __init__(self, name: str, given: int, following: int) -> None:
        super().__init__(f"Neste revisjon av «{name}» er {following}, ikke {given}. Revisjoner skrives aldri over.")
        self.following = following


class DraftTooLarge(CaseTooLarge):
    """A draft is longer than a document may be."""


class SourcesUnavailable(CasesError):
    """The law cannot be read now, so that sources cannot be verified. Remedy: try again."""
