"""Whether an archive that would take away or rewrite much of the law is to be believed without asking."""

from dataclasses import dataclass

from lovsvar_ingest.core.errors import ArchiveImplausible

FEW_DOCUMENTS = 20
"""Fewer documents than these are never too many."""

REMOVED_SHARE = 0.02
"""The share of a data set that may be removed or emptied at once, unless set otherwise."""

CHANGED_SHARE = 0.5
"""The share of a data set whose text may change at once while it is read in the same way as before."""

SHRUNK = 10
"""A document is emptied whose text becomes shorter than one part in so many."""


@dataclass(frozen=True, slots=True)
class Extent:
    """How much law a document holds."""

    provisions: int
    tokens: int

    def emptied_by(self, new: "Extent") -> bool:
        """Return whether hardly anything is left when the document becomes `new`."""
        return new.provisions == 0 < self.provisions or new.tokens * SHRUNK < self.tokens


@dataclass(frozen=True, slots=True)
class Losses:
    """What an archive would do to the `stored` documents of its data set.

    `changed` counts what is also emptied; `ceased` are those that stay and would no longer be in force.
    """

    stored: int
    removed: int
    emptied: int
    changed: int
    ceased: int = 0

    def check(self, share: float, *, same_reading: bool) -> None:
        """Raise `ArchiveImplausible`, with the counts, when this is more than is likely.

        `share` is that of documents removed, emptied or no longer in force. Changes count only with `same_reading`: a
        new version of the parser may change every document.
        """
        lost = self.removed + self.emptied + self.ceased
        much = _more(lost, share * self.stored) or (same_reading and _more(self.changed, CHANGED_SHARE * self.stored))
        if much:
            ceased = f" og sette {self.ceased} ut av kraft" if self.ceased else ""
            raise ArchiveImplausible(
                f"Arkivet ville fjerne {self.removed}, tømme {self.emptied} og endre {self.changed} "
                f"av {self.stored} dokumenter{ceased}, mer enn det som er rimelig."
            )


def _more(documents: int, limit: float) -> bool:
    return documents >= FEW_DOCUMENTS and documents > limit


def how_to_accept(dataset: str, checksum: str) -> str:
    """Return what an operator does who knows that the archive is right."""
    return (
        "Ingenting er endret, og lovene som var lagret, gjelder fortsatt. "
        f"Er arkivet riktig, godtas akkurat dette (SHA-256 {checksum}) med "
        f"«lovsvar ingest --dataset {dataset} --accept {checksum}» "
        f'eller POST /v1/ingest {{"dataset": "{dataset}", "accept": "{checksum}"}}.'
    )
