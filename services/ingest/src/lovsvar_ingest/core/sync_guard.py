"""The guard against archives that would remove or rewrite much of the law."""

from dataclasses import dataclass

from lovsvar_ingest.core.errors import ArchiveImplausible

FEW_DOCUMENTS = 20
"""Fewer documents never stop a sync."""

REMOVED_SHARE = 0.02
"""The share of a data set that a sync may remove or empty, by default."""

CHANGED_SHARE = 0.5
"""The share of a data set that a sync may change, with the same parser version."""

SHRUNK = 10
"""A document counts as emptied when less than one part in so many of its text is left."""


@dataclass(frozen=True, slots=True)
class Extent:
    """The amount of law in a document."""

    provisions: int
    tokens: int

    def emptied_by(self, new: "Extent") -> bool:
        """Return whether the change to `new` empties the document."""
        return new.provisions == 0 < self.provisions or new.tokens * SHRUNK < self.tokens


@dataclass(frozen=True, slots=True)
class Losses:
    """The effect of an archive on the `stored` documents of its data set.

    `changed` includes emptied documents; `ceased` ones stay and would no longer be in force.
    """

    stored: int
    removed: int
    emptied: int
    changed: int
    ceased: int = 0

    def check(self, share: float, *, same_parser: bool) -> None:
        """Raise `ArchiveImplausible`, with the counts, when this is more than is likely.

        `share` is the share of documents that may be removed, emptied or put out of force. Changes count only with
        `same_parser`: a new version of the parser may change every document.
        """
        lost = self.removed + self.emptied + self.ceased
        much = _more(lost, share * self.stored) or (same_parser and _more(self.changed, CHANGED_SHARE * self.stored))
        if much:
            ceased = f" og sette {self.ceased} ut av kraft" if self.ceased else ""
            raise ArchiveImplausible(
                f"Arkivet ville fjerne {self.removed}, tømme {self.emptied} og endre {self.changed} "
                f"av {self.stored} dokumenter{ceased}, mer enn det som er rimelig."
            )


def _more(documents: int, limit: float) -> bool:
    return documents >= FEW_DOCUMENTS and documents > limit


def how_to_accept(dataset: str, checksum: str) -> str:
    """Return how an operator accepts an archive that is right."""
    return (
        "Ingenting er endret, og lovene som var lagret, gjelder fortsatt. "
        f"Er arkivet riktig, godtas akkurat dette (SHA-256 {checksum}) med "
        f"«lovsvar ingest --dataset {dataset} --accept {checksum}» "
        f'eller POST /v1/ingest {{"dataset": "{dataset}", "accept": "{checksum}"}}.'
    )
