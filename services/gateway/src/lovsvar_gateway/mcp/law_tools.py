"""`lov`, `forskrift`, `hent_flere`, `sjekk_storrelse`: the text of the law by its name."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from mcp_types import CallToolResult
from pydantic import BeforeValidator, Field

from lovsvar_contracts.identifiers import section_key
from lovsvar_contracts.law import LawType, Provision
from lovsvar_contracts.search import MAX_READ, CorpusReply, ResolvedReference
from lovsvar_gateway.core.mcp import contents, result_text
from lovsvar_gateway.core.mcp.citations import missing_place
from lovsvar_gateway.core.mcp.results import Lookup, ShownProvision, Size
from lovsvar_gateway.core.mcp.token_budget import LEAST_TOKENS, MAX_TOKENS, show
from lovsvar_gateway.mcp import arguments
from lovsvar_gateway.mcp.arguments import DEFAULT_TOKENS, ActName, MaxTokens, Meant, SectionName
from lovsvar_gateway.mcp.calls import Unanswerable, answer
from lovsvar_gateway.mcp.law import CachedLaw

BATCH_TOKENS = 12_000
MAX_BATCH = 25

SEARCH_INSTEAD = 'Søk med sok("…") når du ikke kjenner navnet, eller se liste().'
CHOOSE = "Navnet passer på flere. Velg én, og spør igjen med nummeret:"


@dataclass(frozen=True)
class LawTools:
    """Tools that read law. They raise `Unanswerable` and `ProblemError`."""

    law: CachedLaw

    async def lov(
        self, lov_id: ActName, paragraf: SectionName | None = None, max_tokens: MaxTokens = DEFAULT_TOKENS
    ) -> Annotated[CallToolResult, Lookup]:
        """Hent en lovbestemmelse i full, gjeldende tekst, eller lovens innholdsfortegnelse med tokens per paragraf.

        Uten `paragraf`: innholdsfortegnelsen. Med `paragraf`: teksten, også av ett ledd eller én bokstav, eller
        innholdet i ett kapittel. Flertydige navn besvares med kandidatene.
        """
        return await self._look_up(lov_id, paragraf, max_tokens, LawType.LOV)

    async def forskrift(
        self, forskrift_id: ActName, paragraf: SectionName | None = None, max_tokens: MaxTokens = DEFAULT_TOKENS
    ) -> Annotated[CallToolResult, Lookup]:
        """Hent en forskriftsbestemmelse, eller forskriftens innholdsfortegnelse med deler, kapitler og tokens.

        Virker som `lov`, men velger forskriften når et navn passer på både en lov og en forskrift.
        """
        return await self._look_up(forskrift_id, paragraf, max_tokens, LawType.FORSKRIFT)

    async def hent_flere(
        self,
        lov_id: ActName,
        paragrafer: Annotated[
            list[SectionName],
            Field(min_length=1, max_length=MAX_BATCH, description="Én paragraf i hvert element: [«15-6», «15-7»]."),
            # A model that has one, or writes them as one text, means a list all the same.
            BeforeValidator(lambda value: [value] if isinstance(value, str) else value),
        ],
        max_tokens: MaxTokens = BATCH_TOKENS,
    ) -> Annotated[CallToolResult, Lookup]:
        """Hent flere paragrafer av én lov eller forskrift i ett kall; raskere enn ett kall for hver."""
        # The resolver takes them one by one: a list in words could be read as a range.
        meant, *each = await asyncio.gather(
            arguments.named(self.law, lov_id),
            *(arguments.named(self.law, lov_id, section) for section in paragrafer),
        )
        if meant.several:
            return await self._candidates(meant)
        if not meant.matches:
            raise Unanswerable(f"{meant.detail} {SEARCH_INSTEAD}".strip())
        refid = meant.matches[0].refid
        wanted: list[ResolvedReference] = []
        missing: list[str] = []
        for section, found in zip(paragrafer, each, strict=True):
            places = [match for match in found.matches if match.section and match.refid == refid]
            wanted += places
            missing += found.missing if places else [_why_missing(section, found, refid)]
        if not wanted:
            raise Unanswerable(f'{" ".join(missing)} Se innholdsfortegnelsen med lov("{refid}").')
        return await self._provisions(wanted, missing, max_tokens)

    async def sjekk_storrelse(
        self, lov_id: ActName, paragraf: SectionName | None = None
    ) -> Annotated[CallToolResult, Size]:
        """Si hvor mange tokens en paragraf koster før den hentes; uten `paragraf` hele loven."""
        meant = await self._named(lov_id, paragraf, None)
        if meant.several:
            raise Unanswerable(result_text.candidates(meant.matches, CHOOSE))
        first = meant.matches[0]
        served: CorpusReply
        if first.section is None:
            served = outline = await self.law.outline(first.refid)
            node = contents.find(outline.children, first.chapter) if first.chapter else None
            tokens, title = (node.tokens, node.title) if node else (outline.tokens, first.act)
            status = outline.document.in_force
        else:
            served = read = await self.law.read(arguments.refs_of(meant.matches))
            shown, _ = _within(meant.matches, read.provisions, MAX_READ * MAX_TOKENS)
            tokens = sum(one.tokens for one in shown)
            title = ", ".join(f"{one.act} {one.heading}{f' ({one.place})' if one.place else ''}" for one in shown)
            status = read.provisions[0].in_force
        advice = _advice(tokens, first)
        stamp = await self.law.stamp(served)
        size = Size.of(first, title=title, tokens=tokens, in_force=status, advice=advice, stamp=stamp)
        text = f"{title}: {tokens} tokens ({result_text.status(status)}). {advice}\n{first.lovdata_url}"
        return answer(text, size)

    async def _look_up(self, name: str, section: str | None, budget: int, prefer: LawType) -> CallToolResult:
        """Return provisions, contents or candidates."""
        meant = await self._named(name, section, prefer)
        if meant.several:
            return await self._candidates(meant)
        if meant.matches[0].section is None:
            return await self._contents(meant.matches[0], budget)
        return await self._provisions(meant.matches, meant.missing, budget)

    async def _named(self, name: str, section: str | None, prefer: LawType | None) -> Meant:
        meant = await arguments.named(self.law, name, section, prefer)
        if not meant.matches:
            detail = meant.detail or f"Fant ikke {section} i {name}."
            contents_first = f' Se innholdsfortegnelsen med lov("{name}").' if section and "finnes" in detail else ""
            raise Unanswerable(f"{detail}{contents_first} {SEARCH_INSTEAD}")
        return meant

    async def _contents(self, act: ResolvedReference, budget: int) -> CallToolResult:
        outline = await self.law.outline(act.refid)
        shown, text = contents.lay_out(outline, budget, act.chapter)
        document = outline.document
        stamp = await self.law.stamp(outline, sample=document.sample)
        status = result_text.status(document.in_force, document.in_force_from)
        foot = f"Status: {status} · {document.refid} · {document.lovdata_url}"
        return answer(f"{text}\n\n{foot}", Lookup(outcome="contents", contents=shown, stamp=stamp))

    async def _candidates(self, meant: Meant) -> CallToolResult:
        stamp = await self.law.stamp(meant.resolution)
        found = Lookup(outcome="candidates", candidates=meant.matches, message=CHOOSE, stamp=stamp)
        return answer(result_text.candidates(meant.matches, CHOOSE), found)

    async def _provisions(
        self, wanted: Sequence[ResolvedReference], missing: Sequence[str], budget: int
    ) -> CallToolResult:
        read = await self.law.read(arguments.refs_of(wanted))
        shown, no_room = _within(wanted, read.provisions, budget)
        left_out = (*missing, *no_room)
        message = f"Ikke med: {' '.join(left_out)}" if left_out else ""
        found = Lookup(
            outcome="provisions",
            provisions=tuple(shown),
            missing=left_out,
            message=message,
            stamp=await self.law.stamp(read, sample=any(one.sample for one in shown)),
        )
        return answer("\n\n---\n\n".join(filter(None, [*map(result_text.provision, shown), message])), found)


def _within(
    matches: Sequence[ResolvedReference], provisions: Sequence[Provision], budget: int
) -> tuple[list[ShownProvision], list[str]]:
    """Return what is shown of the provisions within `budget` tokens, and what had no room."""
    read = {(provision.refid, section_key(provision.section)): provision for provision in provisions}
    shown: list[ShownProvision] = []
    left_out: list[str] = []
    for match in matches:
        provision = read.get((match.refid, section_key(match.section or "")))
        if provision is None:
            left_out.append(f"{match.section} finnes ikke.")
        elif shown and budget < LEAST_TOKENS:
            left_out.append(f"{provision.value or provision.section} ({provision.tokens} tokens) fikk ikke plass.")
        else:
            one = show(provision, match, budget)
            if missing := missing_place(match, provisions):
                left_out.append(f"{missing} Hele bestemmelsen er vist i stedet.")
            if one not in shown:
                shown.append(one)
                budget -= one.tokens
    return shown, left_out


def _why_missing(section: str, found: Meant, refid: str) -> str:
    if any(match.chapter for match in found.matches):
        return f'{section} er et kapittel; se hva det har med lov("{refid}", "{section}").'
    return f"{section}: {found.detail}" if found.detail else f"{section} finnes ikke."


def _advice(tokens: int, place: ResolvedReference) -> str:
    call = result_text.call(place)
    if place.section is None:
        return f"Se innholdsfortegnelsen med {call}, og hent de paragrafene du trenger."
    if tokens <= DEFAULT_TOKENS:
        return f"Hent med {call}."
    if tokens + 50 > MAX_TOKENS:
        return f"Hent ett ledd om gangen; det første av alt med {call[:-1]}, max_tokens={MAX_TOKENS})."
    return f"Hent ett ledd om gangen, eller alt med {call[:-1]}, max_tokens={tokens + 50})."
