"""A third kind of source: one tool with its kind, and nothing else of the agent changes."""

from dataclasses import dataclass

import pytest

from lovsvar_agent.core.evidence import EvidenceRegistry
from lovsvar_agent.core.reasoning.phrases import NAMES_UNKNOWN
from lovsvar_agent.core.reasoning.tool_results import excerpts
from lovsvar_agent.core.source_kinds.kind import SourceKind
from lovsvar_agent.core.source_kinds.law import LAW
from lovsvar_agent.core.source_kinds.practice import PRACTICE
from lovsvar_agent.core.tools.registry import ToolRegistry, own_tools
from lovsvar_agent.core.tools.tool import Found, Tool, record, text
from lovsvar_contracts.run_events import SourcesFound, ToolResult


@dataclass(frozen=True)
class Product:
    title: str
    url: str
    snippet: str


PRODUCTS = SourceKind("produkt", label="vare fra butikken")
LOCK = Product("Båtlås 3000", "https://butikk.example/lås", "Låsen tåler sjøvann i fem år. Se § 99-9 i fantasiloven.")


async def find_products(law, given) -> Found:
    return Found(result=(LOCK,), sources=((PRODUCTS, (LOCK,)),), count=1)


def show_products(found, sources, tokens) -> tuple[str, bool]:
    return excerpts((sources.of(PRODUCTS, one) for one in found), sources, tokens)


PRODUCT_SEARCH = Tool(
    name="finn_vare",
    title="Søker i varer",
    description="Søk etter varer.",
    parameters=record(("query",), query=text("Søkeordene.")),
    call=find_products,
    show=show_products,
    finds=(PRODUCTS,),
)
CALL = {"calls": [{"finn_vare": {"query": "lås"}}]}


def final(answer: str, *citations: list[str]) -> dict:
    return {"final": {"answer": answer, "citations": list(citations)}}


async def test_a_source_of_a_new_kind_is_shown_cited_and_linked(reason) -> None:
    cites = final("Den holder i fem år (produkt-1). Kanskje [produkt-7].", ["produkt-1", "tåler sjøvann i fem år"])
    done = await reason([CALL, cites], also=[PRODUCT_SEARCH])
    assert 'id="produkt-1"' in done.said(1) and 'type="vare fra butikken"' in done.said(1)
    (_, evidence) = [e for found in done.of(SourcesFound) for e in found.evidence]
    assert (evidence.evidence_id, evidence.source, evidence.refid) == ("produkt-1", "produkt", None)
    (citation,) = done.answer.citations
    assert (citation.quote, citation.verified, citation.title) == ("tåler sjøvann i fem år", True, LOCK.title)
    assert LOCK.snippet[citation.start : citation.end] == citation.quote
    assert f'href="{LOCK.url}"' in done.answer.answer_html
    assert "fem år [1]" in done.answer.answer_text and "produkt" not in done.answer.answer_text


async def test_a_quote_that_is_not_in_it_is_rejected_and_so_is_a_reference_to_law_that_does_not_exist(reason) -> None:
    wrong = final("x [produkt-1]", ["produkt-1", "tåler alt"], ["produkt-1", LOCK.snippet])
    done = await reason([CALL, {**wrong, "repeat": True}], also=[PRODUCT_SEARCH])
    assert done.answer.fallback == "model_unverified"
    assert {c.evidence_id.partition("-")[0] for c in done.answer.citations} == {"lovdata"}
    reasons = {r.reason for r in done.answer.rejected}
    assert {"Sitatet står ikke ordrett i utdraget.", NAMES_UNKNOWN} <= reasons


async def test_without_its_registration_the_tool_does_not_exist_and_its_ids_are_words(reason) -> None:
    search = {"calls": [{"search_lovdata_legal_documents": {"query": "pant båteieren"}}]}
    quote = ["lovdata-1", "Pantet kan være på høyst fire ukers båtleie"]
    done = await reason([CALL, search, final("Høyst fire uker [lovdata-1] (produkt-1).", quote)])
    assert "«finn_vare» finnes ikke" in done.of(ToolResult)[1].error
    assert "(produkt-1)" in done.answer.answer_text


def test_evidence_of_a_kind_that_is_gone_keeps_its_id_and_can_be_quoted() -> None:
    earlier = EvidenceRegistry(kinds=(LAW, PRODUCTS))
    earlier.add(PRODUCTS, [LOCK])
    later = EvidenceRegistry(earlier.all, kinds=(LAW, PRACTICE))
    (known,) = later.all
    assert known.evidence_id == "produkt-1"
    assert later.verify("Låsen tåler sjøvann", known).start == 0
    assert later.add(PRODUCTS, [LOCK]) == ()


def test_two_tools_of_one_name_are_refused_and_so_are_two_kinds_of_one_prefix() -> None:
    with pytest.raises(ValueError, match="one name"):
        ToolRegistry((*own_tools(None), PRODUCT_SEARCH, PRODUCT_SEARCH))
    false = Tool("vare", "Vare", "Vare.", record(()), find_products, show_products, finds=(SourceKind("serper"),))
    with pytest.raises(ValueError, match="one prefix"):
        ToolRegistry((*own_tools(None), false))
