"""Checking the citations of a text: parting it for the resolver, and judging what that found."""

import re
from collections.abc import Sequence

from lovsvar_contracts.law import InForce, Provision
from lovsvar_contracts.search import FoundReference, ResolvedReference
from lovsvar_gateway.core.mcp.places import words_of
from lovsvar_gateway.core.mcp.results import CheckedCitation, Verdict
from lovsvar_legaltext.citation_forms import in_words
from lovsvar_legaltext.eu_acts import EuAct, eu_act_named_last

MAX_PIECE = 400
"""Characters that are resolved at a time; the resolver takes 500 and reads ten references in them."""

MAX_SIGNS = 6
"""References that a piece may plausibly hold."""

_CITES = re.compile(
    r"§|\b(?:art(?:ikkel)?\.?|kap(?:ittel)?\.?|paragraf\w*)\s*\d|\b(?:lov|forskrift|for)[\s/-]|\w(?:loven|lova|forskriften|forskrifta)\b",
    re.IGNORECASE,
)
_END = re.compile(r"(?<=[.;!?])\s+(?=[A-ZÆØÅ«\"(])|\n+")
_ABBREVIATION = re.compile(
    r"(?:\b(?:jf|jfr|nr|kap|art|mv|bl|pkt|bokst|lit|pgf|par|[a-zæøå]{2,8}l)\.)\s*$", re.IGNORECASE
)
_ARTICLE = re.compile(r"art", re.IGNORECASE)
_BESIDE = re.compile(r"[\s,(]*(?:sin|sitt)?\s*")


_NOTHING: dict[str, Verdict] = {"provision_missing": "missing_provision", "place_missing": "missing_place"}
"""The verdict on a reference that names nothing, by the reason; any other is of an act that is not known."""


def pieces(text: str) -> list[str]:
    """Return the parts of `text` that may cite, in reading order, each short enough to be resolved."""
    sentences: list[str] = []
    for part in _END.split(text):
        if sentences and _ABBREVIATION.search(sentences[-1]) and len(sentences[-1]) + len(part) < MAX_PIECE:
            sentences[-1] = f"{sentences[-1]} {part}"
        else:
            sentences.append(part)
    return [piece for sentence in sentences for piece in _shortened(sentence.strip()) if _CITES.search(piece)]


def _shortened(sentence: str) -> list[str]:
    if len(sentence) <= MAX_PIECE and sentence.count("§") <= MAX_SIGNS:
        return [sentence] if sentence else []
    parts = re.split(r"(?<=[,;:)])\s+|(?<!-)\s+(?=(?:og|eller|samt|jf\.?)\s)", sentence)
    found: list[str] = []
    for part in parts:
        joined = f"{found[-1]} {part}" if found else part
        if found and len(joined) <= MAX_PIECE and joined.count("§") <= MAX_SIGNS:
            found[-1] = joined
        else:
            found += [part[at : at + MAX_PIECE] for at in range(0, len(part), MAX_PIECE)]
    return found


def is_article(found: FoundReference) -> bool:
    """Whether a reference is to an article."""
    return bool(_ARTICLE.match(found.text))


def name_before(found: FoundReference) -> str:
    """Return the name before the article of a reference, "EMK" of «EMK artikkel 8»; empty for other references."""
    name, article, _ = found.text.partition(" art")
    return name if article else ""


def eu_act_of(found: FoundReference, piece: str) -> EuAct | None:
    """Return the EU act that stands right before a reference that names nothing stored."""
    at = piece.find(found.text)
    if found.matches or at < 0:
        return None
    named = eu_act_named_last(piece[:at])
    return named[0] if named and _BESIDE.fullmatch(piece, named[1], at) else None


def of_eu_act(found: FoundReference, act: EuAct) -> FoundReference:
    """Return the reference with that it is to an EU act, which is not stored as such."""
    detail = (
        f"Fant ingen lov eller forskrift: {act.name} er en EU-rettsakt, som ikke er lagret her. Den står på {act.url}."
    )
    return found.model_copy(update={"detail": detail, "reason": "act_unknown"})


def without_act(found: FoundReference) -> FoundReference:
    """Return the reference with that nothing says which act is meant."""
    return found.model_copy(update={"detail": f"«{found.text}» sier ikke hvilken lov eller forskrift som menes."})


def judge(found: FoundReference, provisions: Sequence[Provision], assumed_act: str = "") -> CheckedCitation:
    """Return the verdict on one reference. `provisions` are those it names, as far as they exist."""
    detail = found.detail
    if not found.matches:
        verdict = _NOTHING.get(found.reason, "unknown_act")
        return CheckedCitation(text=found.text, verdict=verdict, assumed_act=assumed_act, detail=detail)
    in_force = _status(found.matches, provisions)
    missing = [why for match in found.matches if (why := missing_place(match, provisions))]
    if in_force is InForce.REPEALED:
        verdict, detail = "not_in_force", " ".join((*_repealed(found.matches, provisions), detail)).strip()
    elif missing:
        verdict, detail = "missing_place", " ".join(missing)
    elif len({match.refid for match in found.matches}) > 1:
        verdict, detail = "ambiguous", detail or "Flere lover eller forskrifter heter dette."
    elif in_force in {InForce.REPEALED, InForce.NOT_YET}:
        verdict = "not_in_force"
    else:
        verdict = "valid"
        detail = " ".join(part for part in (detail, *_remarks(found.matches, provisions)) if part)
    return CheckedCitation(
        text=found.text,
        verdict=verdict,
        assumed_act=assumed_act,
        matches=found.matches,
        in_force=in_force,
        detail=detail,
    )


def _repealed(matches: Sequence[ResolvedReference], provisions: Sequence[Provision]) -> list[str]:
    named = {(match.refid, match.section) for match in matches}
    gone = [p for p in provisions if (p.refid, p.section) in named and p.in_force is InForce.REPEALED]
    return [f"Opphevet: {', '.join(f'{p.act} {p.value}' for p in gone)}."] if gone else []


def _remarks(matches: Sequence[ResolvedReference], provisions: Sequence[Provision]) -> list[str]:
    """Return, in Norwegian, what of a valid reference is printed otherwise or was not checked."""
    remarks: list[str] = []
    for match in matches:
        for provision in provisions:
            if (provision.refid, provision.section) == (match.refid, match.section):
                words = words_of(provision, match) if in_words(match) else None
                if words and words.printed:
                    remarks.append(f"I Lovdatas åpne data er nr. {match.number} merket «{words.printed}».")
        if match.sentence is not None:
            remarks.append("Hvilket punktum det er, er ikke kontrollert.")
    return list(dict.fromkeys(remarks))


def missing_place(match: ResolvedReference, provisions: Sequence[Provision]) -> str:
    """Return, in Norwegian, that the provision has no such ledd, bokstav or nummer; empty when it has."""
    if not in_words(match):
        return ""
    for provision in provisions:
        if (provision.refid, provision.section) == (match.refid, match.section):
            if words_of(provision, match) is not None:
                return ""
            return f"{provision.act} {provision.value} finnes, men har ikke {in_words(match)}."
    return ""


def _status(matches: Sequence[ResolvedReference], provisions: Sequence[Provision]) -> InForce:
    read = {(provision.refid, provision.section): provision.in_force for provision in provisions}
    statuses = [read.get((match.refid, match.section or ""), match.in_force) for match in matches]
    for status in (InForce.REPEALED, InForce.NOT_YET, InForce.YES):
        if status in statuses:
            return status
    return InForce.UNKNOWN
