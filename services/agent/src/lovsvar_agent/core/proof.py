"""Whether a quote is in a provision, word for word; `lovsvar_legaltext.quotes` says what is compared."""

from dataclasses import dataclass, replace

from lovsvar_agent.core.layout import ledd_at
from lovsvar_contracts.law import Provision
from lovsvar_legaltext.quotes import find, is_empty


@dataclass(frozen=True)
class Proof:
    """A quote was found: `start` and `end` are offsets in the stored text, `ledd` is where it begins, if known."""

    start: int
    end: int
    ledd: int | None = None


@dataclass(frozen=True)
class Rejection:
    """A quote was not found. `reason` is one Norwegian sentence."""

    reason: str


def verify(quote: str, provision: Provision) -> Proof | Rejection:
    """Return where `quote` is in the stored text of `provision`, or why it does not."""
    proof = verify_text(quote, provision.text, "bestemmelsen")
    return replace(proof, ledd=ledd_at(provision, proof.start)) if isinstance(proof, Proof) else proof


def verify_text(quote: str, text: str, where: str) -> Proof | Rejection:
    """Return where `quote` is in `text`, without a ledd, or why it is not; `where` names the text in Norwegian."""
    if is_empty(quote):
        return Rejection("Sitatet er tomt.")
    place = find(quote, text)
    return Proof(*place) if place else Rejection(f"Sitatet står ikke ordrett i {where}.")
