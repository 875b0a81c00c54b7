"""The law, as the tools of one run reach it."""

import asyncio
import re
from collections.abc import Iterable
from dataclasses import dataclass

from lovsvar_agent.core.evidence import EvidenceRegistry
from lovsvar_agent.core.ports import LegalSearch
from lovsvar_agent.core.question_filters import NO_FILTERS
from lovsvar_agent.core.reasoning.arguments import Misunderstood, Search
from lovsvar_agent.core.run import Limits, patiently
from lovsvar_agent.core.source_kinds.law import LAW
from lovsvar_contracts.identifiers import section_key
from lovsvar_contracts.law import Provision
from lovsvar_contracts.problems import ProblemError
from lovsvar_contracts.questions import Evidence, QuestionAsked, QuestionFilters
from lovsvar_contracts.search import (
    FindProvisions,
    Outline,
    ProvisionHit,
    ProvisionHits,
    ProvisionRef,
    Provisions,
    ReadOutline,
    ReadProvisions,
    Resolution,
    ResolveReference,
)

MAX_BATCH = 20
"""Provisions that are read at once."""

MAX_READ_TOKENS = 40_000
"""Size of one read: text and blocks of this many tokens stay well below the 1 MB of a NATS message."""

_REFID = re.compile(r"^[a-zæøå]+(?:/[a-zæøå]+)?/\d{4}-\d{2}-\d{2}(?:-[\w-]+)?$")


@dataclass(frozen=True)
class LawAccess:
    """What the tools of one run search and read by.

    A `search` that is narrowed to the filters of the question finds and reads nothing else.
    `call` are the run and the id of the call of a tool that is being carried out: together they are unique.
    `until` is the time of the event loop after which `fetch` and the checks of an answer wait no more.
    """

    search: LegalSearch
    sources: EvidenceRegistry
    limits: Limits
    asked: QuestionAsked
    until: float | None = None
    call: tuple[str, str] = ("", "")

    @property
    def filters(self) -> QuestionFilters:
        """What the question is narrowed to."""
        return self.asked.filters or NO_FILTERS

    async def fetch(self, refs: Iterable[ProvisionRef]) -> tuple[Evidence, ...]:
        """Read provisions into the sources, before their quotes are checked; return those that are new.

        A failure leaves them unread.
        """
        wanted, new = tuple(refs), list[Evidence]()
        for at in range(0, len(wanted), MAX_BATCH):
            batch = wanted[at : at + MAX_BATCH]
            try:
                async with asyncio.timeout_at(self.until):
                    found = await self.search.read(self._reading(batch))
            except (ProblemError, TimeoutError):
                continue
            new += self.sources.add(LAW, found.provisions)
        return tuple(new)

    async def resolve(self, reference: str) -> Resolution:
        """Look up what a written reference names. Raises `ProblemError`."""
        request = ResolveReference(reference=reference[:500], correlation_id=self.asked.correlation_id)
        return await patiently(self.limits, lambda: self.search.resolve(request))

    async def find(self, asked: Search) -> ProvisionHits:
        """Search provisions. Raises `ProblemError`."""
        request = FindProvisions(
            **asked.filters.model_dump(),
            query=asked.query,
            page=asked.page,
            page_size=asked.page_size,
            correlation_id=self.asked.correlation_id,
        )
        return await patiently(self.limits, lambda: self.search.find(request))

    async def whole(self, hits: Iterable[ProvisionHit]) -> tuple[Provision, ...]:
        """Read hits whole, best first, as many as one result has room for; the others are shown as snippets.

        The best is read in any case, and none that the model was given before.
        """
        room = self.limits.result_tokens
        refs: list[ProvisionRef] = []
        for hit in hits:
            fits = hit.tokens <= (room if refs else MAX_READ_TOKENS)
            if fits and not self.sources.is_shown(LAW, hit):
                room -= hit.tokens
                refs.append(ProvisionRef(refid=hit.refid, section=hit.section))
        if not refs:
            return ()
        try:
            return (await self.search.read(self._reading(refs))).provisions
        except ProblemError:
            return ()

    async def ref(self, document: str, section: str) -> ProvisionRef | str:
        """Return what a document and a section name, or a sentence that says why they name nothing."""
        if (evidence := self._evidence(document)) and not section:
            return evidence
        if evidence:
            document = evidence.refid
        if _REFID.match(document) and section:
            name = "".join(section.split()).rstrip(".,;:")
            return ProvisionRef(refid=document, section=f"§{name}" if name[:1].isdigit() else name)
        sign = "§ " if section[:1] in {*"§0123456789"} else ""
        written = f"{document} {sign}{section.lstrip('§ ') if sign else section}".strip()
        found = await self.resolve(written)
        if found.outcome == "one" and (section_name := found.matches[0].section):
            return ProvisionRef(refid=found.matches[0].refid, section=section_name)
        if found.outcome == "one":
            return f"{found.matches[0].act} er {found.matches[0].refid}. Oppgi section, eller se innholdsfortegnelse."
        if found.outcome == "several":
            return f"«{written}» kan bety flere ting: " + ", ".join(f"{m.act} ({m.refid})" for m in found.matches[:5])
        return f"Fant ikke «{written}». Søk etter den, eller se innholdsfortegnelse for loven."

    def place(self, document: str, section: str) -> tuple[str, str]:
        """Return the refid and the section key that a model's words name, as far as the sources found tell."""
        evidence = self._evidence(document)
        if evidence and not section:
            return evidence.refid, section_key(evidence.section).removeprefix("§")
        named = " ".join(document.casefold().split())
        known = evidence or next((e for e in self.sources.all if e.refid and named in _names(e.act)), None)
        return (known.refid if known and known.refid else named), section_key(section).removeprefix("§")

    async def document(self, name: str) -> str:
        """Return the refid of the document that a model names. Raises `Misunderstood`, `ProblemError`."""
        if _REFID.match(name):
            return name
        if evidence := self._evidence(name):
            return evidence.refid
        found = await self.resolve(name)
        if found.outcome != "one":
            known = ", ".join(f"{m.act} ({m.refid})" for m in found.matches[:5])
            raise Misunderstood(
                f"Fant ikke ett dokument som heter «{name}»." + (f" Mente du {known}?" if known else "")
            )
        return found.matches[0].refid

    async def read(self, refs: Iterable[ProvisionRef]) -> Provisions:
        """Read provisions whole. Raises `ProblemError`."""
        request = self._reading(refs)
        return await patiently(self.limits, lambda: self.search.read(request))

    async def outline(self, refid: str) -> Outline:
        """Read a document's table of contents. Raises `ProblemError`."""
        request = ReadOutline(refid=refid, correlation_id=self.asked.correlation_id)
        return await patiently(self.limits, lambda: self.search.outline(request))

    def _reading(self, refs: Iterable[ProvisionRef]) -> ReadProvisions:
        return ReadProvisions(refs=tuple(refs), correlation_id=self.asked.correlation_id)

    def _evidence(self, name: str) -> ProvisionRef | None:
        known = self.sources.named(name.strip("[]"))
        if known is None or known.refid is None or known.section is None:
            return None
        return ProvisionRef(refid=known.refid, section=known.section)


def _names(act: str) -> tuple[str, ...]:
    """Return what an act is called: 'Husleieloven – husll' is husleieloven, and husll."""
    return tuple(name.strip() for name in act.casefold().split("–"))
