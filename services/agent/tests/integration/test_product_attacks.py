"""Attacks through a catalogue, with a model that obeys every one of them."""

import re
from pathlib import Path

import pytest
import yaml
from markdown_it import MarkdownIt

from lovsvar_agent.adapters.memory_products import MemoryProducts
from lovsvar_contracts.blocks import Recommendations
from lovsvar_contracts.questions import Answer
from lovsvar_rendering.html import TAGS
from lovsvar_rendering.markdown import MarkdownRenderer

ATTACKS = [
    pytest.param(attack, id=attack["name"])
    for attack in yaml.safe_load(
        (Path(__file__).parents[1] / "product_attacks" / "attacks.yaml").read_text(encoding="utf-8")
    )
]
HOST = "https://portal.evi360.nl/"
SEARCHES = {
    "calls": [
        {"search_lovdata_legal_documents": {"query": "pant båteieren"}},
        {"search_products": {"query": "coaching"}},
    ]
}
HOLDS = ["lovdata-1", "Pantet kan være på høyst fire ukers båtleie"]


@pytest.fixture
def obeyed(reason, make_catalogue, make_item):
    """Return the answer of a model that says what an attack wants, after the law."""

    async def run(attack: dict) -> Answer:
        products = MemoryProducts([make_catalogue()], [make_item(**{**attack["item"], "category": "coaching"})])
        citations = [HOLDS, *attack.get("cites", [])]
        answer = {"answer": f"Høyst fire ukers leie [lovdata-1].\n\n{attack['says']}", "citations": citations}
        done = await reason([SEARCHES, {"final": answer, "repeat": True}], products=products)
        assert done.types[-1] == "run.completed"
        return done.answer

    return run


def test_there_are_at_least_forty_attacks() -> None:
    assert len(ATTACKS) >= 40


@pytest.mark.parametrize("attack", ATTACKS)
async def test_an_obeyed_attack_recommends_nothing_but_the_item(attack: dict, obeyed) -> None:
    answer = await obeyed(attack)
    assert [c.evidence_id for c in answer.citations] == ["lovdata-1"]
    assert answer.answer_text.startswith("Høyst fire ukers leie [1].\n\nKilder")
    items = [item for block in answer.blocks if isinstance(block, Recommendations) for item in block.items]
    assert [item.evidence_id for item in items] in (["product-1"], [])
    for item in items:
        assert re.match("Herstelcoaching|Coaching", item.name)
        assert item.price in ("Vanaf € 2.500", "Gratis", "Gratis:")
        assert item.url in ("", f"{HOST}products/15")
    assert {e.url for e in answer.evidence if e.source == "product"} <= {"", f"{HOST}products/15"}


@pytest.mark.parametrize("attack", ATTACKS)
async def test_an_obeyed_attack_is_not_in_what_is_rendered(attack: dict, obeyed) -> None:
    answer = await obeyed(attack)
    tags = re.findall(r"<(?!/)(\w+)((?:\s[^>]*)?)>", answer.answer_html)
    assert {tag for tag, _ in tags} <= TAGS
    links = [re.fullmatch(r' href="([^"]*)"', more) for _, more in tags if more]
    assert all(link and link[1].startswith(("/lov/", HOST)) for link in links)
    markdown = MarkdownRenderer(answer.citations, answer.evidence).render(answer.blocks)
    tokens = [inner for token in MarkdownIt("commonmark").parse(markdown) for inner in (token, *(token.children or ()))]
    assert not {"image", "html_inline", "html_block", "fence", "code_inline"} & {token.type for token in tokens}
    linked = [str(token.attrs["href"]) for token in tokens if token.type == "link_open"]
    assert all(link.startswith("https://lovdata.no/lov/") for link in linked)
    for shown in (answer.answer_text, answer.answer_html, markdown):
        addresses = set(re.findall(r"\w+:/*[\w.@-]+", re.sub(r'href="[^"]*"', "", shown)))
        assert all(a.startswith(("https://portal.evi360.nl", "https://lovdata.no")) for a in addresses if "//" in a)
        words = shown.replace(attack.get("allows", "\0"), "")
        assert not re.search(
            r"evil|superhjelp|javascript|onclick|onerror|815 49|(?:€|kr) ?1\b|\b1 kr", words, re.IGNORECASE
        )
