"""Law in a dictionary: what stands in for search in tests."""

from collections.abc import Mapping, Sequence
from datetime import date

from lovsvar_cases.core.drafts.citations import LawSource
from lovsvar_contracts.identifiers import section_key
from lovsvar_contracts.law import InForce, LawType, Provision
from lovsvar_contracts.search import FoundReference, ProvisionRef, Provisions, ResolvedReference

HUSLL = "lov/1999-03-26-17"
DEPOSIT = "Det deponerte beløp skal settes på særskilt konto i leierens navn med vanlige rentevilkår."


def provision(section: str = "§3-5", text: str = DEPOSIT, refid: str = HUSLL) -> Provision:
    """Return a provision of an act on tenancy."""
    return Provision(
        refid=refid, section=section, value=section.replace("§", "§ "), title="Depositum", act="Husleieloven",
        document_title="Lov om husleieavtaler", law_type=LawType.LOV, position=0, text=text, in_force=InForce.YES,
        in_force_from=date(2000, 1, 1), content_hash="x", tokens=1, url="/x", lovdata_url="https://lovdata.no/x",
        dataset="gjeldende-lover",
    )  # fmt: skip


class WrittenLaw(LawSource):
    """Law as a list of provisions; references are those of `names`."""

    def __init__(self, *provisions: Provision, names: Mapping[str, ProvisionRef | None] | None = None) -> None:
        self.provisions = {(one.refid, section_key(one.section)): one for one in provisions}
        self.names = {"husleieloven § 3-5": ProvisionRef(refid=HUSLL, section="§3-5")} if names is None else names
        self.asked: list[str] = []

    async def references(self, text: str) -> Sequence[FoundReference]:
        self.asked.append(text)
        return [self._found(name, ref) for name, ref in self.names.items() if name in text]

    def _found(self, name: str, ref: ProvisionRef | None) -> FoundReference:
        if ref is None:
            return FoundReference(text=name, reason="provision_missing", detail="Loven har ikke paragrafen.")
        match = ResolvedReference(
            refid=ref.refid, section=ref.section, act="Husleieloven", title="x", law_type=LawType.LOV,
            in_force=InForce.YES, url="/x", lovdata_url="x",
        )  # fmt: skip
        return FoundReference(text=name, matches=(match,))

    async def read(self, refs: Sequence[ProvisionRef]) -> Provisions:
        found = [self.provisions.get((ref.refid, section_key(ref.section))) for ref in refs]
        return Provisions(
            provisions=tuple(one for one in found if one),
            missing=tuple(ref for ref, one in zip(refs, found, strict=True) if one is None),
            corpus_version=1,
            corpus_date=date(2026, 4, 30),
        )
