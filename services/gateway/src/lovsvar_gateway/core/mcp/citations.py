"""The verdict on a citation: what the resolver found, and what of that exists and is in force."""

import re
from collections.abc import Iterator, Sequence

from lovsvar_contracts.law import InForce, Provision
from lovsvar_contracts.search import FoundReference, ResolvedReference
from lovsvar_gateway.core.mcp.results import CheckedCitation, Verdict
from lovsvar_legaltext.citation_forms import in_words
from lovsvar_legaltext.eu_acts import EuAct, eu_act_named_last
from lovsvar_legaltext.places import words_of

_BESIDE = re.compile(r"[\s,(]*(?:sin|sitt)?\s*")

_NOTHING: dict[str, Verdict] = {"provision_missing": "missing_provision", "place_missing": "missing_place"}
"""The verdict on a reference that names nothing, by the reason; any other is of an act that is not known."""


def eu_act_of(found: FoundReference, piece: str) -> EuAct | None:
    """Return the EU act that is named right before a reference that names nothing stored."""
    at = piece.find(found.text)
    if found.matches or at < 0:
        return None
    named = eu_act_named_last(piece[:at])
    return named[0] if named and _BESIDE.fullmatch(piece, named[1], at) else None


def of_eu_act(found: FoundReference, act: EuAct) -> FoundReference:
    """Return the reference with the detail that it is to an EU act, which is not stored as such."""
    detail = (
        f"Fant ingen lov eller forskrift: {act.name} er en EU-rettsakt, som ikke er lagret her. Den står på {act.url}."
    )
    return found.model_copy(update={"detail": detail, "reason": "act_unknown"})


def judge(found: FoundReference, provisions: Sequence[Provision], assumed_act: str = "") -> CheckedCitation:
    """Return the verdict on one reference. `provisions` are those it names, as far as they exist."""
    detail, matches = found.detail, found.matches
    if not matches:
        verdict = _NOTHING.get(found.reason, "unknown_act")
        return CheckedCitation(text=found.text, verdict=verdict, assumed_act=assumed_act, detail=detail)
    read = {(provision.refid, provision.section): provision for provision in provisions}
    named = [(match, read.get((match.refid, match.section or ""))) for match in matches]
    in_force = _status([provision.in_force if provision else match.in_force for match, provision in named])
    missing = [why for match in matches if (why := missing_place(match, provisions))]
    if in_force is InForce.REPEALED:
        gone = {p.section: f"{p.act} {p.value}" for _, p in named if p and p.in_force is InForce.REPEALED}
        listed = f"Opphevet: {', '.join(gone.values())}." if gone else ""
        verdict, detail = "not_in_force", f"{listed} {detail}".strip()
    elif missing:
        verdict, detail = "missing_place", " ".join(missing)
    elif len({match.refid for match in matches}) > 1:
        verdict, detail = "ambiguous", detail or "Flere lover eller forskrifter heter dette."
    elif in_force is InForce.NOT_YET:
        verdict = "not_in_force"
    else:
        verdict = "valid"
        remarks = dict.fromkeys(remark for match, provision in named for remark in _remarks(match, provision))
        detail = " ".join(part for part in (detail, *remarks) if part)
    return CheckedCitation(
        text=found.text, verdict=verdict, assumed_act=assumed_act, matches=matches, in_force=in_force, detail=detail
    )


def _remarks(match: ResolvedReference, provision: Provision | None) -> Iterator[str]:
    """Yield, in Norwegian, what of a valid reference is printed otherwise or was not checked."""
    words = words_of(provision, match) if provision and in_words(match) else None
    if words and words.printed:
        yield f"I Lovdatas åpne data er nr. {match.number} merket «{words.printed}»."
    if match.sentence is not None:
        yield "Hvilket punktum det er, er ikke kontrollert."


def missing_place(match: ResolvedReference, provisions: Sequence[Provision]) -> str:
    """Return, in Norwegian, that the provision has no such ledd, bokstav or nummer; empty when it has."""
    for provision in provisions if in_words(match) else ():
        if (provision.refid, provision.section) == (match.refid, match.section):
            there = words_of(provision, match) is not None
            return "" if there else f"{provision.act} {provision.value} finnes, men har ikke {in_words(match)}."
    return ""


def _status(statuses: Sequence[InForce]) -> InForce:
    ordered = (InForce.REPEALED, InForce.NOT_YET, InForce.YES)
    return next((status for status in ordered if status in statuses), InForce.UNKNOWN)
