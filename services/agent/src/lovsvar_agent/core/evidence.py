"""The sources of a run, with stable ids, and their whole texts, which quotes are checked against."""

from collections.abc import Hashable, Iterable
from datetime import date
from itertools import chain
from typing import Any

from lovsvar_agent.core.proof import Proof, Rejection
from lovsvar_agent.core.source_kinds.kind import SourceKind
from lovsvar_agent.core.source_kinds.law import LAW
from lovsvar_contracts.questions import Evidence
from lovsvar_contracts.search import ProvisionRef


class EvidenceRegistry:
    """Counts the sources of each kind from 1: `lovdata-1`, `serper-1`.

    What is found twice keeps its id; ids never restart. `corpus_date` is put on law found from then on;
    `corpus_version` is of the last search or reading, 0 before any. `shown` are the ids of the sources whose whole
    text a model was given.
    """

    def __init__(self, known: Iterable[Evidence] = (), kinds: Iterable[SourceKind] = (LAW,)) -> None:
        """`known` is what an earlier attempt at the same run found, also by tools that are gone."""
        self.corpus_date: date | None = None
        self.corpus_version = 0
        self.shown: set[str] = set()
        self._kinds = {kind.prefix: kind for kind in kinds}
        self._found: dict[str, dict[Hashable, Evidence]] = {prefix: {} for prefix in self._kinds}
        self._by_id: dict[str, Evidence] = {}
        self._whole: dict[str, Any] = {}
        for evidence in known:
            self._keep(self.kind(evidence), evidence)

    @property
    def all(self) -> tuple[Evidence, ...]:
        """Everything found so far, each kind in the order of its ids."""
        return tuple(chain.from_iterable(found.values() for found in self._found.values()))

    @property
    def id_pattern(self) -> str:
        """A regular expression that an id of these kinds matches, whether or not there is such evidence."""
        return rf"(?:{'|'.join(self._found)})-\d+"

    def kind(self, evidence: Evidence) -> SourceKind:
        """Return the kind that a source is of; excerpts when it is not registered."""
        return self._kinds.get(evidence.source) or SourceKind(evidence.source)

    def named(self, evidence_id: str) -> Evidence | None:
        """Return the evidence of that id, if it is of this run."""
        return self._by_id.get(evidence_id)

    def add(self, kind: SourceKind, found: Iterable[Any]) -> tuple[Evidence, ...]:
        """Register what was found of a kind, and keep whole texts; return the evidence that is new."""
        before = self._found.setdefault(self._kinds.setdefault(kind.prefix, kind).prefix, {})
        dated = {"corpus_date": self.corpus_date} if kind.proves_law else {}
        new = []
        for one in found:
            if kind.key(one) not in before:
                numbered = {"evidence_id": f"{kind.prefix}-{len(before) + 1}", "source": kind.prefix}
                new.append(self._keep(kind, Evidence.model_validate({**numbered, **dated, **kind.fields(one)})))
            if kind.is_whole(one):
                self._whole[self.of(kind, one).evidence_id] = one
        return tuple(new)

    def of(self, kind: SourceKind, found: Any) -> Evidence:
        """Return the evidence that something registered is. Raises `KeyError` when it is not registered."""
        return self._found[kind.prefix][kind.key(found)]

    def is_shown(self, kind: SourceKind, found: Any) -> bool:
        """Whether a model was given the whole text of something found."""
        evidence = self._found[kind.prefix].get(kind.key(found))
        return evidence is not None and evidence.evidence_id in self.shown

    def whole(self, evidence: Evidence) -> Any:
        """Return the whole source that an evidence is, if it was read: of law, its `Provision`."""
        return self._whole.get(evidence.evidence_id)

    def text(self, evidence: Evidence) -> str | None:
        """Return the text of a source that may be quoted; None when it was not read."""
        return self.kind(evidence).text(evidence, self.whole(evidence))

    def verify(self, quote: str, evidence: Evidence) -> Proof | Rejection:
        """Return where `quote` is in a source, word for word, or why it is not."""
        return self.kind(evidence).verify(quote, evidence, self.whole(evidence))

    def proves_law(self, evidence_id: str) -> bool:
        """Whether the text of a source of this run is law."""
        evidence = self.named(evidence_id)
        return evidence is not None and self.kind(evidence).proves_law

    def unread(self, evidence_ids: Iterable[str]) -> tuple[ProvisionRef, ...]:
        """Return references to those of `evidence_ids` that are provisions whose text is not here."""
        wanted = (self.named(i) for i in dict.fromkeys(evidence_ids) if i not in self._whole)
        return tuple(ProvisionRef(refid=e.refid, section=e.section) for e in wanted if e and e.refid and e.section)

    def acts(self) -> tuple[str, ...]:
        """Return the refids of the acts found, in the order found."""
        return tuple(dict.fromkeys(e.refid for e in self.all if e.refid))

    def _keep(self, kind: SourceKind, evidence: Evidence) -> Evidence:
        self._found.setdefault(kind.prefix, {})[kind.key(evidence)] = evidence
        self._by_id[evidence.evidence_id] = evidence
        return evidence
