"""What of an answer's prose holds: quotes, references, and sentences without a citation."""

import asyncio
import re
from collections.abc import Iterable
from dataclasses import dataclass

from lovsvar_agent.core.reasoning.phrases import Wording
from lovsvar_agent.core.reasoning.prose import HEADING
from lovsvar_agent.core.tools.law_access import LawAccess
from lovsvar_contracts.identifiers import section_key
from lovsvar_contracts.problems import ProblemError
from lovsvar_contracts.search import ProvisionRef, ReadProvisions
from lovsvar_legaltext.quotes import find
from lovsvar_legaltext.sentences import sentence_spans
from lovsvar_legaltext.written_references import Located, Reference, named_in

MAX_RESOLVED = 40
"""References of one answer that are looked up; those beyond count as not found."""

MAX_ACTS = 6
"""Acts in which a section is looked for whose act is not named with it."""

MAX_SECTION = 40
"""Characters that the name of a section may have."""

_TERM_WORDS = 4
"""A quotation shorter than this is a term, and loses its marks when no source holds it."""

_QUOTATION = re.compile(
    r"«([^«»]+)»|“([^“”]+)”|„([^„“”]+)[“”]|\"([^\"\n]+)\"|(?<![\wæøå])['‘]([^'‘’\n]{12,})['’](?![\wæøå])"
)
_LAWLIKE = re.compile(r"lov|forskrift|instruks|reglement|/", re.IGNORECASE)
_GENERIC = re.compile(
    r"^(?:sær|spesial|ramme|hoved|endrings|fullmakts|opphevelses|gjennomførings|moder|deleg\w*|lokale?|sentral\w*|slike?|egne?|egen)"
    r"-?(?:lov|forskrift)\w*$",
    re.IGNORECASE,
)
_STATES_LAW = re.compile(
    r"""
      §
    | \b(?: skal | må | pli(?:kt|ktar|kter|ktig)\w* | rett\s+(?:til|på) | krav\s+på
    | har\s+(?:rett|krav|plikt|adgang|lov)
    | kan\s+(?: ikke | ikkje | bare | berre | kun | kreve\w* | krevje\w* | krevjast | si | seie | heve\w* | nekte\w*
        | straffes? | sies | seiast | bli | få | settes )
    | forbudt | forbode | u?lovlig\w* | u?lovleg\w* | tillatt\w* | tillate\w* | straff\w* | bot | bøter | fengsel
    | [\wæøå]*frist\w* | høyst | høgst | minst | senest | seinast | u?gyldig\w* | gjelder | gjeld | ansvarlige?
    | ansvarleg | erstatning\w* | [\wæøå]*lov(?:en|a)
    | must | shall | may\s+(?:not|only) | cannot | can\s+(?:not|only|demand|require|terminate|claim)
    | ha(?:s|ve)\s+(?:the\s+|a\s+)?(?:right|duty) | entitled | required | obliged | permitted | allowed | prohibited
    | forbidden | (?:un)?lawful | illegal | liable | penalty | fined? | imprisonment | at\s+(?:most|least)
    | no\s+later\s+than | deadline | the\s+act | (?:in)?valid | appl(?:y|ies)\s+to )\b
    | \b(?: \d+ | to | tre | fire | fem | seks | sju | syv | åtte | ni | ti | tolv | fjorten | two | three | four | five
        | six | seven | eight | nine | ten | twelve | fourteen )\s+
      (?: dag | døgn | uke | vek | måned | månad | år | kroner | prosent | day | week | month | year )
    """,
    re.VERBOSE | re.IGNORECASE,
)


@dataclass(frozen=True)
class Vetted:
    """Prose in which what does not hold is marked or left out, and what that was."""

    text: str
    omitted: tuple[str, ...] = ()
    unresolved: tuple[str, ...] = ()
    unchecked: tuple[str, ...] = ()

    @property
    def has_faults(self) -> bool:
        """Whether it names what the corpus does not hold, or what could not be looked up."""
        return bool(self.unresolved or self.unchecked)


def vet_quotations(text: str, known: Iterable[str], wording: Wording, ids: str) -> Vetted:
    """Leave out quotations that are in none of the `known` texts; a mere term loses its marks.

    Ids of sources match the regular expression `ids`.
    """
    texts = tuple(known)
    omitted: list[str] = []

    def judge(match: re.Match[str]) -> str:
        quote = next(g for g in match.groups() if g is not None)
        bare = re.sub(rf"\[{ids}\]", "", quote)
        if any(find(bare, t) for t in texts):
            return match.group()
        if len(bare.split()) < _TERM_WORDS:
            return quote
        omitted.append(bare.strip())
        return wording.quote_removed

    return Vetted(_QUOTATION.sub(judge, text), tuple(omitted))


async def vet_references(text: str, law: LawAccess, wording: Wording) -> Vetted:
    """Mark every section and act in `text` that the corpus does not hold, or that could not be looked up.

    Quotations are passed over: they are in a source.
    """
    quoted = [m.span() for m in _QUOTATION.finditer(text)]
    places = [p for p in named_in(text) if not any(a <= p.start < b for a, b in quoted)]
    verdicts = await _verdicts(places, law)
    marks: dict[int, str] = {}
    unresolved: list[str] = []
    unchecked: list[str] = []
    for place, verdict in zip(places, verdicts, strict=True):
        if verdict is True:
            continue
        marks[place.end] = wording.not_found if verdict is False else wording.not_checked
        written = place.reference.written if place.reference.act else text[place.start : place.end].strip()
        (unresolved if verdict is False else unchecked).append(written)
    for end in sorted(marks, reverse=True):
        text = f"{text[:end]} {marks[end]}{text[end:]}"
    return Vetted(text, unresolved=tuple(dict.fromkeys(unresolved)), unchecked=tuple(dict.fromkeys(unchecked)))


def uncited_sentences(text: str, ids: str) -> tuple[str, ...]:
    """Return the sentences that state law and name no source, by an id that matches the regular expression `ids`."""
    marker = re.compile(rf"\[{ids}\]")
    found = []
    for line in text.split("\n"):
        if line.startswith(HEADING):
            continue
        words = line.removeprefix("- ")
        spans = list(sentence_spans(words, 0, len(words)))
        for place, (start, end) in enumerate(spans):
            # 'Slik er det. [lovdata-1]' names its source after the full stop.
            following = words[end : spans[place + 1][1] if place + 1 < len(spans) else len(words)]
            sentence = words[start:end]
            named = marker.search(sentence) or marker.match(following.lstrip())
            if not named and _STATES_LAW.search(sentence):
                found.append(sentence)
    return tuple(found)


async def _verdicts(places: list[Located], law: LawAccess) -> list[bool | None]:
    """Return of each place whether it resolves; None where search did not reply."""
    distinct = list(dict.fromkeys(p.reference for p in places))[:MAX_RESOLVED]
    named = [r for r in distinct if r.act]
    found = dict(zip(named, await asyncio.gather(*(_resolves(r, law) for r in named)), strict=True))
    acts = tuple(dict.fromkeys(refid for refids in found.values() for refid in refids or ()))
    sections = [r for r in distinct if r.section is not None and len(r.section) <= MAX_SECTION]
    bare = [r for r in sections if not found.get(r) and not _LAWLIKE.search(r.act)]
    there = await _sections_there(bare, (*acts, *law.sources.acts())[: 2 * MAX_ACTS], law)

    def verdict(reference: Reference) -> bool | None:
        if _GENERIC.match(reference.act) and not reference.section:
            return True
        if reference not in distinct:
            return False
        if found.get(reference):
            return True
        if reference in bare:
            if _is_article(reference, law):
                return True
            return None if there is None else section_key(f"§{reference.section}") in there
        return None if found.get(reference, ()) is None else False

    return [verdict(p.reference) for p in places]


async def _resolves(reference: Reference, law: LawAccess) -> tuple[str, ...] | None:
    """Return the refids that a reference may name; None when search could not say."""
    try:
        async with asyncio.timeout_at(law.until):
            resolution = await law.resolve(reference.written)
    except (ProblemError, TimeoutError):
        return None
    needs_section = bool(reference.section) or " artikkel " in reference.act
    matches = [m for m in resolution.matches if m.section or not needs_section]
    return tuple(m.refid for m in matches)


async def _sections_there(references: Iterable[Reference], acts: Iterable[str], law: LawAccess) -> set[str] | None:
    """Return which of the sections exist in any of `acts`."""
    wanted = [ProvisionRef(refid=a, section=f"§{r.section}") for r in references for a in dict.fromkeys(acts)]
    there: set[str] = set()
    for at in range(0, len(wanted), 50):
        request = ReadProvisions(refs=tuple(wanted[at : at + 50]), correlation_id=law.asked.correlation_id)
        try:
            async with asyncio.timeout_at(law.until):
                found = await law.search.read(request)
        except (ProblemError, TimeoutError):
            return None
        there |= {section_key(p.section) for p in found.provisions}
    return there


def _is_article(reference: Reference, law: LawAccess) -> bool:
    """Whether an article whose act is not named with it is one that was found: `gdpr/a6`."""
    name = section_key(reference.section or "")
    return name.startswith("/a") and any(section_key(e.section or "").endswith(name) for e in law.sources.all)
