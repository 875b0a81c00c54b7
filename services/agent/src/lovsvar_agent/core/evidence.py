"""The sources of a run, with stable ids."""

from collections.abc import Hashable, Iterable
from datetime import date
from itertools import chain
from typing import Any

from lovsvar_agent.core.source_kinds.kind import SourceKind
from lovsvar_agent.core.source_kinds.law import LAW
from lovsvar_contracts.questions import Evidence


class EvidenceRegistry:
    """Counts the sources of each kind from 1: `lovdata-1`, `serper-1`.

    What is found twice keeps its id; ids never restart. `corpus_date` is put on law found from then on.
    """

    def __init__(self, known: Iterable[Evidence] = (), kinds: Iterable[SourceKind] = (LAW,)) -> None:
        """`known` is what an earlier attempt at the same run found, also by tools that are gone."""
        self.corpus_date: date | None = None
        self._kinds = {kind.prefix: kind for kind in kinds}
        self._found: dict[str, dict[Hashable, Evidence]] = {prefix: {} for prefix in self._kinds}
        self._by_id: dict[str, Evidence] = {}
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
        """Register what was found of a kind; return the evidence that is new."""
        before = self._found.setdefault(self._kinds.setdefault(kind.prefix, kind).prefix, {})
        dated = {"corpus_date": self.corpus_date} if kind.proves_law else {}
        new = []
        for one in found:
            if kind.key(one) not in before:
                numbered = {"evidence_id": f"{kind.prefix}-{len(before) + 1}", "source": kind.prefix}
                new.append(self._keep(kind, Evidence.model_validate({**numbered, **dated, **kind.fields(one)})))
        return tuple(new)

    def of(self, kind: SourceKind, found: Any) -> Evidence:
        """Return the evidence that something registered is. Raises `KeyError` when it is not registered."""
        return self._found[kind.prefix][kind.key(found)]

    def _keep(self, kind: SourceKind, evidence: Evidence) -> Evidence:
        self._found.setdefault(kind.prefix, {})[kind.key(evidence)] = evidence
        self._by_id[evidence.evidence_id] = evidence
        return evidence
