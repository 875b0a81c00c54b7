"""`lovdata`: provisions, quoted from the text that is stored."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

from lovsvar_agent.core.proof import Proof, Rejection, verify
from lovsvar_agent.core.source_kinds.kind import SourceKind
from lovsvar_contracts.identifiers import section_key
from lovsvar_contracts.law import Provision
from lovsvar_contracts.questions import Evidence
from lovsvar_contracts.search import ProvisionHit
from lovsvar_rendering.names import source_name

SNIPPET = 500
"""Characters of a provision that its evidence shows."""


@dataclass(frozen=True)
class LawKind(SourceKind):
    """Provisions, found as hits or read whole."""

    def key(self, found: Provision | ProvisionHit | Evidence) -> Hashable:
        """Return its document and its section."""
        return found.refid, section_key(found.section or "")

    def fields(self, found: Provision | ProvisionHit) -> Mapping[str, Any]:
        """Return the fields of `Evidence`; only a hit has a ledd."""
        if isinstance(found, Provision):
            title = f"{found.value}. {found.title}" if found.title else found.value
            shown: dict[str, Any] = {"title": title, "snippet": found.text[:SNIPPET]}
        else:
            shown = {"title": found.title, "snippet": found.snippet, "ledd": found.ledd}
        names = ("refid", "section", "act", "in_force", "url", "lovdata_url", "sample")
        return {name: getattr(found, name) for name in names} | shown

    def is_whole(self, found: Provision | ProvisionHit) -> bool:
        """Whether it was read."""
        return isinstance(found, Provision)

    def name(self, evidence: Evidence) -> str:
        """Return act, section and heading."""
        return source_name(evidence)

    def text(self, evidence: Evidence, whole: Provision | None) -> str | None:
        """Return the stored text."""
        return whole.text if whole else None

    def verify(self, quote: str, evidence: Evidence, whole: Provision | None) -> Proof | Rejection:
        """Return where `quote` is in the stored text, and in which ledd it begins."""
        if whole is None:
            return Rejection("Bestemmelsen kunne ikke leses, så sitatet er ikke kontrollert.")
        return verify(quote, whole)

    def validity(self, evidence: Evidence, whole: Provision | None) -> Mapping[str, Any]:
        """Return what the provision says of itself."""
        return {"in_force": whole.in_force, "dataset": whole.dataset} if whole else super().validity(evidence, whole)


LAW = LawKind("lovdata", proves_law=True)
