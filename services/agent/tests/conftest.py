"""Invented law for the tests of the agent; no sentence is taken from a real act."""

from collections.abc import Callable, Iterable, Sequence
from types import ModuleType
from typing import Any

import pytest
from pydantic import SecretStr

from lovsvar_agent.adapters.http_model import HttpModel, Price
from lovsvar_agent.adapters.memory_products import MemoryProducts
from lovsvar_agent.adapters.memory_search import MemorySearch
from lovsvar_agent.adapters.memory_sink import MemorySink
from lovsvar_agent.adapters.providers import Provider
from lovsvar_agent.core.earlier_turns import Turn
from lovsvar_agent.core.guidance.library import NO_GUIDANCE, Guidance
from lovsvar_agent.core.modes import Answerer
from lovsvar_agent.core.ports import FindsPractice, ProductSearch
from lovsvar_agent.core.run import Limits
from lovsvar_agent.core.takeover import Attempt
from lovsvar_agent.core.tools.registry import ToolRegistry, own_tools
from lovsvar_agent.core.tools.tool import Tool
from lovsvar_contracts.blocks import Heading, Quote
from lovsvar_contracts.catalogues import Catalogue, ProductHit
from lovsvar_contracts.identifiers import lovdata_url, viewer_path
from lovsvar_contracts.law import Block, BlockKind, InForce, LawType, Provision
from lovsvar_contracts.practice import FindPractice, PracticeHit, PracticeHits
from lovsvar_contracts.questions import Answer, Mode, QuestionAsked
from lovsvar_contracts.run_events import AnswerCompleted, RunEvent
from lovsvar_legaltext.words import stem, words
from lovsvar_testkit import scripted_model
from lovsvar_testkit.provider_styles import STYLES

Ledd = str | tuple[str, list[str]]
MakeProvision = Callable[..., Provision]


def build_provision(
    *ledd: Ledd,
    refid: str = "lov/2999-01-01-1",
    section: str = "§1",
    title: str = "",
    act: str = "Båtleieloven – båtl",
    in_force: InForce = InForce.YES,
    sample: bool = False,
) -> Provision:
    """Return a provision of `ledd`; one with list items is a pair of lead-in and items, labelled a., b., …"""
    blocks, lines = [], []
    for number, part in enumerate(ledd, start=1):
        text, items = part if isinstance(part, tuple) else (part, [])
        labels = [f"{chr(ord('a') + n)}." for n in range(len(items))]
        children = tuple(
            Block(kind=BlockKind.LIST_ITEM, text=item, label=label) for label, item in zip(labels, items, strict=True)
        )
        blocks.append(Block(kind=BlockKind.LEDD, text=text, ledd=number, children=children))
        lines += [text, *(f"{label} {item}" for label, item in zip(labels, items, strict=True))]
    return Provision(
        refid=refid,
        section=section,
        value=section.replace("§", "§ "),
        title=title,
        act=act,
        document_title=act,
        law_type=LawType.LOV,
        position=0,
        text="\n".join(lines),
        blocks=tuple(blocks),
        in_force=in_force,
        content_hash="0",
        tokens=len("\n".join(lines)) // 4 + 1,
        url=viewer_path(refid, section),
        lovdata_url=lovdata_url(refid, section),
        dataset="test",
        sample=sample,
    )


@pytest.fixture
def make_provision() -> MakeProvision:
    return build_provision


@pytest.fixture
def corpus() -> tuple[Provision, ...]:
    """Two invented acts: on hiring boats, and on village feasts."""
    feast = {"refid": "lov/2999-02-02-2", "act": "Bygdefestloven"}
    return (
        build_provision(
            "Loven gjelder den som mot betaling får bruke en båt som en annen eier.",
            section="§1-1",
            title="Hva loven gjelder",
        ),
        build_provision(
            "Båteieren kan kreve at låntakeren stiller pant. Pantet kan være på høyst fire ukers båtleie, jf. § 1-1.",
            "Pantet settes på en konto som ingen av dem rår over alene.",
            (
                "Båteieren kan kreve dekning i pantet når",
                ["låntakeren har skadet båten,", "båtleien ikke er betalt, eller", "båten er levert for sent."],
            ),
            section="§3-2",
            title="Pant",
        ),
        build_provision(
            "Låntakeren skal melde fra om skader på båten innen ti dager.",
            section="§4-1",
            title="Skader",
        ),
        build_provision(
            "Festen skal være slutt klokken ett om natten. Kommunen kan gi lengre frist når naboene er enige.",
            section="§7",
            title="Festens slutt",
            **feast,
        ),
        build_provision(
            "Den som holder bygdefest, rydder plassen innen to dager.",
            section="§8",
            title="Rydding",
            in_force=InForce.NOT_YET,
            **feast,
        ),
    )


@pytest.fixture
def asked() -> QuestionAsked:
    return QuestionAsked(question="Hvor mye kan båteieren kreve i pant?", correlation_id="who-asked")


@pytest.fixture
def under() -> Callable[[Answer], dict[str, list[str]]]:
    """Return which sections an answer quotes under each of its headings, each once and in order."""

    def read(answer: Answer) -> dict[str, list[str]]:
        cited = {citation.number: citation.section or "" for citation in answer.citations}
        found: dict[str, list[str]] = {}
        heading = ""
        for block in answer.blocks:
            if isinstance(block, Heading):
                heading = block.words[0].text
            elif isinstance(block, Quote) and cited[block.citation] not in found.setdefault(heading, []):
                found[heading].append(cited[block.citation])
        return found

    return read


@pytest.fixture
def types() -> Callable[[list[RunEvent]], list[str]]:
    return lambda events: [event.type for event in events]


@pytest.fixture(scope="session")
def scripted() -> ModuleType:
    """The module of the scripted chat-completions server."""
    return scripted_model


@pytest.fixture
def decisions() -> tuple[PracticeHit, ...]:
    return (
        PracticeHit(
            title="Båtklagenemnda 2998-12 – pant",
            url="https://lovdata.no/avgjørelser/batkn-2998-12",
            snippet="Nemnda kom til at pant også kan dekke slep av båten til land.",
        ),
    )


@pytest.fixture
def finding() -> Callable[[Iterable[PracticeHit]], FindsPractice]:
    """Return a search among a few decisions, by the longer words that they share with the query."""

    def among(decisions: Iterable[PracticeHit]) -> FindsPractice:
        kept = tuple(decisions)

        async def find(request: FindPractice) -> PracticeHits:
            wanted = {stem(w) for w in words(request.query) if len(w) > 3}
            found = (d for d in kept if wanted & {stem(w) for w in words(f"{d.title} {d.snippet}")})
            return PracticeHits(correlation_id=request.correlation_id, hits=tuple(found)[: request.num], took_ms=0.0)

        return find

    return among


@pytest.fixture
def make_catalogue() -> Callable[..., Catalogue]:
    """Return a catalogue of interventions in Dutch; `more` are fields that differ."""

    def make(catalogue: str = "arbeidshulp", **more: Any) -> Catalogue:
        given = {
            "name": "Arbeidshulp",
            "language": "nl",
            "items": 5,
            "embedded": 5,
            "version": 1,
            "offer": "Bruk når spørsmålet gjelder tiltak på arbeidsplassen.",
            "offer_words": ("interventie", "begeleiding"),
            "no_price": "Prijs op aanvraag",
            "hosts": ("portal.evi360.nl",),
            **more,
        }
        return Catalogue(catalogue=catalogue, **given)

    return make


@pytest.fixture
def make_item() -> Callable[..., ProductHit]:
    """Return an item of that catalogue, found; `more` are fields that differ."""

    def make(number: int = 15, name: str = "Herstelcoaching", **more: Any) -> ProductHit:
        given = {
            "catalogue": "arbeidshulp",
            "product_id": str(number),
            "description": "Traject van zes maanden voor burn-out. Met begeleiding van een arbeidsdeskundige.",
            "price": "Vanaf € 2.500",
            "url": f"https://portal.evi360.nl/products/{number}",
            "category": "Coaching",
            "similarity": 0.89,
            "problem_mappings": ("Burn-out",),
            **more,
        }
        return ProductHit(name=name, **given)

    return make


@pytest.fixture
def interventions(make_catalogue, make_item) -> MemoryProducts:
    """A catalogue of five items, searched in memory."""
    items = (
        make_item(),
        make_item(16, "Loopbaanbegeleiding", price="", similarity=0.8, url=""),
        make_item(17, "Fysiotherapie op het werk", similarity=0.7, description="Voor rug en nek. Ook na burn-out."),
        make_item(18, "Bedrijfsmaatschappelijk werk", similarity=0.66),
        make_item(19, "Verzuimscan", similarity=0.2, description="Analyse van het verzuim na burn-out."),
    )
    return MemoryProducts([make_catalogue()], items)


class Reasoned:
    """What came of one question that a scripted model answered."""

    def __init__(self, events: list[RunEvent], requests: list[dict]) -> None:
        self.events = events
        self.requests = requests

    @property
    def types(self) -> list[str]:
        return [e.type for e in self.events]

    @property
    def answer(self) -> Answer:
        (answer,) = [e.answer for e in self.events if isinstance(e, AnswerCompleted)]
        return answer

    def of(self, kind: type) -> list:
        return [e for e in self.events if isinstance(e, kind)]

    def said(self, request: int) -> str:
        """The last message of a request, the first request being 0."""
        return self.requests[request]["messages"][-1]["content"]


@pytest.fixture
def reason(scripted, corpus, decisions, finding) -> Callable:
    """Answer a question by a script, with law, practice and events in memory and HTTP to the scripted server."""

    async def run(
        script: list | Callable,
        question: str | QuestionAsked = "Hvor mye kan båteieren kreve i pant?",
        *,
        search: MemorySearch | None = None,
        practice: Iterable[PracticeHit] | None = decisions,
        mode: Mode = Mode.AGENT,
        price: float = 0.0,
        stall: float = 20.0,
        earlier: Sequence[Turn] = (),
        also: Iterable[Tool] = (),
        guidance: Guidance = NO_GUIDANCE,
        products: ProductSearch | None = None,
        style: str = "",
        **limits: float,
    ) -> Reasoned:
        asked = question if isinstance(question, QuestionAsked) else QuestionAsked(question=question)
        sink = MemorySink()
        tools = ToolRegistry((*own_tools(None if practice is None else finding(practice), products), *also))
        async with scripted.ScriptedModel(script, *([STYLES[style]] if style else [])).serving() as server:
            model = HttpModel(
                "m" if style else "scripted",
                SecretStr("k"),
                server.url,
                provider=Provider(style) if style in {*Provider} else None,
                stall=stall,
                price=Price(price, price),
            )
            try:
                law = search or MemorySearch(corpus)
                answerer = Answerer(law, Limits(**limits), mode, model, tools, guidance, products)
                await answerer.answer(asked, Attempt(), sink, earlier)
            finally:
                await model.stop()
            assert not server.overrun, "the agent asked the model more often than the script foresees"
            return Reasoned(sink.events, server.requests)

    return run
