"""A kind of source: how what is found becomes evidence, how the model sees it, and how a quote of it is verified."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

from lovsvar_agent.core.proof import Proof, Rejection, verify_text
from lovsvar_agent.core.reasoning.untrusted_text import fenced
from lovsvar_contracts.law import InForce
from lovsvar_contracts.questions import Citation, Evidence

_STATUS = {InForce.NOT_YET: "ikke trådt i kraft", InForce.REPEALED: "opphevet"}


@dataclass(frozen=True)
class SourceKind:
    """Excerpts that a search gave, each identified by its address. A subclass may know whole texts.

    `prefix` begins the ids of its evidence (`serper-1`) and is their `source`. `label` is the type that the model
    sees. `proves_law` is whether its text is law; in a text that is not, references to the law are checked too. What is
    `of_search_engine` is quoted from its excerpts, which nobody checked against the source.

    What is found has a `title`, a `url` and a `snippet`, unless a subclass reads something else.
    """

    prefix: str
    label: str = ""
    proves_law: bool = False
    of_search_engine: bool = False

    def key(self, found: Any) -> Hashable:
        """Return what identifies `found`, or its evidence; what is found twice is one source."""
        address: str = found.url
        return address

    def fields(self, found: Any) -> Mapping[str, Any]:
        """Return the fields of `Evidence` that `found` gives."""
        return {"title": found.title, "snippet": found.snippet, "url": found.url, "lovdata_url": found.url}

    def is_whole(self, found: Any) -> bool:
        """Whether `found` is a whole text, which is kept for quotes."""
        return False

    def name(self, evidence: Evidence) -> str:
        """Return how an answer names the source."""
        return evidence.title

    def text(self, evidence: Evidence, whole: Any) -> str | None:
        """Return the text that may be quoted, None when it was not read; `whole` is what `is_whole`, if found."""
        return evidence.snippet

    def verify(self, quote: str, evidence: Evidence, whole: Any) -> Proof | Rejection:
        """Return where `quote` is in the text, word for word, or why it is not."""
        return verify_text(quote, evidence.snippet, "utdraget")

    def validity(self, evidence: Evidence, whole: Any) -> Mapping[str, Any]:
        """Return the fields of `Citation` that say whether the source is in force, and which data set it is from."""
        return {"in_force": evidence.in_force}

    def cite(self, number: int, evidence: Evidence, quote: str, proof: Proof | None, whole: Any) -> Citation:
        """Return the citation of a quote; it is verified when there is a proof."""
        return Citation(
            number=number,
            evidence_id=evidence.evidence_id,
            refid=evidence.refid,
            section=evidence.section,
            ledd=proof.ledd if proof else None,
            start=proof.start if proof else None,
            end=proof.end if proof else None,
            title=self.name(evidence),
            url=evidence.url,
            lovdata_url=evidence.lovdata_url,
            quote=quote,
            verified=proof is not None,
            sample=evidence.sample,
            excerpt=self.of_search_engine,
            **self.validity(evidence, whole),
        )

    def fence(self, evidence: Evidence, text: str, *, excerpt: bool = False) -> str:
        """Return `text` of the source as the model sees it."""
        return fenced(
            text,
            id=evidence.evidence_id,
            navn=full_name(evidence),
            status=_STATUS.get(evidence.in_force, ""),
            type=self.label,
            utdrag="ja" if excerpt else "",
        )


def full_name(evidence: Evidence) -> str:
    """Return a source's name as the model sees it: 'Husleieloven § 3-5. Depositum'."""
    return f"{evidence.act} {evidence.title}".strip()
