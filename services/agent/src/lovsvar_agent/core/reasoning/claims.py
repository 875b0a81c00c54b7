"""What a model claims, read with good will: ids in any form, names of provisions as ids, quotations in its prose."""

import re
from collections.abc import Iterator

from lovsvar_agent.core.evidence import EvidenceRegistry
from lovsvar_agent.core.reasoning.checked_prose import QUOTATION
from lovsvar_agent.core.reasoning.final import MAX_CITATIONS, Claim, Final
from lovsvar_agent.core.source_kinds.kind import full_name
from lovsvar_contracts.identifiers import section_key
from lovsvar_contracts.questions import Evidence
from lovsvar_legaltext.quotes import find
from lovsvar_legaltext.written_references import Reference, locate

_BRACKETED = re.compile(r"\[([^\[\]\n]{3,80})\]|\(([^()\n]{3,80})\)")
_LEAST = 4
"""Words from which a quotation in prose is a claim, and no term."""


def understood(final: Final, sources: EvidenceRegistry) -> Final:
    """Return an answer in which ids are written as they are, and quotations are claims when it has none."""
    answer = _with_ids(final.answer, sources)
    claims = tuple(Claim(named(c.evidence_id, sources), c.quote) for c in final.claims)
    claims = claims or tuple(_quoted(answer, sources))[:MAX_CITATIONS]
    return Final(answer, tuple(dict.fromkeys(claims)), final.insufficient, final.missing)


def named(written: str, sources: EvidenceRegistry) -> str:
    """Return the id that is `written` as "LOVDATA-1", "lovdata1", "husleieloven § 3-5"; else as it is."""
    if sources.named(written):
        return written
    if match := re.fullmatch(_loose(sources), written.strip(" []()."), re.IGNORECASE):
        return f"{match[1].casefold()}-{match[2]}"
    found = [e.evidence_id for r in locate(written) for e in sources.all if is_named_by(r.reference, e)]
    return found[0] if len(set(found)) == 1 else written


def is_named_by(reference: Reference, evidence: Evidence) -> bool:
    """Whether a reference with a section names the provision that an evidence is, by its act's name or none."""
    if not reference.section or section_key(f"§{reference.section}") != section_key(evidence.section or ""):
        return False
    return not reference.act or names_act(reference.act, evidence)


def names_act(written: str, evidence: Evidence) -> bool:
    """Whether `written` is a name, an abbreviation or the refid of the act that an evidence is of."""
    plain = written.casefold().strip(" .").removesuffix("s")
    if evidence.refid and plain in (evidence.refid, evidence.refid.replace("/", "-")):
        return True
    known = [part.strip(" .()").casefold() for part in re.split(r"\s[–-]\s|[()]|,", full_name(evidence))]
    known += known[0].split()[:1] if known else []
    return any(plain == name or name.startswith((f"{plain} ", f"{plain}n ")) for name in known if name)


def placed_right(claim: Claim, sources: EvidenceRegistry) -> Claim:
    """Return a claim of the one source that has its quote, when its own does not and no other has."""
    evidence = sources.named(claim.evidence_id)
    if evidence and find(claim.quote, sources.text(evidence) or ""):
        return claim
    holders = [e.evidence_id for e in sources.all if find(claim.quote, sources.text(e) or "")]
    return Claim(holders[0], claim.quote) if len(holders) == 1 else claim


def _loose(sources: EvidenceRegistry) -> str:
    prefixes = "|".join(dict.fromkeys(re.escape(e.source) for e in sources.all)) or "lovdata"
    return rf"({prefixes})[\s_–-]?(\d{{1,3}})"


def _with_ids(answer: str, sources: EvidenceRegistry) -> str:
    """Return `answer` with every id as the run has it, and names of found provisions in brackets as ids."""
    loose = re.compile(rf"(?<![\w/.-]){_loose(sources)}(?![\w-])", re.IGNORECASE)
    answer = loose.sub(lambda m: _known(f"{m[1].casefold()}-{m[2]}", m.group(), sources), answer)
    bare = re.compile(rf"(?<![\w\[(;,/.-])(?<![,;]\s)({sources.id_pattern})(?![\w\])-])(?!\s*[,;\])])")
    answer = bare.sub(lambda m: f"[{m[1]}]" if sources.named(m[1]) else m.group(), answer)

    def bracketed(match: re.Match[str]) -> str:
        inner = match[1] or match[2]
        found = named(inner, sources) if "§" in inner and match[1] else inner
        return f"[{found}]" if found != inner and sources.named(found) else match.group()

    return _BRACKETED.sub(bracketed, answer)


def _known(evidence_id: str, written: str, sources: EvidenceRegistry) -> str:
    return evidence_id if sources.named(evidence_id) else written


def _quoted(answer: str, sources: EvidenceRegistry) -> Iterator[Claim]:
    """Yield the quotations of prose as claims of the source named after them, or of the one that has them."""
    for match in QUOTATION.finditer(answer):
        quote = next(g for g in match.groups() if g is not None)
        if len(quote.split()) < _LEAST:
            continue
        after = re.search(rf"({sources.id_pattern})", answer[match.end() : _line_end(answer, match.end())])
        yield Claim(after[1] if after else "", quote)


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end
