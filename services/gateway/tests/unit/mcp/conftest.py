"""Provisions, references and outlines to try the tools' words on."""

from collections.abc import Callable

import pytest

from lovsvar_contracts.law import Block, BlockKind, DocumentSummary, InForce, LawType, Provision, StructureKind
from lovsvar_contracts.search import Outline, OutlineEntry, OutlineNode, ResolvedReference
from lovsvar_contracts.tokens import estimate_tokens

REFID = "lov/1999-03-26-17"


def make_reference(section: str | None = "§3-5", **more: object) -> ResolvedReference:
    given = {
        "refid": REFID,
        "section": section,
        "act": "Husleieloven",
        "title": "§ 3-5. Depositum" if section else "Lov om husleieavtaler (husleieloven)",
        "law_type": LawType.LOV,
        "in_force": InForce.YES,
        "url": f"/{REFID}",
        "lovdata_url": f"https://lovdata.no/{REFID}",
        **more,
    }
    return ResolvedReference.model_validate(given)


def make_provision(*ledd: str, section: str = "§3-5", title: str = "Depositum", **more: object) -> Provision:
    texts = ledd or ("Første ledd.", "Annet ledd gjelder:", "Tredje ledd.")
    items = (
        Block(kind=BlockKind.LIST_ITEM, label="a.", text="en bokstav"),
        Block(
            kind=BlockKind.LIST_ITEM,
            label="b.",
            text="en til:",
            children=(Block(kind=BlockKind.LIST_ITEM, label="1.", text="et nummer"),),
        ),
    )
    blocks = tuple(
        Block(kind=BlockKind.LEDD, ledd=n, text=text, children=items if text.endswith(":") else ())
        for n, text in enumerate(texts, 1)
    )
    rows = [
        row
        for text in texts
        for row in ([text, "a. en bokstav", "b. en til:", "1. et nummer"] if text.endswith(":") else [text])
    ]
    text = "\n".join(rows)
    given = {
        "refid": REFID,
        "section": section,
        "value": section.replace("§", "§ "),
        "title": title,
        "act": "Husleieloven",
        "document_title": "Lov om husleieavtaler (husleieloven)",
        "law_type": LawType.LOV,
        "position": 0,
        "text": text,
        "blocks": blocks,
        "in_force": InForce.YES,
        "content_hash": "0",
        "tokens": estimate_tokens(text),
        "url": f"/{REFID}#{section}",
        "lovdata_url": f"https://lovdata.no/{REFID}/{section}",
        "dataset": "gjeldende-lover",
        **more,
    }
    return Provision.model_validate(given)


def make_summary(**more: object) -> DocumentSummary:
    given = {
        "refid": REFID,
        "title": "Lov om husleieavtaler (husleieloven)",
        "short_title": "Husleieloven",
        "abbreviation": "husll",
        "law_type": LawType.LOV,
        "year": 1999,
        "in_force": InForce.YES,
        "provisions": 12,
        "dataset": "gjeldende-lover",
        "url": f"/{REFID}",
        "lovdata_url": f"https://lovdata.no/{REFID}",
        **more,
    }
    return DocumentSummary.model_validate(given)


def make_outline(chapters: int = 2, provisions: int = 6) -> Outline:
    def entry(chapter: int, number: int) -> OutlineEntry:
        name = f"{chapter}-{number}"
        return OutlineEntry(section=f"§{name}", value=f"§ {name}", title=f"Bestemmelse {name}", tokens=100)

    nodes = tuple(
        OutlineNode(
            kind=StructureKind.KAPITTEL,
            name=f"kap{chapter}",
            title=f"Kapittel {chapter}. Om noe",
            tokens=100 * provisions,
            provisions=tuple(entry(chapter, number) for number in range(1, provisions + 1)),
        )
        for chapter in range(1, chapters + 1)
    )
    document = make_summary(provisions=chapters * provisions)
    return Outline(document=document, children=nodes, tokens=chapters * provisions * 100, corpus_version=1)


@pytest.fixture
def reference() -> Callable[..., ResolvedReference]:
    return make_reference


@pytest.fixture
def provision() -> Callable[..., Provision]:
    return make_provision


@pytest.fixture
def summary() -> Callable[..., DocumentSummary]:
    return make_summary


@pytest.fixture
def outline() -> Callable[..., Outline]:
    return make_outline
